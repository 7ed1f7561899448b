/* convolution.c - Convolution over one to three axes, with groups of channels, and its gradients.
**
** The operator is linear in data and in weight, and so are both its gradients. Each of the three is the gradient of the
** others, so these rows and the sum for bias express gradients of any order. The kernels:
** kernels/conv/convolution_kernels.c; kernels/conv/conv_algorithm.h defines each element, to the bit.
*/
#include "ops/nn/convolution.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/nn/window_params.h"
#include "ops/op_registry.h"

static int convolution_inputs(const Query *q) { return ((const ConvolutionParams *)q->params)->no_bias ? 2 : 3; }

/* ---- Inference ------------------------------------------------------------------------------------------ */

Status check_filters(int64_t filters, int64_t groups) {
  if (filters < 1) return fail("num_filter: expected 1 or more, got %lld", (long long)filters);
  if (groups < 1 || filters % groups != 0)
    return fail("num_group: expected a divisor of num_filter = %lld, got %lld", (long long)filters, (long long)groups);
  return OK;
}

/* Finds the output's size along an axis of data. */
static Status output_places(const Windows *w, const Shape *data, int axis, int64_t *places) {
  const int at = WINDOW_AXES - w->axes + axis;
  const int64_t in = data->dim[2 + axis], left = in + 2 * w->pad[at] - windows_span(w, at);
  if (in < 0) {
    *places = UNKNOWN;
    return OK;
  }
  if (left < 0)
    return fail("kernel: expected a window that fits into the padded data %s, got size %lld along axis %d%s",
                shape_text(data), (long long)windows_span(w, at), 2 + axis, windows_hint(data));
  *places = left / w->stride[at] + 1;
  return OK;
}

static Status weight_shape(const Windows *w, const Shape *data, int64_t filters, int64_t groups, Shape *weight) {
  int64_t channels = data->ndim < 0 ? UNKNOWN : data->dim[1];
  if (channels >= 0 && channels % groups != 0)
    return fail("num_group: expected a divisor of the %lld channels of data %s, got %lld", (long long)channels,
                shape_text(data), (long long)groups);
  *weight = (Shape){ .ndim = w->axes + 2, .dim = { filters, channels < 0 ? UNKNOWN : channels / groups } };
  for (int i = 0; i < w->axes; i++) weight->dim[2 + i] = w->kernel[WINDOW_AXES - w->axes + i];
  return OK;
}

/* Data and the output of a convolution determine each other's batch and, with stride 1, each other's size; with other
** strides data determines the output's size. */
static Status infer_places(const Windows *w, Shape *data, Shape *out, int64_t filters) {
  if (data->ndim < 0) return OK;
  Shape s = { .ndim = w->axes + 2, .dim = { data->dim[0], filters } };
  for (int i = 0; i < w->axes; i++) TRY(output_places(w, data, i, &s.dim[2 + i]));
  if (!shape_merge(out, &s)) return fail("output: expected shape %s, got %s", shape_text(&s), shape_text(out));
  data->dim[0] = out->dim[0];
  for (int i = 0; i < w->axes; i++) {
    const int at = WINDOW_AXES - w->axes + i;
    const int64_t places = out->dim[2 + i] + windows_span(w, at) - 1 - 2 * w->pad[at];
    if (data->dim[2 + i] < 0 && out->dim[2 + i] >= 0 && w->stride[at] == 1 && places > 0) data->dim[2 + i] = places;
  }
  return OK;
}

static Status infer_convolution_types(Infer *f) {
  const ConvolutionParams *p = f->params;
  Shape *data = &f->in[0].shape, bias = { 1, { p->num_filter } }, weight;
  Windows w;
  TRY(windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, &w));
  TRY(check_filters(p->num_filter, p->num_group));
  TRY(windows_layout(p->layout, w.axes));
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(windows_dims(data, w.axes, false));
  if (data->ndim < 0) return OK;
  TRY(weight_shape(&w, data, p->num_filter, p->num_group, &weight));
  TRY(input_shape(f, 1, &weight));
  if (f->n_in > 2) TRY(input_shape(f, 2, &bias));
  if (f->in[1].shape.dim[1] >= 0) data->dim[1] = f->in[1].shape.dim[1] * p->num_group;
  return infer_places(&w, data, &f->out[0].shape, p->num_filter);
}

