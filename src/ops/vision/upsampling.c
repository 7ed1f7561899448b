/* upsampling.c - UpSampling: images enlarged by an integer factor, by repetition or by weighted windows.
**
** nearest repeats each element; its gradient is the sum over the repetitions, a Pooling. Several arrays are enlarged to
** the same size and concatenated along channels, or added from left to right.
**
** bilinear adds each element, times its channel's window of weights, around its position (a Deconvolution with a group
** per channel), in the order of elements. The operator, its gradient of data and that of weight are linear in both
** operands, and each is the gradient of the other two. Gradients are summed in double.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "ops/common/gradient_rules.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

typedef struct UpSamplingParams {
  int64_t scale, num_filter, sample_type, multi_input_mode, num_args, workspace;
} UpSamplingParams;

/* Parameters of bilinear's gradients. */
typedef struct BilinearParams { int64_t scale; } BilinearParams;

enum { SAMPLE_BILINEAR, SAMPLE_NEAREST };
enum { MULTI_CONCAT, MULTI_SUM };

static int upsampling_inputs(const Query *q) {
  const UpSamplingParams *p = q->params;
  return p->sample_type == SAMPLE_BILINEAR ? 2 : (int)p->num_args;
}

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status check_scale(int64_t scale) {
  if (scale >= 1 && scale <= 1 << 20) return OK;
  return fail("scale: expected 1 or more, got %lld", (long long)scale);
}

static int64_t window_side(int64_t scale) { return 2 * scale - scale % 2; }

static Status infer_bilinear(Infer *f, const UpSamplingParams *p) {
  Shape *data = &f->in[0].shape, out, weight = { 4, { UNKNOWN, 1, window_side(p->scale), window_side(p->scale) } };
  TRY(one_float_dtype(f, 2, 1));
  TRY(check_images("data", data));
  if (data->ndim < 0) return input_shape(f, 1, &weight);
  weight.dim[0] = data->dim[1];
  if (data->dim[1] >= 0 && p->num_filter != data->dim[1])
    return fail("num_filter: expected the %lld channels of data %s, got %lld", (long long)data->dim[1],
                shape_text(data), (long long)p->num_filter);
  TRY(input_shape(f, 1, &weight));
  out = *data;
  for (int i = 2; i < 4; i++)
    if (data->dim[i] >= 0) out.dim[i] = data->dim[i] * p->scale;
  return output_shape(f, 0, &out);
}

/* Checks input i against the enlarged size of the first, and adds its channels to *out; clears *known if they are
** unknown. */
static Status join_nearest(const Infer *f, int i, const UpSamplingParams *p, Shape *out, bool *known) {
  const Shape *s = &f->in[i].shape;
  const char *who = op_input_name(f->op, i);
  TRY(check_images(who, s));
  if (s->ndim < 0 || !shape_known(s)) {
    *known = false;
    return OK;
  }
  for (int axis = 2; axis < 4; axis++)
    if (s->dim[axis] != out->dim[axis] && (s->dim[axis] == 0 || out->dim[axis] % s->dim[axis] != 0))
      return fail("%s: expected a %s that divides the output's %lld, got %s", who, axis == 2 ? "height" : "width",
                  (long long)out->dim[axis], shape_text(s));
  if (s->dim[0] != out->dim[0])
    return fail("%s: expected a batch of %lld, got %s", who, (long long)out->dim[0], shape_text(s));
  if (p->multi_input_mode == MULTI_SUM && i > 0 && s->dim[1] != out->dim[1])
    return fail("%s: expected %lld channels if multi_input_mode is sum, got %s", who, (long long)out->dim[1],
                shape_text(s));
  if (p->multi_input_mode == MULTI_CONCAT && i > 0) out->dim[1] += s->dim[1];
  return OK;
}

static Status infer_nearest(Infer *f, const UpSamplingParams *p) {
  const Shape *first = &f->in[0].shape;
  bool known = true;
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(check_images(op_input_name(f->op, 0), first));
  if (first->ndim < 0 || (f->n_in > 1 && !shape_known(first))) return OK;
  Shape out = *first;
  for (int i = 2; i < 4; i++)
    if (out.dim[i] >= 0) out.dim[i] *= p->scale;
  if (f->n_in == 1) return output_shape(f, 0, &out);
  for (int i = 0; i < f->n_in; i++) TRY(join_nearest(f, i, p, &out, &known));
  return known ? output_shape(f, 0, &out) : OK;
}

