/* trace_port.h - the functions of bind/trace that coroutines and objects call. */
#ifndef HL_BIND_CORE_TRACE_PORT_H
#define HL_BIND_CORE_TRACE_PORT_H

#include "bind/core/lua_state.h"

/* The number of the current trace, whichever coroutines are part of it; 0 if there is none. */
uint64_t trace_under_way(void);

/* Reports segments after their first run. */
void breaks_report_run(lua_State *L);
static inline void breaks_report_own(lua_State *L) {
  if (__builtin_expect(state_now()->breaks.trie != NULL, 0)) breaks_report_run(L);
}

#endif
