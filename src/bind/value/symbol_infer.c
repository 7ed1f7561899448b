/* symbol_infer.c - inferring the shapes and dtypes of a Symbol's variables and outputs from known ones. */
#include <string.h>

#include "bind/core/coroutine.h"
#include "bind/trace/tracing.h"
#include "bind/value/symbol_query.h"

/* minus: a dimension was given as -1, so unknown ones are returned as -1, as with MXNet's NumPy shapes, instead of
** 0. */
typedef struct Inquiry { const char *who; bool dtypes, partial, exact, minus; } Inquiry;

static bool has_minus(lua_State *L, int index) {
  bool found = false;
  for (lua_Integer i = 1, n = lua_istable(L, index) ? (lua_Integer)lua_rawlen(L, index) : 0; i <= n && !found; i++) {
    found = lua_rawgeti(L, index, i) == LUA_TNUMBER && lua_tonumber(L, -1) < 0;
    lua_pop(L, 1);
  }
  return found;
}

/* Merges the shape on top of the stack into a variable's type; if they contradict, replaces the variable's shape and
** returns true. */
static bool take_shape(lua_State *L, Inquiry *asked, Node *n) {
  Shape s = check_open_shape(L, -1, asked->who, asked->exact), own = n->type[0].shape;
  asked->minus = asked->minus || has_minus(L, lua_gettop(L));
  if (s.ndim == 0 && !asked->exact) return false;           /* MXNet's () for an unknown shape */
  const bool fits = shape_merge(&own, &s);
  n->type[0].shape = fits ? own : s;
  return !fits;
}

static bool take_dtype(lua_State *L, const Inquiry *asked, Node *n) {
  const DType before = n->type[0].dtype;
  n->type[0].dtype = check_dtype(L, -1, asked->who);
  return before != DT_UNKNOWN && before != n->type[0].dtype;
}

/* Resets the inferred types. */
static void forget_types(Graph *g) {
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    for (int k = 0; n->op && n->op->infer != op_keep_types && k < n->n_out; k++) n->type[k] = TYPE_UNKNOWN;
  }
}

/* Sets the types of variables from the table at 2, {name = shape} or {name = dtype}. */
static void take_known(lua_State *L, Graph *g, Inquiry *asked) {
  bool other = false;
  for (int i = 0; !asked->dtypes && i < g->n_input; i++) {
    const char *declared = node_attribute(g->input[i], "__shape__");
    asked->minus = asked->minus || (declared && strchr(declared, '-'));
  }
  if (lua_isnoneornil(L, 2)) return;
  if (!lua_istable(L, 2)) raise_error(L, "%s: expected {name = value}, got %s", asked->who, type_name(L, 2));
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      raise_error(L, "%s: expected {name = value}, got %s as a name", asked->who, type_name(L, -2));
    Node *n = g->input[find_symbol_input(L, g, asked->who, -2)];
    other |= asked->dtypes ? take_dtype(L, asked, n) : take_shape(L, asked, n);
  }
  if (other) forget_types(g);
}

static void push_known_shape(lua_State *L, const Shape *s, bool minus) {
  if (s->ndim < 0 && minus) {
    push_null(L);
    return;
  }
  Shape known = { .ndim = s->ndim < 0 ? 0 : s->ndim };
  for (int i = 0; i < known.ndim; i++) known.dim[i] = s->dim[i] < 0 ? (minus ? -1 : 0) : s->dim[i];
  push_shape(L, &known);
}

static void push_type_part(lua_State *L, const Type *t, const Inquiry *asked) {
  if (!asked->dtypes) push_known_shape(L, &t->shape, asked->minus);
  else if (t->dtype == DT_UNKNOWN) lua_pushboolean(L, 0);
  else lua_pushstring(L, dtype_name(t->dtype));
}

/* Pushes three lists: of arguments, outputs and auxiliary states. */
static void push_types(lua_State *L, const Graph *g, const Inquiry *asked) {
  for (int kind = 0; kind < 3; kind++) {
    const bool outputs = kind == 1;
    lua_newtable(L);
    for (int i = 0, n = 0; i < (outputs ? g->n_out : g->n_input); i++) {
      if (!outputs && g->input[i]->aux != (kind == 2)) continue;
      push_type_part(L, outputs ? entry_type(g->out[i]) : &g->input[i]->type[0], asked);
      lua_rawseti(L, -2, ++n);
    }
  }
}

static bool known_in(const Type *t, bool dtypes) { return dtypes ? t->dtype != DT_UNKNOWN : shape_known(&t->shape); }

static bool all_known(const Graph *g, bool dtypes) {
  for (int i = 0; i < g->n_input; i++)
    if (!known_in(&g->input[i]->type[0], dtypes)) return false;
  for (int i = 0; i < g->n_out; i++)
    if (!known_in(entry_type(g->out[i]), dtypes)) return false;
  return true;
}

static const Inquiry inquiries[] = { { .who = "infer_shape" },
                                     { .who = "infer_shape_partial", .partial = true },
                                     { .who = "infer_type", .dtypes = true },
                                     { .who = "infer_type_partial", .dtypes = true, .partial = true } };

/* infer_shape(s, {name = shape}, exact) -> three lists, or nothing if a shape is unknown; exact: 0 is a length. The
** other functions are alike. Upvalue 1: index of the inquiry. */
static int infer(lua_State *L) {
  Inquiry asked = inquiries[lua_tointeger(L, lua_upvalueindex(1))];
  lua_settop(L, 3);
  trace_shape_read(L);
  asked.exact = lua_toboolean(L, 3);
  Graph *g = push_symbol_copy(L, check_symbol(L, 1));
  take_known(L, g, &asked);
  check(L, graph_infer_guessing(g));
  if (asked.partial || all_known(g, asked.dtypes)) push_types(L, g, &asked);
  else lua_settop(L, lua_gettop(L) + 3);
  owned_end(g);
  return 3;
}

void open_symbol_infer(lua_State *L) {
  for (size_t i = 0; i < sizeof inquiries / sizeof *inquiries; i++) {
    lua_pushinteger(L, (lua_Integer)i);
    lua_pushcclosure(L, infer, 1);
    lua_setfield(L, -2, inquiries[i].who);
  }
}
