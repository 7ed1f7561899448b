/* triangular_diagonal.c - triangular matrices and diagonals: linalg_trmm, trsm, extractdiag, makediag, extracttrian,
** maketrian, sumlogdiag. The last two axes are matrices.
**
** A product with a triangular matrix is an ordinary product with a copy whose other triangle is 0. tensor/lapack.h
** solves triangular systems; without LAPACK a loop solves them row by row for a block of right-hand sides. Diagonals
** and triangles are spans of rows or columns, copied from a matrix or into one.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "ops/common/gradient_rules.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "kernels/matmul/each_matrix.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "kernels/matmul/matmul_kernel.h"
#include "tensor/cast_copy.h"

/* ---- Spans: diagonals and triangles ------------------------------------------------------------------ */

/* The part of line i, a row or a column, of an (n, n) matrix. */
typedef struct Span {
  bool columns;
  int64_t first, count;
} Span;
typedef Span SpanOf(const void *params, int64_t n, int64_t i);

static Span diagonal_span(const void *params, int64_t n, int64_t i) {
  int64_t at = i + ((const DiagonalParams *)params)->offset;
  return (Span){ .first = at, .count = at >= 0 && at < n };
}

/* The sign of the offset, or `lower` if it is 0, selects the triangle. A lower one is packed row by row, an upper one
** column by column. */
static Span triangle_span(const void *params, int64_t n, int64_t i) {
  const TriangleParams *p = params;
  bool lower = p->offset < 0 || (p->offset == 0 && p->lower);
  int64_t count = i + 1 + (lower ? p->offset : -p->offset);
  (void)n;
  return (Span){ .columns = !lower, .count = count < 0 ? 0 : count };
}

#define COPY_SPANS(code, T, suffix)                                                          \
  static void copy_spans_##suffix(const void *params, SpanOf *span, int64_t n, int64_t count, T *matrix, T *packed, \
                                  bool back) {                                               \
    for (int64_t k = 0; k < count * n; k++) {                                                \
      const Span s = span(params, n, k % n);                                                 \
      const int64_t line = s.columns ? 1 : n, step = s.columns ? n : 1;                      \
      T *from = matrix + k / n * n * n + k % n * line + s.first * step;                      \
      for (int64_t i = 0; i < s.count; i++) {                                                \
        if (back) from[i * step] = packed[i];                                                \
        else packed[i] = from[i * step];                                                     \
      }                                                                                      \
      packed += s.count;                                                                     \
    }                                                                                        \
  }
EACH_FLOAT(COPY_SPANS)

/* Copies the spans of every matrix, packed one after another; `back` copies them into the matrices. */
static void copy_spans(const void *params, SpanOf *span, const Tensor *matrix, const Tensor *packed, bool back) {
  const Shape *s = &matrix->type.shape;
  int64_t n = s->dim[s->ndim - 1], count = matrices_in(s);
  if (matrix->type.dtype == DT_FLOAT32) copy_spans_f32(params, span, n, count, matrix->data, packed->data, back);
  else copy_spans_f64(params, span, n, count, matrix->data, packed->data, back);
}

static Status extract(Call *c, SpanOf *span) {
  copy_spans(c->params, span, c->in[0], c->out[0], false);
  return OK;
}

static Status make(Call *c, SpanOf *span) {
  clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  copy_spans(c->params, span, c->out[0], c->in[0], true);
  return OK;
}

static Status extractdiag_forward(Call *c) { return extract(c, diagonal_span); }
static Status makediag_forward(Call *c) { return make(c, diagonal_span); }
static Status extracttrian_forward(Call *c) { return extract(c, triangle_span); }
static Status maketrian_forward(Call *c) { return make(c, triangle_span); }

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

#define SUM_LOG(code, T, suffix)                                                             \
  static T sum_log_##suffix(const T *a, int64_t n) {                                         \
    double sum;                                                                              \
    TREE_FOLD(sum, T, double, n, 0, TREE_ADD, log(a[i * (n + 1)]));                          \
    return (T)sum;                                                                           \
  }
EACH_FLOAT(SUM_LOG)

static Status sumlogdiag_forward(Call *c) {
  const Tensor *a = c->in[0];
  int64_t n = a->type.shape.dim[a->type.shape.ndim - 1], count = matrices_in(&a->type.shape);
  for (int64_t k = 0; k < count; k++) {
    if (a->type.dtype == DT_FLOAT32) ((float *)c->out[0]->data)[k] = sum_log_f32((const float *)a->data + k * n * n, n);
    else ((double *)c->out[0]->data)[k] = sum_log_f64((const double *)a->data + k * n * n, n);
  }
  return OK;
}

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

/* Workspace for a copy of A whose other triangle is 0. */
static size_t trmm_scratch(const Query *q) { return type_bytes(query_in(q, 0)); }

