/* lua_memory.h - the pace of Lua's collector, and calls that run again after a collection. */
#ifndef HL_BIND_CORE_LUA_MEMORY_H
#define HL_BIND_CORE_LUA_MEMORY_H

#include "bind/core/coroutine.h"

/* Called before an array is made: runs Lua's collector at the pace of memory allocated for arrays. */
void pace_collector(lua_State *L);

typedef struct MemoryTry {
  RandomState random;        /* before the call */
  bool last;
} MemoryTry;

static inline MemoryTry memory_try(lua_State *L) {
  coroutine_enter_again(L);
  return (MemoryTry){ .random = engine_now()->random };
}

bool memory_try_again(lua_State *L, MemoryTry *t);

/* Runs `call`, a function of the engine, in the coroutine state of L. If memory runs out, it runs once more after a
** full collection, from the same state, including the random stream. */
#define WITH_MEMORY(L, status, call)                                                              \
  do {                                                                                            \
    MemoryTry try_ = memory_try(L);                                                               \
    do status = (call);                                                                           \
    while (__builtin_expect(status == E_MEMORY, 0) && memory_try_again(L, &try_));                \
  } while (0)

/* WITH_MEMORY that raises if the call fails. */
#define CHECK_WITH_MEMORY(L, call)                                                                \
  do {                                                                                            \
    Status checked_;                                                                              \
    WITH_MEMORY(L, checked_, call);                                                               \
    check(L, checked_);                                                                           \
  } while (0)

#endif
