/* least_squares_kernels.c - linalg.pinv, matrix_rank, lstsq: tensor/lapack.h for each matrix of a stack. */
#include <math.h>
#include <string.h>

#include "kernels/linalg/each_matrix.h"
#include "ops/linalg/least_squares.h"

static double at(DType t, const void *x, int64_t i) {
  return t == DT_FLOAT32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

/* The largest absolute value of n elements, 0 if n is 0. It avoids fmax, which gcc 12 miscompiles for arm64. */
static double largest_size(DType t, const void *x, int64_t n) {
  double largest = 0;
  for (int64_t i = 0; i < n; i++) {
    const double size = fabs(at(t, x, i));
    if (size > largest) largest = size;
  }
  return largest;
}

/* ---- pinv ------------------------------------------------------------------------------------------------ */

static size_t pinv_bytes(const void *params, const Type *in) {
  const PinvParams *p = params;
  const int64_t m = rows_of(in), n = columns_of(in), k = lesser(m, n);
  DType work = factor_dtype(in->dtype);
  return matrix_bytes(work, area(m, n)) + matrix_bytes(work, (double)k) + matrix_bytes(work, area(k, m)) +
         matrix_bytes(work, area(n, k)) + place_bytes(in->dtype, area(m, n)) +
         (p->hermitian ? factor_eigen_workspace(work, n, true) : factor_svd_workspace(work, m, n, true, false));
}

/* Divides column i of v (n, k) by s[i]; sets it to 0 if |s[i]| <= least. */
static void scale_columns(DType t, int64_t n, int64_t k, void *v, const void *s, double least) {
  for (int64_t i = 0; i < k; i++) {
    double value = at(t, s, i), factor = fabs(value) > least ? 1 / value : 0;
    for (int64_t r = 0; r < n; r++) {
      if (t == DT_FLOAT32) ((float *)v)[r * k + i] *= (float)factor;
      else ((double *)v)[r * k + i] *= factor;
    }
  }
}

/* V S^-1 U'; for symmetric matrices the eigenvectors are both U and V. */
static Fault pinv_one(const MatrixStack *s, int64_t k, void *workspace) {
  const PinvParams *p = s->c->params;
  const int64_t m = s->rows, n = s->columns, least = lesser(m, n);
  DType t = s->work;
  void *a = take_workspace(&workspace, matrix_bytes(t, area(m, n))),
       *w = take_workspace(&workspace, matrix_bytes(t, (double)least)),
       *ut = take_workspace(&workspace, matrix_bytes(t, area(least, m))),
       *v = take_workspace(&workspace, matrix_bytes(t, area(n, least)));
  void *out = place_for(s, 0, k * m * n, take_workspace(&workspace, place_bytes(s->dtype, area(m, n))));
  Fault fault;
  if (least == 0) return FAULT_NONE;
  if (p->hermitian) {
    load_elements(s, 0, k * m * n, m * n, a);
    fault = factor_eigen(t, n, a, w, true, true, workspace);
    factor_transpose(t, n, n, a, v);
    ut = a;
  } else {
    load_transposed(s, 0, k * m * n, m, n, out, a);
    fault = factor_svd(t, m, n, a, w, ut, v, false, workspace);
  }
  if (fault != FAULT_NONE) return fault;
  scale_columns(t, n, least, v, w, p->rcond * largest_size(t, w, least));
  factor_multiply(t, n, m, least, v, ut, out);
  store_elements(s, 0, k * m * n, m * n, out);
  return FAULT_NONE;
}

MATRIX_KERNEL(pinv, "matrices")

/* ---- matrix_rank ----------------------------------------------------------------------------------------- */

static size_t rank_bytes(const void *params, const Type *in) {
  const int64_t m = rows_of(in), n = columns_of(in);
  DType work = factor_dtype(in->dtype);
  bool hermitian = ((const RankParams *)params)->hermitian;
  return 2 * matrix_bytes(work, area(m, n)) + matrix_bytes(work, (double)lesser(m, n)) +
         (hermitian ? factor_eigen_workspace(work, n, false) : factor_svd_workspace(work, m, n, false, false));
}

static Fault rank_one(const MatrixStack *s, int64_t k, void *workspace) {
  const RankParams *p = s->c->params;
  const int64_t m = s->rows, n = s->columns, least = lesser(m, n);
  DType t = s->work;
  void *a = take_workspace(&workspace, matrix_bytes(t, area(m, n))),
       *other = take_workspace(&workspace, matrix_bytes(t, area(m, n))),
       *w = take_workspace(&workspace, matrix_bytes(t, (double)least));
  Fault fault = FAULT_NONE;
  load_transposed(s, 0, k * m * n, m, n, other, a);
  if (least > 0)
    fault = p->hermitian ? factor_eigen(t, n, a, w, false, false, workspace)
                         : factor_svd(t, m, n, a, w, NULL, NULL, false, workspace);
  if (fault != FAULT_NONE) return fault;
  double tol = isnan(p->tol) ? largest_size(t, w, least) * (double)greater(m, n) * dtype_epsilon(s->dtype) : p->tol;
  int64_t rank = 0;
  for (int64_t i = 0; i < least; i++) rank += fabs(at(t, w, i)) > tol;
  ((int64_t *)s->c->out[0]->data)[k] = rank;
  return FAULT_NONE;
}

MATRIX_KERNEL(rank, "matrices")

/* ---- lstsq ----------------------------------------------------------------------------------------------- */

static size_t lstsq_bytes(const Query *q) {
  const Type *in = query_in(q, 0);
  const int64_t m = rows_of(in), n = columns_of(in), sides = sides_of(q);
  DType work = factor_dtype(in->dtype);
  return 2 * matrix_bytes(work, area(m, n)) + 2 * matrix_bytes(work, area(greater(m, n), sides)) +
         factor_least_squares_workspace(work, m, n, sides);
}

/* The sum of squares of b[:, j] - A x, which LAPACK returns only for full rank. */
static double residual(const MatrixStack *s, int64_t k, int64_t j, int64_t sides, const void *x) {
  double sum = 0;
  for (int64_t i = 0; i < s->rows; i++) {
    double rest = at(s->dtype, s->c->in[1]->data, (k * s->rows + i) * sides + j);
    for (int64_t q = 0; q < s->columns; q++)
      rest -= at(s->dtype, s->c->in[0]->data, (k * s->rows + i) * s->columns + q) * at(s->work, x, q);
    sum += rest * rest;
  }
  return sum;
}

static void store_residuals(const MatrixStack *s, int64_t k, int64_t sides, const char *bt, int rank) {
  const int64_t m = s->rows, n = s->columns, step = greater(m, n);
  for (int64_t j = 0; j < sides && m > n; j++) {
    const void *column = bt + (size_t)(j * step) * dtype_size(s->work);
    double sum = 0;
    if (rank < n || n == 0) sum = residual(s, k, j, sides, column);
    else
      for (int64_t i = n; i < m; i++) sum += at(s->work, column, i) * at(s->work, column, i);
    tensor_set(s->c->out[OUT_RESIDUALS], k * sides + j, sum);
  }
}

/* The first m columns of bt (sides, max(m, n)) hold b'; on return the first n hold x'. */
static Fault lstsq_one(const MatrixStack *s, int64_t k, void *workspace) {
  const Query q = query_of_call(s->c);
  const int64_t m = s->rows, n = s->columns, sides = sides_of(&q), step = greater(m, n), least = lesser(m, n);
  DType t = s->work;
  size_t row = (size_t)step * dtype_size(t);
  void *a = take_workspace(&workspace, matrix_bytes(t, area(m, n))),
       *other = take_workspace(&workspace, matrix_bytes(t, area(m, n)));
  char *bt = take_workspace(&workspace, matrix_bytes(t, area(step, sides))),
       *packed = take_workspace(&workspace, matrix_bytes(t, area(step, sides)));
  int rank = 0;
  load_transposed(s, 0, k * m * n, m, n, other, a);
  load_elements(s, 1, k * m * sides, m * sides, bt);
  factor_transpose(t, m, sides, bt, packed);
  memset(bt, 0, row * (size_t)sides);
  for (int64_t j = 0; j < sides; j++)
    memcpy(bt + (size_t)j * row, packed + (size_t)(j * m) * dtype_size(t), (size_t)m * dtype_size(t));
  double smallest = least_size(((const LstsqParams *)s->c->params)->rcond, s->dtype, step);
  Fault fault = least == 0 ? FAULT_NONE : factor_least_squares(t, m, n, sides, a, bt, smallest, &rank, workspace);
  if (fault != FAULT_NONE) return fault;
  if (least == 0) memset(bt, 0, row * (size_t)sides);
  store_residuals(s, k, sides, bt, rank);
  for (int64_t j = 0; j < sides; j++)
    memcpy(packed + (size_t)(j * n) * dtype_size(t), bt + (size_t)j * row, (size_t)n * dtype_size(t));
  store_transposed(s, OUT_X, k * n * sides, sides, n, packed, bt);
  ((int64_t *)s->c->out[OUT_RANK]->data)[k] = rank;
  return FAULT_NONE;
}

static Status lstsq_workspace(const Query *q, Workspace *w) {
  w->bytes = stack_workspace(query_in(q, 0), matrices_in(&query_in(q, 0)->shape), lstsq_bytes(q));
  return OK;
}

static Status lstsq_run(Call *c) {
  const Query q = query_of_call(c);
  return each_matrix(c, lstsq_one, matrices_in(&c->in[0]->type.shape), lstsq_bytes(&q), "matrices");
}

/* ---- Kernels --------------------------------------------------------------------------------------------- */

const Kernel least_squares_kernels[] = {
  MATRIX_ROW("pinv", pinv),
  MATRIX_ROW("matrix_rank", rank),
  MATRIX_ROW("lstsq", lstsq),
  { 0 },
};
