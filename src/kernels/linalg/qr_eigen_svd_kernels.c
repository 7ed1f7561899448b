/* qr_eigen_svd_kernels.c - linalg_gelqf, qr, syevd, eigh, eigvalsh, svd: tensor/lapack.h for each matrix of a stack. */
#include <math.h>
#include <string.h>

#include "kernels/linalg/each_matrix.h"
#include "ops/linalg/qr_eigen_svd.h"

/* Writes the identity: the completed basis of an empty matrix. */
static void set_identity(DType t, int64_t n, void *x) {
  memset(x, 0, (size_t)(n * n) * dtype_size(t));
  for (int64_t i = 0; i < n; i++) {
    if (t == DT_FLOAT32) ((float *)x)[i * (n + 1)] = 1;
    else ((double *)x)[i * (n + 1)] = 1;
  }
}

/* ---- LQ -------------------------------------------------------------------------------------------------- */

static size_t gelqf_bytes(const void *params, const Type *in) {
  const int64_t m = rows_of(in), n = columns_of(in);
  (void)params;
  return place_bytes(in->dtype, area(m, n)) + place_bytes(in->dtype, area(m, m)) +
         factor_lq_workspace(factor_dtype(in->dtype), m, n, m);
}

static Fault gelqf_one(const MatrixStack *s, int64_t k, void *workspace) {
  const int64_t m = s->rows, n = s->columns;
  void *a = place_for(s, 0, k * m * n, take_workspace(&workspace, place_bytes(s->dtype, area(m, n))));
  void *l = place_for(s, 1, k * m * m, take_workspace(&workspace, place_bytes(s->dtype, area(m, m))));
  load_elements(s, 0, k * m * n, m * n, a);
  factor_lq(s->work, m, n, a, l, m, workspace);
  store_elements(s, 0, k * m * n, m * n, a);
  store_elements(s, 1, k * m * m, m * m, l);
  return FAULT_NONE;
}
MATRIX_KERNEL(gelqf, "matrices")

/* ---- QR -------------------------------------------------------------------------------------------------- */

static int64_t qr_columns(const QrParams *p, int64_t m, int64_t n) {
  return p->mode == QR_R ? 0 : p->mode == QR_COMPLETE ? m : lesser(m, n);
}

static size_t qr_bytes(const void *params, const Type *in) {
  const int64_t m = rows_of(in), n = columns_of(in), made = qr_columns(params, m, n);
  DType work = factor_dtype(in->dtype);
  return 2 * matrix_bytes(work, area(m, greater(n, made))) + matrix_bytes(work, area(n, lesser(m, n))) +
         factor_lq_workspace(work, n, m, made);
}

/* A = Q R because A' = L Q': the same reflections as in LAPACK's geqrf. */
static Fault qr_one(const MatrixStack *s, int64_t k, void *workspace) {
  const QrParams *p = s->c->params;
  const int64_t m = s->rows, n = s->columns, least = lesser(m, n), made = qr_columns(p, m, n),
                r_rows = p->mode == QR_COMPLETE ? m : least;
  void *at = take_workspace(&workspace, matrix_bytes(s->work, area(m, greater(n, made)))),
       *other = take_workspace(&workspace, matrix_bytes(s->work, area(m, greater(n, made)))),
       *l = take_workspace(&workspace, matrix_bytes(s->work, area(n, least)));
  const int r = s->c->n_out - 1;
  size_t element = dtype_size(s->dtype);
  load_transposed(s, 0, k * m * n, m, n, other, at);
  if (least == 0) set_identity(s->work, made, at);
  else factor_lq(s->work, n, m, at, l, made, workspace);
  if (made > 0) store_transposed(s, 0, k * m * made, made, m, at, other);
  store_transposed(s, r, k * r_rows * n, n, least, l, other);
  memset((char *)s->c->out[r]->data + (size_t)((k * r_rows + least) * n) * element, 0,
         (size_t)((r_rows - least) * n) * element);
  return FAULT_NONE;
}
MATRIX_KERNEL(qr, "matrices")

/* ---- Eigenvectors ---------------------------------------------------------------------------------------- */

static size_t syevd_bytes(const void *params, const Type *in) {
  const int64_t n = columns_of(in);
  (void)params;
  return place_bytes(in->dtype, area(n, n)) + place_bytes(in->dtype, (double)n) +
         factor_eigen_workspace(factor_dtype(in->dtype), n, true);
}

/* Makes the element of largest absolute value in each row positive, as in MXNet. */
#define TURN_ROWS(T, suffix, size)                                                                \
  static void turn_rows_##suffix(int64_t n, T *u) {                                               \
    for (int64_t i = 0; i < n; i++, u += n) {                                                     \
      int64_t largest = 0;                                                                        \
      for (int64_t k = 1; k < n; k++) if (size(u[k]) > size(u[largest])) largest = k;             \
      if (u[largest] < 0) for (int64_t k = 0; k < n; k++) u[k] = -u[k];                           \
    }                                                                                             \
  }
TURN_ROWS(float, f32, fabsf)
TURN_ROWS(double, f64, fabs)

static Fault syevd_one(const MatrixStack *s, int64_t k, void *workspace) {
  const int64_t n = s->rows;
  void *a = place_for(s, 0, k * n * n, take_workspace(&workspace, place_bytes(s->dtype, area(n, n))));
  void *w = place_for(s, 1, k * n, take_workspace(&workspace, place_bytes(s->dtype, (double)n)));
  load_elements(s, 0, k * n * n, n * n, a);
  Fault fault = factor_eigen(s->work, n, a, w, true, true, workspace);
  if (fault != FAULT_NONE) return fault;
  if (s->work == DT_FLOAT32) turn_rows_f32(n, a);
  else turn_rows_f64(n, a);
  store_elements(s, 0, k * n * n, n * n, a);
  store_elements(s, 1, k * n, n, w);
  return FAULT_NONE;
}
MATRIX_KERNEL(syevd, "symmetric matrices")

