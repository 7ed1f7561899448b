/* rms_norm_kernels.c - RMSNorm and its gradient.
**
** Kernels read a row in the cache along the last axis, or a block of columns along another (axis_blocks.h). Sums of
** squares are tree sums (base/math/tree_sum.h).
*/
#include <math.h>

#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/axis_blocks.h"
#include "ops/nn/rms_norm.h"

typedef struct RmsNormRun {
  const void *g, *x, *gamma;
  void *out, *factor;            /* backward reads factor */
  Along along;
  double eps;
} RmsNormRun;

/* The factor is 1 / sqrt(mean square + eps); the gradient (g gamma - x factor mean(g gamma (x factor))) factor. */
#define RMS(code, T, suffix)                                                                              \
  static void rms_row_##suffix(const void *context, int64_t outer) {                                      \
    const RmsNormRun *r = context;                                                                        \
    const int64_t n = r->along.n;                                                                         \
    const T *x = (const T *)r->x + outer * n, *gamma = r->gamma;                                          \
    T *out = (T *)r->out + outer * n;                                                                     \
    double squares;                                                                                       \
    TREE_FOLD(squares, T, double, n, 0, TREE_ADD, x[i] * x[i]);                                           \
    const T mean = (T)(squares / (double)n), eps = (T)r->eps, root = sqrt(mean + eps), factor = 1 / root; \
    for (int64_t i = 0; i < n; i++) out[i] = x[i] * factor * gamma[i];                                    \
    if (r->factor) ((T *)r->factor)[outer] = factor;                                                      \
  }                                                                                                       \
  static void rms_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) {   \
    const RmsNormRun *r = context;                                                                        \
    const int64_t n = r->along.n, inner = r->along.inner, from = outer * n * inner + column;              \
    const T *x = (const T *)r->x + from, *gamma = r->gamma;                                               \
    T *out = (T *)r->out + from, factor[ALONG_COLUMNS];                                                   \
    double total[ALONG_COLUMNS];                                                                          \
    COLUMN_SUMS(T, total, n, count, x[at] * x[at]);                                                       \
    for (int64_t k = 0; k < count; k++) {                                                                 \
      const T mean = (T)(total[k] / (double)n), eps = (T)r->eps, root = sqrt(mean + eps);                 \
      factor[k] = 1 / root;                                                                               \
      if (r->factor) ((T *)r->factor)[outer * inner + column + k] = factor[k];                            \
    }                                                                                                     \
    for (int64_t i = 0; i < n; i++)                                                                       \
      for (int64_t k = 0, at = i * inner; k < count; k++, at++) out[at] = x[at] * factor[k] * gamma[i];   \
  }                                                                                                       \
  static void back_row_##suffix(const void *context, int64_t outer) {                                     \
    const RmsNormRun *r = context;                                                                        \
    const int64_t n = r->along.n;                                                                         \
    const T *g = (const T *)r->g + outer * n, *x = (const T *)r->x + outer * n, *gamma = r->gamma;        \
    const T factor = ((const T *)r->factor)[outer];                                                       \
    T *out = (T *)r->out + outer * n;                                                                     \
    double product;                                                                                       \
    TREE_FOLD(product, T, double, n, 0, TREE_ADD, g[i] * gamma[i] * (x[i] * factor));                     \
    const T mean = (T)(product / (double)n);                                                              \
    for (int64_t i = 0; i < n; i++) out[i] = (g[i] * gamma[i] - x[i] * factor * mean) * factor;           \
  }                                                                                                       \
  static void back_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) {  \
    const RmsNormRun *r = context;                                                                        \
    const int64_t n = r->along.n, inner = r->along.inner, from = outer * n * inner + column;              \
    const T *g = (const T *)r->g + from, *x = (const T *)r->x + from, *gamma = r->gamma;                  \
    const T *factor = (const T *)r->factor + outer * inner + column;                                      \
    T *out = (T *)r->out + from, mean[ALONG_COLUMNS];                                                     \
    double total[ALONG_COLUMNS];                                                                          \
    COLUMN_SUMS(T, total, n, count, g[at] * gamma[i] * (x[at] * factor[k]));                              \
    for (int64_t k = 0; k < count; k++) mean[k] = (T)(total[k] / (double)n);                              \
    for (int64_t i = 0; i < n; i++)                                                                       \
      for (int64_t k = 0, at = i * inner; k < count; k++, at++)                                           \
        out[at] = (g[at] * gamma[i] - x[at] * factor[k] * mean[k]) * factor[k];                           \
  }
EACH_FLOAT(RMS)

static Status rms_norm(Call *c) {
  const RmsParams *p = c->params;
  RmsNormRun r = {
    .x = c->in[0]->data, .gamma = c->in[1]->data, .out = c->out[0]->data, .factor = c->out[1]->data, .eps = p->eps
  };
  r.along = lines_along(&c->in[0]->type.shape, p->axis);
  return along_call(c, &r.along, &r);
}

static Status backward(Call *c) {
  const RmsParams *p = c->params;
  RmsNormRun r = {
    .g = c->in[0]->data, .x = c->in[1]->data, .gamma = c->in[2]->data, .factor = c->in[3]->data, .out = c->out[0]->data
  };
  r.along = lines_along(&c->in[1]->type.shape, p->axis);
  return along_call(c, &r.along, &r);
}

const Kernel rms_norm_kernels[] = { ALONG_KERNELS("RMSNorm", rms_norm, rms),
                                    ALONG_KERNELS("_backward_RMSNorm", backward, back),
                                    { 0 } };
