/* lapack.c - see lapack.h. The only file that uses LAPACK.
**
** LAPACK reads a row-major matrix as its transpose. For a symmetric matrix, that only swaps the triangles; LAPACK's A'
** = Q R is A = L Q, and the triangular factors of A' serve for A. The SVD gets A', which LAPACK reads as A, like
** NumPy's call, so the signs of the vectors match NumPy's, too.
**
** Fortran functions take all arguments by address and the lengths of strings after them, so one prototype serves both
** dtypes. Sources: E. Anderson et al., "LAPACK Users' Guide", 1999; https://netlib.org/lapack.
*/
#include "tensor/lapack.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/settings/debug_switches.h"
#include "base/size_math.h"
#include "tensor/blas.h"
#include "tensor/lapack_fallback.h"

typedef const char *Flag;
typedef const int *Int;

/* The routines used, for one dtype; `names` lists them in this order, without the first letter. */
typedef struct Routines {
  void (*potrf)(Flag, Int n, void *a, Int lda, int *info, size_t);
  void (*potri)(Flag, Int n, void *a, Int lda, int *info, size_t);
  void (*getrf)(Int m, Int n, void *a, Int lda, int *pivot, int *info);
  void (*getri)(Int n, void *a, Int lda, Int pivot, void *work, Int lwork, int *info);
  void (*geqrf)(Int m, Int n, void *a, Int lda, void *tau, void *work, Int lwork, int *info);
  void (*orgqr)(Int m, Int n, Int k, void *a, Int lda, const void *tau, void *work, Int lwork, int *info);
  void (*syevd)(Flag, Flag, Int n, void *a, Int lda, void *w, void *work, Int lwork, int *iwork, Int liwork, int *info,
                size_t, size_t);
  void (*geev)(Flag, Flag, Int n, void *a, Int lda, void *wr, void *wi, void *vl, Int ldvl, void *vr, Int ldvr,
               void *work, Int lwork, int *info, size_t, size_t);
  void (*gesdd)(Flag, Int m, Int n, void *a, Int lda, void *s, void *u, Int ldu, void *vt, Int ldvt, void *work,
                Int lwork, int *iwork, int *info, size_t);
  void (*gelsd)(Int m, Int n, Int sides, void *a, Int lda, void *b, Int ldb, void *s, const void *rcond, int *rank,
                void *work, Int lwork, int *iwork, int *info);
  void (*ormqr)(Flag, Flag, Int m, Int n, Int k, const void *a, Int lda, const void *tau, void *c, Int ldc, void *work,
                Int lwork, int *info, size_t, size_t);
  void (*trmv)(Flag, Flag, Flag, Int n, const void *a, Int lda, void *x, Int step, size_t, size_t, size_t);
  void (*trsv)(Flag, Flag, Flag, Int n, const void *a, Int lda, void *x, Int step, size_t, size_t, size_t);
  void (*trsm)(Flag, Flag, Flag, Flag, Int m, Int n, const void *alpha, const void *a, Int lda, void *b, Int ldb,
               size_t, size_t, size_t, size_t);
  void (*gemm)(Flag, Flag, Int m, Int n, Int k, const void *alpha, const void *a, Int lda, const void *b, Int ldb,
               const void *beta, void *c, Int ldc, size_t, size_t);
} Routines;

/* clang-format off */
static const char *const names[] = { "potrf", "potri", "getrf", "getri", "geqrf", "orgqr", "syevd", "geev", "gesdd",
                                     "gelsd", "ormqr", "trmv", "trsv", "trsm", "gemm" };
/* clang-format on */

enum { N_ROUTINES = sizeof names / sizeof *names };
_Static_assert(sizeof(Routines) == N_ROUTINES * sizeof(void *), "a name for each routine");

static struct { Routines f32, f64; bool there; } lapack;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool load_routines(char letter, Routines *r) {
  for (int i = 0; i < N_ROUTINES; i++) {
    char name[16] = { letter };
    void *function = blas_function(strcat(strcat(name, names[i]), "_"));
    if (!function) return false;
    memcpy((char *)r + (size_t)i * sizeof function, &function, sizeof function);
  }
  return true;
}

