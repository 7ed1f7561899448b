/* run_numbers.h - numbers bound at run time (bind/follow/bound_numbers.h) in a call: their values become arrays. */
#ifndef HL_BIND_CALL_RUN_NUMBERS_H
#define HL_BIND_CALL_RUN_NUMBERS_H

#include "bind/follow/bound_numbers.h"

/* Makes the steps with the numbers of a call whose n arguments begin at stack index `first`; pushes an array for each
** input of the graph, and a pointer to it into to[]. Raises if a value is not a number. */
void run_numbers(lua_State *L, int numbers, int first, int n, Device device, Array **to);

#endif
