/* lazy_port.h - the functions of exec/lazy to call before writes and before recording. */
#ifndef HL_EXEC_LAZY_PORT_H
#define HL_EXEC_LAZY_PORT_H

#include "state/engine.h"
#include "tensor/tensor.h"

typedef struct LazySegment LazySegment;

/* Before a write into an array: computes the lazy values that depend on it, or gives them a copy of it. */
Status lazy_before_write_now(const Storage *storage);
static inline Status lazy_before_write(const Tensor *t) {
  return __builtin_expect(t->storage && t->storage->waiting > 0, 0) ? lazy_before_write_now(t->storage) : OK;
}

/* Before anything else is recorded, a block call begins or ends, or backward runs: records the deferred segment, so
** that sequence numbers follow the order of the calls. */
Status lazy_before_record_now(void);
static inline Status lazy_before_record(void) {
  return __builtin_expect(engine_now()->lazy.recorded != NULL, 0) ? lazy_before_record_now() : OK;
}

#endif
