/* fold_order.c - see fold_order.h. */
#include "ops/common/fold_order.h"

#include "base/assert.h"

Status reduced_axes(const char *who, const char *param, const ReduceParams *p, int ndim, bool *reduced) {
  int64_t n = p->axis.count;
  for (int i = 0; i < ndim; i++) reduced[i] = n <= 0;
  if (n <= 0) return OK;
  for (int64_t i = 0; i < n; i++) {
    int axis;
    TRY(axis_normal(who, param, list_ints(&p->axis)[i], ndim, &axis));
    if (reduced[axis]) return fail("%s: %s: expected each axis once, got %d twice", who, param, axis);
    reduced[axis] = true;
  }
  for (int i = 0; p->exclude && i < ndim; i++) reduced[i] = !reduced[i];
  return OK;
}

Shape reduced_shape(const Shape *s, const bool *reduced, bool keepdims) {
  Shape out;
  out.ndim = 0;
  for (int i = 0; i < s->ndim; i++) {
    if (!reduced[i]) out.dim[out.ndim++] = s->dim[i];
    else if (keepdims) out.dim[out.ndim++] = 1;
  }
  if (out.ndim == 0) { out.ndim = 1; out.dim[0] = 1; }
  return out;
}

/* Merges neighbouring axes of a kind; axes of 1 belong to either. */
static void plan(FoldOrder *w, const Shape *s, const bool *reduced) {
  int64_t dim[MAX_DIMS], stride[MAX_DIMS], step = 1;
  bool kind[MAX_DIMS];
  int n = 0;
  for (int i = s->ndim - 1; i >= 0; i--) {           /* from the innermost out */
    if (s->dim[i] != 1) {
      if (n > 0 && kind[n - 1] == reduced[i]) dim[n - 1] *= s->dim[i];
      else { dim[n] = s->dim[i]; stride[n] = step; kind[n] = reduced[i]; n++; }
    }
    step *= s->dim[i];
  }
  if (n == 0) { dim[0] = 1; stride[0] = 1; kind[0] = true; n = 1; }
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

void walk_of(const Tensor *in, const bool *reduced, FoldOrder *w) {
  w->size = dtype_size(in->type.dtype);
  w->in = in->data;
  w->n_kept = w->n_reduced = 0;
  plan(w, &in->type.shape, reduced);
}
