/* variance_kernels.c - var, std, moments.
**
** The first pass computes the mean with the bits of `mean`. The second sums d = x - mean and d^2; the variance is (sum
** d^2 - (sum d)^2 / n) / (n - ddof). Subtracting (sum d)^2 / n corrects the rounding of the mean (T. Chan, G. Golub, R.
** LeVeque, "Algorithms for computing the sample variance", 1983), so that equal elements have variance 0. If a float32
** result is infinite or very small, its sums may have over- or underflowed, and it is recomputed in double. Loops and
** order of sums are those of sum_mean_max_kernels.c.
*/
#include <float.h>
#include <math.h>

#include "base/threads/parallel_for.h"
#include "base/math/tree_sum.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/fold_order.h"
#include "kernels/reduce/fold_outputs.h"
#include "ops/reduce/reduced_axes.h"
#include "ops/reduce/variance.h"

typedef struct VarianceRun VarianceRun;

typedef struct VarianceLoops {
  void (*runs)(const VarianceRun *m, int64_t output);                            /* an output of contiguous runs */
  void (*rows)(const VarianceRun *m, int64_t outer, int64_t column, int64_t n);  /* n neighbouring outputs of rows */
  double (*sum)(const void *x, int64_t n);                                    /* of a contiguous run */
  void (*squares)(const void *x, int64_t n, double mean, double *parts);
  double (*rounded)(double mean);                                             /* the mean as in `squares` */
  void (*again)(const VarianceRun *m, int64_t at, const void *from);               /* one output in double */
  bool (*well)(double squares);                                               /* is the sum accurate? */
} VarianceLoops;

struct VarianceRun {
  FoldOrder walk;
  const VarianceLoops *loops;
  DType dtype;                /* of the outputs */
  int64_t ddof;
  bool root;
  void *mean, *spread;        /* outputs; mean may be NULL */
};

static void put(DType dtype, void *to, int64_t at, double value) {
  if (dtype == DT_FLOAT32) ((float *)to)[at] = (float)value;
  else ((double *)to)[at] = value;
}

static void finish(const VarianceRun *m, int64_t at, double mean, double deviations, double squares) {
  int64_t n = m->walk.count, left = n > m->ddof ? n - m->ddof : 0;
  double corrected = squares - (n > 0 ? deviations * deviations / (double)n : 0);
  double variance = (corrected < 0 ? 0 : corrected) / (double)left;
  if (m->mean) put(m->dtype, m->mean, at, mean);
  put(m->dtype, m->spread, at, m->root ? sqrt(variance) : variance);
}

/* Did the sums in float32 neither over- nor underflow? Sums in double are always used. */
static bool well_float(double squares) { return isfinite(squares) && squares > 1e-28; }
static bool well_double(double squares) {
  (void)squares;
  return true;
}

