/* symbol_control.c - loops and conditions as Symbols: bodies that ran once are cut out of the graph.
**
** lua/hybridlua/control.lua runs a body with variables for the values that the node supplies. The nodes made by the
** body are cut out here and become a Subgraph, an opaque value for scripts.
*/
#include <string.h>

#include "base/memory.h"
#include "bind/core/tape_anchor.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/core/auto_names.h"
#include "bind/value/symbol_value.h"
#include "bind/trace/tracing.h"
#include "exec/control/loop_kernels.h"
#include "exec/eager/eager_call.h"
#include "state/engine.h"
#include "exec/program/step_rows.h"
#include "ir/node_builder.h"
#include "ir/graph/symbol_compose.h"
#include "ir/graph/subgraph.h"

static const char subgraph_tag;

typedef struct SubgraphObject { const void *tag; Subgraph *g; } SubgraphObject;

static SubgraphObject *push_subgraph(lua_State *L) {
  SubgraphObject *o = lua_newuserdatauv(L, sizeof *o, 0);
  *o = (SubgraphObject){ .tag = &subgraph_tag };
  take_metatable(L, &subgraph_tag);
  return o;
}

static int subgraph_gc(lua_State *L) {
  SubgraphObject *o = lua_touserdata(L, 1);
  subgraph_release(o->g);
  o->g = NULL;
  return 0;
}

static Subgraph *check_subgraph(lua_State *L, int index) {
  SubgraphObject *o = lua_touserdata(L, index);
  if (!o || lua_rawlen(L, index) != sizeof *o || o->tag != &subgraph_tag)
    raise_error(L, "expected a subgraph, got %s", type_name(L, index));
  return o->g;
}

/* capture(x) -> x if it is a Symbol; else, in a trace, the Symbol of the captured array */
static int capture(lua_State *L) {
  Entry e;
  if (to_symbol(L, 1)) {
    lua_settop(L, 1);
    return 1;
  }
  check(L, trace_capture(L, 1, &e));
  push_entry(L, e);
  if (value_kind(L, 1) == KIND_NP) make_np(L, -1);
  return 1;
}

/* body_variable(symbol, is item) -> a variable for the body, with the type of the symbol or of one of its rows, and
** MXNet's name */
static int body_variable(lua_State *L) {
  const Entry e = check_entry(L, 1);
  const Node *n = e.node;
  const char *name = lua_pushfstring(L, "%s-%d", n->name ? n->name : n->op ? n->op->name : "", e.index);
  Type type = *entry_type(e);
  if (lua_toboolean(L, 2) && type.shape.ndim > 0) {
    type.shape.ndim--;
    memmove(type.shape.dim, type.shape.dim + 1, (size_t)type.shape.ndim * sizeof *type.shape.dim);
  }
  Symbol *place = push_symbol(L, &NO_ENTRY, 1);
  coroutine_enter(L);
  check(L, node_variable(name, &type, &place->entry[0].node));
  place->entry[0].node->origin = origin_here(L);
  check(L, set_scope_attributes(L, place->entry[0].node));
  if (value_kind(L, 1) == KIND_NP) make_np(L, -1);
  return 1;
}

/* begin_body() -> the current sequence number, and the number of kept nodes (trace_kept) */
static int begin_body(lua_State *L) {
  coroutine_enter(L);
  lua_pushinteger(L, (lua_Integer)order_next());
  lua_pushinteger(L, trace_kept(L));
  return 2;
}

/* is_made_in_body(x, begun): is it an operator's output that the body made? */
static int is_made_in_body(lua_State *L) {
  const Symbol *s = to_symbol(L, 1);
  const Node *n = s && s->n == 1 ? s->entry[0].node : NULL;
  return return_boolean(L, n && n->op && n->order > (uint64_t)luaL_checkinteger(L, 2));
}

