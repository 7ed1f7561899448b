/* deconvolution.c - Deconvolution over one to three axes, with groups of channels.
**
** Consider the convolution from the output's shape to data's, with the same weight: Deconvolution is its gradient with
** respect to its data, plus bias. So Convolution and its gradient rows express gradients of any order. Each element, to
** the bit, is conv_algorithm.h's chain over (tap, channel) + 0, + bias. The kernel: kernels/conv/deconvolution_kernels.c.
*/
#include "ops/nn/deconvolution.h"

#include <string.h>

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/nn/window_params.h"
#include "ops/op_registry.h"

typedef struct DeconvolutionParams {
  List kernel, stride, dilate, pad, adj, target_shape;
  int64_t num_filter, num_group, workspace, no_bias, cudnn_tune, cudnn_off, layout;
  const char *check;
} DeconvolutionParams;

static int deconvolution_inputs(const Query *q) { return ((const DeconvolutionParams *)q->params)->no_bias ? 2 : 3; }

/* ---- Inference ------------------------------------------------------------------------------------------ */

/* Is target_shape given? Zeros mean that it is not. */
static bool has_target(const DeconvolutionParams *p) {
  for (int i = 0; i < (int)p->target_shape.count; i++)
    if (p->target_shape.u.i[i] != 0) return true;
  return false;
}

/* Finds the output's size along an axis from pad and adj; `in` is data's size, which may be UNKNOWN. */
static Status padded_places(const DeconvolutionParams *p, const Windows *w, int axis, int64_t in, int64_t *places) {
  const int at = WINDOW_AXES - w->axes + axis;
  const int64_t adj = p->adj.count == 0 ? 0 : p->adj.u.i[axis];
  if (adj < 0 || adj >= w->stride[at])
    return fail("adj: expected numbers from 0 to below stride, got %lld where stride is %lld", (long long)adj,
                (long long)w->stride[at]);
  if (in < 0) return OK;
  *places = w->stride[at] * (in - 1) + windows_span(w, at) - 2 * w->pad[at] + adj;
  if (*places < 1)
    return fail("pad: expected less, so that axis %d is not empty, got %lld on both sides of %lld elements", 2 + axis,
                (long long)w->pad[at], (long long)(*places + 2 * w->pad[at]));
  return OK;
}

/* The same from target_shape; pad becomes half of the difference, rounded up. */
static Status target_places(const DeconvolutionParams *p, Windows *w, int axis, int64_t in, int64_t *places) {
  const int at = WINDOW_AXES - w->axes + axis;
  *places = p->target_shape.u.i[axis];
  if (*places < 1) return fail("target_shape: expected numbers of 1 or more, got %lld", (long long)*places);
  if (in < 0) return OK;
  const int64_t whole = w->stride[at] * (in - 1) + windows_span(w, at), less = whole - *places;
  if (less < 0)
    return fail("target_shape: expected at most %lld along axis %d, got %lld", (long long)whole, 2 + axis,
                (long long)*places);
  if (less % 2 >= w->stride[at])
    return fail("target_shape: expected %lld minus an even number along axis %d, where stride is 1, got %lld",
                (long long)whole, 2 + axis, (long long)*places);
  w->pad[at] = (less + 1) / 2;
  return OK;
}

/* Finds the window of the convolution whose gradient this is: its input is the output here, and its output is data.
** Sizes may be UNKNOWN. */
static Status read_windows(const DeconvolutionParams *p, const Shape *data, Windows *w) {
  const bool target = has_target(p);
  TRY(windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, w));
  if (p->adj.count != 0 && p->adj.count != w->axes)
    return fail("adj: expected %d numbers, as in kernel, got %lld", w->axes, (long long)p->adj.count);
  if (target && p->target_shape.count != w->axes)
    return fail("target_shape: expected %d numbers, as in kernel, got %lld", w->axes, (long long)p->target_shape.count);
  for (int i = 0; i < w->axes; i++) {
    const int at = WINDOW_AXES - w->axes + i;
    const int64_t in = data->ndim == w->axes + 2 ? data->dim[2 + i] : UNKNOWN;
    if (in == 0) return fail("data: expected 1 or more elements along axis %d, got 0", 2 + i);
    w->in[at] = w->out[at] = in < 0 ? UNKNOWN : in;
    TRY(target ? target_places(p, w, i, in, &w->in[at]) : padded_places(p, w, i, in, &w->in[at]));
  }
  return OK;
}

