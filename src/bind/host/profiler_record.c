/* profiler_record.c - the profiler's record (exec/eager/kernel_watchers.h), for lua/hybridlua/profiler.lua. */
#include "bind/core/coroutine.h"
#include "exec/eager/kernel_watchers.h"

/* profile(true, most) starts or continues recording, with at most `most` calls; profile(false) stops it */
static int profile(lua_State *L) {
  coroutine_enter(L);
  hook_set(engine_now(), HOOK_TIME, lua_toboolean(L, 1));
  if (lua_toboolean(L, 1)) engine_now()->profile.most = (int)luaL_checkinteger(L, 2);
  return 0;
}

/* profile_clear() drops the record */
static int profile_forget(lua_State *L) {
  coroutine_enter(L);
  kernel_profile_clear();
  return 0;
}

static void push_event(lua_State *L, const Event *e) {
  /* clang-format off */
  static const char *const kinds[] = {
    [EVENT_EAGER] = "eager", [EVENT_FORWARD] = "compiled", [EVENT_BACKWARD] = "backward", [EVENT_CALL] = "call" };
  /* clang-format on */
  lua_createtable(L, 0, 11);
  set_string(L, "name", e->name);
  set_string(L, "form", e->form);
  set_string(L, "lines", e->lines);
  set_string(L, "kind", kinds[e->kind]);
  set_boolean(L, "fused", e->fused);
  set_number(L, "begun", e->begun);
  set_number(L, "total", e->total);
  set_number(L, "self", e->self);
  set_number(L, "bytes", e->bytes);
  set_number(L, "flops", e->flops);
  set_integer(L, "memory", e->memory);
}

/* profile_event(i) -> the i-th recorded call, counted from 1; nil after the last */
static int profile_event(lua_State *L) {
  lua_Integer i = luaL_checkinteger(L, 1);
  coroutine_enter(L);
  const Profile *p = &engine_now()->profile;
  if (i < 1 || i > p->n) lua_pushnil(L);
  else push_event(L, &p->at[i - 1]);
  return 1;
}

/* profile_counts() -> numbers of recorded and of dropped calls */
static int profile_counts(lua_State *L) {
  coroutine_enter(L);
  lua_pushinteger(L, engine_now()->profile.n);
  lua_pushinteger(L, engine_now()->profile.dropped);
  return 2;
}

void open_profile(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "profile", profile }, { "profile_clear", profile_forget }, { "profile_event", profile_event },
    { "profile_counts", profile_counts }, { NULL, NULL } };
  /* clang-format on */
  kernel_watchers_open();
  luaL_setfuncs(L, functions, 0);
}
