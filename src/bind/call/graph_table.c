/* graph_table.c - graphs as Lua tables, for drawing and inspection. */
#include "base/memory.h"
#include "bind/call/compiled_value.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "state/engine.h"
#include "ir/params.h"
#include "pass/epilogue.h"

/* A graph being written into a table, in which the members of a group are nodes. */
typedef struct TableWriter {
  lua_State *L;
  const Graph *g;
  const int *id;             /* of each node; for a group, of its first member */
  const Type *types;         /* of the remaining outputs; NULL: those of the nodes */
  const Executable *program; /* the graph's executable, for addresses of values, or NULL */
  int n_groups, n_rows;
} TableWriter;

static void push_value(lua_State *L, int id, int output) {
  lua_createtable(L, 0, 2);
  set_integer(L, "node", id);
  set_integer(L, "output", output);
}

/* A group's members follow the operator that has the group as its epilogue. */
static int first_member(const TableWriter *w, const Node *n) { return w->id[n->at] + (epilogue_of(n) ? 1 : 0); }

static void push_source(const TableWriter *w, Entry e) {
  const FusionGroup *group = fusion_group_of(e.node);
  int member = 0;
  if (!group || e.index >= group->n_out) {
    push_value(w->L, w->id[e.node->at], group ? 0 : e.index);
    return;
  }
  while (group->member[member].output != e.index) member++;
  push_value(w->L, first_member(w, e.node) + member, 0);
}

/* Sets params, the parameters with non-default values: "axis=1 keepdims=True". */
static void set_params(lua_State *L, const Op *op, const Params *params) {
  Text *text = push_text(L);
  for (int i = params_next_given(params, 0); i >= 0; i = params_next_given(params, i + 1)) {
    if (param_inner(&op->info->param[i]) || params_is_default(params, i)) continue;
    text_format(text, "%s%s=", text->at ? " " : "", op->info->param[i].name);
    if (params_print(params, i, text) != OK) break;
  }
  take_text(L, text);
  lua_setfield(L, -2, "params");
}

/* Sets place: "workspace +64", "saved +64", "output" or "view"; not for inputs and constants. */
static void set_place(const TableWriter *w, int node, int output) {
  const MemoryPlan *plan = &w->program->plan;
  const Address *p = &plan->place[plan->first[node] + output];
  if (p->alias) lua_pushliteral(w->L, "view");
  else if (p->home == HOME_ARENA) lua_pushfstring(w->L, "workspace +%I", (LUAI_UACINT)p->offset);
  else if (p->home == HOME_SAVED) lua_pushfstring(w->L, "saved +%I", (LUAI_UACINT)p->offset);
  else if (p->home == HOME_OUTPUT) lua_pushliteral(w->L, "output");
  else return;
  lua_setfield(w->L, -2, "place");
}

static void begin_row(TableWriter *w, int node, const char *op, const char *name, Origin origin) {
  const Node *n = w->g->node[node];
  lua_State *L = w->L;
  lua_createtable(L, 0, 12);
  set_integer(L, "id", w->n_rows);
  set_string(L, "op", op);
  set_string(L, "name", name);
  set_string(L, "line", origin_text(origin));
  set_string(L, "block", n->scope ? n->scope->path : NULL);
  set_boolean(L, "backward", n->op && graph_part(w->g, node) == PART_BACKWARD);
}

static void end_row(TableWriter *w) { lua_rawseti(w->L, -2, ++w->n_rows); }

static void set_types(lua_State *L, const Type *types, int n) {
  lua_createtable(L, n, 0);
  for (int k = 0; k < n; k++) {
    lua_pushstring(L, type_text(&types[k]));
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "types");
}

static void set_inputs(TableWriter *w, const Node *n, int n_in) {
  lua_createtable(w->L, n_in, 0);
  for (int k = 0; k < n_in; k++) {
    push_source(w, n->in[k]);
    lua_rawseti(w->L, -2, k + 1);
  }
  lua_setfield(w->L, -2, "inputs");
}

