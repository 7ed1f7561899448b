/* array.h - what eager code handles: a tensor and its place on the tape. */
#ifndef HL_EXEC_ARRAY_H
#define HL_EXEC_ARRAY_H

#include "ir/node.h"

typedef struct Array {
  Tensor t;
  Node *node;      /* the tape's node that made it, or its leaf; NULL: not on the tape. Owned. */
  int index;       /* which output of node */
} Array;

/* Most arrays of a call, inputs or outputs, that are handled without allocation. */
enum { FEW_ARRAYS = 16 };

static inline Entry array_entry(const Array *a) { return (Entry){ a->node, a->index }; }

static inline bool array_freed(const Array *a) { return !a->t.data; }

static inline void array_release(Array *a) {
  tensor_release(&a->t);
  node_release(a->node);
  a->node = NULL;
}

static inline void array_release_all(Array *a, int64_t n) {
  for (int64_t i = 0; a && i < n; i++) array_release(&a[i]);
}

/* Another reference to the same tensor. */
static inline Array array_share(const Array *a) {
  return (Array){ tensor_share(&a->t), node_retain(a->node), a->index };
}

#endif