/* X: the element type, T: the type of the sums within a block. */
#define SPREAD_KERNELS(name, X, T, WELL)                                                                       \
  static double name##_sum(const void *from, int64_t n) {                                                      \
    const X *x = from;                                                                                         \
    double sum;                                                                                                \
    TREE_FOLD(sum, T, double, n, 0, TREE_ADD, x[i]);                                                           \
    return sum;                                                                                                \
  }                                                                                                            \
  static double name##_rounded(double mean) { return (double)(T)mean; }                                        \
  /* Reads block by block, so that an element is loaded from memory once for both sums. A run of several groups   \
  ** adds each group's sums to `parts`. */                                                                     \
  static void name##_squares(const void *from, int64_t n, double center, double *parts) {                      \
    const T mean = (T)center;                                                                                  \
    double group[2] = { 0, 0 };                                                                                \
    for (int64_t at = 0; at < n; at += TREE_BLOCK) {                                                           \
      const X *x = (const X *)from + at;                                                                       \
      const int64_t m = n - at < TREE_BLOCK ? n - at : TREE_BLOCK;                                             \
      double deviations, squares, *into = n > TREE_GROUP ? group : parts;                                      \
      TREE_FOLD(squares, T, double, m, 0, TREE_ADD, ((T)x[i] - mean) * ((T)x[i] - mean));                      \
      TREE_FOLD(deviations, T, double, m, 0, TREE_ADD, (T)x[i] - mean);                                        \
      TREE_JOIN_GROUP(parts[0], group[0], at, 0, TREE_ADD)                                                     \
      TREE_JOIN_GROUP(parts[1], group[1], at, 0, TREE_ADD)                                                     \
      into[0] += deviations;                                                                                   \
      into[1] += squares;                                                                                      \
    }                                                                                                          \
    if (n > TREE_GROUP) parts[0] += group[0], parts[1] += group[1];                                            \
  }                                                                                                            \
  /* Computes one output in double, element by element, starting at `begin`. */                                \
  static void name##_again(const VarianceRun *m, int64_t at, const void *begin) {                              \
    const FoldOrder *w = &m->walk;                                                                             \
    int64_t runs = walk_product(w->reduced, w->n_reduced), length = w->inner_reduced ? w->inner : 1;           \
    const X *from = begin;                                                                                     \
    double sum = 0, deviations = 0, squares = 0;                                                               \
    for (int64_t r = 0; r < runs && !interrupted(); r++) {                                                     \
      const X *x = from + walk_row(w, r);                                                                      \
      for (int64_t i = 0; i < length; i++) sum += (double)x[i];                                                \
    }                                                                                                          \
    const double mean = sum / (double)w->count;                                                                \
    for (int64_t r = 0; r < runs && !interrupted(); r++) {                                                     \
      const X *x = from + walk_row(w, r);                                                                      \
      for (int64_t i = 0; i < length; i++) {                                                                   \
        deviations += (double)x[i] - mean;                                                                     \
        squares += ((double)x[i] - mean) * ((double)x[i] - mean);                                              \
      }                                                                                                        \
    }                                                                                                          \
    finish(m, at, mean, deviations, squares);                                                                  \
  }                                                                                                            \
  static void name##_runs(const VarianceRun *m, int64_t at) {                                                  \
    const FoldOrder *w = &m->walk;                                                                             \
    const X *from = (const X *)w->in + walk_offset(at, w->n_kept, w->kept, w->kept_stride);                    \
    int64_t runs = walk_product(w->reduced, w->n_reduced);                                                     \
    double sum = 0, parts[2] = { 0, 0 };                                                                       \
    for (int64_t r = 0; r < runs; r++) sum += name##_sum(from + walk_row(w, r), w->inner);                     \
    const double mean = (double)(T)(sum / (double)w->count);                                                   \
    for (int64_t r = 0; r < runs; r++) name##_squares(from + walk_row(w, r), w->inner, mean, parts);           \
    if (WELL(parts[1])) finish(m, at, mean, parts[0], parts[1]);                                               \
    else name##_again(m, at, from);                                                                            \
  }                                                                                                            \
  static void name##_rows(const VarianceRun *m, int64_t outer, int64_t column, int64_t n) {                    \
    const FoldOrder *w = &m->walk;                                                                             \
    const X *from = (const X *)w->in + walk_offset(outer, w->n_kept, w->kept, w->kept_stride) + column;        \
    int64_t rows = walk_product(w->reduced, w->n_reduced), at = outer * w->inner + column;                     \
    double deviations[WALK_COLUMNS], squares[WALK_COLUMNS], group[WALK_COLUMNS], more[WALK_COLUMNS];           \
    T mean[WALK_COLUMNS], block[WALK_COLUMNS], square[WALK_COLUMNS];                                           \
    for (int64_t k = 0; k < n; k++) deviations[k] = squares[k] = 0;                                            \
    for (int64_t first = 0; first < rows; first += TREE_ROWS) {                                                \
      int64_t end = first + TREE_ROWS < rows ? first + TREE_ROWS : rows;                                       \
      for (int64_t k = 0; k < n; k++) block[k] = 0;                                                            \
      for (int64_t r = first; r < end; r++) {                                                                  \
        const X *x = from + walk_row(w, r);                                                                    \
        for (int64_t k = 0; k < n; k++) block[k] += (T)x[k];                                                   \
      }                                                                                                        \
      TREE_JOIN_PARTS(double, deviations, group, block, n, first, end, rows, 0, TREE_ADD);                     \
    }                                                                                                          \
    for (int64_t k = 0; k < n; k++) mean[k] = (T)(deviations[k] / (double)w->count), deviations[k] = 0;        \
    for (int64_t first = 0; first < rows; first += TREE_ROWS) {                                                \
      int64_t end = first + TREE_ROWS < rows ? first + TREE_ROWS : rows;                                       \
      for (int64_t k = 0; k < n; k++) block[k] = square[k] = 0;                                                \
      for (int64_t r = first; r < end; r++) {                                                                  \
        const X *x = from + walk_row(w, r);                                                                    \
        for (int64_t k = 0; k < n; k++) {                                                                      \
          const T d = (T)x[k] - mean[k];                                                                       \
          block[k] += d;                                                                                       \
          square[k] += d * d;                                                                                  \
        }                                                                                                      \
      }                                                                                                        \
      TREE_JOIN_PARTS(double, deviations, group, block, n, first, end, rows, 0, TREE_ADD);                     \
      TREE_JOIN_PARTS(double, squares, more, square, n, first, end, rows, 0, TREE_ADD);                        \
    }                                                                                                          \
    for (int64_t k = 0; k < n; k++)                                                                            \
      if (WELL(squares[k])) finish(m, at + k, (double)mean[k], deviations[k], squares[k]);                     \
      else name##_again(m, at + k, from + k);                                                                  \
  }
