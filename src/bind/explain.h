/* explain.h - what compiled.c and explain.c share. */
#ifndef HL_BIND_EXPLAIN_H
#define HL_BIND_EXPLAIN_H

#include "bind/object.h"
#include "exec/compiled.h"

/* The compiled graph at a place of the stack; raises if it is something else. */
Compiled *check_compiled(lua_State *L, int index);

#endif
