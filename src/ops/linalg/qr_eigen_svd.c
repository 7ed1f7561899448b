/* qr_eigen_svd.c - orthogonal factorizations: linalg_gelqf (LQ), qr, syevd and eigh (eigenvectors), eigvalsh, svd.
**
** The kernels are in kernels/linalg/qr_eigen_svd_kernels.c. Gradients are built from products and triangular systems,
** so they can be differentiated again. Vectors of equal eigenvalues, and vectors that complete a basis, are determined
** only up to a rotation; the gradients are right for functions that it does not change.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/linalg/matrix_steps.h"
#include "ops/linalg/qr_eigen_svd.h"
#include "ops/linalg/stack_rules.h"
#include "ops/op_registry.h"

/* The gradient of q for orthonormal columns `all` = (q, r) with gradients (g, h), where r completes the basis. Since
** dr = -q (r' dq)', it is g - r (h' q). */
static Entry with_complement(Builder *b, Entry all, Entry g, int64_t k) {
  int64_t n = columns_of(entry_type(all));
  if (k == n || b->status != OK) return g;
  Entry q = part(b, all, -1, 0, k), r = part(b, all, -1, k, n), h = part(b, g, -1, k, n);
  return build_difference(b, part(b, g, -1, 0, k),
                          matrix_product(b, r, matrix_product(b, h, q, true, false, 1), false, false, 1));
}

/* ---- LQ -------------------------------------------------------------------------------------------------- */

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

/* L^-T (dQ + C Q), with C mirrored from L' dL - dQ Q' (M. Seeger et al., "Auto-differentiating linear algebra",
** 2017). */
static Status gelqf_grad(Gradient *d) {
  Builder *b = d->b;
  Entry q = { d->node, 0 }, l = { d->node, 1 }, dq = out_grad_or_zeros(d, 0), dl = out_grad_or_zeros(d, 1);
  Entry c = matrix_mirrored(b, build_sum(b, matrix_product(b, l, dl, true, false, 1),
                                         matrix_product(b, dq, q, false, true, -1)));
  SideParams lower = { .transpose = true, .lower = true, .alpha = 1 };
  Entry right = build_sum(b, dq, matrix_product(b, c, q, false, false, 1));
  return only_gradient(d, build_op(b, "_linalg_trsm", &lower, 2, l, right));
}

/* ---- QR -------------------------------------------------------------------------------------------------- */

static int qr_outputs(const Query *q) { return ((const QrParams *)q->params)->mode == QR_R ? 1 : 2; }

static Status infer_qr(Infer *f) {
  const QrParams *p = f->params;
  const Shape *a = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(least_dims(f, 0, 2));
  if (a->ndim < 0) return OK;
  int row = a->ndim - 2, last = a->ndim - 1;
  if (a->dim[row] < 0 || a->dim[last] < 0) return OK;
  Shape q = *a, r = *a;
  r.dim[row] = q.dim[last] = p->mode == QR_COMPLETE ? a->dim[row] : lesser(a->dim[row], a->dim[last]);
  if (f->n_out == 2) TRY(output_shape(f, 0, &q));
  return output_shape(f, f->n_out - 1, &r);
}

/* The gradient if A has at least as many rows as columns, from the gradients g of Q and h of R: (g + Q C) R^-T, with C
** mirrored from R h' - g' Q (S. Walter, L. Lehmann, "Algorithmic differentiation of linear algebra functions", 2010;
** M. Seeger et al., as above). */
static Entry tall_gradient(Builder *b, Entry q, Entry r, Entry g, Entry h) {
  Entry c = matrix_mirrored(b, build_difference(b, matrix_product(b, r, h, false, true, 1),
                                                matrix_product(b, g, q, true, false, 1)));
  SideParams upper = { .transpose = true, .rightside = true, .lower = false, .alpha = 1 };
  return build_op(b, "_linalg_trsm", &upper, 2, r, build_sum(b, g, matrix_product(b, q, c, false, false, 1)));
}

/* The gradient if A has more columns than rows: A = (X, Y) = Q (U, V) with V = Q' Y (D. Roberts, L. Roberts, "QR and LQ
** decomposition matrix backpropagation algorithms for square, wide, and deep matrices", 2020). */
static Entry wide_gradient(Builder *b, Entry a, Entry q, Entry r, Entry g, Entry h, int64_t m, int64_t n) {
  Entry hv = part(b, h, -1, m, n);
  g = build_sum(b, g, matrix_product(b, part(b, a, -1, m, n), hv, false, true, 1));
  Entry left = tall_gradient(b, q, part(b, r, -1, 0, m), g, part(b, h, -1, 0, m));
  return build_joined(b, left, matrix_product(b, q, hv, false, false, 1), -1);
}

