/* step_calls.h - training steps of compiled functions: their nodes in a trace, and their functions in Lua. */
#ifndef HL_BIND_CALL_STEP_CALLS_H
#define HL_BIND_CALL_STEP_CALLS_H

#include "bind/call/compiled_value.h"
#include "exec/program/step_rows.h"

/* The host of a call's steps. */
typedef struct LuaSteps {
  StepHost host;
  lua_State *L;
  int functions;             /* stack index of the list of functions; 0: the compiled function has no steps */
} LuaSteps;

LuaSteps steps_begin(lua_State *L, int functions);

/* After a call whose executable did not perform the steps: performs those that remain. The outputs of the call are on
** the stack, the first at index `first`. */
Status steps_perform_rest(LuaSteps *s, const Compiled *c, int first);

#endif
