/* shape_params.c - see shape_params.h. */
#include "ops/common/shape_params.h"

#include <string.h>

#include "ops/common/shape_rules.h"

Status mark_axes(const char *who, const char *param, const List *axes, int ndim, bool *marked) {
  for (int i = 0; i < ndim; i++) marked[i] = false;
  for (int64_t i = 0; i < axes->count; i++) {
    int axis;
    TRY(axis_normal(who, param, list_ints(axes)[i], ndim, &axis));
    if (marked[axis]) return fail("%s: %s: expected each axis once, got %d twice", who, param, axis);
    marked[axis] = true;
  }
  return OK;
}

List list_of_shape(const Shape *s) {
  List l = { .count = s->ndim };
  memcpy(l.u.i, s->dim, sizeof s->dim);
  return l;
}

Status infer_listed_shape(Infer *f) {
  Shape s = list_shape((const List *)f->params);
  TRY(one_dtype(f, 0, 1));
  return output_shape(f, 0, &s);
}
