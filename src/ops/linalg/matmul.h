/* matmul.h - parameters and shapes of matmul. */
#ifndef HL_OPS_LINALG_MATMUL_H
#define HL_OPS_LINALG_MATMUL_H

#include "ops/linalg/stack_rules.h"

typedef struct MatmulParams { int64_t transpose_a, transpose_b, np; } MatmulParams;

/* The shape of an operand as a stack of matrices. */
static inline Shape as_matrix(const Shape *s, bool left) {
  if (s->ndim != 1) return *s;
  return left ? shape_of(2, (int64_t[]){ 1, s->dim[0] }) : shape_of(2, (int64_t[]){ s->dim[0], 1 });
}

static inline Shape batch_of(const Shape *matrices) { return leading(matrices, 2); }

/* The result's shape from operands with as_matrix's shapes; false if the batches do not broadcast. */
static inline bool full_shape(const MatmulParams *p, const Shape *a, const Shape *b, Shape *out) {
  Shape left = batch_of(a), right = batch_of(b);
  if (!shape_broadcast(&left, &right, out)) return false;
  out->dim[out->ndim++] = a->dim[a->ndim - (p->transpose_a ? 1 : 2)];
  out->dim[out->ndim++] = b->dim[b->ndim - (p->transpose_b ? 2 : 1)];
  return true;
}

#endif
