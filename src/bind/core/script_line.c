/* script_line.c - queries about the call stack: the owner of a running function, lines of the script, the message
** handler. It is the C part of script_line.lua, because traces and blocks query often and debug.getinfo makes a table
** each time.
*/
#include "bind/core/lua_object.h"

/* is_lua_function(x): is it a function written in Lua? */
static int is_lua_function(lua_State *L) { return return_boolean(L, lua_isfunction(L, 1) && !lua_iscfunction(L, 1)); }

/* own_function(function): is it written in C or in hybridlua's files? */
static int own_function(lua_State *L) {
  lua_Debug ar;
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_getinfo(L, ">S", &ar);
  return return_boolean(L, *ar.what == 'C' || own_frame(&ar));
}

/* frame(level) -> "C", "own" (hybridlua's files) or "script", or nil after the last level. Level 1 is the caller. */
static int frame(lua_State *L) {
  lua_Debug ar;
  if (!lua_getstack(L, (int)luaL_checkinteger(L, 1), &ar)) return 0;
  lua_getinfo(L, "S", &ar);
  lua_pushstring(L, *ar.what == 'C' ? "C" : own_frame(&ar) ? "own" : "script");
  return 1;
}

/* line() -> "file:line" of the innermost function of the script; nil if none is running or it has no lines */
static int script_line(lua_State *L) {
  lua_Debug ar;
  int level = 1;
  if (!script_frame(L, &level, &ar) || ar.currentline <= 0) return 0;
  lua_pushfstring(L, "%s:%d", ar.short_src, ar.currentline);
  return 1;
}

/* lines(most) -> a set of the innermost `most` lines of the script that led here, and the innermost, as line() */
static int script_lines(lua_State *L) {
  lua_Debug ar;
  int level = 1;
  lua_Integer most = luaL_checkinteger(L, 1);
  lua_settop(L, 0);
  lua_newtable(L);
  while (most > 0 && script_frame(L, &level, &ar)) {
    if (ar.currentline <= 0) continue;
    lua_pushfstring(L, "%s:%d", ar.short_src, ar.currentline);
    if (lua_gettop(L) == 2) lua_pushvalue(L, -1);      /* the innermost stays */
    lua_pushboolean(L, true);
    lua_rawset(L, 1);
    most--;
  }
  return lua_gettop(L);
}

/* message_handler() -> the message handler of the innermost xpcall; nil if a pcall is further in, or there is neither.
** Upvalues: pcall and xpcall. A running xpcall still has the handler as its second local. */
static int message_handler(lua_State *L) {
  lua_Debug ar;
  for (int level = 1; lua_getstack(L, level, &ar); level++) {
    lua_getinfo(L, "f", &ar);
    if (lua_rawequal(L, -1, lua_upvalueindex(1))) return 0;
    if (lua_rawequal(L, -1, lua_upvalueindex(2))) return lua_getlocal(L, &ar, 2) ? 1 : 0;
    lua_pop(L, 1);
  }
  return 0;
}

void open_script(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "is_lua_function", is_lua_function }, { "own_function", own_function }, { "frame", frame },
    { "line", script_line }, { "lines", script_lines }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  lua_getglobal(L, "pcall");
  lua_getglobal(L, "xpcall");
  lua_pushcclosure(L, message_handler, 2);
  lua_setfield(L, -2, "message_handler");
}
