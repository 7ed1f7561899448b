/* cholesky_inverse.h - parameters of linalg_potrf and sizes of linalg_solve. */
#ifndef HL_OPS_LINALG_CHOLESKY_INVERSE_H
#define HL_OPS_LINALG_CHOLESKY_INVERSE_H

#include "ops/linalg/stack_rules.h"

typedef struct CholeskyParams { int64_t lower; } CholeskyParams;

/* linalg_cholesky has no parameters. */
static inline bool returns_lower(const Op *op, const void *params) {
  return op->params_size == 0 || ((const CholeskyParams *)params)->lower;
}

/* ---- solve --------------------------------------------------------------------------------------------- */

/* Dimensions of each right-hand side and of its solution. */
static inline int solve_own(const Query *q) { return side_dims(&query_in(q, 0)->shape, &query_in(q, 1)->shape); }

static inline int64_t solve_count(const Query *q) {
  Shape over = leading(&query_out(q, 0)->shape, solve_own(q));
  return shape_size(&over);
}

static inline int64_t solve_sides(const Query *q) { return solve_own(q) == 1 ? 1 : columns_of(query_out(q, 0)); }

#endif