static Status qr_grad(Gradient *d) {
  Builder *b = d->b;
  const QrParams *p = gradient_params(d);
  Entry a = d->node->in[0], q, g, r = { d->node, d->node->n_out - 1 }, h = out_grad_or_zeros(d, d->node->n_out - 1);
  const int64_t m = rows_of(entry_type(a)), n = columns_of(entry_type(a)), k = lesser(m, n);
  if (k == 0) return OK;
  if (p->mode == QR_R) {
    q = build_op(b, "_linalg_qr", NULL, 1, a);
    g = build_zeros_like(b, q);
  } else {
    Entry all = { d->node, 0 };
    q = part(b, all, -1, 0, k);
    g = with_complement(b, all, out_grad_or_zeros(d, 0), k);
  }
  r = part(b, r, -2, 0, k);
  h = part(b, h, -2, 0, k);
  return only_gradient(d, m < n ? wide_gradient(b, a, q, r, g, h, m, n) : tall_gradient(b, q, r, g, h));
}

/* ---- Eigenvectors ------------------------------------------------------------------------------------------ */

static Status infer_syevd(Infer *f) {
  TRY(one_float_dtype(f, 1, 2));
  TRY(square_matrices(f, 0));
  TRY(one_shape(f, 0, 0));
  if (f->in[0].shape.ndim < 0) return OK;
  Shape l = without_axis(&f->in[0].shape, f->in[0].shape.ndim - 1);
  return output_shape(f, 1, &l);
}

/* U' (diag(dL) + sym(X)) U for eigenvectors in the rows of U. X is dU U' divided by the differences of the eigenvalues,
** and 0 where two are equal (M. Seeger et al., as above). */
static Entry eigen_gradient(Builder *b, Entry u, Entry l, Entry du, Entry dl) {
  Entry inner = build_op(b, "_linalg_makediag", NULL, 1, dl);
  if (du.node) {
    Entry x = build_op(b, "elemwise_mul", NULL, 2, matrix_product(b, du, u, false, true, -0.5),
                       reciprocal_differences(b, l));
    inner = build_sum(b, build_sum(b, x, matrix_turned(b, x)), inner);
  }
  return matrix_product(b, matrix_product(b, u, inner, true, false, 1), u, false, false, 1);
}

static Status syevd_grad(Gradient *d) {
  Entry u = { d->node, 0 }, l = { d->node, 1 };
  return only_gradient(d, eigen_gradient(d->b, u, l, d->out_grad[0], out_grad_or_zeros(d, 1)));
}

/* eigh and eigvalsh return the eigenvalues first; eigenvectors are columns. */
static Status infer_eigh(Infer *f) {
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(square_matrices(f, 0));
  if (f->n_out == 2) TRY(one_shape(f, 0, 1));
  if (f->in[0].shape.ndim < 0) return OK;
  Shape w = without_axis(&f->in[0].shape, f->in[0].shape.ndim - 1);
  return output_shape(f, 0, &w);
}

static Status eigh_grad(Gradient *d) {
  Builder *b = d->b;
  Entry du = d->out_grad[1].node ? matrix_turned(b, d->out_grad[1]) : d->out_grad[1];
  Entry w = { d->node, 0 }, u = matrix_turned(b, (Entry){ d->node, 1 });
  return only_gradient(d, eigen_gradient(b, u, w, du, out_grad_or_zeros(d, 0)));
}

/* v diag(g) v' */
static Status eigvalsh_grad(Gradient *d) {
  Builder *b = d->b;
  Entry v = entry_output(build_op(b, "_linalg_eigh", gradient_params(d), 1, d->node->in[0]), 1);
  return only_gradient(d, matrix_product(b, scaled(b, v, as_row(b, d->out_grad[0])), v, false, true, 1));
}

/* ---- Singular values ------------------------------------------------------------------------------------------- */

static int svd_outputs(const Query *q) { return ((const SvdParams *)q->params)->compute_uv ? 3 : 1; }

static Status infer_svd(Infer *f) {
  const SvdParams *p = f->params;
  const Shape *a = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(least_dims(f, 0, 2));
  if (a->ndim < 0) return OK;
  int row = a->ndim - 2, last = a->ndim - 1;
  if (a->dim[row] < 0 || a->dim[last] < 0) return OK;
  int64_t k = lesser(a->dim[row], a->dim[last]);
  Shape u = *a, s = *a, vt = *a;
  s.ndim--;
  s.dim[row] = k;
  u.dim[last] = p->full_matrices ? a->dim[row] : k;
  vt.dim[row] = p->full_matrices ? a->dim[last] : k;
  if (!p->compute_uv) return output_shape(f, 0, &s);
  TRY(output_shape(f, 0, &u));
  TRY(output_shape(f, 1, &s));
  return output_shape(f, 2, &vt);
}

