/* layer_norm_kernels.c - LayerNorm, InstanceNorm, GroupNorm, L2Normalization and their gradients.
**
** Kernels read a row in the cache three times along the last axis, or a block of columns along another axis
** (axis_blocks.h).
*/
#include <string.h>

#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/axis_blocks.h"
#include "ops/nn/layer_norm.h"

/* ---- Loops -------------------------------------------------------------------------------------- */

/* Forward computes out, mean and deviation from x, gamma and beta; backward computes out from g, x, gamma, mean and
** deviation. */
typedef struct NormRun {
  const void *g, *x, *gamma, *beta;
  void *out, *mean, *deviation;
  Along along;
  int64_t channels;        /* gamma's index is outer % channels; if 0, it is the index along the axis */
  double eps;
} NormRun;

#define NORM_ROW(code, T, suffix)                                                             \
  static void norm_row_##suffix(const void *context, int64_t outer) {                         \
    const NormRun *r = context;                                                               \
    const int64_t n = r->along.n, one = r->channels ? outer % r->channels : 0;                \
    const T *x = (const T *)r->x + outer * n, *gamma = (const T *)r->gamma + one, *beta = (const T *)r->beta + one; \
    T *out = (T *)r->out + outer * n;                                                         \
    double sum, squares;                                                                      \
    TREE_FOLD(sum, T, double, n, 0, TREE_ADD, x[i]);                                          \
    const T mean = (T)(sum / (double)n);                                                      \
    TREE_FOLD(squares, T, double, n, 0, TREE_ADD, (x[i] - mean) * (x[i] - mean));             \
    const T variance = (T)(squares / (double)n), eps = (T)r->eps;                             \
    const T deviation = sqrt(variance + eps), inverse = 1 / deviation;                        \
    if (r->channels) for (int64_t i = 0; i < n; i++) out[i] = (x[i] - mean) * inverse * *gamma + *beta; \
    else for (int64_t i = 0; i < n; i++) out[i] = (x[i] - mean) * inverse * gamma[i] + beta[i]; \
    if (r->mean) ((T *)r->mean)[outer] = mean;                                                \
    if (r->deviation) ((T *)r->deviation)[outer] = deviation;                                 \
  }                                                                                           \
  static void norm_backward_row_##suffix(const void *context, int64_t outer) {                \
    const NormRun *r = context;                                                               \
    const int64_t n = r->along.n, from = outer * n, step = r->channels ? 0 : 1;               \
    const T *g = (const T *)r->g + from, *x = (const T *)r->x + from;                         \
    const T *gamma = (const T *)r->gamma + (r->channels ? outer % r->channels : 0);           \
    const T mean = ((const T *)r->mean)[outer], inverse = 1 / ((const T *)r->deviation)[outer]; \
    T *out = (T *)r->out + from;                                                              \
    double sum, product;                                                                      \
    TREE_FOLD(sum, T, double, n, 0, TREE_ADD, g[i] * gamma[i * step]);                        \
    TREE_FOLD(product, T, double, n, 0, TREE_ADD, g[i] * gamma[i * step] * ((x[i] - mean) * inverse)); \
    const T a = (T)(sum / (double)n), b = (T)(product / (double)n);                           \
    for (int64_t i = 0; i < n; i++)                                                           \
      out[i] = (g[i] * gamma[i * step] - a - (x[i] - mean) * inverse * b) * inverse;          \
  }
EACH_FLOAT(NORM_ROW)

