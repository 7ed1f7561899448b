/* names.c - see names.h. The scopes are a Lua list in the registry, each a table
** { prefix = "net0_", counts = { relu = 2 } }; the first has no prefix and is the
** process's own. */
#include "bind/names.h"

#include <string.h>

static const char scopes_key;

static void push_scope(lua_State *L) {           /* the innermost */
  lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key);
  lua_rawgeti(L, -1, (lua_Integer)lua_rawlen(L, -1));
  lua_remove(L, -2);
}

const char *push_name(lua_State *L, const char *given, const char *stem) {
  push_scope(L);
  int scope = lua_gettop(L);
  lua_getfield(L, scope, "prefix");
  if (given) {
    lua_pushstring(L, given);
  } else {
    lua_getfield(L, scope, "counts");
    lua_getfield(L, -1, stem);
    lua_Integer count = lua_tointeger(L, -1);
    lua_pop(L, 1);
    lua_pushinteger(L, count + 1);
    lua_setfield(L, -2, stem);
    lua_pop(L, 1);
    lua_pushfstring(L, "%s%I", stem, (LUAI_UACINT)count);
  }
  lua_concat(L, 2);
  lua_replace(L, scope);
  lua_settop(L, scope);
  return lua_tostring(L, -1);
}

static void append_scope(lua_State *L, const char *prefix) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key);
  lua_createtable(L, 0, 2);
  set_string(L, "prefix", prefix);
  lua_newtable(L);
  lua_setfield(L, -2, "counts");
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
}

/* names_push(prefix) -> depth to return to */
static int names_push(lua_State *L) {
  const char *prefix = check_text(L, 1, "name.Prefix: prefix");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key);
  lua_Integer depth = (lua_Integer)lua_rawlen(L, -1);
  append_scope(L, prefix);
  lua_pushinteger(L, depth);
  return 1;
}

/* names_pop(depth): drops every scope above it, so that an error in between does no harm */
static int names_pop(lua_State *L) {
  lua_Integer depth = luaL_checkinteger(L, 1);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key);
  for (lua_Integer n = (lua_Integer)lua_rawlen(L, -1); n > depth && n > 1; n--) {
    lua_pushnil(L);
    lua_rawseti(L, -2, n);
  }
  return 0;
}

/* name(given or nil, stem) -> the name */
static int names_next(lua_State *L) {
  push_name(L, lua_isnoneornil(L, 1) ? NULL : check_text(L, 1, "name"), check_text(L, 2, "name"));
  return 1;
}

void open_names(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &scopes_key);
  append_scope(L, "");
  const luaL_Reg functions[] = { { "names_push", names_push }, { "names_pop", names_pop }, { "name", names_next }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
