/* tracing.c - the state of the current trace, which operators and Symbols read and extend. gluon/hybridize/trace.lua
** runs the block's code.
**
** Traces do not nest: a block called inside a trace is part of it. A trace covers the coroutine that began it and the
** coroutines begun in it, but no finalizer.
*/
#include "bind/trace/tracing.h"

#include <stdio.h>

#include "bind/trace/graph_breaks.h"
#include "bind/core/graph_port.h"
#include "ir/graph/graph.h"

static const char captures_key, kept_key, made_key;

/* In the registry: the text of the first refusal; the code that first needed values, and its line. */
static const char refusal_key, lacking_key;

static inline Trace *trace_now(void) { return &state_now()->trace; }

uint64_t trace_under_way(void) { return trace_now()->id; }
void trace_shape_read(lua_State *L) {
  if (tracing(L)) trace_now()->shape_read = true;
}

Device trace_device(lua_State *L) {
  if (!tracing(L)) return engine_now()->mode.device;
  Trace *trace = trace_now();
  trace->device_read = true;
  return trace->device;
}

Status trace_check_device(lua_State *L, Device d, const char *what) {
  if (!tracing(L)) return OK;
  Trace *trace = trace_now();
  trace->device_read = true;
  if (d == trace->device) return OK;
  return fail("%s: expected context %s, that of the arguments of the hybridized block or compiled function, got %s; "
              "copy outside of it",
              what, device_text(trace->device), device_text(d));
}

static RequestedMode asked_now(bool began, bool now) {
  return !coroutine_now()->tracing || began == now ? MODE_INHERIT : now ? MODE_ON : MODE_OFF;
}

Builder trace_builder(lua_State *L) {
  const Engine *e = coroutine_engine(L);
  const Trace *trace = trace_now();
  return (Builder){ .origin = origin_here(L),
                    .scope = e->scope,
                    .train = e->mode.train,
                    .train_requested = asked_now(trace->train, e->mode.train),
                    .record_requested = asked_now(trace->recording, e->mode.recording) };
}

bool trace_records(const Node *n) { return requested_mode_or(n->record_requested, trace_now()->recording); }

/* Would the node run too early? The executable runs before the recorded training steps, but reads of parameters (or of
** arrays, which may be parameters), draws and writes would have to come after them. */
static bool too_early(const Query *q, const Entry *in) {
  if (op_effects_ever(q)) return true;
  for (int i = 0; i < q->n_in; i++)
    if (node_is_variable(in[i].node)) return true;
  return false;
}

Status trace_admit(lua_State *L, const Op *op, const void *fields, const Entry *in, int n_in) {
  if (!tracing(L)) return OK;
  const Query q = query_of_inputs(op, fields ? fields : op->info->defaults->fields, n_in);
  if (trace_now()->sealed && too_early(&q, in)) {
    trace_lacks(L, op->name);
    return fail("%s: after backward or Trainer.step in a compiled function only values computed before can be used, "
                "not %s, because these steps run after it returns; compute it before them, or in another function",
                op->name, op_effects_ever(&q) ? "operators that draw or write" : "parameters and arrays");
  }
  return OK;
}

/* Pushes a Symbol of a new variable for the array. */
static Status push_captured(lua_State *L, const Array *a, int number, Kind kind) {
  char name[32];
  Symbol *symbol = push_symbol(L, &NO_ENTRY, 1);            /* owns the node before Lua can raise */
  snprintf(name, sizeof name, "captured%d", number);
  TRY(node_variable(name, &a->t.type, &symbol->entry[0].node));
  symbol->entry[0].node->origin = origin_here(L);
  if (kind == KIND_NP) make_np(L, -1);
  return OK;
}