static void load(void) { lapack.there = load_routines('s', &lapack.f32) && load_routines('d', &lapack.f64); }

bool lapack_there(void) {
  if (debug.no_lapack) return false;
  pthread_once(&once, load);
  return lapack.there;
}

const char *lapack_info(void) {
  if (lapack_there()) return "in OpenBLAS";
  return debug.no_lapack ? "off, by HYBRIDLUA_LAPACK; loops of our own" : "not in this library; loops of our own";
}

DType factor_dtype(DType dtype) { return lapack_there() ? dtype : DT_FLOAT64; }

/* The routines for a dtype; NULL to use the loops. */
static const Routines *routines(DType t) {
  if (!lapack_there()) return NULL;
  return t == DT_FLOAT32 ? &lapack.f32 : &lapack.f64;
}

/* ---- Steps ------------------------------------------------------------------------------------------ */

/* A number of dtype t, to be passed by address. */
typedef union Number { float f; double d; } Number;

static Number number(DType t, double value) {
  if (t == DT_FLOAT32) return (Number){ .f = (float)value };
  return (Number){ .d = value };
}

static double value_of(DType t, const void *x, int64_t i) {
  return t == DT_FLOAT32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

static bool all_finite(DType t, const void *x, int64_t n) {
  double sum = 0;                      /* 0 times NaN or infinity is NaN */
  if (t == DT_FLOAT32)
    for (int64_t i = 0; i < n; i++) sum += 0 * (double)((const float *)x)[i];
  else
    for (int64_t i = 0; i < n; i++) sum += 0 * ((const double *)x)[i];
  return sum == 0;
}

#define TRANSPOSE(code, T, suffix)                                                                      \
  static void transpose_##suffix(int64_t m, int64_t n, const T *x, T *y) {                        \
    enum { TILE = 16 };                                                                           \
    for (int64_t i = 0; i < m; i += TILE)                                                         \
      for (int64_t k = 0; k < n; k += TILE)                                                       \
        for (int64_t q = k; q < k + TILE && q < n; q++)                                           \
          for (int64_t p = i; p < i + TILE && p < m; p++) y[q * m + p] = x[p * n + q];            \
  }
EACH_FLOAT(TRANSPOSE)

#define CALL_BY_DTYPE(t, name, ...) ((t) == DT_FLOAT32 ? name##_f32(__VA_ARGS__) : name##_f64(__VA_ARGS__))

void factor_transpose(DType t, int64_t m, int64_t n, const void *x, void *y) {
  CALL_BY_DTYPE(t, transpose, m, n, x, y);
}

/* Copies one triangle of the square matrix to the other. */
#define TRIANGLES(code, T, suffix)                                                                      \
  static void mirror_##suffix(int64_t n, T *a, bool lower) {                                      \
    for (int64_t i = 0; i < n; i++)                                                               \
      for (int64_t k = 0; k < i; k++) {                                                           \
        if (lower) a[k * n + i] = a[i * n + k];                                                   \
        else a[i * n + k] = a[k * n + i];                                                         \
      }                                                                                           \
  }                                                                                               \
  /* The first k columns of the lower triangle of a (rows, n), as l (rows, k). */                 \
  static void copy_lower_##suffix(int64_t rows, int64_t n, int64_t k, const T *a, T *l) {         \
    for (int64_t i = 0; i < rows; i++)                                                            \
      for (int64_t q = 0; q < k; q++) l[i * k + q] = q <= i ? a[i * n + q] : 0;                   \
  }
EACH_FLOAT(TRIANGLES)

static void clear_upper(DType t, int64_t n, char *a) {
  size_t size = dtype_size(t);
  for (int64_t i = 0; i < n; i++) memset(a + (size_t)(i * n + i + 1) * size, 0, (size_t)(n - i - 1) * size);
}

