/* batch_norm_kernels.c - BatchNorm, related operators and their gradients: data as (outer, channels, inner).
**
** A channel is summed run by run. A run, `inner` neighbouring elements, is summed in the order of base/math/tree_sum.h;
** the runs are summed in double. If the channels are neighbours, they are summed by blocks of rows, as in
** base/math/tree_sum.h. Several runs are folded together, because each addition waits for the previous one. Gradients
** need two sums; data's gradient is computed from both while the channel is cached.
*/
#include "kernels/loops/simd.h"            /* before base/math/scalar_functions.h */

#include <math.h>
#include <string.h>

#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/axis_blocks.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/nn/batch_norm.h"

/* One call. Forward computes out, mean and inverse (NULL if not requested) from x, gamma, beta and the moving
** statistics; the gradients are computed from g, x, gamma, mean and inverse. Vectors have one element per channel; a
** gamma of NULL is all ones. */
typedef struct BatchNorm {
  Along along;                   /* (outer, channels, inner); set by the call, like x */
  const void *g, *x, *gamma, *beta;
  void *out, *mean, *inverse, *moving_mean, *moving_var, *for_gamma, *for_beta;
  double eps, momentum;
  bool batch;                    /* compute the statistics and update the moving ones */
} BatchNorm;

/* ---- Sums ------------------------------------------------------------------------------------- */

/* The terms summed over a channel. */
typedef enum MomentTerm { ELEMENTS, SQUARES, PRODUCTS } MomentTerm;

/* The number of runs folded together: registers hold their sums. */
enum { RUNS = sizeof(lanes_f32) == 64 ? 4 : 2 };

/* Adds the term of an element, or of a vector of them, to `sum`. */
#define ADD_TERM(term, sum, g, x)                                                                     \
  do {                                                                                                \
    if ((term) == ELEMENTS) sum += (x);                                                               \
    else if ((term) == SQUARES) sum += ((x) - mean) * ((x) - mean);                                   \
    else sum += (g) * (((x) - mean) * inverse);                                                       \
  } while (0)