/* The table captures is the list of the arrays, and maps each array to its Symbol. */
Status trace_capture(lua_State *L, int index, Entry *out) {
  if (!tracing(L)) return fail("expected Symbols, got an NDArray; outside hybridize, write sym.var for it");
  index = lua_absindex(L, index);
  const Array *a = to_array(L, index);
  if (!a) return fail("expected an NDArray, got %s", type_name(L, index));
  if (array_freed(a)) return fail("this NDArray was freed");
  TRY(trace_check_device(L, tensor_device(&a->t), "an array of the script"));
  lua_rawgetp(L, LUA_REGISTRYINDEX, &captures_key);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1) + 1;
    TRY(push_captured(L, a, (int)n - 1, value_kind(L, index)));
    lua_pushvalue(L, index);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);                     /* captures[array] = symbol */
    lua_pushvalue(L, index);
    lua_rawseti(L, -3, n);                 /* captures[n] = array */
  }
  *out = to_symbol(L, -1)->entry[0];
  lua_pop(L, 2);
  return OK;
}

static void append(lua_State *L, const void *list, Entry e) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, list);
  push_entry(L, e);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

void trace_keep(lua_State *L, Entry e) {
  if (tracing(L)) append(L, &kept_key, e);
}
void trace_made(lua_State *L, Entry e) {
  if (tracing(L) && trace_now()->shape_pending) append(L, &made_key, e);
}

int trace_kept(lua_State *L) {
  if (!tracing(L)) return 0;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
  const int n = (int)lua_rawlen(L, -1);
  lua_pop(L, 1);
  return n;
}

void trace_take_kept(lua_State *L, int since) {
  lua_newtable(L);
  if (!tracing(L)) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
  const int length = (int)lua_rawlen(L, -1);
  for (int i = since + 1; i <= length; i++) {
    lua_rawgeti(L, -1, i);
    lua_rawseti(L, -3, i - since);
  }
  for (int i = length; i > since; i--) {
    lua_pushnil(L);
    lua_rawseti(L, -2, i);
  }
  lua_pop(L, 1);
}

void trace_lacks(lua_State *L, const char *what) {
  if (!tracing(L)) return;
  bool first = lua_rawgetp(L, LUA_REGISTRYINDEX, &lacking_key) == LUA_TNIL;
  lua_pop(L, 1);
  if (!first) return;
  lua_createtable(L, 2, 0);
  lua_pushstring(L, what);
  lua_rawseti(L, -2, 1);
  lua_pushstring(L, origin_text(origin_here(L)));
  lua_rawseti(L, -2, 2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &lacking_key);
}

int trace_refuse(lua_State *L, const char *what, const char *instead) {
  trace_lacks(L, what);
  if (tracing(L) && lua_rawgetp(L, LUA_REGISTRYINDEX, &refusal_key) == LUA_TNIL) {
    lua_pushfstring(L, "%s: %s needs values, and a Symbol has none while a block is hybridized; write %s",
                    origin_text(origin_here(L)), what, instead);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &refusal_key);
  }
  return raise_error(L, "%s needs values, and a Symbol has none%s; write %s", what,
                     tracing(L) ? " while a block is hybridized" : "", instead);
}

void trace_shown(lua_State *L, const char *what) {
  if (!tracing(L) || !trace_now()->shown || !called_by_script(L)) return;
  trace_refuse(L, what, "F.print(x)");
}

/* begin(shown): begins the trace of a call on the current device; raises if another trace is running */
static int trace_begin(lua_State *L) {
  state_enter(L);
  Trace *trace = trace_now();
  if (trace->id) return raise_error(L, "a trace is running already");
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &captures_key);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &refusal_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &lacking_key);
  coroutine_switch(L);
  const Mode *mode = &engine_now()->mode;
  trace->id = ++trace->last;
  trace->shape_read = trace->device_read = trace->sealed = trace->shape_pending = false;
  trace->shown = lua_toboolean(L, 1);
  trace->device = mode->device;
  trace->recording = mode->recording;
  trace->train = mode->train;
  coroutine_trace(true);
  return 0;
}

/* Pushes the captured array of a variable; false if there is none. */
static bool push_source(lua_State *L, const Node *variable) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &captures_key);
  int captures = lua_gettop(L);
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, captures); i++) {
    lua_rawgeti(L, captures, i);
    lua_pushvalue(L, -1);
    lua_rawget(L, captures);
    bool found = to_symbol(L, -1)->entry[0].node == variable;
    lua_pop(L, 1);
    if (found) {
      lua_replace(L, captures);
      return true;
    }
    lua_pop(L, 1);
  }
  lua_settop(L, captures - 1);
  return false;
}

