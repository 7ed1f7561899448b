/* sum_mean_max_kernels.c - sum, mean, prod, max, min, norm, nansum, nanprod.
**
** The input's axes are merged into runs of kept and of reduced axes (fold_order.h). If the innermost run is reduced,
** each output is a TREE_FOLD of contiguous runs; if it is kept, whole rows are added, a block of columns at a time.
** Blocks are folded in the element type and their results in a wider one, in an order that depends only on the shape
** (base/math/tree_sum.h). Sums of bools are counts (any_all_kernels.c).
*/
#include <string.h>

#include "base/assert.h"
#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/fold_order.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/reduce/fold_outputs.h"
#include "ops/reduce/fold_texts.h"
#include "ops/reduce/reduced_axes.h"
#include "ops/reduce/sum_mean_max.h"

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
          const lane_t folded = block[i], term = (lane_t)(TREE_ELEMENT(element));                     \
          TREE_STEP(lane_t, block[i], STEP, folded, term);                                            \
        }                                                                                             \
      }                                                                                               \
      TREE_JOIN_PARTS(wide_t, total, group, block, n, at, end, rows, (wide_t)(first), STEP);          \
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

#define STAMP_FLOATS(name, STEP, first, int_first, element, last)                                     \
  FOLD_FUNCTIONS(name, float, float, float, double, STEP, first, element, last)                       \
  FOLD_FUNCTIONS(name, double, double, double, double, STEP, first, element, last)

/* RESULT(T) is the type of the result for elements of type T. */
#define STAMP_INTEGERS_AS(name, RESULT, STEP, first, element, last)                                   \
  FOLD_FUNCTIONS(name, int32_t, RESULT(int32_t), int64_t, int64_t, STEP, first, element, last)        \
  FOLD_FUNCTIONS(name, int64_t, RESULT(int64_t), int64_t, int64_t, STEP, first, element, last)        \
  FOLD_FUNCTIONS(name, int8_t, RESULT(int8_t), int64_t, int64_t, STEP, first, element, last)          \
  FOLD_FUNCTIONS(name, uint8_t, RESULT(uint8_t), int64_t, int64_t, STEP, first, element, last)
#define OWN_TYPE(T) T
#define FLOAT_TYPE(T) float

#define STAMP(name, STEP, first, int_first, element, last)                                            \
  STAMP_FLOATS(name, STEP, first, int_first, element, last)                                           \
  STAMP_INTEGERS_AS(name, OWN_TYPE, STEP, int_first, element, last)

FOLD_SUM(STAMP)

/* The mean of integers and bools is a float32. */
#define WHOLE_MEAN (double)total / (double)(count ? count : 1)
FOLD_MEAN(STAMP_FLOATS)
STAMP_INTEGERS_AS(mean, FLOAT_TYPE, TREE_ADD, 0, x, WHOLE_MEAN)
FOLD_FUNCTIONS(mean, bool, float, int64_t, int64_t, TREE_ADD, 0, x, WHOLE_MEAN)

FOLD_PROD(STAMP)
FOLD_NANSUM(STAMP)
FOLD_NANPROD(STAMP)
FOLD_MAX(STAMP)
FOLD_MIN(STAMP)
FOLD_NORM1(STAMP)
FOLD_NORM2(STAMP)

static Status reduction_of(const Call *c, const ReduceParams *p, const Fold *fold, Reduction *f) {
  bool reduced[MAX_DIMS];
  TRY(reduced_axes(c->op->name, "axis", p, c->in[0]->type.shape.ndim, reduced));
  walk_of(c->in[0], reduced, &f->walk);
  f->fold = fold;
  f->out = c->out[0]->data;
  return OK;
}

static Status fold(Call *c, const ReduceParams *p, const FoldEntry *entry) {
  Reduction f;
  TRY(reduction_of(c, p, &entry->fold, &f));
  if (tensor_size(c->out[0]) > 0) reduce_run(&f, c->workspace, entry->combine);
  return interrupt_status();
}

static Status reduce(Call *c) { return fold(c, c->params, c->kernel->own); }

static Status fold_workspace(const Query *q, Workspace *w) {
  w->bytes = blocks_workspace(q, sizeof(double));
  return OK;
}

/* ---- norm ------------------------------------------------------------------------------------------------------ */

/* The scaled folds are for floats only. */
typedef struct NormFolds {
  FoldEntry one, two, small, large;
  bool (*is_small)(const void *out, int64_t i), (*is_large)(const void *out, int64_t i);
} NormFolds;

