/* raw_writes.c - replacements of Lua's rawset and debug.setmetatable, whose writes guards cannot see.
**
** rawset into a block or a module of hybridlua is an assignment, because the table itself is empty: an entry in it
** would hide the field that the metatable finds, and no guard would see it. debug.setmetatable of a number, nil, a
** function or another value of a basic type changes what every function may do, so it discards all traces, as replacing
** a part of a module does. Otherwise they behave like Lua's; hybridlua's own files use Lua's.
*/
#include "bind/trace/raw_writes.h"

#include <lauxlib.h>

#include "bind/core/lua_object.h"
#include "bind/follow/follow.h"

/* Are the entries of the table at index 1 kept elsewhere, where its metatable finds them? */
static bool holds_behind(lua_State *L) {
  if (!lua_getmetatable(L, 1)) return false;
  lua_pushliteral(L, "store");             /* a block (gluon/block.lua) */
  bool found = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 1);
  if (!found) {
    lua_pushliteral(L, "ours");            /* a module (module.lua) */
    found = lua_rawget(L, -2) == LUA_TTABLE;
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
  return found;
}

static int raw_set(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_checkany(L, 2);
  luaL_checkany(L, 3);
  lua_settop(L, 3);
  if (holds_behind(L)) lua_settable(L, 1);
  else lua_rawset(L, 1);
  return 1;
}

/* Its upvalue is a function that discards all traces. */
static int set_metatable(lua_State *L) {
  int type = lua_type(L, 2);
  luaL_argexpected(L, type == LUA_TNIL || type == LUA_TTABLE, 2, "nil or table");
  lua_settop(L, 2);
  lua_setmetatable(L, 1);
  type = lua_type(L, 1);
  if (type != LUA_TTABLE && type != LUA_TUSERDATA) {
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_call(L, 0, 0);
  }
  return 1;
}

/* replace_raw_writes(touch): replaces Lua's functions by these; touch() discards all traces */
static int replace_raw_writes(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_pushglobaltable(L);
  lua_pushcfunction(L, raw_set);
  lua_setfield(L, -2, "rawset");
  follow_as_rawset(raw_set);
  if (lua_getfield(L, -1, "debug") != LUA_TTABLE) return 0;
  lua_pushvalue(L, 1);
  lua_pushcclosure(L, set_metatable, 1);
  lua_setfield(L, -2, "setmetatable");
  return 0;
}

void open_raw_writes(lua_State *L) {
  lua_pushcfunction(L, replace_raw_writes);
  lua_setfield(L, -2, "replace_raw_writes");
}
