/* cholesky_inverse.c - Cholesky and LU factorizations of square matrices: linalg_potrf, potri, inverse, det, slogdet,
** solve.
**
** The kernels call tensor/lapack.h for each matrix of a stack (kernels/matmul/each_matrix.h). Gradients are built from
** products and triangular systems.
*/
#include <math.h>
#include <string.h>

#include "base/math/double_functions.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/linalg/stack_rules.h"
#include "ops/op_registry.h"

static double square(int64_t n) { return area(n, n); }

/* ---- Cholesky ---------------------------------------------------------------------------------------- */

typedef struct CholeskyParams { int64_t lower; } CholeskyParams;

/* linalg_cholesky has no parameters. */
static bool returns_lower(const Op *op, const void *params) {
  return op->params_size == 0 || ((const CholeskyParams *)params)->lower;
}

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

static size_t potrf_workspace(const void *params, const Type *in) {
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
MATRIX_COLUMNS(potrf, "symmetric positive definite matrices, got one that is not", 1)

static size_t potri_workspace(const void *params, const Type *in) {
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
MATRIX_COLUMNS(potri, "regular triangular matrices, got a singular one", 2)

/* ---- LU ------------------------------------------------------------------------------------------------ */

static size_t pivot_bytes(int64_t n) { return matrix_bytes(DT_INT32, (double)n); }

static size_t inverse_workspace(const void *params, const Type *in) {
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
MATRIX_COLUMNS(inverse, "regular matrices, got a singular one", 6)

static size_t det_workspace(const void *params, const Type *in) {
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
MATRIX_COLUMNS(det, "square matrices", 2)

static size_t slogdet_workspace(const void *params, const Type *in) { return det_workspace(params, in); }

static Fault slogdet_one(const MatrixStack *s, int64_t k, void *workspace) {
  double logarithm;
  tensor_set(s->c->out[0], k, diagonal_product(s, k, workspace, &logarithm));
  tensor_set(s->c->out[1], k, logarithm);
  return FAULT_NONE;
}
MATRIX_COLUMNS(slogdet, "square matrices", 2)

/* ---- solve --------------------------------------------------------------------------------------------- */

static Status infer_solve(Infer *f) {
  const Shape *a = &f->in[0].shape, *b = &f->in[1].shape;
  TRY(one_float_dtype(f, 2, 1));
  TRY(square_matrices(f, 0));
  TRY(least_dims(f, 1, 1));
  if (a->ndim < 0 || b->ndim < 0) return OK;
  int own = side_dims(a, b);
  Shape over_a = leading(a, 2), over_b = leading(b, own), out;
  int64_t n = a->dim[a->ndim - 1], rows = b->dim[b->ndim - own];
  if (b->ndim < own || (n >= 0 && rows >= 0 && n != rows) || !shape_broadcast(&over_a, &over_b, &out))
    return fail("b: expected shape (..., %lld) or (..., %lld, k) to go with A %s, got %s", (long long)n, (long long)n,
                shape_text(a), shape_text(b));
  out.dim[out.ndim++] = n;
  if (own == 2) out.dim[out.ndim++] = b->dim[b->ndim - 1];
  return output_shape(f, 0, &out);
}

/* Dimensions of each right-hand side and of its solution. */
static int solve_own(const Query *q) { return side_dims(&query_in(q, 0)->shape, &query_in(q, 1)->shape); }

static int64_t solve_count(const Query *q) {
  Shape over = leading(&query_out(q, 0)->shape, solve_own(q));
  return shape_size(&over);
}

static int64_t solve_sides(const Query *q) { return solve_own(q) == 1 ? 1 : columns_of(query_out(q, 0)); }

static size_t solve_workspace(const Query *q) {
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

static size_t solve_scratch(const Query *q) {
  return stack_scratch(query_in(q, 0), solve_count(q), solve_workspace(q));
}

static Status solve_forward(Call *c) {
  const Query q = query_of_call(c);
  return each_matrix(c, solve_one, solve_count(&q), solve_workspace(&q), "regular matrices, got a singular one");
}

/* db = A'^-1 g, dA = -db x' */
static Status solve_grad(Gradient *d) {
  Builder *b = d->b;
  Entry a = d->node->in[0], x = { d->node, 0 };
  Shape columns = entry_type(x)->shape;
  Entry db = build_op(b, "_linalg_solve", NULL, 2, matrix_turned(b, a), d->out_grad[0]);
  if (d->wanted[1]) d->in_grad[1] = sum_to(b, db, gradient_input(d, 1));
  if (!d->wanted[0]) return b->status;
  if (side_dims(&entry_type(a)->shape, &gradient_input(d, 1)->shape) == 1) {
    columns.dim[columns.ndim++] = 1;
    x = reshape_to(b, x, &columns);
    db = reshape_to(b, db, &columns);
  }
  return only_gradient(d, sum_to(b, matrix_product(b, db, x, false, true, -1), entry_type(a)));
}

/* ---- Inference ------------------------------------------------------------------------------------------- */

static Status infer_same_square(Infer *f) {
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(square_matrices(f, 0));
  return one_shape(f, 0, 0);
}

/* ---- Gradients -------------------------------------------------------------------------------------------- */

/* X with A' X = B, or with rightside X A = B, for a lower triangular A. */
static Entry solve_transposed(Builder *b, Entry a, Entry x) {
  return build_op(b, "_linalg_trsm", &(SideParams){ .transpose = true, .lower = true, .alpha = 1 }, 2, a, x);
}

static Entry solve_right(Builder *b, Entry a, Entry x, bool transpose, double factor) {
  SideParams p = { .transpose = transpose, .rightside = true, .lower = true, .alpha = factor };
  return build_op(b, "_linalg_trsm", &p, 2, a, x);
}

/* 1/2 L^-T C L^-1, with C mirrored from L' g (I. Murray, "Differentiation of the Cholesky decomposition", 2016). The
** gradient is symmetric: each triangle of A gets half of it. */
static Status potrf_grad(Gradient *d) {
  Entry l = { d->node, 0 }, g = d->out_grad[0];
  if (!returns_lower(d->node->op, gradient_params(d))) {
    l = matrix_turned(d->b, l);
    g = matrix_turned(d->b, g);
  }
  Entry c = matrix_mirrored(d->b, matrix_product(d->b, l, triangle_of(d->b, g, true), true, false, 1));
  return only_gradient(d, solve_right(d->b, l, solve_transposed(d->b, l, c), false, 0.5));
}

/* The lower triangle of -B (g + g') L^-T, where B is the output. */
static Status potri_grad(Gradient *d) {
  Entry b = { d->node, 0 }, g = build_sum(d->b, d->out_grad[0], matrix_turned(d->b, d->out_grad[0]));
  Entry x = solve_right(d->b, d->node->in[0], matrix_product(d->b, b, g, false, false, -1), true, 1);
  return only_gradient(d, triangle_of(d->b, x, true));
}

/* -B' g B', where B is the output. */
static Status inverse_grad(Gradient *d) {
  Entry b = { d->node, 0 }, left = matrix_product(d->b, b, d->out_grad[0], true, false, -1);
  return only_gradient(d, matrix_product(d->b, left, b, false, true, 1));
}

/* `factor`, one number per matrix, times the transposed inverse of A. Where `product` is 0 the matrix is singular: it
** is replaced by the identity, and the gradient is 0, as in MXNet. */
static Entry times_inverse(Gradient *d, Entry factor, Entry product) {
  Builder *b = d->b;
  Entry a = d->node->in[0];
  Shape each = entry_type(a)->shape, row = without_axis(&each, each.ndim - 1), one = row;
  each.dim[each.ndim - 1] = each.dim[each.ndim - 2] = one.dim[one.ndim - 1] = 1;
  Entry singular = build_op(b, "_equal_scalar", &(ScalarParams){ 0 }, 1, product);
  Entry regular = build_op(b, "_rminus_scalar", &(ScalarParams){ 1 }, 1, singular);
  Entry units = build_op(b, "_linalg_makediag", NULL, 1, broadcast_exact(b, reshape_to(b, singular, &one), &row));
  Entry kept = build_op(b, "broadcast_mul", NULL, 2, a, reshape_to(b, regular, &each));
  Entry inverse = matrix_turned(b, build_op(b, "_linalg_inverse", NULL, 1, build_sum(b, kept, units)));
  factor = build_op(b, "elemwise_mul", NULL, 2, factor, regular);
  return build_op(b, "broadcast_mul", NULL, 2, reshape_to(b, factor, &each), inverse);
}

static Status det_grad(Gradient *d) {
  Entry det = { d->node, 0 };
  return only_gradient(d, times_inverse(d, build_op(d->b, "elemwise_mul", NULL, 2, d->out_grad[0], det), det));
}

/* The sign is constant, so only the logarithm has a gradient. */
static Status slogdet_grad(Gradient *d) {
  if (d->out_grad[1].node) d->in_grad[0] = times_inverse(d, d->out_grad[1], (Entry){ d->node, 0 });
  return d->b->status;
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

static double solve_flops(const Query *q) {
  double n = (double)columns_of(query_in(q, 0));
  return (double)solve_count(q) * (2.0 / 3 * n + 2 * (double)solve_sides(q)) * n * n;
}

#define ROW(title, more, results, text, examples, infer_, more_flags)                                         \
  .name = "_linalg_" #title, .aliases = "linalg_" #title " linalg." #title more, .doc = text, .example = examples, \
  .inputs = "A", .outputs = results,                                                                          \
  .infer = infer_, .forward = title##_forward, .workspace = title##_scratch, .flops = title##_flops,                \
  .grad = title##_grad, .flags = OP_LAPACK | more_flags

/* clang-format off */
Op factor_ops[] = {
  { ROW(potrf, "", NULL,
        "The Cholesky factor of symmetric positive definite matrices: the lower triangular L with L L' = A, from the "
        "lower triangle of A. With lower = false, the upper triangular U with U' U = A, from the upper triangle. "
        "The gradient is symmetric: each triangle of A gets half of it",
        "F.linalg_potrf(F.array{{4, 1}, {1, 3}})\nF.linalg_potrf(F.array{{4, 1}, {1, 3}}, {lower = false})",
        infer_same_square, OP_BY_DESIGN),
    .params = "lower bool True Return the lower triangular factor, else the upper one.\n",
    .params_size = sizeof(CholeskyParams) },
  { .name = "_linalg_cholesky", .aliases = "linalg.cholesky _npi_cholesky",
    .doc = "The Cholesky factor of symmetric positive definite matrices: the lower triangular L with L L' = A. NumPy's "
           "name for linalg_potrf",
    .example = "F.linalg.cholesky(F.array{{4, 1}, {1, 3}})", .inputs = "A", .infer = infer_same_square,
    .forward = potrf_forward, .workspace = potrf_scratch, .flops = potrf_flops, .grad = potrf_grad,
    .flags = OP_LAPACK | OP_BY_DESIGN },
  { ROW(potri, "", NULL, "(A A')^-1 for lower triangular A: the inverse of the matrix whose Cholesky factor is A",
        "F.linalg_potri(F.array{{2, 0}, {1, 3}})\n"
        "F.linalg_potri(F.array{{{2, 0, 0}, {1, 3, 0}, {-1, 0.5, 1}}})",
        infer_same_square, 0) },
  { ROW(inverse, " linalg.inv _npi_inv", NULL, "The inverse of each matrix",
        "F.linalg_inverse(F.array{{1, 2}, {3, 4}})\n"
        "F.linalg_inverse(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}})",
        infer_same_square, 0) },
  { ROW(det, "", NULL, "The determinant. The gradient of a singular matrix is 0",
        "F.linalg_det(F.array{{1, 2}, {3, 4}})\n"
        "F.linalg_det(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}})",
        infer_matrix_number, 0) },
  { ROW(slogdet, "", "sign logabsdet",
        "The sign of the determinant and the logarithm of its absolute value. The gradient of a singular matrix is 0",
        "F.linalg_slogdet(F.array{{1, 2}, {3, 4}})[2]\n"
        "F.linalg_slogdet(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}})[2]",
        infer_matrix_number, 0) },
  { .name = "_linalg_solve", .aliases = "linalg.solve _npi_solve",
    .doc = "The solution x of A x = b for regular A (..., n, n), by LU. b holds vectors (..., n) if it has one "
           "dimension less than A, else matrices (..., n, k), one system per column. The leading axes of A and b "
           "broadcast",
    .example = "F.linalg.solve(F.array{{3, 1}, {1, 2}}, F.array{9, 8})\n"
               "F.linalg.solve(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}}, F.array{{{1, 2}, {3, 4}, {5, 6}}})\n"
               "F.linalg.solve(F.array{{3, 1}, {1, 2}}, F.array{{{9, 1}, {8, 2}}, {{1, 0}, {0, 1}}})",
    .inputs = "A b", .infer = infer_solve, .forward = solve_forward, .workspace = solve_scratch, .flops = solve_flops,
    .grad = solve_grad, .flags = OP_LAPACK },
  { 0 }
};
/* clang-format on */
