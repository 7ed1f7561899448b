/* call_frames.h - the calls of the followed functions that run, and where each of them is.
**
** Lua's record of a call (lua_Debug's i_ci) identifies it: it is compared and never read. Lua uses records again, so a
** call event of a known record means that the call before has ended, by a tail call or an error.
*/
#ifndef HL_BIND_FOLLOW_CALL_FRAMES_H
#define HL_BIND_FOLLOW_CALL_FRAMES_H

#include <lua.h>

#include "base/map.h"
#include "bind/follow/prototype.h"

/* A call that runs. */
typedef struct Frame {
  const void *call;          /* Lua's record of it: compared, never read */
  Prototype *prototype;      /* NULL: our own function, or one in C that the script calls */
  int pc;
  int last;                  /* the instruction before it */
  bool starts_line;          /* `last` begins a line, or jumped back */
  bool own;
  bool loops; /* TFORCALL ran: register A + 4 of the instruction at pc shows whether the loop is over */
  bool makes; /* CLOSURE ran, just before pc */
  bool awaits, negates; /* the comparison at pc has the result of the metamethod `awaited`, or its opposite */
  const void *awaited; /* NULL: not called yet */
  int bound, bound_register; /* 1 + the bound number that was read, or 0; and into which register */
} Frame;

/* The calls of a coroutine. */
typedef struct FrameStack {
  lua_State *L;
  Frame *at;
  int n, room;
  Map place; /* of a call: its place in `at`, if `at` agrees */
} FrameStack;

/* Of all coroutines. */
typedef struct FrameStacks {
  FrameStack *at;
  int n, room, last; /* last: the one that was found last */
} FrameStacks;

/* The coroutine's, an empty one at first. NULL: no memory. */
FrameStack *frames_of(FrameStacks *all, lua_State *L);

/* The call's frame, or NULL. */
Frame *frame_find(const FrameStack *s, const void *call);

/* A new one on top. NULL: no memory. */
Frame *frame_push(FrameStack *s, const void *call);

void frames_free(FrameStacks *all);

#endif
