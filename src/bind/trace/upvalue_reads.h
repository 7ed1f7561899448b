/* upvalue_reads.h - whether a function reads an upvalue. */
#ifndef HL_BIND_TRACE_UPVALUE_READS_H
#define HL_BIND_TRACE_UPVALUE_READS_H

#include <lua.h>

void open_upvalue_reads(lua_State *L);

#endif
