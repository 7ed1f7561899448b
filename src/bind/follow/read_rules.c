/* read_rules.c - the places that Lua reads for an access, in the order of its luaV_finishget and luaT_trybinTM: the raw
** entry, then the metatable and its metamethod, then the entry in a table that is the metamethod, and so on. A missing
** entry is also a place.
*/
#include <lauxlib.h>

#include "bind/core/lua_object.h"
#include "bind/follow/read_record.h"

static const char names_key; /* registry key */

/* Lua keeps the names of its own events. Other names that the hook pushes are kept here, so that it does not allocate
** them. */
void keep_names(lua_State *L) {
  static const char *const names[] = { "__pairs", "__tostring", "__name", "__metatable", "judge", "kind",
                                       "read",    "existed",    "found",  "wrote",       NULL };
  lua_newtable(L);
  for (int i = 0; names[i]; i++) set_boolean(L, names[i], true);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &names_key);
}

int read_metamethod(lua_State *L, int value, const char *event) {
  value = lua_absindex(L, value);
  lua_checkstack(L, LUA_MINSTACK);
  if (owner_kind(L, value) != OWNER_SCRIPT) {
    lua_pushnil(L);
    return LUA_TNIL;
  }
  record_metatable(L, value);
  if (lua_isnil(L, -1)) return LUA_TNIL;
  int meta = lua_gettop(L);
  lua_pushstring(L, event);
  record_entry(L, meta, meta + 1);
  lua_replace(L, meta);
  lua_settop(L, meta);
  return lua_type(L, meta);
}

int read_metamethods(lua_State *L, int first, int second, const char *event) {
  second = lua_absindex(L, second);
  /* a metamethod of ours decides, without reading the second operand's */
  if (owner_kind(L, first) != OWNER_SCRIPT && luaL_getmetafield(L, first, event) != LUA_TNIL) return lua_type(L, -1);
  int type = read_metamethod(L, first, event);
  /* the arithmetic of strings calls the second operand's metamethod */
  bool passes_on = lua_type(L, first) == LUA_TSTRING && lua_type(L, second) > LUA_TSTRING;
  return type == LUA_TNIL || passes_on ? read_metamethod(L, second, event) : type;
}

void read_index(lua_State *L, int value, int key) {
  int top = lua_gettop(L), at = top + 1;
  key = lua_absindex(L, key);
  lua_checkstack(L, LUA_MINSTACK);
  lua_pushvalue(L, value);
  for (int i = 0; i < MOST_CHAINED; i++) {
    OwnerKind kind = owner_kind(L, at);
    if (kind == OWNER_ASKED) record_object(L, at, key);
    if (kind != OWNER_SCRIPT) break;
    if (lua_istable(L, at)) {
      record_entry(L, at, key);
      if (!lua_isnil(L, -1)) break;
    }
    int type = read_metamethod(L, at, "__index");
    if (type == LUA_TNIL || type == LUA_TFUNCTION) break;
    lua_replace(L, at);
    lua_settop(L, at);
  }
  lua_settop(L, top);
}

void read_newindex(lua_State *L, int value, int key, int to) {
  int top = lua_gettop(L), at = top + 1;
  key = lua_absindex(L, key);
  to = lua_absindex(L, to);
  lua_checkstack(L, LUA_MINSTACK);
  lua_pushvalue(L, value);
  for (int i = 0; i < MOST_CHAINED; i++) {
    bool missing = true;
    if (owner_kind(L, at) != OWNER_SCRIPT) break;
    if (lua_istable(L, at)) {
      lua_pushvalue(L, key);
      missing = lua_rawget(L, at) == LUA_TNIL;
      if (!missing || read_metamethod(L, at, "__newindex") == LUA_TNIL) {
        record_write(L, at, key, to);
        break;
      }
    } else if (read_metamethod(L, at, "__newindex") == LUA_TNIL) {
      break;
    }
    if (lua_isfunction(L, -1)) break;
    lua_replace(L, at);
    lua_settop(L, at);
  }
  lua_settop(L, top);
}

void read_length(lua_State *L, int value) {
  int top = lua_gettop(L);
  value = lua_absindex(L, value);
  if (lua_type(L, value) == LUA_TSTRING) return;
  if (read_metamethod(L, value, "__len") == LUA_TNIL) record_length(L, value);
  lua_settop(L, top);
}

void read_call(lua_State *L, int value) {
  int top = lua_gettop(L);
  for (int i = 0; i < MOST_CHAINED && !lua_isfunction(L, value); i++) {
    if (read_metamethod(L, value, "__call") == LUA_TNIL) break;
    value = lua_gettop(L);
    if (!lua_checkstack(L, 8)) break;
  }
  lua_settop(L, top);
}

enum { OBJECT_DEPTH = 2 };         /* of nested tables in an object, which may hold much else */

void read_all(lua_State *L, int table, int depth) {
  int top = lua_gettop(L);
  table = lua_absindex(L, table);
  TableKind kind = table_kind(L, table);
  if (depth == 0 || kind == TABLE_NONE || !lua_checkstack(L, LUA_MINSTACK)) return;
  if (kind == TABLE_OTHER && owner_kind(L, table) != OWNER_SCRIPT) return;
  if (kind == TABLE_OTHER && depth > OBJECT_DEPTH) depth = OBJECT_DEPTH;
  if (record_outside(L, table)) {
    record_metatable(L, table);
    lua_settop(L, top);
  }
  lua_pushnil(L);
  for (;;) {
    record_next(L, table, top + 1);
    if (!lua_next(L, table)) break;
    read_all(L, top + 2, depth - 1);
    lua_settop(L, top + 1);
  }
  lua_settop(L, top);
}