/* Only LayerNorm runs by columns, so gamma varies along the axis. */
#define NORM_COLUMNS(code, T, suffix)                                                         \
  static void norm_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const NormRun *r = context;                                                               \
    const int64_t n = r->along.n, inner = r->along.inner, from = outer * n * inner + column;  \
    const T *x = (const T *)r->x + from, *gamma = r->gamma, *beta = r->beta;                  \
    T *out = (T *)r->out + from, mean[ALONG_COLUMNS], deviation[ALONG_COLUMNS], inverse[ALONG_COLUMNS]; \
    double total[ALONG_COLUMNS];                                                              \
    COLUMN_SUMS(T, total, n, count, x[at]);                                                   \
    for (int64_t k = 0; k < count; k++) mean[k] = (T)(total[k] / (double)n);                  \
    COLUMN_SUMS(T, total, n, count, (x[at] - mean[k]) * (x[at] - mean[k]));                   \
    for (int64_t k = 0; k < count; k++) {                                                     \
      const T variance = (T)(total[k] / (double)n), eps = (T)r->eps;                          \
      deviation[k] = sqrt(variance + eps);                                                    \
      inverse[k] = 1 / deviation[k];                                                          \
    }                                                                                         \
    const size_t bytes = (size_t)count * sizeof(T);                                           \
    if (r->mean) memcpy((T *)r->mean + outer * inner + column, mean, bytes);                  \
    if (r->deviation) memcpy((T *)r->deviation + outer * inner + column, deviation, bytes);   \
    for (int64_t i = 0; i < n; i++)                                                           \
      for (int64_t k = 0, at = i * inner; k < count; k++, at++)                               \
        out[at] = (x[at] - mean[k]) * inverse[k] * gamma[i] + beta[i];                        \
  }                                                                                           \
  static void norm_backward_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const NormRun *r = context;                                                               \
    const int64_t n = r->along.n, inner = r->along.inner, from = outer * n * inner + column;  \
    const T *g = (const T *)r->g + from, *x = (const T *)r->x + from, *gamma = r->gamma;      \
    const T *mean = (const T *)r->mean + outer * inner + column;                              \
    const T *deviation = (const T *)r->deviation + outer * inner + column;                    \
    T *out = (T *)r->out + from, inverse[ALONG_COLUMNS], a[ALONG_COLUMNS], b[ALONG_COLUMNS];  \
    double total[ALONG_COLUMNS];                                                              \
    for (int64_t k = 0; k < count; k++) inverse[k] = 1 / deviation[k];                        \
    COLUMN_SUMS(T, total, n, count, g[at] * gamma[i]);                                        \
    for (int64_t k = 0; k < count; k++) a[k] = (T)(total[k] / (double)n);                     \
    COLUMN_SUMS(T, total, n, count, g[at] * gamma[i] * ((x[at] - mean[k]) * inverse[k]));     \
    for (int64_t k = 0; k < count; k++) b[k] = (T)(total[k] / (double)n);                     \
    for (int64_t i = 0; i < n; i++)                                                           \
      for (int64_t k = 0, at = i * inner; k < count; k++, at++)                               \
        out[at] = (g[at] * gamma[i] - a[k] - (x[at] - mean[k]) * inverse[k] * b[k]) * inverse[k]; \
  }
EACH_FLOAT(NORM_COLUMNS)

static Status run_of(const LayerNormParams *p, const Shape *data, NormRun *r) {
  NormLayout l;
  TRY(norm_layout(p, data, &l));
  r->eps = p->eps;
  r->channels = p->kind == KIND_LAYER ? 0 : l.view.dim[1];
  return along_axis("normalization", &l.view, l.axis, &r->along);
}

static Status norm(Call *c) {
  const LayerNormParams p = norm_params(c->op, c->params);
  NormRun r = { .x = c->in[0]->data,
                .gamma = c->in[1]->data,
                .beta = c->in[2]->data,
                .out = c->out[0]->data,
                .mean = c->out[1]->data,
                .deviation = c->out[2]->data };
  TRY(run_of(&p, &c->in[0]->type.shape, &r));
  return along_call(c, &r.along, &r);
}

static Status backward_norm(Call *c) {
  NormRun r = { .g = c->in[0]->data,
                .x = c->in[1]->data,
                .gamma = c->in[2]->data,
                .mean = c->in[3]->data,
                .deviation = c->in[4]->data,
                .out = c->out[0]->data };
  TRY(run_of(c->params, &c->in[1]->type.shape, &r));
  return along_call(c, &r.along, &r);
}

