/* lazy_port.h - what exec/lazy must do before an array is written, and before something is recorded. */
#ifndef HL_EXEC_LAZY_PORT_H
#define HL_EXEC_LAZY_PORT_H

#include "tensor/tensor.h"

typedef struct LazySegment LazySegment;        /* what was put off in one go */

/* Before a write into an array: what waits and is made of it is computed, or keeps a copy. */
Status lazy_before_write_now(const Storage *storage);
static inline Status lazy_before_write(const Tensor *t) {
  return __builtin_expect(t->storage && t->storage->waiting > 0, 0) ? lazy_before_write_now(t->storage) : OK;
}

/* What waits, of a thread's own or of whom it computes for (exec/state/engine_state.h). */
typedef struct LazyState {
  LazySegment *first;           /* those with inputs */
  LazySegment *recorded;        /* that which is to go onto the tape when it runs, or NULL: never more than one waits */
} LazyState;
LazyState *lazy_state(void);
void lazy_bind(LazyState *d);

/* Before anything else goes onto the tape, begins or ends a block call, or goes back over the tape: what waits goes
** onto it in its place. */
Status lazy_before_record_now(void);
static inline Status lazy_before_record(void) {
  return __builtin_expect(lazy_state()->recorded != NULL, 0) ? lazy_before_record_now() : OK;
}

#endif
