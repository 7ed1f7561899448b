/* kernel_watchers.h - the kernel hooks (ir/kernel_hook.h) of the profiler and of anomaly detection. */
#ifndef HL_EXEC_EAGER_KERNEL_WATCHERS_H
#define HL_EXEC_EAGER_KERNEL_WATCHERS_H

#include "ir/kernel_hook.h"

typedef enum EventKind { EVENT_EAGER, EVENT_FORWARD, EVENT_BACKWARD, EVENT_CALL, N_EVENT_KINDS } EventKind;

/* A call in the profiler's record. */
typedef struct Event {
  const char *name;          /* lives as long as the process */
  const char *form;          /* likewise; NULL: of no operator with several */
  const char *lines;         /* of the script, likewise; "" if not known */
  EventKind kind;
  bool fused;
  double begun, total;       /* seconds, on the clock of base/settings/machine.h */
  double self;               /* without the calls inside it */
  double bytes, flops;       /* read and written; the arithmetic of one run */
  int64_t memory;            /* bytes in use after it */
} Event;

/* Empties the script's profile. */
void kernel_profile_clear(void);

/* A compiled call as a whole, by its name. */
static inline bool profile_wanted(void) { return engine_now()->hooks & HOOK_TIME; }
void kernel_profile_begins(HookedCall *w);
void kernel_profile_ended(HookedCall *w, const char *name);

/* Sets the kernel hook; once, at start. */
void kernel_watchers_open(void);

#endif
