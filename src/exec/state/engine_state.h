/* engine_state.h - what computations have of their own, in one object: the random stream, the mode, the block call under way,
** the order of nodes, print options, what is watched. A thread that runs no script has one itself, in the parts; a
** script's state brings its own (bind/core/lua_state.h). So scripts do not meet, in whatever threads they run.
*/
#ifndef HL_EXEC_STATE_ENGINE_STATE_H
#define HL_EXEC_STATE_ENGINE_STATE_H

#include "base/math/random_stream.h"
#include "exec/lazy_port.h"
#include "exec/mode.h"
#include "exec/eager/kernel_watchers.h"
#include "tensor/print_array.h"

typedef struct EngineState {
  RandomState random;
  PrintOptions print;
  NodeMaking making;
  HookState hook_state;
  Profile profile;
  Running running;
  LazyState lazy_state;
} EngineState;

EngineState engine_state_begin(void);

/* This thread computes for `o` from here on, which must stay where it is; NULL: for itself. */
void engine_state_bind(EngineState *o);

void engine_state_end(EngineState *o);

#endif
