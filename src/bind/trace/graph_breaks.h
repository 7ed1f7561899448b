/* graph_breaks.h - graph breaks of a block whose own code runs in segments (gluon/hybridize/graph_breaks.lua): calls of
** other blocks, and reads of values, which a trace does not have.
**
** While a list is set, both are reported to a Lua function. Once the code runs in segments at every call, the list has
** a lazy trie at index 0, and operators are deferred (exec/lazy/lazy_value.h). An unreported break is harmless: the
** trace of such code is refused, and the block runs in segments afterwards.
*/
#ifndef HL_BIND_TRACE_GRAPH_BREAKS_H
#define HL_BIND_TRACE_GRAPH_BREAKS_H

#include "bind/core/coroutine.h"
#include "bind/core/trace_port.h"

void breaks_report_read(lua_State *L, const char *what);
void breaks_report_call(lua_State *L, int block);

/* Must the code of this coroutine report its graph breaks? */
bool breaks_observed(lua_State *L);

/* After coroutine_enter: is an outer block being observed for the first time, so that blocks inside must run
** eagerly? */
bool breaks_learning(void);

/* Notes that eager code calls `what`, which reads or writes values, or makes shapes that depend on values. */
static inline void breaks_read(lua_State *L, const char *what) {
  state_enter(L);
  if (__builtin_expect(state_now()->breaks.on, 0)) breaks_report_read(L, what);
}

/* Defers an eager call, if possible, and pushes its result. at[]: stack indices of the operands, NDArrays. Raises if
** one of them cannot be computed. */
bool breaks_defer_now(lua_State *L, const Op *op, Params *params, const int *at, int n_in);
static inline bool breaks_defer(lua_State *L, const Op *op, Params *params, const int *at, int n_in) {
  return __builtin_expect(state_now()->breaks.trie != NULL, 0) && breaks_defer_now(L, op, params, at, n_in);
}

/* The lazy trie at index 1; raises for anything else. */
const LazyTrie *check_lazy_trie(lua_State *L);

void open_graph_breaks(lua_State *L);

#endif
