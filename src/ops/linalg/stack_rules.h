/* stack_rules.h - what rows on stacks of matrices share: the last two axes are rows and columns. */
#ifndef HL_OPS_LINALG_STACK_RULES_H
#define HL_OPS_LINALG_STACK_RULES_H

#include "kernels/matmul/each_matrix.h"
#include "tensor/strided_region.h"

/* The shape without its last `less` axes. */
static inline Shape leading(const Shape *s, int less) {
  Shape out = *s;
  out.ndim -= less;
  return out;
}

/* Dimensions of each right-hand side: b holds vectors if it has one dimension less than A, as in NumPy 1, else
** matrices. */
static inline int side_dims(const Shape *a, const Shape *b) { return b->ndim == a->ndim - 1 ? 1 : 2; }

/* The position in an array of element k of its region. */
static inline int64_t region_position(const Region *r, int64_t k) {
  int64_t at = 0;
  for (int i = r->shape.ndim - 1; i >= 0; k /= r->shape.dim[i--]) at += k % r->shape.dim[i] * r->stride[i];
  return at;
}

/* Arithmetic operations on a stack of (m, n) matrices: the leading term in textbooks, `thirds` times m n k / 3 per
** matrix, where k = min(m, n). */
static inline double factor_flops(const Query *q, double thirds) {
  const Type *in = query_in(q, 0);
  return thirds / 3 * (double)lesser(rows_of(in), columns_of(in)) * (double)shape_size(&in->shape);
}

/* The columns `workspace`, `forward` and `flops` of a row with one input. */
#define MATRIX_COLUMNS(title, wanted, thirds) \
  MATRIX_KERNEL(title, wanted)                \
  static double title##_flops(const Query *q) { return factor_flops(q, thirds); }

#endif
