/* symbol_query.c - what a Symbol tells about its graph: names, attributes, types; and
** composing, evaluating.
*/
#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/value/device_value.h"
#include "bind/value/brackets.h"
#include "bind/value/list_use.h"
#include "bind/value/symbol_value.h"
#include "bind/trace/tracing.h"
#include "exec/tape/tape.h"
#include "ir/symbol_compose.h"

/* ---- Names ---------------------------------------------------------------------------------- */

void push_output_suffix(lua_State *L, const Node *n, int index) {
  const int listed = n->op->info->n_outputs;
  if (n->n_out == 1 || (listed == 1 && op_visible(n->op, n->params) == 1)) lua_pushstring(L, n->op->info->output[0]);
  else if (index < listed && listed > 1) lua_pushstring(L, n->op->info->output[index]);
  else lua_pushfstring(L, "output%d", index);
}

/* "fc_output", "sp_output1", "bn_mean"; a variable's own name. */
static void push_output_name(lua_State *L, Entry e) {
  const Node *n = e.node;
  const char *name = n->name ? n->name : "";
  if (!n->op) { lua_pushstring(L, name); return; }
  push_output_suffix(L, n, e.index);
  lua_pushfstring(L, "%s_%s", name, lua_tostring(L, -1));
  lua_remove(L, -2);
}

typedef bool WantNode(const Node *n);
static bool want_argument(const Node *n) { return node_is_variable(n) && !n->aux; }
static bool want_aux(const Node *n) { return node_is_variable(n) && n->aux; }
static bool want_input(const Node *n) { return node_is_variable(n); }

static int push_names(lua_State *L, WantNode *want) {
  Graph *g = push_symbol_graph(L, check_symbol(L, 1));
  lua_newtable(L);
  for (int i = 0, n = 0; i < g->n_nodes; i++) {
    if (!want(g->node[i])) continue;
    lua_pushstring(L, g->node[i]->name ? g->node[i]->name : "");
    lua_rawseti(L, -2, ++n);
  }
  owned_end(g);
  return 1;
}

static int list_arguments(lua_State *L) { return push_names(L, want_argument); }
static int list_auxiliary_states(lua_State *L) { return push_names(L, want_aux); }
static int list_inputs(lua_State *L) { return push_names(L, want_input); }

