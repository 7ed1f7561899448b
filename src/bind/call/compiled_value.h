/* compiled_value.h - compiled functions as Lua values. */
#ifndef HL_BIND_CALL_COMPILED_VALUE_H
#define HL_BIND_CALL_COMPILED_VALUE_H

#include "bind/core/lua_object.h"
#include "exec/program/compiled_function.h"

/* A compiled graph in a userdata that frees it. */
typedef struct CompiledObject { const void *tag; Compiled *c; } CompiledObject;

CompiledObject *push_compiled(lua_State *L);       /* the caller sets c */
Compiled *check_compiled(lua_State *L, int index);

/* Calls c with the arrays of its inputs, in L's coroutine state; pushes the outputs and returns their number. `object`:
** the stack index of the owner of c, which the caller keeps there. */
int run_compiled(lua_State *L, int object, Compiled *c, Array **in);

/* The arrays from stack index `first` to the top, one for each input; a userdata on the stack holds the pointers. */
Array **check_graph_inputs(lua_State *L, const Compiled *c, int first);

#endif