static Status infer_convolution(Infer *f) {
  const Status s = infer_convolution_types(f);
  const ConvolutionParams *p = f->params;
  const Shape *data = &f->in[0].shape, *weight = &f->in[1].shape;
  if (s == OK) return OK;
  const int64_t channels = data->ndim == weight->ndim && data->ndim > 1 ? data->dim[1] : UNKNOWN;
  const int64_t wanted = weight->ndim > 1 && weight->dim[1] >= 0 ? weight->dim[1] * p->num_group : UNKNOWN;
  return layer_error(f, s, "channels", wanted, channels, windows_hint(data));
}

/* Inputs are g and weight; the result is data's gradient, whose shape is a parameter. */
static Status infer_backward_data(Infer *f) {
  const ConvolutionParams *p = f->params;
  Shape data = list_shape(&((const ConvGradParams *)f->params)->shape), weight;
  Windows w;
  TRY(windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, &w));
  TRY(check_filters(p->num_filter, p->num_group));
  TRY(one_float_dtype(f, 2, 1));
  TRY(weight_shape(&w, &data, p->num_filter, p->num_group, &weight));
  TRY(input_shape(f, 1, &weight));
  TRY(infer_places(&w, &data, &f->in[0].shape, p->num_filter));
  return output_shape(f, 0, &data);
}

/* Inputs are g and data; the result is weight's gradient. */
static Status infer_backward_weight(Infer *f) {
  const ConvolutionParams *p = f->params;
  Shape weight;
  Windows w;
  TRY(windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, &w));
  TRY(check_filters(p->num_filter, p->num_group));
  TRY(one_float_dtype(f, 2, 1));
  TRY(weight_shape(&w, &f->in[1].shape, p->num_filter, p->num_group, &weight));
  TRY(infer_places(&w, &f->in[1].shape, &f->in[0].shape, p->num_filter));
  return output_shape(f, 0, &weight);
}

/* ---- Sizes and form ----------------------------------------------------------------------------------------- */

Convolution convolution_of(const ConvolutionParams *p, const Type *data, const Type *out) {
  const int64_t groups = p->num_group;
  Convolution v = { .dtype = data->dtype, .images = data->shape.dim[0], .groups = groups, .direct = p->cudnn_off };
  (void)windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, &v.w);
  windows_set(v.w.in, &data->shape, v.w.axes);
  windows_set(v.w.out, &out->shape, v.w.axes);
  v.channels = data->shape.dim[1] / groups;
  v.filters = out->shape.dim[1] / groups;
  return v;
}

static const char *form_of(const Query *q, const Type *data, const Type *out) {
  const Convolution v = convolution_of(q->params, data, out);
  return convolution_form(&v).text;
}

static const char *convolution_form_text(const Query *q) { return form_of(q, query_in(q, 0), query_out(q, 0)); }
static const char *backward_data_form_text(const Query *q) { return form_of(q, query_out(q, 0), query_in(q, 0)); }
static const char *backward_weight_form_text(const Query *q) { return form_of(q, query_in(q, 1), query_in(q, 0)); }

/* A multiply-add for each term of each element of a convolution's output. */
static double flops_of(const Shape *weight, const Shape *out) {
  return 2 * (double)shape_size(out) * (double)shape_size_range(weight, 1, weight->ndim);
}

static double convolution_flops(const Query *q) {
  double bias = ((const ConvolutionParams *)q->params)->no_bias ? 0 : (double)shape_size(&query_out(q, 0)->shape);
  return flops_of(&query_in(q, 1)->shape, &query_out(q, 0)->shape) + bias;
}

