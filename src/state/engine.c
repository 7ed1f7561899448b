/* engine.c - see engine.h. */
#include "state/engine.h"

#include "base/memory.h"

_Thread_local Engine *engine_bound;
#ifdef HL_VERIFY
_Thread_local bool engine_entered = true;      /* code that Lua does not call need not enter */
#endif

Engine *engine_of_thread(void) {
  static _Thread_local Engine own = ENGINE_BEGIN;
  return &own;
}

void engine_end(Engine *e) { object_free(e->profile.at); }
