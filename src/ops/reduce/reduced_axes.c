/* reduced_axes.c - see reduced_axes.h. */
#include "ops/reduce/reduced_axes.h"

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
  if (out.ndim == 0) {
    out.ndim = 1;
    out.dim[0] = 1;
  }
  return out;
}
