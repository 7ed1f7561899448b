/* class_table.c - see class_table.h. */
#include "bind/value/class_table.h"

void set_class(lua_State *L, int table, const luaL_Reg *methods, void (*add_methods)(lua_State *L), lua_CFunction index,
               const luaL_Reg *meta) {
  lua_pushvalue(L, -1);
  lua_setfield(L, table, "metatable");
  luaL_setfuncs(L, meta, 0);
  push_operator_methods(L);
  lua_newtable(L);
  copy_fields(L, -2);
  luaL_setfuncs(L, methods, 0);
  add_methods(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, table, "methods");
  lua_pushcclosure(L, index, 1);
  lua_setfield(L, -3, "__index");
  lua_pop(L, 1);
}
