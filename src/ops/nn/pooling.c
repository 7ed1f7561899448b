/* pooling.c - Pooling: the maximum, mean, sum or norm over windows, along one to three axes.
**
** The kernels: kernels/conv/pooling_kernels.c. Gradients: the row of the maximum's gradient and its reverse, which
** reads the element at the maximum, are each other's gradients. So are Pooling and the gradient of sum and mean. The
** gradient of the norm consists of operators.
*/
#include "ops/nn/pooling.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* Parameters of the gradient row; `shape` is data's shape, and so the output's. */
typedef struct PoolingBackwardParams { PoolingParams pooling; List shape; } PoolingBackwardParams;

enum { POOL_VALID, POOL_FULL, POOL_SAME };

/* In MXNet the maximum has a second, hidden output. */
static int pooling_outputs(const Query *q) { return ((const PoolingParams *)q->params)->pool_type == POOL_MAX ? 2 : 1; }

/* ---- Layouts -------------------------------------------------------------------------------------------- */

Shape pooling_channels_first(const PoolingParams *p, const Shape *s) {
  Shape out = *s;
  if (!pooling_channels_last(p) || s->ndim < 3) return out;
  out.dim[1] = s->dim[s->ndim - 1];
  for (int i = 2; i < s->ndim; i++) out.dim[i] = s->dim[i - 1];
  return out;
}

/* The reverse. */
static Shape as_laid_out(const PoolingParams *p, const Shape *s) {
  Shape out = *s;
  if (!pooling_channels_last(p) || s->ndim < 3) return out;
  out.dim[s->ndim - 1] = s->dim[1];
  for (int i = 2; i < s->ndim; i++) out.dim[i - 1] = s->dim[i];
  return out;
}

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status output_places(const PoolingParams *p, const Windows *w, const Shape *data, int axis, int64_t *places) {
  const int at = WINDOW_AXES - w->axes + axis;
  const int64_t in = data->dim[2 + axis], stride = w->stride[at], left = in + 2 * w->pad[at] - w->kernel[at];
  const Shape given = as_laid_out(p, data);
  if (in < 0) {
    *places = UNKNOWN;
    return OK;
  }
  if (p->pooling_convention == POOL_SAME) {
    *places = windows_ceil(in, stride);
    return OK;
  }
  if (left < 0)
    return fail("kernel: expected a window that fits into the padded data %s, got size %lld along axis %d%s",
                shape_text(&given), (long long)w->kernel[at], (pooling_channels_last(p) ? 1 : 2) + axis,
                pooling_channels_last(p) ? "" : windows_hint(data));
  *places = (p->pooling_convention == POOL_FULL ? windows_ceil(left, stride) : left / stride) + 1;
  return OK;
}

static Status check_params(const PoolingParams *p, const Windows *w) {
  if (p->pool_type == POOL_LP && (p->p_value < 1 || p->p_value > 3)) {
    if (p->p_value == NONE) return fail("p_value: expected 1, 2 or 3 if pool_type is lp, got nothing");
    return fail("p_value: expected 1, 2 or 3, got %lld", (long long)p->p_value);
  }
  for (int a = 0; a < WINDOW_AXES && p->pooling_convention == POOL_SAME; a++)
    if (w->pad[a] > 0) return fail("pad: expected none if pooling_convention is same, got %lld", (long long)w->pad[a]);
  return OK;
}

/* Finds the output's shape, with channels first, from data's shape, whose number of dimensions is known. */
static Status pooled_shape(const PoolingParams *p, const Windows *w, const Shape *data, Shape *out) {
  *out = *data;
  for (int i = 0; i < data->ndim - 2; i++) {
    if (p->global_pool) out->dim[2 + i] = 1;
    else TRY(output_places(p, w, data, i, &out->dim[2 + i]));
  }
  return OK;
}

Status pooling_windows(const PoolingParams *p, int ndim, Windows *w) {
  List pad = p->pad;
  if (pad.count <= MAX_DIMS && pad.count > p->kernel.count) pad.count = p->kernel.count; /* MXNet ignores the rest */
  if (!p->global_pool) return windows_read(&p->kernel, &p->stride, NULL, &pad, w);
  List any = { .count = ndim < 0 ? 1 : ndim - 2, .u.i = { 1, 1, 1 } }, none = { .count = 0 };
  return windows_read(&any, &none, NULL, &none, w);
}

static Status infer_window(const PoolingParams *p, const Shape *data, Windows *w) {
  const int wanted = p->layout == NONE ? 0 : WINDOW_AXES - (int)p->layout % WINDOW_AXES;
  if (p->global_pool && data->ndim >= 0 && (data->ndim < 3 || data->ndim > 5))
    return fail("data: expected 3 to 5 dimensions (batch, channel, width), ..., got %s", shape_text(data));
  TRY(pooling_windows(p, data->ndim, w));
  if (wanted && p->global_pool) TRY(windows_dims(data, wanted, pooling_channels_last(p)));
  if (wanted && !p->global_pool && wanted != w->axes)
    return fail("layout: expected %s for a kernel of %d numbers, got %s", windows_layout_name(w->axes, false), w->axes,
                windows_layout_name(wanted, pooling_channels_last(p)));
  if (!p->global_pool) TRY(windows_dims(data, w->axes, pooling_channels_last(p)));
  return check_params(p, w);
}

