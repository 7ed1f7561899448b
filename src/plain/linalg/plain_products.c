/* plain_products.c - the rows that linalg/product.h and triangular.h define, and their numbers: steps in the operands'
** memory. */
#include "ops/linalg/dot_gemm.h"
#include "ops/linalg/matmul.h"
#include "plain/plain_registry.h"

/* Elements between neighbours along an axis of an array. */
static int64_t step_along(const Shape *s, int axis) { return shape_size_range(s, axis + 1, s->ndim); }

/* The axes of a product's output, with their steps in a and b. */
typedef struct ProductAxes { int n; int64_t shape[MAX_DIMS], a[MAX_DIMS], b[MAX_DIMS]; } ProductAxes;

static void add_axis(ProductAxes *x, int64_t size, int64_t a, int64_t b) {
  x->shape[x->n] = size;
  x->a[x->n] = a;
  x->b[x->n++] = b;
}

static void add_product(PlainCall *c, const ProductAxes *x, int64_t k, int64_t a_term, int64_t b_term, double alpha) {
  int64_t size = 1;
  for (int i = 0; i < x->n; i++) size *= x->shape[i];
  plain_whole(c, size);
  plain_padded(c, x->shape, x->n, MAX_DIMS, 1);
  plain_padded(c, x->a, x->n, MAX_DIMS, 0);
  plain_padded(c, x->b, x->n, MAX_DIMS, 0);
  plain_whole(c, k);
  plain_whole(c, a_term);
  plain_whole(c, b_term);
  plain_number(c, alpha);
}

static void dot_numbers(const Query *q, PlainCall *c) {
  const DotParams *p = q->params;
  const Shape *a = query_in_shape(q, 0), *b = query_in_shape(q, 1);
  const int at = p->transpose_a ? 0 : a->ndim - 1, bt = p->transpose_b ? b->ndim - 1 : 0;
  ProductAxes x = { 0 };
  for (int i = 0; i < a->ndim; i++)
    if (i != at) add_axis(&x, a->dim[i], step_along(a, i), 0);
  for (int i = 0; i < b->ndim; i++)
    if (i != bt) add_axis(&x, b->dim[i], 0, step_along(b, i));
  add_product(c, &x, a->dim[at], step_along(a, at), step_along(b, bt), 1);
}

static void stack_numbers(const Query *q, PlainCall *c, bool ta, bool tb, double alpha, int row) {
  const Shape *a = query_in_shape(q, 0), *b = query_in_shape(q, 1), *y = query_out_shape(q, 0);
  const int last = y->ndim - 1;
  ProductAxes x = { 0 };
  for (int i = 0; i <= last; i++) {
    if (i == row) add_axis(&x, y->dim[i], step_along(a, ta ? last : row), 0);
    else if (i == last) add_axis(&x, y->dim[i], 0, step_along(b, tb ? row : last));
    else add_axis(&x, y->dim[i], step_along(a, i), step_along(b, i));
  }
  const int at = ta ? row : last;
  add_product(c, &x, a->dim[at], step_along(a, at), step_along(b, tb ? last : row), alpha);
}

static void batch_dot_numbers(const Query *q, PlainCall *c) {
  const DotParams *p = q->params;
  stack_numbers(q, c, p->transpose_a, p->transpose_b, 1, query_out(q, 0)->shape.ndim - 2);
}

static void gemm2_numbers(const Query *q, PlainCall *c) {
  const Gemm2Params *p = q->params;
  const int64_t row = p->axis < 0 ? p->axis + query_out(q, 0)->shape.ndim : p->axis;
  stack_numbers(q, c, p->transpose_a, p->transpose_b, p->alpha, (int)row);
}

static void gemm_numbers(const Query *q, PlainCall *c) {
  const GemmParams *p = q->params;
  const int64_t row = p->axis < 0 ? p->axis + query_out(q, 0)->shape.ndim : p->axis;
  stack_numbers(q, c, p->transpose_a, p->transpose_b, p->alpha, (int)row);
  plain_number(c, p->beta);
}

/* A step of an operand that broadcasts along the output's axis `axis` of n. */
static int64_t broadcast_step(const Shape *s, int axis, int n) {
  const int at = axis - n + s->ndim;
  return at < 0 || s->dim[at] == 1 ? 0 : step_along(s, at);
}