/* The result of a query for lwork, at least 1; float32 may have rounded it down. */
static int length_of(DType t, Number queried) {
  double n = t == DT_FLOAT32 ? ceil((double)queried.f * (1 + 1e-6)) : queried.d;
  return n < 1 ? 1 : n < INT_MAX ? (int)n : INT_MAX;
}

size_t matrix_bytes(DType t, double n) { return whole_lines((size_t)(n * (double)dtype_size(t))); }

void *take_workspace(void **workspace, size_t bytes) {
  void *part = *workspace;
  *workspace = (char *)part + bytes;
  return part;
}

/* Do the workspaces of syevd, gesdd and gelsd exceed 32-bit sizes? */
static bool too_large(int64_t m, int64_t n) { return lesser(m, n) > 16000 || greater(m, n) > INT_MAX / 64; }

/* ---- Cholesky ---------------------------------------------------------------------------------------- */

/* LAPACK reads the transpose: U' U with U = L' above the diagonal. It lets NaN pass, so the pivots are checked
** again. */
Fault factor_cholesky(DType t, int64_t n, void *a) {
  if (n == 0) return FAULT_NONE;
  const Routines *r = routines(t);
  if (!r) return loop_cholesky(n, a);
  int order = (int)n, info = 0;
  r->potrf("U", &order, a, &order, &info, 1);
  for (int64_t i = 0; i < n && info == 0; i++)
    if (!(value_of(t, a, i * (n + 1)) > 0)) info = 1;
  if (info != 0) return FAULT_MATRIX;
  clear_upper(t, n, a);
  return FAULT_NONE;
}

size_t factor_cholesky_inverse_workspace(DType t, int64_t n) {
  return lapack_there() ? 0 : matrix_bytes(t, (double)n * (double)n);
}

Fault factor_cholesky_inverse(DType t, int64_t n, void *a, void *work) {
  if (n == 0) return FAULT_NONE;
  const Routines *r = routines(t);
  if (!r) return loop_cholesky_inverse(n, a, work);
  int order = (int)n, info = 0;
  r->potri("U", &order, a, &order, &info, 1);
  if (info != 0) return FAULT_MATRIX;
  CALL_BY_DTYPE(t, mirror, n, a, true);
  return FAULT_NONE;
}

/* ---- LU ------------------------------------------------------------------------------------------------ */

/* Factors the transpose: A' = P L U; read by rows, A = U' L' P'. */
Fault factor_lu(DType t, int64_t n, void *a, int *pivot) {
  if (n == 0) return FAULT_NONE;
  const Routines *r = routines(t);
  if (!r) return loop_lu(n, n, a, pivot);
  int order = (int)n, info = 0;
  r->getrf(&order, &order, a, &order, pivot, &info);
  return info == 0 ? FAULT_NONE : FAULT_MATRIX;
}

Fault factor_lu_rows(int64_t m, int64_t n, double *a, int *pivot, double *work) {
  const Routines *r = routines(DT_FLOAT64);
  int rows = (int)m, columns = (int)n, info = 0;
  if (!r) {
    loop_lu(m, n, a, pivot);           /* a column without a pivot is not a fault here */
    return FAULT_NONE;
  }
  if (too_large(m, n)) return FAULT_TOO_LARGE;
  if (m == 0 || n == 0) return FAULT_NONE;
  factor_transpose(DT_FLOAT64, m, n, a, work);
  r->getrf(&rows, &columns, work, &rows, pivot, &info);
  factor_transpose(DT_FLOAT64, n, m, work, a);
  return FAULT_NONE;
}

int factor_lu_sign(int64_t n, const int *pivot) {
  int sign = 1;
  for (int64_t i = 0; i < n; i++)
    if (pivot[i] != i + 1) sign = -sign;
  return sign;
}