/* Fails for a step of a training (exec/program/step_rows.h): a loop would repeat it. */
static Status refuse_steps(const Entry *kept, int n) {
  for (int i = 0; i < n; i++) {
    if (!step_kind(kept[i].node)) continue;
    fail("%s: expected a call outside of the body of a loop or condition; compile the training step, and call it in a "
         "loop of the script, or export it (step:export) and call the imported step here",
         kept[i].node->name);
    status_set_line(kept[i].node->origin);
    return E_INPUT;
  }
  return OK;
}

static void end_cut(void *cut) { cut_free(cut); }

/* Pushes the source of each input of the subgraph: a 1-based index among the body's variables, or an outer Symbol. */
static void push_sources(lua_State *L, const Cut *cut) {
  lua_createtable(L, cut->n_input, 0);
  for (int i = 0; i < cut->n_input; i++) {
    if (cut->place[i] >= 0) lua_pushinteger(L, cut->place[i] + 1);
    else push_entry(L, cut->outside[i]);
    lua_rawseti(L, -2, i + 1);
  }
}

/* cut_subgraph(name, outputs, variables, begun, kept, are unread variables inputs?) -> the subgraph, and the sources of
** its inputs */
static int cut_subgraph(lua_State *L) {
  enum { NAME = 1, OUTPUTS, PLACES, BEGUN, KEPT, UNREAD };
  int n_out, n_places, n_kept;
  const char *name = check_text(L, NAME, "name");
  lua_settop(L, UNREAD);
  Entry *out = check_entries(L, OUTPUTS, "control", &n_out), *places = check_entries(L, PLACES, "control", &n_places);
  trace_take_kept(L, (int)luaL_checkinteger(L, KEPT));
  Entry *kept = check_entries(L, lua_gettop(L), "control", &n_kept);
  check(L, refuse_steps(kept, n_kept));
  Node **nodes = lua_newuserdatauv(L, (size_t)(n_places + n_kept + 1) * sizeof *nodes, 0);
  for (int i = 0; i < n_places; i++) nodes[i] = places[i].node;
  for (int i = 0; i < n_kept; i++) nodes[n_places + i] = kept[i].node;
  NodeList also = { .at = nodes + n_places, .n = n_kept };
  Cut *cut = push_owned(L, sizeof *cut, end_cut);
  SubgraphObject *o = push_subgraph(L);
  coroutine_enter(L);
  Scope *outer = engine_now()->scope ? engine_now()->scope->parent : NULL; /* the body is its own block call */
  check(L, subgraph_cut(name, out, n_out, nodes, n_places, lua_toboolean(L, UNREAD), &also,
                        (uint64_t)luaL_checkinteger(L, BEGUN), outer, cut, &o->g));
  push_sources(L, cut);
  owned_end(cut);
  return 2;
}

static Status set_params(lua_State *L, const Op *op, int table, Params **out) {
  TRY(params_new(op, out)); /* inference reports missing parameters */
  for (int i = 0; i < op->info->n_params; i++) {
    lua_getfield(L, table, op->info->param[i].name);
    if (op->info->param[i].kind == P_OBJECT) params_set_object(*out, i, check_subgraph(L, -1));
    else if (lua_isstring(L, -1)) TRY(params_set_text(*out, i, lua_tostring(L, -1)));
    lua_pop(L, 1);
  }
  return OK;
}

/* Is one of a list's arrays or Symbols np's? */
static bool any_np(lua_State *L, int list) {
  bool any = false;
  for (lua_Integer i = 1; !any && lua_rawgeti(L, list, i) != LUA_TNIL; i++) {
    any = value_kind(L, -1) == KIND_NP;
    lua_pop(L, 1);
  }
  if (!any) lua_pop(L, 1);
  return any;
}

