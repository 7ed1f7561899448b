/* cholesky_inverse.c - Cholesky and LU factorizations of square matrices: linalg_potrf, potri, inverse, det, slogdet,
** solve.
**
** The kernels are in kernels/linalg/cholesky_inverse_kernels.c. Gradients are built from products and triangular
** systems.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/linalg/cholesky_inverse.h"
#include "ops/op_registry.h"

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

FACTOR_FLOPS(potrf, 1)
FACTOR_FLOPS(potri, 2)
FACTOR_FLOPS(inverse, 6)
FACTOR_FLOPS(det, 2)
FACTOR_FLOPS(slogdet, 2)

static double solve_flops(const Query *q) {
  double n = (double)columns_of(query_in(q, 0));
  return (double)solve_count(q) * (2.0 / 3 * n + 2 * (double)solve_sides(q)) * n * n;
}

#define ROW(title, more, results, text, examples, infer_, more_flags)                                         \
  .name = "_linalg_" #title, .aliases = "linalg_" #title " linalg." #title more, .doc = text, .example = examples, \
  .inputs = "A", .outputs = results,                                                                          \
  .infer = infer_, .flops = title##_flops, .grad = title##_grad, .flags = OP_LAPACK | more_flags

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
    .flops = potrf_flops, .grad = potrf_grad, .flags = OP_LAPACK | OP_BY_DESIGN },
  { ROW(potri, "", NULL, "(A A')^-1 for lower triangular A: the inverse of the matrix whose Cholesky factor is A",
        "F.linalg_potri(F.array{{2, 0}, {1, 3}})\n"
        "F.linalg_potri(F.array{{{2, 0, 0}, {1, 3, 0}, {-1, 0.5, 1}}})",
        infer_same_square, 0) },
  { ROW(inverse, " linalg.inv _npi_inv", NULL, "The inverse of each matrix",
        "F.linalg_inverse(F.array{{1, 2}, {3, 4}})\n"
        "F.linalg_inverse(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}})",
        infer_same_square, 0) },
  { ROW(det, " /_npi_det", NULL, "The determinant. The gradient of a singular matrix is 0",
        "F.linalg_det(F.array{{1, 2}, {3, 4}})\n"
        "F.linalg_det(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}})",
        infer_matrix_number, 0), .params = NP_SHAPES, .params_size = sizeof(NpParams) },
  { ROW(slogdet, " /_npi_slogdet", "sign logabsdet",
        "The sign of the determinant and the logarithm of its absolute value. The gradient of a singular matrix is 0",
        "F.linalg_slogdet(F.array{{1, 2}, {3, 4}})[2]\n"
        "F.linalg_slogdet(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}})[2]",
        infer_matrix_number, 0), .params = NP_SHAPES, .params_size = sizeof(NpParams) },
  { .name = "_linalg_solve", .aliases = "linalg.solve _npi_solve",
    .doc = "The solution x of A x = b for regular A (..., n, n), by LU. b holds vectors (..., n) if it has one "
           "dimension less than A, else matrices (..., n, k), one system per column. The leading axes of A and b "
           "broadcast",
    .example = "F.linalg.solve(F.array{{3, 1}, {1, 2}}, F.array{9, 8})\n"
               "F.linalg.solve(F.array{{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}}, F.array{{{1, 2}, {3, 4}, {5, 6}}})\n"
               "F.linalg.solve(F.array{{3, 1}, {1, 2}}, F.array{{{9, 1}, {8, 2}}, {{1, 0}, {0, 1}}})",
    .inputs = "A b", .infer = infer_solve, .flops = solve_flops, .grad = solve_grad, .flags = OP_LAPACK },
  { 0 }
};
/* clang-format on */