#define LOOPS(name, well) { name##_runs, name##_rows, name##_sum, name##_squares, name##_rounded, name##_again, well }

SPREAD_KERNELS(f32, float, float, well_float)
SPREAD_KERNELS(wide, float, double, well_double)
SPREAD_KERNELS(f64, double, double, well_double)
SPREAD_KERNELS(i32, int32_t, double, well_double)
SPREAD_KERNELS(i64, int64_t, double, well_double)
SPREAD_KERNELS(i8, int8_t, double, well_double)
SPREAD_KERNELS(u8, uint8_t, double, well_double)

static const VarianceLoops wide_loops = LOOPS(wide, well_double);

/* ---- The run ------------------------------------------------------------------------------------------------ */

static void runs_piece(void *context, int64_t first, int64_t last) {
  const VarianceRun *m = context;
  for (int64_t at = first; at < last && !interrupted(); at++) m->loops->runs(m, at);
}

static void rows_piece(void *context, int64_t first, int64_t last) {
  const VarianceRun *m = context;
  int64_t outer, column, n;
  for (int64_t c = first; c < last && !interrupted(); c++) {
    fold_columns(&m->walk, c, &outer, &column, &n);
    m->loops->rows(m, outer, column, n);
  }
}

/* One output of one long run: threads sum its blocks, whose results are added in order. */
typedef struct VarianceBlocks { const VarianceRun *m; double mean, (*parts)[2]; } VarianceBlocks;

static void sums_piece(void *context, int64_t first, int64_t last) {
  const VarianceBlocks *b = context;
  for (int64_t i = first, n; i < last && !interrupted(); i++) {
    const char *from = block_at(&b->m->walk, i, &n);
    b->parts[i][0] = b->m->loops->sum(from, n);
  }
}

static void squares_piece(void *context, int64_t first, int64_t last) {
  const VarianceBlocks *b = context;
  for (int64_t i = first, n; i < last && !interrupted(); i++) {
    const char *from = block_at(&b->m->walk, i, &n);
    b->parts[i][0] = b->parts[i][1] = 0;
    b->m->loops->squares(from, n, b->mean, b->parts[i]);
  }
}

