/* cholesky_inverse_kernels.c - linalg_potrf, potri, inverse, det, slogdet, solve: tensor/lapack.h for each matrix of a
** stack. */
#include <math.h>

#include "base/math/double_functions.h"
#include "kernels/linalg/each_matrix.h"
#include "ops/linalg/cholesky_inverse.h"

static double square(int64_t n) { return area(n, n); }

/* ---- Cholesky ---------------------------------------------------------------------------------------- */

/* Transposes a square matrix of floats or doubles in place. */
#define TURN(T)                                                                                    \
  for (int64_t i = 0; i < n; i++) {                                                                \
    for (int64_t j = 0; j < i; j++) {                                                              \
      T *x = (T *)data + i * n + j, *y = (T *)data + j * n + i, kept = *x;                         \
      *x = *y;                                                                                     \
      *y = kept;                                                                                   \
    }                                                                                              \
  }
static void turn(DType dtype, int64_t n, void *data) {
  if (dtype == DT_FLOAT32) {
    TURN(float)
  } else {
    TURN(double)
  }
}

static size_t potrf_bytes(const void *params, const Type *in) {
  (void)params;
  return place_bytes(in->dtype, square(columns_of(in)));
}

static Fault potrf_one(const MatrixStack *s, int64_t k, void *workspace) {
  const int64_t size = s->rows * s->rows;
  void *a = place_for(s, 0, k * size, workspace);
  const bool lower = returns_lower(s->c->op, s->c->params);
  load_elements(s, 0, k * size, size, a);
  if (!lower) turn(s->work, s->rows, a);
  Fault fault = factor_cholesky(s->work, s->rows, a);
  if (!lower) turn(s->work, s->rows, a);
  if (fault == FAULT_NONE) store_elements(s, 0, k * size, size, a);
  return fault;
}
MATRIX_KERNEL(potrf, "symmetric positive definite matrices, got one that is not")

static size_t potri_bytes(const void *params, const Type *in) {
  (void)params;
  return place_bytes(in->dtype, square(columns_of(in))) +
         factor_cholesky_inverse_workspace(factor_dtype(in->dtype), columns_of(in));
}

static Fault potri_one(const MatrixStack *s, int64_t k, void *workspace) {
  const int64_t size = s->rows * s->rows;
  void *a = place_for(s, 0, k * size, take_workspace(&workspace, place_bytes(s->dtype, square(s->rows))));
  load_elements(s, 0, k * size, size, a);
  Fault fault = factor_cholesky_inverse(s->work, s->rows, a, workspace);
  if (fault == FAULT_NONE) store_elements(s, 0, k * size, size, a);
  return fault;
}
MATRIX_KERNEL(potri, "regular triangular matrices, got a singular one")

/* ---- LU ------------------------------------------------------------------------------------------------ */

static size_t pivot_bytes(int64_t n) { return matrix_bytes(DT_INT32, (double)n); }

static size_t inverse_bytes(const void *params, const Type *in) {
  (void)params;
  const int64_t n = columns_of(in);
  return pivot_bytes(n) + place_bytes(in->dtype, square(n)) + factor_lu_inverse_workspace(factor_dtype(in->dtype), n);
}

static Fault inverse_one(const MatrixStack *s, int64_t k, void *workspace) {
  const int64_t n = s->rows;
  int *pivot = take_workspace(&workspace, pivot_bytes(n));
  void *a = place_for(s, 0, k * n * n, take_workspace(&workspace, place_bytes(s->dtype, square(n))));
  load_elements(s, 0, k * n * n, n * n, a);
  Fault fault = factor_lu(s->work, n, a, pivot);
  if (fault == FAULT_NONE) fault = factor_lu_inverse(s->work, n, a, pivot, workspace);
  if (fault == FAULT_NONE) store_elements(s, 0, k * n * n, n * n, a);
  return fault;
}
MATRIX_KERNEL(inverse, "regular matrices, got a singular one")

static size_t det_bytes(const void *params, const Type *in) {
  (void)params;
  return pivot_bytes(columns_of(in)) + matrix_bytes(factor_dtype(in->dtype), square(columns_of(in)));
}