static int list_outputs(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  lua_createtable(L, s->n, 0);
  for (int i = 0; i < s->n; i++) {
    push_output_name(L, s->entry[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* symbol_variables(s) -> the variables as Symbols, in list_inputs' order */
static int variables(lua_State *L) {
  Graph *g = push_symbol_graph(L, check_symbol(L, 1));
  lua_createtable(L, g->n_input, 0);
  for (int i = 0; i < g->n_input; i++) {
    push_entry(L, (Entry){ g->input[i], 0 });
    lua_rawseti(L, -2, i + 1);
  }
  owned_end(g);
  return 1;
}

static int output(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  if (lua_isinteger(L, 2)) {
    lua_Integer i = lua_tointeger(L, 2);
    if (i < 0 || i >= s->n) return raise_error(L, "output: index: expected 0 to %d, got %lld", s->n - 1, (long long)i);
    push_entry(L, s->entry[i]);
    return 1;
  }
  const char *name = check_text(L, 2, "output: name");
  for (int i = 0; i < s->n; i++) {
    push_output_name(L, s->entry[i]);
    if (strcmp(lua_tostring(L, -1), name) == 0) { push_entry(L, s->entry[i]); return 1; }
    lua_pop(L, 1);
  }
  return raise_error(L, "output: no output is named '%s'; list_outputs() names them", name);
}

static int visible_outputs(const Node *n) { return n->op ? op_visible(n->op, n->params) : 1; }

static int get_internals(lua_State *L) {
  Graph *g = push_symbol_graph(L, check_symbol(L, 1));
  int n = 0;
  for (int i = 0; i < g->n_nodes; i++) n += visible_outputs(g->node[i]);
  Entry *entries = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *entries, 0);
  n = 0;
  for (int i = 0; i < g->n_nodes; i++)
    for (int k = 0; k < visible_outputs(g->node[i]); k++) entries[n++] = (Entry){ g->node[i], k };
  push_symbol(L, entries, n);
  owned_end(g);
  return 1;
}

static int get_children(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  int n = 0;
  for (int i = 0; i < s->n; i++) n += s->entry[i].node->n_in;
  if (n == 0) { lua_pushnil(L); return 1; }
  Entry *entries = lua_newuserdatauv(L, (size_t)n * sizeof *entries, 0);
  n = 0;
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->entry[i].node->n_in; k++) entries[n++] = s->entry[i].node->in[k];
  push_symbol(L, entries, n);
  return 1;
}

/* ---- Attributes -------------------------------------------------------------------------------- */

/* Parameters as text and user attributes of a node, into the table on top. */
static void add_attributes(lua_State *L, const Node *n) {
  for (int i = params_next_given(n->params, 0); i >= 0; i = params_next_given(n->params, i + 1)) {
    Text *text = push_text(L);
    check(L, params_print(n->params, i, text));
    take_text(L, text);
    lua_setfield(L, -2, n->op->info->param[i].name);
  }
  for (const Attribute *a = n->attributes; a; a = a->next) {
    const char *written = attribute_written(a->key);
    lua_pushstring(L, a->value);
    lua_setfield(L, -2, a->key);
    if (!written) continue;
    lua_pushstring(L, a->value);                       /* MXNet lists it under both names */
    lua_setfield(L, -2, written);
  }
}

static int list_attr(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  lua_newtable(L);
  if (s->n == 1) add_attributes(L, s->entry[0].node);
  return 1;
}

static int attr(lua_State *L) {
  if (lua_type(L, 2) != LUA_TSTRING) return raise_error(L, "attr: key: expected a string, got %s", type_name(L, 2));
  list_attr(L);
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  return 1;
}

static int set_attr(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  if (!lua_istable(L, 2)) return raise_error(L, "set_attr: expected {key = value}, got %s", type_name(L, 2));
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
      return raise_error(L, "set_attr: expected strings as keys and values, got %s and %s", type_name(L, -2),
                         type_name(L, -1));
    const char *key = check_text(L, -2, "set_attr: key"), *value = check_text(L, -1, "set_attr: value");
    for (int i = 0; i < s->n; i++) check(L, node_set_own_attribute(s->entry[i].node, key, value));
  }
  return 0;
}

/* attribute_key(key) -> "__lr_mult__" for "lr_mult", others as they are */
static int attribute_key(lua_State *L) {
  const char *key = check_text(L, 1, "attribute");
  const bool hidden = attribute_is_own(key) && strncmp(key, "__", 2) != 0;
  lua_pushfstring(L, hidden ? "__%s__" : "%s", key);
  return 1;
}

static int attr_dict(lua_State *L) {
  Graph *g = push_symbol_graph(L, check_symbol(L, 1));
  lua_newtable(L);
  for (int i = 0; i < g->n_nodes; i++) {
    lua_newtable(L);
    add_attributes(L, g->node[i]);
    lua_pushnil(L);
    bool any = lua_next(L, -2);
    if (any) { lua_pop(L, 2); lua_setfield(L, -2, g->node[i]->name ? g->node[i]->name : ""); }
    else lua_pop(L, 1);
  }
  owned_end(g);
  return 1;
}

/* ---- Types --------------------------------------------------------------------------------------- */

/* A private copy of the symbol's graph, in a userdata that frees it. */
static Graph *push_copy(lua_State *L, const Symbol *s) {
  Graph *copy = push_graph(L), *g = push_symbol_graph(L, s);
  check(L, graph_clone(g, copy));
  owned_end(g);
  lua_pop(L, 1);
  return copy;
}

/* The place of the input of this name, a string on the stack; raises if there is none. */
static int find_input(lua_State *L, const Graph *g, const char *who, int index) {
  const char *name = check_text(L, index, who);
  for (int i = 0; i < g->n_input; i++) if (g->input[i]->name && strcmp(g->input[i]->name, name) == 0) return i;
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < g->n_input; i++) {
    if (i) luaL_addstring(&b, ", ");
    luaL_addstring(&b, g->input[i]->name ? g->input[i]->name : "?");
  }
  luaL_pushresult(&b);
  return raise_error(L, "%s: no argument is named '%s'; there are %s", who, name, lua_tostring(L, -1));
}

