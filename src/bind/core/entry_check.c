/* entry_check.c - see entry_check.h. The registered function is the last upvalue of its wrapper, so that its own
** upvalues keep their indices. */
#include "bind/core/lua_state.h"

#ifdef HL_VERIFY
#undef luaL_setfuncs
#undef lua_pushcclosure
#undef lua_tocfunction

/* true at first, like engine_entered: code that Lua does not call need not enter */
_Thread_local bool state_entered = true, entered_before = true;

/* The coroutine that was entered last. */
typedef struct Entered { const State *state; const lua_State *L; bool finalizer; } Entered;

static Entered entered_now(void) {
  const State *s = state_any();
  return s ? (Entered){ s, s->coroutine.L, s->coroutine.finalizer } : (Entered){ 0 };
}

static int call_unentered(lua_State *L) {
  lua_Debug ar;
  lua_getstack(L, 0, &ar);
  lua_getinfo(L, "u", &ar);
  const lua_CFunction f = (lua_CFunction)(uintptr_t)lua_touserdata(L, lua_upvalueindex(ar.nups));
  const Entered before = entered_now();
  const bool state_was = state_entered, engine_was = engine_entered, was_before = entered_before;
  state_entered = engine_entered = entered_before = false;
  const int n = f(L);
  const Entered now = entered_now();
  state_entered = state_was && now.state == before.state;
  entered_before = was_before;
  engine_entered = engine_was && state_entered && now.L == before.L && now.finalizer == before.finalizer;
  return n;
}

/* The wrapper of a function without upvalues is kept in the registry, so that it is the same value each time, as in
** other builds. */
void entry_pushcclosure(lua_State *L, lua_CFunction f, int n_upvalues) {
  void *code = (void *)(uintptr_t)f;
  if (n_upvalues == 0 && lua_rawgetp(L, LUA_REGISTRYINDEX, code) != LUA_TNIL) return;
  if (n_upvalues == 0) lua_pop(L, 1);
  lua_pushlightuserdata(L, code);
  lua_pushcclosure(L, call_unentered, n_upvalues + 1);
  if (n_upvalues > 0) return;
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, code);
}

void entry_setfuncs(lua_State *L, const luaL_Reg *list, int n_upvalues) {
  luaL_checkstack(L, n_upvalues + 1, "too many upvalues");
  for (; list->name; list++) {
    for (int i = 0; i < n_upvalues; i++) lua_pushvalue(L, -n_upvalues);
    entry_pushcclosure(L, list->func, n_upvalues);
    lua_setfield(L, -(n_upvalues + 2), list->name);
  }
  lua_pop(L, n_upvalues);
}

lua_CFunction entry_tocfunction(lua_State *L, int index) {
  lua_CFunction f = lua_tocfunction(L, index);
  if (f != call_unentered) return f;
  lua_Debug ar;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">u", &ar);
  lua_getupvalue(L, index, ar.nups);
  f = (lua_CFunction)(uintptr_t)lua_touserdata(L, -1);
  lua_pop(L, 1);
  return f;
}
#endif
