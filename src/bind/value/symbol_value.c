/* symbol_value.c - nodes from operator calls, and sym.var.
**
** Outside a trace, an omitted input becomes a variable such as fc_weight, as in MXNet; in a trace it is an error, as in
** eager code.
*/
#include "bind/value/symbol_value.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bind/core/coroutine.h"
#include "bind/core/auto_names.h"
#include "bind/trace/tracing.h"
#include "state/engine.h"
#include "io/symbol/symbol_node.h"
#include "ir/node_builder.h"
#include "ir/graph/symbol_compose.h"

Status set_scope_attributes(lua_State *L, Node *n) {
  Status s = OK;
  push_scope_attributes(L);
  if (lua_istable(L, -1))
    for (lua_pushnil(L); s == OK && lua_next(L, -2); lua_pop(L, 1))
      s = node_set_own_attribute(n, lua_tostring(L, -2), lua_tostring(L, -1));
  if (s == OK) lua_pop(L, 1);
  return s;
}

/* Sets the attributes of the scope, then those of attr = {key = "value"}. */
static Status set_attributes(lua_State *L, Node *n, int table) {
  TRY(set_scope_attributes(L, n));
  if (!table) return OK;
  if (!lua_istable(L, table)) return fail("attr: expected a table, got %s", type_name(L, table));
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
      return fail("attr: expected strings as keys and values, got %s and %s", type_name(L, -2), type_name(L, -1));
    const char *key, *value;
    TRY(whole_text(L, -2, "attr: key", &key));
    TRY(whole_text(L, -1, "attr: value", &value));
    TRY(node_set_own_attribute(n, key, value));
  }
  return OK;
}

/* Checks the shape parameter of zeros, ones and the like. Outside a trace, 0 is a dimension to be inferred, as for
** variables; in a trace it is a length, as in eager code. */
static Status read_length(lua_State *L, const Op *op, Params *params) {
  if (!params || op->info->shape < 0) return OK;
  List *shape = (List *)(void *)((char *)params->fields + op->info->param[op->info->shape].offset);
  if (shape->count < 0 || shape->count > MAX_DIMS) return OK;         /* inference rejects the latter */
  if (tracing(L)) {
    Shape s = list_shape(shape);
    return shape_check(&s, op_title(op));
  }
  for (int i = 0; i < shape->count; i++)
    if (shape->u.i[i] == 0) shape->u.i[i] = UNKNOWN;
  return OK;
}

void node_making_end(void *making) {
  NodeMaking *m = making;
  params_release(m->params);
  for (int i = 0; i < m->held; i++) node_release(m->in[i].node);
  object_free(m->in);
  builder_free(&m->b);
  node_release(m->node);
}

static const char making_key; /* registry key: a NodeMaking, reused because every node needs one */

static Status missing_input(lua_State *L, const CallArgs *a, const Params *params, const char *name, int i,
                            Entry *out) {
  const char *title = op_input_title(a->op, op_fields(a->op, params), i);
  if (tracing(L)) return fail("%s: %s: expected an NDArray, got nothing", a->op->name, title);
  TRY(compose_variable(a->op, params, name, i, &out->node));
  out->index = 0;
  return set_attributes(L, out->node, a->attr);
}

/* Gets input i, with a reference; `out` owns it even if Lua raises. */
static Status input_entry(lua_State *L, const CallArgs *a, const Params *params, const char *name, int i, Entry *out) {
  int index = i < a->n_in ? a->in[i] : 0;
  if (index == 0) return missing_input(L, a, params, name, i, out);
  Symbol *s = to_symbol(L, index);
  if (!s) {
    Status captured = trace_capture(L, index, out);
    if (captured != OK)
      return fail_within(captured, "%s: %s", a->op->name, op_input_title(a->op, op_fields(a->op, params), i));
  } else if (s->n != 1) {
    return fail("%s: %s: expected a Symbol with one output, got one with %d; choose one with s:output(i)", a->op->name,
                op_input_title(a->op, op_fields(a->op, params), i), s->n);
  } else {
    *out = s->entry[0];
  }
  node_retain(out->node);
  return OK;
}

static Status fail_within_op(const Op *op, Status s) { return s == OK ? OK : fail_within(s, "%s", op->name); }

Status node_make(lua_State *L, const Op *op, const char *name, const Entry *in, int n_in, NodeMaking *m) {
  const Params *p = m->params ? m->params : op->info->defaults;
  m->b = trace_builder(L);
  TRY(trace_admit(L, op, p->fields, in, n_in));
  TRY(compose_initializers(op, in, n_in));
  compose_states(op, p, in, n_in);
  Entry e = build(&m->b, op, m->params, in, n_in);
  TRY(m->b.status);
  m->node = node_retain(e.node);
  return node_set_name(m->node, name);
}

