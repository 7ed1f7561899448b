/* lu_eig_expm_kernels.c - linalg.lu, eig, eigvals, expm, sqrtm: tensor/lapack.h and real_schur.h in float64 for each
** matrix of a stack.
*/
#include <math.h>
#include <string.h>

#include "kernels/linalg/each_matrix.h"
#include "tensor/real_schur.h"

static size_t doubles(double n) { return matrix_bytes(DT_FLOAT64, n); }
static double *take_doubles(void **workspace, double n) { return take_workspace(workspace, doubles(n)); }

/* ---- LU -------------------------------------------------------------------------------------------------- */

static size_t lu_bytes(const void *params, const Type *in) {
  const int64_t m = rows_of(in), n = columns_of(in);
  (void)params;
  return 2 * doubles(area(m, n)) + doubles(area(m, m)) + matrix_bytes(DT_INT32, (double)m);
}

/* p (m, m) with A = p l u, for the exchanges of rows that made l u of A. */
static void permutation(int64_t m, int64_t exchanges, const int *pivot, double *p) {
  memset(p, 0, (size_t)(m * m) * sizeof *p);
  for (int64_t i = 0; i < m; i++) p[i * (m + 1)] = 1;
  for (int64_t k = exchanges - 1; k >= 0; k--) {
    if (pivot[k] == k + 1) continue;
    for (int64_t j = 0; j < m; j++) {
      double *x = p + k * m + j, *y = p + (pivot[k] - 1) * m + j, kept = *x;
      *x = *y;
      *y = kept;
    }
  }
}

static Fault lu_one(const MatrixStack *s, int64_t number, void *workspace) {
  const int64_t m = s->rows, n = s->columns, k = lesser(m, n);
  int *pivot = take_workspace(&workspace, matrix_bytes(DT_INT32, (double)m));
  double *a = take_doubles(&workspace, area(m, n)), *part = take_doubles(&workspace, area(m, n)),
         *p = take_doubles(&workspace, area(m, m));
  load_doubles(s, 0, number * m * n, m * n, a);
  for (int64_t i = 0; i < m * n; i++)
    if (!isfinite(a[i])) return FAULT_NOT_FINITE;
  Fault fault = factor_lu_rows(m, n, a, pivot, part);
  if (fault != FAULT_NONE) return fault;
  permutation(m, k, pivot, p);
  store_doubles(s, 0, number * m * m, m * m, p);
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < k; j++) part[i * k + j] = j < i ? a[i * n + j] : i == j;
  store_doubles(s, 1, number * m * k, m * k, part);
  for (int64_t i = 0; i < k; i++)
    for (int64_t j = 0; j < n; j++) part[i * n + j] = j < i ? 0 : a[i * n + j];
  store_doubles(s, 2, number * k * n, k * n, part);
  return FAULT_NONE;
}
MATRIX_KERNEL(lu, "matrices")

/* ---- Eigenvectors ---------------------------------------------------------------------------------------- */

static size_t eig_bytes(const void *params, const Type *in) {
  const int64_t n = columns_of(in);
  (void)params;
  return 2 * doubles(area(n, n)) + doubles((double)n) + factor_general_eigen_workspace(n, true);
}
#define eigvals_bytes eig_bytes

/* Changes signs so that the largest element of each row, by absolute value, is positive. */
static void settle_signs(int64_t n, double *v) {
  for (int64_t k = 0; k < n; k++, v += n) {
    double peak = 0;
    for (int64_t i = 0; i < n; i++)
      if (fabs(v[i]) > fabs(peak)) peak = v[i];
    for (int64_t i = 0; i < n && peak < 0; i++) v[i] = -v[i];
  }
}

static Fault eig_one(const MatrixStack *s, int64_t number, void *workspace) {
  const int64_t n = s->rows;
  const bool vectors = s->c->n_out == 2;
  double *a = take_doubles(&workspace, area(n, n)), *v = take_doubles(&workspace, area(n, n)),
         *w = take_doubles(&workspace, (double)n);
  load_doubles(s, 0, number * n * n, n * n, a);
  Fault fault = factor_general_eigen(n, a, w, vectors ? v : NULL, workspace);
  if (fault != FAULT_NONE) return fault;
  store_doubles(s, 0, number * n, n, w);
  if (!vectors) return FAULT_NONE;
  settle_signs(n, v);
  factor_transpose(DT_FLOAT64, n, n, v, a);
  store_doubles(s, 1, number * n * n, n * n, a);
  return FAULT_NONE;
}
#define eigvals_one eig_one
#define REAL "matrices with real eigenvalues, since there are no complex arrays, got one with complex eigenvalues"
MATRIX_KERNEL(eig, REAL)
MATRIX_KERNEL(eigvals, REAL)

/* ---- Functions of matrices ------------------------------------------------------------------------------- */

typedef Fault MatrixFunction(int64_t n, double *a, double *x, int *pivot, double *work);

static Fault apply(const MatrixStack *s, int64_t number, MatrixFunction *f, void *workspace) {
  const int64_t n = s->rows;
  int *pivot = take_workspace(&workspace, matrix_bytes(DT_INT32, (double)n));
  double *a = take_doubles(&workspace, area(n, n)), *x = take_doubles(&workspace, area(n, n));
  if (n == 0) return FAULT_NONE;
  load_doubles(s, 0, number * n * n, n * n, a);
  Fault fault = f(n, a, x, pivot, workspace);
  if (fault == FAULT_NONE) store_doubles(s, 0, number * n * n, n * n, x);
  return fault;
}

static size_t function_bytes(const Type *in, int more) {
  const int64_t n = columns_of(in);
  return matrix_bytes(DT_INT32, (double)n) + 2 * doubles(area(n, n)) + doubles(more * area(n, n));
}

static size_t expm_bytes(const void *params, const Type *in) {
  (void)params;
  return function_bytes(in, MATRIX_EXP_WORK);
}
static Fault expm_one(const MatrixStack *s, int64_t k, void *workspace) { return apply(s, k, matrix_exp, workspace); }
MATRIX_KERNEL(expm, "matrices with an exponential in range")

static size_t sqrtm_bytes(const void *params, const Type *in) {
  (void)params;
  return function_bytes(in, MATRIX_ROOT_WORK);
}
static Fault sqrtm_one(const MatrixStack *s, int64_t k, void *workspace) { return apply(s, k, matrix_root, workspace); }
MATRIX_KERNEL(sqrtm, "matrices with a real square root, got one without (with a negative eigenvalue, say)")

/* ---- Kernels --------------------------------------------------------------------------------------------- */

const Kernel lu_eig_expm_kernels[] = {
  MATRIX_ROW("lu", lu),     MATRIX_ROW("eig", eig),     MATRIX_ROW("eigvals", eigvals),
  MATRIX_ROW("expm", expm), MATRIX_ROW("sqrtm", sqrtm), { 0 },
};
