/* step_calls.c - see step_calls.h. The Lua part is gluon/hybridize/step_nodes.lua.
**
** A step's function runs in a protected call, because an error must not jump over the engine. It has a line of the
** script, that of the statement that made the node: errors and arrays name this line (script_frame_line).
*/
#include "bind/call/step_calls.h"

#include <limits.h>
#include <string.h>

#include "bind/core/coroutine.h"
#include "bind/trace/tracing.h"
#include "bind/value/symbol_value.h"
#include "ir/node_builder.h"

/* ---- In a trace -------------------------------------------------------------------------------- */

static void builder_end(void *builder) { builder_free(builder); }
static void params_end(void *params) { params_release(*(Params **)params); }

/* add_step(what, number, heads or nil, first, on_tape, retain, update or nil): adds a node to the trace: backward from
** the heads, or a call of function `number` of the compiled function; for the options see StepParams */
static int add_step(lua_State *L) {
  enum { WHAT = 1, NUMBER, HEADS, FIRST, ON_TAPE, RETAIN, UPDATE };
  int n = 0;
  const char *what = luaL_checkstring(L, WHAT);
  lua_settop(L, UPDATE);
  coroutine_enter(L);
  Entry *head = lua_isnil(L, HEADS) ? NULL : check_entries(L, HEADS, "backward: heads", &n);
  Builder *b = push_owned(L, sizeof *b, builder_end);
  *b = trace_builder(L);
  const StepParams params = { .number = luaL_checkinteger(L, NUMBER),
                              .line = b->origin,
                              .first = lua_toboolean(L, FIRST),
                              .on_tape = lua_toboolean(L, ON_TAPE),
                              .retain = lua_toboolean(L, RETAIN),
                              .update = luaL_optinteger(L, UPDATE, -1) };
  const Op *row;
  Params **made_params = push_owned(L, sizeof *made_params, params_end);
  check(L, step_row(head ? STEP_BACKWARD : STEP_HOST_CALL, &row));
  check(L, params_new(row, made_params));
  memcpy((*made_params)->fields, &params, sizeof params);
  const Entry made = build(b, row, *made_params, head, n);
  check(L, b->status);
  check(L, node_set_name(made.node, what));
  trace_keep(L, made);
  owned_end(made_params);
  owned_end(b);
  return 0;
}

void open_step_nodes(lua_State *L) { set_function(L, "add_step", add_step); }

/* ---- In a call ---------------------------------------------------------------------------------- */

/* (function, arguments...): the frame that has the step's line. */
static int step_frame(lua_State *L) {
  lua_call(L, lua_gettop(L) - 1, 0);
  return 0;
}

/* Calls function `number` with the n values on top of the stack, which it pops. */
static Status perform_with(LuaSteps *s, const StepParams *step, int n) {
  lua_State *L = s->L;
  const Origin origin = engine_now()->mode.origin;
  if (!s->functions || !lua_checkstack(L, n + 8)) return no_memory("training step");
  push_protected(L, step_frame);
  lua_rawgeti(L, s->functions, (lua_Integer)step->number);
  lua_rotate(L, -n - 2, 2);
  const FrameLine before = script_frame_line((FrameLine){ step_frame, (Origin)step->line });
  const int failed = lua_pcall(L, n + 1, 0, 0);
  script_frame_line(before);
  coroutine_engine(L)->mode.origin = origin;
  return failed ? keep_error(L) : OK;
}

/* A function that warns gets true. */
static Status perform(StepHost *host, const StepParams *step) {
  LuaSteps *s = (LuaSteps *)host;
  if (step->warns && lua_checkstack(s->L, 1)) lua_pushboolean(s->L, true);
  else if (step->warns) return no_memory("training step");
  return perform_with(s, step, step->warns ? 1 : 0);
}

/* ---- Updates ------------------------------------------------------------------------------------- */

/* What a step updates, as its function `describe` said (lua/hybridlua/gluon/trainer.lua). The compiled function's list
** of functions has it at minus the step's number, or false if the step is not one operator. */
typedef struct KnownUpdate {
  const Op *rule;            /* NULL: zero_grad or clip_global_norm, which are described in each call */
  bool clips, warns;         /* clip_global_norm: `weight` has the gradients, and later the weights */
  double max_norm;
  int n, n_states, missed;
  Array **weight, **state;
  int *input;
} KnownUpdate;

enum { MOST_MISSED = 3 };    /* in succession, until the host performs the step in all calls */

