/* upvalue.h - what a function does with its upvalues. */
#ifndef HL_UPVALUE_H
#define HL_UPVALUE_H

#include <lua.h>

void open_upvalue(lua_State *L);

#endif
