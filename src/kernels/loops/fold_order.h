/* fold_order.h - the order in which folding kernels traverse an array.
**
** The input's axes are merged into runs of kept and of folded ones; axes of length 1 count as either. If the innermost
** run is folded, an output folds contiguous runs; if it is kept, whole rows, whose columns are neighbouring outputs.
*/
#ifndef HL_KERNELS_LOOPS_FOLD_ORDER_H
#define HL_KERNELS_LOOPS_FOLD_ORDER_H

#include "tensor/tensor.h"

/* Maximum number of columns that a kernel processes together. */
enum { WALK_COLUMNS = 256 };

typedef struct FoldOrder {
  size_t size;                                /* of an element */
  const char *in;
  int64_t count;                              /* elements folded into one output */
  int n_kept, n_reduced;                      /* merged dimensions without the innermost */
  int64_t kept[MAX_DIMS], kept_stride[MAX_DIMS], reduced[MAX_DIMS], reduced_stride[MAX_DIMS];
  bool inner_reduced;
  int64_t inner;                              /* the innermost merged dimension, contiguous */
  int64_t outer;                              /* product of kept */
} FoldOrder;

/* Sets up *w, except for unused entries of its arrays. */
void walk_of(const Tensor *in, const bool *reduced, FoldOrder *w);

/* The offset of element `index` in a block with these dimensions. */
static inline int64_t walk_offset(int64_t index, int n, const int64_t *dim, const int64_t *stride) {
  int64_t offset = 0;
  for (int i = n - 1; i >= 0; i--) {
    offset += index % dim[i] * stride[i];
    index /= dim[i];
  }
  return offset;
}

/* The offset of folded row or run r. */
static inline int64_t walk_row(const FoldOrder *w, int64_t r) {
  if (w->n_reduced == 1) return r * w->reduced_stride[0];
  return walk_offset(r, w->n_reduced, w->reduced, w->reduced_stride);
}

static inline int64_t walk_product(const int64_t *dim, int n) {
  int64_t p = 1;
  for (int i = 0; i < n; i++) p *= dim[i];
  return p;
}

#endif