static Status infer_upsampling(Infer *f) {
  const UpSamplingParams *p = f->params;
  TRY(check_scale(p->scale));
  return p->sample_type == SAMPLE_BILINEAR ? infer_bilinear(f, p) : infer_nearest(f, p);
}

/* Inputs are g and weight; the result is data's gradient. */
static Status infer_backward_data(Infer *f) {
  const int64_t scale = ((const BilinearParams *)f->params)->scale, side = window_side(scale);
  Shape data = f->in[0].shape, weight = { 4, { data.ndim == 4 ? data.dim[1] : UNKNOWN, 1, side, side } };
  TRY(check_scale(scale));
  TRY(one_float_dtype(f, 2, 1));
  TRY(input_shape(f, 1, &weight));
  if (!shape_known(&data)) return OK;
  for (int i = 2; i < 4; i++) data.dim[i] /= scale;
  return output_shape(f, 0, &data);
}

/* Inputs are g and data; the result is weight's gradient. */
static Status infer_backward_weight(Infer *f) {
  const int64_t scale = ((const BilinearParams *)f->params)->scale, side = window_side(scale);
  const Shape *data = &f->in[1].shape;
  TRY(check_scale(scale));
  TRY(one_float_dtype(f, 2, 1));
  if (!shape_known(data)) return OK;
  Shape g = { 4, { data->dim[0], data->dim[1], data->dim[2] * scale, data->dim[3] * scale } };
  TRY(input_shape(f, 0, &g));
  return output_shape(f, 0, &(Shape){ 4, { data->dim[1], 1, side, side } });
}

/* ---- Kernels: nearest ------------------------------------------------------------------------------------- */

/* A work item is a plane of the output. */
typedef struct NearestRun { const Call *c; bool sum; int64_t channels, height, width; } NearestRun;

#define NEAREST(code, T, suffix)                                                                            \
  /* Enlarges plane `plane` of input k into `out`, or adds it. */                                           \
  static void enlarge_##suffix(const NearestRun *r, int k, int64_t plane, bool add, T *out) {               \
    const Tensor *from = r->c->in[k];                                                                       \
    const int64_t height = from->type.shape.dim[2], width = from->type.shape.dim[3];                        \
    for (int64_t y = 0; y < r->height; y++, out += r->width) {                                              \
      const int64_t across = r->width / width;                                                              \
      const T *row = (const T *)from->data + (plane * height + y / (r->height / height)) * width;           \
      if (!add && y % (r->height / height) > 0) {                                                           \
        memcpy(out, out - r->width, (size_t)r->width * sizeof(T));                                          \
        continue;                                                                                           \
      }                                                                                                     \
      if (across == 2 && !add) { for (int64_t x = 0; x < width; x++) out[2 * x] = out[2 * x + 1] = row[x]; continue; } \
      for (int64_t x = 0; x < width; x++)                                                                   \
        for (int64_t i = 0; i < across; i++) out[x * across + i] = add ? out[x * across + i] + row[x] : row[x]; \
    }                                                                                                       \
  }                                                                                                         \
  static void nearest_##suffix(void *context, int64_t first, int64_t last) {                                \
    const NearestRun *r = context;                                                                          \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                              \
      const int64_t image = i / r->channels;                                                                \
      int64_t channel = i % r->channels;                                                                    \
      T *out = (T *)r->c->out[0]->data + i * r->height * r->width;                                          \
      for (int k = 0; k < r->c->n_in; k++) {                                                                \
        const int64_t has = r->c->in[k]->type.shape.dim[1];                                                 \
        if (r->sum) enlarge_##suffix(r, k, i, k > 0, out);                                                  \
        else if (channel >= has) channel -= has;                                                            \
        else { enlarge_##suffix(r, k, image * has + channel, false, out); break; }                          \
      }                                                                                                     \
    }                                                                                                       \
  }
EACH_FLOAT(NEAREST)

static Status nearest_forward(Call *c) {
  const Shape *out = &c->out[0]->type.shape;
  NearestRun r = { .c = c,
                   .sum = ((const UpSamplingParams *)c->params)->multi_input_mode == MULTI_SUM,
                   .channels = out->dim[1],
                   .height = out->dim[2],
                   .width = out->dim[3] };
  if (shape_size(out) == 0) return OK;
  return run_parallel(out->dim[0] * out->dim[1], (1 << 14) / (r.height * r.width) + 1, BY_DTYPE(c, nearest), &r);
}