size_t factor_lu_inverse_workspace(DType t, int64_t n) {
  if (n == 0) return 0;
  const Routines *r = routines(t);
  if (!r) return matrix_bytes(t, (double)n * (double)n);
  int order = (int)n, query = -1, info = 0;
  Number length = { .d = 0 };
  r->getri(&order, NULL, &order, NULL, &length, &query, &info);
  return matrix_bytes(t, length_of(t, length));
}

Fault factor_lu_inverse(DType t, int64_t n, void *a, const int *pivot, void *work) {
  if (n == 0) return FAULT_NONE;
  const Routines *r = routines(t);
  if (!r) return loop_lu_inverse(n, a, pivot, work);
  int order = (int)n, lwork = (int)(factor_lu_inverse_workspace(t, n) / dtype_size(t)), info = 0;
  r->getri(&order, a, &order, pivot, work, &lwork, &info);
  return info == 0 ? FAULT_NONE : FAULT_MATRIX;
}

static void swap_rows(size_t bytes, char *x, char *y) {
  char kept[512];
  for (size_t n; bytes > 0; bytes -= n, x += n, y += n) {
    n = bytes < sizeof kept ? bytes : sizeof kept;
    memcpy(kept, x, n);
    memcpy(x, y, n);
    memcpy(y, kept, n);
  }
}

/* U' L' P' x = b: two systems, then the exchanges backwards. LAPACK reads x as its transpose, so a is on the right. */
void factor_lu_solve(DType t, int64_t n, const void *a, const int *pivot, int64_t sides, void *x) {
  if (n == 0 || sides == 0) return;
  const Routines *r = routines(t);
  if (!r) {
    loop_lu_solve(n, a, pivot, sides, x);
    return;
  }
  int order = (int)n, columns = (int)sides;
  Number one = number(t, 1);
  size_t row = (size_t)sides * dtype_size(t);
  r->trsm("R", "U", "N", "N", &columns, &order, &one, a, &order, x, &columns, 1, 1, 1, 1);
  r->trsm("R", "L", "N", "U", &columns, &order, &one, a, &order, x, &columns, 1, 1, 1, 1);
  for (int64_t i = n - 1; i >= 0; i--)
    if (pivot[i] != i + 1) swap_rows(row, (char *)x + (size_t)i * row, (char *)x + (size_t)(pivot[i] - 1) * row);
}

void factor_solve_triangle(DType t, int64_t m, int64_t n, const void *a, void *x, bool right, bool lower,
                           bool transpose) {
  int columns = (int)n, rows = (int)m, order = (int)(right ? n : m);
  Number one = number(t, 1);
  routines(t)->trsm(right ? "L" : "R", lower ? "U" : "L", transpose ? "T" : "N", "N", &columns, &rows, &one, a, &order,
                    x, &columns, 1, 1, 1, 1);
}

/* ---- LQ -------------------------------------------------------------------------------------------------- */

/* LAPACK reads A' (n, rows) = Q R. */
static int lq_work(const Routines *r, DType t, int64_t rows, int64_t n, int64_t q_rows) {
  int m = (int)n, columns = (int)rows, made = (int)q_rows, k = (int)lesser(rows, n), query = -1, info = 0, most, more;
  Number length = { .d = 0 };
  r->geqrf(&m, &columns, NULL, &m, NULL, &length, &query, &info);
  most = length_of(t, length);
  if (q_rows > 0) r->orgqr(&m, &made, &k, NULL, &m, NULL, &length, &query, &info);
  more = length_of(t, length);
  return more > most ? more : most;
}

size_t factor_lq_workspace(DType t, int64_t rows, int64_t n, int64_t q_rows) {
  const Routines *r = routines(t);
  int64_t k = lesser(rows, n);
  if (!r) return matrix_bytes(t, (double)k * (double)n);
  if (k == 0) return 0;
  return matrix_bytes(t, (double)k) + matrix_bytes(t, lq_work(r, t, rows, n, q_rows));
}

