/* engine_state.h - the engine state of one script, in one object: random stream, modes, current block call, order of
** nodes, print options, kernel hooks. A script's Lua state has its own (bind/core/lua_state.h), and a thread is bound
** to it, so scripts never share one, whichever threads they run in. A thread that runs no script uses the thread-local
** objects of the parts.
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

/* Binds this thread to `o`, which must stay where it is; NULL: to the thread's own state again. */
void engine_state_bind(EngineState *o);

void engine_state_end(EngineState *o);

#endif
