/* batch_norm.c - BatchNorm and its like: each channel's mean and variance over a batch, and their moving averages.
**
** Data is seen as (outer, channels, inner). In training the statistics are those of the batch, and the two states
** move towards them, once a call; else the states are the statistics, and nothing is written. Sums over a channel
** go run by run: a run, its `inner` neighbouring elements, in the order of base/math/tree_sum.h, and the runs in double; where
** the channels are neighbours themselves, by blocks of rows, as base/math/tree_sum.h has it. An addition waits for the one
** before it, so some runs are folded at once.
** One row gives the gradients of data, gamma and beta: two sums, and data's is made of both while the channel is in
** cache. They use the mean and the inverse deviation of forward; differentiated again, they become simple operators
** that compute both anew from data.
*/
#include <math.h>
#include <string.h>

#include "kernels/loops/simd.h"            /* before base/math/scalar_functions.h */
#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/loops/axis_blocks.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

typedef struct BatchNormParams {
  double eps, momentum;
  int64_t fix_gamma, use_global_stats, output_mean_var, axis, cudnn_off;
  double min_calib_range, max_calib_range;
} BatchNormParams;

/* The same up to output_mean_var, which is all that some columns read. */
typedef struct SyncBatchNormParams {
  double eps, momentum;
  int64_t fix_gamma, use_global_stats, output_mean_var, ndev;
  const char *key;
} SyncBatchNormParams;

/* Of the gradients' rows. batch: the statistics are those of data. */
typedef struct BatchNormGradParams { int64_t axis; double eps; int64_t batch; } BatchNormGradParams;

enum { DATA, GAMMA, BETA, MOVING_MEAN, MOVING_VAR, N_INPUTS };

/* Are the statistics those of the batch? Then the states move. */
static bool of_batch(const BatchNormParams *p, bool train) { return train && !p->use_global_stats; }

static unsigned batch_norm_effects(const Query *q) { return of_batch(q->params, q->train) ? WRITES : 0; }
static bool is_moving(const Query *q, int input) { (void)q; return input >= MOVING_MEAN; }
static bool is_statistic(const Query *q, int output) {
  return output > 0 && q->no_gradient && !((const BatchNormParams *)q->params)->output_mean_var;
}
static int batch_norm_visible(const Query *q) { return ((const BatchNormParams *)q->params)->output_mean_var ? 3 : 1; }

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status infer_with(Infer *f, const BatchNormParams *p) {
  const Shape *data = &f->in[DATA].shape;
  int axis;
  if (!(p->eps >= 0)) return fail("eps: expected 0 or more, got %g", p->eps);
  TRY(one_float_dtype(f, N_INPUTS, 3));
  TRY(least_dims(f, DATA, 1));
  TRY(one_shape(f, DATA, 0));
  if (data->ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "axis", p->axis, data->ndim, &axis));
  Shape channels = { 1, { data->dim[axis] } };
  for (int i = GAMMA; i < N_INPUTS; i++) TRY(input_shape(f, i, &channels));
  for (int i = 1; i < 3; i++) TRY(output_shape(f, i, &channels));
  return OK;
}

static Status infer_batch_norm(Infer *f) { return infer_with(f, f->params); }

/* (g, data, a number for each channel, ...) give data's gradient and two numbers for each channel. */
static Status infer_backward(Infer *f) {
  TRY(one_float_dtype(f, f->n_in, 3));
  for (int i = 0; i < 2; i++) TRY(one_shape(f, i, 0));
  for (int i = 1; i < 3; i++) TRY(output_shape(f, i, &f->in[2].shape));
  return OK;
}

