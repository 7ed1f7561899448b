/* least_squares.c - least squares, pseudoinverse and rank: linalg.lstsq, linalg.pinv, linalg.matrix_rank.
**
** All three use the singular values above a threshold; the kernels are in kernels/linalg/least_squares_kernels.c.
** Gradients are those of the pseudoinverse at constant rank: G. Golub, V. Pereyra, "The differentiation of
** pseudo-inverses and nonlinear least squares problems whose variables separate", 1973.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/linalg/least_squares.h"
#include "ops/op_registry.h"

/* ---- pinv ------------------------------------------------------------------------------------------------ */

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

static Status infer_rank(Infer *f) {
  const Shape *a = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, 0));
  TRY(output_dtype(f, 0, DT_INT64));
  TRY(least_dims(f, 0, 2));
  if (((const RankParams *)f->params)->hermitian) TRY(square_matrices(f, 0));
  if (a->ndim < 0) return OK;
  Shape out = number_shape(leading(a, 2), ((const RankParams *)f->params)->np);
  return output_shape(f, 0, &out);
}

/* ---- lstsq ----------------------------------------------------------------------------------------------- */

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

FACTOR_FLOPS(pinv, 72)
FACTOR_FLOPS(rank, 8)

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
    .infer = infer_pinv, .flops = pinv_flops, .grad = pinv_grad, .flags = OP_LAPACK },
  { .name = "_linalg_matrix_rank", .aliases = "linalg.matrix_rank",
    .doc = "The rank of matrices, as int64: the number of singular values above tol",
    .example = "F.linalg.matrix_rank(F.array{{1, 2}, {2, 4}, {3, 6}})\n"
               "F.linalg.matrix_rank(F.array{{{1, 2}, {2, 4}}, {{1, 0}, {0, 1}}}, {hermitian = true})",
    .inputs = "A",
    .params = "tol float? None The limit; None: the largest singular value times max(m, n) times the precision of the "
              "dtype.\n"
              "hermitian bool False A is symmetric: use eigenvalues, which is faster, and read only the lower "
              "triangle.\n" NP_SHAPES,
    .params_size = sizeof(RankParams), .flags = OP_LAPACK | OP_NO_GRAD,
    .infer = infer_rank, .typed_by = 1, .flops = rank_flops },
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
    .infer = infer_lstsq, .flops = lstsq_flops, .grad = lstsq_grad, .flags = OP_LAPACK },
  { 0 }
};
/* clang-format on */
