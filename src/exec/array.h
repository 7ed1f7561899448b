/* array.h - what eager code handles: a tensor, and where it stands on the tape. */
#ifndef HL_ARRAY_H
#define HL_ARRAY_H

#include "ir/node.h"

typedef struct Array {
  Tensor t;
  Node *node;      /* the tape's node that made it, or its leaf; NULL: not on the tape. Owned. */
  int index;       /* which output of node */
} Array;

static inline Entry array_entry(const Array *a) { return (Entry){ a->node, a->index }; }

static inline bool array_freed(const Array *a) { return !a->t.data; }

static inline void array_release(Array *a) {
  tensor_release(&a->t);
  node_release(a->node);
  a->node = NULL;
}

#endif
