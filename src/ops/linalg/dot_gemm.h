/* dot_gemm.h - parameters and shapes of dot, batch_dot, linalg_gemm, gemm2 and syrk. */
#ifndef HL_OPS_LINALG_DOT_GEMM_H
#define HL_OPS_LINALG_DOT_GEMM_H

#include "ops/common/shape_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"

/* The contracted axis of an operand: the last of a and the first of b, or the opposite one if it is transposed. */
static inline int contracted(const Shape *s, bool first) { return first ? 0 : s->ndim - 1; }

/* The shape of an operand as a matrix: (rest, contracted) or (contracted, rest). */
static inline Shape dot_matrix(const Shape *s, bool first) {
  int axis = contracted(s, first);
  Shape rest = without_axis(s, axis);
  int64_t n = shape_size(&rest);
  return shape_of(2, first ? (int64_t[]){ s->dim[axis], n } : (int64_t[]){ n, s->dim[axis] });
}

/* The parameters of batch_dot, linalg_gemm and linalg_gemm2. All axes except rows and columns count matrices. */
typedef struct ProductStack {
  bool transpose_a, transpose_b;
  double alpha, beta;
  int64_t axis;            /* axis of the rows; the columns are the last axis */
} ProductStack;

typedef struct GemmParams { int64_t transpose_a, transpose_b; double alpha, beta; int64_t axis; } GemmParams;

static inline ProductStack batch_dot_stack(const DotParams *p) {
  return (ProductStack){ p->transpose_a, p->transpose_b, 1, 0, -2 };
}
static inline ProductStack gemm_stack(const GemmParams *p) {
  return (ProductStack){ p->transpose_a, p->transpose_b, p->alpha, p->beta, p->axis };
}
static inline ProductStack gemm2_stack(const Gemm2Params *p) {
  return (ProductStack){ p->transpose_a, p->transpose_b, p->alpha, 0, p->axis };
}

typedef struct SyrkParams { int64_t transpose; double alpha; } SyrkParams;

#endif
