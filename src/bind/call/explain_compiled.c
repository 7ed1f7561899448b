/* explain_compiled.c - compiled functions as Lua tables: their specializations, values, memory and kernels; and
** segments between graph breaks. lua/hybridlua/gluon/hybridize/explain.lua turns them into text.
*/
#include "bind/call/compiled_value.h"

#include "bind/trace/graph_breaks.h"
#include "exec/jit/kernel_text.h"
#include "exec/program/step_rows.h"
#include "pass/epilogue.h"

/* ---- Specializations and values ------------------------------------------------------------------ */

/* Pushes, for each output that shares memory, { output =, input = name } or { output =, with = an earlier output }. */
static void push_sharing(lua_State *L, const Compiled *c, const Specialization *p) {
  int n = 0;
  lua_newtable(L);
  for (int i = 0; i < c->graph.n_out; i++) {
    const Output *o = &p->output[i];
    int first = 0;
    while (first < i && (o->input >= 0 || p->output[first].input >= 0 || p->output[first].root != o->root)) first++;
    if (o->input < 0 && first == i) continue;
    lua_createtable(L, 0, 2);
    set_integer(L, "output", i);
    if (o->input >= 0) set_string(L, "input", c->graph.input[o->input]->name);
    else set_integer(L, "with", first);
    lua_rawseti(L, -2, ++n);
  }
}

static void push_plan(lua_State *L, const Compiled *c, const Specialization *p) {
  Executable *program = p->executable;
  lua_newtable(L);
  set_integer(L, "hits", (int64_t)p->hits);
  set_integer(L, "eager_nodes", p->eager_nodes);
  set_integer(L, "instructions", program->n_code);
  set_integer(L, "forward_instructions", program->n_forward_code);
  set_integer(L, "eager_bytes", (int64_t)p->eager_bytes);
  set_integer(L, "arena_bytes", (int64_t)program->plan.arena_bytes);
  set_integer(L, "saved_bytes", (int64_t)program->plan.saved_bytes);
  set_integer(L, "runs", executable_runs(program));
  set_integer(L, "input_bytes", (int64_t)program->plan.input_bytes);
  set_integer(L, "output_bytes", (int64_t)program->plan.output_bytes);
  set_number(L, "seconds", p->seconds);
  set_boolean(L, "train", p->mode & CALL_TRAINS);
  set_boolean(L, "record", p->mode & CALL_RECORDED);
  lua_newtable(L);
  for (int i = 0; i < c->graph.n_input; i++) {
    lua_pushstring(L, type_text(&p->type[i]));
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "inputs");
  push_sharing(L, c, p);
  lua_setfield(L, -2, "sharing");
}

static const char *home_name(const Address *p) {
  /* clang-format off */
  static const char *const names[] = {
    [HOME_ARENA] = "arena", [HOME_SAVED] = "saved", [HOME_INPUT] = "input", [HOME_OUTPUT] = "output",
    [HOME_CONSTANT] = "constant", [HOME_NOWHERE] = "not computed" };
  /* clang-format on */
  return p->alias ? "view" : names[p->home];
}

/* Pushes the operators of a node: "Convolution + relu + broadcast_mul". */
static void push_operator(lua_State *L, const Node *node) {
  const FusionGroup *g = fusion_group_of(node);
  luaL_Buffer b;
  if (!g) {
    lua_pushstring(L, node->op ? node->op->name : node->value ? "constant" : "variable");
    return;
  }
  const Epilogue *e = epilogue_of(node);
  luaL_buffinit(L, &b);
  if (e) luaL_addstring(&b, e->op->name);
  for (int m = 0; m < g->n_members; m++) {
    if (m > 0 || e) luaL_addstring(&b, " + ");
    luaL_addstring(&b, g->member[m].op->name);
  }
  luaL_pushresult(&b);
}

static const char *form_of(const Node *node) {
  if (!node->op || !node->op->form) return NULL;
  const Query q = query_of_node(node);
  return node->op->form(&q);
}

static bool is_backward(const Graph *g, int at) {
  const Node *n = g->node[at];
  if (!n->op || graph_part(g, at) == PART_BACKWARD) return n->op != NULL;
  return n->caller && step_kind(n) != STEP_HOST_CALL && n->op->role != ROLE_UPDATE && n->op->role != ROLE_CLIP;
}

/* Pushes a row per value: its operator, type, line and address. group: the number of its kernel; leader: the operator
** that has this kernel as its epilogue; own: is the value an output of the leader? */
static void push_values(lua_State *L, const Executable *p) {
  lua_newtable(L);
  for (int i = 0, n = 0, group = 0; i < p->g.n_nodes; i++) {
    const Node *node = p->g.node[i];
    if (fusion_group_of(node)) group++;
    for (int k = 0; k < node->n_out; k++) {
      const Address *place = &p->plan.place[p->plan.first[i] + k];
      lua_newtable(L);
      push_operator(L, node);
      lua_setfield(L, -2, "op");
      set_string(L, "form", form_of(node));
      set_integer(L, "node", i);
      set_integer(L, "output", k);
      set_string(L, "name", node->name);
      set_string(L, "type", type_text(&node->type[k]));
      set_string(L, "line", origin_text(node->origin));
      set_string(L, "block", node->scope ? node->scope->path : NULL);
      set_string(L, "home", step_is_node(node) ? "effect" : home_name(place));
      set_integer(L, "offset", (int64_t)place->offset);
      set_integer(L, "bytes", (int64_t)type_bytes(&node->type[k]));
      set_boolean(L, "backward", is_backward(&p->g, i));
      if (fusion_group_of(node)) set_integer(L, "group", group);
      if (epilogue_of(node)) set_string(L, "leader", epilogue_of(node)->op->name);
      if (epilogue_of(node)) set_boolean(L, "own", k >= fusion_group_of(node)->n_out);
      lua_rawseti(L, -2, ++n);
    }
  }
}

