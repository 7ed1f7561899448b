/* kernel_hook.h - looking at calls of kernels as they are made: their time, their results.
**
** Every kernel is run by run_kernel (ir/run_op.h), by a program, or as part of an update. Where `watch_now` is not 0,
** whoever runs one tells the watcher before and after: that one test is all it costs where nobody watches. Calls may
** be nested, for a loop runs the kernels of its body. Who watches is exec/eager/kernel_watchers.h.
*/
#ifndef HL_IR_KERNEL_HOOK_H
#define HL_IR_KERNEL_HOOK_H

#include "ir/op.h"

enum {
  WATCH_FLOPS = 1,           /* run_count_flops */
  WATCH_TIME = 2,            /* the profiler */
  WATCH_FINITE = 4           /* detect_anomaly */
};

/* What calls are watched for: a thread's own, or what it was lent; NULL: its own again. */
typedef struct Watching {
  unsigned what;
  double flops;              /* counted so far: run_flops */
} Watching;
extern _Thread_local Watching watch_own, *watch_bound;
static inline Watching *watching(void) { return watch_bound ? watch_bound : &watch_own; }
#define watch_now (watching()->what)
static inline void watch_bind(Watching *others) { watch_bound = others; }
static inline void watch_set(unsigned what, bool on) { watch_now = on ? watch_now | what : watch_now & ~what; }

/* A call under way. */
typedef struct Watch {
  const Node *node;          /* that it computes; NULL: an eager call of the script */
  bool backward, compiled;
  double begun, outer;       /* the watcher's */
} Watch;

typedef struct Watcher {
  void (*begins)(Watch *w);
  /* n calls as one; returns s, or a failure of its own */
  Status (*ended)(Watch *w, const Call *call, int n, Status s);
} Watcher;
extern const Watcher *_Atomic watcher;

/* The node that the next call of run_kernel in this thread computes, for backward over the tape. */
extern _Thread_local const Node *watch_node;

#endif
