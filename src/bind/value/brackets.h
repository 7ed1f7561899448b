/* brackets.h - indexing: x[1], x["1:3, ::2"], x[{1, {2, 5}, {}}], x[mask], x[indices]. */
#ifndef HL_BIND_VALUE_BRACKETS_H
#define HL_BIND_VALUE_BRACKETS_H

#include "bind/core/lua_object.h"

int index_read(lua_State *L);     /* (x, key) -> x[key], for NDArrays and Symbols */
int index_write(lua_State *L);    /* (x, key, value): x[key] = value, in place */
int index_set(lua_State *L);      /* (x, value): x[{}] = value */

int index_set_function(lua_State *L);

#endif