static void matmul_numbers(const Query *q, PlainCall *c) {
  const MatmulParams *p = q->params;
  const Shape a = as_matrix(query_in_shape(q, 0), true), b = as_matrix(query_in_shape(q, 1), false);
  const int ta = p->transpose_a != 0, tb = p->transpose_b != 0;
  const int a_row = a.ndim - 2 + ta, a_column = a.ndim - 1 - ta, b_row = b.ndim - 2 + tb, b_column = b.ndim - 1 - tb;
  ProductAxes x = { 0 };
  Shape full;
  (void)full_shape(p, &a, &b, &full);
  for (int i = 0; i < full.ndim - 2; i++)
    add_axis(&x, full.dim[i], broadcast_step(&a, i, full.ndim), broadcast_step(&b, i, full.ndim));
  add_axis(&x, a.dim[a_row], step_along(&a, a_row), 0);
  add_axis(&x, b.dim[b_column], 0, step_along(&b, b_column));
  if (!dtype_is_float(query_out(q, 0)->dtype)) {
    c->text = "linalg/whole_product";
    c->function = "whole_product";
  }
  add_product(c, &x, a.dim[a_column], step_along(&a, a_column), step_along(&b, b_row), 1);
  if (!dtype_is_float(query_out(q, 0)->dtype)) c->n_numbers = 0;      /* no alpha */
}

/* The product of a's rows, or with `transpose` its columns, with each other. */
static void syrk_numbers(const Query *q, PlainCall *c) {
  const SyrkParams *p = q->params;
  const Shape *a = query_in_shape(q, 0), *y = query_out_shape(q, 0);
  const int row = a->ndim - 2, last = a->ndim - 1, line = p->transpose ? last : row, term = p->transpose ? row : last;
  ProductAxes x = { 0 };
  for (int i = 0; i < row; i++) add_axis(&x, y->dim[i], step_along(a, i), step_along(a, i));
  add_axis(&x, y->dim[row], step_along(a, line), 0);
  add_axis(&x, y->dim[last], 0, step_along(a, line));
  add_product(c, &x, a->dim[term], step_along(a, term), step_along(a, term), p->alpha);
}

static void trmm_numbers(const Query *q, PlainCall *c) {
  const SideParams *p = q->params;
  const Shape *a = query_in_shape(q, 0), *b = query_in_shape(q, 1);
  const int64_t n = a->dim[a->ndim - 1];
  plain_whole(c, shape_size_range(a, 0, a->ndim - 2));
  plain_whole(c, n);
  plain_wholes(c, b->dim + b->ndim - 2, 2);
  plain_whole(c, p->transpose);
  plain_whole(c, p->rightside);
  plain_whole(c, p->lower);
  plain_number(c, p->alpha);
  c->workspace = n * n;
}

static void dense_numbers(const Query *q, PlainCall *c) {
  const Shape *weight = query_in_shape(q, 1);
  plain_whole(c, shape_size(query_out_shape(q, 0)) / weight->dim[0]);
  plain_wholes(c, weight->dim, 2);
}

/* OpenBLAS computes products in float64. */
#define PRODUCT(row, name, numbers)                                                                           \
  { .op = row, .text = "linalg/product", .function = name, .types = FLOAT_TYPES, .rounded = ONE_TYPE(DT_FLOAT64), \
    .arguments = numbers }

const Plain plain_products[] = { PRODUCT("dot", "product", dot_numbers),
                                 PRODUCT("batch_dot", "product", batch_dot_numbers),
                                 PRODUCT("_linalg_gemm2", "product", gemm2_numbers),
                                 PRODUCT("_linalg_gemm", "product_plus", gemm_numbers),
                                 PRODUCT("_linalg_syrk", "own_product", syrk_numbers),
                                 { .op = "_linalg_trmm",
                                   .text = "linalg/triangular",
                                   .types = FLOAT_TYPES,
                                   .rounded = ONE_TYPE(DT_FLOAT64),
                                   .arguments = trmm_numbers },
                                 { .op = "matmul",
                                   .text = "linalg/product",
                                   .types = PLAIN_TYPES & ~ONE_TYPE(DT_BOOL),
                                   .rounded = ONE_TYPE(DT_FLOAT64),
                                   .arguments = matmul_numbers },
                                 PRODUCT("FullyConnected", "dense", dense_numbers),
                                 { 0 } };
