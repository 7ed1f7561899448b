/* upsampling.c - UpSampling: images enlarged by an integer factor, by repetition or by weighted windows.
**
** nearest repeats each element; its gradient is the sum over the repetitions, a Pooling. Several arrays are enlarged to
** the same size and concatenated along channels, or added from left to right.
**
** bilinear adds each element, times its channel's window of weights, around its position (a Deconvolution with a group
** per channel), in the order of elements. The operator, its gradient of data and that of weight are linear in both
** operands, and each is the gradient of the other two. Gradients are summed in double.
**
** The kernels are in kernels/vision/upsampling_kernels.c.
*/
#include "ops/vision/upsampling.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static int upsampling_inputs(const Query *q) {
  const UpSamplingParams *p = q->params;
  return p->sample_type == SAMPLE_BILINEAR ? 2 : (int)p->num_args;
}

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status check_scale(int64_t scale) {
  if (scale >= 1 && scale <= 1 << 20) return OK;
  return fail("scale: expected 1 or more, got %lld", (long long)scale);
}

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
    .grad = backward_##title##_grad }

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
    .infer = infer_upsampling, .flops = upsampling_flops, .grad = upsampling_grad },
  BACKWARD_ROW(data, "The gradient of data, with bilinear", "g weight"),
  BACKWARD_ROW(weight, "The gradient of weight, with bilinear", "g data"),
  { 0 }
};
/* clang-format on */
