/* triangular_diagonal.c - triangular matrices and diagonals: linalg_trmm, trsm, extractdiag, makediag, extracttrian,
** maketrian, sumlogdiag. The last two axes are matrices.
**
** The kernels are in kernels/linalg/triangular_diagonal_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- Spans: diagonals and triangles ------------------------------------------------------------------ */

static int64_t distance(int64_t offset) { return offset < 0 ? -offset : offset; }

/* The number of elements in the diagonal, or the triangle, of an (n, n) matrix. */
static Status span_length(int64_t n, int64_t offset, bool triangle, int64_t *length) {
  int64_t side = n - distance(offset);
  if (n >= 0 && side < 1 && n > 0)
    return fail("offset: expected one inside the (%lld, %lld) matrix, got %lld", (long long)n, (long long)n,
                (long long)offset);
  *length = n < 0 ? UNKNOWN : side < 1 ? 0 : triangle ? side * (side + 1) / 2 : side;
  return OK;
}

/* Both parameter structs begin with the offset. */
static int64_t offset_of(const Infer *f) { return *(const int64_t *)f->params; }

static Status infer_extract(Infer *f, bool triangle) {
  TRY(one_float_dtype(f, 1, 1));
  TRY(square_matrices(f, 0));
  const Shape *a = &f->in[0].shape;
  if (a->ndim < 0) return OK;
  Shape out = without_axis(a, a->ndim - 1);
  TRY(span_length(a->dim[a->ndim - 1], offset_of(f), triangle, &out.dim[out.ndim - 1]));
  return output_shape(f, 0, &out);
}

static Status infer_make(Infer *f, bool triangle) {
  TRY(one_float_dtype(f, 1, 1));
  TRY(least_dims(f, 0, 1));
  const Shape *a = &f->in[0].shape;
  if (a->ndim < 0) return OK;
  if (a->ndim == MAX_DIMS) return fail("A: expected fewer than %d dimensions, got shape %s", MAX_DIMS, shape_text(a));
  int64_t length = a->dim[a->ndim - 1], side = length;
  if (triangle && length >= 0) {
    for (side = 0; side < MAX_ELEMENTS && side * (side + 1) / 2 < length;) side++;
    if (side * (side + 1) / 2 != length)
      return fail("A: expected 1, 3, 6, 10, ... elements along the last axis, got shape %s", shape_text(a));
  }
  Shape out = *a;
  out.dim[out.ndim++ - 1] = side < 0 ? UNKNOWN : side == 0 ? 0 : side + distance(offset_of(f));
  out.dim[out.ndim - 1] = out.dim[out.ndim - 2];
  return output_shape(f, 0, &out);
}

static Status infer_extractdiag(Infer *f) { return infer_extract(f, false); }
static Status infer_makediag(Infer *f) { return infer_make(f, false); }
static Status infer_extracttrian(Infer *f) { return infer_extract(f, true); }
static Status infer_maketrian(Infer *f) { return infer_make(f, true); }

/* Extracting and making are each other's gradients. */
static Status extractdiag_grad(Gradient *d) { return gradient_by(d, "_linalg_makediag"); }
static Status makediag_grad(Gradient *d) { return gradient_by(d, "_linalg_extractdiag"); }
static Status extracttrian_grad(Gradient *d) { return gradient_by(d, "_linalg_maketrian"); }
static Status maketrian_grad(Gradient *d) { return gradient_by(d, "_linalg_extracttrian"); }

/* ---- sumlogdiag ----------------------------------------------------------------------------------------- */

static Entry sumlogdiag_expand(Builder *b, Node *n) {
  Entry logs = build_op(b, "log", NULL, 1, build_op(b, "_linalg_extractdiag", NULL, 1, n->in[0]));
  return build_op(b, "sum", &(ReduceParams){ .axis = { .count = 1, .u.i = { -1 } } }, 1, logs);
}

/* ---- trmm, trsm -------------------------------------------------------------------------------------------- */

static Status infer_side(Infer *f) {
  const SideParams *p = f->params;
  TRY(one_float_dtype(f, 2, 1));
  TRY(square_matrices(f, 0));
  TRY(one_shape(f, 1, 0));
  const Shape *a = &f->in[0].shape, *b = &f->in[1].shape;
  if (a->ndim < 0 || b->ndim < 0) return OK;
  Shape expected = *a;
  expected.dim[a->ndim - (p->rightside ? 2 : 1)] = UNKNOWN;
  TRY(input_shape(f, 1, &expected));
  return one_shape(f, 1, 0);
}

/* `factor` times dA, which is a product of x and y: x y', y x', y' x or x' y. */
static Entry triangle_gradient(Gradient *d, Entry x, Entry y, double factor) {
  const SideParams *p = gradient_params(d);
  bool x_first = p->rightside == p->transpose;
  Gemm2Params product = { .transpose_a = p->rightside, .transpose_b = !p->rightside, .alpha = factor, .axis = -2 };
  Entry whole = build_op(d->b, "_linalg_gemm2", &product, 2, x_first ? x : y, x_first ? y : x);
  return triangle_of(d->b, whole, p->lower);
}

static Status trmm_grad(Gradient *d) {
  SideParams turned = *(const SideParams *)gradient_params(d);
  turned.transpose = !turned.transpose;
  if (d->wanted[0]) d->in_grad[0] = triangle_gradient(d, d->out_grad[0], d->node->in[1], turned.alpha);
  if (d->wanted[1]) d->in_grad[1] = build_op(d->b, "_linalg_trmm", &turned, 2, d->node->in[0], d->out_grad[0]);
  return d->b->status;
}