static Status infer_pooling(Infer *f) {
  const PoolingParams *p = f->params;
  Shape *data = &f->in[0].shape, first, out;
  Windows w;
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(infer_window(p, data, &w));
  TRY(infer_empty_outputs(f));
  if (data->ndim < 0) return OK;
  first = pooling_channels_first(p, data);
  TRY(pooled_shape(p, &w, &first, &out));
  out = as_laid_out(p, &out);
  TRY(output_shape(f, 0, &out));
  out = pooling_channels_first(p, &f->out[0].shape);
  for (int i = 0; i < 2; i++) first.dim[i] = out.dim[i];
  *data = as_laid_out(p, &first);
  return OK;
}

/* Inputs (g, data, out), a result with data's shape. */
static Status infer_backward_max(Infer *f) {
  TRY(one_float_dtype(f, 3, 1));
  TRY(one_shape(f, 1, 0));
  return input_shape(f, 2, &f->in[0].shape);
}

/* Inputs (h, data, out), where h has data's shape; a result with the output's shape. */
static Status infer_at_max(Infer *f) {
  TRY(one_float_dtype(f, 3, 1));
  TRY(one_shape(f, 2, 0));
  return input_shape(f, 1, &f->in[0].shape);
}

static Status infer_backward_sum(Infer *f) {
  Shape data = list_shape(&((const PoolingBackwardParams *)f->params)->shape);
  TRY(one_float_dtype(f, 1, 1));
  return output_shape(f, 0, &data);
}

/* ---- Arithmetic ------------------------------------------------------------------------------------------- */

