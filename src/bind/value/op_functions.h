/* op_functions.h - calls of a row from Lua's stack, for the functions of nd (op_functions.c) and np (np_promotion.c). */
#ifndef HL_BIND_VALUE_OP_FUNCTIONS_H
#define HL_BIND_VALUE_OP_FUNCTIONS_H

#include "bind/core/lua_object.h"

/* FACE_NP is added for functions of np and sym.np. */
typedef enum Face { FACE_ND, FACE_SYM, FACE_NP } Face;

/* Pushes f with two upvalues, the row and the face. */
void push_function(lua_State *L, lua_CFunction f, const Op *op, Face face);
/* Pushes nd.NAME of a row. */
void push_operator(lua_State *L, const Op *op);

/* Calls a row with all arguments on the stack, without the fast path of arrays. */
int call_by_form(lua_State *L, const Op *op, Face face);

/* The same for a Lua operator, whose operands are on the stack. */
int call_by_metamethod(lua_State *L, const Op *op);

/* Computes and pushes the output of a row with one output. */
bool push_eager(lua_State *L, const Op *op, Params *p, Array **in, int n_in, Kind kind);

/* The fast path for (array, number): nd's array, or any array for a result of np's kind. False: the stack is as it was. */
bool call_array_and_number(lua_State *L, const Op *op, Kind kind);

/* A Lua operator with an operand of np's kind. */
int np_metamethod(lua_State *L, const Op *op);

#endif
