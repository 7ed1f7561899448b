/* variance.c - variance and standard deviation over axes: var, std, moments.
**
** The first pass computes the mean with the bits of `mean`. The second sums d = x - mean and d^2; the variance is (sum
** d^2 - (sum d)^2 / n) / (n - ddof). Subtracting (sum d)^2 / n corrects the rounding of the mean (T. Chan, G. Golub, R.
** LeVeque, "Algorithms for computing the sample variance", 1983), so that equal elements have variance 0. If a float32
** result is infinite or very small, its sums may have over- or underflowed, and it is recomputed in double. Loops and
** order of sums are those of sum_mean_max.c.
*/
#include <float.h>
#include <math.h>

#include "base/threads/parallel_for.h"
#include "base/math/tree_sum.h"
#include "kernels/loops/fold_order.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "ops/reduce/fold_outputs.h"
#include "ops/reduce/reduced_axes.h"

typedef struct MomentsParams { List axes; int64_t keepdims; } MomentsParams;
typedef struct VarianceParams { List axis; int64_t dtype, ddof, keepdims; } VarianceParams;   /* of var, std */

static ReduceParams moments_axes(const MomentsParams *p) {
  return (ReduceParams){ .axis = p->axes, .keepdims = p->keepdims };
}
static ReduceParams spread_axes(const VarianceParams *p) {
  return (ReduceParams){ .axis = p->axis, .keepdims = p->keepdims };
}

/* ---- Inference ---------------------------------------------------------------------------------------- */

static Status infer_kept(Infer *f, const char *param, ReduceParams p) {
  bool reduced[MAX_DIMS];
  if (f->in[0].shape.ndim < 0) return OK;
  TRY(reduced_axes(f->op->name, param, &p, f->in[0].shape.ndim, reduced));
  Shape s = reduced_shape(&f->in[0].shape, reduced, p.keepdims);
  for (int i = 0; i < f->n_out; i++) TRY(output_shape(f, i, &s));
  return OK;
}

static Status infer_moments(Infer *f) {
  TRY(one_float_dtype(f, 1, 2));
  return infer_kept(f, "axes", moments_axes(f->params));
}

/* As in NumPy the result for integers is float64. */
static Status infer_spread(Infer *f) {
  const VarianceParams *p = f->params;
  DType in = f->in[0].dtype, out = (DType)p->dtype;
  if (in == DT_FLOAT16 || in == DT_BOOL)
    return fail("data: expected dtype float32, float64 or an integer, got %s; convert with astype", dtype_name(in));
  if (out != DT_UNKNOWN && out != DT_FLOAT32 && out != DT_FLOAT64)
    return fail("dtype: expected float32 or float64, got %s", dtype_name(out));
  if (out == DT_UNKNOWN && in != DT_UNKNOWN) out = dtype_is_float(in) ? in : DT_FLOAT64;
  TRY(output_dtype(f, 0, out));
  return infer_kept(f, "axis", spread_axes(p));
}

/* ---- Kernels --------------------------------------------------------------------------------------------- */

typedef struct VarianceRun VarianceRun;

typedef struct VarianceKernels {
  void (*runs)(const VarianceRun *m, int64_t output);                            /* an output of contiguous runs */
  void (*rows)(const VarianceRun *m, int64_t outer, int64_t column, int64_t n);  /* n neighbouring outputs of rows */
  double (*sum)(const void *x, int64_t n);                                    /* of a contiguous run */
  void (*squares)(const void *x, int64_t n, double mean, double *parts);
  double (*rounded)(double mean);                                             /* the mean as in `squares` */
  void (*again)(const VarianceRun *m, int64_t at, const void *from);               /* one output in double */
  bool (*well)(double squares);                                               /* is the sum accurate? */
} VarianceKernels;

struct VarianceRun {
  FoldOrder walk;
  const VarianceKernels *kernels;
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
      TREE_JOIN_PARTS(deviations, group, block, n, first, end, rows, 0, TREE_ADD);                             \
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
      TREE_JOIN_PARTS(deviations, group, block, n, first, end, rows, 0, TREE_ADD);                             \
      TREE_JOIN_PARTS(squares, more, square, n, first, end, rows, 0, TREE_ADD);                                \
    }                                                                                                          \
    for (int64_t k = 0; k < n; k++)                                                                            \
      if (WELL(squares[k])) finish(m, at + k, (double)mean[k], deviations[k], squares[k]);                     \
      else name##_again(m, at + k, from + k);                                                                  \
  }
#define KERNELS(name, well) { name##_runs, name##_rows, name##_sum, name##_squares, name##_rounded, name##_again, well }

SPREAD_KERNELS(f32, float, float, well_float)
SPREAD_KERNELS(wide, float, double, well_double)
SPREAD_KERNELS(f64, double, double, well_double)
SPREAD_KERNELS(i32, int32_t, double, well_double)
SPREAD_KERNELS(i64, int64_t, double, well_double)
SPREAD_KERNELS(i8, int8_t, double, well_double)
SPREAD_KERNELS(u8, uint8_t, double, well_double)