/* An operation per element of each window. */
static double pooling_flops(const Query *q) {
  const PoolingParams *p = q->params;
  const Shape *data = &query_in(q, 0)->shape;
  if (p->global_pool) return (double)shape_size(data);
  double places = (double)shape_size(&query_out(q, 0)->shape);
  for (int i = 0; i < p->kernel.count; i++) places *= (double)list_ints(&p->kernel)[i];
  return places;
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Entry backward_sum(Builder *b, const PoolingParams *p, int64_t type, Entry g, const Shape *data) {
  PoolingBackwardParams q = { *p, list_of_shape(data) };
  q.pooling.pool_type = type;
  return build_op(b, "_backward_pooling_sum", &q, 1, g);
}

/* The gradient of the p-norm y of x: g (x / y)^(p - 1), or 0 if y is 0. */
static Entry norm_gradient(Builder *b, const PoolingParams *p, Entry g, Entry x, Entry y) {
  const Shape *data = &entry_type(x)->shape;
  if (p->p_value == 1) return backward_sum(b, p, POOL_SUM, g, data);
  Entry over = p->p_value == 2 ? x : build_op(b, "square", NULL, 1, x);
  Entry under = p->p_value == 2 ? y : build_op(b, "square", NULL, 1, y);
  Entry ratio = build_op(b, "elemwise_div", NULL, 2, g, under);
  Entry zero = build_op(b, "_equal_scalar", &(ScalarParams){ 0 }, 1, y);
  Entry share = build_op(b, "where", NULL, 3, zero, build_zeros_like(b, g), ratio);
  return build_op(b, "elemwise_mul", NULL, 2, backward_sum(b, p, POOL_SUM, share, data), over);
}

static Status pooling_grad(Gradient *d) {
  const PoolingParams *p = gradient_params(d);
  const Entry x = d->node->in[0], y = { d->node, 0 }, g = d->out_grad[0];
  if (p->pool_type == POOL_MAX) return only_gradient(d, build_op(d->b, "_backward_pooling_max", p, 3, g, x, y));
  if (p->pool_type == POOL_LP) return only_gradient(d, norm_gradient(d->b, p, g, x, y));
  return only_gradient(d, backward_sum(d->b, p, p->pool_type, g, &entry_type(x)->shape));
}

static Status grad_at_max(Gradient *d, const char *row) {
  const Entry *in = d->node->in;
  return only_gradient(d, build_op(d->b, row, gradient_params(d), 3, d->out_grad[0], in[1], in[2]));
}

static Status backward_max_grad(Gradient *d) { return grad_at_max(d, "_pooling_at_max"); }
static Status at_max_grad(Gradient *d) { return grad_at_max(d, "_backward_pooling_max"); }
static Status backward_sum_grad(Gradient *d) { return gradient_by(d, "Pooling"); }

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define POOLING_PARAMS                                                                                              \
  "kernel shape () The window: (width), (height, width) or (depth, height, width).\n"                               \
  "pool_type {max,avg,sum,lp} max What to compute; lp: the root of the sum of powers p_value.\n"                     \
  "global_pool bool False The window covers each whole channel; kernel, stride and pad have no effect.\n"            \
  "cudnn_off bool False Accepted for MXNet's sake.\n"                                                               \
  "pooling_convention {valid,full,same} valid valid: every window is inside the padded data; full: the last may "    \
  "extend beyond it; same: one window per stride, without pad.\n"                                                   \
  "stride shape () The window's steps; () for 1.\n"                                                                 \
  "pad shape () Number of elements added on each side; () for none. A maximum ignores them.\n"                      \
  "p_value int? None The power of lp: 1, 2 or 3.\n"                                                                 \
  "count_include_pad bool? None Does a mean count added elements? None: yes.\n"                                     \
  "layout {NCDHW,NCHW,NCW,NDHWC,NHWC,NWC}? None The order of data's dimensions; None: channels are axis 1.\n"

/* clang-format off */
Op pooling_ops[] = {
  { .name = "Pooling",
    .doc = "The maximum (max), mean (avg), sum or p-norm (lp) over a window, at each of its positions. data is (batch, "
           "channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width); with layout "
           "NWC, NHWC or NDHWC, channels are the last axis. Among equal maxima the first gets the gradient. As in "
           "MXNet, lp does not take absolute values, and the maximum of a window with only padding is the lowest "
           "finite number. pooling_convention \"same\" works for all types, in MXNet only for maxima along one axis",
    .example = "F.Pooling(F.array{{{{1, 2, 0.5, 4}, {3, -1, 1.5, 0}, {2.5, 5, 6, 1.2}}}}, {kernel = {2, 2}})\n"
               "F.Pooling(F.array{{{{1, 2, 0.5, 4}, {3, -1, 1.5, 0}, {2.5, 5, 6, 1.2}}}}, {kernel = {3, 2}, "
               "stride = {2, 2}, pad = {1, 1}, pool_type = \"avg\"})\n"
               "F.Pooling(F.array{{{{1, 2, 0.5, 4}, {3, -1, 1.5, 0}, {2.5, 5, 6, 1.2}}}}, {kernel = {2, 2}, "
               "stride = {2, 2}, pad = {0, 1}, pool_type = \"avg\", count_include_pad = false, "
               "pooling_convention = \"full\"})\n"
               "F.Pooling(F.array{{{1, 2, 0.5, 4, 3}}}, {kernel = {3}, stride = {2}, pooling_convention = \"same\", "
               "pool_type = \"sum\"})\n"
               "F.Pooling(F.array{{{{1, 2, 0.5}, {3, 0.7, 1.5}}}}, {kernel = {2, 2}, pool_type = \"lp\", "
               "p_value = 2})\n"
               "F.Pooling(F.array{{{1, 2, 0.5, 4, 3}}}, {kernel = {2}, pool_type = \"lp\", p_value = 3})\n"
               "F.Pooling(F.array{{{{1, 2}, {3, 4}}, {{0.5, 1}, {-1, 2}}}}, {global_pool = true, "
               "pool_type = \"avg\"})\n"
               "F.Pooling(F.array{{{{1, 2}, {3, 4}}, {{0.5, 1}, {-1, 2}}}}, {kernel = {2, 1}, layout = \"NHWC\", "
               "pool_type = \"avg\"})\n"
               "F.Pooling(F.array{{{1, 2}, {3, 0.5}, {-1, 4}}}, {kernel = {2}, layout = \"NWC\"})\n"
               "F.Pooling(F.array{{{{{1, 2}, {3, 4}}, {{0, 1}, {-1, 2}}}}}, {kernel = {2, 1, 2}, pool_type = \"max\"})",
    .inputs = "data", .outputs = "output workspace", .params = POOLING_PARAMS, .params_size = sizeof(PoolingParams),
    .n_outputs = pooling_outputs, .n_visible = one_visible, .unused = hidden_empty, .flags = OP_NAMED_INPUT,
    .infer = infer_pooling, .flops = pooling_flops, .grad = pooling_grad },
  { .name = "_backward_pooling_max", .doc = "The gradient of data: g at the position of each maximum",
    .inputs = "g data output",
    .params = POOLING_PARAMS, .params_size = sizeof(PoolingParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_backward_max, .grad = backward_max_grad },
  { .name = "_pooling_at_max", .doc = "The element of an array of data's shape at the position of each maximum",
    .inputs = "values data output",
    .params = POOLING_PARAMS, .params_size = sizeof(PoolingParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_at_max, .grad = at_max_grad },
  { .name = "_backward_pooling_sum", .doc = "The gradient of data for sums and means", .inputs = "g",
    .params = POOLING_PARAMS "shape shape - The shape of data.\n", .params_size = sizeof(PoolingBackwardParams),
    .flags = OP_INTERNAL, .infer = infer_backward_sum, .grad = backward_sum_grad },
  { 0 }
};
/* clang-format on */
