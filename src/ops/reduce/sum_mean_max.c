/* sum_mean_max.c - reductions over axes: sum, mean, prod, max, min, norm, nansum, nanprod.
**
** The input's axes are merged into runs of kept and of reduced axes (fold_order.h). If the innermost run is reduced,
** each output is a TREE_FOLD of contiguous runs; if it is kept, whole rows are added, a block of columns at a time.
** Blocks are folded in the element type and their results in a wider one, in an order that depends only on the shape
** (base/math/tree_sum.h). A full reduction has shape (1,), as in MXNet.
*/
#include <string.h>

#include "base/assert.h"
#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/loops/fold_order.h"
#include "ops/common/gradient_rules.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shared_params.h"
#include "ops/reduce/fold_outputs.h"
#include "ops/reduce/sum_mean_max.h"
#include "ops/op_registry.h"
#include "ops/reduce/reduced_axes.h"

/* Inference with output dtype `dtype`. */
static Status infer_into(Infer *f, const ReduceParams *p, DType dtype) {
  Type *in = &f->in[0], *out = &f->out[0];
  bool reduced[MAX_DIMS];
  if (!dtype_merge(&out->dtype, dtype))
    return fail("output: expected dtype %s, got %s", dtype_name(out->dtype), dtype_name(dtype));
  if (in->dtype == DT_FLOAT16 || (in->dtype == DT_BOOL && dtype == DT_BOOL))
    return fail("data: expected dtype float32, float64 or an integer, got %s; convert with astype",
                dtype_name(in->dtype));
  if (in->shape.ndim < 0) return OK;
  TRY(reduced_axes(f->op->name, "axis", p, in->shape.ndim, reduced));
  Shape s = reduced_shape(&in->shape, reduced, p->keepdims);
  if (!shape_merge(&out->shape, &s))
    return fail("output: expected %s, got %s", shape_text(&out->shape), shape_text(&s));
  return OK;
}

Status reduce_infer(Infer *f, const ReduceParams *p) { return infer_into(f, p, f->in[0].dtype); }

static Status infer_axes(Infer *f) { return reduce_infer(f, f->params); }

/* As in NumPy the sum of bools is the number of true elements. */
static Status infer_sum(Infer *f) {
  return f->in[0].dtype == DT_BOOL ? reduce_bools_infer(f, f->params) : reduce_infer(f, f->params);
}

static Status infer_mean(Infer *f) {
  DType in = f->in[0].dtype;
  return infer_into(f, f->params, in == DT_UNKNOWN || dtype_is_float(in) ? in : DT_FLOAT32);
}

/* For max and min, which have no value without elements. */
static Status infer_not_empty(Infer *f) {
  TRY(infer_axes(f));
  const Shape *in = &f->in[0].shape;
  if (shape_known(in) && shape_size(in) == 0 && shape_known(&f->out[0].shape) && shape_size(&f->out[0].shape) > 0)
    return fail("data: expected elements along the axes to reduce, got shape %s", shape_text(in));
  return OK;
}

/* ---- The walk ---------------------------------------------------------------------------------- */

typedef struct Reduction Reduction;

typedef struct Fold {
  void (*run)(const void *x, int64_t n, void *wide);                /* wide = wide STEP fold of a contiguous run */
  void (*rows)(const Reduction *f, int64_t outer, int64_t column, int64_t n);   /* n neighbouring outputs */
  void (*start)(void *wide);
  void (*finish)(const void *wide, int64_t count, void *out, int64_t at);
} Fold;

struct Reduction {
  FoldOrder walk;
  const Fold *fold;
  char *out;
};

static void inner_piece(void *context, int64_t first, int64_t last) {
  const Reduction *f = context;
  const FoldOrder *w = &f->walk;
  int64_t runs = walk_product(w->reduced, w->n_reduced);
  for (int64_t o = first; o < last && !interrupted(); o++) {
    const char *from = w->in + (size_t)walk_offset(o, w->n_kept, w->kept, w->kept_stride) * w->size;
    double wide[2];
    f->fold->start(wide);
    for (int64_t r = 0; r < runs; r++) f->fold->run(from + (size_t)walk_row(w, r) * w->size, w->inner, wide);
    f->fold->finish(wide, w->count, f->out, o);
  }
}

