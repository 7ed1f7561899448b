/* engine_state.c - see engine_state.h. */
#include "exec/state/engine_state.h"

#include "base/memory.h"

EngineState engine_state_begin(void) { return (EngineState){ .random = RANDOM_BEGIN, .print = print_defaults }; }

void engine_state_bind(EngineState *o) {
  random_bind(o ? &o->random : NULL);
  print_bind(o ? &o->print : NULL);
  node_making_bind(o ? &o->making : NULL);
  hook_bind(o ? &o->hook_state : NULL);
  profile_bind(o ? &o->profile : NULL);
  running_bind(o ? &o->running : NULL);
  lazy_bind(o ? &o->lazy_state : NULL);
}

void engine_state_end(EngineState *o) { object_free(o->profile.at); }
