/* list_use.c - see list_use.h. ipairs(x) first reads x[1]: it would skip row 0 and fail later with an obscure error.
** Reading x[1] therefore checks which function does so.
*/
#include "bind/value/list_use.h"

#include <string.h>

static const char list_functions;      /* registry key: error texts by function */

/* Was table.unpack called with a first index? It reads x[1] before it pushes anything after its arguments. */
static bool has_begin(lua_State *L, const lua_Debug *caller) {
  if (!lua_getlocal(L, caller, 2)) return false;
  bool given = !lua_isnil(L, -1);
  lua_pop(L, 1);
  return given;
}

void refuse_list_function(lua_State *L) {
  lua_Debug caller;
  if (!lua_getstack(L, 1, &caller)) return;
  lua_getinfo(L, "f", &caller);
  if (!lua_iscfunction(L, -1)) {
    lua_pop(L, 1);
    return;
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_functions);
  lua_insert(L, -2);
  const char *advice = lua_rawget(L, -2) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  if (advice && !(strncmp(advice, "table.unpack", 12) == 0 && has_begin(L, &caller))) raise_error(L, "%s", advice);
  lua_pop(L, 2);
}

void refuse_as_iterator(lua_State *L, const char *advice) {
  lua_Debug ar;
  if (!lua_getstack(L, 0, &ar) || !lua_getinfo(L, "n", &ar) || strcmp(ar.namewhat, "for iterator") != 0) return;
  raise_error(L, "a for loop calls %s", advice);
}

int array_called(lua_State *L) {
  refuse_as_iterator(L, ROWS);
  return raise_error(L, "an NDArray is not called; its elements are read with brackets, as in x[{1, 2}], from 0");
}

/* Adds a function of the table library, such as "table.unpack", if it exists. */
static void add_of_table(lua_State *L, const char *name, const char *instead) {
  int top = lua_gettop(L);
  if (lua_getglobal(L, "table") == LUA_TTABLE && lua_getfield(L, -1, strchr(name, '.') + 1) == LUA_TFUNCTION &&
      lua_iscfunction(L, -1)) {
    lua_pushvalue(L, top);
    lua_insert(L, -2);
    lua_pushfstring(L, "%s begins at 1 and would leave out row 0; write %s", name, instead);
    lua_rawset(L, -3);
  }
  lua_settop(L, top);
}

/* Adds the iterator that ipairs returns. */
static void add_ipairs(lua_State *L) {
  int top = lua_gettop(L);
  if (lua_getglobal(L, "ipairs") == LUA_TFUNCTION && lua_iscfunction(L, -1)) {
    lua_pushvalue(L, top);
    lua_call(L, 1, 1);
    lua_pushliteral(L, "ipairs begins at 1 and would leave out row 0; write for i, row in pairs(x) do");
    if (lua_iscfunction(L, -2)) lua_rawset(L, -3);
  }
  lua_settop(L, top);
}

void open_list_use(lua_State *L) {
  lua_newtable(L);
  add_ipairs(L);
  add_of_table(L, "table.unpack", "table.unpack(x:totable()), or table.unpack(x, 0, #x - 1) for the rows");
  add_of_table(L, "table.concat", "table.concat(x:totable(), \", \")");
  add_of_table(L, "table.sort", "nd.sort(x)");
  lua_rawsetp(L, LUA_REGISTRYINDEX, &list_functions);
}
