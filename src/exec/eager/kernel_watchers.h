/* kernel_watchers.h - the kernel hook (ir/kernel_hook.h) of the profiler and of anomaly detection. */
#ifndef HL_EXEC_EAGER_KERNEL_WATCHERS_H
#define HL_EXEC_EAGER_KERNEL_WATCHERS_H

#include "ir/kernel_hook.h"

typedef enum EventKind { EVENT_EAGER, EVENT_FORWARD, EVENT_BACKWARD, EVENT_CALL, N_EVENT_KINDS } EventKind;

/* A call in the profile. */
typedef struct Event {
  const char *name;          /* valid until the process ends */
  const char *form;          /* likewise; NULL if the operator has only one form */
  const char *lines;         /* lines of the script, likewise; "" if unknown */
  EventKind kind;
  bool fused;
  double begun, total;       /* seconds, on the clock of base/settings/machine.h */
  double self;               /* without nested calls */
  double bytes, flops;       /* bytes read and written; arithmetic operations of one run */
  int64_t memory;            /* bytes in use after the call */
} Event;

/* Empties the script's profile. */
void kernel_profile_clear(void);

/* Profile a compiled call as a whole, by name. */
static inline bool profile_wanted(void) { return engine_now()->hooks & HOOK_TIME; }
void kernel_profile_begins(HookedCall *w);
void kernel_profile_ended(HookedCall *w, const char *name);

/* Installs the kernel hook; called once, at start. */
void kernel_watchers_open(void);

#endif
