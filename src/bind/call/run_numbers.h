/* run_numbers.h - the values, as arrays, of numbers bound at run time (bind/follow/bound_numbers.h) in a call. */
#ifndef HL_BIND_CALL_RUN_NUMBERS_H
#define HL_BIND_CALL_RUN_NUMBERS_H

#include "bind/follow/bound_numbers.h"

/* Computes the numbers for a call with n arguments from stack index `first` on. Pushes an array for each of the graph's
** inputs among them; to[]: pointers to these arrays. Raises if a value is not a number. */
void run_numbers(lua_State *L, int numbers, int first, int n, Device device, Array **to);

#endif
