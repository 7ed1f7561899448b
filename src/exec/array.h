/* array.h - the array of eager code: a tensor and its node on the tape. */
#ifndef HL_EXEC_ARRAY_H
#define HL_EXEC_ARRAY_H

#include "ir/node.h"

typedef struct Array {
  Tensor t;
  Node *node;      /* the node that computed it, or its leaf, owned; NULL: not on the tape */
  int index;       /* of the output among the node's */
} Array;

/* A call with at most this many inputs or outputs allocates no lists for them. */
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
