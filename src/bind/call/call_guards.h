/* call_guards.h - guards: the places that a trace read, and whether they still have the values that it found. */
#ifndef HL_BIND_CALL_CALL_GUARDS_H
#define HL_BIND_CALL_CALL_GUARDS_H

#include <stdbool.h>

#include <lua.h>

typedef struct Guards Guards;

/* NULL if the value is not one. */
Guards *to_guards(lua_State *L, int index);

bool guards_none(const Guards *g);

/* The first guard that does not hold; -1: all hold. `index` is the stack index of g. */
int guards_broken(lua_State *L, const Guards *g, int index);

void open_guard(lua_State *L);

#endif
