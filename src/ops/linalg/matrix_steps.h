/* matrix_steps.h - steps of the gradients of factorizations: parts of stacks of matrices, one vector per matrix as a row
** or column, differences of eigenvalues.
*/
#ifndef HL_OPS_LINALG_MATRIX_STEPS_H
#define HL_OPS_LINALG_MATRIX_STEPS_H

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"

/* e[begin:end] along an axis. */
static inline Entry part(Builder *b, Entry e, int axis, int64_t begin, int64_t end) {
  if (!e.node || b->status != OK) return e;
  const Shape *s = &entry_type(e)->shape;
  if (begin == 0 && end == s->dim[s->ndim + axis]) return e;
  return build_op(b, "slice_axis", &(SliceAxisParams){ axis, begin, end }, 1, e);
}

/* Turns one vector per matrix into a row, or a column. */
static inline Entry as_row(Builder *b, Entry e) { return build_op(b, "expand_dims", &(AxisParams){ -2 }, 1, e); }
static inline Entry as_column(Builder *b, Entry e) { return build_op(b, "expand_dims", &(AxisParams){ -1 }, 1, e); }
static inline Entry scaled(Builder *b, Entry x, Entry by) { return build_op(b, "broadcast_mul", NULL, 2, x, by); }

/* 1 / e; 0 where e is 0. */
static inline Entry reciprocal_or_zero(Builder *b, Entry e) {
  Entry zero = build_op(b, "_equal_scalar", &(ScalarParams){ 0 }, 1, e);
  Entry differs = build_op(b, "_rminus_scalar", &(ScalarParams){ 1 }, 1, zero);
  return build_op(b, "elemwise_div", NULL, 2, differs, build_sum(b, e, zero));
}

/* The matrix of 1 / (e_j - e_i); 0 where the two are equal. */
static inline Entry reciprocal_differences(Builder *b, Entry e) {
  return reciprocal_or_zero(b, build_op(b, "broadcast_sub", NULL, 2, as_row(b, e), as_column(b, e)));
}

#endif
