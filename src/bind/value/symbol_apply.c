/* symbol_apply.c - composing and evaluating a Symbol: replacing its variables by Symbols or arrays. */
#include <string.h>

#include "base/memory.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/trace/tracing.h"
#include "bind/value/device_value.h"
#include "bind/value/list_use.h"
#include "bind/value/symbol_query.h"
#include "exec/tape/tape.h"
#include "ir/graph/symbol_compose.h"

/* Turns s(a, b, {name = "s"}) into s{x = a, y = b, name = "s"}: puts the table at index 2. */
static void name_inputs(lua_State *L, const Graph *g) {
  int n = lua_gettop(L) - 2; /* the graph is on top */
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

/* Names the operator of a composed graph's first output, as MXNet does. */
static void name_composed(lua_State *L, Graph *g, int name) {
  if (!g->out[0].node->op) raise_error(L, "compose: name: expected an operator to name, got a variable");
  check(L, node_set_name(g->out[0].node, check_text(L, name, "compose: name")));
}

/* s{x = other, name = "s"}, s(other): the graph with variables replaced. The other variables stay the same nodes, so a
** name stays one variable. */
int symbol_compose(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  if (lua_isnil(L, 2)) refuse_as_iterator(L, ROWS);
  Graph *g = push_symbol_copy(L, s);
  if (to_symbol(L, 2)) name_inputs(L, g);
  if (!lua_istable(L, 2)) return raise_error(L, "compose: expected {variable = Symbol}, got %s", type_name(L, 2));
  Entry *with = lua_newuserdatauv(L, (size_t)(g->n_input + 1) * sizeof *with, 0);
  bool *replaced = lua_newuserdatauv(L, (size_t)g->n_input + 1, 0);
  Graph *old = push_symbol_graph(L, s);
  for (int i = 0; i < g->n_input; i++) with[i] = (Entry){ old->input[i], 0 }, replaced[i] = false;
  owned_end(old); /* the Symbol holds the variables */
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    Symbol *value = to_symbol(L, -1);
    if (lua_type(L, -2) == LUA_TSTRING && lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -2), "name") == 0) {
      name_composed(L, g, -1);
      continue;
    }
    if (lua_type(L, -2) != LUA_TSTRING || !value || value->n != 1)
      return raise_error(L, "compose: expected {name = Symbol with one output}, got %s = %s", type_name(L, -2),
                         type_name(L, -1));
    int i = find_symbol_input(L, g, "compose", -2);
    with[i] = value->entry[0];
    replaced[i] = true;
  }
  check(L, compose_replace(g, with, replaced));
  for (int i = 0; i < g->n_out; i++) trace_made(L, g->out[i]);
  push_symbol(L, g->out, g->n_out);
  follow_symbol_kind(L);
  owned_end(g);
  return 1;
}

/* Sets one device for the graph: the inputs' device or, without inputs, `device`. With `given`, inputs must be on
** `device`. */
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

/* eval{a = array}, optionally after a context -> the values of the outputs; operators run one by one, without a
** specialization. */
int symbol_eval(lua_State *L) {
  Device device = coroutine_engine(L)->mode.device;
  bool given = false;
  if (is_device_value(L, 2) || is_device_list(L, 2)) {
    check(L, check_device_value(L, 2, "eval: ctx", &device));
    given = true;
    lua_remove(L, 2);
  }
  if (lua_isnoneornil(L, 2)) {
    lua_settop(L, 1);
    lua_newtable(L);
  }
  if (!lua_istable(L, 2)) return raise_error(L, "eval: expected {name = NDArray}, got %s", type_name(L, 2));
  Graph *g = push_symbol_copy(L, check_symbol(L, 1));
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      return raise_error(L, "eval: expected {name = NDArray}, got %s as a name", type_name(L, -2));
    if (strcmp(lua_tostring(L, -2), "ctx") == 0) {
      check(L, check_device_value(L, -1, "eval: ctx", &device));
      given = true;
      continue;
    }
    int place = find_symbol_input(L, g, "eval", -2);
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
  CHECK_WITH_MEMORY(L, tape_evaluate(g->out, g->n_out, false));
  lua_createtable(L, g->n_out, 0);
  for (int i = 0; i < g->n_out; i++) {
    push_tensor(L, &g->out[i].node->value[g->out[i].index]);
    lua_rawseti(L, -2, i + 1);
  }
  owned_end(g);
  return 1;
}