/* sources(symbol) -> the list of the variables that it depends on, and the list of their arrays; nil if one is not an
** array of the script, or if a node draws random numbers or has effects */
static int trace_sources(lua_State *L) {
  const Symbol *s = check_symbol(L, 1);
  if (!tracing(L) || s->n != 1) return 0;
  const Graph *g = push_symbol_graph(L, s);
  lua_newtable(L);
  lua_newtable(L);
  const int inputs = lua_gettop(L) - 1;
  for (int i = 0; i < g->n_nodes; i++)
    if (g->node[i]->op && node_effects_ever(g->node[i])) return 0;
  for (int i = 0; i < g->n_input; i++) {
    push_entry(L, (Entry){ g->input[i], 0 });
    lua_rawseti(L, inputs, i + 1);
    if (!push_source(L, g->input[i])) return 0;
    lua_rawseti(L, inputs + 1, i + 1);
  }
  return 2;
}

/* refusal() -> the text of the current trace's first refusal, even if a pcall caught the error; or nil */
static int trace_refusal(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &refusal_key);
  return 1;
}

/* first_value_read(forget) -> { what, line } of the code for which the latest trace first needed values, or nil;
** `forget`: clears it before */
static int first_value_read(lua_State *L) {
  if (lua_toboolean(L, 1)) {
    lua_pushnil(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &lacking_key);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &lacking_key);
  return 1;
}

/* set_modes(recording, train) -> the old modes; sets the modes in which the calls of later nodes run */
static int set_modes(lua_State *L) {
  coroutine_enter(L);
  Trace *trace = trace_now();
  lua_settop(L, 2);
  lua_pushboolean(L, trace->recording);
  lua_pushboolean(L, trace->train);
  trace->recording = lua_toboolean(L, 1);
  trace->train = lua_toboolean(L, 2);
  return 2;
}

/* seal(): from here on, trace_admit refuses nodes that are too early */
static int trace_seal(lua_State *L) {
  state_enter(L);
  trace_now()->sealed = true;
  return 0;
}

/* note_shape_read(): the trace is valid for these shapes only */
static int note_shape_read(lua_State *L) {
  trace_shape_read(L);
  return 0;
}

/* list_nodes(): from here on lists all new nodes, even unused ones, which may determine shapes of parameters */
static int list_nodes(lua_State *L) {
  state_enter(L);
  Trace *trace = trace_now();
  if (trace->shape_pending) return 0;
  trace->shape_pending = true;
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &made_key);
  return 0;
}

/* finish() -> the captured arrays, their Symbols, the kept Symbols, was a shape read?, the list of list_nodes or nil,
** was the context read? */
static int trace_finish(lua_State *L) {
  coroutine_enter(L);
  Trace *trace = trace_now();
  trace->id = 0;
  coroutine_trace(false);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &captures_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &captures_key);
  lua_newtable(L);
  if (!lua_istable(L, -2)) {
    lua_newtable(L);
    lua_replace(L, -3);
  }
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -2); i++) {
    lua_rawgeti(L, -2, i);
    lua_rawget(L, -3);
    lua_rawseti(L, -2, i);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
  lua_pushboolean(L, trace->shape_read);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &made_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &made_key);
  trace->shape_pending = false;
  lua_pushboolean(L, trace->device_read);
  return 6;
}

/* active() -> is the running code part of a trace?, is a trace running elsewhere?, breaks_observed, breaks_learning */
static int trace_active(lua_State *L) {
  bool here = tracing(L);
  lua_pushboolean(L, here);
  lua_pushboolean(L, trace_now()->id && !here);
  lua_pushboolean(L, breaks_observed(L));
  lua_pushboolean(L, breaks_learning());
  return 4;
}

void open_trace(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "begin", trace_begin }, { "finish", trace_finish }, { "seal", trace_seal }, { "active", trace_active },
    { "list_nodes", list_nodes }, { "note_shape_read", note_shape_read }, { "sources", trace_sources },
    { "refusal", trace_refusal }, { "first_value_read", first_value_read }, { "set_modes", set_modes },
    { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