static Status infer_backward_gamma(Infer *f) {
  TRY(one_float_dtype(f, f->n_in, 1));
  return output_shape(f, 0, &f->in[2].shape);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

/* One run: forward (out, mean, inverse from x, gamma, beta and the states), backward as each row says. Vectors of one
** element a channel; gamma NULL: ones. */
typedef struct Norm {
  Along along;                   /* (outer, channels, inner) */
  const void *g, *x, *gamma, *beta;
  void *out, *mean, *inverse, *moving_mean, *moving_var, *for_gamma, *for_beta;
  double eps, momentum;
  bool batch;                    /* the statistics are computed, and the states moved */
} Norm;

/* What is added up over a channel. */
typedef enum MomentTerm { ELEMENTS, SQUARES, PRODUCTS } MomentTerm;

/* So many runs are folded at once, as registers hold the sums of. */
enum { RUNS = sizeof(lanes_f32) == 64 ? 4 : 2 };

/* `sum` with the term of an element, or of a vector of them, added. */
#define ADD_TERM(term, sum, g, x)                                                                     \
  do {                                                                                                \
    if ((term) == ELEMENTS) sum += (x);                                                               \
    else if ((term) == SQUARES) sum += ((x) - mean) * ((x) - mean);                                   \
    else sum += (g) * (((x) - mean) * inverse);                                                       \
  } while (0)

/* Of blocks of `size` elements, `step` apart, of g and x: sum[r] = block r's sum of terms, and of g beside PRODUCTS in
** sum_g[r], as TREE_FOLD does it. Beside SQUARES g is where the channel will be written.
** The processor fetches ahead within a page, which is a block or so; so the next blocks are asked for, which begin
** `ahead` of these. With SQUARES, which read from cache, it is what will be written over. */
#define FOLD_BLOCKS(code, T, suffix)                                                                  \
  HL_INLINE void fetch_##suffix(MomentTerm term, const T *g, const T *x, int64_t ahead) {                   \
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
  /* The same of whole runs, in double, added to total. */                                            \
  HL_INLINE void fold_runs_##suffix(MomentTerm term, int runs, const T *g, const T *x, const Along *a, T mean, T inverse, \
                                    double *total, double *total_g) {                                 \
    double run[RUNS] = { 0 }, run_g[RUNS] = { 0 };                                                    \
    for (int64_t at = 0; at < a->inner; at += TREE_BLOCK) {                                           \
      const int64_t size = a->inner - at < TREE_BLOCK ? a->inner - at : TREE_BLOCK;                   \
      T sum[RUNS], sum_g[RUNS];                                                                       \
      const int64_t step = a->n * a->inner, ahead = at + size < a->inner ? size : RUNS * step - at;   \
      fold_blocks_##suffix(term, runs, g + at, x + at, step, size, ahead, mean, inverse, sum, sum_g); \
      for (int r = 0; r < runs; r++) {                                                                \
        run[r] += (double)sum[r];                                                                     \
        if (term == PRODUCTS) run_g[r] += (double)sum_g[r];                                           \
      }                                                                                               \
    }                                                                                                 \
    for (int r = 0; r < runs; r++) {                                                                  \
      *total += run[r];                                                                               \
      if (term == PRODUCTS) *total_g += run_g[r];                                                     \
    }                                                                                                 \
  }                                                                                                   \
  /* The sum of a channel's terms; *total_g: of g, beside PRODUCTS. */                                \
  HL_INLINE double fold_channel_##suffix(MomentTerm term, const Norm *n, int64_t c, T mean, T inverse, double *total_g) { \
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

/* `statement` for all elements of channel c. */
#define CHANNEL_EACH(n, c, statement)                                                                 \
  for (int64_t outer_ = 0; outer_ < (n)->along.outer; outer_++) {                                     \
    const int64_t first_ = (outer_ * (n)->along.n + (c)) * (n)->along.inner;                          \
    IVDEP                                                                                             \
    for (int64_t k = first_; k < first_ + (n)->along.inner; k++) { statement }                        \
  }

/* total[j] = the same for `count` channels from c on, which are neighbours (inner is 1); j is the channel's. */
#define CHANNELS_SUM(T, total, n, c, count, element)                                                  \
  do {                                                                                                \
    for (int64_t j = 0; j < (count); j++) total[j] = 0;                                               \
    for (int64_t from_ = 0; from_ < (n)->along.outer; from_ += TREE_ROWS) {                          \
      const int64_t rest_ = (n)->along.outer - from_, end_ = from_ + (rest_ < TREE_ROWS ? rest_ : TREE_ROWS); \
      T block_[ALONG_COLUMNS];                                                                        \
      for (int64_t j = 0; j < (count); j++) block_[j] = 0;                                            \
      for (int64_t row_ = from_; row_ < end_; row_++) {                                               \
        const int64_t first_ = row_ * (n)->along.n + (c);                                             \
        for (int64_t j = 0; j < (count); j++) { const int64_t k = first_ + j; block_[j] += (element); } \
      }                                                                                               \
      for (int64_t j = 0; j < (count); j++) total[j] += (double)block_[j];                            \
    }                                                                                                 \
  } while (0)