static Status trmm_forward(Call *c) {
  const SideParams *p = c->params;
  const Shape *as = &c->in[0]->type.shape, *bs = &c->in[1]->type.shape;
  int64_t n = as->dim[as->ndim - 1], rows = bs->dim[bs->ndim - 2], columns = bs->dim[bs->ndim - 1],
          count = matrices_in(as);
  size_t size = dtype_size(c->in[0]->type.dtype);
  if (tensor_size(c->in[0]) == 0) return OK;
  clear_block(c->workspace, tensor_bytes(c->in[0]));
  for (int64_t i = 0; i < count * n && !interrupted(); i++) {        /* row by row, from 0 or from the diagonal */
    int64_t first = i * n + (p->lower ? 0 : i % n), length = p->lower ? i % n + 1 : n - i % n;
    memcpy((char *)c->workspace + (size_t)first * size, (const char *)c->in[0]->data + (size_t)first * size,
           (size_t)length * size);
  }
  Product one = { .dtype = c->in[0]->type.dtype,
                  .transpose_a = p->transpose && !p->rightside,
                  .transpose_b = p->transpose && p->rightside,
                  .m = rows,
                  .n = columns,
                  .k = n,
                  .alpha = p->alpha,
                  .c = c->out[0]->data,
                  .a = p->rightside ? c->in[1]->data : c->workspace,
                  .b = p->rightside ? c->workspace : c->in[1]->data };
  int64_t each_a = n * n, each_b = rows * columns;
  return products(&one, count, p->rightside ? each_b : each_a, p->rightside ? each_a : each_b, each_b);
}

enum { SIDES = 64 };       /* right-hand sides solved together */

typedef struct Solve { const Call *c; const SideParams *p; int64_t n, sides, blocks; } Solve;

/* Solves M x = alpha b for a block of right-hand sides. M is op(A), or its transpose if x is on the left and the
** right-hand sides are rows. The rows of M with the fewest unknowns come first. */
#define SOLVE_BLOCK(code, T, suffix)                                                         \
  static void solve_block_##suffix(const Solve *s, int64_t matrix, int64_t first, int64_t count) { \
    const SideParams *p = s->p;                                                              \
    const int64_t n = s->n, row = p->rightside ? 1 : s->sides, side = p->rightside ? n : 1;  \
    const bool turned = p->transpose != p->rightside, down = p->lower != turned;             \
    const T *a = (const T *)s->c->in[0]->data + matrix * n * n, alpha = (T)p->alpha;         \
    const T *b = (const T *)s->c->in[1]->data + matrix * n * s->sides + first * side;        \
    T *x = (T *)s->c->out[0]->data + matrix * n * s->sides + first * side;                   \
    for (int64_t step = 0; step < n; step++) {                                               \
      const int64_t i = down ? step : n - 1 - step;                                          \
      for (int64_t k = 0; k < count; k++) x[i * row + k * side] = alpha * b[i * row + k * side]; \
      for (int64_t known = 0; known < step; known++) {                                       \
        const int64_t j = down ? known : n - 1 - known;                                      \
        const T factor = turned ? a[j * n + i] : a[i * n + j];                               \
        for (int64_t k = 0; k < count; k++) x[i * row + k * side] -= factor * x[j * row + k * side]; \
      }                                                                                      \
      for (int64_t k = 0; k < count; k++) x[i * row + k * side] /= a[i * n + i];             \
    }                                                                                        \
  }
EACH_FLOAT(SOLVE_BLOCK)

static void solve_piece(void *context, int64_t first, int64_t last) {
  const Solve *s = context;
  for (int64_t at = first; at < last && !interrupted(); at++) {
    int64_t from = at % s->blocks * SIDES, count = s->sides - from < SIDES ? s->sides - from : SIDES;
    if (s->c->out[0]->type.dtype == DT_FLOAT32) solve_block_f32(s, at / s->blocks, from, count);
    else solve_block_f64(s, at / s->blocks, from, count);
  }
}

static Status trsm_by_loops(Call *c) {
  const SideParams *p = c->params;
  const Shape *as = &c->in[0]->type.shape, *bs = &c->in[1]->type.shape;
  Solve s = { .c = c, .p = p, .n = as->dim[as->ndim - 1], .sides = bs->dim[bs->ndim - (p->rightside ? 2 : 1)] };
  s.blocks = (s.sides + SIDES - 1) / SIDES;
  return run_parallel(matrices_in(as) * s.blocks, (1 << 15) / (s.n * s.n * SIDES + 1) + 1, solve_piece, &s);
}

#define SCALE(code, T, suffix)                                                               \
  static void scale_##suffix(T *x, double factor, int64_t n) {                               \
    for (int64_t i = 0; i < n; i++) x[i] = (T)factor * x[i];                                 \
  }