/* Folds blocks of `size` elements of g and x, `step` apart, like TREE_FOLD: sum[r] is the sum of block r's terms; with
** PRODUCTS, sum_g[r] is that of its g. The processor prefetches within a page, about one block, so the next blocks,
** `ahead` of these, are prefetched here. With SQUARES, x is cached; g, where the channel will be written, is
** prefetched. */
#define FOLD_BLOCKS(code, T, suffix)                                                                  \
  HL_INLINE void fetch_##suffix(MomentTerm term, const T *g, const T *x, int64_t ahead) {             \
    if (term == SQUARES) __builtin_prefetch(g, 1, 3);                                                 \
    else __builtin_prefetch(x + ahead, 0, 2);                                                         \
    if (term == PRODUCTS) __builtin_prefetch(g + ahead, 0, 2);                                        \
  }                                                                                                   \
  HL_INLINE T halves_##suffix(T *lane) {                                                              \
    _Pragma("GCC unroll 8") for (int l = 0; l < 8; l++) lane[l] += lane[l + 8];                       \
    _Pragma("GCC unroll 8") for (int l = 0; l < 4; l++) lane[l] += lane[l + 4];                       \
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);                                                 \
  }                                                                                                   \
  HL_INLINE void fold_blocks_##suffix(MomentTerm term, int blocks, const T *g, const T *x, int64_t step, int64_t size, \
                                      int64_t ahead, T mean, T inverse, T *sum, T *sum_g) {           \
    enum { VECTOR = LANES_BYTES / (int)sizeof(T), VECTORS = TREE_LANES / VECTOR, LINE = 64 };         \
    lanes_##suffix lane[RUNS][VECTORS] = { 0 }, lane_g[RUNS][VECTORS] = { 0 };                        \
    int64_t k = 0;                                                                                    \
    for (; k + TREE_LANES <= size; k += TREE_LANES)                                                   \
      _Pragma("GCC unroll 4") for (int r = 0; r < blocks; r++)                                        \
        _Pragma("GCC unroll 8") for (int v = 0; v < VECTORS; v++) {                                   \
          const int64_t at = r * step + k + v * VECTOR;                                               \
          const lanes_##suffix x_ = *(const lanes_##suffix *)(x + at);                                \
          const lanes_##suffix g_ = term == PRODUCTS ? *(const lanes_##suffix *)(g + at) : x_;        \
          ADD_TERM(term, lane[r][v], g_, x_);                                                         \
          if (term == PRODUCTS) lane_g[r][v] += g_;                                                   \
          if (v * LANES_BYTES % LINE == 0) fetch_##suffix(term, g + at, x + at, ahead);               \
        }                                                                                             \
    for (int r = 0; r < blocks; r++) {                                                                \
      T one[TREE_LANES], one_g[TREE_LANES];                                                           \
      memcpy(one, lane[r], sizeof one);                                                               \
      memcpy(one_g, lane_g[r], sizeof one_g);                                                         \
      for (int l = 0; k + l < size; l++) {                                                            \
        const int64_t at = r * step + k + l;                                                          \
        const T x_ = x[at], g_ = term == PRODUCTS ? g[at] : x_;                                       \
        ADD_TERM(term, one[l], g_, x_);                                                               \
        if (term == PRODUCTS) one_g[l] += g_;                                                         \
      }                                                                                               \
      sum[r] = halves_##suffix(one);                                                                  \
      if (term == PRODUCTS) sum_g[r] = halves_##suffix(one_g);                                        \
    }                                                                                                 \
  }                                                                                                   \
  /* The same for whole runs, in double, added to total. */                                           \
  HL_INLINE void fold_runs_##suffix(MomentTerm term, int runs, const T *g, const T *x, const Along *a, T mean, \
                                    T inverse, double *total, double *total_g) {                      \
    double run[RUNS] = { 0 }, run_g[RUNS] = { 0 }, group[RUNS] = { 0 }, group_g[RUNS] = { 0 };        \
    for (int64_t at = 0; at < a->inner; at += TREE_BLOCK) {                                           \
      const int64_t size = a->inner - at < TREE_BLOCK ? a->inner - at : TREE_BLOCK;                   \
      T sum[RUNS], sum_g[RUNS];                                                                       \
      const int64_t step = a->n * a->inner, ahead = at + size < a->inner ? size : RUNS * step - at;   \
      fold_blocks_##suffix(term, runs, g + at, x + at, step, size, ahead, mean, inverse, sum, sum_g); \
      for (int r = 0; r < runs; r++) {                                                                \
        TREE_JOIN_GROUP(run[r], group[r], at, 0, TREE_ADD)                                            \
        TREE_JOIN_GROUP(run_g[r], group_g[r], at, 0, TREE_ADD)                                        \
        group[r] += (double)sum[r];                                                                   \
        if (term == PRODUCTS) group_g[r] += (double)sum_g[r];                                         \
      }                                                                                               \
    }                                                                                                 \
    for (int r = 0; r < runs; r++) {                                                                  \
      *total += run[r] + group[r];                                                                    \
      if (term == PRODUCTS) *total_g += run_g[r] + group_g[r];                                        \
    }                                                                                                 \
  }                                                                                                   \
  /* The sum of a channel's terms; *total_g: of g, with PRODUCTS. */                                  \
  HL_INLINE double fold_channel_##suffix(MomentTerm term, const BatchNorm *n, int64_t c, T mean, T inverse, \
                                         double *total_g) {                                           \
    const Along *a = &n->along;                                                                       \
    const int64_t step = a->n * a->inner;                                                             \
    const T *x = (const T *)n->x + c * a->inner;                                                      \
    const T *g = term == ELEMENTS ? x : (const T *)(term == SQUARES ? n->out : n->g) + c * a->inner;  \
    double total = 0, sum_g = 0;                                                                      \
    int64_t o = 0;                                                                                    \
    for (; o + RUNS <= a->outer; o += RUNS)                                                           \
      fold_runs_##suffix(term, RUNS, g + o * step, x + o * step, a, mean, inverse, &total, &sum_g);   \
    for (; o < a->outer; o++)                                                                         \
      fold_runs_##suffix(term, 1, g + o * step, x + o * step, a, mean, inverse, &total, &sum_g);      \
    if (total_g) *total_g = sum_g;                                                                    \
    return total;                                                                                     \
  }
EACH_FLOAT(FOLD_BLOCKS)

/* ---- Channels --------------------------------------------------------------------------------- */

