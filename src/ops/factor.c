/* factor.c - factorizations of stacks of matrices, and what is computed by them:
** linalg_potrf (Cholesky), potri, inverse, det, slogdet, gelqf (LQ), syevd (eigenvectors).
**
** Each matrix is copied into float64 scratch memory of its own, factored there by the
** textbook algorithm (G. Golub, C. Van Loan, "Matrix Computations", named at each), and
** written back in its dtype; the threads share the matrices. Loops over rows end at an interrupt. Gradients are built of
** products and triangular systems.
*/
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "ops/gradients.h"
#include "ops/inference.h"
#include "ops/params.h"
#include "ops/registry.h"
#include "tensor/convert.h"

/* ---- What the kernels share ------------------------------------------------------------------------ */

typedef struct Job Job;
struct Job {
  const Call *c;
  bool (*one)(const Job *j, int64_t k, double *work);   /* matrix k; false if it cannot be factored */
  int64_t rows, columns, count, room;                   /* `room` doubles of work for each matrix */
  int64_t failed;                                       /* a matrix that could not; -1: none */
};

static void matrices_piece(void *context, int64_t first, int64_t last) {
  Job *j = context;
  for (int64_t k = first; k < last && !interrupted(); k++)
    if (!j->one(j, k, (double *)j->c->scratch + k * j->room)) __atomic_store_n(&j->failed, k, __ATOMIC_RELAXED);
}

static Job job_of(const Shape *s, int64_t room) {
  return (Job){ .rows = s->dim[s->ndim - 2], .columns = s->dim[s->ndim - 1], .count = shape_size_range(s, 0, s->ndim - 2),
                .room = room, .failed = -1 };
}

/* Runs `one` on every matrix of input 0; `wanted` says in errors what they should be. */
static Status each_matrix(Call *c, bool (*one)(const Job *, int64_t, double *), int64_t room, const char *wanted) {
  Job j = job_of(&c->in[0]->type.shape, room);
  j.c = c;
  j.one = one;
  if (tensor_size(c->out[0]) == 0) return OK;
  parallel_for(j.count, (1 << 15) / (j.rows * j.columns * j.columns + 1) + 1, matrices_piece, &j);
  if (j.failed >= 0 && !interrupted())
    return fail("%s: A: expected %s matrices, got one that is not (number %lld)", c->op->name, wanted, (long long)j.failed);
  return interrupt_status();
}

static void load(const Tensor *t, int64_t at, int64_t n, double *to) {
  convert(t->type.dtype, (const char *)t->data + (size_t)at * dtype_size(t->type.dtype), DT_FLOAT64, to, n);
}

static void store(Tensor *t, int64_t at, int64_t n, const double *from) {
  convert(DT_FLOAT64, from, t->type.dtype, (char *)t->data + (size_t)at * dtype_size(t->type.dtype), n);
}