/* How unknown dimensions are written: MXNet's 0, or the -1 that its NumPy shapes have, where one was given. */
typedef struct Inquiry { const char *who; bool dtypes, partial, exact, minus; } Inquiry;

static bool has_minus(lua_State *L, int index) {
  bool found = false;
  for (lua_Integer i = 1, n = lua_istable(L, index) ? (lua_Integer)lua_rawlen(L, index) : 0; i <= n && !found; i++) {
    found = lua_rawgeti(L, index, i) == LUA_TNUMBER && lua_tonumber(L, -1) < 0;
    lua_pop(L, 1);
  }
  return found;
}

/* A shape that was given for a variable, at the top: it beats the variable's own one. Returns whether it did. */
static bool take_shape(lua_State *L, Inquiry *asked, Node *n) {
  Shape s = check_open_shape(L, -1, asked->who, asked->exact), own = n->type[0].shape;
  asked->minus = asked->minus || has_minus(L, lua_gettop(L));
  if (s.ndim == 0 && !asked->exact) return false;           /* MXNet's (): it is not known */
  const bool fits = shape_merge(&own, &s);
  n->type[0].shape = fits ? own : s;
  return !fits;
}

static bool take_dtype(lua_State *L, const Inquiry *asked, Node *n) {
  const DType before = n->type[0].dtype;
  n->type[0].dtype = check_dtype(L, -1, asked->who);
  return before != DT_UNKNOWN && before != n->type[0].dtype;
}

/* Resets the types that were inferred from others, which have changed. */
static void forget_types(Graph *g) {
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    for (int k = 0; n->op && n->op->infer != op_keep_types && k < n->n_out; k++) n->type[k] = TYPE_UNKNOWN;
  }
}

/* Takes {name = shape} or {name = dtype} of the table at 2 into the graph's variables. */
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
    Node *n = g->input[find_input(L, g, asked->who, -2)];
    other |= asked->dtypes ? take_dtype(L, asked, n) : take_shape(L, asked, n);
  }
  if (other) forget_types(g);
}

static void push_known_shape(lua_State *L, const Shape *s, bool minus) {
  if (s->ndim < 0 && minus) { push_null(L); return; }
  Shape known = { .ndim = s->ndim < 0 ? 0 : s->ndim };
  for (int i = 0; i < known.ndim; i++) known.dim[i] = s->dim[i] < 0 ? (minus ? -1 : 0) : s->dim[i];
  push_shape(L, &known);
}

static void push_type_part(lua_State *L, const Type *t, const Inquiry *asked) {
  if (!asked->dtypes) push_known_shape(L, &t->shape, asked->minus);
  else if (t->dtype == DT_UNKNOWN) lua_pushboolean(L, 0);
  else lua_pushstring(L, dtype_name(t->dtype));
}

/* Three lists: of the arguments, the outputs, the auxiliary states. */
static void push_types(lua_State *L, const Graph *g, const Inquiry *asked) {
  for (int kind = 0; kind < 3; kind++) {
    int n = 0;
    lua_newtable(L);
    for (int i = 0; kind != 1 && i < g->n_input; i++) {
      if (g->input[i]->aux != (kind == 2)) continue;
      push_type_part(L, &g->input[i]->type[0], asked);
      lua_rawseti(L, -2, ++n);
    }
    for (int i = 0; kind == 1 && i < g->n_out; i++) {
      push_type_part(L, entry_type(g->out[i]), asked);
      lua_rawseti(L, -2, ++n);
    }
  }
}

static bool known_in(const Type *t, bool dtypes) { return dtypes ? t->dtype != DT_UNKNOWN : shape_known(&t->shape); }

static bool all_known(const Graph *g, bool dtypes) {
  for (int i = 0; i < g->n_input; i++) if (!known_in(&g->input[i]->type[0], dtypes)) return false;
  for (int i = 0; i < g->n_out; i++) if (!known_in(entry_type(g->out[i]), dtypes)) return false;
  return true;
}

