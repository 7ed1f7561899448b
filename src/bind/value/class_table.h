/* class_table.h - the methods and metamethods of NDArrays and Symbols. */
#ifndef HL_BIND_VALUE_CLASS_TABLE_H
#define HL_BIND_VALUE_CLASS_TABLE_H

#include "bind/core/lua_object.h"

/* Defines a class, NDArray or Symbol, whose metatable is on top: its methods are the operators' methods, overridden by
** these. `index` becomes __index, with the methods as upvalue 1. The table at `table` gets both as `methods` and
** `metatable`. */
void set_class(lua_State *L, int table, const luaL_Reg *methods, void (*add_methods)(lua_State *L), lua_CFunction index,
               const luaL_Reg *meta);

#endif