/* ---- Kernels: bilinear ------------------------------------------------------------------------------------ */

/* Sizes of data. `large` is the enlarged array (the output or g), and weight has a window per channel. */
typedef struct BilinearRun {
  int64_t scale, side, before, images, channels, height, width;
  const void *data, *large, *weight;
  void *out;
} BilinearRun;

/* The part of window i that is inside [0, n * scale); it starts `before` elements before i * scale. */
static int64_t window_from(const BilinearRun *r, int64_t i) {
  return i * r->scale < r->before ? r->before - i * r->scale : 0;
}
static int64_t window_to(const BilinearRun *r, int64_t i, int64_t n) {
  const int64_t left = (n - i) * r->scale + r->before;
  return left < r->side ? left : r->side;
}

#define SPREAD(code, T, suffix)                                                                             \
  static void spread_##suffix(void *context, int64_t first, int64_t last) {                                 \
    const BilinearRun *r = context;                                                                         \
    const int64_t width = r->width * r->scale, size = r->height * r->scale * width;                         \
    for (int64_t plane = first; plane < last && !interrupted(); plane++) {                                  \
      const T *weight = (const T *)r->weight + plane % r->channels * r->side * r->side;                     \
      const T *data = (const T *)r->data + plane * r->height * r->width;                                    \
      T *out = (T *)r->out + plane * size;                                                                  \
      memset(out, 0, (size_t)size * sizeof(T));                                                             \
      for (int64_t i = 0; i < r->height; i++)                                                               \
        for (int64_t y = window_from(r, i), down = window_to(r, i, r->height); y < down; y++)               \
          for (int64_t j = 0; j < r->width; j++) {                                                          \
            const T x = data[i * r->width + j], *w = weight + y * r->side;                                  \
            T *to = out + (i * r->scale - r->before + y) * width + j * r->scale - r->before;                \
            const int64_t end = window_to(r, j, r->width);                                                  \
            IVDEP for (int64_t k = window_from(r, j); k < end; k++) to[k] += x * w[k];                      \
          }                                                                                                 \
    }                                                                                                       \
  }                                                                                                         \
  /* Sums the weights times the window in g, at each position (i, j). */                                    \
  static void backward_data_##suffix(void *context, int64_t first, int64_t last) {                          \
    const BilinearRun *r = context;                                                                         \
    const int64_t width = r->width * r->scale, size = r->height * r->scale * width;                         \
    for (int64_t row = first; row < last && !interrupted(); row++) {                                        \
      const int64_t plane = row / r->height, i = row % r->height;                                           \
      const T *weight = (const T *)r->weight + plane % r->channels * r->side * r->side;                     \
      for (int64_t j = 0; j < r->width; j++) {                                                              \
        double sum = 0;                                                                                     \
        for (int64_t y = window_from(r, i), down = window_to(r, i, r->height); y < down; y++) {             \
          const T *g = (const T *)r->large + plane * size + (i * r->scale - r->before + y) * width          \
                       + j * r->scale - r->before;                                                          \
          for (int64_t k = window_from(r, j), end = window_to(r, j, r->width); k < end; k++)                \
            sum += (double)g[k] * weight[y * r->side + k];                                                  \
        }                                                                                                   \
        ((T *)r->out)[row * r->width + j] = (T)sum;                                                         \
      }                                                                                                     \
    }                                                                                                       \
  }                                                                                                         \
  /* A work item is a weight: sums over images and positions. */                                            \
  static void backward_weight_##suffix(void *context, int64_t first, int64_t last) {                        \
    const BilinearRun *r = context;                                                                         \
    const int64_t width = r->width * r->scale, size = r->height * r->scale * width;                         \
    for (int64_t item = first; item < last && !interrupted(); item++) {                                     \
      const int64_t channel = item / (r->side * r->side), y = item / r->side % r->side, k = item % r->side; \
      double sum = 0;                                                                                       \
      for (int64_t image = 0; image < r->images; image++) {                                                 \
        const int64_t plane = image * r->channels + channel;                                                \
        for (int64_t i = 0; i < r->height; i++) {                                                           \
          if (y < window_from(r, i) || y >= window_to(r, i, r->height)) continue;                           \
          const T *g = (const T *)r->large + plane * size + (i * r->scale - r->before + y) * width;         \
          const T *data = (const T *)r->data + (plane * r->height + i) * r->width;                          \
          for (int64_t j = 0; j < r->width; j++) {                                                          \
            if (k < window_from(r, j) || k >= window_to(r, j, r->width)) continue;                          \
            sum += (double)g[j * r->scale - r->before + k] * data[j];                                       \
          }                                                                                                 \
        }                                                                                                   \
      }                                                                                                     \
      ((T *)r->out)[item] = (T)sum;                                                                         \
    }                                                                                                       \
  }