static Status infer_deconvolution_types(Infer *f) {
  const DeconvolutionParams *p = f->params;
  Shape *data = &f->in[0].shape, bias = { 1, { p->num_filter } };
  Windows w;
  TRY(check_filters(p->num_filter, p->num_group));
  TRY(read_windows(p, data, &w));
  TRY(windows_layout(p->layout, w.axes));
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(windows_dims(data, w.axes, false));
  if (data->ndim < 0) return OK;
  const int64_t channels = data->dim[1];
  if (channels >= 0 && channels % p->num_group != 0)
    return fail("num_group: expected a divisor of the %lld channels of data %s, got %lld", (long long)channels,
                shape_text(data), (long long)p->num_group);
  Shape weight = { .ndim = w.axes + 2, .dim = { channels, p->num_filter / p->num_group } };
  Shape out = { .ndim = w.axes + 2, .dim = { data->dim[0], p->num_filter } };
  for (int i = 0; i < w.axes; i++) {
    weight.dim[2 + i] = w.kernel[WINDOW_AXES - w.axes + i];
    out.dim[2 + i] = w.in[WINDOW_AXES - w.axes + i];
  }
  TRY(input_shape(f, 1, &weight));
  if (f->n_in > 2) TRY(input_shape(f, 2, &bias));
  data->dim[1] = f->in[1].shape.dim[0];
  TRY(output_shape(f, 0, &out));
  data->dim[0] = f->out[0].shape.dim[0];
  return OK;
}

static Status infer_deconvolution(Infer *f) {
  const Status s = infer_deconvolution_types(f);
  const Shape *data = &f->in[0].shape, *weight = &f->in[1].shape;
  if (s == OK) return OK;
  const bool comparable = data->ndim == weight->ndim && data->ndim > 1;
  return layer_error(f, s, "channels", comparable ? weight->dim[0] : UNKNOWN, comparable ? data->dim[1] : UNKNOWN,
                     windows_hint(data));
}

/* ---- Sizes and form ------------------------------------------------------------------------------------- */

Convolution deconvolution_of(const void *params, const Type *data) {
  const DeconvolutionParams *p = params;
  Convolution v = {
    .dtype = data->dtype, .images = data->shape.dim[0], .groups = p->num_group, .direct = p->cudnn_off
  };
  (void)read_windows(p, &data->shape, &v.w);
  v.channels = p->num_filter / p->num_group;
  v.filters = data->shape.dim[1] / p->num_group;
  return v;
}

static const char *deconvolution_form_text(const Query *q) {
  const Convolution v = deconvolution_of(q->params, query_in(q, 0));
  return convolution_form(&v).text;
}

/* A multiply-add for each element of data and each weight of its channel. */
static double deconvolution_flops(const Query *q) {
  const Shape *weight = &query_in(q, 1)->shape;
  double bias = ((const DeconvolutionParams *)q->params)->no_bias ? 0 : (double)shape_size(&query_out(q, 0)->shape);
  return 2 * (double)shape_size(&query_in(q, 0)->shape) * (double)shape_size_range(weight, 1, weight->ndim) + bias;
}

/* ---- Gradient ------------------------------------------------------------------------------------------- */

