/* graph_breaks.h - what a block's own code does when it runs piece by piece (gluon/hybridize/graph_breaks.lua): which blocks it calls, and
** where it reads values, which a trace could not give.
**
** Its operators are put off (exec/lazy/lazy_value.h) where it is known to run so at every call: the list has a Steps then, at
** index 0. While a list is set, both are told to a function of Lua's. What is not told does no harm: a trace of such
** code is refused, and the block runs piece by piece from then on.
*/
#ifndef HL_BIND_TRACE_GRAPH_BREAKS_H
#define HL_BIND_TRACE_GRAPH_BREAKS_H

#include "bind/core/coroutine.h"
#include "bind/core/trace_port.h"

void breaks_report_read(lua_State *L, const char *what);
void breaks_report_call(lua_State *L, int block);

/* Is what the code of this coroutine does to be told? */
bool breaks_observed(lua_State *L);

/* After coroutine_enter: is a block around it looked at, so that blocks inside are to run at once? */
bool breaks_learning(void);

/* Eager code reads or writes values, or makes shapes that depend on them: `what` says by which means. */
static inline void breaks_read(lua_State *L, const char *what) {
  if (__builtin_expect(state_now->breaks.on, 0)) breaks_report_read(L, what);
}

/* Puts a call of eager code off, if that can be done here; pushes its result then. at[]: where the operands are,
** NDArrays. Raises where one cannot be computed. */
bool breaks_defer_now(lua_State *L, const Op *op, Params *params, const int *at, int n_in);
static inline bool breaks_defer(lua_State *L, const Op *op, Params *params, const int *at, int n_in) {
  return __builtin_expect(state_now->breaks.trie != NULL, 0) && breaks_defer_now(L, op, params, at, n_in);
}

/* Of the Steps at index 1; raises for anything else. */
const LazyTrie *check_lazy_trie(lua_State *L);

void open_graph_breaks(lua_State *L);

#endif
