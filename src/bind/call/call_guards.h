/* call_guards.h - the places that a trace read, and whether they hold what it found there. */
#ifndef HL_BIND_CALL_CALL_GUARDS_H
#define HL_BIND_CALL_CALL_GUARDS_H

#include <stdbool.h>

#include <lua.h>

typedef struct Guards Guards;

/* NULL if it is none. */
Guards *to_guards(lua_State *L, int index);

bool guards_none(const Guards *g);

/* The first guard that does not hold; -1: all hold. `index` is where g is on the stack. */
int guards_broken(lua_State *L, const Guards *g, int index);

void open_guard(lua_State *L);

#endif