EACH_FLOAT(SPREAD)

/* scale is the first parameter of all rows. */
static BilinearRun spread_of(const Call *c, const Shape *data) {
  const int64_t scale = *(const int64_t *)c->params;
  return (BilinearRun){ .scale = scale,
                        .side = window_side(scale),
                        .before = scale / 2,
                        .images = data->dim[0],
                        .channels = data->dim[1],
                        .height = data->dim[2],
                        .width = data->dim[3],
                        .out = c->out[0]->data };
}

static Status upsampling_forward(Call *c) {
  if (((const UpSamplingParams *)c->params)->sample_type == SAMPLE_NEAREST) return nearest_forward(c);
  BilinearRun r = spread_of(c, &c->in[0]->type.shape);
  r.data = c->in[0]->data;
  r.weight = c->in[1]->data;
  const int64_t work = r.height * r.width * r.side * r.side;
  return run_parallel(r.images * r.channels, (1 << 12) / (work + 1) + 1, BY_DTYPE(c, spread), &r);
}

static Status backward_data_forward(Call *c) {
  BilinearRun r = spread_of(c, &c->out[0]->type.shape);
  r.large = c->in[0]->data;
  r.weight = c->in[1]->data;
  return run_parallel(r.images * r.channels * r.height, (1 << 12) / (r.width * r.side * r.side + 1) + 1,
                      BY_DTYPE(c, backward_data), &r);
}

static Status backward_weight_forward(Call *c) {
  BilinearRun r = spread_of(c, &c->in[1]->type.shape);
  r.large = c->in[0]->data;
  r.data = c->in[1]->data;
  return run_parallel(tensor_size(c->out[0]), (1 << 12) / (r.images * r.height * r.width + 1) + 1,
                      BY_DTYPE(c, backward_weight), &r);
}

