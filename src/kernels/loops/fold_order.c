/* fold_order.c - see fold_order.h. */
#include "kernels/loops/fold_order.h"

#include "base/assert.h"

/* Merges neighbouring axes of the same kind; axes of length 1 count as either. */
void walk_of(const Tensor *in, const bool *reduced, FoldOrder *w) {
  const Shape *s = &in->type.shape;
  int64_t dim[MAX_DIMS], stride[MAX_DIMS], step = 1;
  bool kind[MAX_DIMS];
  int n = 0;
  for (int i = s->ndim - 1; i >= 0; i--) {           /* from the innermost outwards */
    if (s->dim[i] != 1) {
      if (n > 0 && kind[n - 1] == reduced[i]) dim[n - 1] *= s->dim[i];
      else {
        dim[n] = s->dim[i];
        stride[n] = step;
        kind[n] = reduced[i];
        n++;
      }
    }
    step *= s->dim[i];
  }
  if (n == 0) {
    dim[0] = 1;
    stride[0] = 1;
    kind[0] = true;
    n = 1;
  }
  w->size = dtype_size(in->type.dtype);
  w->in = in->data;
  w->n_kept = w->n_reduced = 0;
  w->inner = dim[0];
  w->inner_reduced = kind[0];
  for (int i = n - 1; i >= 1; i--) {
    int64_t *d = kind[i] ? w->reduced : w->kept, *t = kind[i] ? w->reduced_stride : w->kept_stride;
    int at = kind[i] ? w->n_reduced++ : w->n_kept++;
    d[at] = dim[i];
    t[at] = stride[i];
  }
  HL_ASSERT(w->n_kept + w->n_reduced < MAX_DIMS);
  w->outer = walk_product(w->kept, w->n_kept);
  w->count = walk_product(w->reduced, w->n_reduced) * (w->inner_reduced ? w->inner : 1);
}