/* Returns the determinant, or its sign for slogdet, and sets the logarithm of its absolute value. A singular matrix has
** 0 and minus infinity. */
static double diagonal_product(const MatrixStack *s, int64_t k, void *workspace, double *logarithm) {
  const int64_t n = s->rows;
  int *pivot = take_workspace(&workspace, pivot_bytes(n));
  load_elements(s, 0, k * n * n, n * n, workspace);
  *logarithm = -INFINITY;
  if (factor_lu(s->work, n, workspace, pivot) != FAULT_NONE) return 0;
  double sign = factor_lu_sign(n, pivot), product = sign;
  *logarithm = 0;
  for (int64_t i = 0; i < n; i++) {
    double value = s->work == DT_FLOAT32 ? (double)((const float *)workspace)[i * (n + 1)]
                                         : ((const double *)workspace)[i * (n + 1)];
    product *= value;
    *logarithm += hl_log64(fabs(value));
    if (value < 0) sign = -sign;
    if (isnan(value)) sign = NAN;
  }
  return s->c->n_out == 1 ? product : sign;
}

static Fault det_one(const MatrixStack *s, int64_t k, void *workspace) {
  double logarithm;
  tensor_set(s->c->out[0], k, diagonal_product(s, k, workspace, &logarithm));
  return FAULT_NONE;
}
MATRIX_KERNEL(det, "square matrices")

static size_t slogdet_bytes(const void *params, const Type *in) { return det_bytes(params, in); }

static Fault slogdet_one(const MatrixStack *s, int64_t k, void *workspace) {
  double logarithm;
  tensor_set(s->c->out[0], k, diagonal_product(s, k, workspace, &logarithm));
  tensor_set(s->c->out[1], k, logarithm);
  return FAULT_NONE;
}
MATRIX_KERNEL(slogdet, "square matrices")

/* ---- solve --------------------------------------------------------------------------------------------- */

static size_t solve_bytes(const Query *q) {
  const Type *in = query_in(q, 0);
  const int64_t n = columns_of(in);
  return pivot_bytes(n) + matrix_bytes(factor_dtype(in->dtype), square(n)) +
         place_bytes(in->dtype, (double)n * (double)solve_sides(q));
}

static Fault solve_one(const MatrixStack *s, int64_t k, void *workspace) {
  const Query q = query_of_call(s->c);
  const int own = solve_own(&q);
  const Shape a = leading(&query_in(&q, 0)->shape, 2), b = leading(&query_in(&q, 1)->shape, own),
              over = leading(&query_out(&q, 0)->shape, own);
  const Region from_a = region_broadcast(&a, &over), from_b = region_broadcast(&b, &over);
  const int64_t n = s->rows, sides = solve_sides(&q);
  int *pivot = take_workspace(&workspace, pivot_bytes(n));
  void *matrix = take_workspace(&workspace, matrix_bytes(s->work, square(n))),
       *x = place_for(s, 0, k * n * sides, workspace);
  load_elements(s, 0, region_position(&from_a, k) * n * n, n * n, matrix);
  load_elements(s, 1, region_position(&from_b, k) * n * sides, n * sides, x);
  Fault fault = factor_lu(s->work, n, matrix, pivot);
  if (fault != FAULT_NONE) return fault;
  factor_lu_solve(s->work, n, matrix, pivot, sides, x);
  store_elements(s, 0, k * n * sides, n * sides, x);
  return FAULT_NONE;
}

static Status solve_workspace(const Query *q, Workspace *w) {
  w->bytes = stack_workspace(query_in(q, 0), solve_count(q), solve_bytes(q));
  return OK;
}

static Status solve_run(Call *c) {
  const Query q = query_of_call(c);
  return each_matrix(c, solve_one, solve_count(&q), solve_bytes(&q), "regular matrices, got a singular one");
}

/* ---- Kernels ------------------------------------------------------------------------------------------- */

const Kernel cholesky_inverse_kernels[] = {
  MATRIX_ROW("potrf", potrf), MATRIX_ROW("cholesky", potrf),
  MATRIX_ROW("potri", potri), MATRIX_ROW("inverse", inverse),
  MATRIX_ROW("det", det),     MATRIX_ROW("slogdet", slogdet),
  MATRIX_ROW("solve", solve), { 0 },
};
