/* list_use.h - errors for NDArrays and Symbols that are used as Lua lists, which count from 1, or as functions. */
#ifndef HL_BIND_VALUE_LIST_USE_H
#define HL_BIND_VALUE_LIST_USE_H

#include "bind/core/lua_object.h"

#define ROWS "an array; write for i, row in pairs(x) do, which counts from 0"

void refuse_list_function(lua_State *L);   /* for x[1]: raises if a list function of Lua reads it */
void refuse_as_iterator(lua_State *L, const char *advice);   /* for __call: raises in "for row in x do" */
int array_called(lua_State *L);            /* x(...), an error */
void open_list_use(lua_State *L);

#endif