void factor_lq(DType t, int64_t rows, int64_t n, void *a, void *l, int64_t q_rows, void *work) {
  const Routines *r = routines(t);
  int64_t k = lesser(rows, n);
  if (k == 0) return;
  if (!r) {
    loop_lq(rows, n, a, l, q_rows, work);
    return;
  }
  int m = (int)n, columns = (int)rows, made = (int)q_rows, few = (int)k, lwork = lq_work(r, t, rows, n, q_rows),
      info = 0;
  void *tau = take_workspace(&work, matrix_bytes(t, (double)k));
  r->geqrf(&m, &columns, a, &m, tau, work, &lwork, &info);
  CALL_BY_DTYPE(t, copy_lower, rows, n, k, a, l);
  if (q_rows > 0) r->orgqr(&m, &made, &few, a, &m, tau, work, &lwork, &info);
}

/* ---- Eigenvectors ------------------------------------------------------------------------------------------ */

static void eigen_work(const Routines *r, DType t, int64_t n, bool vectors, int *lwork, int *liwork) {
  int order = (int)n, query = -1, info = 0;
  Number length = { .d = 0 };
  *liwork = 1;
  r->syevd(vectors ? "V" : "N", "L", &order, NULL, &order, NULL, &length, &query, liwork, &query, &info, 1, 1);
  *lwork = length_of(t, length);
  if (*liwork < 1) *liwork = 1;
}

size_t factor_eigen_workspace(DType t, int64_t n, bool vectors) {
  const Routines *r = routines(t);
  int lwork, liwork;
  if (!r) return matrix_bytes(t, (double)n * (double)n);
  if (n == 0 || too_large(n, n)) return 0;
  eigen_work(r, t, n, vectors, &lwork, &liwork);
  return matrix_bytes(t, lwork) + whole_lines((size_t)liwork * sizeof(int));
}

/* Up to this size, LAPACK gets the triangle as in NumPy, so that the signs of eigenvectors match. Larger matrices are
** passed without a copy: the lower triangle by rows is LAPACK's upper one, with which it is faster. */
enum { SIGNS_OF_NUMPY = 128 };

Fault factor_eigen(DType t, int64_t n, void *a, void *w, bool lower, bool vectors, void *work) {
  const Routines *r = routines(t);
  int order = (int)n, lwork, liwork, info = 0;
  if (r && too_large(n, n)) return FAULT_TOO_LARGE;
  if (n == 0) return FAULT_NONE;
  if (n <= SIGNS_OF_NUMPY || !r) CALL_BY_DTYPE(t, mirror, n, a, lower);
  else lower = !lower;
  if (!all_finite(t, a, n * n)) return FAULT_NOT_FINITE;
  if (!r) return loop_eigen(n, a, w, lower, work);
  eigen_work(r, t, n, vectors, &lwork, &liwork);
  void *real = take_workspace(&work, matrix_bytes(t, lwork));
  r->syevd(vectors ? "V" : "N", lower ? "L" : "U", &order, a, &order, w, real, &lwork, work, &liwork, &info, 1, 1);
  return info == 0 ? FAULT_NONE : FAULT_NOT_CONVERGED;
}

/* LAPACK gets A', which it reads as A, like NumPy's call, so that the eigenvalues have NumPy's order. */
static int general_eigen_work(const Routines *r, int64_t n, bool vectors) {
  int order = (int)n, query = -1, info = 0;
  Number length = { .d = 0 };
  r->geev("N", vectors ? "V" : "N", &order, NULL, &order, NULL, NULL, NULL, &order, NULL, &order, &length, &query,
          &info, 1, 1);
  return length_of(DT_FLOAT64, length);
}

size_t factor_general_eigen_workspace(int64_t n, bool vectors) {
  const Routines *r = routines(DT_FLOAT64);
  if (!r) return matrix_bytes(DT_FLOAT64, (double)n * (double)n) + matrix_bytes(DT_FLOAT64, (double)n);
  if (n == 0 || too_large(n, n)) return 0;
  return matrix_bytes(DT_FLOAT64, (double)n * (double)n) + matrix_bytes(DT_FLOAT64, (double)n) +
         matrix_bytes(DT_FLOAT64, general_eigen_work(r, n, vectors));
}