/* clang-format off */
static const VarianceKernels kernels[N_DTYPES] = {
  [DT_FLOAT32] = KERNELS(f32, well_float), [DT_FLOAT64] = KERNELS(f64, well_double),
  [DT_INT32] = KERNELS(i32, well_double), [DT_INT64] = KERNELS(i64, well_double),
  [DT_INT8] = KERNELS(i8, well_double), [DT_UINT8] = KERNELS(u8, well_double) };
/* clang-format on */
static const VarianceKernels wide_kernels = KERNELS(wide, well_double);

/* ---- The run ------------------------------------------------------------------------------------------------ */

static void runs_piece(void *context, int64_t first, int64_t last) {
  const VarianceRun *m = context;
  for (int64_t at = first; at < last && !interrupted(); at++) m->kernels->runs(m, at);
}

static void rows_piece(void *context, int64_t first, int64_t last) {
  const VarianceRun *m = context;
  int64_t outer, column, n;
  for (int64_t c = first; c < last && !interrupted(); c++) {
    fold_columns(&m->walk, c, &outer, &column, &n);
    m->kernels->rows(m, outer, column, n);
  }
}

/* One output of one long run: threads sum its blocks, whose results are added in order. */
typedef struct VarianceBlocks { const VarianceRun *m; double mean, (*parts)[2]; } VarianceBlocks;

static void sums_piece(void *context, int64_t first, int64_t last) {
  const VarianceBlocks *b = context;
  for (int64_t i = first, n; i < last && !interrupted(); i++) {
    const char *from = block_at(&b->m->walk, i, &n);
    b->parts[i][0] = b->m->kernels->sum(from, n);
  }
}

