/* kernel_hook.h - a hook around kernel calls, for the profiler (times) and anomaly detection (results).
**
** Kernels are run by run_kernel (ir/run_op.h), by executables, and by updates. If Engine.hooks (state/engine.h) is not
** 0, that code calls the hook before and after the kernel; a hook that is off costs only this test. Calls may be
** nested, because a loop runs the kernels of its body. exec/eager/kernel_watchers.h installs the hook.
**
** Under anomaly detection compiled code runs separate specializations, without passes or generated kernels: each
** operator as it was traced. Backward inlines a recorded call that has no such specialization. A node that computes a
** gradient refers to the operator that was differentiated (Node.of).
*/
#ifndef HL_IR_KERNEL_HOOK_H
#define HL_IR_KERNEL_HOOK_H

#include "ir/op.h"
#include "state/engine.h"

enum {
  HOOK_FLOPS = 1,           /* run_count_flops */
  HOOK_TIME = 2,            /* the profiler */
  HOOK_FINITE = 4           /* detect_anomaly */
};

/* Turns one purpose of the hook on or off. */
static inline void hook_set(Engine *e, unsigned what, bool on) { e->hooks = on ? e->hooks | what : e->hooks & ~what; }

/* The current call. */
typedef struct HookedCall {
  const Node *node;          /* the node computed; NULL: an eager call of the script */
  bool backward, compiled;
  double begun, outer;       /* for the hook */
} HookedCall;

typedef struct KernelHook {
  void (*begins)(HookedCall *w);
  /* called after n calls that ran as one; returns s, or the hook's failure */
  Status (*ended)(HookedCall *w, const Call *call, int n, Status s);
} KernelHook;
extern const KernelHook *_Atomic kernel_hook;

/* The node that this thread's next run_kernel computes, for backward over the tape. */
extern _Thread_local const Node *hook_node;

#endif