static void write_node(TableWriter *w, int node) {
  const Node *n = w->g->node[node];
  lua_State *L = w->L;
  begin_row(w, node, n->op ? n->op->name : n->value ? "constant" : "variable", n->name, n->origin);
  set_params(L, n->op, n->params);
  set_inputs(w, n, n->n_in);
  set_types(L, w->types ? w->types : n->type, n->n_out);
  if (w->program) set_place(w, node, 0);
  for (int k = 0; !n->op && k < w->g->n_input; k++)
    if (w->g->input[k] == n) set_integer(L, "input", k);
  end_row(w);
  if (w->types) w->types += n->n_out;
}

/* Writes the operator that has a group as its epilogue. */
static void write_leader(TableWriter *w, int node, const Epilogue *e) {
  const Node *n = w->g->node[node];
  lua_State *L = w->L;
  begin_row(w, node, e->op->name, n->name, n->origin);
  set_params(L, e->op, e->params);
  set_inputs(w, n, e->n_in);
  set_types(L, &n->type[e->result], 1);
  set_integer(L, "group", w->n_groups);
  if (w->program) set_place(w, node, e->result);
  end_row(w);
}

static void push_operand(TableWriter *w, const Node *n, const FusionGroup *group, int operand) {
  const Epilogue *e = epilogue_of(n);
  if (operand >= group->n_in) push_value(w->L, first_member(w, n) + operand - group->n_in, 0);
  else if (e && e->from[operand] < 0) push_value(w->L, w->id[n->at], 0);
  else push_source(w, n->in[e ? e->from[operand] : operand]);
}

static void write_member(TableWriter *w, int node, const FusionGroup *group, int number) {
  static const char *const levels[] = { "each element", "each row", "each column" };
  const Node *n = w->g->node[node];
  const GroupMember *m = &group->member[number];
  lua_State *L = w->L;
  begin_row(w, node, m->op->name, m->name, m->origin);
  set_string(L, "params", NULL);
  lua_createtable(L, m->n_in, 0);
  for (int k = 0; k < m->n_in; k++) {
    push_operand(w, n, group, m->operand[k]);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "inputs");
  lua_createtable(L, 1, 0);
  if (m->output >= 0) lua_pushstring(L, type_text(&n->type[m->output]));
  else lua_pushfstring(L, "%s, %s", dtype_name(m->dtype), levels[m->level]);
  lua_rawseti(L, -2, 1);
  lua_setfield(L, -2, "types");
  set_integer(L, "group", w->n_groups);
  if (w->program && m->output >= 0) set_place(w, node, m->output);
  end_row(w);
}