#define NORM_STAMP(name, condition, factor, inverse)                                                  \
  STAMP_FLOATS(norm2_##name, TREE_ADD, 0, 0, (x * factor) * (x * factor), sqrt((double)total) * inverse) \
  static bool is_##name##_float(const void *out, int64_t i) {                                         \
    const float y = ((const float *)out)[i];                                                          \
    return condition;                                                                                 \
  }                                                                                                   \
  static bool is_##name##_double(const void *out, int64_t i) {                                        \
    const double y = ((const double *)out)[i];                                                        \
    return condition;                                                                                 \
  }
NORM_SMALL(NORM_STAMP)
NORM_LARGE(NORM_STAMP)

/* The two scaled reductions that recompute outputs. */
typedef struct Again { const Reduction *small, *large; const NormFolds *folds; const void *out; } Again;

static void again_piece(void *context, int64_t first, int64_t last) {
  const Again *a = context;
  for (int64_t i = first; i < last && !interrupted(); i++) {
    const Reduction *f = a->folds->is_small(a->out, i) ? a->small : a->folds->is_large(a->out, i) ? a->large : NULL;
    if (f && f->walk.inner_reduced) inner_piece((void *)f, i, i + 1);
    else if (f) f->fold->rows(f, i / f->walk.inner, i % f->walk.inner, 1);
  }
}

/* Recomputes the outputs that are too small or too large. */
static Status norm_again(Call *c, const ReduceParams *axes) {
  const NormFolds *folds = c->kernel->own;
  const void *out = c->out[0]->data;
  int64_t n = tensor_size(c->out[0]);
  bool small = false, large = false;
  for (int64_t i = 0; i < n; i++) {
    small = small || folds->is_small(out, i);
    large = large || folds->is_large(out, i);
  }
  if (!small && !large) return OK;
  if (n == 1) return fold(c, axes, small ? &folds->small : &folds->large);
  Reduction for_small, for_large;
  TRY(reduction_of(c, axes, &folds->small.fold, &for_small));
  TRY(reduction_of(c, axes, &folds->large.fold, &for_large));
  return run_parallel(n, (1 << 15) / (for_small.walk.count + 1) + 1, again_piece,
                      &(Again){ &for_small, &for_large, folds, out });
}

static Status norm(Call *c) {
  const NormParams *p = c->params;
  const NormFolds *folds = c->kernel->own;
  ReduceParams axes = norm_axes(p);
  TRY(fold(c, &axes, p->ord == 1 ? &folds->one : &folds->two));
  return p->ord == 2 && folds->is_small ? norm_again(c, &axes) : OK;
}

/* ---- The table ------------------------------------------------------------------------------------------------- */

#define KERNEL(name, code, T)                                   \
  { .op = #name,                                                \
    .types = ONE_TYPE(code),                                    \
    .run = reduce,                                              \
    .workspace = fold_workspace,                                \
    .own = &(const FoldEntry)FOLD_ENTRY(name, T) },
#define NORM_KERNEL(code, ...)                                  \
  { .op = "norm",                                               \
    .types = ONE_TYPE(code),                                    \
    .run = norm,                                                \
    .workspace = fold_workspace,                                \
    .own = &(const NormFolds){ __VA_ARGS__ } },
#define NORM_FOLDS(T) .one = FOLD_ENTRY(norm1, T), .two = FOLD_ENTRY(norm2, T)
#define NORM_FLOATS(T) \
  NORM_FOLDS(T), .small = FOLD_ENTRY(norm2_small, T), .large = FOLD_ENTRY(norm2_large, T), \
  .is_small = is_small_##T, .is_large = is_large_##T

#define KERNELS(code, T, suffix)                                                                      \
  KERNEL(sum, code, T) KERNEL(mean, code, T) KERNEL(prod, code, T) KERNEL(nansum, code, T)            \
  KERNEL(nanprod, code, T) KERNEL(max, code, T) KERNEL(min, code, T)

/* clang-format off */
const Kernel sum_mean_max_kernels[] = {
  EACH_NUMBER(KERNELS)
  { .op = "mean", .types = ONE_TYPE(DT_BOOL), .run = reduce, .workspace = fold_workspace,
    .own = &(const FoldEntry)FOLD_ENTRY(mean, bool) },
  NORM_KERNEL(DT_FLOAT32, NORM_FLOATS(float))
  NORM_KERNEL(DT_FLOAT64, NORM_FLOATS(double))
  NORM_KERNEL(DT_INT32, NORM_FOLDS(int32_t))
  NORM_KERNEL(DT_INT64, NORM_FOLDS(int64_t))
  NORM_KERNEL(DT_INT8, NORM_FOLDS(int8_t))
  NORM_KERNEL(DT_UINT8, NORM_FOLDS(uint8_t))
  { 0 }
};
/* clang-format on */
