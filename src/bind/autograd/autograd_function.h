/* autograd_function.h - the state with which a backward calls Lua. */
#ifndef HL_BIND_AUTOGRAD_AUTOGRAD_FUNCTION_H
#define HL_BIND_AUTOGRAD_AUTOGRAD_FUNCTION_H

#include "bind/core/tape_anchor.h"

/* The current backward of this thread: the Lua state that called it, and the stack index of the anchor of all its
** arrays, or of nil. Functions on the tape call Lua there, and join the anchors of their gradients to this anchor. */
typedef struct LuaBackward {
  lua_State *L;
  int anchor;
  struct LuaBackward *outer;
} LuaBackward;
void backward_begin(LuaBackward *b);
void backward_end(void);

#endif
