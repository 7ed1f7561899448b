/* lazy_port.h - what exec/lazy must do before an array is written, and before something is recorded. */
#ifndef HL_EXEC_LAZY_PORT_H
#define HL_EXEC_LAZY_PORT_H

#include "tensor/tensor.h"

typedef struct LazySegment LazySegment;        /* consecutive deferred calls */

/* Before a write into an array: lazy values that depend on it are computed, or keep a copy of it. */
Status lazy_before_write_now(const Storage *storage);
static inline Status lazy_before_write(const Tensor *t) {
  return __builtin_expect(t->storage && t->storage->waiting > 0, 0) ? lazy_before_write_now(t->storage) : OK;
}

/* The lazy segments of a thread, or of the engine state that it is bound to (exec/state/engine_state.h). */
typedef struct LazyState {
  LazySegment *first;        /* those with inputs */
  LazySegment *recorded;     /* the segment to be recorded on the tape when it runs, or NULL: there is at most one */
} LazyState;
LazyState *lazy_state(void);
void lazy_bind(LazyState *d);

/* Before anything else is recorded, a block call begins or ends, or backward runs: the deferred segment is recorded,
** so that it gets its sequence number in the order of the calls. */
Status lazy_before_record_now(void);
static inline Status lazy_before_record(void) {
  return __builtin_expect(lazy_state()->recorded != NULL, 0) ? lazy_before_record_now() : OK;
}

#endif