Fault factor_general_eigen(int64_t n, double *a, double *w, double *v, void *work) {
  const Routines *r = routines(DT_FLOAT64);
  int order = (int)n, info = 0;
  if (!all_finite(DT_FLOAT64, a, n * n)) return FAULT_NOT_FINITE;
  if (!r) return loop_general_eigen(n, a, w, v, work);
  if (too_large(n, n)) return FAULT_TOO_LARGE;
  if (n == 0) return FAULT_NONE;
  double *turned = take_workspace(&work, matrix_bytes(DT_FLOAT64, (double)n * (double)n));
  double *imaginary = take_workspace(&work, matrix_bytes(DT_FLOAT64, (double)n));
  int lwork = general_eigen_work(r, n, v != NULL);
  factor_transpose(DT_FLOAT64, n, n, a, turned);
  r->geev("N", v ? "V" : "N", &order, turned, &order, w, imaginary, NULL, &order, v, &order, work, &lwork, &info, 1, 1);
  if (info > 0) return FAULT_NOT_CONVERGED;
  for (int64_t i = 0; i < n; i++)
    if (imaginary[i] != 0) return FAULT_MATRIX;
  return FAULT_NONE;
}

/* ---- Singular values -------------------------------------------------------------------------------------------- */

static Flag svd_job(bool vectors, bool full) { return !vectors ? "N" : full ? "A" : "S"; }

static int svd_work(const Routines *r, DType t, int64_t m, int64_t n, bool vectors, bool full) {
  int rows = (int)m, columns = (int)n, v_rows = (int)(full ? n : lesser(m, n)), query = -1, info = 0, integers;
  Number length = { .d = 0 };
  r->gesdd(svd_job(vectors, full), &rows, &columns, NULL, &rows, NULL, NULL, &rows, NULL, &v_rows, &length, &query,
           &integers, &info, 1);
  return length_of(t, length);
}

size_t factor_svd_workspace(DType t, int64_t m, int64_t n, bool vectors, bool full) {
  const Routines *r = routines(t);
  if (!r) return matrix_bytes(t, (double)loop_svd_work(m, n));
  if (m == 0 || n == 0 || too_large(m, n)) return 0;
  return whole_lines(8 * (size_t)lesser(m, n) * sizeof(int)) + matrix_bytes(t, svd_work(r, t, m, n, vectors, full));
}

Fault factor_svd(DType t, int64_t m, int64_t n, void *at, void *s, void *ut, void *v, bool full, void *work) {
  const Routines *r = routines(t);
  if (m == 0 || n == 0) return FAULT_NONE;
  if (r && too_large(m, n)) return FAULT_TOO_LARGE;
  if (!all_finite(t, at, m * n)) return FAULT_NOT_FINITE;
  if (!r) return loop_svd(m, n, at, s, ut, v, full, work);
  int rows = (int)m, columns = (int)n, v_rows = (int)(full ? n : lesser(m, n)), info = 0;
  int lwork = svd_work(r, t, m, n, ut != NULL, full);
  int *integers = take_workspace(&work, whole_lines(8 * (size_t)lesser(m, n) * sizeof(int)));
  r->gesdd(svd_job(ut != NULL, full), &rows, &columns, at, &rows, s, ut, &rows, v, &v_rows, work, &lwork, integers,
           &info, 1);
  return info == 0 ? FAULT_NONE : FAULT_NOT_CONVERGED;
}

/* ---- Least squares ------------------------------------------------------------------------------------------ */

/* Solves by QR of (high, k), the taller of A and A'. */
typedef struct Tall { const Routines *r; DType t; int high, k; bool turned; void *a; } Tall;