static int infer(lua_State *L, Inquiry asked) {
  lua_settop(L, 3);
  trace_shape_read(L);
  asked.exact = lua_toboolean(L, 3);
  Graph *g = push_copy(L, check_symbol(L, 1));
  take_known(L, g, &asked);
  check(L, graph_infer_guessing(g));
  if (asked.partial || all_known(g, asked.dtypes)) push_types(L, g, &asked);
  else lua_settop(L, lua_gettop(L) + 3);
  owned_end(g);
  return 3;
}

/* symbol_infer_shape(s, {name = shape}, exact): nothing where not all follow; exact: 0 is a length. The others do so. */
static int infer_shape(lua_State *L) { return infer(L, (Inquiry){ .who = "infer_shape" }); }
static int infer_shape_partial(lua_State *L) {
  return infer(L, (Inquiry){ .who = "infer_shape_partial", .partial = true });
}
static int infer_type(lua_State *L) { return infer(L, (Inquiry){ .who = "infer_type", .dtypes = true }); }
static int infer_type_partial(lua_State *L) {
  return infer(L, (Inquiry){ .who = "infer_type_partial", .dtypes = true, .partial = true });
}

/* ---- Composing and evaluating ------------------------------------------------------------------------ */

/* s(a, b, {name = "s"}) as s{x = a, y = b, name = "s"}: a table at index 2 with the first inputs named. */
static void name_inputs(lua_State *L, const Graph *g) {
  int n = lua_gettop(L) - 2;                         /* the graph is on top */
  lua_createtable(L, 0, n);
  if (n > 1 && lua_istable(L, n + 1) && lua_getfield(L, n + 1, "name") == LUA_TSTRING) {
    lua_setfield(L, -2, "name");
    n--;
  } else lua_settop(L, n + 3);
  for (int i = 0; i < n; i++) {
    if (!to_symbol(L, 2 + i))
      raise_error(L, "compose: argument %d: expected a Symbol, got %s", i + 1, type_name(L, 2 + i));
    if (i >= g->n_input) raise_error(L, "compose: expected at most %d Symbols, got %d", g->n_input, n);
    lua_pushvalue(L, 2 + i);
    lua_setfield(L, -2, g->input[i]->name);
  }
  lua_replace(L, 2);
}

/* Names a composed graph: its first output's operator gets the name, as in MXNet. */
static void name_composed(lua_State *L, Graph *g, int name) {
  if (!g->out[0].node->op) raise_error(L, "compose: name: expected an operator to name, got a variable");
  check(L, node_set_name(g->out[0].node, check_text(L, name, "compose: name")));
}

/* s{x = other, name = "s"}, s(other): the graph with variables replaced. The other variables stay the
** same nodes, so that a name stands for one variable. */
static int compose(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  if (lua_isnil(L, 2)) refuse_as_iterator(L, ROWS);
  Graph *g = push_copy(L, s);
  if (to_symbol(L, 2)) name_inputs(L, g);
  if (!lua_istable(L, 2)) return raise_error(L, "compose: expected {variable = Symbol}, got %s", type_name(L, 2));
  Entry *with = lua_newuserdatauv(L, (size_t)(g->n_input + 1) * sizeof *with, 0);
  bool *replaced = lua_newuserdatauv(L, (size_t)g->n_input + 1, 0);
  Graph *old = push_symbol_graph(L, s);
  for (int i = 0; i < g->n_input; i++) with[i] = (Entry){ old->input[i], 0 }, replaced[i] = false;
  owned_end(old);                                    /* the Symbol holds the variables */
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    Symbol *value = to_symbol(L, -1);
    if (lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -2), "name") == 0) {
      name_composed(L, g, -1);
      continue;
    }
    if (lua_type(L, -2) != LUA_TSTRING || !value || value->n != 1)
      return raise_error(L, "compose: expected {name = Symbol with one output}, got %s = %s", type_name(L, -2),
                         type_name(L, -1));
    int i = find_input(L, g, "compose", -2);
    with[i] = value->entry[0];
    replaced[i] = true;
  }
  check(L, compose_replace(g, with, replaced));
  for (int i = 0; i < g->n_out; i++) trace_made(L, g->out[i]);
  push_symbol(L, g->out, g->n_out);
  owned_end(g);
  return 1;
}

