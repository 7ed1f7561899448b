/* lu_eig_expm.c - general matrices: lu, eig, eigvals, expm, sqrtm.
**
** The kernels are in kernels/linalg/lu_eig_expm_kernels.c; they compute in float64. Gradients are built from products
** and triangular systems, and those of expm and sqrtm from the function itself, so they can be differentiated again.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/linalg/matrix_steps.h"
#include "ops/linalg/stack_rules.h"
#include "ops/op_registry.h"

/* ---- LU -------------------------------------------------------------------------------------------------- */

static Status infer_lu(Infer *f) {
  const Shape *a = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(least_dims(f, 0, 2));
  if (a->ndim < 0) return OK;
  int row = a->ndim - 2, last = a->ndim - 1;
  if (a->dim[row] < 0 || a->dim[last] < 0) return OK;
  Shape p = *a, l = *a, u = *a;
  p.dim[last] = a->dim[row];
  l.dim[last] = u.dim[row] = lesser(a->dim[row], a->dim[last]);
  TRY(output_shape(f, 0, &p));
  TRY(output_shape(f, 1, &l));
  return output_shape(f, 2, &u);
}

/* X L^-1 transposed and alike: with the transpose of a triangular matrix on the left or right. */
static Entry solve_turned(Builder *b, Entry a, Entry x, bool right, bool lower) {
  SideParams p = { .transpose = true, .rightside = right, .lower = lower, .alpha = 1 };
  return build_op(b, "_linalg_trsm", &p, 2, a, x);
}

/* The triangle that belongs to L (without the diagonal) of x, and that of U of y. */
static Entry both_triangles(Builder *b, Entry x, Entry y) {
  return build_sum(b, build_op(b, "tril", &(KParams){ -1 }, 1, x), build_op(b, "triu", &(KParams){ 0 }, 1, y));
}

/* With k the smaller of m and n, L = (L1; L2) and U = (U1, U2), where L1 and U1 are (k, k): dU2 = L1^-1 (dA2 - dL1 U2)
** and dL2 = (dA2 - L2 dU1) U1^-1 turn the gradients of U2 and L2 into terms of those of L1 and U1. Then dA1 is P L1^-T
** (tril(L1' gL1, -1) + triu(gU1 U1')) U1^-T, by d(L U) = dL U + L dU. */
static Status lu_grad(Gradient *d) {
  Builder *b = d->b;
  const Type *type = entry_type(d->node->in[0]);
  const int64_t m = rows_of(type), n = columns_of(type), k = lesser(m, n);
  if (k == 0) return OK;
  Entry p = { d->node, 0 }, l = { d->node, 1 }, u = { d->node, 2 }, gl = out_grad_or_zeros(d, 1),
        gu = out_grad_or_zeros(d, 2);
  Entry l1 = part(b, l, -2, 0, k), u1 = part(b, u, -1, 0, k), gl1 = part(b, gl, -2, 0, k), gu1 = part(b, gu, -1, 0, k);
  Entry for_l = matrix_product(b, l1, gl1, true, false, 1), for_u = matrix_product(b, gu1, u1, false, true, 1);
  Entry gu2 = NO_ENTRY, gl2 = NO_ENTRY;
  if (n > k) {
    gu2 = part(b, gu, -1, k, n);
    for_l = build_difference(b, for_l, matrix_product(b, gu2, part(b, u, -1, k, n), false, true, 1));
  }
  if (m > k) {
    gl2 = part(b, gl, -2, k, m);
    for_u = build_difference(b, for_u, matrix_product(b, part(b, l, -2, k, m), gl2, true, false, 1));
  }
  Entry sum = solve_turned(b, u1, both_triangles(b, for_l, for_u), true, false);
  if (m > k) sum = build_joined(b, solve_turned(b, l1, sum, false, true), solve_turned(b, u1, gl2, true, false), -2);
  else sum = solve_turned(b, l1, n > k ? build_joined(b, sum, gu2, -1) : sum, false, true);
  return only_gradient(d, matrix_product(b, p, sum, false, false, 1));
}

/* ---- Eigenvectors ---------------------------------------------------------------------------------------- */

static Status infer_eig(Infer *f) {
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(square_matrices(f, 0));
  if (f->n_out == 2) TRY(one_shape(f, 0, 1));
  if (f->in[0].shape.ndim < 0) return OK;
  Shape w = without_axis(&f->in[0].shape, f->in[0].shape.ndim - 1);
  return output_shape(f, 0, &w);
}

/* V^-T x V' */
static Entry in_basis(Builder *b, Entry v, Entry x) {
  return build_op(b, "_linalg_solve", NULL, 2, matrix_turned(b, v), matrix_product(b, x, v, false, true, 1));
}

/* V^-T (diag(gw) + (V' gV - V' V diag(V' gV)) / E) V', with E the differences of the eigenvalues; the term with the
** diagonal is due to the norm of the vectors (C. Boeddeker et al., "On the computation of complex-valued gradients with
** application to statistically optimum beamforming", 2017). */
static Status eig_grad(Gradient *d) {
  Builder *b = d->b;
  Entry w = { d->node, 0 }, v = { d->node, 1 }, gv = d->out_grad[1];
  Entry inner = build_op(b, "_linalg_makediag", NULL, 1, out_grad_or_zeros(d, 0));
  if (gv.node) {
    Entry x = matrix_product(b, v, gv, true, false, 1);
    Entry norms = scaled(b, matrix_product(b, v, v, true, false, 1),
                         as_row(b, build_op(b, "_linalg_extractdiag", NULL, 1, x)));
    inner = build_sum(b, inner,
                      build_op(b, "elemwise_mul", NULL, 2, build_difference(b, x, norms),
                               reciprocal_differences(b, w)));
  }
  return only_gradient(d, in_basis(b, v, inner));
}

