/* op_args.h - reading the arguments of an operator call from Lua's stack.
**
** f(a, b, 3, {k = v}): arrays first, then positional parameters; the last table holds options. f{a, b, k = v}: the
** array part of a single table holds the positional arguments (inputs, or one list for an operator without inputs); its
** string keys are options, including inputs. nd and sym share this function.
*/
#ifndef HL_BIND_VALUE_OP_ARGS_H
#define HL_BIND_VALUE_OP_ARGS_H

#include "bind/core/lua_object.h"

enum { MOST_CALL_INPUTS = 1024 };

typedef struct CallArgs {
  const Op *op;
  Params *params;          /* owned; NULL: the defaults */
  int n_in;
  int in[MOST_CALL_INPUTS]; /* stack index of each input; 0 if left out */
  int out, attr;           /* stack indices of these options; 0 if not given */
  Device device;           /* the given context, if `placed` */
  const char *name;        /* of the node, for Symbols; NULL if not given */
  int next_param;          /* the next one by position */
  int n_bound;             /* number of parameters bound at run time; their values are not in `params` */
  struct { int param, number; } bound[MAX_SCALARS];   /* each with its number (bind/follow/bound_numbers.h) */
  const void *frame;       /* the call's position on C's stack */
  bool registered;         /* its parameters are freed even if Lua raises */
  bool placed;
} CallArgs;

/* The parameters given, or the defaults. */
static inline const Params *args_params(const CallArgs *a) { return a->params ? a->params : a->op->info->defaults; }

/* Reads the arguments from stack index `first` to the top. With `keep_text`, parameters keep their spelling, for
** tojson. Does not raise; on failure nothing is owned. */
Status args_parse(lua_State *L, const Op *op, int first, bool keep_text, CallArgs *a);
void args_free(CallArgs *a);

/* Gives a row without inputs the dtype float64 of set_default_dtype, if its own default is float32 and the call has no
** other. */
Status args_set_default_dtype(CallArgs *a);

/* Fails if the elements would be an integer that float32 rounds (Params.rounded), and the call gives no dtype. */
Status args_check_rounded(lua_State *L, const CallArgs *a);

/* Gives the call ownership of these parameters; args_take_params returns them to the caller. */
void args_replace_params(CallArgs *a, Params *params);
Params *args_take_params(CallArgs *a);

/* Parts of args_parse that read one option: the parameter with this name ("stop" for "end"), or -1; setting it from the
** value at `index`; the error for an unknown name. */
int args_find_param(const Op *op, const char *key);
Status args_set_param(lua_State *L, Params *p, int i, int index, bool keep_text);
Status args_unknown_option(lua_State *L, const Op *op, const char *key);
int args_set_option_hint(lua_State *L);   /* (function): hint(key, names) returns the end of the error text, or nil */

/* prepare(operator, options) -> options that are read once; many calls accept them in place of the table */
int args_prepare(lua_State *L);

#endif
