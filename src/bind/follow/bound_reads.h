/* bound_reads.h - numbers bound at run time (bound_numbers.h) in the instructions that the hook follows. Where nothing is
** bound, each function does nothing and returns false. */
#ifndef HL_BIND_FOLLOW_BOUND_READS_H
#define HL_BIND_FOLLOW_BOUND_READS_H

#include "bind/follow/follow.h"

/* Does the instruction read a bound number, from upvalue n, from 0, or from the field? The stand-in replaces it at the
** frame's next event, and nothing is recorded. */
bool bound_upvalue(const Step *s, int n);
bool bound_field(const Step *s, int table, int key);

/* Puts the stand-in into the register that such an instruction has read into. */
void bound_arrive(lua_State *L, lua_Debug *ar, Frame *f);

/* Refuse writes to places of bound numbers, and of stand-ins to places that outlive the trace. */
void bound_write_upvalue(const Step *s, int n, int value);
void bound_write_field(const Step *s, int table, int key, int value);

/* Before an instruction: refuses what a compiled call could not do again with a stand-in. */
void bound_instruction(const Step *s);

/* An argument of a function in C of Lua's or of others, which cannot take a stand-in. */
void bound_argument(lua_State *L, lua_Debug *ar, int value);

#endif
