/* close_variable.h - does the result of a call become the value of a close variable, local x <close> = f()? */
#ifndef HL_BIND_TRACE_CLOSE_VARIABLE_H
#define HL_BIND_TRACE_CLOSE_VARIABLE_H

#include <stdbool.h>

#include <lua.h>

/* Does it for the running function at `level` of the stack? True only if it is certain: its result enters
** the variable unchanged, and nothing else runs in between. False for a function that a C function calls, and
** if the line has calls that cannot be distinguished. */
bool is_close_variable(lua_State *L, int level);

/* The number of functions that are running in the coroutine: the levels of its stack. */
int stack_levels(lua_State *L);

void open_close_variable(lua_State *L);

#endif
