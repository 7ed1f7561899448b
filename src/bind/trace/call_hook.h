/* call_hook.h - examines each function that a traced block calls. */
#ifndef HL_BIND_TRACE_CALL_HOOK_H
#define HL_BIND_TRACE_CALL_HOOK_H

#include <lua.h>

void open_call_hook(lua_State *L);

#endif