/* Can the executable run this rule on them? */
static bool has_kernel(const KnownUpdate *u) {
  for (int k = 0; k < u->n; k++) {
    const Tensor *w = &u->weight[k]->t;
    Type in[2 + MOST_STATES] = { w->type, w->type }, out = TYPE_UNKNOWN;
    if (!u->rule->kernel[ON_HOST][w->type.dtype] || !device_is_host(tensor_device(w))) return false;
    for (int i = 0; i < u->n_states; i++) {
      const Tensor *state = &u->state[k * u->n_states + i]->t;
      if (tensor_device(state) != tensor_device(w)) return false;
      in[2 + i] = state->type;
    }
    if (op_infer(u->rule, u->rule->info->defaults, in, 2 + u->n_states, &out, 1) != OK) return false;
  }
  return true;
}

/* Copies array `at` of the list on top of the stack, or that array itself if `at` is 0, into the table `held`. */
static Array *hold_array(lua_State *L, int at, int held) {
  if (at > 0) lua_rawgeti(L, -1, at);
  else lua_pushvalue(L, -1);
  Array *a = to_array(L, -1);
  lua_rawseti(L, held, (lua_Integer)lua_rawlen(L, held) + 1);
  return a;
}

/* Reads the arrays of weight k from the lists `weights` and `states`; false if some are missing. */
static bool read_arrays(lua_State *L, KnownUpdate *u, int k, int weights, int states, int held) {
  lua_rawgeti(L, weights, k + 1);
  u->weight[k] = hold_array(L, 0, held);
  lua_pop(L, 1);
  bool all = u->weight[k] != NULL;
  if (u->n_states == 0) return all;
  lua_rawgeti(L, states, k + 1);
  const bool one = to_array(L, -1) != NULL;
  for (int i = 0; i < u->n_states && all; i++) {
    Array **state = &u->state[k * u->n_states + i];
    *state = one || lua_istable(L, -1) ? hold_array(L, one ? 0 : i + 1, held) : NULL;
    all = *state != NULL;
  }
  lua_pop(L, 1);
  return all;
}

/* Can the executable clip them? */
static bool may_clip(const KnownUpdate *u) {
  for (int k = 0; k < u->n; k++) {
    const Tensor *gradient = &u->weight[k]->t;
    if (!dtype_is_float(gradient->type.dtype) || !device_is_host(tensor_device(gradient))) return false;
  }
  return true;
}

/* Reads the options of clip_global_norm, { max_norm, check_isfinite }. */
static void read_clip(lua_State *L, int options, KnownUpdate *u) {
  u->clips = true;
  lua_rawgeti(L, options, 1);
  lua_rawgeti(L, options, 2);
  u->max_norm = lua_tonumber(L, -2);
  u->warns = lua_toboolean(L, -1);
  lua_pop(L, 2);
}

/* Pushes the known update for the results of `describe`: the rule's name or nil, weights and states; "zero_grad" and
** weights; "clip_global_norm", gradients and options; or false. */
static int push_known(lua_State *L) {
  enum { RULE = 1, WEIGHTS, STATES, KNOWN, HELD };
  lua_settop(L, STATES);
  const char *name = lua_tostring(L, RULE);
  const bool zeros = name && strcmp(name, "zero_grad") == 0, clips = name && strcmp(name, "clip_global_norm") == 0;
  const Op *rule = name && !zeros && !clips ? op_find(name) : NULL;
  const size_t n = rule || zeros || clips ? lua_rawlen(L, WEIGHTS) : 0;
  if (n == 0 || n > INT_MAX || (rule && (!op_is_step(rule) || rule->info->n_inputs > 2 + MOST_STATES)))
    return return_boolean(L, false);
  const size_t n_states = rule ? (size_t)rule->info->n_inputs - 2 : 0;
  KnownUpdate *u = lua_newuserdatauv(L, sizeof *u + n * ((1 + n_states) * sizeof(Array *) + sizeof(int)), 1);
  *u = (KnownUpdate){ .rule = rule, .n = (int)n, .n_states = (int)n_states };
  u->weight = (Array **)(u + 1);
  u->state = u->weight + n;
  u->input = (int *)(u->state + n * n_states);
  lua_newtable(L);
  for (int k = 0; k < u->n; k++) {
    u->input[k] = 0;
    if (!read_arrays(L, u, k, WEIGHTS, STATES, HELD)) return return_boolean(L, false);
  }
  if ((rule && !has_kernel(u)) || (clips && !may_clip(u))) return return_boolean(L, false);
  if (clips) read_clip(L, STATES, u);
  lua_setiuservalue(L, KNOWN, 1);
  lua_settop(L, KNOWN);
  return 1;
}

/* (describe, functions, number): describes the step; returns its known update or false, which the list keeps. */
static int describe(lua_State *L) {
  lua_pushvalue(L, 1);
  lua_call(L, 0, 3);
  lua_pushcfunction(L, push_known);
  lua_insert(L, -4);
  lua_call(L, 3, 1);
  lua_pushvalue(L, -1);
  lua_rawseti(L, 2, -lua_tointeger(L, 3));
  return 1;
}