static Status eigvals_grad(Gradient *d) {
  Builder *b = d->b;
  Entry v = entry_output(build_op(b, "_linalg_eig", NULL, 1, d->node->in[0]), 1);
  return only_gradient(d, in_basis(b, v, build_op(b, "_linalg_makediag", NULL, 1, d->out_grad[0])));
}

/* ---- Functions of matrices ------------------------------------------------------------------------------- */

static Status infer_function(Infer *f) {
  TRY(one_float_dtype(f, 1, 1));
  TRY(square_matrices(f, 0));
  return one_shape(f, 0, 0);
}

/* The derivative of a function of a matrix in the direction E is the upper right block of f((A, E; 0, A)); its adjoint
** is that of A' (N. Higham, "Functions of Matrices", 2008, 3.2). */
static Status function_grad(Gradient *d) {
  Builder *b = d->b;
  Entry g = d->out_grad[0], turned = matrix_turned(b, d->node->in[0]);
  if (b->status != OK) return b->status;
  const int64_t n = columns_of(entry_type(g));
  if (n == 0) return OK;
  Entry low = build_joined(b, build_zeros_like(b, g), turned, -1);
  Entry whole = build_op(b, d->node->op->name, NULL, 1, build_joined(b, build_joined(b, turned, g, -1), low, -2));
  return only_gradient(d, part(b, part(b, whole, -2, 0, n), -1, n, 2 * n));
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

FACTOR_FLOPS(lu, 2)
FACTOR_FLOPS(eig, 75)
FACTOR_FLOPS(eigvals, 30)
FACTOR_FLOPS(expm, 50)
FACTOR_FLOPS(sqrtm, 90)

#define COLUMNS(title, infer_) .flags = OP_LAPACK, .infer = infer_, .flops = title##_flops

/* clang-format off */
Op general_matrix_ops[] = {
  { .name = "_linalg_lu", .aliases = "linalg.lu",
    .doc = "The LU factorization A = p l u of A (..., m, n) with exchanged rows, as in SciPy: {p (..., m, m), l (..., "
           "m, k), u (..., k, n)} with k = min(m, n). p is a permutation, l is lower triangular with ones on its "
           "diagonal, u is upper triangular. For the gradient the first k columns of A must be independent",
    .example = "F.linalg.lu(F.array({{1, 2}, {3, 4}}, {dtype = \"float64\"}))\n"
               "F.linalg.lu(F.array({{1, 2}, {3, 5}, {5, 7}}, {dtype = \"float64\"}))\n"
               "F.linalg.lu(F.array({{{1, 2, 3}, {4, 5, 7}}}, {dtype = \"float64\"}))",
    .inputs = "A", .outputs = "p l u", COLUMNS(lu, infer_lu), .grad = lu_grad },
  { .name = "_linalg_eig", .aliases = "linalg.eig",
    .doc = "Eigenvalues and eigenvectors of square matrices with real eigenvalues: {w (..., n), v (..., n, n)} with A "
           "v = v diag(w), in no particular order. The vectors, in the columns of v, have norm 1, and their element of "
           "largest absolute value is positive. Complex eigenvalues are an error. Gradients need distinct "
           "eigenvalues",
    .example = "F.linalg.eig(F.array({{2, 1}, {3, 5}}, {dtype = \"float64\"}))\n"
               "F.linalg.eig(F.array({{{4, 1, 0}, {2, 1, 1}, {0, 3, -2}}}, {dtype = \"float64\"}))",
    .inputs = "A", .outputs = "w v", COLUMNS(eig, infer_eig), .grad = eig_grad },
  { .name = "_linalg_eigvals", .aliases = "linalg.eigvals",
    .doc = "Eigenvalues (..., n) of square matrices, in no particular order. Complex ones are an error. The gradient "
           "needs distinct eigenvalues",
    .example = "F.linalg.eigvals(F.array({{2, 1}, {3, 5}}, {dtype = \"float64\"}))\n"
               "F.linalg.eigvals(F.array({{{4, 1, 0}, {2, 1, 1}, {0, 3, -2}}}, {dtype = \"float64\"}))",
    .inputs = "A", COLUMNS(eigvals, infer_eig), .grad = eigvals_grad },
  { .name = "_linalg_expm", .aliases = "linalg.expm",
    .doc = "The exponential of square matrices: the sum of A^k / k!",
    .example = "F.linalg.expm(F.array({{0, 1}, {-1, 0.5}}, {dtype = \"float64\"}))\n"
               "F.linalg.expm(F.array({{{4, 1, 0}, {2, 1, 1}, {0, 3, -2}}}, {dtype = \"float64\"}))",
    .inputs = "A", COLUMNS(expm, infer_function), .grad = function_grad },
  { .name = "_linalg_sqrtm", .aliases = "linalg.sqrtm",
    .doc = "The principal square root of square matrices: x x = A, and the eigenvalues of x have no negative real "
           "part. A without a real root (negative eigenvalues) is an error. Gradients need regular matrices",
    .example = "F.linalg.sqrtm(F.array({{2, 1}, {3, 5}}, {dtype = \"float64\"}))\n"
               "F.linalg.sqrtm(F.array({{{0, -1}, {1, 0}}, {{2, -1}, {3, 1}}}, {dtype = \"float64\"}))",
    .inputs = "A", COLUMNS(sqrtm, infer_function), .grad = function_grad },
  { 0 }
};
/* clang-format on */