static void rows_piece(void *context, int64_t first, int64_t last) {
  const Reduction *f = context;
  int64_t outer, column, n;
  for (int64_t c = first; c < last && !interrupted(); c++) {
    fold_columns(&f->walk, c, &outer, &column, &n);
    f->fold->rows(f, outer, column, n);
  }
}

/* One output of a long contiguous run: threads fold its blocks, whose results are folded in order, by groups. */
typedef struct SumBlocks { const Reduction *f; double (*result)[1]; } SumBlocks;

static void blocks_piece(void *context, int64_t first, int64_t last) {
  const SumBlocks *b = context;
  HL_ASSERT(last <= block_count(b->f->walk.inner));
  for (int64_t i = first, n; i < last && !interrupted(); i++) {
    const char *from = block_at(&b->f->walk, i, &n);
    b->f->fold->start(b->result[i]);
    b->f->fold->run(from, n, b->result[i]);
  }
}

static void reduce_run(const Reduction *f, void *workspace, void (*combine)(void *wide, const void *other)) {
  const FoldOrder *w = &f->walk;
  SumBlocks b = { f, workspace };
  const int64_t n = block_count(w->inner);
  double wide[2], group[2];
  if (!workspace || !folds_blocks(w)) {
    fold_outputs(w, 1 << 15, inner_piece, rows_piece, (void *)f);
    return;
  }
  parallel_for(n, 32, blocks_piece, &b);
  f->fold->start(wide);
  for (int64_t i = 0; i < n;) {
    f->fold->start(group);
    for (int64_t end = i + TREE_GROUP / TREE_BLOCK; i < end && i < n; i++) combine(group, b.result[i]);
    combine(wide, group);
  }
  f->fold->finish(wide, w->count, f->out, 0);
}

/* ---- The folds ------------------------------------------------------------------------------------ */

/* Folding four rows per pass saves reads of the block from the cache. max and min take longer than such a read. */
enum { ROWS_TOGETHER_TREE_ADD = 1, ROWS_TOGETHER_TREE_MUL = 1, ROWS_TOGETHER_TREE_MAX = 0, ROWS_TOGETHER_TREE_MIN = 0 };