static Status trsm_grad(Gradient *d) {
  SideParams turned = *(const SideParams *)gradient_params(d);
  double alpha = turned.alpha;
  turned.transpose = !turned.transpose;
  turned.alpha = 1;
  Entry solved = build_op(d->b, "_linalg_trsm", &turned, 2, d->node->in[0], d->out_grad[0]);
  if (d->wanted[0]) d->in_grad[0] = triangle_gradient(d, solved, (Entry){ d->node, 0 }, -1);
  if (d->wanted[1]) d->in_grad[1] = times(d->b, solved, alpha);
  return d->b->status;
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

#define OFFSET "offset int 0 The diagonal: 0 is the main one, positive ones are above it.\n"
#define SIDE_PARAMS                                                                                           \
  "transpose bool False Use the transpose of A.\nrightside bool False A is on the right.\n"                   \
  "lower bool True A is lower triangular, else upper; its other triangle is not read.\nalpha float 1 A factor.\n"
#define TRIANGLE_PARAMS OFFSET "lower bool True With offset 0: the lower triangle, else the upper one.\n"

#define SIDE_EXAMPLES(name)                                                                                   \
  "F." name "(F.array{{2, 9}, {1, 3}}, F.array{{1, 2, 3}, {4, 5, 6}}, {alpha = 1.5})\n"                       \
  "F." name "(F.array{{2, 9}, {1, 3}}, F.array{{1, 2, 3}, {4, 5, 6}}, {transpose = true, lower = false})\n"   \
  "F." name "(F.array{{2, 9}, {1, 3}}, F.array{{1, 2}, {3, 4}, {5, 6}}, {rightside = true, alpha = 0.5})\n"   \
  "F." name "(F.array{{{2, 9}, {1, 3}}}, F.array{{{1, 2}, {3, 4}, {5, 6}}}, {rightside = true, transpose = true})"

/* A product or a solution multiplies half of a square matrix by each column of B (each row, if A is on the right). */
static double side_flops(const Query *q) {
  return (double)query_in(q, 0)->shape.dim[query_in(q, 0)->shape.ndim - 1] *
         (double)shape_size(&query_out(q, 0)->shape);
}

#define ROW(title, text, examples, text_params, Params, rule)                                            \
  { .name = "_linalg_" #title, .aliases = "linalg_" #title " linalg." #title, .doc = text, .example = examples, \
    .inputs = "A", \
    .params = text_params, .params_size = sizeof(Params), .infer = infer_##title, .grad = rule }

/* clang-format off */
Op triangular_ops[] = {
  ROW(extractdiag, "The diagonals of square matrices",
      "F.linalg_extractdiag(F.array{{1, 2}, {3, 4}})\n"
      "F.linalg_extractdiag(F.array{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}, {offset = -1})",
      OFFSET, DiagonalParams, extractdiag_grad),
  ROW(makediag, "Matrices with A on a diagonal, 0 elsewhere",
      "F.linalg_makediag(F.array{1, 2})\n"
      "F.linalg_makediag(F.array{{1, 2}, {3, 4}}, {offset = 1})",
      OFFSET, DiagonalParams, makediag_grad),
  ROW(extracttrian, "The triangles of square matrices: lower ones row by row, upper ones column by column",
      "F.linalg_extracttrian(F.array{{1, 2}, {3, 4}})\n"
      "F.linalg_extracttrian(F.array{{1, 2}, {3, 4}}, {lower = false})\n"
      "F.linalg_extracttrian(F.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {offset = 1})",
      TRIANGLE_PARAMS, TriangleParams, extracttrian_grad),
  ROW(maketrian,
      "Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column",
      "F.linalg_maketrian(F.array{1, 2, 3})\n"
      "F.linalg_maketrian(F.array{1, 2, 3}, {offset = -1})\n"
      "F.linalg_maketrian(F.array{{1, 2, 3}}, {lower = false})",
      TRIANGLE_PARAMS, TriangleParams, maketrian_grad),
  { .name = "_linalg_sumlogdiag", .aliases = "linalg_sumlogdiag linalg.sumlogdiag",
    .doc = "The sum of the logarithms on each matrix's diagonal",
    .example = "F.linalg_sumlogdiag(F.array{{1, 2}, {3, 4}})\n"
               "F.linalg_sumlogdiag(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})",
    .inputs = "A", .infer = infer_matrix_number, .expand = sumlogdiag_expand },
  { .name = "_linalg_trmm", .aliases = "linalg_trmm linalg.trmm",
    .doc = "alpha A B for a triangular A; by its parameters alpha A' B, alpha B A or alpha B A'",
    .example = SIDE_EXAMPLES("linalg_trmm"), .inputs = "A B", .params = SIDE_PARAMS, .params_size = sizeof(SideParams),
    .infer = infer_side, .flops = side_flops, .grad = trmm_grad },
  { .name = "_linalg_trsm", .aliases = "linalg_trsm linalg.trsm",
    .doc = "The solution X of A X = alpha B for a triangular A; by its parameters A' X, X A or X A' instead of A X",
    .example = SIDE_EXAMPLES("linalg_trsm"), .inputs = "A B", .params = SIDE_PARAMS, .params_size = sizeof(SideParams),
    .infer = infer_side, .flops = side_flops, .grad = trsm_grad, .flags = OP_LAPACK },
  { 0 }
};
/* clang-format on */
