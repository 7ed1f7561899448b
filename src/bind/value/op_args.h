/* op_args.h - reading the arguments of an operator call from Lua's stack.
**
** f(a, b, 3, {k = v}): arrays first, then parameters by position, options in a last
** table. f{a, b, k = v}: a sole table's array part is the positional arguments (inputs,
** or a list where the operator takes none), its string keys are options, inputs among
** them. nd and sym read their arguments by this one function.
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
  int out, attr;           /* stack indices of these options; 0: not given */
  Device device;           /* the context that was given, if `placed` */
  const char *name;        /* of the node, for symbols; NULL: none given */
  int next_param;          /* by position */
  int n_bound;             /* parameters that are bound at run time; their values are not in `params` */
  struct { int param, number; } bound[MAX_SCALARS];   /* which, and of which number (bind/follow/bound_numbers.h) */
  const void *frame;       /* the call's position on C's stack */
  bool registered;         /* its parameters are registered, so that they are freed even if Lua raises */
  bool placed;
} CallArgs;

static inline bool is_operand(lua_State *L, int index) { return is_array(L, index) || to_symbol(L, index); }

/* The parameters given, or the defaults. */
static inline const Params *args_params(const CallArgs *a) { return a->params ? a->params : a->op->info->defaults; }

/* Reads the arguments from stack index `first` on. With `keep_text` values are kept as
** they were written, for tojson. Raises nothing; on failure nothing is owned. */
Status args_parse(lua_State *L, const Op *op, int first, bool keep_text, CallArgs *a);
void args_free(CallArgs *a);

/* Replaces the parameters by ones that the call takes over; transfers them to the caller. */
void args_replace_params(CallArgs *a, Params *params);
Params *args_take_params(CallArgs *a);

/* Parts of args_parse that read one option: the parameter of a name ("stop" for "end"), -1 if there is none; its
** value, at `index`; the error for another name. */
int args_find_param(const Op *op, const char *key);
Status args_set_param(lua_State *L, Params *p, int i, int index, bool keep_text);
Status args_unknown_option(lua_State *L, const Op *op, const char *key);
int args_set_option_hint(lua_State *L);   /* (function): hint(key, names) returns the end of the error, or nil */

/* prepare(operator, options) -> options read once, which many calls can take in place of the table, as those of
** layers do. */
int args_prepare(lua_State *L);

#endif
