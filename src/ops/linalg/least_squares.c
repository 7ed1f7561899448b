/* least_squares.c - least squares, pseudoinverse and rank: linalg.lstsq, linalg.pinv, linalg.matrix_rank.
**
** All three use the singular values above a threshold (tensor/lapack.h). Gradients are those of the pseudoinverse at
** constant rank: G. Golub, V. Pereyra, "The differentiation of pseudo-inverses and nonlinear least squares problems
** whose variables separate", 1973.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/linalg/stack_rules.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

static double at(DType t, const void *x, int64_t i) {
  return t == DT_FLOAT32 ? (double)((const float *)x)[i] : ((const double *)x)[i];
}

static double dtype_epsilon(DType t) { return t == DT_FLOAT32 ? FLT_EPSILON : DBL_EPSILON; }

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

typedef struct PinvParams { double rcond; int64_t hermitian; } PinvParams;

static Status infer_pinv(Infer *f) {
  TRY(one_float_dtype(f, 1, 1));
  TRY(least_dims(f, 0, 2));
  if (((const PinvParams *)f->params)->hermitian) TRY(square_matrices(f, 0));
  Shape out = f->in[0].shape;
  if (out.ndim < 0) return OK;
  out.dim[out.ndim - 2] = columns_of(&f->in[0]);
  out.dim[out.ndim - 1] = rows_of(&f->in[0]);
  return output_shape(f, 0, &out);
}

static size_t pinv_workspace(const void *params, const Type *in) {
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

MATRIX_COLUMNS(pinv, "matrices", 72)

/* x - p (q x): the part of x outside the projection p q. */
static Entry less(Builder *b, Entry x, Entry p, Entry q) {
  return build_difference(b, x, matrix_product(b, p, matrix_product(b, q, x, false, false, 1), false, false, 1));
}

/* -P' g P' + (1 - A P) g' P P' + P' P g' (1 - P A), with P = pinv(A). A projection is 0 if A has full rank on that
** side; the rank is not known, so both are computed. */
static Status pinv_grad(Gradient *d) {
  Builder *b = d->b;
  Entry a = d->node->in[0], p = { d->node, 0 }, g = d->out_grad[0], turned = matrix_turned(b, g);
  Entry first = matrix_product(b, matrix_product(b, p, g, true, false, -1), p, false, true, 1);
  Entry second = matrix_product(b, matrix_product(b, less(b, turned, a, p), p, false, false, 1), p, false, true, 1);
  Entry inner = build_difference(b, turned,
                                 matrix_product(b, matrix_product(b, turned, p, false, false, 1), a, false, false, 1));
  Entry third = matrix_product(b, p, matrix_product(b, p, inner, false, false, 1), true, false, 1);
  return only_gradient(d, build_sum(b, build_sum(b, first, second), third));
}

/* ---- matrix_rank ---------------------------------------------------------------------------------------- */

typedef struct RankParams { double tol; int64_t hermitian; } RankParams;

static Status infer_rank(Infer *f) {
  const Shape *a = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, 0));
  TRY(output_dtype(f, 0, DT_INT64));
  TRY(least_dims(f, 0, 2));
  if (((const RankParams *)f->params)->hermitian) TRY(square_matrices(f, 0));
  if (a->ndim < 0) return OK;
  Shape out = at_least_1d(leading(a, 2));
  return output_shape(f, 0, &out);
}

