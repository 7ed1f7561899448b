/* prototype.h - a Lua function's code: instructions, constants, lines and the functions in it.
**
** Read from lua_dump, once for each function of a script that a trace runs. Lua keeps it in a weak table by function, so
** it lives as long as the function.
*/
#ifndef HL_BIND_FOLLOW_PROTOTYPE_H
#define HL_BIND_FOLLOW_PROTOTYPE_H

#include <stdbool.h>
#include <stdint.h>

#include <lua.h>

typedef struct Prototype {
  int n_code, n_inner, n_upvalues;
  bool vararg;
  int constants;                     /* a reference to the list of its constants in the registry */
  uint32_t *code;
  int *line;                         /* of each instruction; NULL: the code was stripped */
  const uint32_t *base;              /* test builds: where Lua has the code; NULL: not known yet */
} Prototype;

/* The prototype of the Lua function at `index`; NULL: its code is not what this Lua version should write. Raises only if
** memory runs out. */
Prototype *prototype_of(lua_State *L, int index);

/* The function at `made` was made by the function at `maker`, from the prototype with this number, from 0, in it. */
void prototype_made(lua_State *L, int made, int maker, int number);

/* Pushes the constant with this number, from 0. */
void push_constant(lua_State *L, const Prototype *p, int number);

void open_prototype(lua_State *L);

#endif