#define CHANNELS_EACH(n, c, count, statement)                                                         \
  for (int64_t row_ = 0; row_ < (n)->along.outer; row_++) {                                           \
    const int64_t first_ = row_ * (n)->along.n + (c);                                                 \
    IVDEP                                                                                             \
    for (int64_t j = 0; j < (count); j++) { const int64_t k = first_ + j; statement }                 \
  }

static double elements(const Norm *n) { return (double)n->along.outer * (double)n->along.inner; }

#define NORM(code, T, suffix)                                                                         \
  HL_INLINE T scale_##suffix(const Norm *n, int64_t c, T inverse) {                                   \
    return (n->gamma ? ((const T *)n->gamma)[c] : 1) * inverse;                                       \
  }                                                                                                   \
  /* Notes the statistics where they are wanted -> the scale. */                                      \
  HL_INLINE T note_##suffix(const Norm *n, int64_t c, T mean, T inverse) {                            \
    if (n->mean) ((T *)n->mean)[c] = mean;                                                            \
    if (n->inverse) ((T *)n->inverse)[c] = inverse;                                                   \
    return scale_##suffix(n, c, inverse);                                                             \
  }                                                                                                   \
  /* The batch's statistics, where deviations from the mean have this sum of squares: the states move -> the scale. */ \
  static T settle_##suffix(const Norm *n, int64_t c, T mean, double squares) {                        \
    T *moving_mean = n->moving_mean, *moving_var = n->moving_var;                                     \
    const T variance = (T)(squares / elements(n)), eps = (T)n->eps, keep = (T)n->momentum;            \
    if (elements(n) > 0) {                                                                            \
      moving_mean[c] = moving_mean[c] * keep + mean * (1 - keep);                                     \
      moving_var[c] = moving_var[c] * keep + variance * (1 - keep);                                   \
    }                                                                                                 \
    return note_##suffix(n, c, mean, variance + eps == 0 ? 0 : 1 / sqrt(variance + eps));             \
  }                                                                                                   \
  static T given_##suffix(const Norm *n, int64_t c, T *mean) {                                        \
    *mean = ((const T *)n->moving_mean)[c];                                                           \
    return note_##suffix(n, c, *mean, 1 / sqrt(((const T *)n->moving_var)[c] + (T)n->eps));           \
  }                                                                                                   \
  static void channel_##suffix(const Norm *n, int64_t c) {                                            \
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
  static void channels_##suffix(const Norm *n, int64_t c, int64_t count) {                            \
    const T *x = n->x, *beta = (const T *)n->beta + c;                                                \
    T *out = n->out, mean[ALONG_COLUMNS], scale[ALONG_COLUMNS];                                       \
    double total[ALONG_COLUMNS];                                                                      \
    if (n->batch) {                                                                                   \
      CHANNELS_SUM(T, total, n, c, count, x[k]);                                                      \
      for (int64_t j = 0; j < count; j++) mean[j] = (T)(total[j] / elements(n));                      \
      CHANNELS_SUM(T, total, n, c, count, (x[k] - mean[j]) * (x[k] - mean[j]));                       \
      for (int64_t j = 0; j < count; j++) scale[j] = settle_##suffix(n, c + j, mean[j], total[j]);    \
    } else {                                                                                          \
      for (int64_t j = 0; j < count; j++) scale[j] = given_##suffix(n, c + j, &mean[j]);              \
    }                                                                                                 \
    CHANNELS_EACH(n, c, count, out[k] = (x[k] - mean[j]) * scale[j] + beta[j];)                       \
  }                                                                                                   \
  static void gamma_channel_##suffix(const Norm *n, int64_t c) {                                      \
    const T mean = ((const T *)n->mean)[c], inverse = ((const T *)n->inverse)[c];                     \
    ((T *)n->for_gamma)[c] = (T)fold_channel_##suffix(PRODUCTS, n, c, mean, inverse, NULL);           \
  }                                                                                                   \
  static void gamma_channels_##suffix(const Norm *n, int64_t c, int64_t count) {                      \
    const T *g = n->g, *x = n->x, *mean = (const T *)n->mean + c, *inverse = (const T *)n->inverse + c; \
    double total[ALONG_COLUMNS];                                                                      \
    CHANNELS_SUM(T, total, n, c, count, g[k] * ((x[k] - mean[j]) * inverse[j]));                      \
    for (int64_t j = 0; j < count; j++) ((T *)n->for_gamma)[c + j] = (T)total[j];                     \
  }                                                                                                   \
  static void back_channel_##suffix(const Norm *n, int64_t c) {                                       \
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
  static void back_channels_##suffix(const Norm *n, int64_t c, int64_t count) {                       \
    const T *g = n->g, *x = n->x, *mean = (const T *)n->mean + c, *inverse = (const T *)n->inverse + c; \
    const T size = (T)elements(n);                                                                    \
    T *out = n->out, product[ALONG_COLUMNS], shift[ALONG_COLUMNS], scale[ALONG_COLUMNS];              \
    T *for_gamma = (T *)n->for_gamma + c, *for_beta = (T *)n->for_beta + c;                           \
    double total[ALONG_COLUMNS];                                                                      \
    gamma_channels_##suffix(n, c, count);                                                             \
    CHANNELS_SUM(T, total, n, c, count, g[k]);                                                        \
    for (int64_t j = 0; j < count; j++) {                                                             \
      for_beta[j] = (T)total[j];                                                                      \
      product[j] = for_gamma[j] / size;                                                               \
      shift[j] = for_beta[j] / size;                                                                  \
      scale[j] = scale_##suffix(n, c + j, inverse[j]);                                                \
    }                                                                                                 \
    CHANNELS_EACH(n, c, count, out[k] = (g[k] - shift[j] - (x[k] - mean[j]) * inverse[j] * product[j]) * scale[j];) \
  }