static Status build_node(lua_State *L, const CallArgs *a, const char *name, int n_in, NodeMaking *m) {
  m->in = object_new((size_t)(n_in + 1) * sizeof *m->in);
  if (!m->in) return no_memory("graph node");
  for (int i = 0; i < n_in; i++) {
    m->in[m->held++] = NO_ENTRY;
    TRY(input_entry(L, a, m->params, name, i, &m->in[i]));
  }
  TRY(node_make(L, a->op, name, m->in, n_in, m));
  return set_attributes(L, m->node, a->attr);
}

void push_new_node(lua_State *L, Node *node, int visible, bool list) {
  if (list) lua_createtable(L, visible, 0);
  for (int i = 0; i < visible; i++) {
    push_entry(L, (Entry){ node, i });
    if (list) lua_rawseti(L, -2, i + 1);
  }
  if (node_effects_ever(node)) trace_keep(L, (Entry){ node, 0 });
  trace_made(L, (Entry){ node, 0 });
}

Status symbol_call(lua_State *L, CallArgs *a, const char *hint, int *pushed) {
  NodeMaking *m = push_resting(L, &making_key, sizeof *m, node_making_end);
  const int making = lua_gettop(L);
  m->params = args_take_params(a);
  TRY(read_length(L, a->op, m->params));
  const Params *p = m->params ? m->params : a->op->info->defaults;
  int n_in = op_inputs(a->op, p), visible = op_visible(a->op, p);
  char stem[128];
  if (n_in > MOST_CALL_INPUTS) return fail("%s: expected at most %d inputs", a->op->name, MOST_CALL_INPUTS);
  for (int i = n_in; i < a->n_in; i++)
    if (a->in[i]) return fail("%s: expected %d inputs with these parameters, got %d", a->op->name, n_in, a->n_in);
  if (a->op->flags & OP_DYNAMIC && tracing(L)) {
    trace_lacks(L, a->op->name);
    return fail("%s: the shape of its output depends on values, which are unknown in a hybridized block; call it "
                "outside",
                a->op->name);
  }
  if (a->placed) TRY(fail_within_op(a->op, trace_check_device(L, a->device, "ctx")));
  else if (n_in == 0 && coroutine_engine(L)->mode.device != 0)
    TRY(fail_within_op(a->op, trace_check_device(L, engine_now()->mode.device, "the current context")));
  if (a->out) trace_lacks(L, "out =");
  if (a->out) return fail("%s: out: cannot be used with Symbols, which are not written to", a->op->name);
  op_stem(a->op, stem, sizeof stem);
  const char *name = push_name(L, a->name, hint ? hint : stem);
  TRY(build_node(L, a, name, n_in, m));
  push_new_node(L, m->node, visible, visible > 1);
  owned_rest(L, making, &making_key);
  *pushed = 1;
  return OK;
}

Entry check_entry(lua_State *L, int index) {
  const Symbol *s = check_symbol(L, index);
  if (s->n != 1)
    raise_error(L, "expected a Symbol with one output, got one with %d; choose one with s:output(i)", s->n);
  return s->entry[0];
}

Entry *list_entries(lua_State *L, int index, const char *what, bool holes, int n) {
  Entry *list = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *list, 0);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, index, i + 1);
    Symbol *s = to_symbol(L, -1);
    list[i] = NO_ENTRY;
    if (s && s->n == 1) list[i] = s->entry[0];
    else if (!holes || !lua_isnil(L, -1))
      raise_error(L, "%s: expected Symbols with one output, got %s at place %d", what,
                  s ? "one with several" : type_name(L, -1), i + 1);
    lua_pop(L, 1);                       /* the list holds it */
  }
  return list;
}

Entry *check_entries(lua_State *L, int index, const char *what, int *n) {
  *n = check_length(L, index, what);
  return list_entries(L, index, what, false, *n);
}

static void graph_end(void *graph) { graph_free(graph); }

Graph *push_graph(lua_State *L) { return push_owned(L, sizeof(Graph), graph_end); }

Graph *push_symbol_graph(lua_State *L, const Symbol *s) {
  Graph *g = push_graph(L);
  check(L, graph_new(s->entry, s->n, g));
  return g;
}

