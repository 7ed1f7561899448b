/* raw_writes.h - replaces Lua's functions that write past metatables. */
#ifndef HL_BIND_TRACE_RAW_WRITES_H
#define HL_BIND_TRACE_RAW_WRITES_H

#include <lua.h>

void open_raw_writes(lua_State *L);

#endif
