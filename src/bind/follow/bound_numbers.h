/* bound_numbers.h - numbers that a compiled function is given anew in each call: hybridize{scalars = {"s"}}.
**
** A trace runs with a stand-in in place of each such number. The hook puts it into the register that an instruction has
** read the number into (bound_reads.c), so upvalues and fields keep their numbers, and other coroutines read those.
** Arithmetic on stand-ins is recorded as steps. Each call makes the steps again, by Lua's own arithmetic on the numbers
** of that call (bind/call/run_numbers.c): integers stay integers, and an error is Lua's. So Lua code that is traced
** computes what it would compute eagerly.
** A stand-in that meets an array becomes an input of the graph, a float64 without axes.
**
** The numbers of a trace are a list: those that were named, constants, and results of steps. It belongs to a userdata
** (BoundNumbers), which the trace's compiled calls keep.
*/
#ifndef HL_BIND_FOLLOW_BOUND_NUMBERS_H
#define HL_BIND_FOLLOW_BOUND_NUMBERS_H

#include "bind/core/lua_object.h"

typedef enum NumberKind {
  NUMBER_ARGUMENT,           /* the call's argument `a`, from 1 */
  NUMBER_UPVALUE,            /* upvalue `a` of the function `held` */
  NUMBER_FIELD,              /* of the table `held`; its name is `key` */
  NUMBER_CONSTANT,           /* `held` */
  NUMBER_ARITHMETIC,         /* of a and b, numbers of this list, by Lua's operator `op` (LUA_OPADD ...) */
  NUMBER_MATH                /* what the function `held` of Lua's math returns for a and, unless it is -1, b */
} NumberKind;

typedef struct BoundNumber {
  NumberKind kind;
  int op, a, b;
  Node *input;               /* the variable, once it has met an array */
  bool exact;                /* bound_beside_int64 */
  const void *place;         /* UPVALUE: its identity; FIELD: the table */
  Origin line;               /* of the step */
} BoundNumber;

typedef struct BoundNumbers {
  const void *tag;
  BoundNumber *at;
  int n, capacity;
  int *input, n_inputs;      /* the numbers that are inputs, in the inputs' order */
  bool ended;                /* the trace has */
} BoundNumbers;

/* What number i holds is at 3 i + 1 in the first user value, a list; key and name follow. */
enum { BOUND_HELD = 1, BOUND_KEY, BOUND_NAME, BOUND_PARTS };
int push_bound_part(lua_State *L, int numbers, int i, int part);         /* returns its type */

BoundNumbers *to_bound_numbers(lua_State *L, int index);                 /* NULL: something else */

/* The number of a stand-in, or -1 if the value is none. Raises for that of a trace that has ended. */
int bound_number(lua_State *L, int index);

/* Pushes the numbers that it belongs to. */
void push_bound_numbers(lua_State *L, int stand_in);

/* Pushes those of the current trace, or nil. */
void push_numbers_now(lua_State *L);

/* Pushes the stand-in of number i of the numbers at the index. */
void push_stand_in(lua_State *L, int numbers, int i);

/* Pushes the Symbol of number i's input. */
void push_bound_symbol(lua_State *L, int numbers, int i);

/* The stand-in meets an array that may be of int64, in a Lua operator: each call checks that a double can hold it. */
void bound_beside_int64(lua_State *L, int stand_in);

/* Pushes the name of a number, as explain and errors show it: "s", "(1 - s)". */
const char *push_bound_name(lua_State *L, int numbers, int i);

/* Raises: the script does with a stand-in what a compiled call could not do again. */
int refuse_bound(lua_State *L, int stand_in, const char *what);

/* (function of Lua's math) -> a function that records calls of it */
int make_bound_math(lua_State *L);

void open_bound_numbers(lua_State *L);

#endif
