/* unentered.c - functions that Lua calls and that forget to enter the engine state (bind/core/entry_check.h), for
** spec/bind/core/entry_spec.lua. `unentered TEXT` runs a chunk with these in the table `functions`. It is built with
** the module's sources as a test build. Exits with 1 if the chunk raises an error.
*/
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

#include "bind/core/coroutine.h"

int luaopen_hybridlua(lua_State *L);

static int read_mode(lua_State *L) {
  lua_pushboolean(L, engine_now()->mode.recording);
  return 1;
}

static int read_state(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)state_now()->blocks_version);
  return 1;
}

static int enter_and_read(lua_State *L) {
  coroutine_enter(L);
  return read_mode(L);
}

static int enter_state_and_read(lua_State *L) {
  state_enter(L);
  return read_state(L);
}

static int enter_state_and_read_mode(lua_State *L) {
  state_enter(L);
  return read_mode(L);
}

static int fail_unentered(lua_State *L) { return luaL_error(L, "no"); }

/* call_and_read(f): enters, calls f(), and then reads the state */
static int call_and_read(lua_State *L) {
  coroutine_enter(L);
  lua_settop(L, 1);
  lua_call(L, 0, 0);
  return read_mode(L);
}

static int call_enter_and_read(lua_State *L) {
  coroutine_enter(L);
  lua_settop(L, 1);
  lua_call(L, 0, 0);
  coroutine_enter_again(L);
  return read_mode(L);
}

int main(int argc, char **argv) {
  static const luaL_Reg functions[] = { { "read_mode", read_mode },
                                        { "read_state", read_state },
                                        { "enter_and_read", enter_and_read },
                                        { "enter_state_and_read", enter_state_and_read },
                                        { "enter_state_and_read_mode", enter_state_and_read_mode },
                                        { "fail_unentered", fail_unentered },
                                        { "call_and_read", call_and_read },
                                        { "call_enter_and_read", call_enter_and_read },
                                        { NULL, NULL } };
  lua_State *L = luaL_newstate();
  if (!L || argc != 2) return 1;
  luaL_openlibs(L);
  luaL_requiref(L, "hybridlua", luaopen_hybridlua, 0);
  luaL_newlib(L, functions);
  lua_setglobal(L, "functions");
  const int failed = luaL_dostring(L, argv[1]);
  if (failed) fprintf(stderr, "%s\n", lua_tostring(L, -1));
  lua_close(L);
  return failed ? 1 : 0;
}
