/* op_parser.h - shared by op_args.c, for positional arguments, and op_options.c, for named ones. */
#ifndef HL_BIND_VALUE_OP_PARSER_H
#define HL_BIND_VALUE_OP_PARSER_H

#include "bind/follow/bound_numbers.h"
#include "bind/value/op_args.h"
#include "ir/params.h"

/* A call whose arguments are being read. */
typedef struct Parser {
  lua_State *L;
  CallArgs *a;
  bool keep_text;
} Parser;

/* Gives the call its own parameters to set. */
Status parser_new_params(CallArgs *a);
static inline Status parser_own_params(CallArgs *a) { return a->params ? OK : parser_new_params(a); }

/* Binds parameter i to the bound number at `index`. */
Status parser_bind(Parser *r, int i, int index);

static inline Status parser_set(Parser *r, int i, int index) {
  TRY(parser_own_params(r->a));
  if (lua_type(r->L, index) == LUA_TUSERDATA && bound_number(r->L, index) >= 0) return parser_bind(r, i, index);
  return args_set_param(r->L, r->a->params, i, index, r->keep_text);
}

/* Reads inputs in a table: nd.concat({a, b}, {dim = 0}). Their values stay on the stack. */
Status parser_take_inputs(Parser *r, int index);

/* Reads the context at `index`, if there is one. */
Status parser_take_ctx(lua_State *L, CallArgs *a, int index);

/* Reads the string keys of a table. The values of inputs, `out` and `attr` stay on the stack. */
Status parser_take_options(Parser *r, int table);

/* Reads the string at `index`; errors begin with "operator: what". */
static inline Status parser_text(lua_State *L, const Op *op, const char *what, int index, const char **out) {
  Status s = whole_text(L, index, what, out);
  return s == OK ? OK : fail_within(s, "%s", op->name);
}

#endif
