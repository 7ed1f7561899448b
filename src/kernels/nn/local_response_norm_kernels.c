/* local_response_norm_kernels.c - LRN, and sums over neighbouring channels. Neighbouring positions of an image are
** computed together.
*/
#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/nn/local_response_norm.h"

enum { PART = 256 };                 /* positions that are computed together */

typedef struct ChannelRun {
  int64_t reach, channels, places, parts;      /* reach: number of channels before and after */
  double scale, knorm, beta;
  const void *x;
  void *out;
} ChannelRun;

/* A work item is a part of the positions of one image: `at` is its first element, n its length. */
#define EACH_ITEM(r)                                                                                        \
  for (int64_t item = first; item < last && !interrupted(); item++)                                         \
    for (int64_t part = item % (r)->parts * PART, once = 1, \
         at = item / (r)->parts * (r)->channels * (r)->places + part, \
                 n = (r)->places - part < PART ? (r)->places - part : PART; once; once = 0)

/* sum[i] = the sum of `term`, an expression of element j, over the channels around `channel`. */
#define SUM_AROUND(r, T, sum, term)                                                                         \
  for (int64_t i = 0; i < n; i++) sum[i] = 0;                                                               \
  for (int64_t k = channel < (r)->reach ? 0 : channel - (r)->reach;                                         \
       k < (r)->channels && k <= channel + (r)->reach; k++)                                                 \
    for (int64_t i = 0; i < n; i++) { const int64_t j = at + k * (r)->places + i; sum[i] += (term); }

#define LRN(code, T, suffix)                                                                                \
  static void channel_sum_##suffix(void *context, int64_t first, int64_t last) {                            \
    const ChannelRun *r = context;                                                                          \
    const T *x = r->x;                                                                                      \
    EACH_ITEM(r) for (int64_t channel = 0; channel < r->channels; channel++) {                              \
      T sum[PART];                                                                                          \
      T *out = (T *)r->out + at + channel * r->places;                                                      \
      SUM_AROUND(r, T, sum, x[j])                                                                           \
      for (int64_t i = 0; i < n; i++) out[i] = sum[i];                                                      \
    }                                                                                                       \
  }                                                                                                         \
  static void lrn_##suffix(void *context, int64_t first, int64_t last) {                                    \
    const ChannelRun *r = context;                                                                          \
    const T *x = r->x, scale = (T)r->scale, knorm = (T)r->knorm, exponent = (T)-r->beta;                    \
    EACH_ITEM(r) for (int64_t channel = 0; channel < r->channels; channel++) {                              \
      T sum[PART];                                                                                          \
      const T *own = x + at + channel * r->places;                                                          \
      T *out = (T *)r->out + at + channel * r->places;                                                      \
      SUM_AROUND(r, T, sum, x[j] * x[j])                                                                    \
      for (int64_t i = 0; i < n; i++) {                                                                     \
        const T norm = sum[i] * scale + knorm;                                                              \
        out[i] = own[i] * power(norm, exponent);                                                            \
      }                                                                                                     \
    }                                                                                                       \
  }
EACH_FLOAT(LRN)

static Status run_channels(Call *c, ChannelRun *r) {
  const Shape *s = &c->in[0]->type.shape;
  r->channels = s->dim[1];
  r->places = shape_size_range(s, 2, s->ndim);
  r->parts = (r->places + PART - 1) / PART;
  r->x = c->in[0]->data;
  r->out = c->out[0]->data;
  return run_parallel(s->dim[0] * r->parts, (1 << 12) / (r->channels * PART + 1) + 1, c->kernel->body, r);
}

static Status lrn(Call *c) {
  const LRNParams *p = c->params;
  ChannelRun r = { .reach = p->nsize / 2, .scale = lrn_scale(p), .knorm = p->knorm, .beta = p->beta };
  return run_channels(c, &r);
}

static Status channel_sum(Call *c) {
  ChannelRun r = { .reach = ((const ChannelSumParams *)c->params)->reach };
  return run_channels(c, &r);
}

const Kernel local_response_norm_kernels[] = { FLOAT_KERNELS("LRN", lrn, lrn, BLOCK_SIZES(PART)),
                                               FLOAT_KERNELS("_channel_sum", channel_sum, channel_sum),
                                               { 0 } };