/* Executes `statement` for all elements of channel c. */
#define CHANNEL_EACH(n, c, statement)                                                                 \
  for (int64_t outer_ = 0; outer_ < (n)->along.outer; outer_++) {                                     \
    const int64_t first_ = (outer_ * (n)->along.n + (c)) * (n)->along.inner;                          \
    IVDEP                                                                                             \
    for (int64_t k = first_; k < first_ + (n)->along.inner; k++) { statement }                        \
  }

/* Executes `statement` for all elements (`at`) of `count` neighbouring channels (`k`), if inner is 1. */
#define CHANNELS_EACH(n, count, statement)                                                            \
  for (int64_t row_ = 0; row_ < (n)->along.outer; row_++) {                                           \
    const int64_t first_ = row_ * (n)->along.n;                                                       \
    IVDEP                                                                                             \
    for (int64_t k = 0; k < (count); k++) { const int64_t at = first_ + k; statement }                \
  }

static double elements(const BatchNorm *n) { return (double)n->along.outer * (double)n->along.inner; }

#define NORM(code, T, suffix)                                                                         \
  HL_INLINE T scale_##suffix(const BatchNorm *n, int64_t c, T inverse) {                              \
    return (n->gamma ? ((const T *)n->gamma)[c] : 1) * inverse;                                       \
  }                                                                                                   \
  /* Stores the requested statistics; returns the scale. */                                           \
  HL_INLINE T note_##suffix(const BatchNorm *n, int64_t c, T mean, T inverse) {                       \
    if (n->mean) ((T *)n->mean)[c] = mean;                                                            \
    if (n->inverse) ((T *)n->inverse)[c] = inverse;                                                   \
    return scale_##suffix(n, c, inverse);                                                             \
  }                                                                                                   \
  /* Updates moving statistics by `squares`, the sum of squared deviations; returns the scale. */     \
  static T settle_##suffix(const BatchNorm *n, int64_t c, T mean, double squares) {                   \
    T *moving_mean = n->moving_mean, *moving_var = n->moving_var;                                     \
    const T variance = (T)(squares / elements(n)), eps = (T)n->eps, keep = (T)n->momentum;            \
    if (elements(n) > 0) {                                                                            \
      moving_mean[c] = moving_mean[c] * keep + mean * (1 - keep);                                     \
      moving_var[c] = moving_var[c] * keep + variance * (1 - keep);                                   \
    }                                                                                                 \
    return note_##suffix(n, c, mean, variance + eps == 0 ? 0 : 1 / sqrt(variance + eps));             \
  }                                                                                                   \
  static T given_##suffix(const BatchNorm *n, int64_t c, T *mean) {                                   \
    *mean = ((const T *)n->moving_mean)[c];                                                           \
    return note_##suffix(n, c, *mean, 1 / sqrt(((const T *)n->moving_var)[c] + (T)n->eps));           \
  }                                                                                                   \
  static void channel_##suffix(const BatchNorm *n, int64_t c) {                                       \
    const T *x = n->x;                                                                                \
    T *out = n->out, mean, scale;                                                                     \
    const T beta = ((const T *)n->beta)[c];                                                           \
    if (n->batch) {                                                                                   \
      mean = (T)(fold_channel_##suffix(ELEMENTS, n, c, 0, 0, NULL) / elements(n));                    \
      scale = settle_##suffix(n, c, mean, fold_channel_##suffix(SQUARES, n, c, mean, 0, NULL));       \
    } else {                                                                                          \
      scale = given_##suffix(n, c, &mean);                                                            \
    }                                                                                                 \
    CHANNEL_EACH(n, c, out[k] = (x[k] - mean) * scale + beta;)                                        \
  }                                                                                                   \
  static void channels_##suffix(const BatchNorm *n, int64_t c, int64_t count) {                       \
    const T *x = (const T *)n->x + c, *beta = (const T *)n->beta + c;                                 \
    T *out = (T *)n->out + c, mean[ALONG_COLUMNS], scale[ALONG_COLUMNS];                              \
    double total[ALONG_COLUMNS];                                                                      \
    const int64_t rows = n->along.outer, inner = n->along.n;                                          \
    if (n->batch) {                                                                                   \
      COLUMN_SUMS(T, total, rows, count, x[at]);                                                      \
      for (int64_t k = 0; k < count; k++) mean[k] = (T)(total[k] / elements(n));                      \
      COLUMN_SUMS(T, total, rows, count, (x[at] - mean[k]) * (x[at] - mean[k]));                      \
      for (int64_t k = 0; k < count; k++) scale[k] = settle_##suffix(n, c + k, mean[k], total[k]);    \
    } else {                                                                                          \
      for (int64_t k = 0; k < count; k++) scale[k] = given_##suffix(n, c + k, &mean[k]);              \
    }                                                                                                 \
    CHANNELS_EACH(n, count, out[at] = (x[at] - mean[k]) * scale[k] + beta[k];)                        \
  }                                                                                                   \
  static void gamma_channel_##suffix(const BatchNorm *n, int64_t c) {                                 \
    const T mean = ((const T *)n->mean)[c], inverse = ((const T *)n->inverse)[c];                     \
    ((T *)n->for_gamma)[c] = (T)fold_channel_##suffix(PRODUCTS, n, c, mean, inverse, NULL);           \
  }                                                                                                   \
  static void gamma_channels_##suffix(const BatchNorm *n, int64_t c, int64_t count) {                 \
    const T *g = (const T *)n->g + c, *x = (const T *)n->x + c;                                       \
    const T *mean = (const T *)n->mean + c, *inverse = (const T *)n->inverse + c;                     \
    double total[ALONG_COLUMNS];                                                                      \
    const int64_t rows = n->along.outer, inner = n->along.n;                                          \
    COLUMN_SUMS(T, total, rows, count, g[at] * ((x[at] - mean[k]) * inverse[k]));                     \
    for (int64_t k = 0; k < count; k++) ((T *)n->for_gamma)[c + k] = (T)total[k];                     \
  }                                                                                                   \
  static void back_channel_##suffix(const BatchNorm *n, int64_t c) {                                  \
    const T *g = n->g, *x = n->x, mean = ((const T *)n->mean)[c], inverse = ((const T *)n->inverse)[c]; \
    const T scale = scale_##suffix(n, c, inverse), size = (T)elements(n);                             \
    double sum_g;                                                                                     \
    const T for_gamma = (T)fold_channel_##suffix(PRODUCTS, n, c, mean, inverse, &sum_g);              \
    const T for_beta = (T)sum_g, product = for_gamma / size, shift = for_beta / size;                 \
    T *out = n->out;                                                                                  \
    ((T *)n->for_gamma)[c] = for_gamma;                                                               \
    ((T *)n->for_beta)[c] = for_beta;                                                                 \
    CHANNEL_EACH(n, c, out[k] = (g[k] - shift - (x[k] - mean) * inverse * product) * scale;)          \
  }                                                                                                   \
  static void back_channels_##suffix(const BatchNorm *n, int64_t c, int64_t count) {                  \
    const T *g = (const T *)n->g + c, *x = (const T *)n->x + c;                                       \
    const T *mean = (const T *)n->mean + c, *inverse = (const T *)n->inverse + c, size = (T)elements(n); \
    T *out = (T *)n->out + c, product[ALONG_COLUMNS], shift[ALONG_COLUMNS], scale[ALONG_COLUMNS];     \
    T *for_gamma = (T *)n->for_gamma + c, *for_beta = (T *)n->for_beta + c;                           \
    double total[ALONG_COLUMNS];                                                                      \
    const int64_t rows = n->along.outer, inner = n->along.n;                                          \
    gamma_channels_##suffix(n, c, count);                                                             \
    COLUMN_SUMS(T, total, rows, count, g[at]);                                                        \
    for (int64_t k = 0; k < count; k++) {                                                             \
      for_beta[k] = (T)total[k];                                                                      \
      product[k] = for_gamma[k] / size;                                                               \
      shift[k] = for_beta[k] / size;                                                                  \
      scale[k] = scale_##suffix(n, c + k, inverse[k]);                                                \
    }                                                                                                 \
    CHANNELS_EACH(n, count,                                                                           \
                  out[at] = (g[at] - shift[k] - (x[at] - mean[k]) * inverse[k] * product[k]) * scale[k];) \
  }
