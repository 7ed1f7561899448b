/* auto_names.c - see auto_names.h. The scopes are a Lua list in the registry, innermost last, of tables { prefix =
** "net0_", counts = { relu = 2 }, number = , context = , scope = }. The first has an empty prefix and is visible
** everywhere. A scope of attributes is { attributes = { __mine__ = "1" }, number = , context = }.
** `context` is the number of the coroutine state that opened the scope, which is visible there and in coroutines that
** it resumes.
*/
#include "bind/core/auto_names.h"

#include "bind/core/coroutine.h"

static const char scopes_key;

static lua_Integer field(lua_State *L, const char *key) {      /* of the table on top */
  lua_getfield(L, -1, key);
  lua_Integer n = lua_tointeger(L, -1);
  lua_pop(L, 1);
  return n;
}

/* Pushes the innermost visible scope with a field `key`, and that field; or nil alone. */
static void push_scope(lua_State *L, const char *key) {
  coroutine_enter(L);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, -1); i > 0; i--, lua_pop(L, 1)) {
    lua_rawgeti(L, -1, i);
    if (i > 1 && !coroutine_leads((uint64_t)field(L, "context"))) continue;
    if (lua_getfield(L, -1, key) == LUA_TNIL) {
      lua_pop(L, 1);
      continue;
    }
    lua_remove(L, -3);
    return;
  }
  lua_pushnil(L);
}

const char *push_name(lua_State *L, const char *given, const char *stem) {
  push_scope(L, "prefix");
  int scope = lua_gettop(L) - 1;
  const char *prefix = lua_tostring(L, -1);
  if (given) {
    lua_pushfstring(L, "%s%s", prefix, given);
  } else {
    lua_getfield(L, scope, "counts");
    lua_getfield(L, -1, stem);
    lua_Integer count = lua_tointeger(L, -1);
    lua_pop(L, 1);
    lua_pushinteger(L, count + 1);
    lua_setfield(L, -2, stem);
    lua_pushfstring(L, "%s%s%I", prefix, stem, (LUAI_UACINT)count);
  }
  lua_replace(L, scope);
  lua_settop(L, scope);
  return lua_tostring(L, -1);
}

/* Pops a scope and adds it for the running coroutine state; returns its number. */
static lua_Integer append_scope(lua_State *L) {
  static _Atomic lua_Integer numbers;
  lua_Integer number = ++numbers;
  set_integer(L, "number", number);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key);
  lua_insert(L, -2);
  coroutine_switch(L);
  set_integer(L, "context", (int64_t)coroutine_id());
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
  return number;
}

/* Adds a scope of names, with the value at the index `value`, 0 for none. */
static lua_Integer append_names(lua_State *L, const char *prefix, int value) {
  lua_createtable(L, 0, 5);
  set_string(L, "prefix", prefix);
  lua_newtable(L);
  lua_setfield(L, -2, "counts");
  if (value) lua_pushvalue(L, value);
  else lua_pushnil(L);
  lua_setfield(L, -2, "scope");
  return append_scope(L);
}

/* Drops scope `number` of a coroutine state and those that it opened later. */
static void drop_scopes(lua_State *L, uint64_t context, lua_Integer number) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key);
  lua_Integer n = lua_istable(L, -1) ? (lua_Integer)lua_rawlen(L, -1) : 0, kept = 1;
  for (lua_Integer i = 2; i <= n; i++) {
    lua_rawgeti(L, -1, i);
    bool drop = (uint64_t)field(L, "context") == context && field(L, "number") >= number;
    if (drop) lua_pop(L, 1);
    else lua_rawseti(L, -2, ++kept);
  }
  for (; n > kept; n--) {
    lua_pushnil(L);
    lua_rawseti(L, -2, n);
  }
  lua_pop(L, 1);
}

void names_forget(lua_State *L, uint64_t context) { drop_scopes(L, context, 0); }

/* push(prefix, scope or nil) -> its number */
static int names_push(lua_State *L) {
  const char *prefix = check_text(L, 1, "name.Prefix: prefix");
  lua_settop(L, 2);
  return return_integer(L, append_names(L, prefix, 2));
}

/* pop(number or nil): drops that scope and those opened in it, which an error may have left; nil: drops all scopes of
** the running coroutine */
static int names_pop(lua_State *L) {
  lua_Integer number = luaL_optinteger(L, 1, 0);
  coroutine_enter(L);
  uint64_t context = coroutine_id();
  lua_rawgetp(L, LUA_REGISTRYINDEX, &scopes_key);
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, -1); number && i > 1; i--, lua_pop(L, 1)) {
    lua_rawgeti(L, -1, i);
    if (field(L, "number") == number) context = (uint64_t)field(L, "context");       /* perhaps another coroutine's */
  }
  drop_scopes(L, context, number);
  return 0;
}

/* scope() -> the value of the innermost scope with one, or nil */
static int names_scope(lua_State *L) {
  push_scope(L, "scope");
  return 1;
}

void push_scope_attributes(lua_State *L) {
  coroutine_enter(L);
  if (!state_now()->attributes_used) {
    lua_pushnil(L);
    return;
  }
  push_scope(L, "attributes");
  lua_remove(L, -2);
}

/* push_attributes(table) -> the scope's number, for pop; new nodes get these attributes */
static int attributes_push(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  coroutine_enter(L);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, 1);
  lua_setfield(L, -2, "attributes");
  state_now()->attributes_used = true;
  return return_integer(L, append_scope(L));
}

/* attributes() -> the table of the innermost scope, or nil */
static int attributes(lua_State *L) {
  push_scope_attributes(L);
  return 1;
}

/* next(given or nil, stem) -> the name */
static int names_next(lua_State *L) {
  push_name(L, lua_isnoneornil(L, 1) ? NULL : check_text(L, 1, "name"), check_text(L, 2, "name"));
  return 1;
}

void open_names(lua_State *L) {
  lua_newtable(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &scopes_key);
  append_names(L, "", 0);
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "push", names_push }, { "pop", names_pop }, { "scope", names_scope }, { "next", names_next },
    { "push_attributes", attributes_push }, { "attributes", attributes }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