static void squares_piece(void *context, int64_t first, int64_t last) {
  const VarianceBlocks *b = context;
  for (int64_t i = first, n; i < last && !interrupted(); i++) {
    const char *from = block_at(&b->m->walk, i, &n);
    b->parts[i][0] = b->parts[i][1] = 0;
    b->m->kernels->squares(from, n, b->mean, b->parts[i]);
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
  b.mean = m->kernels->rounded(groups_sum(&b, n, 0) / (double)m->walk.count);
  parallel_for(n, 32, squares_piece, &b);
  const double deviations = groups_sum(&b, n, 0), squares = groups_sum(&b, n, 1);
  if (m->kernels->well(squares)) finish(m, 0, b.mean, deviations, squares);
  else m->kernels->again(m, 0, m->walk.in);
}

static Status spread_run(Call *c, VarianceRun *m, const char *param, ReduceParams axes) {
  bool reduced[MAX_DIMS];
  TRY(reduced_axes(c->op->name, param, &axes, c->in[0]->type.shape.ndim, reduced));
  if (tensor_size(c->out[0]) == 0) return OK;
  walk_of(c->in[0], reduced, &m->walk);
  m->dtype = c->out[0]->type.dtype;
  DType from = c->in[0]->type.dtype;
  m->kernels = from == DT_FLOAT32 && m->dtype == DT_FLOAT64 ? &wide_kernels : &kernels[from];
  if (c->workspace && folds_blocks(&m->walk)) long_run(m, c->workspace);
  else fold_outputs(&m->walk, 1 << 14, runs_piece, rows_piece, m);
  return interrupt_status();
}

static Status moments_forward(Call *c) {
  VarianceRun m = { .mean = c->out[0]->data, .spread = c->out[1]->data };
  return spread_run(c, &m, "axes", moments_axes(c->params));
}

static Status spread_forward(Call *c, bool root) {
  const VarianceParams *p = c->params;
  VarianceRun m = { .spread = c->out[0]->data, .root = root, .ddof = p->ddof };
  return spread_run(c, &m, "axis", spread_axes(p));
}

static Status var_forward(Call *c) { return spread_forward(c, false); }
static Status std_forward(Call *c) { return spread_forward(c, true); }

static size_t spread_scratch(const Query *q) { return blocks_workspace(q, sizeof(double[2])); }

/* ---- Gradients ------------------------------------------------------------------------------------------------- */

/* factor * (x - mean) * g, with g repeated over the reduced axes. */
static Entry deviation_times(Builder *b, Entry x, Entry g, const ReduceParams *axes, const bool *reduced,
                             double factor) {
  ReduceParams kept = *axes;
  const Shape *in = &entry_type(x)->shape;
  kept.keepdims = true;
  Entry d = build_op(b, "broadcast_sub", NULL, 2, x, build_op(b, "mean", &kept, 1, x));
  return times(b, build_op(b, "elemwise_mul", NULL, 2, d, spread_over(b, g, in, reduced)), factor);
}

static int64_t folded(const Shape *in, const bool *reduced) {
  int64_t n = 1;
  for (int i = 0; i < in->ndim; i++)
    if (reduced[i]) n *= in->dim[i];
  return n;
}

static Status moments_grad(Gradient *d) {
  ReduceParams axes = moments_axes(gradient_params(d));
  Entry x = d->node->in[0], g = NO_ENTRY;
  const Shape *in = &entry_type(x)->shape;
  bool reduced[MAX_DIMS];
  TRY(reduced_axes("moments", "axes", &axes, in->ndim, reduced));
  int64_t n = folded(in, reduced);
  if (n == 0) return OK;
  if (d->out_grad[0].node) g = spread_over(d->b, times(d->b, d->out_grad[0], 1 / (double)n), in, reduced);
  if (d->out_grad[1].node) {
    Entry of_var = deviation_times(d->b, x, d->out_grad[1], &axes, reduced, 2 / (double)n);
    g = g.node ? build_sum(d->b, g, of_var) : of_var;
  }
  return only_gradient(d, g);
}

/* d var = 2 (x - mean) / (n - ddof) and d std = d var / (2 std). Where std is 0 it has a kink, and its gradient is 0,
** the mean of its slopes. */
static Status spread_grad(Gradient *d, bool root) {
  const VarianceParams *p = gradient_params(d);
  ReduceParams axes = spread_axes(p);
  Entry x = d->node->in[0], y = { d->node, 0 }, g = d->out_grad[0];
  const Type *type = entry_type(x);
  bool reduced[MAX_DIMS], wider = type->dtype != d->node->type[0].dtype;
  TRY(reduced_axes(d->node->op->name, "axis", &axes, type->shape.ndim, reduced));
  int64_t n = folded(&type->shape, reduced);
  if (root) {
    Entry safe = build_op(d->b, "elemwise_add", NULL, 2, y,
                          build_op(d->b, "_equal_scalar", &(ScalarParams){ 0 }, 1, y));
    g = build_op(d->b, "elemwise_div", NULL, 2, build_op(d->b, "_where_true", NULL, 2, y, g), safe);
  }
  if (wider) x = build_op(d->b, "Cast", &(DTypeParams){ d->node->type[0].dtype }, 1, x);
  g = deviation_times(d->b, x, g, &axes, reduced, (root ? 1 : 2) / (double)(n > p->ddof ? n - p->ddof : 0));
  return only_gradient(d, wider ? build_op(d->b, "Cast", &(DTypeParams){ type->dtype }, 1, g) : g);
}

static Status var_grad(Gradient *d) { return spread_grad(d, false); }
static Status std_grad(Gradient *d) { return spread_grad(d, true); }

/* ---- Rows --------------------------------------------------------------------------------------------------- */

#define SPREAD_PARAMS                                                                                  \
  "axis shape? None The axes to reduce; None or (): all.\n"                                           \
  "dtype dtype? None The result's element type, float32 or float64; None: data's, but float64 for integers.\n" \
  "ddof int 0 The divisor is the number of elements minus this.\n"           \
  "keepdims bool False Keep reduced axes, with dimension 1.\n"

#define SPREAD_ROW(title, text)                                                                 \
  { .name = #title, .aliases = "_npi_" #title, .doc = text, .inputs = "data",          \
    .example = "F." #title "(F.array{{1, 2, 4}, {4, 5, 9}}, {axis = 1})\n"                            \
               "F." #title "(F.array{{1, 2}, {3, 7}}, {axis = 0, ddof = 1, keepdims = true})\n"      \
               "F." #title "(F.array{{1, 2}, {3, 7}})",                                                \
    .params = SPREAD_PARAMS, .params_size = sizeof(VarianceParams), .infer = infer_spread,               \
    .forward = title##_forward, .workspace = spread_scratch, .grad = title##_grad }

/* clang-format off */
Op moments_ops[] = {
  { .name = "moments", .doc = "The mean over axes and the mean squared deviation from it: a table of both",
    .inputs = "data",
    .example = "F.moments(F.array{{1, 2, 3}, {4, 5, 6}}, {axes = {1}})[1]\n"
               "F.moments(F.array{{1, 2, 4}, {4, 5, 9}}, {axes = {0}, keepdims = true})[2]\n"
               "F.moments(F.array{{1, 2}, {3, 7}})[2]",
    .outputs = "mean var",
    .params = "axes shape? None The axes to reduce; None: all.\n"
              "keepdims bool False Keep reduced axes, with dimension 1.\n",
    .params_size = sizeof(MomentsParams), .flags = OP_NAMED_INPUT, .infer = infer_moments, .forward = moments_forward,
    .workspace = spread_scratch,
    .grad = moments_grad },
  SPREAD_ROW(var,
             "The variance over axes: the sum of squared deviations from the mean, divided by the number of elements "
             "minus ddof. It is 0 if all are equal, and NaN without elements"),
  SPREAD_ROW(std, "The standard deviation over axes: the square root of var. Its gradient is 0 where it is 0"),
  { 0 }
};
/* clang-format on */