EACH_FLOAT(NORM)

typedef void ByChannel(const BatchNorm *n, int64_t c);
typedef void ByChannels(const BatchNorm *n, int64_t c, int64_t count);
/* The column `own`: the loops in one dtype. */
typedef struct ChannelLoops { ByChannel *one; ByChannels *some; } ChannelLoops;
typedef struct ChannelWork { const BatchNorm *n; const ChannelLoops *loops; } ChannelWork;

static void run_channels(void *context, int64_t first, int64_t last) {
  const ChannelWork *w = context;
  for (int64_t c = first; c < last && !interrupted(); c++) w->loops->one(w->n, c);
}

static void run_blocks(void *context, int64_t first, int64_t last) {
  const ChannelWork *w = context;
  const int64_t all = w->n->along.n, end = last * ALONG_COLUMNS < all ? last * ALONG_COLUMNS : all;
  for (int64_t c = first * ALONG_COLUMNS; c < end && !interrupted(); c += ALONG_COLUMNS) {
    w->loops->some(w->n, c, end - c < ALONG_COLUMNS ? end - c : ALONG_COLUMNS);
  }
}

/* Runs the kernel's loops over the channels of x. */
static Status run_norm(Call *c, BatchNorm *n, const Tensor *x, int64_t axis) {
  enum { GRAIN = 1 << 14 };
  TRY(along_axis("BatchNorm", &x->type.shape, axis, &n->along));
  n->x = x->data;
  ChannelWork w = { n, c->kernel->own };
  const int64_t blocks = (n->along.n + ALONG_COLUMNS - 1) / ALONG_COLUMNS;
  if (n->along.inner == 1) parallel_for(blocks, GRAIN / (n->along.outer * ALONG_COLUMNS + 1) + 1, run_blocks, &w);
  else parallel_for(n->along.n, GRAIN / (n->along.outer * n->along.inner + 1) + 1, run_channels, &w);
  return interrupt_status();
}

