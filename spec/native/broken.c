/* broken.c - a Lua module for one spec, with its own engine: makes a good graph and a good memory plan, breaks them in
** one way, and returns the verifier's message.
*/
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "ir/node_builder.h"
#include "ir/graph/graph.h"
#include "pass/pass.h"
#include "pass/memory_plan.h"

/* exp(a + b), sqrt(exp(a + b)) * (a + b): two inputs, four operators, two outputs. */
static Status make(Graph *g) {
  Type type = { .dtype = DT_FLOAT32, .shape = { .ndim = 1, .dim = { 64 } } };
  Builder b = { 0 };
  Node *in[2];
  for (int i = 0; i < 2; i++) TRY(node_variable(i ? "b" : "a", &type, &in[i]));
  Entry x = { in[0], 0 }, y = { in[1], 0 };
  Entry sum = build_op(&b, "elemwise_add", NULL, 2, x, y), power = build_op(&b, "exp", NULL, 1, sum);
  Entry root = build_op(&b, "sqrt", NULL, 1, power), product = build_op(&b, "elemwise_mul", NULL, 2, root, sum);
  Entry out[] = { power, product };
  Status s = b.status == OK ? graph_with_inputs(out, 2, in, 2, NULL, g) : b.status;
  builder_free(&b);
  for (int i = 0; i < 2; i++) node_release(in[i]);
  return s;
}

static Node *find(const Graph *g, const char *op) {
  for (int i = 0; i < g->n_nodes; i++)
    if (g->node[i]->op && strcmp(g->node[i]->op->name, op) == 0) return g->node[i];
  return NULL;
}

static int position(const Graph *g, const Node *n) {
  int i = 0;
  while (g->node[i] != n) i++;
  return i;
}

/* Breaks the graph, verifies it, and repairs it so that it can be freed. */
static Status broken_graph(Graph *g, const char *how) {
  Node *sum = find(g, "elemwise_add"), *power = find(g, "exp"), *root = find(g, "sqrt"), *stranger;
  Status s;
  if (strcmp(how, "type") == 0) {
    power->type[0].shape.dim[0] = 63;
    s = pass_verify_graph(g, how);
    power->type[0].shape.dim[0] = 64;
  } else if (strcmp(how, "unknown type") == 0) {
    Type was = power->type[0];
    power->type[0] = TYPE_UNKNOWN;
    s = pass_verify_graph(g, how);
    power->type[0] = was;
  } else if (strcmp(how, "cycle") == 0) {
    sum->in[0].node = root;
    s = pass_verify_graph(g, how);
    sum->in[0].node = g->input[0];
  } else if (strcmp(how, "order") == 0) {
    int i = position(g, root);
    g->node[i] = power;
    g->node[power->at] = root;
    root->at = power->at;
    power->at = i;
    s = pass_verify_graph(g, how);
    power->at = root->at;
    root->at = i;
    g->node[i] = root;
    g->node[power->at] = power;
  } else if (strcmp(how, "stranger") == 0) {
    TRY(node_variable("stranger", &power->type[0], &stranger));
    stranger->at = 0;
    root->in[0].node = stranger;
    s = pass_verify_graph(g, how);
    root->in[0].node = power;
    node_release(stranger);
  } else if (strcmp(how, "index") == 0) {
    root->in[0].index = 1;
    s = pass_verify_graph(g, how);
    root->in[0].index = 0;
  } else if (strcmp(how, "references") == 0) {
    power->refs--;
    s = pass_verify_graph(g, how);
    power->refs++;
  } else if (strcmp(how, "part") == 0) {
    g->n_forward = power->at;
    s = pass_verify_graph(g, how);
    g->n_forward = g->n_nodes;
  } else if (strcmp(how, "twice") == 0) {
    int i = position(g, root);
    g->node[i] = power;
    s = pass_verify_graph(g, how);
    g->node[i] = root;
  } else if (strcmp(how, "input") == 0) {
    g->n_input = 1;
    s = pass_verify_graph(g, how);
    g->n_input = 2;
  } else {
    s = pass_verify_graph(g, how);
  }
  return s;
}

static Address *place_of(const Graph *g, MemoryPlan *plan, const char *op) {
  return &plan->place[plan->first[position(g, find(g, op))]];
}

static Status broken_plan(Graph *g, const char *how) {
  MemoryPlan plan;
  TRY(memory_plan_make(g, &plan));
  Address *sum = place_of(g, &plan, "elemwise_add"), *root = place_of(g, &plan, "sqrt"),
          *product = place_of(g, &plan, "elemwise_mul");
  if (strcmp(how, "overlap") == 0) *root = (Address){ .home = HOME_ARENA, .offset = sum->offset };
  if (strcmp(how, "half over") == 0) *root = (Address){ .home = HOME_ARENA, .offset = sum->offset + 128 };
  if (strcmp(how, "too early") == 0) plan.until[sum - plan.place] = position(g, find(g, "sqrt"));
  if (strcmp(how, "into an input") == 0) *root = (Address){ .home = HOME_INPUT, .index = position(g, g->input[0]) };
  if (strcmp(how, "shared output") == 0) *product = *place_of(g, &plan, "exp");
  const bool saved = strcmp(how, "backward") == 0;
  if (saved || strcmp(how, "left") == 0) g->n_forward = position(g, find(g, "exp"));
  for (int v = 0; saved && v < plan.n_values; v++)
    if (plan.place[v].home == HOME_ARENA) plan.place[v].home = HOME_SAVED;
  Status s = pass_verify_plan(g, &plan);
  memory_plan_free(&plan);
  return s;
}

/* The content of a new block of memory, in hexadecimal. */
static int new_memory(lua_State *L) {
  unsigned char *block;
  char text[9];
  if (block_new(1000, (void **)&block) != OK) return luaL_error(L, "no memory");
  snprintf(text, sizeof text, "%02x%02x%02x%02x", block[0], block[1], block[998], block[999]);
  block_free(block, 1000);
  lua_pushstring(L, text);
  return 1;
}

/* broken("graph" or "plan", how) -> the verifier's message, or nil; broken("memory") -> see new_memory */
static int broken(lua_State *L) {
  const char *what = luaL_checkstring(L, 1), *how = luaL_optstring(L, 2, "");
  if (strcmp(what, "memory") == 0) return new_memory(L);
  Graph g;
  Status s = make(&g);
  if (s == OK) {
    s = what[0] == 'g' ? broken_graph(&g, how) : broken_plan(&g, how);
    graph_free(&g);
  }
  if (s == OK) lua_pushnil(L);
  else lua_pushstring(L, status_text());
  return 1;
}

int luaopen_broken(lua_State *L) {
  lua_pushcfunction(L, broken);
  return 1;
}