static size_t eigen_bytes(const Type *in, bool vectors) {
  const int64_t n = columns_of(in);
  DType work = factor_dtype(in->dtype);
  return 2 * matrix_bytes(work, area(n, n)) + place_bytes(in->dtype, (double)n) +
         factor_eigen_workspace(work, n, vectors);
}

static size_t eigh_bytes(const void *params, const Type *in) {
  (void)params;
  return eigen_bytes(in, true);
}
static size_t eigvalsh_bytes(const void *params, const Type *in) {
  (void)params;
  return eigen_bytes(in, false);
}

static Fault eigh_one(const MatrixStack *s, int64_t k, void *workspace) {
  const int64_t n = s->rows;
  const bool vectors = s->c->n_out == 2;
  void *a = take_workspace(&workspace, matrix_bytes(s->work, area(n, n))),
       *other = take_workspace(&workspace, matrix_bytes(s->work, area(n, n)));
  void *w = place_for(s, 0, k * n, take_workspace(&workspace, place_bytes(s->dtype, (double)n)));
  load_elements(s, 0, k * n * n, n * n, a);
  Fault fault = factor_eigen(s->work, n, a, w, ((const EighParams *)s->c->params)->uplo == UPLO_L, vectors, workspace);
  if (fault != FAULT_NONE) return fault;
  store_elements(s, 0, k * n, n, w);
  if (vectors) store_transposed(s, 1, k * n * n, n, n, a, other);
  return FAULT_NONE;
}
#define eigvalsh_one eigh_one
MATRIX_KERNEL(eigh, "symmetric matrices")
MATRIX_KERNEL(eigvalsh, "symmetric matrices")

/* ---- Singular values ------------------------------------------------------------------------------------- */

/* Columns of U and V; numbers of elements of the transpose of A, U' and V, and the largest of them. */
typedef struct SvdSizes { int64_t u_columns, v_columns; double a, u, v, most; } SvdSizes;

static SvdSizes svd_sizes(const SvdParams *p, int64_t m, int64_t n) {
  int64_t k = lesser(m, n);
  SvdSizes z = { .u_columns = p->full_matrices ? m : k, .v_columns = p->full_matrices ? n : k, .a = area(m, n) };
  z.u = p->compute_uv ? area(m, z.u_columns) : 0;
  z.v = p->compute_uv ? area(n, z.v_columns) : 0;
  z.most = fmax(z.a, fmax(z.u, z.v));
  return z;
}

static size_t svd_bytes(const void *params, const Type *in) {
  const SvdParams *p = params;
  const int64_t m = rows_of(in), n = columns_of(in);
  SvdSizes z = svd_sizes(p, m, n);
  DType work = factor_dtype(in->dtype);
  return matrix_bytes(work, z.a) + matrix_bytes(work, z.u) + matrix_bytes(work, z.v) + place_bytes(in->dtype, z.most) +
         place_bytes(in->dtype, (double)lesser(m, n)) +
         factor_svd_workspace(work, m, n, p->compute_uv, p->full_matrices);
}

static Fault svd_one(const MatrixStack *s, int64_t k, void *workspace) {
  const SvdParams *p = s->c->params;
  const int64_t m = s->rows, n = s->columns, least = lesser(m, n);
  SvdSizes z = svd_sizes(p, m, n);
  void *at = take_workspace(&workspace, matrix_bytes(s->work, z.a)),
       *ut = take_workspace(&workspace, matrix_bytes(s->work, z.u)),
       *v = take_workspace(&workspace, matrix_bytes(s->work, z.v)),
       *other = take_workspace(&workspace, place_bytes(s->dtype, z.most));
  const int values = p->compute_uv ? 1 : 0;
  void *w = place_for(s, values, k * least, take_workspace(&workspace, place_bytes(s->dtype, (double)least)));
  load_transposed(s, 0, k * m * n, m, n, other, at);
  Fault fault = FAULT_NONE;
  if (least == 0 && p->compute_uv) {
    set_identity(s->work, z.u_columns, ut);
    set_identity(s->work, z.v_columns, v);
  } else if (least > 0) {
    fault = factor_svd(s->work, m, n, at, w, p->compute_uv ? ut : NULL, v, p->full_matrices, workspace);
  }
  if (fault != FAULT_NONE) return fault;
  store_elements(s, values, k * least, least, w);
  if (!p->compute_uv) return FAULT_NONE;
  store_transposed(s, 0, k * m * z.u_columns, z.u_columns, m, ut, other);
  store_transposed(s, 2, k * n * z.v_columns, n, z.v_columns, v, other);
  return FAULT_NONE;
}
MATRIX_KERNEL(svd, "matrices")

/* ---- Kernels --------------------------------------------------------------------------------------------- */

const Kernel qr_eigen_svd_kernels[] = {
  MATRIX_ROW("gelqf", gelqf),
  MATRIX_ROW("qr", qr),
  MATRIX_ROW("syevd", syevd),
  MATRIX_ROW("eigh", eigh),
  MATRIX_ROW("eigvalsh", eigvalsh),
  MATRIX_ROW("svd", svd),
  { 0 },
};