/* ---- Kernels ---------------------------------------------------------------------------------- */

static Status batch_norm(Call *c) {
  const BatchNormParams *p = c->params;
  BatchNorm n = { .gamma = p->fix_gamma ? NULL : c->in[GAMMA]->data,
                  .beta = c->in[BETA]->data,
                  .moving_mean = c->in[MOVING_MEAN]->data,
                  .moving_var = c->in[MOVING_VAR]->data,
                  .out = c->out[0]->data,
                  .mean = c->out[1]->data,
                  .inverse = c->out[2]->data,
                  .eps = p->eps,
                  .momentum = p->momentum,
                  .batch = batch_norm_of_batch(p, c->train) };
  return run_norm(c, &n, c->in[DATA], batch_norm_axis(c->op, p));
}

static Status batch_norm_relu(Call *c) {
  TRY(batch_norm(c));
  const Tensor *const in[] = { c->out[0] };
  return elementwise_run(op_find("relu"), in, 1, c->out[0], NULL);
}

/* Inputs: g, data, mean, inverse. */
static Status backward_gamma(Call *c) {
  BatchNorm n = {
    .g = c->in[0]->data, .mean = c->in[2]->data, .inverse = c->in[3]->data, .for_gamma = c->out[0]->data
  };
  return run_norm(c, &n, c->in[1], ((const BatchNormGradParams *)c->params)->axis);
}

/* Inputs: g, data, gamma, mean, inverse. */
static Status backward(Call *c) {
  BatchNorm n = { .g = c->in[0]->data,
                  .gamma = c->in[2]->data,
                  .mean = c->in[3]->data,
                  .inverse = c->in[4]->data,
                  .out = c->out[0]->data,
                  .for_gamma = c->out[1]->data,
                  .for_beta = c->out[2]->data };
  return run_norm(c, &n, c->in[1], ((const BatchNormGradParams *)c->params)->axis);
}

#define NORM_KERNEL(row, code, function, which, suffix)                                               \
  { .op = row, .types = ONE_TYPE(code), .run = function,                                              \
    .own = &(const ChannelLoops){ which##channel_##suffix, which##channels_##suffix } }
#define NORM_KERNELS(row, function, which)                                                            \
  NORM_KERNEL(row, DT_FLOAT32, function, which, f32), NORM_KERNEL(row, DT_FLOAT64, function, which, f64)

/* clang-format off */
const Kernel batch_norm_kernels[] = {
  NORM_KERNELS("BatchNorm", batch_norm, ),
  NORM_KERNELS("_contrib_BatchNormWithReLU", batch_norm_relu, ),
  NORM_KERNELS("_contrib_SyncBatchNorm", batch_norm, ),
  NORM_KERNELS("BatchNorm_v1", batch_norm, ),
  NORM_KERNELS("_backward_batch_norm", backward, back_),
  NORM_KERNELS("_backward_batch_norm_gamma", backward_gamma, gamma_),
  { 0 }
};
/* clang-format on */