static void push_graph(lua_State *L, const Graph *g, const Type *types, const Executable *program) {
  int *id = lua_newuserdatauv(L, (size_t)(g->n_nodes + 1) * sizeof *id, 0), next = 0;
  TableWriter w = { .L = L, .g = g, .id = id, .types = types, .program = program };
  for (int i = 0; i < g->n_nodes; i++) {
    const FusionGroup *group = fusion_group_of(g->node[i]);
    id[i] = next;
    next += group ? group->n_members + (epilogue_of(g->node[i]) ? 1 : 0) : 1;
  }
  lua_createtable(L, 0, 2);
  lua_createtable(L, next, 0);
  for (int i = 0; i < g->n_nodes; i++) {
    const FusionGroup *group = fusion_group_of(g->node[i]);
    if (!group) {
      write_node(&w, i);
      continue;
    }
    w.n_groups++;
    if (epilogue_of(g->node[i])) write_leader(&w, i, epilogue_of(g->node[i]));
    for (int m = 0; m < group->n_members; m++) write_member(&w, i, group, m);
  }
  lua_setfield(L, -2, "nodes");
  lua_createtable(L, g->n_out, 0);
  for (int i = 0; i < g->n_out; i++) {
    push_source(&w, g->out[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "outputs");
}

/* Infers the types of the traced graph from the inputs of a specialization. */
static Status types_for(const Compiled *c, const Specialization *p, Type *types) {
  Graph g FREED_BY(graph_free) = { 0 };
  TRY(graph_clone(&c->graph, &g));
  for (int i = 0; i < g.n_nodes; i++)
    for (int k = 0; g.node[i]->op && k < g.node[i]->n_out; k++) g.node[i]->type[k] = TYPE_UNKNOWN;
  for (int i = 0; i < g.n_input; i++) g.input[i]->type[0] = p->type[i];
  TRY(graph_infer_guessing(&g));
  for (int i = 0; i < g.n_nodes; i++)
    for (int k = 0; k < g.node[i]->n_out; k++) *types++ = g.node[i]->type[k];
  return OK;
}

/* Pushes a userdata with the types that types_for infers. */
static Type *push_types(lua_State *L, const Compiled *c, const Specialization *p) {
  size_t n = 0;
  for (int i = 0; i < c->graph.n_nodes; i++) n += c->graph.node[i]->n_out;
  Type *types = lua_newuserdatauv(L, (n + 1) * sizeof *types, 0);
  coroutine_enter(L);
  check(L, types_for(c, p, types));
  return types;
}

/* Sets the roles of a specialization's outputs and inputs in the graph's table on top. results: the number of forward
** outputs; gradients: the names of the inputs whose gradients the other outputs are. n_inputs: the number of the
** graph's inputs; heads: the indices of the outputs whose gradients the other inputs are. */
static void set_roles(lua_State *L, const Compiled *c, const Specialization *p) {
  int n_heads = 0;
  set_integer(L, "results", p->n_roots);
  set_integer(L, "n_inputs", c->graph.n_input);
  lua_newtable(L);
  for (int i = 0; i < c->graph.n_input; i++) {
    if (p->grad_output[i] < 0) continue;
    const char *name = c->graph.input[i]->name;
    if (name && *name) lua_pushstring(L, name);
    else lua_pushfstring(L, "input %d", i);
    lua_rawseti(L, -2, p->grad_output[i] + 1);
  }
  lua_setfield(L, -2, "gradients");
  lua_newtable(L);
  for (int i = 0; i < c->graph.n_out && i < 64; i++) {
    if (!(p->heads >> i & 1)) continue;
    lua_pushinteger(L, i);
    lua_rawseti(L, -2, ++n_heads);
  }
  lua_setfield(L, -2, "heads");
}

/* to_table(compiled, after) -> { nodes = { { id, op, name, params, inputs, types, line, block, backward, place,
** group, input } }, outputs = { { node, output } } }: the graph as it was traced, with the types of the latest
** specialization. If `after`: that specialization's graph after the passes, with the fields of set_roles, and with
** the operators of a fused group under its number; nil if there is no specialization. */
static int to_table(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  const bool after = lua_toboolean(L, 2);
  const Specialization *p = compiled_specialization_before(c, NULL);
  if (after && !p) return 0;
  if (!after) push_graph(L, &c->graph, p ? push_types(L, c, p) : NULL, NULL);
  else if (!p->fused && p->tier && p->tier->module) push_graph(L, &p->tier->g, NULL, NULL);
  else push_graph(L, &p->executable->g, NULL, p->executable);
  if (after) set_roles(L, c, p);
  return 1;
}

/* specialize(compiled, arrays...): makes the specialization for such arrays in the current modes, without running it;
** while recording, with the gradients of all float inputs */
static int specialize(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  Array **in = check_graph_inputs(L, c, 2);
  int n = c->graph.n_input;
  Type *types = lua_newuserdatauv(L, (size_t)(n + 1) * (sizeof *types + sizeof(bool)), 0);
  bool *wanted = (bool *)(types + n);
  for (int i = 0; i < n; i++) {
    types[i] = in[i]->t.type;
    wanted[i] = dtype_is_float(types[i].dtype);
  }
  const Mode *mode = &coroutine_engine(L)->mode;
  CallKind kind = { .type = types, .wanted = wanted, .mode = mode->train ? CALL_TRAINS : 0 };
  if (mode->recording) kind.mode |= CALL_RECORDING | CALL_RECORDED;
  CHECK_WITH_MEMORY(L, compiled_specialize(c, &kind));
  return 0;
}

void open_graph_table(lua_State *L) {
  const luaL_Reg functions[] = { { "to_table", to_table }, { "specialize", specialize }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