/* x - u (u' x): the part of x orthogonal to the orthonormal columns of u. */
static Entry outside(Builder *b, Entry x, Entry u) {
  return build_difference(b, x, matrix_product(b, u, matrix_product(b, u, x, true, false, 1), false, false, 1));
}

/* F (u' g - g' u): the term of columns u with gradient g in the inner matrix, before scaling by s. */
static Entry turning(Builder *b, Entry u, Entry g, Entry f) {
  Entry x = matrix_product(b, u, g, true, false, 1);
  return build_op(b, "elemwise_mul", NULL, 2, f, build_difference(b, x, matrix_turned(b, x)));
}

/* U (F (U'gU - gU'U) S + S F (V'gV - gV'V) + gS) V' + (1 - UU') gU S^-1 V' + U S^-1 gV' (1 - VV'), with
** F_ij = 1 / (s_j^2 - s_i^2), or 0 for equal ones (J. Townsend, "Differentiating the singular value decomposition",
** 2016). */
static Entry svd_gradient(Builder *b, Entry u, Entry s, Entry v, Entry gu, Entry gs, Entry gv, int64_t m, int64_t n) {
  Entry f = reciprocal_differences(b, build_op(b, "square", NULL, 1, s)), over = reciprocal_or_zero(b, s);
  Entry inner = build_op(b, "_linalg_makediag", NULL, 1, gs), sum = NO_ENTRY;
  if (gu.node) inner = build_sum(b, inner, scaled(b, turning(b, u, gu, f), as_row(b, s)));
  if (gv.node) inner = build_sum(b, inner, scaled(b, turning(b, v, gv, f), as_column(b, s)));
  sum = matrix_product(b, matrix_product(b, u, inner, false, false, 1), v, false, true, 1);
  if (gu.node && m > n)
    sum = build_sum(b, sum, matrix_product(b, scaled(b, outside(b, gu, u), as_row(b, over)), v, false, true, 1));
  if (gv.node && n > m)
    sum = build_sum(b, sum, matrix_product(b, u, scaled(b, outside(b, gv, v), as_row(b, over)), false, true, 1));
  return sum;
}

static Status svd_grad(Gradient *d) {
  Builder *b = d->b;
  const SvdParams *p = gradient_params(d);
  Entry a = d->node->in[0];
  const int64_t m = rows_of(entry_type(a)), n = columns_of(entry_type(a)), k = lesser(m, n);
  if (k == 0) return OK;
  if (!p->compute_uv) {
    Entry u = build_op(b, "_linalg_svd", &(SvdParams){ .compute_uv = true }, 1, a);
    Entry us = scaled(b, u, as_row(b, d->out_grad[0]));
    return only_gradient(d, matrix_product(b, us, entry_output(u, 2), false, false, 1));
  }
  Entry u = { d->node, 0 }, v = matrix_turned(b, (Entry){ d->node, 2 }), gu = d->out_grad[0], gv = d->out_grad[2];
  if (gu.node) gu = with_complement(b, u, gu, k);
  if (gv.node) gv = with_complement(b, v, matrix_turned(b, gv), k);
  return only_gradient(d, svd_gradient(b, part(b, u, -1, 0, k), (Entry){ d->node, 1 }, part(b, v, -1, 0, k), gu,
                                       out_grad_or_zeros(d, 1), gv, m, n));
}

/* ---- Rows -------------------------------------------------------------------------------------------------------- */

FACTOR_FLOPS(gelqf, 8)
FACTOR_FLOPS(qr, 8)
FACTOR_FLOPS(syevd, 27)
FACTOR_FLOPS(eigh, 27)
FACTOR_FLOPS(eigvalsh, 4)
FACTOR_FLOPS(svd, 66)

#define COLUMNS(title) .infer = infer_##title, .flops = title##_flops, .grad = title##_grad
#define UPLO "UPLO {L,U} L The triangle of A that is read, lower or upper.\n"
#define infer_eigvalsh infer_eigh

