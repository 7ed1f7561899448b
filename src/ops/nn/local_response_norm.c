/* local_response_norm.c - LRN: each element divided by a power of a sum over neighbouring channels.
**
** The output is data * norm^-beta, where norm = knorm + (alpha / nsize) * (the sum of squares over nsize channels
** around the element's own, in order), all in the element type (A. Krizhevsky et al., 2012). The kernel processes
** neighbouring positions of an image together; the gradient is that of the operators that it decomposes into.
*/
#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

typedef struct LRNParams { double alpha, beta, knorm; int64_t nsize; } LRNParams;
typedef struct ChannelSumParams { int64_t reach; } ChannelSumParams;

static Status infer_lrn(Infer *f) {
  const LRNParams *p = f->params;
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(least_dims(f, 0, 2));
  if (p->nsize < 1 || p->nsize > INT32_MAX || p->nsize % 2 == 0)
    return fail("nsize: expected an odd number of 1 or more, got %lld", (long long)p->nsize);
  TRY(infer_empty_outputs(f));
  return one_shape(f, 0, 0);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

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

static Status run_channels(Call *c, ChannelRun *r, ParallelBody *body) {
  const Shape *s = &c->in[0]->type.shape;
  r->channels = s->dim[1];
  r->places = shape_size_range(s, 2, s->ndim);
  r->parts = (r->places + PART - 1) / PART;
  r->x = c->in[0]->data;
  r->out = c->out[0]->data;
  return run_parallel(s->dim[0] * r->parts, (1 << 12) / (r->channels * PART + 1) + 1, body, r);
}

static double scale_of(const LRNParams *p) { return p->alpha / (double)p->nsize; }

static Status lrn_forward(Call *c) {
  const LRNParams *p = c->params;
  ChannelRun r = { .reach = p->nsize / 2, .scale = scale_of(p), .knorm = p->knorm, .beta = p->beta };
  return run_channels(c, &r, BY_DTYPE(c, lrn));
}

static Status channel_sum_forward(Call *c) {
  ChannelRun r = { .reach = ((const ChannelSumParams *)c->params)->reach };
  return run_channels(c, &r, BY_DTYPE(c, channel_sum));
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Entry lrn_expand(Builder *b, Node *n) {
  const LRNParams *p = (const LRNParams *)n->params->fields;
  const ChannelSumParams w = { p->nsize / 2 };
  const Entry x = n->in[0];
  Entry squares = build_op(b, "_channel_sum", &w, 1, build_op(b, "square", NULL, 1, x));
  Entry norm = plus(b, times(b, squares, scale_of(p)), p->knorm);
  return build_op(b, "elemwise_mul", NULL, 2, x, build_op(b, "_power_scalar", &(ScalarParams){ -p->beta }, 1, norm));
}

static Status channel_sum_grad(Gradient *d) { return gradient_by(d, "_channel_sum"); }

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static double lrn_flops(const Query *q) {
  return (2 * (double)((const LRNParams *)q->params)->nsize + 4) * (double)shape_size(&query_in(q, 0)->shape);
}

/* clang-format off */
Op lrn_ops[] = {
  { .name = "LRN",
    .doc = "data (knorm + alpha / nsize s)^-beta, where s is the sum of squares over the nsize channels (axis 1) "
           "around an element's own (A. Krizhevsky et al., 2012)",
    .example = "F.LRN(F.array{{{1, 2}, {4, -1}, {0.5, 3}, {2, 1}}}, {nsize = 3, alpha = 0.5})\n"
               "F.LRN(F.array{{{{1, 2}}, {{4, -1}}, {{0.5, 3}}}}, {nsize = 1, alpha = 1, beta = 0.5, knorm = 1})",
    .inputs = "data", .outputs = "output tmp_norm",
    .params = "alpha float 0.0001 The factor of the mean square.\n"
              "beta float 0.75 The exponent.\n"
              "knorm float 2 The constant term.\n"
              "nsize int - Number of channels, odd.\n",
    .params_size = sizeof(LRNParams), .n_visible = one_visible, .unused = hidden_empty, .flags = OP_NAMED_INPUT,
    .infer = infer_lrn,
    .forward = lrn_forward, .flops = lrn_flops, .expand = lrn_expand },
  { .name = "_channel_sum",
    .doc = "At each position, the sum over the channels (axis 1) from `reach` before to `reach` after",
    .inputs = "data", .params = "reach int - Number of channels on each side.\n",
    .params_size = sizeof(ChannelSumParams), .flags = OP_INTERNAL, .infer = infer_same_floats,
    .forward = channel_sum_forward, .grad = channel_sum_grad },
  { 0 }
};
/* clang-format on */