EACH_FLOAT(SCALE)

static Fault trsm_one(const MatrixStack *s, int64_t k, void *workspace) {
  const SideParams *p = s->c->params;
  const Shape *b = &s->c->out[0]->type.shape;
  const int64_t m = b->dim[b->ndim - 2], n = b->dim[b->ndim - 1], size = s->rows * s->rows;
  const char *a = (const char *)s->c->in[0]->data + (size_t)(k * size) * dtype_size(s->dtype);
  void *x = place_for(s, 0, k * m * n, workspace);
  load_elements(s, 1, k * m * n, m * n, x);
  if (p->alpha != 1) {
    if (s->dtype == DT_FLOAT32) scale_f32(x, p->alpha, m * n);
    else scale_f64(x, p->alpha, m * n);
  }
  factor_solve_triangle(s->dtype, m, n, a, x, p->rightside, p->lower, p->transpose);
  return FAULT_NONE;
}

static Status trsm_forward(Call *c) {
  if (!lapack_there()) return trsm_by_loops(c);
  if (tensor_size(c->out[0]) == 0) return OK;
  return each_matrix(c, trsm_one, matrices_in(&c->in[0]->type.shape), 0, "triangular matrices");
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

#define ROW(title, text, examples, text_params, Params, run, rule)                                            \
  { .name = "_linalg_" #title, .aliases = "linalg_" #title " linalg." #title, .doc = text, .example = examples, \
    .inputs = "A", \
    .params = text_params, .params_size = sizeof(Params), .infer = infer_##title, .forward = run, .grad = rule }

/* clang-format off */
Op triangular_ops[] = {
  ROW(extractdiag, "The diagonals of square matrices",
      "F.linalg_extractdiag(F.array{{1, 2}, {3, 4}})\n"
      "F.linalg_extractdiag(F.array{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}}, {offset = -1})",
      OFFSET, DiagonalParams, extractdiag_forward, extractdiag_grad),
  ROW(makediag, "Matrices with A on a diagonal, 0 elsewhere",
      "F.linalg_makediag(F.array{1, 2})\n"
      "F.linalg_makediag(F.array{{1, 2}, {3, 4}}, {offset = 1})",
      OFFSET, DiagonalParams, makediag_forward, makediag_grad),
  ROW(extracttrian, "The triangles of square matrices: lower ones row by row, upper ones column by column",
      "F.linalg_extracttrian(F.array{{1, 2}, {3, 4}})\n"
      "F.linalg_extracttrian(F.array{{1, 2}, {3, 4}}, {lower = false})\n"
      "F.linalg_extracttrian(F.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {offset = 1})",
      TRIANGLE_PARAMS, TriangleParams, extracttrian_forward, extracttrian_grad),
  ROW(maketrian,
      "Triangular matrices with A in the triangle, 0 elsewhere: lower ones row by row, upper ones column by column",
      "F.linalg_maketrian(F.array{1, 2, 3})\n"
      "F.linalg_maketrian(F.array{1, 2, 3}, {offset = -1})\n"
      "F.linalg_maketrian(F.array{{1, 2, 3}}, {lower = false})",
      TRIANGLE_PARAMS, TriangleParams, maketrian_forward, maketrian_grad),
  { .name = "_linalg_sumlogdiag", .aliases = "linalg_sumlogdiag linalg.sumlogdiag",
    .doc = "The sum of the logarithms on each matrix's diagonal",
    .example = "F.linalg_sumlogdiag(F.array{{1, 2}, {3, 4}})\n"
               "F.linalg_sumlogdiag(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}})",
    .inputs = "A", .infer = infer_matrix_number, .forward = sumlogdiag_forward, .expand = sumlogdiag_expand },
  { .name = "_linalg_trmm", .aliases = "linalg_trmm linalg.trmm",
    .doc = "alpha A B for a triangular A; by its parameters alpha A' B, alpha B A or alpha B A'",
    .example = SIDE_EXAMPLES("linalg_trmm"), .inputs = "A B", .params = SIDE_PARAMS, .params_size = sizeof(SideParams),
    .infer = infer_side, .forward = trmm_forward, .flops = side_flops, .workspace = trmm_scratch, .grad = trmm_grad },
  { .name = "_linalg_trsm", .aliases = "linalg_trsm linalg.trsm",
    .doc = "The solution X of A X = alpha B for a triangular A; by its parameters A' X, X A or X A' instead of A X",
    .example = SIDE_EXAMPLES("linalg_trsm"), .inputs = "A B", .params = SIDE_PARAMS, .params_size = sizeof(SideParams),
    .infer = infer_side, .forward = trsm_forward, .flops = side_flops, .grad = trsm_grad,
    .flags = OP_LAPACK },
  { 0 }
};
/* clang-format on */
