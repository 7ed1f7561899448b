/* lua_memory.c - see lua_memory.h.
**
** To Lua an array is a userdata of a hundred bytes, whatever its size. So collections are triggered by the bytes
** allocated for arrays, before the next array is made (afterwards its operands would count as live).
** A young collection, cheap in the generational mode, runs after a quarter of the live bytes was allocated since the
** last one: at least STEP, and at most MOST_STEP, so that results reuse a few cached blocks. A full collection runs
** when the live bytes have grown by half since the last full one. This keeps the peak below three times the live set.
** The host sets the collector's mode; if that is not generational, a young collection is a step of Lua's incremental
** one. A host that has stopped its collector has stopped this too.
*/
#include "bind/core/lua_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const int64_t STEP = 1 << 20, MOST_STEP = 8 << 20;

/* For tests: HYBRIDLUA_GC=aggressive runs a young collection at every array and a full one every FULL_EVERY arrays, so
** that objects without a reference do not survive. */
enum { FULL_EVERY = 500 };

static bool aggressive(void) {
  static _Atomic int known = -1;
  if (known < 0) {
    const char *mode = getenv("HYBRIDLUA_GC");
    known = mode && strcmp(mode, "aggressive") == 0;
  }
  return known;
}

/* When this thread has allocated enough since `from`, the next turn begins, in which each of its Lua states collects
** once. */
static _Thread_local struct { uint64_t from, turn; } pace_turn;

static inline bool is_turn(const Pace *pace) {
  int64_t since = (int64_t)(memory_allocated() - pace_turn.from);
  return since >= (pace->allowance > STEP ? pace->allowance : STEP) || pace->turn != pace_turn.turn;
}

void pace_collector(lua_State *L) {
  coroutine_enter(L);
  Pace *pace = &state_now()->pace;
  bool stepped = __builtin_expect(aggressive(), 0);
  if (stepped) {
    if (++pace->arrays % FULL_EVERY == 0) lua_gc(L, LUA_GCCOLLECT);
    else lua_gc(L, LUA_GCSTEP, 0);
  }
  if (!is_turn(pace) || lua_gc(L, LUA_GCISRUNNING) != 1) return;
  if (!stepped) lua_gc(L, LUA_GCSTEP, 0);
  int64_t live = memory_counters().live;
  if (live > pace->after_full + pace->after_full / 2 + STEP) {
    lua_gc(L, LUA_GCCOLLECT);
    pace->after_full = live = memory_counters().live;
  } else if (live < pace->after_full) {
    pace->after_full = live;                /* a large array freed since then must not count */
  }
  pace->allowance = live / 4 < MOST_STEP ? live / 4 : MOST_STEP;
  if (pace->turn == pace_turn.turn) {
    pace_turn.turn++;
    pace_turn.from = memory_allocated();
  }
  pace->turn = pace_turn.turn;
}

bool memory_try_again(lua_State *L, MemoryTry *t) {
  engine_now()->random = t->random;
  if (t->last) return false;
  for (int i = 0; i < 2; i++)
    lua_gc(L, LUA_GCCOLLECT);    /* the second frees objects that finalizers of the first released */
  memory_reclaim();
  *t = memory_try(L);
  return t->last = true;
}
