/* close_variable.h - is what a call gives the value of a variable to be closed: local x <close> = f()? */
#ifndef HL_BIND_TRACE_CLOSE_VARIABLE_H
#define HL_BIND_TRACE_CLOSE_VARIABLE_H

#include <stdbool.h>

#include <lua.h>

/* Is that so of the function at `level` of the stack, which runs? True only where it is certain: its result enters
** the variable unchanged, and nothing else runs in between. False also for what a C function calls, and
** where the line holds calls that cannot be told apart. */
bool is_close_variable(lua_State *L, int level);

/* How many functions are running in the coroutine: the levels of its stack. */
int stack_levels(lua_State *L);

void open_close_variable(lua_State *L);

#endif
