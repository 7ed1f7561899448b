/* kernel_hook.h - a hook around calls of kernels, for the profiler (their time) and anomaly detection (their results).
**
** Every kernel is run by run_kernel (ir/run_op.h), by an executable, or as part of an update. Where Engine.hooks
** (state/engine.h) is not 0, the code that runs one calls the hook before and after: that one test is all the hook costs where it is off. Calls
** may be nested, because a loop runs the kernels of its body. exec/eager/kernel_watchers.h installs the hook.
**
** Compiled code under anomaly detection runs specializations of its own, without passes and generated kernels: each
** operator as it was traced. A recorded call without one is inlined in backward. A node that computes a gradient knows
** the operator whose gradient it is (Node.of).
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

/* Sets what the hook is on for. */
static inline void hook_set(Engine *e, unsigned what, bool on) { e->hooks = on ? e->hooks | what : e->hooks & ~what; }

/* A call in progress. */
typedef struct HookedCall {
  const Node *node;          /* that it computes; NULL: an eager call of the script */
  bool backward, compiled;
  double begun, outer;       /* the hook's */
} HookedCall;

typedef struct KernelHook {
  void (*begins)(HookedCall *w);
  /* n calls as one; returns s, or a failure of its own */
  Status (*ended)(HookedCall *w, const Call *call, int n, Status s);
} KernelHook;
extern const KernelHook *_Atomic kernel_hook;

/* The node that the next call of run_kernel in this thread computes, for backward over the tape. */
extern _Thread_local const Node *hook_node;

#endif