/* The gradient of gamma before it is summed: g (x - mean) / deviation. */
#define GAMMA_ROW(code, T, suffix)                                                            \
  static void gamma_row_##suffix(const void *context, int64_t outer) {                        \
    const NormRun *r = context;                                                               \
    const int64_t n = r->along.n;                                                             \
    const T *g = (const T *)r->g + outer * n, *x = (const T *)r->x + outer * n;               \
    const T mean = ((const T *)r->mean)[outer], inverse = 1 / ((const T *)r->deviation)[outer]; \
    T *out = (T *)r->out + outer * n;                                                         \
    for (int64_t i = 0; i < n; i++) out[i] = g[i] * ((x[i] - mean) * inverse);                \
  }                                                                                           \
  static void gamma_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const NormRun *r = context;                                                               \
    const int64_t n = r->along.n, inner = r->along.inner, from = outer * n * inner + column;  \
    const T *g = (const T *)r->g + from, *x = (const T *)r->x + from;                         \
    const T *mean = (const T *)r->mean + outer * inner + column;                              \
    const T *deviation = (const T *)r->deviation + outer * inner + column;                    \
    T *out = (T *)r->out + from, inverse[ALONG_COLUMNS];                                      \
    for (int64_t k = 0; k < count; k++) inverse[k] = 1 / deviation[k];                        \
    for (int64_t i = 0; i < n; i++)                                                           \
      for (int64_t k = 0, at = i * inner; k < count; k++, at++) out[at] = g[at] * ((x[at] - mean[k]) * inverse[k]); \
  }
EACH_FLOAT(GAMMA_ROW)

static Status backward_gamma(Call *c) {
  NormRun r = { .g = c->in[0]->data,
                .x = c->in[1]->data,
                .mean = c->in[2]->data,
                .deviation = c->in[3]->data,
                .out = c->out[0]->data };
  TRY(run_of(c->params, &c->in[1]->type.shape, &r));
  return along_call(c, &r.along, &r);
}

/* ---- L2Normalization ---------------------------------------------------------------------------- */

#define L2_ROW(code, T, suffix)                                                               \
  static void l2_row_##suffix(const void *context, int64_t outer) {                           \
    const NormRun *r = context;                                                               \
    const int64_t n = r->along.n;                                                             \
    const T *x = (const T *)r->x + outer * n;                                                 \
    T *out = (T *)r->out + outer * n;                                                         \
    double squares;                                                                           \
    TREE_FOLD(squares, T, double, n, 0, TREE_ADD, x[i] * x[i]);                               \
    const T sum = (T)squares, eps = (T)r->eps, norm = sqrt(sum + eps);                        \
    for (int64_t i = 0; i < n; i++) out[i] = x[i] / norm;                                     \
  }                                                                                           \
  static void l2_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const NormRun *r = context;                                                               \
    const int64_t n = r->along.n, inner = r->along.inner, from = outer * n * inner + column;  \
    const T *x = (const T *)r->x + from;                                                      \
    T *out = (T *)r->out + from, norm[ALONG_COLUMNS];                                         \
    double total[ALONG_COLUMNS];                                                              \
    COLUMN_SUMS(T, total, n, count, x[at] * x[at]);                                           \
    for (int64_t k = 0; k < count; k++) {                                                     \
      const T sum = (T)total[k], eps = (T)r->eps;                                             \
      norm[k] = sqrt(sum + eps);                                                              \
    }                                                                                         \
    for (int64_t i = 0; i < n; i++)                                                           \
      for (int64_t k = 0, at = i * inner; k < count; k++, at++) out[at] = x[at] / norm[k];    \
  }
EACH_FLOAT(L2_ROW)

static Status l2_normalization(Call *c) {
  const L2Params *p = c->params;
  NormLayout l = l2_layout(p, &c->in[0]->type.shape);
  NormRun r = { .x = c->in[0]->data, .out = c->out[0]->data, .eps = p->eps };
  TRY(along_axis(c->op->name, &l.view, l.axis, &r.along));
  return along_call(c, &r.along, &r);
}

/* clang-format off */
const Kernel layer_norm_kernels[] = {
  ALONG_KERNELS("LayerNorm", norm, norm),
  ALONG_KERNELS("InstanceNorm", norm, norm),
  ALONG_KERNELS("GroupNorm", norm, norm),
  ALONG_KERNELS("_backward_norm", backward_norm, norm_backward),
  ALONG_KERNELS("_backward_norm_gamma", backward_gamma, gamma),
  ALONG_KERNELS("L2Normalization", l2_normalization, l2),
  { 0 }
};
/* clang-format on */
