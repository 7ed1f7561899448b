/* bound_numbers.h - numbers that a compiled function reads in each call: hybridize{scalars = {"s"}}.
**
** A trace runs with a stand-in in place of each such number. The hook puts it into the register that an instruction has
** read the number into (bound_reads.c), so upvalues and fields keep their numbers for other coroutines. Arithmetic on
** stand-ins is recorded as steps. Each call repeats the steps on its own numbers, with Lua's arithmetic
** (bind/call/run_numbers.c), so integers stay integers, errors are Lua's, and results equal those of eager code.
** A stand-in used with an array becomes an input of the graph, a float64 scalar.
**
** The numbers of a trace form a list of named numbers, constants and results of steps. Its owner is a userdata
** (BoundNumbers), which the trace's compiled calls keep.
*/
#ifndef HL_BIND_FOLLOW_BOUND_NUMBERS_H
#define HL_BIND_FOLLOW_BOUND_NUMBERS_H

#include "bind/core/lua_object.h"

typedef enum NumberKind {
  NUMBER_ARGUMENT, /* the call's argument `a`, counted from 1 */
  NUMBER_UPVALUE, /* upvalue `a` of the function `held` */
  NUMBER_FIELD, /* of the table `held`; its name is `key` */
  NUMBER_CONSTANT, /* `held` */
  NUMBER_ARITHMETIC, /* Lua's operator `op` (LUA_OPADD ...) on a and b, indices in this list */
  NUMBER_MATH /* the function `held` of Lua's math library, for a and, unless it is -1, b */
} NumberKind;

typedef struct BoundNumber {
  NumberKind kind;
  int op, a, b;
  Node *input; /* the variable, if it was used with an array */
  bool exact; /* bound_beside_int64 */
  const void *place; /* UPVALUE: its identity; FIELD: the table */
  Origin line; /* of the script, where it was added */
} BoundNumber;

typedef struct BoundNumbers {
  const void *tag;
  BoundNumber *at;
  int n, capacity;
  int *input, n_inputs; /* indices of the numbers that are inputs, in the inputs' order */
  bool ended; /* has the trace ended? */
} BoundNumbers;

/* The first user value is a list with three parts per number i, from 3 i + 1 on: the held value, key and name. */
enum { BOUND_HELD = 1, BOUND_KEY, BOUND_NAME, BOUND_PARTS };
int push_bound_part(lua_State *L, int numbers, int i, int part); /* returns its type */

BoundNumbers *to_bound_numbers(lua_State *L, int index); /* NULL for other values */

/* The index of a stand-in's number; -1 for other values. Raises if its trace has ended. */
int bound_number(lua_State *L, int index);

/* Pushes the BoundNumbers of a stand-in. */
void push_bound_numbers(lua_State *L, int stand_in);

/* Pushes the BoundNumbers of the current trace, or nil. */
void push_numbers_now(lua_State *L);

/* Pushes a stand-in of number i of the BoundNumbers at index `numbers`. */
void push_stand_in(lua_State *L, int numbers, int i);

/* Pushes the Symbol of number i's input. */
void push_bound_symbol(lua_State *L, int numbers, int i);

/* Notes that a Lua operator combines the stand-in with an array that may be int64: each call then checks that a double
** can hold the number. */
void bound_beside_int64(lua_State *L, int stand_in);

/* Pushes the name of a number for explain and errors: "s", "(1 - s)". */
const char *push_bound_name(lua_State *L, int numbers, int i);

/* Raises an error for an action on a stand-in that a compiled call could not repeat; `what`: "compare it". */
int refuse_bound(lua_State *L, int stand_in, const char *what);

/* (function of Lua's math library) -> a function that records its calls */
int make_bound_math(lua_State *L);

void open_bound_numbers(lua_State *L);

#endif
