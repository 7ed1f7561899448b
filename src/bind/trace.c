/* trace.c - the state of the trace under way. Block code is run by Lua (gluon/trace.lua);
** here is what operators and symbols must know of it.
**
** Traces do not nest: a block called inside a trace is simply part of it. A trace belongs to the
** coroutine that began it and to those that begin in it; finalizers that run meanwhile see none.
*/
#include "bind/trace.h"

#include <stdio.h>

#include "ir/graph.h"

static const char captures_key, kept_key;

static _Thread_local struct {
  uint64_t id, last;         /* of the one under way, 0 for none; of the last one */
  bool shape_read;
  bool closed;               /* a step was noted: only what is computed already may be read */
  bool trains_outside;       /* an operator that trains otherwise was met outside of autograd.record */
} trace;

uint64_t trace_under_way(void) { return trace.id; }
void trace_shape_read(lua_State *L) { if (tracing(L)) trace.shape_read = true; }

/* The program runs before the steps, so what reads a parameter (or an array of the script, which may be
** one), draws numbers or writes would do it too early. */
static bool too_early(const Op *op, const Entry *in, int n_in) {
  if (!op_pure(op)) return true;
  for (int i = 0; i < n_in; i++) if (node_is_variable(in[i].node)) return true;
  return false;
}

Status trace_admit(lua_State *L, const Op *op, const Entry *in, int n_in) {
  if (!tracing(L)) return OK;
  if (trace.closed && too_early(op, in, n_in))
    return fail("%s: after backward or Trainer.step in a compiled function only values computed before can be used, not %s: the steps "
                "are made when it has returned; compute it before them, or in another function", op->name,
                op_pure(op) ? "parameters and arrays" : "operators that draw or write");
  if (op->flags & OP_TRAIN && !mode_now.recording) trace.trains_outside = true;
  return OK;
}

/* captures: { list of { array, symbol } }, and by array the symbol again. */
void trace_capture(lua_State *L, int index, Entry *out) {
  if (!tracing(L))
    raise_error(L, "expected Symbols only, got an NDArray among them; outside hybridize give it a place with sym.var");
  index = lua_absindex(L, index);
  Array *a = check_array(L, index);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &captures_key);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    char name[32];
    Node *node;
    lua_pop(L, 1);
    lua_Integer n = (lua_Integer)lua_rawlen(L, -1) + 1;
    snprintf(name, sizeof name, "captured%d", (int)n - 1);
    context_enter(L);
    check(L, node_variable(name, &a->t.type, &node));
    push_entry(L, (Entry){ node, 0 });
    node->origin = origin_here(L);
    node_release(node);
    lua_pushvalue(L, index);
    lua_pushvalue(L, -2);
    lua_rawset(L, -4);                     /* captures[array] = symbol */
    lua_pushvalue(L, index);
    lua_rawseti(L, -3, n);                 /* captures[n] = array */
  }
  *out = to_symbol(L, -1)->entry[0];
  lua_pop(L, 2);
}

void trace_keep(lua_State *L, Entry e) {
  if (!tracing(L)) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
  push_entry(L, e);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

int trace_refuse(lua_State *L, const char *what, const char *instead) {
  return raise_error(L, "%s needs values, and a Symbol has none%s; write %s", what,
                     tracing(L) ? " while a block is hybridized" : "", instead);
}

/* trace_begin() -> scope to return to; raises if one is under way */
static int trace_begin(lua_State *L) {
  if (trace.id) return raise_error(L, "a trace is under way already");
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &captures_key);
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &kept_key);
  context_switch(L);
  trace.id = ++trace.last;
  trace.shape_read = trace.closed = trace.trains_outside = false;
  context_trace(true);
  return 0;
}

/* trace_close(): from here on see too_early */
static int trace_close(lua_State *L) {
  (void)L;
  trace.closed = true;
  return 0;
}

/* trace_end() -> captured arrays, their symbols, symbols to keep, whether a shape was read, whether
** an operator that computes something else in training was met outside of autograd.record */
static int trace_end(lua_State *L) {
  context_enter(L);
  trace.id = 0;
  context_trace(false);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &captures_key);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &captures_key);
  lua_newtable(L);
  if (!lua_istable(L, -2)) { lua_newtable(L); lua_replace(L, -3); }
  for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -2); i++) {
    lua_rawgeti(L, -2, i);
    lua_rawget(L, -3);
    lua_rawseti(L, -2, i);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &kept_key);
  lua_pushboolean(L, trace.shape_read);
  lua_pushboolean(L, trace.trains_outside);
  return 5;
}

/* tracing() -> is what runs part of a trace?, is another under way? */
static int trace_active(lua_State *L) {
  bool here = tracing(L);
  lua_pushboolean(L, here);
  lua_pushboolean(L, trace.id && !here);
  return 2;
}

void open_trace(lua_State *L) {
  const luaL_Reg functions[] = {
    { "trace_begin", trace_begin }, { "trace_end", trace_end }, { "trace_close", trace_close }, { "tracing", trace_active }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