/* control_node(operator, name or nil, parameters, inputs) -> its outputs, a list of Symbols */
static int control_node(lua_State *L) {
  enum { OPERATOR = 1, NAME, PARAMS, INPUTS };
  int n_in;
  const Op *op = op_find(check_text(L, OPERATOR, "operator"));
  lua_settop(L, INPUTS);
  if (!op || !op->control)
    return raise_error(L, "control_node: expected an operator that runs graphs, got %s", lua_tostring(L, OPERATOR));
  luaL_checktype(L, PARAMS, LUA_TTABLE);
  Entry *in = check_entries(L, INPUTS, "control", &n_in);
  NodeMaking *m = push_owned(L, sizeof *m, node_making_end);
  check(L, set_params(L, op, PARAMS, &m->params));
  const char *name = push_name(L, lua_isnil(L, NAME) ? NULL : check_text(L, NAME, "name"), op->name);
  check(L, node_make(L, op, name, in, n_in, m));
  push_new_node(L, m->node, op_visible(op, m->params), true);
  if (any_np(L, INPUTS)) make_np(L, -1);
  owned_end(m);
  return 1;
}

int call_row(lua_State *L, const Op *op, const void *fields, Array **in, int n_in) {
  NodeMaking *m = push_owned(L, sizeof *m, node_making_end);
  check(L, params_from(op, fields, &m->params));
  const int n_out = op_outputs(op, m->params), first = lua_gettop(L) + 1;
  luaL_checkstack(L, n_out + 16, "rows");
  pace_collector(L);
  Array *made = lua_newuserdatauv(L, (size_t)n_out * (sizeof *made + sizeof(Array *)), 0);
  Array **box = (Array **)(made + n_out);
  bool anchored = engine_now()->mode.recording && push_anchor_of(L, in, n_in);
  int anchor = lua_gettop(L);
  lua_createtable(L, n_out, 0);
  for (int i = 0; i < n_out; i++) {
    box[i] = push_array(L);
    lua_rawseti(L, -2, i + 1);
  }
  coroutine_enter_again(L);
  engine_now()->mode.origin = origin_here(L);
  CHECK_WITH_MEMORY(L, eager_call(op, m->params, in, n_in, engine_now()->mode.device, made));
  for (int i = 0; i < n_out; i++) *box[i] = made[i];
  for (int i = 0; i < n_out && anchored; i++) {
    if (!box[i]->node) continue;
    lua_rawgeti(L, -1, i + 1);
    set_anchor(L, -1, anchor);
    lua_pop(L, 1);
  }
  owned_end(m);
  lua_replace(L, first);
  lua_settop(L, first);
  return 1;
}

/* split_rows(x, begin, count) -> a list of rows */
static int split_rows(lua_State *L) {
  Array *in = check_array(L, 1);
  coroutine_enter(L);
  UnstackParams p = { luaL_checkinteger(L, 2), luaL_checkinteger(L, 3) };
  call_row(L, op_with_role(ROLE_UNSTACK), &p, &in, 1);
  if (value_kind(L, 1) == KIND_NP) make_np(L, -1);
  return 1;
}

/* join_rows(list, length) -> a list with one array of `length` rows: those of the list, then zeros */
static int join_rows(lua_State *L) {
  int n = check_length(L, 1, "stack");
  coroutine_enter(L);
  PutRowsParams p = { .num_args = n, .length = luaL_checkinteger(L, 2), .rows.count = -1 };
  call_row(L, op_with_role(ROLE_PUT_ROWS), &p, list_arrays(L, 1, n, false), n);
  if (any_np(L, 1)) make_np(L, -1);
  return 1;
}

void open_control(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "capture", capture }, { "body_variable", body_variable }, { "begin_body", begin_body },
    { "is_made_in_body", is_made_in_body }, { "cut_subgraph", cut_subgraph }, { "control_node", control_node },
    { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  new_metatable(L, &subgraph_tag, "hybridlua.Subgraph", subgraph_gc);
  set_boolean(L, "__metatable", false); /* out of a script's reach */
  lua_pop(L, 1);
  loop_kernels_open();
}

void open_rows(lua_State *L) {
  const luaL_Reg functions[] = { { "split_rows", split_rows }, { "join_rows", join_rows }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