/* clang-format off */
Op orthogonal_ops[] = {
  { .name = "_linalg_gelqf", .aliases = "linalg_gelqf linalg.gelqf",
    .doc = "The LQ factorization A = L Q, with orthonormal rows in Q and a lower triangular L. A must have at least as "
           "many columns as rows",
    .example = "F.linalg_gelqf(F.array{{1, 2, 3}, {4, 5, 7}})\n"
               "F.linalg_gelqf(F.array{{{1, 2}, {3, 4}}})",
    .inputs = "A", .outputs = "Q L", COLUMNS(gelqf), .flags = OP_LAPACK },
  { .name = "_linalg_qr", .aliases = "linalg.qr _npi_qr",
    .doc = "The QR factorization A = Q R of A (..., m, n): {q (..., m, k), r (..., k, n)} with k = min(m, n), "
           "orthonormal columns in q and an upper triangular r. The signs are LAPACK's, as in NumPy. For the gradient "
           "the first k columns of A must be independent",
    .example = "F.linalg.qr(F.array({{1, 2}, {3, 4}, {5, 7}}, {dtype = \"float64\"}))\n"
               "F.linalg.qr(F.array({{{1, 2, 3}, {4, 5, 7}}}, {dtype = \"float64\"}))\n"
               "F.linalg.qr(F.array({{1, 2}, {3, 4}, {5, 7}}, {dtype = \"float64\"}), {mode = \"complete\"})\n"
               "F.linalg.qr(F.array({{1, 2}, {3, 4}, {5, 7}}, {dtype = \"float64\"}), {mode = \"r\"})",
    .inputs = "A", .outputs = "Q R", .n_outputs = qr_outputs,
    .params = "mode {reduced,complete,r} reduced With complete, q is (m, m) and r is (m, n). With r, only the r of "
              "reduced is returned.\n",
    .params_size = sizeof(QrParams), COLUMNS(qr), .flags = OP_LAPACK },
  { .name = "_linalg_syevd", .aliases = "linalg_syevd linalg.syevd",
    .doc = "Eigenvectors, in the rows of U, and eigenvalues L of symmetric matrices, in ascending order: A = U' "
           "diag(L) U. Only the lower triangle of A is read. The element of largest absolute value in each vector is "
           "positive. The gradient is symmetric",
    .example = "F.linalg_syevd(F.array{{4, 1}, {1, 3}})", .inputs = "A", .outputs = "U L", COLUMNS(syevd),
    .flags = OP_LAPACK | OP_BY_DESIGN },
  { .name = "_linalg_eigh", .aliases = "linalg.eigh _npi_eigh",
    .doc = "Eigenvalues of symmetric matrices, in ascending order, and eigenvectors, in the columns of v: {w (..., "
           "n), v (..., n, n)} with A = v diag(w) v'. The signs of the vectors are LAPACK's. The gradient is symmetric",
    .example = "F.linalg.eigh(F.array({{4, 1}, {1, 3}}, {dtype = \"float64\"}))\n"
               "F.linalg.eigh(F.array({{4, 1}, {0, 3}}, {dtype = \"float64\"}), {UPLO = \"U\"})",
    .inputs = "A", .outputs = "w v", .params = UPLO, .params_size = sizeof(EighParams), COLUMNS(eigh),
    .flags = OP_LAPACK | OP_BY_DESIGN },
  { .name = "_linalg_eigvalsh", .aliases = "linalg.eigvalsh _npi_eigvalsh",
    .doc = "Eigenvalues (..., n) of symmetric matrices, in ascending order. The gradient is symmetric",
    .example = "F.linalg.eigvalsh(F.array({{4, 1}, {1, 3}}, {dtype = \"float64\"}))",
    .inputs = "A", .params = UPLO, .params_size = sizeof(EighParams), COLUMNS(eigvalsh),
    .flags = OP_LAPACK | OP_BY_DESIGN },
  { .name = "_linalg_svd", .aliases = "linalg.svd",
    .doc = "The singular value decomposition A = u diag(s) vt of A (..., m, n), with k = min(m, n): {u (..., m, m), s "
           "(..., k), vt (..., n, n)}. u and vt are orthogonal; s is in descending order. Gradients are right for "
           "functions that do not depend on the vectors that complete u and vt, or on rotations among vectors of equal "
           "singular values",
    .example = "F.linalg.svd(F.array({{1, 2}, {3, 5}}, {dtype = \"float64\"}))\n"
               "F.linalg.svd(F.array({{1, 2}, {3, 4}, {5, 7}}, {dtype = \"float64\"}), {full_matrices = false})\n"
               "F.linalg.svd(F.array({{{1, 2, 3}, {4, 5, 7}}}, {dtype = \"float64\"}))\n"
               "F.linalg.svd(F.array({{1, 2, 3}, {4, 5, 7}}, {dtype = \"float64\"}), {compute_uv = false})",
    .inputs = "A", .outputs = "u s vt", .n_outputs = svd_outputs,
    .params = "full_matrices bool True Make u and vt square; else u is (..., m, k) and vt is (..., k, n).\n"
              "compute_uv bool True Return u and vt too, else s alone.\n",
    .params_size = sizeof(SvdParams), COLUMNS(svd), .flags = OP_LAPACK },
  { 0 }
};
/* clang-format on */
