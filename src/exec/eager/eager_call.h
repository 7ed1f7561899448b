/* eager_call.h - running one operator at once. */
#ifndef HL_EXEC_EAGER_EAGER_CALL_H
#define HL_EXEC_EAGER_EAGER_CALL_H

#include "exec/array.h"
#include "ir/run_op.h"

/* What is done with an array whose tape an earlier backward let go, and which is used in a new recording
** (exec/tape/freed_tape.h): it is a constant there; that is warned of, or silently so, or an error. */
typedef enum OnFreed { FREED_WARN, FREED_CUT, FREED_ERROR } OnFreed;

/* How operators run. */
typedef struct Mode {
  bool recording;        /* operators go onto the tape */
  bool train;            /* training mode: Dropout drops */
  OnFreed on_freed;
  bool anomaly;          /* values are looked at: autograd.detect_anomaly (hook_now says it where kernels run) */
  Origin origin;         /* the script's line, for what is recorded or written in place */
  Device device;         /* the current context: where the script's arrays are made, unless it says where */
  struct OperatorLog *notes;   /* where results of operators are noted (exec/eager/operator_log.h), or NULL */
} Mode;

/* What runs has of its own: a thread, or whom eager_bind says; NULL: the thread again. */
enum { MOST_FREED_USES = 64 };
typedef struct FreedUse {                  /* recorded nodes that read an array whose tape was freed */
  uint64_t order, n_orders;                  /* their numbers */
  Origin made, used, backward;               /* lines of the array, the nodes, the freeing backward */
} FreedUse;
typedef struct Running {
  Mode mode;
  Origin latest_backward;                    /* for exec/tape/freed_tape.c, which warns of each once */
  Origin warned[MOST_FREED_USES];
  FreedUse use[MOST_FREED_USES];              /* the latest, in a ring; n_uses counts all */
  int n_warned;
  unsigned n_uses;
} Running;
extern _Thread_local Running eager_own, *eager_bound;
static inline Running *eager_running(void) { return eager_bound ? eager_bound : &eager_own; }
#define mode_now (eager_running()->mode)
static inline void eager_bind(Running *running) { eager_bound = running; }

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

/* Most inputs and outputs that are handled without allocation. */
enum { FEW_ARRAYS = 16 };

/* Runs op on `in`, where these are: all on one device, or it fails; without inputs on `device`. Outputs
** are new arrays in out[0 .. op_outputs), hidden ones too, which the caller releases; on failure there
** are none. Recorded if the mode says so and an input is on the tape. */
Status eager_call(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *out);

/* A copy of `in` on a device, recorded like any operator. */
Status eager_copy_to(Array *in, Device device, Array *out);

/* As eager_call, with the first n_to outputs (at least one) written into existing arrays of the right
** types on the same device (in place if they are inputs too). Further outputs as in eager_call, from out[n_to] on. */
Status eager_call_into(const Op *op, Params *params, Array *const *in, int n_in, Device device, Array *const *to,
                       int n_to, Array *out);

#endif
