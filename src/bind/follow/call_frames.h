/* call_frames.h - the running calls of followed functions, with their program counters.
**
** Lua's record of a call (i_ci of lua_Debug) identifies it: its address is compared, and it is never read. Lua reuses
** records, so a call event with a known record means that the earlier call has ended, by a tail call or an error.
*/
#ifndef HL_BIND_FOLLOW_CALL_FRAMES_H
#define HL_BIND_FOLLOW_CALL_FRAMES_H

#include <lua.h>

#include "base/map.h"
#include "bind/follow/prototype.h"

typedef struct Frame {
  const void *call;          /* Lua's record of it */
  Prototype *prototype;      /* NULL: our own function, or a C function called by the script */
  int pc;
  int last;                  /* the previous instruction */
  bool starts_line;          /* `last` begins a line, or jumped back */
  bool own;
  bool loops; /* TFORCALL ran: register A + 4 of the instruction at pc shows whether the loop ends */
  bool makes; /* CLOSURE ran, just before pc */
  bool awaits, negates; /* the result of the comparison at pc is that of the metamethod `awaited`, or its negation */
  const void *awaited; /* NULL until it is called */
  int bound, bound_register; /* 1 + the index of the bound number that was read, or 0; its register */
} Frame;

typedef struct FrameStack {
  lua_State *L;
  Frame *at;
  int n, room;
  Map place; /* index in `at` by call; may be stale, so compare with `at` */
} FrameStack;

typedef struct FrameStacks {
  FrameStack *at;
  int n, room, last; /* last: index of the stack found last */
} FrameStacks;

/* The coroutine's stack, empty at first; NULL if memory runs out. */
FrameStack *frames_of(FrameStacks *all, lua_State *L);

/* NULL: the call has none. */
Frame *frame_find(const FrameStack *s, const void *call);

/* A new frame on top; NULL if memory runs out. */
Frame *frame_push(FrameStack *s, const void *call);

void frames_free(FrameStacks *all);

#endif