static Status deconvolution_grad(Gradient *d) {
  const DeconvolutionParams *p = gradient_params(d);
  const Entry *in = d->node->in, g = d->out_grad[0];
  const Shape *data = &entry_type(in[0])->shape, *out = &entry_type(g)->shape;
  ConvGradParams b = { .of = { .kernel = p->kernel,
                               .stride = p->stride,
                               .dilate = p->dilate,
                               .pad = { .count = p->kernel.count },
                               .num_filter = data->dim[1],
                               .num_group = p->num_group,
                               .workspace = 1024,
                               .no_bias = true,
                               .cudnn_off = p->cudnn_off,
                               .cudnn_tune = NONE,
                               .layout = NONE },
                       .shape = list_of_shape(out) };
  Windows w;
  TRY(read_windows(p, data, &w));
  memcpy(b.of.pad.u.i, w.pad + WINDOW_AXES - w.axes, (size_t)w.axes * sizeof *w.pad);
  if (d->wanted[0]) d->in_grad[0] = build_op(d->b, "Convolution", &(ConvolutionLayer){ b.of, NULL }, 2, g, in[1]);
  if (d->wanted[1]) d->in_grad[1] = build_op(d->b, "_backward_convolution_weight", &b, 2, in[0], g);
  if (d->node->n_in > 2 && d->wanted[2]) d->in_grad[2] = build_channel_sums(d->b, g);
  return d->b->status;
}

/* ---- Row ------------------------------------------------------------------------------------------------ */

/* clang-format off */
Op deconvolution_ops[] = {
  { .name = "Deconvolution",
    .doc = "Transposed convolution: each element of data adds the weights of its channel, times itself, to the window "
           "at its position in the output; then bias is added. It is the gradient, with respect to data, of the "
           "convolution from the output's shape to data's. data is (batch, channel, width), (batch, channel, height, "
           "width) or (batch, channel, depth, height, width). weight is (channels, num_filter / num_group, *kernel); "
           "the shapes of weight and bias are inferred. An axis of size n becomes (n - 1) stride + dilate (kernel - 1) "
           "+ 1 - 2 pad + adj",
    .example = "F.Deconvolution(F.array{{{{1, 2}, {0, -1}}}}, F.array{{{{1, 0}, {2, -1}}, {{0.5, 1}, {0, 1}}}}, "
               "F.array{0.1, -0.2}, {kernel = {2, 2}, num_filter = 2, no_bias = false})\n"
               "F.Deconvolution(F.array{{{1, 2, 0}, {0, 1, -1}}}, F.array{{{1, 2, 1}}, {{0.5, -1, 3}}}, "
               "{kernel = {3}, stride = {2}, dilate = {2}, pad = {1}, adj = {1}, num_filter = 2, num_group = 2})\n"
               "F.Deconvolution(F.array{{{{{1, 2}, {3, 4}}, {{0, 1}, {-1, 2}}}}}, F.array{{{{{1, -1}}, {{2, 0.5}}}}}, "
               "{kernel = {2, 1, 2}, stride = {1, 2, 2}, target_shape = {3, 3, 3}, num_filter = 1})",
    .inputs = "data weight bias",
    .params = "kernel shape - The window: (width), (height, width) or (depth, height, width).\n"
              "stride shape () The distance between windows of neighbouring elements; () for 1.\n"
              "dilate shape () The distance between elements of the window; () for 1.\n"
              "pad shape () Number of elements removed from each side of the output; () for none.\n"
              "adj shape () Number of elements added at the output's end, less than stride; () for none.\n"
              "target_shape shape () The output's size, instead of pad and adj; () for none.\n"
              "num_filter int - The number of filters, which are the output's channels.\n"
              "num_group int 1 Number of groups of channels and filters; a channel adds to its group's filters.\n"
              "workspace int 512 Accepted for MXNet's sake.\n"
              "no_bias bool True Omit bias.\n"
              "cudnn_tune {off,limited_workspace,fastest}? None Accepted for MXNet's sake.\n"
              CUDNN_OFF
              "layout " WINDOW_LAYOUTS
              "_check string? None First words of errors about data.\n",
    .params_size = sizeof(DeconvolutionParams), .n_inputs = deconvolution_inputs, .infer = infer_deconvolution,
    .form = deconvolution_form_text, .flops = deconvolution_flops, .grad = deconvolution_grad },
  { 0 }
};
/* clang-format on */
