/* list_use.h - errors for arrays and Symbols used as Lua lists, which count from 1, or as functions. */
#ifndef HL_BIND_VALUE_LIST_USE_H
#define HL_BIND_VALUE_LIST_USE_H

#include "bind/core/lua_object.h"

#define ROWS "an array; write for i, row in pairs(x) do, which counts from 0"

void refuse_list_function(lua_State *L);   /* for x[1]: raises where one of Lua's functions for lists reads it */
void refuse_as_iterator(lua_State *L, const char *advice);   /* for a __call: raises in "for row in x do" */
int array_called(lua_State *L);            /* x(...), which raises */
void open_list_use(lua_State *L);

#endif
