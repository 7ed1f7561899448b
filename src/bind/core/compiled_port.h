/* compiled_port.h - a compiled graph in a userdata that frees it; made in bind/call. */
#ifndef HL_BIND_CORE_COMPILED_PORT_H
#define HL_BIND_CORE_COMPILED_PORT_H

#include "bind/core/lua_object.h"
#include "exec/program/compiled_function.h"

typedef struct CompiledObject { const void *tag; Compiled *c; } CompiledObject;

CompiledObject *push_compiled(lua_State *L);       /* empty, to be filled at once */

#endif