static double dot(const double *x, const double *y, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static void add_scaled(double *x, double factor, const double *y, int64_t n) {
  for (int64_t i = 0; i < n; i++) x[i] += factor * y[i];
}

/* The work that each row needs: n (n, n) matrices, or one and a row. */
#define SCRATCH(name, matrices, more)                                                             \
  static size_t name(const void *params, const Type *in, const Type *out) {                       \
    (void)params, (void)out;                                                                      \
    const Shape *s = &in->shape;                                                                  \
    int64_t rows = s->dim[s->ndim - 2], columns = s->dim[s->ndim - 1];                            \
    return (size_t)(shape_size_range(s, 0, s->ndim - 2) * ((matrices) * rows * columns + (more) * columns)) * sizeof(double); \
  }
SCRATCH(one_matrix, 1, 0)
SCRATCH(two_matrices, 2, 0)
SCRATCH(matrix_and_row, 1, 1)

/* ---- Cholesky ---------------------------------------------------------------------------------------- */

/* The lower triangle of a becomes L with L L' = a, row by row (Golub and Van Loan 4.2.5);
** the upper one becomes 0. */
static bool potrf_one(const Job *j, int64_t k, double *a) {
  const int64_t n = j->rows;
  load(j->c->in[0], k * n * n, n * n, a);
  for (int64_t i = 0; i < n && !interrupted(); i++) {
    double *row = a + i * n;
    for (int64_t m = 0; m < i; m++) row[m] = (row[m] - dot(row, a + m * n, m)) / a[m * n + m];
    double rest = row[i] - dot(row, row, i);
    if (!(rest > 0)) return false;
    row[i] = sqrt(rest);
    for (int64_t m = i + 1; m < n; m++) row[m] = 0;
  }
  store(j->c->out[0], k * n * n, n * n, a);
  return true;
}

/* (L L')^-1 = X' X with X the inverse of L, which is lower triangular too. */
static bool potri_one(const Job *j, int64_t k, double *a) {
  const int64_t n = j->rows;
  double *x = a + n * n;
  load(j->c->in[0], k * n * n, n * n, a);
  memset(x, 0, (size_t)(n * n) * sizeof *x);
  for (int64_t i = 0; i < n && !interrupted(); i++) {
    double pivot = a[i * n + i];
    if (pivot == 0) return false;
    for (int64_t m = 0; m < i; m++) add_scaled(x + i * n, -a[i * n + m] / pivot, x + m * n, m + 1);
    x[i * n + i] = 1 / pivot;
  }
  memset(a, 0, (size_t)(n * n) * sizeof *a);
  for (int64_t m = 0; m < n && !interrupted(); m++)
    for (int64_t i = 0; i <= m; i++) add_scaled(a + i * n, x[m * n + i], x + m * n, m + 1);
  store(j->c->out[0], k * n * n, n * n, a);
  return true;
}

static Status potrf_forward(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  return each_matrix(c, potrf_one, s->dim[s->ndim - 1] * s->dim[s->ndim - 1], "symmetric positive definite");
}

static Status potri_forward(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  return each_matrix(c, potri_one, 2 * s->dim[s->ndim - 1] * s->dim[s->ndim - 1], "triangular regular");
}

/* ---- LU ------------------------------------------------------------------------------------------------ */

static void swap_rows(double *x, double *y, int64_t n) {
  for (int64_t i = 0; i < n; i++) { double kept = x[i]; x[i] = y[i]; y[i] = kept; }
}

/* The row with the largest element of column i, from row i down. */
static int64_t find_pivot(const double *a, int64_t n, int64_t i) {
  int64_t best = i;
  for (int64_t r = i + 1; r < n; r++) if (fabs(a[r * n + i]) > fabs(a[best * n + i])) best = r;
  return best;
}

/* Elimination with row exchanges (Golub and Van Loan 3.4.1): the upper triangle of a becomes
** U. Gives the sign of the permutation, 0 for a singular matrix. */
static int eliminate(double *a, int64_t n) {
  int sign = 1;
  for (int64_t i = 0; i < n && !interrupted(); i++) {
    int64_t best = find_pivot(a, n, i);
    if (a[best * n + i] == 0) return 0;
    if (best != i) { swap_rows(a + best * n, a + i * n, n); sign = -sign; }
    for (int64_t r = i + 1; r < n; r++)
      add_scaled(a + r * n + i, -a[r * n + i] / a[i * n + i], a + i * n + i, n - i);
  }
  return sign;
}

static bool det_one(const Job *j, int64_t k, double *a) {
  const int64_t n = j->rows;
  load(j->c->in[0], k * n * n, n * n, a);
  double product = eliminate(a, n);
  for (int64_t i = 0; product != 0 && i < n; i++) product *= a[i * n + i];
  store(j->c->out[0], k, 1, &product);
  return true;
}

static bool slogdet_one(const Job *j, int64_t k, double *a) {
  const int64_t n = j->rows;
  load(j->c->in[0], k * n * n, n * n, a);
  double sign = eliminate(a, n), sum = sign == 0 ? -INFINITY : 0;
  for (int64_t i = 0; sign != 0 && i < n; i++) {
    sum += log(fabs(a[i * n + i]));
    if (a[i * n + i] < 0) sign = -sign;
  }
  store(j->c->out[0], k, 1, &sign);
  store(j->c->out[1], k, 1, &sum);
  return true;
}

/* Gauss and Jordan: what turns a into the identity turns the identity into its inverse. */
static bool inverse_one(const Job *j, int64_t k, double *a) {
  const int64_t n = j->rows;
  double *x = a + n * n;
  load(j->c->in[0], k * n * n, n * n, a);
  memset(x, 0, (size_t)(n * n) * sizeof *x);
  for (int64_t i = 0; i < n; i++) x[i * n + i] = 1;
  for (int64_t i = 0; i < n && !interrupted(); i++) {
    int64_t best = find_pivot(a, n, i);
    double pivot = a[best * n + i];
    if (pivot == 0) return false;
    swap_rows(a + best * n, a + i * n, n);
    swap_rows(x + best * n, x + i * n, n);
    for (int64_t m = 0; m < n; m++) { a[i * n + m] /= pivot; x[i * n + m] /= pivot; }
    for (int64_t r = 0; r < n; r++) {
      double factor = r == i ? 0 : -a[r * n + i];
      add_scaled(a + r * n, factor, a + i * n, n);
      add_scaled(x + r * n, factor, x + i * n, n);
    }
  }
  store(j->c->out[0], k * n * n, n * n, x);
  return true;
}

static Status square_call(Call *c, bool (*one)(const Job *, int64_t, double *), int64_t matrices, const char *wanted) {
  const Shape *s = &c->in[0]->type.shape;
  return each_matrix(c, one, matrices * s->dim[s->ndim - 1] * s->dim[s->ndim - 1], wanted);
}

static Status det_forward(Call *c) { return square_call(c, det_one, 1, "square"); }
static Status slogdet_forward(Call *c) { return square_call(c, slogdet_one, 1, "square"); }
static Status inverse_forward(Call *c) { return square_call(c, inverse_one, 2, "regular"); }

/* ---- LQ -------------------------------------------------------------------------------------------------- */

/* row -= 2 (row v) / (v v) v: the reflection along v. */
static void reflect(double *row, const double *v, int64_t n) {
  double length = dot(v, v, n);
  if (length > 0) add_scaled(row, -2 * dot(row, v, n) / length, v, n);
}

/* Householder reflections from the right (Golub and Van Loan 5.2.1, transposed): reflection i
** makes row i zero behind its diagonal, with the sign opposite to what stood there, as in
** LAPACK. Its vector is kept in the row, from the diagonal on; L goes to the output as it
** becomes known. Q is the first rows of the identity, reflected in the opposite order. */
static bool gelqf_one(const Job *j, int64_t k, double *a) {
  const int64_t m = j->rows, n = j->columns;
  double *row = a + m * n;
  load(j->c->in[0], k * m * n, m * n, a);
  for (int64_t i = 0; i < m && !interrupted(); i++) {
    double *v = a + i * n + i, tail = dot(v + 1, v + 1, n - i - 1), first = v[0];
    double diagonal = tail == 0 ? first : first > 0 ? -sqrt(first * first + tail) : sqrt(first * first + tail);
    memcpy(row, a + i * n, (size_t)i * sizeof *row);
    for (int64_t q = i; q < m; q++) row[q] = q == i ? diagonal : 0;
    store(j->c->out[1], (k * m + i) * m, m, row);
    if (tail == 0) v[0] = 0;
    else v[0] = first - diagonal;
    for (int64_t r = i + 1; r < m; r++) reflect(a + r * n + i, v, n - i);
  }
  for (int64_t r = 0; r < m && !interrupted(); r++) {
    for (int64_t q = 0; q < n; q++) row[q] = q == r;
    for (int64_t i = m - 1; i >= 0; i--) reflect(row + i, a + i * n + i, n - i);
    store(j->c->out[0], (k * m + r) * n, n, row);
  }
  return true;
}

static Status gelqf_forward(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  int64_t rows = s->dim[s->ndim - 2], columns = s->dim[s->ndim - 1];
  return each_matrix(c, gelqf_one, rows * columns + columns, "any");
}

/* ---- Eigenvectors ------------------------------------------------------------------------------------------ */

/* Rows and columns p and q of the symmetric a turned so that a[p][q] becomes 0; rows p and q
** of u turn along (Golub and Van Loan 8.5.2). */
static void rotate(double *a, double *u, int64_t n, int64_t p, int64_t q) {
  double tau = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
  double t = tau >= 0 ? 1 / (tau + sqrt(1 + tau * tau)) : -1 / (-tau + sqrt(1 + tau * tau));
  double c = 1 / sqrt(1 + t * t), s = t * c;
  for (int64_t i = 0; i < n; i++) {
    double x = a[i * n + p], y = a[i * n + q];
    a[i * n + p] = c * x - s * y;
    a[i * n + q] = s * x + c * y;
  }
  for (int64_t i = 0; i < n; i++) {
    double x = a[p * n + i], y = a[q * n + i], v = u[p * n + i], w = u[q * n + i];
    a[p * n + i] = c * x - s * y;
    a[q * n + i] = s * x + c * y;
    u[p * n + i] = c * v - s * w;
    u[q * n + i] = s * v + c * w;
  }
}

/* In ascending order of the eigenvalues; the element of a vector that is largest in size is positive. */
static void order_vectors(double *a, double *u, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    int64_t least = i, largest = 0;
    for (int64_t k = i + 1; k < n; k++) if (a[k * n + k] < a[least * n + least]) least = k;
    double value = a[least * n + least];
    a[least * n + least] = a[i * n + i];
    a[i * n + i] = value;
    if (least != i) swap_rows(u + i * n, u + least * n, n);
    for (int64_t k = 1; k < n; k++) if (fabs(u[i * n + k]) > fabs(u[i * n + largest])) largest = k;
    if (u[i * n + largest] < 0) for (int64_t k = 0; k < n; k++) u[i * n + k] = -u[i * n + k];
  }
}

