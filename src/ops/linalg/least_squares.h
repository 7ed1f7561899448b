/* least_squares.h - parameters, outputs and thresholds of linalg.pinv, matrix_rank and lstsq. */
#ifndef HL_OPS_LINALG_LEAST_SQUARES_H
#define HL_OPS_LINALG_LEAST_SQUARES_H

#include <float.h>
#include <math.h>

#include "ops/linalg/stack_rules.h"

typedef struct PinvParams { double rcond; int64_t hermitian; } PinvParams;
typedef struct RankParams { double tol; int64_t hermitian, np; } RankParams;
typedef struct LstsqParams { double rcond; } LstsqParams;
enum { OUT_X, OUT_RESIDUALS, OUT_RANK };

static inline int64_t sides_of(const Query *q) {
  return side_dims(&query_in(q, 0)->shape, &query_in(q, 1)->shape) == 1 ? 1 : columns_of(query_in(q, 1));
}

static inline double dtype_epsilon(DType t) { return t == DT_FLOAT32 ? FLT_EPSILON : DBL_EPSILON; }

/* The relative size up to which singular values count as 0. A NaN rcond is the default, a negative one the precision of
** the dtype. */
static inline double least_size(double rcond, DType dtype, int64_t longer_side) {
  const double eps = dtype_epsilon(dtype);
  return isnan(rcond) ? eps * (double)longer_side : rcond < 0 ? eps : rcond;
}

#endif
