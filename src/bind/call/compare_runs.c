/* compare_runs.c - comparison of arrays and of operator-by-operator logs; gluon/hybridize/compare_eager.lua and the
** specs use it to find where two computations differ. */
#include "bind/call/compiled_value.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/value/symbol_value.h"
#include "exec/eager/operator_log.h"
#include "tensor/same_values.h"

/* ---- Arrays -------------------------------------------------------------------------------- */

/* The array's values on the host; a copy is left on the stack. */
static const Tensor *host_values(lua_State *L, int index) {
  const Array *a = check_array(L, index);
  if (device_is_host(tensor_device(&a->t))) return &a->t;
  Array *copy = push_array(L);
  CHECK_WITH_MEMORY(L, tensor_copy(&a->t, DEVICE_HOST, &copy->t));
  return &copy->t;
}

/* same(a, b): do two arrays have the same dtype, shape and elements, by the rule of tensor/same_values.h? */
static int same(lua_State *L) {
  const Tensor *a = host_values(L, 1), *b = host_values(L, 2);
  return return_boolean(L, tensor_same(a, b));
}

/* differences(a, b, most) -> the number of elements in which two arrays of one dtype and shape differ, and a list of
** the first ones, at most `most`: { index in row-major order from 0, element of a, element of b } */
static int differences(lua_State *L) {
  const Tensor *a = host_values(L, 1), *b = host_values(L, 2);
  lua_Integer most = luaL_checkinteger(L, 3), count = 0;
  if (!type_equal(&a->type, &b->type))
    return raise_error(L, "differences: b: expected %s, got %s", type_text(&a->type), type_text(&b->type));
  lua_newtable(L);
  for (int64_t n = tensor_size(a), i = 0; (i = tensor_difference(a, b, i)) < n; i++) {
    if (++count > most) continue;
    lua_createtable(L, 3, 0);
    lua_pushinteger(L, i);
    lua_rawseti(L, -2, 1);
    push_element(L, a, i);
    lua_rawseti(L, -2, 2);
    push_element(L, b, i);
    lua_rawseti(L, -2, 3);
    lua_rawseti(L, -2, count);
  }
  lua_pushinteger(L, count);
  lua_insert(L, -2);
  return 2;
}

/* ---- Runs ---------------------------------------------------------------------------------- */

static void notes_end(void *notes) { operator_log_free(notes); }

static void push_shared(lua_State *L, const Tensor *t) { push_array(L)->t = tensor_share(t); }

/* Stores a logged value's position in the list on top, at `first` and `first` + 1: the index of its operator in the log
** and that of the output, both counted from 1. */
static void set_place(lua_State *L, int note, int output, int first) {
  lua_pushinteger(L, note + 1);
  lua_rawseti(L, -2, first);
  lua_pushinteger(L, output + 1);
  lua_rawseti(L, -2, first + 1);
}

/* Sets scopes, the block calls of a node, innermost first: { { id, name, depth }, ... } */
static void set_scopes(lua_State *L, const Node *n) {
  int depth = 0, i = 0;
  for (const Scope *s = n->scope; s; s = s->parent) depth++;
  lua_createtable(L, depth, 0);
  for (const Scope *s = n->scope; s; s = s->parent) {
    lua_createtable(L, 0, 3);
    set_integer(L, "id", (int64_t)s->order);
    set_string(L, "name", s->path);
    set_integer(L, "depth", depth - i);
    lua_rawseti(L, -2, ++i);
  }
  lua_setfield(L, -2, "scopes");
}

/* Sets, for a logged operator of a replay, the node's name and its inputs, { { name, array, index in the log, output,
** variable = name }, ... }. place[]: by node of the graph, its index in the log, or -1 - i for input i of the graph. */
static void set_inputs(lua_State *L, const OperatorLog *notes, const LoggedOp *note, const Graph *g, Array *const *in,
                       const int *place) {
  const Node *n = g->node[note->node];
  set_string(L, "name", n->name ? n->name : n->op->name);
  set_scopes(L, n);
  lua_createtable(L, n->n_in, 0);
  for (int k = 0; k < n->n_in; k++) {
    const Node *from = n->in[k].node;
    int at = place[from->at];
    lua_createtable(L, 2, 0);
    lua_pushstring(L, op_monitored_input(n->op, k));
    lua_rawseti(L, -2, 1);
    push_shared(L, from->op ? &notes->at[at].out[n->in[k].index] : from->value ? from->value : &in[-1 - at]->t);
    lua_rawseti(L, -2, 2);
    if (from->op) set_place(L, at, n->in[k].index, 3);
    else if (!from->value && from->name) set_string(L, "variable", from->name);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "inputs");
  int visible = op_visible(n->op, n->params);
  lua_createtable(L, visible, 0);
  for (int k = 0; k < visible; k++) {
    push_output_suffix(L, n, k);
    lua_rawseti(L, -2, k + 1);
  }
  lua_setfield(L, -2, "output_names");
}

