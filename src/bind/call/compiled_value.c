/* compiled_value.c - compiled functions as Lua values, and the scopes of block calls. */
#include "base/bump.h"
#include "bind/core/tape_anchor.h"
#include "bind/call/compiled_value.h"
#include "bind/call/step_calls.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/value/symbol_value.h"
#include "bind/trace/tracing.h"
#include "state/engine.h"
#include "exec/tape/call_compiled.h"

static const char compiled_tag;

Compiled *check_compiled(lua_State *L, int index) {
  CompiledObject *o = lua_touserdata(L, index);
  if (!o || lua_rawlen(L, index) != sizeof *o || o->tag != &compiled_tag)
    raise_error(L, "expected a compiled function, got %s", type_name(L, index));
  return o->c;
}

static int compiled_gc(lua_State *L) {
  CompiledObject *o = lua_touserdata(L, 1);
  compiled_release(o->c);
  o->c = NULL;
  return 0;
}

CompiledObject *push_compiled(lua_State *L) {
  CompiledObject *o = lua_newuserdatauv(L, sizeof *o, 1);     /* its user value: the functions of training steps */
  *o = (CompiledObject){ .tag = &compiled_tag };
  take_metatable(L, &compiled_tag);
  return o;
}

enum { MOST_SPECIALIZATIONS = 64 };        /* unless the script sets hybridize{max_plans = n} */

/* compile(name, inputs, outputs, kept or nil, most specializations or nil, remat or nil, steps or nil, results or
** nil) -> a compiled function; inputs are variables; steps: the list of the functions of training steps; results: the
** number of outputs that the script gets. Outputs
** of np's kind give arrays of it */
static int compile(lua_State *L) {
  int n_in, n_out, n_kept = 0;
  lua_settop(L, 8);
  Entry *in = check_entries(L, 2, "compile", &n_in), *out = check_entries(L, 3, "compile", &n_out), *kept = NULL;
  if (!lua_isnil(L, 4)) kept = check_entries(L, 4, "compile", &n_kept);
  Node **inputs = lua_newuserdatauv(L, (size_t)(n_in + n_kept + 1) * sizeof *inputs, 0), **also = inputs + n_in;
  for (int i = 0; i < n_in; i++) {
    inputs[i] = in[i].node;
    if (!node_is_variable(inputs[i]))
      return raise_error(L, "compile: inputs: expected variables, got the output of %s", inputs[i]->op->name);
  }
  for (int i = 0; i < n_kept; i++) also[i] = kept[i].node;
  CompiledObject *o = push_compiled(L);
  NodeList list = { .at = also, .n = n_kept };
  const char *name = luaL_checkstring(L, 1);
  coroutine_enter(L);
  const int most = (int)luaL_optinteger(L, 5, MOST_SPECIALIZATIONS);
  check(L, compiled_new(name, out, n_out, inputs, n_in, &list, most, &o->c));
  for (int i = 1; i <= n_out; i++) {
    lua_rawgeti(L, 3, i);
    if (value_kind(L, -1) == KIND_NP) check(L, compiled_mark(o->c, i - 1));
    lua_pop(L, 1);
  }
  if (lua_toboolean(L, 6)) compiled_remat(o->c);
  if (!lua_isnil(L, 8)) compiled_hides(o->c, (int)luaL_checkinteger(L, 8));
  lua_pushvalue(L, 7);
  lua_setiuservalue(L, -2, 1);
  return 1;
}

int run_compiled(lua_State *L, int object, Compiled *c, Array **in) {
  int n_out = c->graph.n_out;
  Array few[FEW_ARRAYS], *made = few, *few_box[FEW_ARRAYS], **box = few_box;
  luaL_checkstack(L, n_out + 16, "outputs");
  pace_collector(L);
  int steps = 0;
  if (__builtin_expect(c->has_steps, 0)) {
    lua_getiuservalue(L, object, 1);
    steps = lua_gettop(L);
  }
  LuaSteps host = steps_begin(L, steps);
  bool anchored = (engine_now()->mode.recording || c->records) && push_anchor_of(L, in, c->graph.n_input);
  int anchor = lua_gettop(L), first = anchor + 1;
  if (n_out > FEW_ARRAYS) {
    made = lua_newuserdatauv(L, (size_t)n_out * (sizeof *made + sizeof *box), 0);
    box = (Array **)(made + n_out);
    first++;
  }
  for (int i = 0; i < n_out; i++) box[i] = push_array(L);
  coroutine_enter_again(L);
  Engine *e = engine_now();
  if (e->mode.recording || c->records || e->hooks) e->mode.origin = origin_here(L);
  const int top = lua_gettop(L);
  Status s;
  WITH_MEMORY(L, s, call_compiled(c, in, engine_now()->mode.device, &host.host, made));
  lua_settop(L, top);                      /* steps keep arrays on the stack */
  if (s != OK) raise_status(L, s);
  for (int i = 0; i < n_out; i++) *box[i] = made[i];
  for (int i = 0; c->marks && i < n_out; i++)
    if (c->marks[i]) make_np(L, first + i);
  for (int i = 0; i < n_out && anchored; i++)
    if (box[i]->node) set_anchor(L, first + i, anchor);
  const int n = lua_gettop(L) - first + 1;
  if (host.host.left) check(L, steps_perform_rest(&host, c, first));
  return n;
}

