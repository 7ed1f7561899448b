/* mode.h - the mode that operators run in, one per thread or engine state (exec/state/engine_state.h). */
#ifndef HL_EXEC_MODE_H
#define HL_EXEC_MODE_H

#include "base/device.h"
#include "base/script_origin.h"
#include "ir/node.h"

/* What happens when a new recording uses an array whose tape an earlier backward freed (exec/tape/freed_tape.h): it is
** a constant there, with or without a warning, or that is an error. */
typedef enum OnFreed { FREED_WARN, FREED_CUT, FREED_ERROR } OnFreed;

/* How operators run. */
typedef struct Mode {
  bool recording;        /* operators go onto the tape */
  bool train;            /* training mode: Dropout drops */
  OnFreed on_freed;
  bool anomaly;          /* values are checked: autograd.detect_anomaly (kernels see it in hook_now) */
  Origin origin;         /* the script's line, for what is recorded or written in place */
  Device device;         /* the current context: where the script's arrays are made by default */
  struct OperatorLog *operator_log;  /* where results of operators are logged (exec/eager/operator_log.h), or NULL */
} Mode;

enum { MOST_FREED_USES = 64 };
typedef struct FreedUse {                  /* recorded nodes that read an array whose tape was freed */
  uint64_t order, n_orders;                  /* their sequence numbers */
  Origin made, used, backward;               /* lines of the array, the nodes, the freeing backward */
} FreedUse;

/* The mode of a thread, or of the engine state bound to it by running_bind; NULL: the thread's own again. */
typedef struct Running {
  Mode mode;
  Origin latest_backward;                     /* for exec/tape/freed_tape.c, which warns of each once */
  Origin warned[MOST_FREED_USES];
  FreedUse use[MOST_FREED_USES];              /* the latest, in a ring; n_uses counts all */
  int n_warned;
  unsigned n_uses;
} Running;
extern _Thread_local Running running_own, *running_bound;
static inline Running *running_now(void) { return running_bound ? running_bound : &running_own; }
#define mode_now (running_now()->mode)
static inline void running_bind(Running *running) { running_bound = running; }

/* The modes and the block call that operators run in. */
typedef struct Surroundings { Mode mode; Scope *scope; } Surroundings;
static inline Surroundings surroundings_now(void) { return (Surroundings){ mode_now, scope_now }; }
static inline void surroundings_restore(const Surroundings *before) {
  mode_now = before->mode;
  scope_now = before->scope;
}

/* For the engine's own calls: changes them, and returns those before, to be restored. */
static inline Surroundings surroundings_enter(bool recording, bool train, Origin origin, Scope *scope) {
  const Surroundings before = surroundings_now();
  mode_now = (Mode){ .recording = recording, .train = train, .on_freed = FREED_CUT, .origin = origin };
  scope_now = scope;
  return before;
}

#endif