/* Jacobi's method, cyclic by rows, until nothing off the diagonal matters any more. */
static bool syevd_one(const Job *j, int64_t k, double *a) {
  enum { MOST_SWEEPS = 60 };
  const int64_t n = j->rows;
  double *u = a + n * n;
  load(j->c->in[0], k * n * n, n * n, a);
  for (int64_t i = 0; i < n; i++)
    for (int64_t m = 0; m < n; m++) {
      if (m > i) a[i * n + m] = a[m * n + i];
      u[i * n + m] = i == m;
    }
  double size = dot(a, a, n * n), rest = size;
  if (!isfinite(size)) return false;
  for (int sweep = 0; sweep < MOST_SWEEPS && rest > 1e-32 * size && !interrupted(); sweep++) {
    for (int64_t p = 0; p < n && !interrupted(); p++)
      for (int64_t q = p + 1; q < n; q++) if (a[p * n + q] != 0) rotate(a, u, n, p, q);
    rest = 0;
    for (int64_t p = 0; p < n; p++) rest += dot(a + p * n + p + 1, a + p * n + p + 1, n - p - 1);
  }
  order_vectors(a, u, n);
  store(j->c->out[0], k * n * n, n * n, u);
  for (int64_t i = 0; i < n; i++) store(j->c->out[1], k * n + i, 1, &a[i * n + i]);
  return true;
}