Array **check_graph_inputs(lua_State *L, const Compiled *c, int first) {
  int n = lua_gettop(L) - first + 1;
  if (n != c->graph.n_input) raise_error(L, "%s: expected %d arrays, got %d", c->name, c->graph.n_input, n);
  Array **in = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *in, 0);
  for (int i = 0; i < n; i++) {
    in[i] = to_array(L, first + i);
    if (!in[i])
      raise_error(L, "%s: %s: expected an NDArray, got %s", c->name, c->graph.input[i]->name, type_name(L, first + i));
    check_array(L, first + i);
  }
  return in;
}

/* c(arrays...) -> the outputs; arrays: one for each input */
static int compiled_run(lua_State *L) {
  Compiled *c = check_compiled(L, 1);
  coroutine_enter(L);
  return run_compiled(L, 1, c, check_graph_inputs(L, c, 2));
}

/* Copies the graph of these outputs and infers its types; other variables that it reads follow the inputs. */
static Status infer_copy(const Entry *in, int n_in, const Entry *out, int n_out, Graph *g) {
  BUMP(memory, "graph");
  Graph walk FREED_BY(graph_free) = { 0 };
  TRY(graph_new(out, n_out, &walk));
  Node **inputs = BUMP_ARRAY(&memory, n_in + walk.n_input, Node *);
  TRY(memory.status);
  int n = 0;
  for (; n < n_in; n++) inputs[n] = in[n].node;
  for (int i = 0; i < walk.n_input; i++)
    if (entry_find(in, n_in, (Entry){ walk.input[i], 0 }) == n_in) inputs[n++] = walk.input[i];
  TRY(graph_with_inputs(out, n_out, inputs, n, NULL, g));
  return graph_infer_guessing(g);
}

/* Calls infer_copy for the inputs and outputs on the stack; pushes a userdata that owns the graph. */
static Graph *push_inferred(lua_State *L, int *n_in) {
  int n_out;
  Entry *in = check_entries(L, 1, "compile", n_in), *out = check_entries(L, 2, "compile", &n_out);
  Graph *g = push_graph(L);
  coroutine_enter(L);
  check(L, infer_copy(in, *n_in, out, n_out, g));
  return g;
}

/* infer_inputs(inputs, outputs) -> { shape, dtype } of each input variable, as far as inference determines them, also
** from other variables that the graph reads, such as the states of a loop's body */
static int infer_inputs(lua_State *L) {
  int n_in;
  Graph *g = push_inferred(L, &n_in);
  lua_createtable(L, n_in, 0);
  for (int i = 0; i < n_in; i++) {
    const Type *t = &g->input[i]->type[0];
    lua_createtable(L, 0, 2);
    if (shape_known(&t->shape)) {
      push_shape(L, &t->shape);
      lua_setfield(L, -2, "shape");
    }
    if (t->dtype != DT_UNKNOWN) set_string(L, "dtype", dtype_name(t->dtype));
    lua_rawseti(L, -2, i + 1);
  }
  owned_end(g);
  return 1;
}

/* flops(inputs, outputs) -> the number of arithmetic operations of one run, without operators of unknown types */
static int graph_flops(lua_State *L) {
  int n_in;
  Graph *g = push_inferred(L, &n_in);
  double flops = 0;
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    bool known = n->op && type_known(&n->type[0]);
    for (int k = 0; k < n->n_in; k++) known &= type_known(entry_type(n->in[k]));
    if (!known) continue;
    const Query q = query_of_node(n);
    flops += op_flops(&q);
  }
  owned_end(g);
  return return_number(L, flops);
}

/* ---- Scopes of block calls -------------------------------------------------------------------------- */

/* enter_scope(path): begins the call of a block, the scope of later nodes */
static int scope_enter(lua_State *L) {
  const char *path = luaL_optstring(L, 1, "");
  coroutine_enter(L);
  CHECK_WITH_MEMORY(L, lazy_before_record());
  Engine *e = engine_now();
  Scope *s = scope_new(e->scope, path);
  if (!s) return raise_status(L, no_memory("block call"));
  scope_release(e->scope);
  e->scope = s;
  coroutine_count_block(1);
  return 0;
}

static int scope_leave(lua_State *L) {
  Status status;
  coroutine_enter(L);
  WITH_MEMORY(L, status, lazy_before_record());
  Engine *e = engine_now();
  Scope *s = e->scope;
  e->scope = s ? scope_retain(s->parent) : NULL;
  scope_release(s);
  coroutine_count_block(-1);
  check(L, status);
  return 0;
}

/* scope_depth(n or nil) -> the current depth; leaves scopes until the depth is n */
static int scope_depth(lua_State *L) {
  int depth = 0;
  coroutine_enter(L);
  for (const Scope *s = engine_now()->scope; s; s = s->parent) depth++;
  lua_pushinteger(L, depth);
  if (!lua_isnoneornil(L, 1))
    for (lua_Integer to = luaL_checkinteger(L, 1); depth > to && depth > 0; depth--) scope_leave(L);
  return 1;
}

void open_compiled(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "compile", compile }, { "infer_inputs", infer_inputs }, { "flops", graph_flops }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  new_metatable(L, &compiled_tag, "hybridlua.Compiled", compiled_gc);
  set_function(L, "__call", compiled_run);
  set_boolean(L, "__metatable", false);      /* out of a script's reach */
  lua_pop(L, 1);
}

void open_scopes(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "enter_scope", scope_enter }, { "leave_scope", scope_leave }, { "scope_depth", scope_depth }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