/* One context for all of a graph: that of its inputs, else `device`. With `given` the inputs must be there. */
static Status place_graph(Graph *g, Device device, bool given) {
  const Node *first = NULL;
  for (int i = 0; i < g->n_input; i++) {
    const Node *n = g->input[i];
    Device at = tensor_device(&n->value[0]);
    if ((given || first) && at != device)
      return fail("eval: expected all arrays in context %s, got '%s' in %s; write x:as_in_context(ctx)",
                  device_text(device), n->name, device_text(at));
    first = n;
    device = at;
  }
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->device = device;
  return OK;
}

/* eval{a = array}, a context may come first: the outputs' values, each operator run once,
** without a plan. */
static int eval(lua_State *L) {
  Device device = mode_of(L)->device;
  bool given = false;
  if (is_device_value(L, 2) || is_device_list(L, 2)) {
    check(L, check_device_value(L, 2, "eval: ctx", &device));
    given = true;
    lua_remove(L, 2);
  }
  if (lua_isnoneornil(L, 2)) { lua_settop(L, 1); lua_newtable(L); }
  if (!lua_istable(L, 2)) return raise_error(L, "eval: expected {name = NDArray}, got %s", type_name(L, 2));
  Graph *g = push_copy(L, check_symbol(L, 1));
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      return raise_error(L, "eval: expected {name = NDArray}, got %s as a name", type_name(L, -2));
    if (strcmp(lua_tostring(L, -2), "ctx") == 0) {
      check(L, check_device_value(L, -1, "eval: ctx", &device));
      given = true;
      continue;
    }
    int place = find_input(L, g, "eval", -2);
    Node *n = g->input[place];
    Array *a = check_array(L, -1);
    n->type[0] = a->t.type;
    n->value = object_new(sizeof *n->value);
    if (!n->value) check(L, no_memory("eval"));
    n->value[0] = tensor_share(&a->t);
  }
  for (int i = 0; i < g->n_input; i++)
    if (!g->input[i]->value) return raise_error(L, "eval: argument '%s' is missing", g->input[i]->name);
  check(L, place_graph(g, device, given));
  check(L, graph_infer_guessing(g));
  Status s;
  WITH_MEMORY(L, s, tape_evaluate(g->out, g->n_out, false));
  check(L, s);
  lua_createtable(L, g->n_out, 0);
  for (int i = 0; i < g->n_out; i++) {
    push_tensor(L, &g->out[i].node->value[g->out[i].index]);
    lua_rawseti(L, -2, i + 1);
  }
  owned_end(g);
  return 1;
}

/* ---- Text --------------------------------------------------------------------------------------------- */

static const char *label(const Node *n) { return n->name ? n->name : n->op ? n->op->name : "constant"; }

static int symbol_tostring(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  trace_shown(L, "tostring(x)");
  if (s->n == 1) { lua_pushfstring(L, "<Symbol %s>", label(s->entry[0].node)); return 1; }
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  luaL_addstring(&b, "<Symbol group [");
  for (int i = 0; i < s->n; i++) {
    if (i) luaL_addstring(&b, ", ");
    luaL_addstring(&b, label(s->entry[i].node));
  }
  luaL_addstring(&b, "]>");
  luaL_pushresult(&b);
  return 1;
}

/* Arrays have a text in "..", Symbols none. */
static int symbol_concat(lua_State *L) {
  trace_shown(L, "..");
  return raise_error(L, "..: expected texts, got a Symbol, which has no values to show; write F.print(x), or "
                        "tostring(x) for its name");
}

