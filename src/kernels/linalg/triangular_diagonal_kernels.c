/* triangular_diagonal_kernels.c - linalg_trmm, trsm, extractdiag, makediag, extracttrian, maketrian, sumlogdiag.
**
** A product with a triangular matrix is an ordinary product with a copy whose other triangle is 0. tensor/lapack.h
** solves triangular systems; without LAPACK a loop solves them row by row for a block of right-hand sides. Diagonals
** and triangles are spans of rows or columns, copied from a matrix or into one.
*/
#include <string.h>

#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "base/threads/parallel_for.h"
#include "kernels/linalg/each_matrix.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/matmul/matrix_product.h"
#include "kernels/matmul/product_sizes.h"
#include "ops/common/shared_params.h"
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
  static void copy_spans_##suffix(const void *params, SpanOf *span, int64_t n, int64_t count, void *in_matrices, \
                                  void *in_packed, bool back) {                             \
    T *matrix = in_matrices, *packed = in_packed;                                            \
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

typedef struct SpanLoop {
  SpanOf *span;
  /* Copies the spans of every matrix, packed one after another; `back` copies them into the matrices. */
  void (*copy)(const void *params, SpanOf *span, int64_t n, int64_t count, void *matrices, void *packed, bool back);
} SpanLoop;

static void copy_spans(const Call *c, const Tensor *matrix, const Tensor *packed, bool back) {
  const SpanLoop *loop = c->kernel->own;
  const Shape *s = &matrix->type.shape;
  loop->copy(c->params, loop->span, s->dim[s->ndim - 1], matrices_in(s), matrix->data, packed->data, back);
}

static Status extract(Call *c) {
  copy_spans(c, c->in[0], c->out[0], false);
  return OK;
}

static Status make(Call *c) {
  clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  copy_spans(c, c->out[0], c->in[0], true);
  return OK;
}

/* ---- sumlogdiag ------------------------------------------------------------------------------------------ */

#define SUM_LOG(code, T, suffix)                                                             \
  static T sum_log_##suffix(const T *a, int64_t n) {                                         \
    double sum;                                                                              \
    TREE_FOLD(sum, T, double, n, 0, TREE_ADD, log(a[i * (n + 1)]));                          \
    return (T)sum;                                                                           \
  }                                                                                          \
  static Status sumlogdiag_##suffix(Call *c) {                                               \
    const Shape *s = &c->in[0]->type.shape;                                                  \
    const int64_t n = s->dim[s->ndim - 1], count = matrices_in(s);                           \
    for (int64_t k = 0; k < count; k++)                                                      \
      ((T *)c->out[0]->data)[k] = sum_log_##suffix((const T *)c->in[0]->data + k * n * n, n); \
    return OK;                                                                               \
  }
EACH_FLOAT(SUM_LOG)

/* ---- trmm, trsm ------------------------------------------------------------------------------------------ */

/* Workspace for a copy of A whose other triangle is 0. */
static Status trmm_workspace(const Query *q, Workspace *w) {
  w->bytes = type_bytes(query_in(q, 0));
  return OK;
}

static Status trmm(Call *c) {
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
  }                                                                                          \
  static void solve_piece_##suffix(void *context, int64_t first, int64_t last) {             \
    const Solve *s = context;                                                                \
    for (int64_t at = first; at < last && !interrupted(); at++) {                            \
      int64_t from = at % s->blocks * SIDES, count = s->sides - from < SIDES ? s->sides - from : SIDES; \
      solve_block_##suffix(s, at / s->blocks, from, count);                                  \
    }                                                                                        \
  }
EACH_FLOAT(SOLVE_BLOCK)

static Status trsm_by_loops(Call *c) {
  const SideParams *p = c->params;
  const Shape *as = &c->in[0]->type.shape, *bs = &c->in[1]->type.shape;
  Solve s = { .c = c, .p = p, .n = as->dim[as->ndim - 1], .sides = bs->dim[bs->ndim - (p->rightside ? 2 : 1)] };
  s.blocks = (s.sides + SIDES - 1) / SIDES;
  return run_parallel(matrices_in(as) * s.blocks, (1 << 15) / (s.n * s.n * SIDES + 1) + 1, c->kernel->body, &s);
}

typedef struct TriangleLoop { void (*scale)(void *x, double factor, int64_t n); } TriangleLoop;

#define SCALE(code, T, suffix)                                                               \
  static void scale_##suffix(void *to, double factor, int64_t n) {                           \
    T *x = to;                                                                               \
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
  if (p->alpha != 1) ((const TriangleLoop *)s->c->kernel->own)->scale(x, p->alpha, m * n);
  factor_solve_triangle(s->dtype, m, n, a, x, p->rightside, p->lower, p->transpose);
  return FAULT_NONE;
}

static Status trsm(Call *c) {
  if (!lapack_there()) return trsm_by_loops(c);
  if (tensor_size(c->out[0]) == 0) return OK;
  return each_matrix(c, trsm_one, matrices_in(&c->in[0]->type.shape), 0, "triangular matrices");
}

/* ---- Kernels --------------------------------------------------------------------------------------------- */

#define KERNELS(code, T, suffix)                                                             \
  SPAN("extractdiag", code, suffix, extract, diagonal_span)                                  \
  SPAN("makediag", code, suffix, make, diagonal_span)                                        \
  SPAN("extracttrian", code, suffix, extract, triangle_span)                                 \
  SPAN("maketrian", code, suffix, make, triangle_span)                                       \
  { .op = "_linalg_sumlogdiag", .types = ONE_TYPE(code), .run = sumlogdiag_##suffix },       \
  { .op = "_linalg_trsm",                                                                    \
    .types = ONE_TYPE(code),                                                                 \
    .run = trsm,                                                                             \
    .body = solve_piece_##suffix,                                                            \
    .own = &(const TriangleLoop){ scale_##suffix } },
#define SPAN(row, code, suffix, function, span_of)                                           \
  { .op = "_linalg_" row,                                                                    \
    .types = ONE_TYPE(code),                                                                 \
    .run = function,                                                                         \
    .own = &(const SpanLoop){ span_of, copy_spans_##suffix } },

const Kernel triangular_diagonal_kernels[] = {
  { .op = "_linalg_trmm", .types = FLOAT_TYPES, .run = trmm, .workspace = trmm_workspace, PRODUCT_SIZES },
  EACH_FLOAT(KERNELS){ 0 },
};
