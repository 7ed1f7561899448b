/* stack_rules.h - what rows on stacks of matrices share: the last two axes are rows and columns. */
#ifndef HL_OPS_LINALG_STACK_RULES_H
#define HL_OPS_LINALG_STACK_RULES_H

#include "ir/op.h"
#include "tensor/lapack.h"

static inline int64_t rows_of(const Type *t) { return t->shape.dim[t->shape.ndim - 2]; }
static inline int64_t columns_of(const Type *t) { return t->shape.dim[t->shape.ndim - 1]; }

/* Number of matrices in a stack of this shape. */
static inline int64_t matrices_in(const Shape *s) { return shape_size_range(s, 0, s->ndim - 2); }

/* The shape without its last `less` axes. */
static inline Shape leading(const Shape *s, int less) {
  Shape out = *s;
  out.ndim -= less;
  return out;
}

/* Dimensions of each right-hand side: b holds vectors if it has one dimension less than A, as in NumPy 1, else
** matrices. */
static inline int side_dims(const Shape *a, const Shape *b) { return b->ndim == a->ndim - 1 ? 1 : 2; }

/* Arithmetic operations on a stack of (m, n) matrices: the leading term in textbooks, `thirds` times m n k / 3 per
** matrix, where k = min(m, n). */
static inline double factor_flops(const Query *q, double thirds) {
  const Type *in = query_in(q, 0);
  return thirds / 3 * (double)lesser(rows_of(in), columns_of(in)) * (double)shape_size(&in->shape);
}

/* The column `flops` of a row with one input. */
#define FACTOR_FLOPS(title, thirds) \
  static double title##_flops(const Query *q) { return factor_flops(q, thirds); }

#endif
