/* pieces.h - what a block's own code does when it runs piece by piece (gluon/pieces.lua): which blocks it calls, and
** where it reads values, which a trace could not give.
**
** While a list is set, both are told to a function of Lua's. What is not told does no harm: a trace of such code is
** refused, and the block runs piece by piece from then on.
*/
#ifndef HL_PIECES_H
#define HL_PIECES_H

#include "bind/context.h"

void pieces_tell_read(lua_State *L, const char *what);
void pieces_tell_call(lua_State *L, int block);

/* Is what the code of this coroutine does to be told? */
bool pieces_told(lua_State *L);

/* After context_enter: is a block around it looked at, so that blocks inside are to run at once? */
bool pieces_learning(void);

/* Eager code reads or writes values, or makes shapes that depend on them: `what` says by which means. */
static inline void piece_read(lua_State *L, const char *what) {
  if (__builtin_expect(state_now->pieces.on, 0)) pieces_tell_read(L, what);
}

void open_pieces(lua_State *L);

#endif