/* The functions of one fold for one dtype. `element` is an expression of x, `last` one of total and count. wide_t is
** double for floats and int64 for integers. */
#define FOLD_FUNCTIONS(name, T, result_t, lane_t, wide_t, STEP, first, element, last)                 \
  static void name##_start_##T(void *w) { *(wide_t *)w = (wide_t)(first); }                           \
  static void name##_run_##T(const void *from, int64_t n, void *w) {                                  \
    const T *data = from;                                                                             \
    wide_t sum;                                                                                       \
    TREE_FOLD(sum, lane_t, wide_t, n, first, STEP, TREE_ELEMENT(element));                            \
    *(wide_t *)w = STEP(*(wide_t *)w, sum);                                                           \
  }                                                                                                   \
  static void name##_rows_##T(const Reduction *f, int64_t outer, int64_t column, int64_t n) {         \
    const FoldOrder *w = &f->walk;                                                                    \
    const T *from = (const T *)w->in + walk_offset(outer, w->n_kept, w->kept, w->kept_stride) + column; \
    int64_t rows = walk_product(w->reduced, w->n_reduced);                                            \
    wide_t total[WALK_COLUMNS], group[WALK_COLUMNS];                                                  \
    lane_t block[WALK_COLUMNS];                                                                       \
    for (int64_t k = 0; k < n; k++) total[k] = (wide_t)(first);                                       \
    for (int64_t at = 0; at < rows; at += TREE_ROWS) {                                                \
      int64_t end = at + TREE_ROWS < rows ? at + TREE_ROWS : rows;                                    \
      for (int64_t k = 0; k < n; k++) block[k] = (lane_t)(first);                                     \
      int64_t r = at;                                                                                 \
      for (; ROWS_TOGETHER_##STEP && r + 4 <= end; r += 4) {                                          \
        const T *row0 = from + walk_row(w, r), *row1 = from + walk_row(w, r + 1);                     \
        const T *row2 = from + walk_row(w, r + 2), *row3 = from + walk_row(w, r + 3);                 \
        for (int64_t i = 0; i < n; i++) {                                                             \
          lane_t folded = STEP(block[i], (lane_t)(TREE_ELEMENT_OF(row0, element)));                   \
          folded = STEP(folded, (lane_t)(TREE_ELEMENT_OF(row1, element)));                            \
          folded = STEP(folded, (lane_t)(TREE_ELEMENT_OF(row2, element)));                            \
          block[i] = STEP(folded, (lane_t)(TREE_ELEMENT_OF(row3, element)));                          \
        }                                                                                             \
      }                                                                                               \
      for (; r < end; r++) {                                                                          \
        const T *data = from + walk_row(w, r);                                                        \
        for (int64_t i = 0; i < n; i++) {                                                             \
          const lane_t term = (lane_t)(TREE_ELEMENT(element));                                        \
          block[i] = STEP(block[i], term);                                                            \
        }                                                                                             \
      }                                                                                               \
      TREE_JOIN_PARTS(total, group, block, n, at, end, rows, (wide_t)(first), STEP);                  \
    }                                                                                                 \
    for (int64_t k = 0; k < n; k++) f->fold->finish(&total[k], w->count, f->out, outer * w->inner + column + k); \
  }                                                                                                   \
  static void name##_finish_##T(const void *w, int64_t count, void *out, int64_t at) {                \
    typedef T real;                                                                                   \
    wide_t total = *(const wide_t *)w;                                                                \
    (void)count, (void)(real)0;                                                                       \
    ((result_t *)out)[at] = HL_AS(result_t, last);                                                    \
  }                                                                                                   \
  static void name##_combine_##T(void *w, const void *other) {                                        \
    *(wide_t *)w = STEP(*(wide_t *)w, *(const wide_t *)other);                                        \
  }
#define TREE_ELEMENT_OF(row, element) ({ const __typeof__(*row) x = row[i]; (void)x; (element); })
#define TREE_ELEMENT(element) TREE_ELEMENT_OF(data, element)

