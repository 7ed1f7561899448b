/* autograd_function.h - what calls back from a backward into Lua need. */
#ifndef HL_BIND_AUTOGRAD_AUTOGRAD_FUNCTION_H
#define HL_BIND_AUTOGRAD_AUTOGRAD_FUNCTION_H

#include "bind/core/tape_anchor.h"

/* A backward under way in this thread: the state that called it, and on its stack the anchor of all that goes
** into it, or nil. Functions on the tape call Lua there, and join what their gradients need to the anchor. */
typedef struct LuaBackward {
  lua_State *L;
  int anchor;
  struct LuaBackward *outer;
} LuaBackward;
void backward_begin(LuaBackward *b);
void backward_end(void);

#endif