/* Elements of workspace for geqrf and ormqr. */
static int tall_work(const Tall *q, int sides) {
  int query = -1, info = 0, most, more;
  Number length = { .d = 0 };
  q->r->geqrf(&q->high, &q->k, NULL, &q->high, NULL, &length, &query, &info);
  most = length_of(q->t, length);
  q->r->ormqr("L", "T", &q->high, &sides, &q->k, NULL, &q->high, NULL, NULL, &q->high, &length, &query, &info, 1, 1);
  more = length_of(q->t, length);
  return more > most ? more : most;
}

/* Scales x to length 1; returns its length. */
static double normalize(DType t, int64_t n, void *x) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += value_of(t, x, i) * value_of(t, x, i);
  double length = sqrt(sum), factor = 1 / length;
  if (t == DT_FLOAT32)
    for (int64_t i = 0; i < n; i++) ((float *)x)[i] *= (float)factor;
  else
    for (int64_t i = 0; i < n; i++) ((double *)x)[i] *= factor;
  return length;
}

/* Estimates the largest singular value of R, or of its inverse, by a few steps of the power method on R' R, always from
** the same start. The estimate is too small, but rarely by half. */
static double power_method(const Tall *q, bool inverse, void *x) {
  enum { STEPS = 6 };
  const int one = 1;
  uint32_t state = 1;
  double size = 0;
  for (int64_t i = 0; i < q->k; i++) {
    state = state * 1664525u + 1013904223u;
    double value = (double)(state >> 8) / (1 << 24) - 0.5;
    if (q->t == DT_FLOAT32) ((float *)x)[i] = (float)value;
    else ((double *)x)[i] = value;
  }
  normalize(q->t, q->k, x);
  for (int i = 0; i < STEPS; i++) {
    (inverse ? q->r->trsv : q->r->trmv)("U", inverse ? "T" : "N", "N", &q->k, q->a, &q->high, x, &one, 1, 1, 1);
    size = normalize(q->t, q->k, x);
    (inverse ? q->r->trsv : q->r->trmv)("U", inverse ? "N" : "T", "N", &q->k, q->a, &q->high, x, &one, 1, 1, 1);
    size = sqrt(size * normalize(q->t, q->k, x));
  }
  return size;
}

/* Are all singular values of R well above rcond times the largest? False if anything is 0, NaN or infinite. */
static bool clearly_regular(const Tall *q, double rcond, void *x) {
  enum { MARGIN = 8 };
  for (int64_t i = 0; i < q->k; i++)
    if (value_of(q->t, q->a, i * (q->high + 1)) == 0) return false;
  return power_method(q, false, x) * power_method(q, true, x) * rcond * MARGIN < 1;
}

/* A = Q R: x = R^-1 Q' b, or A = R' Q': x = Q R'^-1 b. False, leaving bt unchanged, if the rank is unclear. */
static bool solve_by_qr(const Tall *q, int64_t sides, void *bt, double rcond, void *work) {
  int count = (int)sides, lwork = tall_work(q, count), info = 0;
  const Number one = number(q->t, 1);
  void *tau = take_workspace(&work, matrix_bytes(q->t, q->k)), *x = take_workspace(&work, matrix_bytes(q->t, q->k));
  q->r->geqrf(&q->high, &q->k, q->a, &q->high, tau, work, &lwork, &info);
  if (!clearly_regular(q, rcond, x)) return false;
  if (q->turned) q->r->trsm("L", "U", "T", "N", &q->k, &count, &one, q->a, &q->high, bt, &q->high, 1, 1, 1, 1);
  q->r->ormqr("L", q->turned ? "N" : "T", &q->high, &count, &q->k, q->a, &q->high, tau, bt, &q->high, work, &lwork,
              &info, 1, 1);
  if (!q->turned) q->r->trsm("L", "U", "N", "N", &q->k, &count, &one, q->a, &q->high, bt, &q->high, 1, 1, 1, 1);
  return true;
}

