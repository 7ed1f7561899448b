/* shape_value.c - shapes as Lua values: tables of integers with a metatable. They print as (2, 3), compare by content,
** and raise an error with advice at [0].
*/
#include "bind/core/lua_object.h"

static const char shape_tag;

static void set_shape_metatable(lua_State *L) { take_metatable(L, &shape_tag); }

void push_shape(lua_State *L, const Shape *s) {
  lua_createtable(L, s->ndim, 0);
  for (int i = 0; i < s->ndim; i++) {
    lua_pushinteger(L, s->dim[i]);
    lua_rawseti(L, -2, i + 1);
  }
  set_shape_metatable(L);
}

/* "(2, 3)", "(3,)", "()" */
static int shape_tostring(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  luaL_Buffer b;
  lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
  luaL_buffinit(L, &b);
  luaL_addchar(&b, '(');
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, 1, i);
    luaL_tolstring(L, -1, NULL);
    lua_remove(L, -2);
    luaL_addvalue(&b);
    if (i < n || n == 1) luaL_addstring(&b, i < n ? ", " : ",");
  }
  luaL_addchar(&b, ')');
  luaL_pushresult(&b);
  return 1;
}

/* Compares with any table: x.shape == {2, 3}. */
static int shape_equals(lua_State *L) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
  bool same = n == (lua_Integer)lua_rawlen(L, 2);
  for (lua_Integer i = 1; same && i <= n; i++) {
    lua_rawgeti(L, 1, i);
    lua_rawgeti(L, 2, i);
    same = lua_compare(L, -1, -2, LUA_OPEQ);
    lua_pop(L, 2);
  }
  return return_boolean(L, same);
}

static int shape_concat(lua_State *L) {
  luaL_tolstring(L, 1, NULL);
  luaL_tolstring(L, 2, NULL);
  lua_concat(L, 2);
  return 1;
}

/* x.shape() */
static int shape_called(lua_State *L) {
  return raise_error(L, "shape is a field, not a method: write x.shape, without the parentheses");
}

/* A missing entry: the end for ipairs, or an error for an index in Python's style. */
static int shape_missing(lua_State *L) {
  if (!lua_isinteger(L, 2) || lua_tointeger(L, 2) > 0) return 0;
  lua_Integer i = lua_tointeger(L, 2), n = (lua_Integer)lua_rawlen(L, 1), place = i < 0 ? n + i + 1 : 1;
  if (place < 1 || place > n)
    return raise_error(L, "shape[%d]: a shape is a Lua table, which counts from 1: this one has indices 1 to %d",
                       (int)i, (int)n);
  return raise_error(L, "shape[%d]: a shape is a Lua table, which counts from 1: write shape[%d] for the %s dimension",
                     (int)i, (int)place,
                     place == n && i < 0 ? "last"
                     : i < 0             ? "same"
                                         : "first");
}

/* new_shape(list or number) -> a shape */
static int new_shape(lua_State *L) {
  lua_settop(L, 1);
  if (lua_istable(L, 1)) {
    lua_Integer n = (lua_Integer)lua_rawlen(L, 1);
    lua_createtable(L, (int)n, 0);
    for (lua_Integer i = 1; i <= n; i++) {
      lua_rawgeti(L, 1, i);
      lua_rawseti(L, -2, i);
    }
  } else {
    luaL_checkinteger(L, 1);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
  }
  set_shape_metatable(L);
  return 1;
}

TableKind table_kind(lua_State *L, int index) {
  if (!lua_istable(L, index)) return TABLE_NONE;
  if (!lua_getmetatable(L, index)) return TABLE_PLAIN;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &shape_tag);
  TableKind kind = lua_rawequal(L, -1, -2) ? TABLE_SHAPE : TABLE_OTHER;
  lua_pop(L, 2);
  return kind;
}

/* is_plain(x): is it a plain table, or a shape? */
static int is_plain(lua_State *L) {
  TableKind kind = table_kind(L, 1);
  return return_boolean(L, kind == TABLE_PLAIN || kind == TABLE_SHAPE);
}

void open_shape(lua_State *L) {
  /* clang-format off */
  const luaL_Reg meta[] = { { "__tostring", shape_tostring }, { "__eq", shape_equals }, { "__concat", shape_concat },
                            { "__index", shape_missing }, { "__call", shape_called }, { NULL, NULL } };
  /* clang-format on */
  luaL_newlib(L, meta);
  set_string(L, "__name", "Shape");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &shape_tag);
  set_function(L, "new_shape", new_shape);
}

void open_plain_tables(lua_State *L) { set_function(L, "is_plain", is_plain); }