static size_t rank_workspace(const void *params, const Type *in) {
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

MATRIX_COLUMNS(rank, "matrices", 8)

/* ---- lstsq ----------------------------------------------------------------------------------------------- */

typedef struct LstsqParams { double rcond; } LstsqParams;
enum { OUT_X, OUT_RESIDUALS, OUT_RANK };

static Status infer_lstsq(Infer *f) {
  const Shape *a = &f->in[0].shape, *b = &f->in[1].shape;
  TRY(one_float_dtype(f, 2, OUT_RANK));
  TRY(output_dtype(f, OUT_RANK, DT_INT64));
  TRY(least_dims(f, 0, 2));
  TRY(least_dims(f, 1, 1));
  if (a->ndim < 0 || b->ndim < 0) return OK;
  int own = side_dims(a, b), lead = a->ndim - 2;
  int64_t m = rows_of(&f->in[0]), n = columns_of(&f->in[0]);
  bool fits = b->ndim == lead + own && (m < 0 || b->dim[lead] < 0 || b->dim[lead] == m);
  for (int i = 0; fits && i < lead; i++) fits = a->dim[i] < 0 || b->dim[i] < 0 || a->dim[i] == b->dim[i];
  if (!fits)
    return fail("b: expected A's shape without the last axis, or with another last axis, got %s for A %s",
                shape_text(b), shape_text(a));
  if (m < 0 || n < 0) return OK;
  Shape x = *b, residuals = *b, ranks = at_least_1d(leading(a, 2));
  x.dim[lead] = n;
  residuals.ndim = lead + 1;
  residuals.dim[lead] = m <= n ? 0 : own == 1 ? 1 : b->dim[lead + 1];
  TRY(output_shape(f, OUT_X, &x));
  TRY(output_shape(f, OUT_RESIDUALS, &residuals));
  return output_shape(f, OUT_RANK, &ranks);
}

static int64_t sides_of(const Query *q) {
  return side_dims(&query_in(q, 0)->shape, &query_in(q, 1)->shape) == 1 ? 1 : columns_of(query_in(q, 1));
}

static size_t lstsq_workspace(const Query *q) {
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

/* The relative size up to which singular values count as 0. A NaN rcond is the default, a negative one the precision of
** the dtype. */
static double least_size(double rcond, DType dtype, int64_t longer_side) {
  const double eps = dtype_epsilon(dtype);
  return isnan(rcond) ? eps * (double)longer_side : rcond < 0 ? eps : rcond;
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

static size_t lstsq_scratch(const Query *q) {
  return stack_scratch(query_in(q, 0), matrices_in(&query_in(q, 0)->shape), lstsq_workspace(q));
}

static Status lstsq_forward(Call *c) {
  const Query q = query_of_call(c);
  return each_matrix(c, lstsq_one, matrices_in(&c->in[0]->type.shape), lstsq_workspace(&q), "matrices");
}

/* db = P' g and dA = -db x' + r (g' P P') + (P' x) (g - P A g)', with P = pinv(A), x = P b and r = b - A x. */
static Status lstsq_grad(Gradient *d) {
  Builder *b = d->b;
  const LstsqParams *given = gradient_params(d);
  Entry a = d->node->in[0], right = d->node->in[1], x = { d->node, OUT_X }, g = d->out_grad[OUT_X];
  const Type *type = entry_type(a);
  if (!g.node) return OK;
  Shape matrix = entry_type(right)->shape, solution = entry_type(x)->shape;
  bool vectors = side_dims(&type->shape, &matrix) == 1;
  if (vectors) matrix.dim[matrix.ndim++] = solution.dim[solution.ndim++] = 1;
  right = reshape_to(b, right, &matrix);
  x = reshape_to(b, x, &solution);
  g = reshape_to(b, g, &solution);
  double rcond = least_size(given->rcond, type->dtype, greater(rows_of(type), columns_of(type)));
  Entry p = build_op(b, "_linalg_pinv", &(PinvParams){ .rcond = rcond }, 1, a);
  Entry db = matrix_product(b, p, g, true, false, 1);
  if (d->wanted[1]) d->in_grad[1] = reshape_to(b, db, &gradient_input(d, 1)->shape);
  if (!d->wanted[0]) return b->status;
  Entry r = build_difference(b, right, matrix_product(b, a, x, false, false, 1));
  Entry second = matrix_product(b, r, matrix_product(b, p, db, false, false, 1), false, true, 1);
  Entry third = matrix_product(b, matrix_product(b, p, x, true, false, 1), less(b, g, p, a), false, true, 1);
  Entry first = matrix_product(b, db, x, false, true, -1);
  return only_gradient(d, build_sum(b, build_sum(b, first, second), third));
}

/* ---- Rows -------------------------------------------------------------------------------------------------- */

static double lstsq_flops(const Query *q) {
  const Type *in = query_in(q, 0);
  return 4 * (double)(lesser(rows_of(in), columns_of(in)) + sides_of(q)) * (double)shape_size(&in->shape);
}

/* clang-format off */
Op least_squares_ops[] = {
  { .name = "_linalg_pinv", .aliases = "linalg.pinv",
    .doc = "The pseudoinverse (..., n, m) of A (..., m, n), by singular values. The gradient assumes that the rank "
           "does not change",
    .example = "F.linalg.pinv(F.array({{1, 2}, {3, 4}, {5, 7}}, {dtype = \"float64\"}))\n"
               "F.linalg.pinv(F.array({{{1, 2, 3}, {4, 5, 7}}}, {dtype = \"float64\"}), {rcond = 1e-6})",
    .inputs = "A",
    .params = "rcond float 1e-15 Singular values up to this times the largest count as 0.\n"
              "hermitian bool False A is symmetric: use eigenvalues, which is faster, and read only the lower "
              "triangle.\n",
    .params_size = sizeof(PinvParams),
    .infer = infer_pinv, .forward = pinv_forward, .workspace = pinv_scratch, .flops = pinv_flops, .grad = pinv_grad,
    .flags = OP_LAPACK },
  { .name = "_linalg_matrix_rank", .aliases = "linalg.matrix_rank",
    .doc = "The rank of matrices, as int64: the number of singular values above tol",
    .example = "F.linalg.matrix_rank(F.array{{1, 2}, {2, 4}, {3, 6}})\n"
               "F.linalg.matrix_rank(F.array{{{1, 2}, {2, 4}}, {{1, 0}, {0, 1}}}, {hermitian = true})",
    .inputs = "A",
    .params = "tol float? None The limit; None: the largest singular value times max(m, n) times the precision of the "
              "dtype.\n"
              "hermitian bool False A is symmetric: use eigenvalues, which is faster, and read only the lower "
              "triangle.\n",
    .params_size = sizeof(RankParams), .flags = OP_LAPACK | OP_NO_GRAD,
    .infer = infer_rank, .forward = rank_forward, .workspace = rank_scratch, .flops = rank_flops },
  { .name = "_linalg_lstsq",
    .doc = "Least squares, for linalg.lstsq: the shortest x that minimizes |A x - b|, the sums of squared residuals "
           "if A has more rows than columns, and the rank of A. Only x has a gradient, which assumes that the rank "
           "does not change",
    .example = "F._linalg_lstsq(F.array({{1, 0}, {1, 1}, {1, 2}}, {dtype = \"float64\"}), "
               "F.array({1, 2, 4}, {dtype = \"float64\"}))[1]\n"
               "F._linalg_lstsq(F.array({{{1, 2, 3}, {4, 5, 7}}}, {dtype = \"float64\"}), "
               "F.array({{{1, 2}, {3, 5}}}, {dtype = \"float64\"}))[1]",
    .inputs = "A b", .outputs = "x residuals rank",
    .params = "rcond float? None Singular values up to this times the largest count as 0; None: the precision of the "
              "dtype times max(m, n).\n",
    .params_size = sizeof(LstsqParams),
    .infer = infer_lstsq, .forward = lstsq_forward, .workspace = lstsq_scratch, .flops = lstsq_flops,
    .grad = lstsq_grad, .flags = OP_LAPACK },
  { 0 }
};
/* clang-format on */
