/* engine.h - the engine state of one script: modes, block call, kernel hooks, order of nodes, random stream, print
** options, profile, deferred segments. All that the engine knows of a script besides its arrays and graphs is here.
**
** A script is a Lua state, whose object holds its engine state (bind/core/lua_state.h). A thread has one at a time,
** engine_now(): the one that engine_bind bound, which is that of the Lua state that ran last in it; without one, the
** thread's own, for programs in C and for threads of loops. So scripts never share one, whichever threads they run in.
**
** Who enters. Lua reports neither that it resumes a coroutine nor that it runs a finalizer, and another Lua state may
** have run since. So a function of ours that Lua calls begins with coroutine_enter (bind/core/coroutine.h): it binds the
** Lua state's engine state and puts the coroutine's modes and block call into it. After Lua may have allocated,
** coroutine_enter_again does. Nobody leaves: the next one enters.
** Test builds (HL_VERIFY) check it: engine_now() ends the process in a function that has not entered
** (bind/core/entry_check.h).
*/
#ifndef HL_STATE_ENGINE_H
#define HL_STATE_ENGINE_H

#include "base/assert.h"
#include "base/device.h"
#include "base/math/random_stream.h"
#include "base/script_origin.h"
#include "tensor/print_array.h"

/* What happens when a new recording uses an array whose tape an earlier backward freed (exec/tape/freed_tape.h): it is
** a constant there, with or without a warning, or that is an error. */
typedef enum OnFreed { FREED_WARN, FREED_CUT, FREED_ERROR } OnFreed;

/* How operators run. */
typedef struct Mode {
  bool recording;        /* operators go onto the tape */
  bool train;            /* training mode: Dropout drops */
  OnFreed on_freed;
  bool anomaly;          /* values are checked: autograd.detect_anomaly (kernels see it in Engine.hooks) */
  Origin origin;         /* the script's line, for what is recorded or written in place */
  Device device;         /* the current context: where the script's arrays are made by default */
  struct OperatorLog *operator_log;  /* where results of operators are logged (exec/eager/operator_log.h), or NULL */
} Mode;

/* The lines that exec/tape/freed_tape.c warns of, each once. */
enum { MOST_FREED_USES = 64 };
typedef struct FreedUse {                  /* recorded nodes that read an array whose tape was freed */
  uint64_t order, n_orders;                  /* their sequence numbers */
  Origin made, used, backward;               /* lines of the array, the nodes, the freeing backward */
} FreedUse;
typedef struct FreedUses {
  Origin latest_backward;
  Origin warned[MOST_FREED_USES];
  FreedUse use[MOST_FREED_USES];              /* the latest, in a ring; n_uses counts all */
  int n_warned;
  unsigned n_uses;
} FreedUses;

/* Consecutive deferred calls: exec/lazy/lazy_segment.h. */
typedef struct LazyState {
  struct LazySegment *first;        /* those with inputs */
  struct LazySegment *recorded;     /* the segment to be recorded on the tape when it runs, or NULL: at most one */
} LazyState;

/* The profiler's record: exec/eager/kernel_watchers.h. */
typedef struct Profile {
  struct Event *at;
  int n, capacity, most;
  int64_t dropped;           /* calls beyond the most */
} Profile;

typedef struct Engine {
  Mode mode;
  struct Scope *scope;       /* of the block call under way, which new nodes take: ir/node.h */
  uint64_t order;            /* the latest node's */
  unsigned hooks;            /* what kernel hooks are on for; 0: nothing (ir/kernel_hook.h) */
  double flops;              /* counted so far: run_flops */
  LazyState lazy;
  RandomState random;
  PrintOptions print;
  Profile profile;
  FreedUses freed;
} Engine;

#define ENGINE_BEGIN { .random = RANDOM_BEGIN, .print = PRINT_DEFAULTS }

/* What engine_bind bound to this thread, or NULL. */
extern _Thread_local Engine *engine_bound;
Engine *engine_of_thread(void) __attribute__((cold, const));       /* the thread's own */

/* The engine state of this thread, whether or not its coroutine was entered. */
static inline Engine *engine_any(void) {
  return __builtin_expect(engine_bound != NULL, 1) ? engine_bound : engine_of_thread();
}

#ifdef HL_VERIFY
extern _Thread_local bool engine_entered;
#else
enum { engine_entered = true };
#endif

/* The engine state that the running code computes with. A macro, so that the assertion has its caller's line. */
#define engine_now() (HL_ASSERT(engine_entered), engine_any())

/* Binds this thread to `e`, which must stay where it is; NULL: to the thread's own again. Called by bind/core alone: it
** takes what is bound for the first member of its own object (state_any in bind/core/lua_state.h). */
static inline void engine_bind(Engine *e) { engine_bound = e; }

void engine_end(Engine *e);

/* ---- What the engine changes for calls of its own ---- */

/* The modes and the block call that operators run in. */
typedef struct Surroundings { Mode mode; struct Scope *scope; } Surroundings;

/* Changes them, and returns those before, to be restored. */
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
