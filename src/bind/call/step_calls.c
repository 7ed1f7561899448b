/* step_calls.c - see step_calls.h. The Lua part is gluon/hybridize/step_nodes.lua.
**
** A step's function runs in a protected call, because an error must not jump over the engine. It has a line of the
** script, that of the statement that made the node: errors and arrays name this line (script_frame_line).
*/
#include "bind/call/step_calls.h"

#include <string.h>

#include "bind/core/coroutine.h"
#include "bind/trace/tracing.h"
#include "bind/value/symbol_value.h"
#include "ir/node_builder.h"

/* ---- In a trace -------------------------------------------------------------------------------- */

static void builder_end(void *builder) { builder_free(builder); }
static void params_end(void *params) { params_release(*(Params **)params); }

/* add_step(what, number, heads or nil, first, on_tape, retain): adds a node to the trace: backward from the heads, or a
** call of function `number` of the compiled function; for the options see StepParams */
static int add_step(lua_State *L) {
  enum { WHAT = 1, NUMBER, HEADS, FIRST, ON_TAPE, RETAIN };
  int n = 0;
  const char *what = luaL_checkstring(L, WHAT);
  lua_settop(L, RETAIN);
  coroutine_enter(L);
  Entry *head = lua_isnil(L, HEADS) ? NULL : check_entries(L, HEADS, "backward: heads", &n);
  Builder *b = push_owned(L, sizeof *b, builder_end);
  *b = trace_builder(L);
  const StepParams params = { .number = luaL_checkinteger(L, NUMBER),
                              .line = b->origin,
                              .first = lua_toboolean(L, FIRST),
                              .on_tape = lua_toboolean(L, ON_TAPE),
                              .retain = lua_toboolean(L, RETAIN) };
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

static Status perform(StepHost *host, const StepParams *step) { return perform_with((LuaSteps *)host, step, 0); }

LuaSteps steps_begin(lua_State *L, int functions) {
  return (LuaSteps){ .host = { .perform = perform }, .L = L, .functions = functions };
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
