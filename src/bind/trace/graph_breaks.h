/* graph_breaks.h - reports graph breaks of a block's own code when it runs in segments
** (gluon/hybridize/graph_breaks.lua): the blocks that it calls, and the places where it reads values, which a trace
** does not have.
**
** While a list is set, both are reported to a Lua function. If the code is known to run in segments at every call, the
** list has a lazy trie at index 0, and operators are deferred (exec/lazy/lazy_value.h). A break that is not reported
** does no harm: a trace of such code is refused, and the block runs in segments from then on.
*/
#ifndef HL_BIND_TRACE_GRAPH_BREAKS_H
#define HL_BIND_TRACE_GRAPH_BREAKS_H

#include "bind/core/coroutine.h"
#include "bind/core/trace_port.h"

void breaks_report_read(lua_State *L, const char *what);
void breaks_report_call(lua_State *L, int block);

/* Must the code of this coroutine report its graph breaks? */
bool breaks_observed(lua_State *L);

/* After coroutine_enter: is a block around it being observed for the first time, so that blocks in it must run
** eagerly? */
bool breaks_learning(void);

/* Eager code reads or writes values, or makes shapes that depend on them, by `what`. */
static inline void breaks_read(lua_State *L, const char *what) {
  state_enter(L);
  if (__builtin_expect(state_now()->breaks.on, 0)) breaks_report_read(L, what);
}

/* Defers a call of eager code, if that is possible here, and pushes its result. at[]: stack indices of the operands,
** NDArrays. Raises if one cannot be computed. */
bool breaks_defer_now(lua_State *L, const Op *op, Params *params, const int *at, int n_in);
static inline bool breaks_defer(lua_State *L, const Op *op, Params *params, const int *at, int n_in) {
  return __builtin_expect(state_now()->breaks.trie != NULL, 0) && breaks_defer_now(L, op, params, at, n_in);
}

/* The lazy trie at index 1; raises for anything else. */
const LazyTrie *check_lazy_trie(lua_State *L);

void open_graph_breaks(lua_State *L);

#endif