EACH_FLOAT(NORM)

typedef void ByChannel(const Norm *n, int64_t c);
typedef void ByChannels(const Norm *n, int64_t c, int64_t count);
typedef struct ChannelWork { const Norm *n; ByChannel *one; ByChannels *some; } ChannelWork;

static void run_channels(void *context, int64_t first, int64_t last) {
  const ChannelWork *w = context;
  for (int64_t c = first; c < last && !interrupted(); c++) w->one(w->n, c);
}

static void run_blocks(void *context, int64_t first, int64_t last) {
  const ChannelWork *w = context;
  const int64_t all = w->n->along.n, end = last * ALONG_COLUMNS < all ? last * ALONG_COLUMNS : all;
  for (int64_t c = first * ALONG_COLUMNS; c < end && !interrupted(); c += ALONG_COLUMNS) {
    w->some(w->n, c, end - c < ALONG_COLUMNS ? end - c : ALONG_COLUMNS);
  }
}

static Status run_norm(const Shape *data, int64_t axis, Norm *n, ByChannel *one, ByChannels *some) {
  enum { GRAIN = 1 << 14 };
  TRY(along_axis("BatchNorm", data, axis, &n->along));
  ChannelWork w = { n, one, some };
  const int64_t blocks = (n->along.n + ALONG_COLUMNS - 1) / ALONG_COLUMNS;
  if (n->along.inner == 1) parallel_for(blocks, GRAIN / (n->along.outer * ALONG_COLUMNS + 1) + 1, run_blocks, &w);
  else parallel_for(n->along.n, GRAIN / (n->along.outer * n->along.inner + 1) + 1, run_channels, &w);
  return interrupt_status();
}

