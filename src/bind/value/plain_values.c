/* plain_values.c - plain texts of operators, and what calls give them, as Lua tables (ir/plain.h). */
#include "bind/value/op_args.h"
#include "ir/plain.h"

/* plain_texts() -> { name = text }; see ir/plain.h */
static int texts(lua_State *L) {
  lua_newtable(L);
  for (const PlainText *t = plain_texts; t->name; t++) set_string(L, t->name, t->text);
  return 1;
}

static void push_operand(lua_State *L, const Type *t, bool used) {
  lua_createtable(L, 0, 3);
  set_string(L, "dtype", dtype_name(t->dtype));
  set_integer(L, "size", shape_size(&t->shape));
  set_boolean(L, "used", used);
}

/* The operands in the order of the text; arguments that the call omits are missing. */
static void push_operands(lua_State *L, const Query *q) {
  const Op *op = q->op;
  lua_newtable(L);
  for (int name = 0, i = 0, at = 0; op->info->variadic ? i < q->n_in : name < op->info->n_inputs; name++) {
    if (i < q->n_in && (op->info->variadic || op_takes(op, q->params, name))) push_operand(L, query_in(q, i++), true);
    else lua_pushboolean(L, 0);
    lua_rawseti(L, -2, ++at);
  }
  lua_setfield(L, -2, "inputs");
  lua_newtable(L);
  for (int i = 0; i < q->n_out; i++) {
    push_operand(L, query_out(q, i), !op_unused(q, i));
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "outputs");
}

static void push_call(lua_State *L, const Query *q) {
  const Plain *p = q->op->plain;
  PlainCall c;
  if (!plain_call(q, &c)) {
    lua_pushnil(L);
    return;
  }
  lua_createtable(L, 0, 9);
  set_string(L, "text", c.text);
  set_string(L, "function", c.function);
  set_boolean(L, "finite", p->finite);
  set_integer(L, "workspace", c.workspace);
  set_boolean(L, "rounded", p->rounded >> op_kernel_dtype(q->op, q) & 1);
  lua_createtable(L, c.n_whole, 0);
  for (int i = 0; i < c.n_whole; i++) {
    lua_pushinteger(L, c.whole[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "whole");
  lua_createtable(L, c.n_numbers, 0);
  for (int i = 0; i < c.n_numbers; i++) {
    lua_pushnumber(L, c.number[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "numbers");
  lua_createtable(L, c.n_sizes, 0);
  for (int i = 0; i < c.n_sizes; i++) {
    lua_pushinteger(L, c.size(q, i));
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "sizes");
  push_operands(L, q);
}

/* Pushes the call with these types, in prediction and without gradients. */
static Status infer_call(lua_State *L, const CallArgs *a, TypeList *in, TypeList *out) {
  const Op *op = a->op;
  const Params *p = args_params(a);
  const int n_out = op_outputs(op, p);
  TRY(types_new(in, a->n_in));
  TRY(types_new(out, n_out));
  for (int i = 0; i < a->n_in; i++) {
    const Array *x = a->in[i] ? to_array(L, a->in[i]) : NULL;
    if (!x) return fail("%s: expected NDArrays", op->name);
    in->at[i] = x->t.type;
  }
  for (int i = 0; i < n_out; i++) out->at[i] = TYPE_UNKNOWN;
  TRY(op_infer(op, p, in->at, a->n_in, out->at, n_out));
  const Query q = { .op = op,
                    .params = p->fields,
                    .n_in = a->n_in,
                    .n_out = n_out,
                    .no_gradient = true,
                    .in_type = in->at,
                    .out_type = out->at };
  push_call(L, &q);
  return OK;
}

/* plain_call(name, arguments...) -> such a call in prediction, without gradients: { text, function, inputs, outputs,
** whole, numbers, sizes, workspace, rounded }, or nil if it has no text */
static int call(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const Op *op = op_find(name);
  CallArgs a;
  TypeList in = { 0 }, out = { 0 };
  if (!op) return raise_error(L, "plain_call: name: expected an operator, got '%s'", name);
  check(L, args_parse(L, op, 2, false, &a));
  const Status s = infer_call(L, &a, &in, &out);
  types_free(&in);
  types_free(&out);
  args_free(&a);
  check(L, s);
  return 1;
}

void open_plain(lua_State *L) {
  const luaL_Reg functions[] = { { "plain_texts", texts }, { "plain_call", call }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