static void debug_node(const Node *n, Text *t) {
  if (!n->op) { text_format(t, "Variable:%s\n", label(n)); return; }
  text_format(t, "--------------------\nOp:%s, Name=%s\nInputs:\n", n->op->name, label(n));
  for (int i = 0; i < n->n_in; i++)
    text_format(t, "\targ[%d]=%s(%d)%s\n", i, label(n->in[i].node), n->in[i].index,
                n->in[i].node->op ? "" : " version=0");
  if (n->params->given) text_put(t, "Attrs:\n");
  for (int i = params_next_given(n->params, 0); i >= 0; i = params_next_given(n->params, i + 1)) {
    text_format(t, "\t%s=", n->op->info->param[i].name);
    if (params_print(n->params, i, t) != OK) t->failed = true;
    text_put(t, "\n");
  }
}

static int debug_str(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  Graph *g = push_symbol_graph(L, s);
  Text *t = push_text(L);
  text_put(t, "Symbol Outputs:\n");
  for (int i = 0; i < s->n; i++) text_format(t, "\toutput[%d]=%s(%d)\n", i, label(s->entry[i].node), s->entry[i].index);
  for (int i = 0; i < g->n_nodes; i++) debug_node(g->node[i], t);
  take_text(L, t);
  owned_end(g);
  return 1;
}

/* ---- Fields ---------------------------------------------------------------------------------------------- */

/* x.shape and its kin: plain values where they are known, as in a trace, which then
** holds for this shape only. */
static bool push_field(lua_State *L, Symbol *s, const char *key) {
  if (strcmp(key, "name") == 0) {
    if (s->n == 1) lua_pushstring(L, label(s->entry[0].node)); else lua_pushnil(L);
    return true;
  }
  bool shape = strcmp(key, "shape") == 0, ndim = strcmp(key, "ndim") == 0;
  bool size = strcmp(key, "size") == 0, dtype = strcmp(key, "dtype") == 0;
  if (!shape && !ndim && !size && !dtype) return false;
  if (s->n != 1) raise_error(L, "%s: expected a Symbol with one output, got one with %d", key, s->n);
  const Type *t = entry_type(s->entry[0]);
  if (dtype ? t->dtype == DT_UNKNOWN : ndim ? t->shape.ndim < 0 : !shape_known(&t->shape))
    raise_error(L, "the %s of Symbol %s is not known before it is bound; give sym.var a shape and dtype, or use "
                "infer_shape", key, label(s->entry[0].node));
  if (dtype) { lua_pushstring(L, dtype_name(t->dtype)); return true; }
  if (ndim) { lua_pushinteger(L, t->shape.ndim); return true; }
  trace_shape_read(L);
  if (shape) push_shape(L, &t->shape);
  else lua_pushinteger(L, shape_size(&t->shape));
  return true;
}

static int symbol_index(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    lua_pop(L, 1);
    const char *key = check_text(L, 2, "a Symbol's output: name");
    if (push_field(L, s, key)) return 1;
    if (strcmp(key, "context") == 0 || strcmp(key, "ctx") == 0) { push_device(L, trace_device(L)); return 1; }
    if (strcmp(key, "T") == 0) {
      lua_getfield(L, lua_upvalueindex(1), op_with_role(ROLE_TRANSPOSE)->name);
      lua_pushvalue(L, 1);
      lua_call(L, 1, 1);
      return 1;
    }
    for (int i = 0; i < s->n; i++) {
      push_output_name(L, s->entry[i]);
      if (strcmp(lua_tostring(L, -1), key) == 0) { push_entry(L, s->entry[i]); return 1; }
      lua_pop(L, 1);
    }
  }
  return index_read(L);
}

/* s:as_in_context(ctx): itself; in a trace the context must be the call's */
static int symbol_in_context(lua_State *L) {
  Device device = 0;
  check_symbol(L, 1);
  if (lua_isnoneornil(L, 2))
    return raise_error(L, "as_in_context: ctx: expected a context, such as hl.cpu(), got nothing");
  check(L, check_device_value(L, 2, "as_in_context: ctx", &device));
  check(L, trace_check_device(L, device, "as_in_context"));
  lua_settop(L, 1);
  return 1;
}

static int symbol_newindex(lua_State *L) {
  return trace_refuse(L, "x[...] = ...", "F.where, or build a new array");
}

