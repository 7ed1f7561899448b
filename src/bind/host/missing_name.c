/* missing_name.c - calling a name that a module does not have: nd.Convlution(x).
**
** Reading such a name gives nil, as everywhere in Lua, so the mistake only shows when nil is called. There
** Lua knows the name, but not its table. So modules (lua/hybridlua/language/module.lua) remember the missing
** names that were read, and the functions that read them; the metamethod __call of nil, set here unless there is
** one already, checks whether the function now calls a name that it did not find, and lets the module raise.
** Every other call of nil raises Lua's error.
*/
#include <string.h>

#include "bind/core/lua_object.h"

static const char missed_key;    /* in the registry: by name { module, function }; weak, so it keeps nothing alive */

enum { MOST_MISSED = 64 };          /* names that are remembered; then all are forgotten */

static void new_missed(lua_State *L) {
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &missed_key);
}

static lua_Integer entries(lua_State *L, int table) {
  lua_Integer n = 0;
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) n++;
  return n;
}

/* note_missing(module, name): the function that called the caller read it and found nothing */
static int missed(lua_State *L) {
  lua_Debug reader;
  if (lua_type(L, 2) != LUA_TSTRING || !lua_getstack(L, 2, &reader)) return 0;
  lua_settop(L, 2);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &missed_key);
  if (entries(L, 3) >= MOST_MISSED) new_missed(L);
  lua_pushvalue(L, 2);
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, 1);
  lua_getinfo(L, "f", &reader);
  lua_rawseti(L, -2, 2);
  luaL_setmetatable(L, "hybridlua.Missed");
  lua_rawset(L, -3);
  return 0;
}

/* Pushes the module in which the caller did not find `name`; false if there is none. */
static bool push_module(lua_State *L, const char *name) {
  lua_Debug caller;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &missed_key);
  if (lua_getfield(L, -1, name) != LUA_TTABLE || !lua_getstack(L, 1, &caller)) return false;
  lua_rawgeti(L, -1, 2);
  lua_getinfo(L, "f", &caller);
  if (!lua_rawequal(L, -1, -2)) return false;
  lua_rawgeti(L, -3, 1);
  lua_pushstring(L, name);
  bool gone = lua_istable(L, -2) && lua_rawget(L, -2) == LUA_TNIL;
  lua_pop(L, 1);
  return gone;
}

/* missing_names(function or nil) -> { name = module }: names that the function, or any, did not find in modules, for
** hints */
static int missed_in(lua_State *L) {
  lua_settop(L, 1);
  lua_newtable(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &missed_key);
  for (lua_pushnil(L); lua_next(L, 3); lua_settop(L, 4)) {
    lua_rawgeti(L, 5, 2);
    lua_rawgeti(L, 5, 1);
    if (!lua_istable(L, 7) || (!lua_isnil(L, 1) && !lua_rawequal(L, 6, 1))) continue;
    lua_pushvalue(L, 4);
    lua_insert(L, 7);
    lua_rawset(L, 2);
  }
  lua_settop(L, 2);
  return 1;
}

/* The arguments of the call stay on the stack, below what this pushes, because hints read them
** (lua/hybridlua/language/error_hints.lua). */
static int call_of_nil(lua_State *L) {
  lua_Debug ar = { 0 };
  lua_getstack(L, 0, &ar);
  lua_getinfo(L, "n", &ar);
  const char *name = ar.name && *ar.namewhat ? ar.name : NULL;
  bool field = name && (strcmp(ar.namewhat, "field") == 0 || strcmp(ar.namewhat, "method") == 0);
  if (field && push_module(L, name) && luaL_getmetafield(L, -1, "missing") != LUA_TNIL) {
    lua_insert(L, -2);
    lua_pushstring(L, name);
    lua_call(L, 2, 0);                 /* raises */
  }
  luaL_where(L, 1);
  if (name) lua_pushfstring(L, "attempt to call a nil value (%s '%s')", ar.namewhat, name);
  else lua_pushliteral(L, "attempt to call a nil value");
  lua_concat(L, 2);
  return lua_error(L);
}

static void watch_nil(lua_State *L) {
  lua_pushnil(L);
  if (!lua_getmetatable(L, -1)) lua_newtable(L);
  if (lua_getfield(L, -1, "__call") == LUA_TNIL) {
    lua_pushcfunction(L, call_of_nil);
    lua_setfield(L, -3, "__call");
  }
  lua_pop(L, 1);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

void open_missing_name(lua_State *L) {
  luaL_newmetatable(L, "hybridlua.Missed");
  lua_pushliteral(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_pop(L, 1);
  new_missed(L);
  lua_pop(L, 1);
  watch_nil(L);
  lua_pushcfunction(L, missed_in);
  lua_setfield(L, -2, "missing_names");
  lua_pushcfunction(L, missed);
  lua_setfield(L, -2, "note_missing");
}