/* The log index of each node of a replayed graph, as place[] of set_inputs. */
static const int *find_places(lua_State *L, const OperatorLog *notes, const Graph *g) {
  int *place = lua_newuserdatauv(L, (size_t)(g->n_nodes + 1) * sizeof *place, 0);
  for (int i = 0; i < g->n_nodes; i++) place[i] = -1;
  for (int i = 0; i < g->n_input; i++) place[g->input[i]->at] = -1 - i;
  for (int i = 0; i < notes->n; i++) place[notes->at[i].node] = i;
  return place;
}

/* Pushes a list of { op, line, node (nil if eager), outputs = { arrays } }, and for a replay name, inputs and
** output_names; empties the log. */
static void push_notes(lua_State *L, OperatorLog *notes, const Graph *g, Array *const *in) {
  const int *place = g ? find_places(L, notes, g) : NULL;
  lua_createtable(L, notes->n, 0);
  for (int i = 0; i < notes->n; i++) {
    const LoggedOp *note = &notes->at[i];
    lua_createtable(L, 0, 4);
    set_string(L, "op", note->op->name);
    set_string(L, "line", origin_text(note->origin));
    if (note->node >= 0) set_integer(L, "node", note->node);
    lua_createtable(L, note->n_out, 0);
    for (int k = 0; k < note->n_out; k++) {
      push_shared(L, &note->out[k]);
      lua_rawseti(L, -2, k + 1);
    }
    lua_setfield(L, -2, "outputs");
    if (g) set_inputs(L, notes, note, g, in, place);
    lua_rawseti(L, -2, i + 1);
  }
  operator_log_free(notes);
}

/* log_operators(true): logs the results of later eager operators; log_operators(false) -> the list */
static int log_operators(lua_State *L) {
  coroutine_switch(L);
  if (lua_toboolean(L, 1)) {
    operator_log_free(&state_now()->operator_log);
    coroutine_set_operator_log(&state_now()->operator_log);
    return 0;
  }
  coroutine_set_operator_log(NULL);
  push_notes(L, &state_now()->operator_log, NULL, NULL);
  return 1;
}

static Status replay_again(Compiled *c, Array *const *in, OperatorLog *list) {
  operator_log_free(list);
  return operator_log_replay(c, in, list);
}

/* Pushes the positions of the graph's outputs in the log of its replay, { { index in the log, output }, ... }. The log
** is in the order of the nodes. */
static void push_outputs(lua_State *L, const Graph *g) {
  lua_newtable(L);
  for (int i = 0, n = 0; i < g->n_out; i++) {
    int note = 0;
    if (!g->out[i].node->op) continue;
    for (int k = 0; k < g->out[i].node->at; k++) note += g->node[k]->op != NULL;
    lua_createtable(L, 2, 0);
    set_place(L, note, g->out[i].index, 1);
    lua_rawseti(L, -2, ++n);
  }
}

/* replay(compiled, arrays) -> the log of the traced graph's operators, run one by one, and the positions of its
** outputs */
static int replay(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  Array **in = check_graph_inputs(L, c, 2);
  OperatorLog *list = push_owned(L, sizeof *list, notes_end);
  coroutine_enter(L);
  CHECK_WITH_MEMORY(L, replay_again(c, in, list));
  push_notes(L, list, &c->graph, in);
  push_outputs(L, &c->graph);
  return 2;
}

/* up_to_node(compiled, node, whole) -> a compiled function that returns the outputs of the node; if `whole`, after all
** outputs of the graph */
static int up_to_node(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  lua_Integer at = luaL_checkinteger(L, 2);
  if (at < 0 || at >= c->graph.n_nodes)
    return raise_error(L, "up_to_node: node: expected 0 to %d, got %d", c->graph.n_nodes - 1, (int)at);
  CompiledObject *o = push_compiled(L);
  coroutine_enter(L);
  check(L, operator_log_cut(c, (int)at, lua_toboolean(L, 3) ? c->graph.n_out : 0, &o->c));
  return 1;
}

void open_array_compare(lua_State *L) {
  const luaL_Reg functions[] = { { "same", same }, { "differences", differences }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}

void open_runs(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "log_operators", log_operators }, { "replay", replay }, { "up_to_node", up_to_node }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
