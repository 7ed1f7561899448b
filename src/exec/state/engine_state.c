/* engine_state.c - see engine_state.h. */
#include "exec/state/engine_state.h"

#include "base/memory.h"

Own own_begin(void) { return (Own){ .random = RANDOM_BEGIN, .print = print_defaults }; }

void own_lend(Own *o) {
  random_lend(o ? &o->random : NULL);
  print_lend(o ? &o->print : NULL);
  node_lend(o ? &o->making : NULL);
  watch_lend(o ? &o->watching : NULL);
  profile_lend(o ? &o->profile : NULL);
  eager_lend(o ? &o->running : NULL);
  lazy_lend(o ? &o->lazy_state : NULL);
}

void own_end(Own *o) { object_free(o->profile.at); }
