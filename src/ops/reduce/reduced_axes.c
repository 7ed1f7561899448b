/* reduced_axes.c - see reduced_axes.h. */
#include "ops/reduce/reduced_axes.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"

Status reduced_axes(const char *who, const char *param, const ReduceParams *p, int ndim, bool *reduced) {
  const bool all = p->axis.count <= 0;
  TRY(mark_axes(who, param, &p->axis, ndim, reduced));
  for (int i = 0; i < ndim; i++) reduced[i] = all || reduced[i] != (p->exclude != 0);
  return OK;
}

Shape reduced_shape(const Shape *s, const bool *reduced, const ReduceParams *p) {
  Shape out = { 0 };
  for (int i = 0; i < s->ndim; i++) {
    if (!reduced[i]) out.dim[out.ndim++] = s->dim[i];
    else if (p->keepdims) out.dim[out.ndim++] = 1;
  }
  return number_shape(out, p->np);
}

Entry spread_over(Builder *b, Entry e, const Shape *in, const bool *reduced) {
  Shape kept = *in;
  for (int i = 0; i < kept.ndim; i++)
    if (reduced[i]) kept.dim[i] = 1;
  return broadcast_exact(b, reshape_to(b, e, &kept), in);
}
