/* prototype.h - a Lua function's code: instructions, constants, lines and inner functions.
**
** It is read from lua_dump once per traced function, and kept in a weak table by function, so it lives while the
** function does.
*/
#ifndef HL_BIND_FOLLOW_PROTOTYPE_H
#define HL_BIND_FOLLOW_PROTOTYPE_H

#include <stdbool.h>
#include <stdint.h>

#include <lua.h>

typedef struct Prototype {
  int n_code, n_inner, n_upvalues;
  bool vararg;
  int constants;                     /* registry reference to the list of constants */
  uint32_t *code;
  int *line;                         /* of each instruction; NULL if the code was stripped */
  const uint32_t *base;              /* test builds: Lua's own copy of the code; NULL until known */
} Prototype;

/* The prototype of the Lua function at `index`; NULL if its dump has an unexpected format. Raises only if memory runs
** out. */
Prototype *prototype_of(lua_State *L, int index);

/* Notes that the function at `maker` made the function at `made` from its inner prototype `number`, counted from 0. */
void prototype_made(lua_State *L, int made, int maker, int number);

/* Pushes constant `number`, counted from 0. */
void push_constant(lua_State *L, const Prototype *p, int number);

void open_prototype(lua_State *L);

#endif