static double backward_data_flops(const Query *q) { return flops_of(&query_in(q, 1)->shape, &query_in(q, 0)->shape); }
static double backward_weight_flops(const Query *q) {
  return flops_of(&query_out(q, 0)->shape, &query_in(q, 0)->shape);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

Entry build_channel_sums(Builder *b, Entry g) {
  ReduceParams channels = { .axis = { .count = 1, .u.i = { 1 } }, .exclude = true };
  return build_op(b, "sum", &channels, 1, g);
}

static Status convolution_grad(Gradient *d) {
  const Entry *in = d->node->in, g = d->out_grad[0];
  ConvGradParams p = { *(const ConvolutionParams *)gradient_params(d), list_of_shape(&entry_type(in[0])->shape) };
  p.of.no_bias = true;
  if (d->wanted[0]) d->in_grad[0] = build_op(d->b, "_backward_convolution_data", &p, 2, g, in[1]);
  if (d->wanted[1]) d->in_grad[1] = build_op(d->b, "_backward_convolution_weight", &p, 2, g, in[0]);
  if (d->node->n_in > 2 && d->wanted[2]) d->in_grad[2] = build_channel_sums(d->b, g);
  return d->b->status;
}

/* h, the upstream gradient, has data's shape. */
static Status backward_data_grad(Gradient *d) {
  const ConvGradParams *p = gradient_params(d);
  const Entry *in = d->node->in, h = d->out_grad[0];
  if (d->wanted[0]) d->in_grad[0] = build_op(d->b, "Convolution", &(ConvolutionLayer){ p->of, NULL }, 2, h, in[1]);
  if (d->wanted[1]) d->in_grad[1] = build_op(d->b, "_backward_convolution_weight", p, 2, in[0], h);
  return d->b->status;
}

/* h has weight's shape. */
static Status backward_weight_grad(Gradient *d) {
  const ConvGradParams *p = gradient_params(d);
  const Entry *in = d->node->in, h = d->out_grad[0];
  if (d->wanted[0]) d->in_grad[0] = build_op(d->b, "Convolution", &(ConvolutionLayer){ p->of, NULL }, 2, in[1], h);
  if (d->wanted[1]) d->in_grad[1] = build_op(d->b, "_backward_convolution_data", p, 2, in[0], h);
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define CONVOLUTION_PARAMS WINDOW_PARAMS                                                                  \
  "num_filter int - The number of filters, which are the output's channels.\n"                           \
  "num_group int 1 Number of groups of channels and filters; a filter reads its group's channels.\n"    \
  "workspace int 1024 Accepted for MXNet's sake.\n"                                                      \
  "no_bias bool False Omit bias.\n"                                                                      \
  "cudnn_tune {off,limited_workspace,fastest}? None Accepted for MXNet's sake.\n"                        \
  CUDNN_OFF                                                                                              \
  "layout " WINDOW_LAYOUTS

#define BACKWARD_ROW(title, text, operands, run)                                                            \
  { .name = "_backward_convolution_" #title, .doc = text, .inputs = operands,                               \
    .params = CONVOLUTION_PARAMS "shape shape - The shape of data.\n",                                      \
    .params_size = sizeof(ConvGradParams), .flags = OP_INTERNAL | OP_IN_FILES, .infer = infer_##run,        \
    .form = run##_form_text, .flops = run##_flops, .grad = run##_grad }

/* clang-format off */
Op convolution_ops[] = {
  { .name = "Convolution",
    .doc = "For each filter and each position of the window, the sum of products of weights and data, plus bias. data "
           "is (batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width). "
           "weight is (num_filter, channels / num_group, *kernel); the shapes of weight and bias are inferred. "
           "Products are added in the order (channel, *kernel), in blocks of 1024. In float32, 3x3 and 5x5 windows "
           "with stride 1 over 16 channels or more are computed with fewer products. Rounding errors are then relative "
           "to the largest element in the surrounding 6x6 positions, and a NaN or infinity affects up to 8x8 positions",
    .example = "F.Convolution(F.array{{{{1, 2, 0}, {0, -1, 3}, {2, 1, 1}}}}, F.array{{{{1, 0}, {2, -1}}}, "
               "{{{0.5, 1}, {0, 1}}}}, F.array{0.1, -0.2}, {kernel = {2, 2}, num_filter = 2})\n"
               "F.Convolution(F.array{{{1, 2, 0, 4, 3}, {0, 1, -1, 2, 1}}}, F.array{{{1, 2}}, {{0.5, -1}}}, "
               "{kernel = {2}, stride = {2}, dilate = {2}, pad = {1}, num_filter = 2, num_group = 2, no_bias = true})\n"
               "F.Convolution(F.array{{{{{1, 2}, {3, 4}}, {{0, 1}, {-1, 2}}}}}, F.array{{{{{1, -1}}, {{2, 0.5}}}}}, "
               "F.array{0.5}, {kernel = {2, 1, 2}, pad = {0, 0, 1}, stride = {1, 2, 1}, num_filter = 1})",
    .inputs = "data weight bias",
    .params = CONVOLUTION_PARAMS "_check string? None First words of errors about data.\n",
    .params_size = sizeof(ConvolutionLayer), .n_inputs = convolution_inputs, .infer = infer_convolution,
    .flags = OP_REPORTS_TILES, .form = convolution_form_text, .flops = convolution_flops, .grad = convolution_grad },
  BACKWARD_ROW(data, "The gradient of data", "g weight", backward_data),
  BACKWARD_ROW(weight, "The gradient of weight", "g data", backward_weight),
  { 0 }
};
/* clang-format on */