#define FOLD_ENTRY(name, T) \
  { { name##_run_##T, name##_rows_##T, name##_start_##T, name##_finish_##T }, name##_combine_##T }

typedef struct FoldEntry { Fold fold; void (*combine)(void *, const void *); } FoldEntry;

#define STAMP_FOLD_FLOATS(name, STEP, first, element, last)                                           \
  FOLD_FUNCTIONS(name, float, float, float, double, STEP, first, element, last)                       \
  FOLD_FUNCTIONS(name, double, double, double, double, STEP, first, element, last)

/* RESULT(T) is the type of the result for elements of type T. */
#define STAMP_FOLD_INTEGERS(name, RESULT, STEP, first, element, last)                                 \
  FOLD_FUNCTIONS(name, int32_t, RESULT(int32_t), int64_t, int64_t, STEP, first, element, last)        \
  FOLD_FUNCTIONS(name, int64_t, RESULT(int64_t), int64_t, int64_t, STEP, first, element, last)        \
  FOLD_FUNCTIONS(name, int8_t, RESULT(int8_t), int64_t, int64_t, STEP, first, element, last)          \
  FOLD_FUNCTIONS(name, uint8_t, RESULT(uint8_t), int64_t, int64_t, STEP, first, element, last)
#define OWN_TYPE(T) T
#define FLOAT_TYPE(T) float

#define STAMP_FOLD(name, STEP, float_first, int_first, element, last, further)                        \
  STAMP_FOLD_FLOATS(name, STEP, float_first, element, last)                                           \
  STAMP_FOLD_INTEGERS(name, OWN_TYPE, STEP, int_first, element, last)                                 \
  STAMP_FOLD_TABLE(name, #STEP, #float_first, #element, #last, further, )

/* The table of a fold's functions by dtype, and its texts, which are strings because a macro's arguments are expanded
** while they are passed on; `more` is a further entry. */
#define STAMP_FOLD_TABLE(name, step_text, start_text, element_text, finish_text, further, more)       \
  static Folding name##_folding = {                                                                   \
    .step = step_text, .start = start_text, .element = element_text, .finish = finish_text, .again = further }; \
  static const FoldEntry name##_folds[N_DTYPES] = {                                                   \
    [DT_FLOAT32] = FOLD_ENTRY(name, float), [DT_FLOAT64] = FOLD_ENTRY(name, double),                  \
    [DT_INT32] = FOLD_ENTRY(name, int32_t), [DT_INT64] = FOLD_ENTRY(name, int64_t),                   \
    [DT_INT8] = FOLD_ENTRY(name, int8_t), [DT_UINT8] = FOLD_ENTRY(name, uint8_t), more };

/* The sum of bools counts in int64. */
STAMP_FOLD_FLOATS(sum, TREE_ADD, 0, x, total)
STAMP_FOLD_INTEGERS(sum, OWN_TYPE, TREE_ADD, 0, x, total)
FOLD_FUNCTIONS(sum, bool, int64_t, int64_t, int64_t, TREE_ADD, 0, x, total)
STAMP_FOLD_TABLE(sum, "TREE_ADD", "0", "x", "total", NULL, [DT_BOOL] = FOLD_ENTRY(sum, bool))

/* The mean of integers and bools is a float32. */
#define WHOLE_MEAN (double)total / (double)(count ? count : 1)
STAMP_FOLD_FLOATS(mean, TREE_ADD, 0, x, total / (count ? count : 1))
STAMP_FOLD_INTEGERS(mean, FLOAT_TYPE, TREE_ADD, 0, x, WHOLE_MEAN)
FOLD_FUNCTIONS(mean, bool, float, int64_t, int64_t, TREE_ADD, 0, x, WHOLE_MEAN)
STAMP_FOLD_TABLE(mean, "TREE_ADD", "0", "x", "total / (count ? count : 1)", NULL, [DT_BOOL] = FOLD_ENTRY(mean, bool))
STAMP_FOLD(prod, TREE_MUL, 1, 1, x, total, NULL)
STAMP_FOLD(nansum, TREE_ADD, 0, 0, x != x ? 0 : x, total, NULL)
STAMP_FOLD(nanprod, TREE_MUL, 1, 1, x != x ? 1 : x, total, NULL)
STAMP_FOLD(max, TREE_MAX, -HUGE_VAL, INT64_MIN, x, total, NULL)
STAMP_FOLD(min, TREE_MIN, HUGE_VAL, INT64_MAX, x, total, NULL)
STAMP_FOLD(norm1, TREE_ADD, 0, 0, abs(x), total, NULL)

/* The 2-norm y. Squares under- and overflow long before their root, so if y is small or large, it is recomputed:
** elements are multiplied by a power of two before squaring, and the root is divided by it, both exactly (J. Blue, "A
** portable Fortran program to find the Euclidean norm of a vector", ACM TOMS 4, 1978). Otherwise no square overflows,
** and those that underflow have no effect. The arguments are name, condition, factor and inverse factor. */
#define NORM_SMALL(F) \
  F(small, y < FLOATS(y, 0x1p-40f, 0x1p-400), FLOATS(x, 0x1p90f, 0x1p600), FLOATS(K(0), 0x1p-90, 0x1p-600))
#define NORM_LARGE(F) \
  F(large, y > FLOATS(y, 0x1p63f, 0x1p510), FLOATS(x, 0x1p-70f, 0x1p-600), FLOATS(K(0), 0x1p70, 0x1p600))

#define NORM_STAMP(name, condition, factor, inverse)                                                  \
  STAMP_FOLD_FLOATS(norm2_##name, TREE_ADD, 0, (x * factor) * (x * factor), sqrt((double)total) * inverse) \
  static const FoldEntry norm2_##name##_folds[N_DTYPES] = {                                           \
    [DT_FLOAT32] = FOLD_ENTRY(norm2_##name, float), [DT_FLOAT64] = FOLD_ENTRY(norm2_##name, double) }; \
  static bool is_##name(const Tensor *t, int64_t i) {                                                 \
    if (t->type.dtype == DT_FLOAT64) { const double y = ((const double *)t->data)[i]; return condition; } \
    const float y = ((const float *)t->data)[i];                                                      \
    return condition;                                                                                 \
  }
NORM_SMALL(NORM_STAMP)
NORM_LARGE(NORM_STAMP)

#define NORM_TEXTS(name, condition, factor, inverse) \
  { .when = #condition, .element = "(x * " #factor ") * (x * " #factor ")", \
    .finish = "sqrt((double)total) * " #inverse },
static FoldAgain norm2_again[] = { NORM_SMALL(NORM_TEXTS) NORM_LARGE(NORM_TEXTS){ 0 } };
/* clang-format off */
STAMP_FOLD(norm2, TREE_ADD, 0, 0, x * x, sqrt((double)total), norm2_again)
/* clang-format on */

static Status reduction_of(const Call *c, const ReduceParams *p, const Fold *fold, Reduction *f) {
  bool reduced[MAX_DIMS];
  TRY(reduced_axes(c->op->name, "axis", p, c->in[0]->type.shape.ndim, reduced));
  walk_of(c->in[0], reduced, &f->walk);
  f->fold = fold;
  f->out = c->out[0]->data;
  return OK;
}

static Status fold(Call *c, const ReduceParams *p, const FoldEntry *folds) {
  const FoldEntry *entry = &folds[c->in[0]->type.dtype];
  Reduction f;
  TRY(reduction_of(c, p, &entry->fold, &f));
  if (tensor_size(c->out[0]) > 0) reduce_run(&f, c->workspace, entry->combine);
  return interrupt_status();
}

static size_t fold_scratch(const Query *q) { return blocks_workspace(q, sizeof(double)); }

/* reduced_axes for axes that inference has accepted. */
static void fold_axes(const ReduceParams *p, int ndim, bool *reduced) {
  (void)reduced_axes("reduction", "axis", p, ndim, reduced);
}

#define FORWARD(name, run)                                                                            \
  static Status name##_forward(Call *c) { return run(c, c->params, name##_folds); }                   \
  static const Folding *name##_fold(const Query *q, bool *reduced) {                                  \
    fold_axes(q->params, query_in(q, 0)->shape.ndim, reduced);                                        \
    return &name##_folding;                                                                           \
  }                                                                                                   \
  static Folding *const name##_foldings[] = { &name##_folding, NULL };
static Status fold_or_count(Call *c, const ReduceParams *p, const FoldEntry *folds) {
  return c->in[0]->type.dtype == DT_BOOL ? reduce_bools(c, p) : fold(c, p, folds);
}

/* clang-format off */
FORWARD(sum, fold_or_count) FORWARD(mean, fold) FORWARD(prod, fold) FORWARD(nansum, fold) FORWARD(nanprod, fold)
FORWARD(max, fold) FORWARD(min, fold)
  /* clang-format on */

  /* ---- norm, which has its own parameters ------------------------------------------------------------------------ */

typedef struct NormParams { int64_t ord; List axis; int64_t out_dtype, keepdims; } NormParams;

static ReduceParams norm_axes(const NormParams *p) {
  return (ReduceParams){ .axis = p->axis, .keepdims = p->keepdims };
}

static Status infer_norm(Infer *f) {
  const NormParams *p = f->params;
  ReduceParams axes = norm_axes(p);
  if (p->ord != 1 && p->ord != 2) return fail("ord: expected 1 or 2, got %lld", (long long)p->ord);
  if (p->out_dtype != DT_UNKNOWN && f->in[0].dtype != DT_UNKNOWN && (DType)p->out_dtype != f->in[0].dtype)
    return fail("out_dtype: expected data's, %s, got %s; cast the array first", dtype_name(f->in[0].dtype),
                dtype_name((DType)p->out_dtype));
  return reduce_infer(f, &axes);
}

/* The two scaled reductions that recompute outputs. */
typedef struct Again { const Reduction *small, *large; const Tensor *out; } Again;

static void again_piece(void *context, int64_t first, int64_t last) {
  const Again *a = context;
  for (int64_t i = first; i < last && !interrupted(); i++) {
    const Reduction *f = is_small(a->out, i) ? a->small : is_large(a->out, i) ? a->large : NULL;
    if (f && f->walk.inner_reduced) inner_piece((void *)f, i, i + 1);
    else if (f) f->fold->rows(f, i / f->walk.inner, i % f->walk.inner, 1);
  }
}

/* Recomputes the outputs that are too small or too large. */
static Status norm_again(Call *c, const ReduceParams *axes) {
  Tensor *out = c->out[0];
  int64_t n = tensor_size(out);
  bool small = false, large = false;
  for (int64_t i = 0; i < n; i++) {
    small = small || is_small(out, i);
    large = large || is_large(out, i);
  }
  if (!small && !large) return OK;
  if (n == 1) return fold(c, axes, small ? norm2_small_folds : norm2_large_folds);
  Reduction for_small, for_large;
  TRY(reduction_of(c, axes, &norm2_small_folds[out->type.dtype].fold, &for_small));
  TRY(reduction_of(c, axes, &norm2_large_folds[out->type.dtype].fold, &for_large));
  return run_parallel(n, (1 << 15) / (for_small.walk.count + 1) + 1, again_piece,
                      &(Again){ &for_small, &for_large, out });
}

static Status norm_forward(Call *c) {
  const NormParams *p = c->params;
  ReduceParams axes = norm_axes(p);
  TRY(fold(c, &axes, p->ord == 1 ? norm1_folds : norm2_folds));
  return p->ord == 2 && dtype_is_float(c->out[0]->type.dtype) ? norm_again(c, &axes) : OK;
}

static const Folding *norm_fold(const Query *q, bool *reduced) {
  ReduceParams axes = norm_axes(q->params);
  fold_axes(&axes, query_in(q, 0)->shape.ndim, reduced);
  return ((const NormParams *)q->params)->ord == 1 ? &norm1_folding : &norm2_folding;
}

static Folding *const norm_foldings[] = { &norm1_folding, &norm2_folding, NULL };

/* ---- Gradients ------------------------------------------------------------------------------------------- */

static Entry spread(Gradient *d, Entry e, const ReduceParams *p) {
  const Shape *in = &gradient_input(d, 0)->shape;
  bool reduced[MAX_DIMS];
  fold_axes(p, in->ndim, reduced);
  return spread_over(d->b, e, in, reduced);
}

static Entry mul(Builder *b, Entry x, Entry y) { return build_op(b, "elemwise_mul", NULL, 2, x, y); }

static Status sum_grad(Gradient *d) {
  if (!dtype_is_float(gradient_input(d, 0)->dtype)) return OK;          /* a count */
  return only_gradient(d, spread(d, d->out_grad[0], gradient_params(d)));
}

static Status mean_grad(Gradient *d) {
  if (!dtype_is_float(gradient_input(d, 0)->dtype)) return OK;
  int64_t out = shape_size(&d->node->type[0].shape), in = shape_size(&gradient_input(d, 0)->shape);
  Entry g = times(d->b, d->out_grad[0], in > 0 ? (double)out / (double)in : 0);
  return only_gradient(d, spread(d, g, gradient_params(d)));
}

/* g * y / x */
static Status prod_grad(Gradient *d) {
  Entry gy = spread(d, mul(d->b, d->out_grad[0], (Entry){ d->node, 0 }), gradient_params(d));
  return only_gradient(d, build_op(d->b, "elemwise_div", NULL, 2, gy, d->node->in[0]));
}

/* Each input that equals the extreme gets the whole gradient. */
static Status extreme_grad(Gradient *d) {
  const ReduceParams *p = gradient_params(d);
  Entry y = spread(d, (Entry){ d->node, 0 }, p), g = spread(d, d->out_grad[0], p);
  return only_gradient(d, mul(d->b, g, build_op(d->b, "_equal", NULL, 2, d->node->in[0], y)));
}

/* 1 where x is not NaN, else 0. */
static Entry is_number(Gradient *d) { return build_op(d->b, "_equal", NULL, 2, d->node->in[0], d->node->in[0]); }

static Status nansum_grad(Gradient *d) {
  Entry g = spread(d, d->out_grad[0], gradient_params(d));
  return only_gradient(d, mul(d->b, g, is_number(d)));
}

static Status nanprod_grad(Gradient *d) {
  TRY(prod_grad(d));
  return only_gradient(d, build_op(d->b, "_where_true", NULL, 2, is_number(d), d->in_grad[0]));
}

/* g * (x / y) for ord 2, because x / y cannot overflow; g * sign(x) for ord 1. */
static Status norm_grad(Gradient *d) {
  const NormParams *p = gradient_params(d);
  ReduceParams axes = norm_axes(p);
  Entry x = d->node->in[0], g = d->out_grad[0];
  if (p->ord == 1) return only_gradient(d, mul(d->b, spread(d, g, &axes), build_op(d->b, "sign", NULL, 1, x)));
  Entry y = spread(d, (Entry){ d->node, 0 }, &axes);
  return only_gradient(d, mul(d->b, spread(d, g, &axes), build_op(d->b, "elemwise_div", NULL, 2, x, y)));
}

/* ---- Rows ---------------------------------------------------------------------------------------------------- */

#define AXES                                                                                              \
  "axis shape? None The axes to reduce; None or (): all.\n"                                               \
  "keepdims bool False Keep reduced axes, with dimension 1.\n"                                            \
  "exclude bool False Reduce all axes except the given ones.\n"

#define EXAMPLES(name)                                                                                    \
  "F." name "(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 1})\n"                                               \
  "F." name "(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}, {axis = {0, 2}, keepdims = true})\n"           \
  "F." name "(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}, {axis = 1, exclude = true})\n"                 \
  "F." name "(F.array{{1, 2}, {3, 4}})"

#define ROW(title, names, infer_, grad_, text)                                                            \
  { .name = #title, .aliases = names, .doc = text, .example = EXAMPLES(#title), .inputs = "data", .params = AXES, \
    .params_size = sizeof(ReduceParams), .infer = infer_, .forward = title##_forward, .folding = title##_fold, \
    .folds = title##_foldings, \
    .workspace = fold_scratch, .grad = grad_ }

/* clang-format off */
Op reduce_ops[] = {
  ROW(sum, "sum_axis", infer_sum, sum_grad, "The sum over axes. For bools it is the number of true elements, as int64"),
  ROW(mean, NULL, infer_mean, mean_grad, "The mean over axes; for integers and bools it is a float32"),
  ROW(prod, NULL, infer_axes, prod_grad, "The product over axes. The gradient, g y / x, is not defined at x = 0"),
  ROW(nansum, NULL, infer_axes, nansum_grad, "The sum over axes; NaN counts as 0"),
  ROW(nanprod, NULL, infer_axes, nanprod_grad, "The product over axes; NaN counts as 1"),
  ROW(max, "max_axis", infer_not_empty, extreme_grad,
      "The greatest element over axes, or NaN if there is one. All elements equal to it get the whole gradient"),
  ROW(min, "min_axis", infer_not_empty, extreme_grad,
      "The least element over axes, or NaN if there is one. All elements equal to it get the whole gradient"),
  { .name = "norm",
    .doc = "The 1-norm or 2-norm over axes; squares that would under- or overflow are scaled (J. Blue, 1978)",
    .inputs = "data",
    .example = "F.norm(F.array{{3, 4}, {6, 8}}, {axis = 1})\n"
               "F.norm(F.array{{3, -4}, {6, 8}}, {ord = 1, axis = 0, keepdims = true})\n"
               "F.norm(F.array{{3, 4}, {1, 2}})",
    .params = "ord int 2 The norm: 1 or 2.\n"
              "axis shape? None The axes to reduce; None: all.\n"
              "out_dtype dtype? None The result's element type; must be data's.\n"
              "keepdims bool False Keep reduced axes, with dimension 1.\n",
    .params_size = sizeof(NormParams),
    .infer = infer_norm, .forward = norm_forward, .folding = norm_fold, .folds = norm_foldings, .workspace = fold_scratch, .grad = norm_grad },
  { 0 }
};
/* clang-format on */