/* Keeps the type as MXNet's files hold it, "(2, 0)" and the dtype's code, unless the attributes have it already. */
static Status keep_type_text(lua_State *L, Node *variable) {
  Text text = { 0 };
  Status s = OK;
  if (!lua_isnoneornil(L, 2) && !node_attribute(variable, "__shape__")) {
    int n = variable->type[0].shape.ndim;
    text_put(&text, "(");
    for (int i = 0; i < n; i++) {
      if (lua_istable(L, 2)) lua_rawgeti(L, 2, i + 1);
      else lua_pushvalue(L, 2);
      text_format(&text, "%s%lld", i ? ", " : "", (long long)lua_tointeger(L, -1));
      lua_pop(L, 1);
    }
    text_put(&text, n == 1 ? ",)" : ")");
    s = text_status(&text);
    if (s == OK) s = node_set_attribute(variable, "__shape__", text.at);
    text_free(&text);
  }
  if (s == OK && !lua_isnoneornil(L, 3) && !node_attribute(variable, "__dtype__")) {
    char code[16];
    snprintf(code, sizeof code, "%d", (int)variable->type[0].dtype);
    s = node_set_attribute(variable, "__dtype__", code);
  }
  return s == OK ? symbol_node_type(variable) : s;
}

Shape check_open_shape(lua_State *L, int index, const char *who, bool exact) {
  const bool list = lua_istable(L, index);
  lua_Unsigned n = list ? lua_rawlen(L, index) : 1;
  if (n > MAX_DIMS) raise_error(L, "%s: shape: expected at most %d dimensions, got %d", who, MAX_DIMS, (int)n);
  Shape s = { .ndim = (int)n };
  index = lua_absindex(L, index);
  for (int i = 0; i < (int)n; i++) {
    if (list) lua_rawgeti(L, index, i + 1);
    else lua_pushvalue(L, index);
    int exact_integer;
    lua_Integer d = lua_tointegerx(L, -1, &exact_integer);
    if (!exact_integer || lua_type(L, -1) != LUA_TNUMBER)
      raise_error(L, "%s: shape: expected integers, got %s", who, type_name(L, -1));
    s.dim[i] = d < 0 || (d == 0 && !exact) ? UNKNOWN : d;
    lua_pop(L, 1);
  }
  if (list && has_stray_key(L, index, (lua_Integer)n)) raise_error(L, "%s: shape: %s", who, STRAY_KEY);
  return s;
}

/* var(name, shape or nil, dtype or nil, attributes or nil, exact) -> a variable. Unless exact, 0 and -1 in the shape
** are unknown, as in MXNet. */
static int symbol_var(lua_State *L) {
  Type type = TYPE_UNKNOWN;
  lua_settop(L, 5);
  const char *name = check_text(L, 1, "sym.var: name");
  if (!lua_isnoneornil(L, 2)) type.shape = check_open_shape(L, 2, "sym.var", lua_toboolean(L, 5));
  if (!lua_isnoneornil(L, 3)) type.dtype = check_dtype(L, 3, "sym.var");
  Symbol *symbol = push_symbol(L, &NO_ENTRY, 1);
  coroutine_enter(L);
  check(L, node_variable(name, &type, &symbol->entry[0].node));
  Node *node = symbol->entry[0].node;
  node->origin = origin_here(L);
  check(L, set_attributes(L, node, lua_istable(L, 4) ? 4 : 0));
  if (!lua_toboolean(L, 5)) check(L, keep_type_text(L, node));
  return 1;
}

/* group({a, b}) -> one Symbol with all outputs */
static int symbol_group(lua_State *L) {
  if (!lua_istable(L, 1)) return raise_error(L, "sym.Group: expected a list of Symbols, got %s", type_name(L, 1));
  int n = 0, count = (int)lua_rawlen(L, 1), of_np = 0;
  for (int i = 1; i <= count; i++) {
    lua_rawgeti(L, 1, i);
    Symbol *s = to_symbol(L, -1);
    of_np += value_kind(L, -1) == KIND_NP;
    if (!s) return raise_error(L, "sym.Group: expected Symbols, got %s", type_name(L, -1));
    n += s->n;
    lua_pop(L, 1);
  }
  Entry *entries = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *entries, 0);
  for (int i = 1, at = 0; i <= count; i++) {
    lua_rawgeti(L, 1, i);
    Symbol *s = to_symbol(L, -1);
    for (int k = 0; k < s->n; k++) entries[at++] = s->entry[k];
    lua_pop(L, 1);
  }
  push_symbol(L, entries, n);
  if (of_np > 0 && of_np == count) make_np(L, -1);
  return 1;
}

/* symbol_key(s) -> a string, equal for Symbols of the same value */
static int symbol_key(lua_State *L) {
  const Entry e = check_entry(L, 1);
  lua_pushfstring(L, value_kind(L, 1) == KIND_NP ? "%p.%d np" : "%p.%d", (void *)e.node, e.index);
  return 1;
}

static int is_symbol(lua_State *L) { return return_boolean(L, to_symbol(L, 1) != NULL); }

void open_symbol(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = { { "is", is_symbol }, { "key", symbol_key }, { "new_variable", symbol_var },
                                 { "group", symbol_group }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  open_symbol_query(L);
}