static void gelsd_work(const Routines *r, DType t, int64_t m, int64_t n, int64_t sides, int *lwork, int *liwork) {
  int rows = (int)m, columns = (int)n, count = (int)sides, ldb = (int)greater(m, n), query = -1, rank, info = 0;
  Number length = { .d = 0 }, rcond = number(t, -1);
  *liwork = 1;
  r->gelsd(&rows, &columns, &count, NULL, &rows, NULL, &ldb, NULL, &rcond, &rank, &length, &query, liwork, &info);
  *lwork = length_of(t, length);
  if (*liwork < 1) *liwork = 1;
}

static Tall tall_of(const Routines *r, DType t, int64_t m, int64_t n, void *a) {
  return (Tall){ .r = r, .t = t, .high = (int)greater(m, n), .k = (int)lesser(m, n), .turned = m < n, .a = a };
}

size_t factor_least_squares_workspace(DType t, int64_t m, int64_t n, int64_t sides) {
  const Routines *r = routines(t);
  int lwork, liwork;
  if (!r) return matrix_bytes(t, (double)loop_least_squares_work(m, n));
  if (m == 0 || n == 0 || too_large(m, n)) return 0;
  Tall q = tall_of(r, t, m, n, NULL);
  gelsd_work(r, t, m, n, sides, &lwork, &liwork);
  size_t by_values = matrix_bytes(t, q.k) + matrix_bytes(t, lwork) + whole_lines((size_t)liwork * sizeof(int));
  size_t by_qr = matrix_bytes(t, (double)m * (double)n) + 2 * matrix_bytes(t, q.k) +
                 matrix_bytes(t, tall_work(&q, (int)sides));
  return by_qr > by_values ? by_qr : by_values;
}

static Fault solve_by_values(const Routines *r, DType t, int64_t m, int64_t n, int64_t sides, void *at, void *bt,
                             double rcond, int *rank, void *work) {
  int rows = (int)m, columns = (int)n, count = (int)sides, ldb = (int)greater(m, n), lwork, liwork, info = 0;
  gelsd_work(r, t, m, n, sides, &lwork, &liwork);
  Number least = number(t, rcond);
  void *s = take_workspace(&work, matrix_bytes(t, (double)lesser(m, n))),
       *real = take_workspace(&work, matrix_bytes(t, lwork));
  r->gelsd(&rows, &columns, &count, at, &rows, bt, &ldb, s, &least, rank, real, &lwork, work, &info);
  return info == 0 ? FAULT_NONE : FAULT_NOT_CONVERGED;
}

Fault factor_least_squares(DType t, int64_t m, int64_t n, int64_t sides, void *at, void *bt, double rcond, int *rank,
                           void *work) {
  const Routines *r = routines(t);
  if (r && too_large(m, n)) return FAULT_TOO_LARGE;
  if (!all_finite(t, at, m * n) || !all_finite(t, bt, sides * greater(m, n))) return FAULT_NOT_FINITE;
  if (!r) return loop_least_squares(m, n, sides, at, bt, rcond, rank, work);
  void *rest = work;
  Tall q = tall_of(r, t, m, n, take_workspace(&rest, matrix_bytes(t, (double)m * (double)n)));
  if (q.turned) factor_transpose(t, n, m, at, q.a);
  else memcpy(q.a, at, (size_t)(m * n) * dtype_size(t));
  *rank = q.k;
  return solve_by_qr(&q, sides, bt, rcond, rest) ? FAULT_NONE
                                                 : solve_by_values(r, t, m, n, sides, at, bt, rcond, rank, work);
}

/* ---- Products ----------------------------------------------------------------------------------------------- */

/* LAPACK computes the transpose of the product, b' a'. */
void factor_multiply(DType t, int64_t m, int64_t n, int64_t k, const void *a, const void *b, void *c) {
  const Routines *r = routines(t);
  if (!r) {
    loop_multiply(m, n, k, a, b, c);
    return;
  }
  int rows = (int)m, columns = (int)n, inner = (int)k;
  Number one = number(t, 1), zero = number(t, 0);
  r->gemm("N", "N", &columns, &rows, &inner, &one, b, &columns, a, &inner, &zero, c, &columns, 1, 1);
}