static Status syevd_forward(Call *c) { return square_call(c, syevd_one, 2, "finite symmetric"); }

/* ---- Inference ------------------------------------------------------------------------------------------------ */

static Status infer_same_square(Infer *f) {
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(square_matrices(f, 0));
  return one_shape(f, 0, 0);
}

static Status infer_gelqf(Infer *f) {
  TRY(one_float_dtype(f, 1, 2));
  TRY(least_dims(f, 0, 2));
  TRY(one_shape(f, 0, 0));
  const Shape *a = &f->in[0].shape;
  if (a->ndim < 0) return OK;
  int64_t rows = a->dim[a->ndim - 2], columns = a->dim[a->ndim - 1];
  if (rows >= 0 && columns >= 0 && rows > columns)
    return fail("A: expected at least as many columns as rows, got shape %s", shape_text(a));
  Shape l = *a;
  l.dim[l.ndim - 1] = rows;
  return output_shape(f, 1, &l);
}

static Status infer_syevd(Infer *f) {
  TRY(infer_same_square(f));
  if (f->in[0].shape.ndim < 0) return OK;
  Shape l = without_axis(&f->in[0].shape, f->in[0].shape.ndim - 1);
  return output_shape(f, 1, &l);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Entry product(Builder *b, Entry x, Entry y, bool tx, bool ty, double factor) {
  return build_op(b, "_linalg_gemm2", &(Gemm2Params){ tx, ty, factor, -2 }, 2, x, y);
}

/* X with A' X = B, or with rightside X A = B, for a lower triangular A. */
static Entry solve_transposed(Builder *b, Entry a, Entry x) {
  return build_op(b, "_linalg_trsm", &(SideParams){ .transpose = true, .lower = true, .alpha = 1 }, 2, a, x);
}

static Entry solve_right(Builder *b, Entry a, Entry x, bool transpose, double factor) {
  SideParams p = { .transpose = transpose, .rightside = true, .lower = true, .alpha = factor };
  return build_op(b, "_linalg_trsm", &p, 2, a, x);
}

static Entry turned(Builder *b, Entry e) { return build_op(b, "SwapAxis", &(SwapParams){ -2, -1 }, 1, e); }

/* The symmetric matrix with e's lower triangle. */
static Entry mirrored(Builder *b, Entry e) {
  Entry low = triangle_of(b, e, true),
      diagonal = build_op(b, "_linalg_makediag", NULL, 1, build_op(b, "_linalg_extractdiag", NULL, 1, e));
  return build_op(b, "elemwise_sub", NULL, 2, build_sum(b, low, turned(b, low)), diagonal);
}

/* I. Murray, "Differentiation of the Cholesky decomposition", 2016: with C mirrored from L' g,
** 1/2 L^-T C L^-1. Shared between the triangles of A, as the matrix is symmetric. */
static Status potrf_grad(Gradient *d) {
  Entry l = { d->node, 0 };
  Entry c = mirrored(d->b, product(d->b, l, triangle_of(d->b, d->out_grad[0], true), true, false, 1));
  d->in_grad[0] = solve_right(d->b, l, solve_transposed(d->b, l, c), false, 0.5);
  return d->b->status;
}

/* With B the output: - lower triangle of B (g + g') L^-T */
static Status potri_grad(Gradient *d) {
  Entry b = { d->node, 0 }, g = build_sum(d->b, d->out_grad[0], turned(d->b, d->out_grad[0]));
  d->in_grad[0] = triangle_of(d->b, solve_right(d->b, d->node->in[0], product(d->b, b, g, false, false, -1), true, 1), true);
  return d->b->status;
}

/* -B' g B' */
static Status inverse_grad(Gradient *d) {
  Entry b = { d->node, 0 };
  d->in_grad[0] = product(d->b, product(d->b, b, d->out_grad[0], true, false, -1), b, false, true, 1);
  return d->b->status;
}

/* factor, a number for each matrix, times the transposed inverse of A. */
static Entry times_inverse(Gradient *d, Entry factor) {
  Entry a = d->node->in[0], inverse = turned(d->b, build_op(d->b, "_linalg_inverse", NULL, 1, a));
  Shape each = entry_type(a)->shape;
  each.dim[each.ndim - 1] = each.dim[each.ndim - 2] = 1;
  return build_op(d->b, "broadcast_mul", NULL, 2, reshape_to(d->b, factor, &each), inverse);
}

static Status det_grad(Gradient *d) {
  d->in_grad[0] = times_inverse(d, build_op(d->b, "elemwise_mul", NULL, 2, d->out_grad[0], (Entry){ d->node, 0 }));
  return d->b->status;
}

/* The sign does not change. */
static Status slogdet_grad(Gradient *d) {
  if (d->out_grad[1].node) d->in_grad[0] = times_inverse(d, d->out_grad[1]);
  return d->b->status;
}

/* M. Seeger et al., "Auto-differentiating linear algebra", 2017: L^-T (dQ + C Q), C mirrored
** from L' dL - dQ Q'. */
static Status gelqf_grad(Gradient *d) {
  Builder *b = d->b;
  Entry q = { d->node, 0 }, l = { d->node, 1 }, dq = out_grad_or_zeros(d, 0), dl = out_grad_or_zeros(d, 1);
  Entry c = mirrored(b, build_sum(b, product(b, l, dl, true, false, 1), product(b, dq, q, false, true, -1)));
  d->in_grad[0] = solve_transposed(b, l, build_sum(b, dq, product(b, c, q, false, false, 1)));
  return b->status;
}

/* The same paper: U' (diag(dL) + sym(X)) U, X being dU U' over the differences of the
** eigenvalues, 0 on the diagonal and where two are equal. */
static Status syevd_grad(Gradient *d) {
  Builder *b = d->b;
  Entry u = { d->node, 0 }, l = { d->node, 1 }, du = out_grad_or_zeros(d, 0), dl = out_grad_or_zeros(d, 1);
  Shape column = d->node->type[0].shape, row = column;
  column.dim[column.ndim - 1] = 1;
  row.dim[row.ndim - 2] = 1;
  Entry apart = build_op(b, "broadcast_sub", NULL, 2, reshape_to(b, l, &column), reshape_to(b, l, &row));
  Entry equal = build_op(b, "_equal_scalar", &(ScalarParams){ 0 }, 1, apart);
  Entry differ = build_op(b, "_rminus_scalar", &(ScalarParams){ 1 }, 1, equal);
  Entry x = build_op(b, "elemwise_div", NULL, 2, build_op(b, "elemwise_mul", NULL, 2, product(b, du, u, false, true, 0.5), differ),
                     build_sum(b, apart, equal));
  Entry inner = build_sum(b, build_sum(b, x, turned(b, x)), build_op(b, "_linalg_makediag", NULL, 1, dl));
  d->in_grad[0] = product(b, product(b, u, inner, true, false, 1), u, false, false, 1);
  return b->status;
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

/* For each matrix (n, m), n <= m, so many times n n m / 3: leading terms, as textbooks count them. */
static double cubic(const Type *in, double thirds) {
  int last = in->shape.ndim - 1;
  return thirds / 3 * (double)in->shape.dim[last - 1] * (double)shape_size(&in->shape);
}

#define FACTOR_FLOPS(title, thirds)                                                                           \
  static double title##_flops(const void *params, const Type *in, const Type *out) {                          \
    (void)params, (void)out;                                                                                  \
    return cubic(in, thirds);                                                                                 \
  }
FACTOR_FLOPS(potrf, 1)
FACTOR_FLOPS(potri, 2)
FACTOR_FLOPS(inverse, 6)
FACTOR_FLOPS(det, 2)
FACTOR_FLOPS(slogdet, 2)
FACTOR_FLOPS(gelqf, 8)
FACTOR_FLOPS(syevd, 27)

#define ROW(title, results, text, examples, infer_, room)                                                    \
  .name = "_linalg_" #title, .aliases = "linalg_" #title " linalg." #title, .doc = text, .example = examples, \
  .inputs = "A", .outputs = results,                                                                         \
  .infer = infer_, .forward = title##_forward, .scratch = room, .flops = title##_flops, .grad = title##_grad

Op factor_ops[] = {
  { ROW(potrf, NULL,
        "The lower triangular L with L L' = A, for symmetric positive definite matrices (Cholesky); "
        "only the lower triangle of A is looked at. The gradient is symmetric: each triangle of A gets half of it",
        "F.linalg_potrf(F.array{{4, 1}, {1, 3}})", infer_same_square, one_matrix),
    .flags = OP_BY_DESIGN },
  { ROW(potri, NULL, "(A A')^-1 for lower triangular matrices: the inverse of the matrix whose potrf is A",
        "F.linalg_potri(F.array{{2, 0}, {1, 3}})\n"
        "F.linalg_potri(F.array{{{2, 0, 0}, {1, 3, 0}, {-1, 0.5, 1}}})",
        infer_same_square, two_matrices) },
  { ROW(inverse, NULL, "The inverse",
        "F.linalg_inverse(F.array{{1, 2}, {3, 4}})\n"
        "F.linalg_inverse(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}})",
        infer_same_square, two_matrices) },
  { ROW(det, NULL, "The determinant",
        "F.linalg_det(F.array{{1, 2}, {3, 4}})\n"
        "F.linalg_det(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}})",
        infer_matrix_number, one_matrix) },
  { ROW(slogdet, "sign logabsdet", "The sign of the determinant and the logarithm of its absolute value",
        "F.linalg_slogdet(F.array{{1, 2}, {3, 4}})[2]\n"
        "F.linalg_slogdet(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}})[2]",
        infer_matrix_number, one_matrix) },
  { ROW(gelqf, "Q L", "Q with orthonormal rows and a lower triangular L with A = L Q; A has at least as many columns as rows",
        "F.linalg_gelqf(F.array{{1, 2, 3}, {4, 5, 7}})\n"
        "F.linalg_gelqf(F.array{{{1, 2}, {3, 4}}})",
        infer_gelqf, matrix_and_row) },
  { ROW(syevd, "U L",
        "Eigenvectors, the rows of U, and eigenvalues L in ascending order: A = U' diag(L) U for symmetric matrices; "
        "only the lower triangle of A is looked at. The largest element of each vector is positive. "
        "The gradient is symmetric",
        "F.linalg_syevd(F.array{{4, 1}, {1, 3}})", infer_syevd, two_matrices),
    .flags = OP_BY_DESIGN },
  { 0 }
};