#define RUN(x, axis, n, which)                                                                        \
  ((x)->type.dtype == DT_FLOAT64                                                                      \
     ? run_norm(&(x)->type.shape, axis, n, which##channel_f64, which##channels_f64)                   \
     : run_norm(&(x)->type.shape, axis, n, which##channel_f32, which##channels_f32))

static Status forward_with(Call *c, const BatchNormParams *p) {
  const Tensor *x = c->in[DATA];
  Norm n = { .x = x->data, .gamma = p->fix_gamma ? NULL : c->in[GAMMA]->data, .beta = c->in[BETA]->data,
             .moving_mean = c->in[MOVING_MEAN]->data, .moving_var = c->in[MOVING_VAR]->data,
             .out = c->out[0]->data, .mean = c->out[1]->data, .inverse = c->out[2]->data,
             .eps = p->eps, .momentum = p->momentum, .batch = of_batch(p, c->train) };
  return RUN(x, p->axis, &n, );
}

static Status batch_norm_forward(Call *c) { return forward_with(c, c->params); }

/* (g, data, mean, inverse) */
static Status backward_gamma_forward(Call *c) {
  Norm n = { .g = c->in[0]->data, .x = c->in[1]->data, .mean = c->in[2]->data, .inverse = c->in[3]->data,
             .for_gamma = c->out[0]->data };
  return RUN(c->in[1], ((const BatchNormGradParams *)c->params)->axis, &n, gamma_);
}

/* (g, data, gamma, mean, inverse) */
static Status backward_forward(Call *c) {
  Norm n = { .g = c->in[0]->data, .x = c->in[1]->data, .gamma = c->in[2]->data, .mean = c->in[3]->data,
             .inverse = c->in[4]->data,
             .out = c->out[0]->data, .for_gamma = c->out[1]->data, .for_beta = c->out[2]->data };
  return RUN(c->in[1], ((const BatchNormGradParams *)c->params)->axis, &n, back_);
}

/* Two for the mean and its difference, two for the variance, two for what is made of them. */
static double batch_norm_flops(const Query *q) {
  return (of_batch(q->params, q->train) ? 6 : 3) * (double)shape_size(&query_in(q, DATA)->shape);
}

static double backward_flops(const Query *q) { return 10 * (double)shape_size(&query_in(q, 1)->shape); }
static double backward_gamma_flops(const Query *q) { return 4 * (double)shape_size(&query_in(q, 1)->shape); }

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Entry mul(Builder *b, Entry x, Entry y) { return build_op(b, "broadcast_mul", NULL, 2, x, y); }
static Entry sub(Builder *b, Entry x, Entry y) { return build_op(b, "broadcast_sub", NULL, 2, x, y); }

static int axis_in(int64_t axis, const Shape *data) { return (int)(axis < 0 ? axis + data->ndim : axis); }

/* A vector of one element a channel, in a shape that broadcasts to data's. */
static Entry spread(Builder *b, Entry e, int64_t axis, const Shape *data) {
  Shape s = { .ndim = data->ndim };
  for (int i = 0; i < s.ndim; i++) s.dim[i] = i == axis_in(axis, data) ? data->dim[i] : 1;
  return reshape_to(b, e, &s);
}

/* The sum, or mean, over each channel. */
static Entry over_channels(Builder *b, const char *op, Entry e, int64_t axis, bool keepdims) {
  ReduceParams p = { .axis = { .count = 1, .u.i = { axis } }, .keepdims = keepdims, .exclude = true };
  return build_op(b, op, &p, 1, e);
}

static Status grad_with(Gradient *d, const BatchNormParams *p) {
  const Entry *in = d->node->in, g = d->out_grad[0], mean = { d->node, 1 }, inverse = { d->node, 2 };
  const Shape *data = &entry_type(in[DATA])->shape;
  BatchNormGradParams q = { p->axis, p->eps, of_batch(p, d->node->train) };
  Builder *b = d->b;
  if (!g.node) return OK;                                /* no gradient passes through the statistics */
  Entry gamma = p->fix_gamma ? build_ones_like(b, in[GAMMA]) : in[GAMMA];
  Entry for_gamma = NO_ENTRY, for_beta = NO_ENTRY;
  if (d->wanted[DATA] && q.batch) {
    const Entry all = build_op(b, "_backward_batch_norm", &q, 5, g, in[DATA], gamma, mean, inverse);
    d->in_grad[DATA] = all;
    for_gamma = entry_output(all, 1);
    for_beta = entry_output(all, 2);
  } else {
    if (d->wanted[DATA]) d->in_grad[DATA] = mul(b, g, spread(b, mul(b, gamma, inverse), p->axis, data));
    if (d->wanted[GAMMA] && !p->fix_gamma)
      for_gamma = build_op(b, "_backward_batch_norm_gamma", &q, 4, g, in[DATA], mean, inverse);
    if (d->wanted[BETA]) for_beta = over_channels(b, "sum", g, p->axis, false);
  }
  if (d->wanted[GAMMA]) d->in_grad[GAMMA] = p->fix_gamma ? build_zeros_like(b, in[GAMMA]) : for_gamma;
  if (d->wanted[BETA]) d->in_grad[BETA] = for_beta;
  return b->status;
}

static Status batch_norm_grad(Gradient *d) {
  return grad_with(d, (const BatchNormParams *)d->node->params->fields);
}

/* data normalized, and 1 / deviation, out of simple operators. */
static Entry normalized(Builder *b, const BatchNormGradParams *p, Entry x, Entry *inverse) {
  Entry centred = sub(b, x, over_channels(b, "mean", x, p->axis, true));
  Entry variance = over_channels(b, "mean", build_op(b, "square", NULL, 1, centred), p->axis, true);
  *inverse = build_op(b, "rsqrt", NULL, 1, plus(b, variance, p->eps));
  return mul(b, centred, *inverse);
}

static Entry backward_gamma_expand(Builder *b, Node *n) {
  const BatchNormGradParams *p = (const BatchNormGradParams *)n->params->fields;
  const Shape *data = &entry_type(n->in[1])->shape;
  Entry inverse, x;
  if (p->batch) x = normalized(b, p, n->in[1], &inverse);
  else x = mul(b, sub(b, n->in[1], spread(b, n->in[2], p->axis, data)), spread(b, n->in[3], p->axis, data));
  return over_channels(b, "sum", mul(b, n->in[0], x), p->axis, false);
}

/* A mean as the kernel has it, which is given the sum. */
static Entry sum_over_size(Builder *b, Entry e, int64_t axis) {
  if (b->status != OK) return NO_ENTRY;
  const Shape *s = &entry_type(e)->shape;
  Entry sum = over_channels(b, "sum", e, axis, true);
  if (b->status != OK) return NO_ENTRY;
  const double size = (double)shape_size(s) / (double)shape_size(&entry_type(sum)->shape);
  return build_op(b, "_div_scalar", &(ScalarParams){ size }, 1, sum);
}

static void backward_expand(Builder *b, Node *n, Entry *out) {
  const BatchNormGradParams *p = (const BatchNormGradParams *)n->params->fields;
  const Entry g = n->in[0];
  Entry inverse, x = normalized(b, p, n->in[1], &inverse), product = mul(b, g, x);
  Entry part = mul(b, x, sum_over_size(b, product, p->axis));
  Entry inner = sub(b, sub(b, g, sum_over_size(b, g, p->axis)), part);
  out[0] = mul(b, inner, mul(b, inverse, spread(b, n->in[2], p->axis, &entry_type(n->in[1])->shape)));
  out[1] = over_channels(b, "sum", product, p->axis, false);
  out[2] = over_channels(b, "sum", g, p->axis, false);
}

/* ---- Taken apart, to fuse -------------------------------------------------------------------------------------- */

/* The kernel's last step as operators. */
static Entry apply(Builder *b, const BatchNormParams *p, const Node *n, Entry mean, Entry inverse) {
  const Shape *data = &n->type[0].shape;
  Entry scale = p->fix_gamma ? inverse : mul(b, n->in[GAMMA], inverse);
  Entry centred = sub(b, n->in[DATA], spread(b, mean, p->axis, data));
  Entry scaled = mul(b, centred, spread(b, scale, p->axis, data));
  return build_op(b, "broadcast_add", NULL, 2, scaled, spread(b, n->in[BETA], p->axis, data));
}

/* With given statistics all its steps are. */
static void lower_with(Lowering *l, const BatchNormParams *p) {
  const Entry *in = l->node->in;
  Builder *b = l->b;
  if (of_batch(p, l->node->train) || !(l->followed || l->forced)) return;
  l->out[2] = build_op(b, "reciprocal", NULL, 1, build_op(b, "sqrt", NULL, 1, plus(b, in[MOVING_VAR], p->eps)));
  l->out[1] = in[MOVING_MEAN];
  l->out[0] = apply(b, p, l->node, l->out[1], l->out[2]);
}

/* With the statistics of the batch, which are its other outputs. */
static Entry batch_norm_again(Builder *b, Node *n) {
  return apply(b, (const BatchNormParams *)n->params->fields, n, (Entry){ n, 1 }, (Entry){ n, 2 });
}

static void batch_norm_lower(Lowering *l) { lower_with(l, (const BatchNormParams *)l->node->params->fields); }

/* ---- Along axis 1, for several devices --------------------------------------------------------------------------- */

static BatchNormParams of_sync(const void *params) {
  const SyncBatchNormParams *p = params;
  return (BatchNormParams){ .eps = p->eps, .momentum = p->momentum, .fix_gamma = p->fix_gamma,
                            .use_global_stats = p->use_global_stats, .output_mean_var = p->output_mean_var, .axis = 1 };
}

static Status infer_sync(Infer *f) {
  const BatchNormParams p = of_sync(f->params);
  return infer_with(f, &p);
}

static Status sync_forward(Call *c) {
  const BatchNormParams p = of_sync(c->params);
  return forward_with(c, &p);
}

static Status sync_grad(Gradient *d) {
  const BatchNormParams p = of_sync(d->node->params->fields);
  return grad_with(d, &p);
}

static Entry sync_again(Builder *b, Node *n) {
  const BatchNormParams p = of_sync(n->params->fields);
  return apply(b, &p, n, (Entry){ n, 1 }, (Entry){ n, 2 });
}

static void sync_lower(Lowering *l) {
  const BatchNormParams p = of_sync(l->node->params->fields);
  lower_with(l, &p);
}

/* ---- With relu behind it ---------------------------------------------------------------------------------------- */

static Status batch_norm_relu_forward(Call *c) {
  TRY(batch_norm_forward(c));
  const Tensor *const in[] = { c->out[0] };
  return elementwise_run(op_elementwise(op_find("relu"), NULL), in, 1, c->out[0], NULL);
}

static Status batch_norm_relu_grad(Gradient *d) {
  if (!d->out_grad[0].node) return OK;
  const Entry g[] = { build_op(d->b, "_backward_relu", NULL, 2, d->out_grad[0], (Entry){ d->node, 0 }), NO_ENTRY,
                      NO_ENTRY };
  Gradient inner = *d;
  inner.out_grad = g;
  return batch_norm_grad(&inner);
}

static Entry batch_norm_relu_again(Builder *b, Node *n) { return build_op(b, "relu", NULL, 1, batch_norm_again(b, n)); }

static void batch_norm_relu_lower(Lowering *l) {
  batch_norm_lower(l);
  if (l->out[0].node) l->out[0] = build_op(l->b, "relu", NULL, 1, l->out[0]);
}

/* MXNet has this operator only where it is built with oneDNN. */
static Entry batch_norm_relu_portable(Builder *b, const Node *n) {
  const BatchNormParams *p = (const void *)n->params->fields;
  if (p->output_mean_var) return NO_ENTRY;
  return build_op(b, "relu", NULL, 1, build_op_list(b, "BatchNorm", p, n->n_in, n->in));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* What calls of BatchNorm's like have, whatever their parameters. */
#define BATCH_NORM_COLUMNS                                                                                          \
  .inputs = "data gamma beta moving_mean moving_var", .outputs = "output mean var",                                 \
  .n_visible = batch_norm_visible, .unused = is_statistic,                                                          \
  .initializers = "moving_mean [\"zero\", {}]\nmoving_var [\"one\", {}]\n",                                         \
  .effects = batch_norm_effects, .writes = is_moving, .state = is_moving, .differentiable = 7, .flags = OP_TRAIN,   \
  .flops = batch_norm_flops

#define STATISTICS_PARAMS                                                                                           \
  "eps float 1e-3 Added to the variance.\n"                                                                         \
  "momentum float 0.9 What the states keep of themselves in a step of training.\n"                                  \
  "fix_gamma bool True Take gamma as 1; its gradient is 0.\n"                                                       \
  "use_global_stats bool False Take the states as mean and variance in training too.\n"                             \
  "output_mean_var bool False Return the mean and 1 / sqrt(variance + eps) too; no gradient passes through them.\n"

#define BATCH_NORM_PARAMS                                                                                           \
  STATISTICS_PARAMS                                                                                                 \
  "axis int 1 The axis of the channels.\n"                                                                          \
  "cudnn_off bool False Accepted for MXNet's sake.\n"                                                               \
  "min_calib_range float? None Accepted for MXNet's sake.\n"                                                        \
  "max_calib_range float? None Accepted for MXNet's sake.\n"

#define BACKWARD_PARAMS                                                           \
  "axis int - The axis of the channels.\n"                                        \
  "eps float - Added to the variance.\n"                                          \
  "batch bool - Mean and deviation are those of data.\n"

Op batch_norm_ops[] = {
  { .name = "BatchNorm",
    .doc = "(data - mean) / sqrt(variance + eps) gamma + beta for each channel, a place of `axis`. In training, and "
           "unless use_global_stats, mean and variance are those of the batch, and the states moving_mean and "
           "moving_var become momentum times themselves plus (1 - momentum) times them, when the call computes; else "
           "they are the states. The variance is the biased one (S. Ioffe, C. Szegedy, 2015)",
    .example = "F.BatchNorm(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{1, 2}, F.array{0, 1}, F.array{0.5, 1}, "
               "F.array{2, 4}, {fix_gamma = false})\n"
               "F.BatchNorm(F.array{{{1, 2, 4}, {0.5, -1, 2}}}, F.array{3, 2}, F.array{0, 1}, F.array{0.5, 1}, "
               "F.array{2, 4}, {use_global_stats = true})",
    BATCH_NORM_COLUMNS, .params = BATCH_NORM_PARAMS, .params_size = sizeof(BatchNormParams),
    .infer = infer_batch_norm, .forward = batch_norm_forward, .grad = batch_norm_grad, .lower = batch_norm_lower,
    .recompute = batch_norm_again },
  { .name = "_contrib_BatchNormWithReLU", .aliases = "contrib.BatchNormWithReLU",
    .doc = "relu(BatchNorm(...)), to the bit, as one operator",
    .example = "F.contrib.BatchNormWithReLU(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{1, 2}, F.array{0, 1}, "
               "F.array{0.5, 1}, F.array{2, 4}, {fix_gamma = false})\n"
               "F.contrib.BatchNormWithReLU(F.array{{{1, 2, 4}, {0.5, -1, 2}}}, F.array{3, 2}, F.array{0, 1}, "
               "F.array{0.5, 1}, F.array{2, 4}, {use_global_stats = true})",
    BATCH_NORM_COLUMNS, .params = BATCH_NORM_PARAMS, .params_size = sizeof(BatchNormParams),
    .infer = infer_batch_norm, .forward = batch_norm_relu_forward, .grad = batch_norm_relu_grad,
    .lower = batch_norm_relu_lower, .recompute = batch_norm_relu_again, .portable = batch_norm_relu_portable },
  { .name = "_contrib_SyncBatchNorm", .aliases = "contrib.SyncBatchNorm",
    .doc = "BatchNorm along axis 1, in MXNet with the statistics of all devices' batches; here each device's batch has "
           "its own, which on one device is the same",
    .example = "F.contrib.SyncBatchNorm(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{1, 2}, F.array{0, 1}, "
               "F.array{0.5, 1}, F.array{2, 4}, {fix_gamma = false, key = \"bn\"})",
    BATCH_NORM_COLUMNS,
    .params = STATISTICS_PARAMS
              "ndev int 1 Accepted for MXNet's sake.\n"
              "key string - Accepted for MXNet's sake.\n",
    .params_size = sizeof(SyncBatchNormParams), .infer = infer_sync, .forward = sync_forward, .grad = sync_grad,
    .lower = sync_lower, .recompute = sync_again },
  { .name = "_backward_batch_norm",
    .doc = "The gradients of data, gamma and beta where the statistics are the batch's: the latter are each channel's "
           "sums of g (data - mean) / deviation and of g",
    .example = "F._backward_batch_norm(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{{2, 1}, {-1, 0}, {3, 2}}, "
               "F.array{1, 2}, F.array{1.5, 1}, F.array{0.5, 1}, {axis = 1, eps = 0.1, batch = true})\n"
               "F._backward_batch_norm(F.array{{{1, 2, 3}, {4, 0.5, 1}}}, F.array{{{2, 1, 0}, {-1, 0, 2}}}, "
               "F.array{1, 2}, F.array{1.5, 1}, F.array{0.5, 1}, {axis = 1, eps = 0.1, batch = true})",
    .inputs = "g data gamma mean inverse", .outputs = "data gamma beta", .params = BACKWARD_PARAMS,
    .params_size = sizeof(BatchNormGradParams), .differentiable = 7, .flags = OP_INTERNAL | OP_IN_PLACE,
    .infer = infer_backward, .forward = backward_forward, .flops = backward_flops, .expand_all = backward_expand },
  { .name = "_backward_batch_norm_gamma",
    .doc = "The gradient of gamma alone: each channel's sum of g (data - mean) / deviation",
    .example = "F._backward_batch_norm_gamma(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{{2, 1}, {-1, 0}, {3, 2}}, "
               "F.array{1.5, 1}, F.array{0.5, 1}, {axis = 1, eps = 0.1, batch = true})\n"
               "F._backward_batch_norm_gamma(F.array{{{1, 2, 3}, {4, 0.5, 1}}}, F.array{{{2, 1, 0}, {-1, 0, 2}}}, "
               "F.array{1.5, 1}, F.array{0.5, 1}, {axis = 1, eps = 0.1, batch = false})",
    .inputs = "g data mean inverse", .params = BACKWARD_PARAMS, .params_size = sizeof(BatchNormGradParams),
    .differentiable = 3, .flags = OP_INTERNAL, .infer = infer_backward_gamma, .forward = backward_gamma_forward,
    .flops = backward_gamma_flops,
    .expand = backward_gamma_expand },
  { 0 }
};
