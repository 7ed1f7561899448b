/* engine.h - the engine state of one script: modes, block call, kernel hooks, node order, random stream, print options,
** profile and deferred segments. Apart from arrays and graphs, this is all that the engine stores for a script.
**
** A script is a Lua state, whose object contains its engine state (bind/core/lua_state.h). Each thread has one engine
** state at a time, engine_now(). engine_bind binds that of the Lua state that last ran in the thread. Threads of C
** programs and of loops use their own instead. So scripts never share one, whatever threads they run in.
**
** Entering. Lua reports neither that it resumes a coroutine nor that it runs a finalizer, and another Lua state may
** have run since. So each of our functions that Lua calls begins with coroutine_enter (bind/core/coroutine.h). It binds
** the Lua state's engine state, and copies the coroutine's modes and block call into it. After Lua may have allocated,
** coroutine_enter_again repeats this. Functions never leave; the next one enters.
**
** Test builds (HL_VERIFY) check this: engine_now() ends the process in a function that has not entered
** (bind/core/entry_check.h).
*/
#ifndef HL_STATE_ENGINE_H
#define HL_STATE_ENGINE_H

#include "base/assert.h"
#include "base/device.h"
#include "base/math/random_stream.h"
#include "base/script_origin.h"
#include "tensor/print_array.h"

/* The effect of recording with an array whose tape was freed by a backward (exec/tape/freed_tape.h): it is a constant,
** with or without a warning, or that is an error. */
typedef enum OnFreed { FREED_WARN, FREED_CUT, FREED_ERROR } OnFreed;

/* The modes in which operators run. */
typedef struct Mode {
  bool recording; /* operators are recorded on the tape */
  bool train; /* training mode: Dropout is active */
  OnFreed on_freed;
  bool anomaly; /* autograd.detect_anomaly: values are checked (kernels check Engine.hooks) */
  Origin origin; /* the script's line, for recorded operators and writes in place */
  Device device; /* the current context: the default for the script's new arrays */
  struct OperatorLog *operator_log;  /* logs the results of operators (exec/eager/operator_log.h), or NULL */
} Mode;

/* Lines that exec/tape/freed_tape.c has warned about, so that each is reported once. */
enum { MOST_FREED_USES = 64 };
typedef struct FreedUse {                  /* recorded nodes that read an array whose tape was freed */
  uint64_t order, n_orders; /* their sequence numbers */
  Origin made, used, backward; /* lines of the array, the nodes, the freeing backward */
} FreedUse;
typedef struct FreedUses {
  Origin latest_backward;
  Origin warned[MOST_FREED_USES];
  FreedUse use[MOST_FREED_USES]; /* the latest, in a ring; n_uses counts all */
  int n_warned;
  unsigned n_uses;
} FreedUses;

/* Consecutive deferred calls: exec/lazy/lazy_segment.h. */
typedef struct LazyState {
  struct LazySegment *first;        /* the list of segments with inputs */
  struct LazySegment *recorded;     /* the only segment that will be recorded on the tape when it runs, or NULL */
} LazyState;

/* The profiler's record: exec/eager/kernel_watchers.h. */
typedef struct Profile {
  struct Event *at;
  int n, capacity, most;
  int64_t dropped; /* number of calls that exceeded `most` */
} Profile;

typedef struct Engine {
  Mode mode;
  struct Scope *scope;       /* of the current block call; new nodes get it (ir/node.h) */
  uint64_t order; /* of the latest node */
  unsigned hooks; /* purposes of the kernel hook that are on, or 0 (ir/kernel_hook.h) */
  double flops; /* see run_flops */
  LazyState lazy;
  RandomState random;
  PrintOptions print;
  Profile profile;
  FreedUses freed;
} Engine;

#define ENGINE_BEGIN { .random = RANDOM_BEGIN, .print = PRINT_DEFAULTS }

/* The engine state that engine_bind bound to this thread, or NULL. */
extern _Thread_local Engine *engine_bound;
Engine *engine_of_thread(void) __attribute__((cold, const)); /* the thread's own */

/* The engine state of this thread, whether or not its coroutine was entered. */
static inline Engine *engine_any(void) {
  return __builtin_expect(engine_bound != NULL, 1) ? engine_bound : engine_of_thread();
}

#ifdef HL_VERIFY
extern _Thread_local bool engine_entered;
#else
enum { engine_entered = true };
#endif

/* The engine state of the running code. It is a macro so that the assertion reports the caller's line. */
#define engine_now() (HL_ASSERT(engine_entered), engine_any())

/* Binds this thread to `e`, which must not move, or to the thread's own if NULL. For bind/core only, which assumes that
** a bound one is the first member of its own object (state_any in bind/core/lua_state.h). */
static inline void engine_bind(Engine *e) { engine_bound = e; }

void engine_end(Engine *e);

/* ---- Surroundings of the engine's own calls ---- */

/* The modes and the block call in which operators run. */
typedef struct Surroundings { Mode mode; struct Scope *scope; } Surroundings;

/* Replaces them, and returns the previous ones, which the caller must restore. */
static inline Surroundings surroundings_enter(bool recording, bool train, Origin origin, struct Scope *scope) {
  Engine *e = engine_now();
  const Surroundings before = { e->mode, e->scope };
  e->mode = (Mode){ .recording = recording, .train = train, .on_freed = FREED_CUT, .origin = origin };
  e->scope = scope;
  return before;
}

static inline Surroundings surroundings_now(void) {
  const Engine *e = engine_now();
  return (Surroundings){ e->mode, e->scope };
}

static inline void surroundings_restore(const Surroundings *before) {
  Engine *e = engine_now();
  e->mode = before->mode;
  e->scope = before->scope;
}

#endif