/* The sum of part `which` of n blocks, by groups. */
static double groups_sum(const VarianceBlocks *b, int64_t n, int which) {
  double total = 0;
  for (int64_t i = 0; i < n;) {
    double group = 0;
    for (int64_t end = i + TREE_GROUP / TREE_BLOCK; i < end && i < n; i++) group += b->parts[i][which];
    total += group;
  }
  return total;
}

static void long_run(const VarianceRun *m, void *workspace) {
  VarianceBlocks b = { m, 0, workspace };
  int64_t n = block_count(m->walk.inner);
  parallel_for(n, 32, sums_piece, &b);
  b.mean = m->loops->rounded(groups_sum(&b, n, 0) / (double)m->walk.count);
  parallel_for(n, 32, squares_piece, &b);
  const double deviations = groups_sum(&b, n, 0), squares = groups_sum(&b, n, 1);
  if (m->loops->well(squares)) finish(m, 0, b.mean, deviations, squares);
  else m->loops->again(m, 0, m->walk.in);
}

static Status spread_run(Call *c, VarianceRun *m, const char *param, ReduceParams axes) {
  bool reduced[MAX_DIMS];
  TRY(reduced_axes(c->op->name, param, &axes, c->in[0]->type.shape.ndim, reduced));
  if (tensor_size(c->out[0]) == 0) return OK;
  walk_of(c->in[0], reduced, &m->walk);
  m->dtype = c->out[0]->type.dtype;
  const bool wide = c->in[0]->type.dtype == DT_FLOAT32 && m->dtype == DT_FLOAT64;
  m->loops = wide ? &wide_loops : c->kernel->own;
  if (c->workspace && folds_blocks(&m->walk)) long_run(m, c->workspace);
  else fold_outputs(&m->walk, 1 << 14, runs_piece, rows_piece, m);
  return interrupt_status();
}

static Status moments(Call *c) {
  VarianceRun m = { .mean = c->out[0]->data, .spread = c->out[1]->data };
  return spread_run(c, &m, "axes", moments_axes(c->params));
}

static Status spread(Call *c, bool root) {
  const VarianceParams *p = c->params;
  VarianceRun m = { .spread = c->out[0]->data, .root = root, .ddof = p->ddof };
  return spread_run(c, &m, "axis", spread_axes(p));
}

static Status var(Call *c) { return spread(c, false); }
static Status std(Call *c) { return spread(c, true); }

static Status spread_workspace(const Query *q, Workspace *w) {
  w->bytes = blocks_workspace(q, sizeof(double[2]));
  return OK;
}

#define KERNEL(row, function, code, name, well) \
  { .op = row,                                  \
    .types = ONE_TYPE(code),                    \
    .run = function,                            \
    .workspace = spread_workspace,              \
    BLOCK_SIZES(TREE_LANES, TREE_ROWS, WALK_COLUMNS, TREE_BLOCK), \
    .own = &(const VarianceLoops)LOOPS(name, well) }
#define SPREAD_KERNELS_OF(row, function)                        \
  KERNEL(row, function, DT_FLOAT32, f32, well_float),           \
  KERNEL(row, function, DT_FLOAT64, f64, well_double),          \
  KERNEL(row, function, DT_INT32, i32, well_double),            \
  KERNEL(row, function, DT_INT64, i64, well_double),            \
  KERNEL(row, function, DT_INT8, i8, well_double),              \
  KERNEL(row, function, DT_UINT8, u8, well_double)

const Kernel variance_kernels[] = {
  KERNEL("moments", moments, DT_FLOAT32, f32, well_float),
  KERNEL("moments", moments, DT_FLOAT64, f64, well_double),
  SPREAD_KERNELS_OF("var", var),
  SPREAD_KERNELS_OF("std", std),
  { 0 },
};