static void push_graph_text(lua_State *L, const Graph *g) {
  Text *text = push_text(L);
  check(L, graph_print(g, text));
  take_text(L, text);
}

/* ---- Kernels -------------------------------------------------------------------------------------- */

static void push_group(lua_State *L, const FusionGroup *g) {
  static const char *const kinds[] = { "elements", "rows", "columns" };
  lua_newtable(L);
  Text *text = push_text(L);
  text_format(text, "void kernel%d", g->function);
  kernel_text_of_group(g, text);
  take_text(L, text);
  lua_setfield(L, -2, "c");
  set_string(L, "kind", kinds[g->kind]);
  set_integer(L, "kernel", g->function);
  set_integer(L, "rows", g->rows);
  set_integer(L, "n", g->n);
  set_integer(L, "inputs", g->n_in);
  set_integer(L, "outputs", g->n_out);
  lua_newtable(L);
  for (int m = 0; m < g->n_members; m++) {
    lua_newtable(L);
    set_string(L, "op", g->member[m].op->name);
    set_string(L, "name", g->member[m].name);
    set_string(L, "line", origin_text(g->member[m].origin));
    lua_rawseti(L, -2, m + 1);
  }
  lua_setfield(L, -2, "members");
}

/* Sets tier (0 or 1), kernels (their state) and groups (ready or not). */
static void push_tier(lua_State *L, const Specialization *p) {
  static const char *const states[] = { "waiting", "compiling", "ready", "failed" };
  const Tier *t = p->tier;
  const Graph *g = p->fused ? &p->executable->g : &t->g;
  set_integer(L, "tier", p->fused);
  set_string(L, "kernels", t->module ? states[module_poll(t->module)] : "none");
  if (t->why) set_string(L, "why", t->why);
  if (t->module && t->module->error) set_string(L, "why", t->module->error);
  if (t->module) set_number(L, "compile_seconds", t->module->seconds);
  if (t->module) set_boolean(L, "from_cache", t->module->from_cache);
  if (p->fused) set_integer(L, "fused_after", (int64_t)p->fused_after);
  set_number(L, "fuse_seconds", t->seconds);
  lua_newtable(L);
  for (int i = 0, n = 0; i < g->n_nodes; i++) {
    const FusionGroup *group = fusion_group_of(g->node[i]);
    if (!group) continue;
    push_group(L, group);
    set_string(L, "line", origin_text(g->node[i]->origin));
    if (epilogue_of(g->node[i])) set_string(L, "leader", epilogue_of(g->node[i])->op->name);
    if (epilogue_of(g->node[i])) set_string(L, "leader_name", g->node[i]->name);
    lua_rawseti(L, -2, ++n);
  }
  lua_setfield(L, -2, "groups");
}

/* explain(compiled) -> { name, made, hits, graph = text, plans = { ... } } */
static int explain(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  lua_newtable(L);
  set_string(L, "name", c->name);
  set_integer(L, "made", (int64_t)c->made);
  set_integer(L, "hits", (int64_t)c->hits);
  set_integer(L, "dropped", (int64_t)c->dropped);
  set_integer(L, "max_plans", c->most_specializations);
  push_graph_text(L, &c->graph);
  lua_setfield(L, -2, "graph");
  lua_newtable(L);
  int n = 0;
  for (const Specialization *p = compiled_specialization_before(c, NULL); p; p = compiled_specialization_before(c, p)) {
    push_plan(L, c, p);
    push_graph_text(L, &p->executable->g);
    lua_setfield(L, -2, "graph");
    push_values(L, p->executable);
    lua_setfield(L, -2, "values");
    push_tier(L, p);
    lua_rawseti(L, -2, ++n);
  }
  lua_setfield(L, -2, "plans");
  return 1;
}

/* ---- Between graph breaks ------------------------------------------------------------------------------ */

/* segment(trie, number) -> { runs =, operators = { { name =, line = }, ... } }, the compiled function or nil */
static int explain_segment(lua_State *L) {
  const LazyTrie *steps = check_lazy_trie(L);
  const lua_Integer number = luaL_checkinteger(L, 2);
  SegmentView view;
  if (number < 1 || number > lazy_trie_segments(steps)) return raise_error(L, "segment: number: unknown");
  lazy_trie_segment(steps, (int)number - 1, &view);
  lua_newtable(L);
  set_integer(L, "runs", (int64_t)view.runs);
  lua_createtable(L, view.n, 0);
  for (int i = 0; i < view.n; i++) {
    lua_createtable(L, 0, 2);
    set_string(L, "name", op_title(view.op[i]));
    set_string(L, "line", origin_text(view.origin[i]));
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "operators");
  if (view.compiled) push_compiled(L)->c = compiled_retain(view.compiled);
  else lua_pushnil(L);
  return 2;
}

void open_explain(lua_State *L) {
  const luaL_Reg functions[] = { { "explain", explain }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}

void open_segments(lua_State *L) {
  const luaL_Reg functions[] = { { "segment", explain_segment }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