static double upsampling_flops(const Query *q) {
  const UpSamplingParams *p = q->params;
  if (p->sample_type == SAMPLE_NEAREST) return 0;
  return 2 * (double)shape_size(&query_in(q, 0)->shape) * (double)(window_side(p->scale) * window_side(p->scale));
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Entry spread(Builder *b, int64_t scale, Entry data, Entry weight) {
  UpSamplingParams p = { .scale = scale,
                         .num_filter = entry_type(data)->shape.dim[1],
                         .sample_type = SAMPLE_BILINEAR,
                         .num_args = 2,
                         .workspace = 512 };
  return build_op(b, "UpSampling", &p, 2, data, weight);
}

static Entry backward_data(Builder *b, int64_t scale, Entry g, Entry weight) {
  return build_op(b, "_backward_upsampling_data", &(BilinearParams){ scale }, 2, g, weight);
}

static Entry backward_weight(Builder *b, int64_t scale, Entry g, Entry data) {
  return build_op(b, "_backward_upsampling_weight", &(BilinearParams){ scale }, 2, g, data);
}

/* Sums g over the repetitions of each element of an input, whose channels start with `at`. */
static Entry sum_repeated(Builder *b, const UpSamplingParams *p, Entry g, const Shape *in, int64_t at) {
  const Shape *out = &entry_type(g)->shape;
  if (p->multi_input_mode == MULTI_CONCAT && in->dim[1] != out->dim[1])
    g = build_op(b, "slice_axis", &(SliceAxisParams){ 1, at, at + in->dim[1] }, 1, g);
  if (shape_size(in) == 0 || (in->dim[2] == out->dim[2] && in->dim[3] == out->dim[3])) return reshape_to(b, g, in);
  List sides = { .count = 2, .u.i = { out->dim[2] / in->dim[2], out->dim[3] / in->dim[3] } };
  PoolingParams sum = {
    .kernel = sides, .pool_type = POOL_SUM, .stride = sides, .p_value = NONE, .count_include_pad = NONE, .layout = NONE
  };
  return build_op(b, "Pooling", &sum, 1, g);
}

static Status upsampling_grad(Gradient *d) {
  const UpSamplingParams *p = gradient_params(d);
  const Entry *in = d->node->in, g = d->out_grad[0];
  if (p->sample_type == SAMPLE_BILINEAR) {
    if (d->wanted[0]) d->in_grad[0] = backward_data(d->b, p->scale, g, in[1]);
    if (d->wanted[1]) d->in_grad[1] = backward_weight(d->b, p->scale, g, in[0]);
    return d->b->status;
  }
  int64_t at = 0;
  for (int i = 0; i < d->node->n_in; i++) {
    const Shape *s = &entry_type(in[i])->shape;
    if (d->wanted[i]) d->in_grad[i] = sum_repeated(d->b, p, g, s, at);
    at += s->dim[1];
  }
  return d->b->status;
}

static Status backward_data_grad(Gradient *d) {
  const int64_t scale = ((const BilinearParams *)gradient_params(d))->scale;
  const Entry *in = d->node->in, h = d->out_grad[0];
  if (d->wanted[0]) d->in_grad[0] = spread(d->b, scale, h, in[1]);
  if (d->wanted[1]) d->in_grad[1] = backward_weight(d->b, scale, in[0], h);
  return d->b->status;
}

static Status backward_weight_grad(Gradient *d) {
  const int64_t scale = ((const BilinearParams *)gradient_params(d))->scale;
  const Entry *in = d->node->in, h = d->out_grad[0];
  if (d->wanted[0]) d->in_grad[0] = spread(d->b, scale, in[1], h);
  if (d->wanted[1]) d->in_grad[1] = backward_data(d->b, scale, in[0], h);
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define BACKWARD_ROW(title, text, operands)                                                                      \
  { .name = "_backward_upsampling_" #title, .doc = text, .inputs = operands, .params = "scale int - The factor.\n", \
    .params_size = sizeof(BilinearParams), .flags = OP_INTERNAL, .infer = infer_backward_##title,                  \
    .forward = backward_##title##_forward, .grad = backward_##title##_grad }

/* clang-format off */
Op upsampling_ops[] = {
  { .name = "UpSampling",
    .doc = "Enlarges height and width of (batch, channel, height, width) by `scale`. nearest repeats each element; "
           "more arrays are enlarged to the first one's new size and concatenated along channels, or added. bilinear "
           "reads data and weight, (channels, 1, k, k) with k = 2 scale - scale % 2, and adds each element times its "
           "channel's weights around its position; initializer.Bilinear has weights that interpolate",
    .example = "F.UpSampling(F.array{{{{1, 2}, {3, 0.5}}}}, {scale = 2, sample_type = \"nearest\"})\n"
               "F.UpSampling(F.array{{{{1, 2}, {3, 0.5}}}}, F.array{{{{4}}, {{-1}}}}, "
               "{scale = 1, sample_type = \"nearest\"})\n"
               "F.UpSampling(F.array{{{{1, 2}, {3, 0.5}}}}, F.array{{{{4, 1}}}}, "
               "{scale = 1, sample_type = \"nearest\", "
               "multi_input_mode = \"sum\"})\n"
               "F.UpSampling(F.array{{{{1, 2}, {3, 0.5}}}}, F.array{{{{0.1, 0.3, 0.3, 0.1}, {0.3, 0.8, 0.7, 0.2}, "
               "{0.3, 0.7, 0.6, 0.3}, {0.1, 0.2, 0.3, -0.1}}}}, {scale = 2, sample_type = \"bilinear\", num_filter = "
               "1})",
    .inputs = "data weight arg...", .initializers = "weight [\"bilinear\", {}]",
    .params = "scale int - The factor.\n"
              "num_filter int 0 The number of channels; for bilinear.\n"
              "sample_type {bilinear,nearest} - The method.\n"
              "multi_input_mode {concat,sum} concat How nearest combines several arrays.\n"
              "num_args int - Number of arrays.\n"
              "workspace int 512 Accepted for MXNet's sake.\n",
    .params_size = sizeof(UpSamplingParams), .flags = OP_VARIADIC, .n_inputs = upsampling_inputs,
    .infer = infer_upsampling, .forward = upsampling_forward, .flops = upsampling_flops, .grad = upsampling_grad },
  BACKWARD_ROW(data, "The gradient of data, with bilinear", "g weight"),
  BACKWARD_ROW(weight, "The gradient of weight, with bilinear", "g data"),
  { 0 }
};
/* clang-format on */
