/* bound_reads.h - numbers bound at run time (bound_numbers.h) in followed instructions. If no number is bound, each
** function does nothing and returns false. */
#ifndef HL_BIND_FOLLOW_BOUND_READS_H
#define HL_BIND_FOLLOW_BOUND_READS_H

#include "bind/follow/follow.h"

/* Does the instruction read a bound number from upvalue n, counted from 0, or from the field? If so, a stand-in
** replaces it at the frame's next event, and the read is not recorded. */
bool bound_upvalue(const Step *s, int n);
bool bound_field(const Step *s, int table, int key);

/* Puts the stand-in into the register of such a read. */
void bound_arrive(lua_State *L, lua_Debug *ar, Frame *f);

/* Reject writes to places of bound numbers, and writes of stand-ins to places that outlive the trace. */
void bound_write_upvalue(const Step *s, int n, int value);
void bound_write_field(const Step *s, int table, int key, int value);

/* Called before an instruction: rejects actions on a stand-in that a compiled call could not repeat. */
void bound_instruction(const Step *s);

/* Rejects a stand-in as the argument of a C function. */
void bound_argument(lua_State *L, lua_Debug *ar, int value);

#endif