static int symbol_len(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  const Shape *shape = s->n == 1 ? &entry_type(s->entry[0])->shape : NULL;
  if (!shape || shape->ndim < 1 || shape->dim[0] < 0)
    return raise_error(L, "#: the length of axis 0 is not known before the Symbol is bound; give sym.var a shape");
  trace_shape_read(L);
  lua_pushinteger(L, shape->dim[0]);
  return 1;
}

static int symbol_pairs(lua_State *L) {
  return trace_refuse(L, "pairs(x)", "x[i] for each i, or F.split");
}

static int refuse(lua_State *L) {
  return trace_refuse(L, lua_tostring(L, lua_upvalueindex(1)), lua_tostring(L, lua_upvalueindex(2)));
}

static void add_refusals(lua_State *L) {
  static const struct { const char *name, *what, *instead; } refused[] = {
    { "totable", "x:totable()", "operators on the Symbol, or return it and read it outside" },
    { "asnumpy", "x:asnumpy()", "operators on the Symbol, or return it and read it outside" },
    { "numpy", "x:numpy()", "operators on the Symbol, or return it and read it outside" },
    { "tolist", "x:tolist()", "operators on the Symbol, or return it and read it outside" },
    { "asscalar", "x:asscalar()", "operators on the Symbol, such as F.where" },
    { "item", "x:item()", "operators on the Symbol, such as F.where" },
    { "almost_equal", "x:almost_equal(y)", "operators on the Symbol, such as F.allclose" },
    { "tobytes", "x:tobytes()", "operators on the Symbol, or return it and read it outside" },
    { "set", "x:set(...)", "the value itself" },
    { "fill_", "x:fill_(...)", "the value itself" },
    { "zero_", "x:zero_()", "F.zeros_like(x)" },
    { "copyto", "x:copyto(...)", "x:copy()" },
    { "attach_grad", "x:attach_grad()", "it outside the block" },
    { "backward", "x:backward()", "it outside the block" },
    { "free", "x:free()", "nothing: a compiled block frees what it no longer needs" },
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    lua_pushstring(L, refused[i].what);
    lua_pushstring(L, refused[i].instead);
    lua_pushcclosure(L, refuse, 2);
    lua_setfield(L, -2, refused[i].name);
  }
}

void open_symbol_query(lua_State *L) {
  int capacity = lua_gettop(L);
  const luaL_Reg methods[] = {
    { "as_in_context", symbol_in_context }, { "as_in_ctx", symbol_in_context },
    { "list_arguments", list_arguments }, { "list_auxiliary_states", list_auxiliary_states },
    { "list_inputs", list_inputs }, { "list_outputs", list_outputs }, { "output", output },
    { "get_internals", get_internals }, { "get_children", get_children },
    { "list_attr", list_attr }, { "attr", attr }, { "_set_attr", set_attr }, { "attr_dict", attr_dict },
    { "eval", eval }, { "debug_str", debug_str }, { NULL, NULL } };
  const luaL_Reg meta[] = {
    { "__tostring", symbol_tostring }, { "__newindex", symbol_newindex }, { "__len", symbol_len },
    { "__pairs", symbol_pairs }, { "__call", compose }, { "__concat", symbol_concat }, { NULL, NULL } };
  const luaL_Reg functions[] = {
    { "variables", variables }, { "attribute_key", attribute_key }, { "infer_shape", infer_shape },
    { "infer_shape_partial", infer_shape_partial }, { "infer_type", infer_type },
    { "infer_type_partial", infer_type_partial }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
  push_operator_methods(L);
  lua_newtable(L);                               /* the operators' methods, and these over them */
  for (lua_pushnil(L); lua_next(L, -3); ) {
    lua_pushvalue(L, -2);
    lua_insert(L, -2);
    lua_rawset(L, -4);
  }
  luaL_setfuncs(L, methods, 0);
  add_refusals(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, capacity, "methods");
  push_symbol_metatable(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, capacity, "metatable");
  lua_insert(L, -2);
  lua_pushcclosure(L, symbol_index, 1);
  lua_setfield(L, -2, "__index");
  luaL_setfuncs(L, meta, 0);
  lua_settop(L, capacity);
}