/* Pushes the result of `describe` for a step, in a protected call. */
static Status push_described(LuaSteps *s, const StepParams *step) {
  lua_State *L = s->L;
  const Origin origin = engine_now()->mode.origin;
  push_protected(L, describe);
  lua_getfield(L, s->functions, "describe");
  lua_rawgeti(L, -1, (lua_Integer)step->number);
  lua_remove(L, -2);
  lua_pushvalue(L, s->functions);
  lua_pushinteger(L, (lua_Integer)step->number);
  const FrameLine before = script_frame_line((FrameLine){ step_frame, (Origin)step->line });
  const int failed = lua_pcall(L, 3, 1, 0);
  script_frame_line(before);
  coroutine_engine(L)->mode.origin = origin;
  return failed ? keep_error(L) : OK;
}

/* Is it weight k, or does it have gradient k, of the same type and memory? */
static bool is_weight(const KnownUpdate *u, int k, const Array *in) {
  if (!u->clips) return in == u->weight[k];
  const Leaf *leaf = in->node ? in->node->leaf : NULL;
  const Tensor *gradient = &u->weight[k]->t;
  return leaf && leaf->grad.data == gradient->data && type_equal(&leaf->grad.type, &gradient->type);
}

/* Mostly, the inputs are in order, so that only neighbours are compared. */
static bool repeats_input(const KnownUpdate *u) {
  bool ordered = true;
  for (int k = 1; k < u->n; k++) ordered = ordered && u->input[k - 1] < u->input[k];
  for (int k = 0; k < u->n && !ordered; k++)
    for (int i = 0; i < k; i++)
      if (u->input[i] == u->input[k]) return true;
  return false;
}

/* Finds the weights among the inputs; false if one is missing, or an array was freed. */
static bool find_inputs(const KnownUpdate *u, Array *const *in, int n_in) {
  for (int k = 0; k < u->n; k++) {
    if (u->input[k] >= n_in || !is_weight(u, k, in[u->input[k]])) {
      const int after = k > 0 ? u->input[k - 1] + 1 : 0;      /* mostly, they have the same order */
      int i = 0;
      while (i < n_in && !is_weight(u, k, in[(after + i) % n_in])) i++;
      if (i == n_in) return false;
      u->input[k] = (after + i) % n_in;
    }
  }
  if (u->clips && repeats_input(u)) return false;
  for (int i = 0; i < u->n * u->n_states; i++)
    if (array_freed(u->state[i])) return false;
  return true;
}

/* Keeps the known update on the stack during the call. */
static Status find_update(StepHost *host, const StepParams *step, Array *const *in, int n_in, StepUpdate *update) {
  LuaSteps *s = (LuaSteps *)host;
  lua_State *L = s->L;
  if (!s->functions || !lua_checkstack(L, 16)) return no_memory("training step");
  lua_rawgeti(L, s->functions, -(lua_Integer)step->number);
  KnownUpdate *u = lua_touserdata(L, -1);
  const int missed = u ? u->missed : 0;
  if (lua_isboolean(L, -1)) return OK;
  if (!u || !u->rule || missed || !find_inputs(u, in, n_in)) {
    if (missed >= MOST_MISSED) {
      lua_pushboolean(L, false);
      lua_rawseti(L, s->functions, -(lua_Integer)step->number);
      return OK;
    }
    TRY(push_described(s, step));
    u = lua_touserdata(L, -1);
    if (u) u->missed = missed;
    if (!u || !find_inputs(u, in, n_in)) return OK;
  }
  *update = (StepUpdate){ .rule = u->rule,
                          .zeros = !u->rule && !u->clips,
                          .clips = u->clips,
                          .warns = u->warns,
                          .max_norm = u->max_norm,
                          .n = u->n,
                          .n_states = u->n_states,
                          .input = u->input,
                          .weight = u->weight,
                          .state = u->state,
                          .missed = &u->missed };
  return OK;
}

LuaSteps steps_begin(lua_State *L, int functions) {
  return (LuaSteps){ .host = { .perform = perform, .find_update = find_update }, .L = L, .functions = functions };
}

Status steps_perform_rest(LuaSteps *s, const Compiled *c, int first) {
  for (int i = 0; i < c->graph.n_nodes; i++) {
    const Node *n = c->graph.node[i];
    if (!step_kind(n) || step_params(n)->first) continue;
    if (!lua_checkstack(s->L, n->n_in)) return no_memory("training step");
    for (int k = 0; k < n->n_in; k++) lua_pushvalue(s->L, first + entry_find(c->graph.out, c->graph.n_out, n->in[k]));
    TRY(perform_with(s, step_params(n), n->n_in));
  }
  return OK;
}
