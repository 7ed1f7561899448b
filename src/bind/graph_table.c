/* graph_table.c - graphs as Lua tables, for drawing and for finding one's way in them. */
#include "base/memory.h"
#include "bind/compiled.h"
#include "exec/eager.h"

static void set_string(lua_State *L, const char *key, const char *value) {
  lua_pushstring(L, value ? value : "");
  lua_setfield(L, -2, key);
}

static void push_entry_place(lua_State *L, Entry e) {
  lua_createtable(L, 0, 2);
  lua_pushinteger(L, (lua_Integer)e.node->mark);
  lua_setfield(L, -2, "node");
  lua_pushinteger(L, e.index);
  lua_setfield(L, -2, "output");
}

/* The parameters that were given: "axis=1 keepdims=True". */
static void set_params(lua_State *L, const Node *n) {
  Text text = { 0 };
  for (int i = 0; n->op && i < n->op->info->n_params; i++) {
    if (!(n->params->given >> i & 1)) continue;
    text_format(&text, "%s%s=", text.at ? " " : "", n->op->info->param[i].name);
    if (params_print(n->params, i, &text) != OK) break;
  }
  set_string(L, "params", text.at);
  text_free(&text);
}

static void push_node(lua_State *L, const Node *n, int id, const Type *types) {
  lua_createtable(L, 0, 9);
  lua_pushinteger(L, id);
  lua_setfield(L, -2, "id");
  set_string(L, "op", n->op ? n->op->name : n->value ? "constant" : "variable");
  set_string(L, "name", n->name);
  set_string(L, "line", origin_text(n->origin));
  set_string(L, "block", n->scope ? n->scope->path : NULL);
  set_params(L, n);
  lua_createtable(L, n->n_in, 0);
  for (int k = 0; k < n->n_in; k++) {
    push_entry_place(L, n->in[k]);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "inputs");
  lua_createtable(L, n->n_out, 0);
  for (int k = 0; k < n->n_out; k++) {
    lua_pushstring(L, type_text(&types[k]));
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "types");
}

/* `types` of all outputs in order; NULL: the nodes' own. */
static void push_graph(lua_State *L, const Graph *g, const Type *types) {
  lua_createtable(L, 0, 3);
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->mark = i;
  lua_createtable(L, g->n_nodes, 0);
  for (int i = 0; i < g->n_nodes; i++) {
    push_node(L, g->node[i], i, types ? types : g->node[i]->type);
    lua_rawseti(L, -2, i + 1);
    if (types) types += g->node[i]->n_out;
  }
  lua_setfield(L, -2, "nodes");
  lua_createtable(L, g->n_out, 0);
  for (int i = 0; i < g->n_out; i++) {
    push_entry_place(L, g->out[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "outputs");
}

/* The types in the traced graph that follow from a plan's inputs. */
static Status types_for(const Compiled *c, const Plan *p, Type *types) {
  Graph g;
  TRY(graph_clone(&c->graph, &g));
  for (int i = 0; i < g.n_nodes; i++)
    for (int k = 0; g.node[i]->op && k < g.node[i]->n_out; k++) g.node[i]->type[k] = TYPE_UNKNOWN;
  for (int i = 0; i < g.n_input; i++) g.input[i]->type[0] = p->type[i];
  Status s = graph_infer(&g);
  for (int i = 0; i < g.n_nodes; i++) for (int k = 0; k < g.node[i]->n_out; k++) *types++ = g.node[i]->type[k];
  graph_free(&g);
  return s;
}

/* The same in a userdata on the stack. */
static Type *push_types(lua_State *L, const Compiled *c, const Plan *p) {
  size_t n = 0;
  for (int i = 0; i < c->graph.n_nodes; i++) n += c->graph.node[i]->n_out;
  Type *types = lua_newuserdatauv(L, (n + 1) * sizeof *types, 0);
  check(L, types_for(c, p, types));
  return types;
}

/* graph(compiled, plan or nil) -> { nodes = { { id, op, name, params, inputs, types, line, block } },
** outputs = { { node, output } } }: the graph as it was traced (types as in the latest plan), or
** that of the plan-th most recent plan after the passes; nil if there is no such plan */
static int graph(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  lua_Integer which = luaL_optinteger(L, 2, 0);
  const Plan *p = c->plans;
  for (lua_Integer i = 1; i < which && p; i++) p = p->next;
  if (which > 0 && !p) return 0;
  if (which > 0) push_graph(L, &p->program->g, NULL);
  else push_graph(L, &c->graph, p ? push_types(L, c, p) : NULL);
  return 1;
}

/* plan(compiled, arrays...): makes the plan for such arrays in the modes of now, without running it;
** with gradients while recording, of every float input */
static int plan(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  Array **in = check_graph_inputs(L, c, 2);
  int n = c->graph.n_input;
  Plan *made;
  Type *types = lua_newuserdatauv(L, (size_t)(n + 1) * (sizeof *types + sizeof(bool)), 0);
  bool *wanted = (bool *)(types + n);
  for (int i = 0; i < n; i++) {
    types[i] = in[i]->t.type;
    wanted[i] = dtype_is_float(types[i].dtype);
  }
  check(L, compiled_plan(c, types, wanted, mode_now.train, mode_now.recording, &made));
  return 0;
}

void open_graph_table(lua_State *L) {
  const luaL_Reg functions[] = { { "graph", graph }, { "plan", plan }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
