/* call_guards.h - guards: the places that a trace read, and checks that they still have the same values. */
#ifndef HL_BIND_CALL_CALL_GUARDS_H
#define HL_BIND_CALL_CALL_GUARDS_H

#include <stdbool.h>

#include <lua.h>

typedef struct Guards Guards;

/* NULL if the value is not guards. */
Guards *to_guards(lua_State *L, int index);

bool guards_none(const Guards *g);

/* The index of the first guard that does not hold; -1 if all hold. `index`: the stack index of g. */
int guards_broken(lua_State *L, const Guards *g, int index);

void open_guard(lua_State *L);

#endif
