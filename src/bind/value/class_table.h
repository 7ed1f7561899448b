/* class_table.h - the methods and metamethods of NDArrays and Symbols. */
#ifndef HL_BIND_VALUE_CLASS_TABLE_H
#define HL_BIND_VALUE_CLASS_TABLE_H

#include "bind/core/lua_object.h"

/* Copies the fields of the table at `index` to the table on top. */
void copy_fields(lua_State *L, int index);

/* Puts the methods of NDArrays or Symbols, the operators' and over them these, into the core table at `table`, with the
** metatable on top. It gets the metamethods, and __index, whose upvalue 1 is the methods. */
void set_class(lua_State *L, int table, const luaL_Reg *methods, void (*add_methods)(lua_State *L), lua_CFunction index,
               const luaL_Reg *meta);

#endif
