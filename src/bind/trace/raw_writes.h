/* raw.h - Lua's functions that write past metatables. */
#ifndef HL_RAW_H
#define HL_RAW_H

#include <lua.h>

void open_raw(lua_State *L);

#endif
