/* deformable_convolution.c - convolutions whose windows have learned offsets (J. Dai et al., 2017), and masks (X.
** Zhu et al., 2018).
**
** Data is sampled by bilinear interpolation, each tap of a window at its place plus an offset. The samples are
** columns, (batch, channel x taps, places), as in im2col; with masks they are multiplied by them; then they are
** multiplied by the weight. Channels are divided into deformable groups with offsets of their own: channel (group,
** tap, y or x).
**
** The row _deformed_columns has a parameter for each axis, the order of the derivative of the interpolation's
** weights. _deformed_columns_back adds g at data's positions. Each is linear in its first operand, with the other as
** gradient, and the gradient of the offset consists of columns with one more derivative, so the rows are closed
** under differentiation (as in grid_sampler.c).
**
** The kernels are in kernels/conv/deformable_convolution_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/nn/im2col.h"
#include "ops/op_registry.h"

enum { HEIGHT = WINDOW_AXES - 2, WIDTH };

/* ---- Inference ------------------------------------------------------------------------------------------ */

Status deformable_windows(const DeformedColumnsParams *p, int64_t height, int64_t width, Windows *w) {
  const int64_t size[] = { height, width };
  TRY(windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, w));
  if (w->axes != 2) return fail("kernel: expected 2 numbers, height and width, got %d", w->axes);
  for (int i = 0; i < 2; i++) {
    const int axis = HEIGHT + i;
    const int64_t left = size[i] + 2 * w->pad[axis] - windows_span(w, axis);
    w->in[axis] = size[i];
    w->out[axis] = size[i] < 0 ? UNKNOWN : left / w->stride[axis] + 1;
    if (size[i] >= 0 && left < 0)
      return fail("kernel: expected a window that fits into the padded data, got size %lld for %s %lld",
                  (long long)windows_span(w, axis), i == 0 ? "height" : "width",
                  (long long)(size[i] + 2 * w->pad[axis]));
  }
  return OK;
}

static int64_t taps_of(const Windows *w) { return w->kernel[HEIGHT] * w->kernel[WIDTH]; }

static Status check_groups(const char *name, int64_t groups, const Shape *data) {
  if (groups < 1) return fail("%s: expected 1 or more, got %lld", name, (long long)groups);
  if (data->ndim >= 0 && data->dim[1] >= 0 && data->dim[1] % groups != 0)
    return fail("%s: expected a divisor of the %lld channels of data, got %lld", name, (long long)data->dim[1],
                (long long)groups);
  return OK;
}

/* data is input 0, offset input 1; `numbers` for each tap and group: 2 for offsets, 1 for masks. */
static Status infer_points(Infer *f, int input, const Windows *w, int64_t groups, int64_t numbers) {
  const Shape *data = &f->in[0].shape;
  return input_shape(f, input,
                     &(Shape){ 4,
                               { data->ndim < 0 ? UNKNOWN : data->dim[0], numbers * groups * taps_of(w), w->out[HEIGHT],
                                 w->out[WIDTH] } });
}

static Status infer_convolution(Infer *f, bool masked) {
  const DeformableParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  const bool known = data->ndim == 4;
  const int weight = masked ? 3 : 2;
  Windows w;
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(check_images("data", data));
  const DeformedColumnsParams q = deformed_columns_of(p, masked);
  TRY(deformable_windows(&q, known ? data->dim[2] : UNKNOWN, known ? data->dim[3] : UNKNOWN, &w));
  TRY(check_groups("num_deformable_group", p->num_deformable_group, data));
  TRY(check_groups("num_group", p->num_group, data));
  if (p->num_filter < 1 || p->num_filter % p->num_group != 0)
    return fail("num_filter: expected a positive multiple of num_group = %lld, got %lld", (long long)p->num_group,
                (long long)p->num_filter);
  TRY(windows_layout(masked ? ((const DeformableV2Params *)p)->layout : ((const DeformableV1Params *)p)->layout, 2));
  TRY(infer_points(f, 1, &w, p->num_deformable_group, 2));
  if (masked) TRY(infer_points(f, 2, &w, p->num_deformable_group, 1));
  const int64_t channels = known && data->dim[1] >= 0 ? data->dim[1] / p->num_group : UNKNOWN;
  TRY(input_shape(f, weight, &(Shape){ 4, { p->num_filter, channels, w.kernel[HEIGHT], w.kernel[WIDTH] } }));
  if (!p->no_bias) TRY(input_shape(f, weight + 1, &(Shape){ 1, { p->num_filter } }));
  return output_shape(f, 0,
                      &(Shape){ 4, { known ? data->dim[0] : UNKNOWN, p->num_filter, w.out[HEIGHT], w.out[WIDTH] } });
}

static Status infer_v1(Infer *f) { return infer_convolution(f, false); }
static Status infer_v2(Infer *f) { return infer_convolution(f, true); }

static int v1_inputs(const Query *q) { return ((const DeformableParams *)q->params)->no_bias ? 3 : 4; }
static int v2_inputs(const Query *q) { return ((const DeformableParams *)q->params)->no_bias ? 4 : 5; }

static Status infer_columns(Infer *f) {
  const DeformedColumnsParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  Windows w;
  TRY(one_float_dtype(f, 2, 1));
  TRY(check_images("data", data));
  if (data->ndim < 0 || !shape_known(data)) return OK;
  TRY(deformable_windows(p, data->dim[2], data->dim[3], &w));
  TRY(check_groups("num_deformable_group", p->num_deformable_group, data));
  TRY(infer_points(f, 1, &w, p->num_deformable_group, 2));
  return output_shape(f, 0, &(Shape){ 3, { data->dim[0], data->dim[1] * taps_of(&w), w.out[HEIGHT] * w.out[WIDTH] } });
}

static Status infer_columns_back(Infer *f) {
  const Shape data = list_shape(&((const DeformedColumnsParams *)f->params)->shape);
  TRY(one_float_dtype(f, 2, 1));
  return output_shape(f, 0, &data);
}

/* ---- In terms of columns ------------------------------------------------------------------------------------- */

static Entry convolution_expand(Builder *b, Node *n, bool masked) {
  const DeformableParams *p = (const DeformableParams *)n->params->fields;
  const DeformedColumnsParams q = deformed_columns_of(p, masked);
  const Entry weight = n->in[masked ? 3 : 2];
  const Shape *out = &n->type[0].shape, *of_weight = &entry_type(weight)->shape, *data = &entry_type(n->in[0])->shape;
  const int64_t taps = of_weight->dim[2] * of_weight->dim[3], places = out->dim[2] * out->dim[3], images = out->dim[0];
  const int64_t groups = p->num_group, filters = p->num_filter / groups, deformable = p->num_deformable_group;
  Entry columns = build_op(b, "_deformed_columns", &q, 2, n->in[0], n->in[1]);
  if (masked) {
    const Shape each = { 5, { images, deformable, data->dim[1] / deformable, taps, places } };
    const Shape of_mask = { 5, { images, deformable, 1, taps, places } };
    columns = build_op(b, "broadcast_mul", NULL, 2, reshape_to(b, columns, &each), reshape_to(b, n->in[2], &of_mask));
  }
  const Shape right = { 4, { images, groups, of_weight->dim[1] * taps, places } };
  const Shape left = { 3, { groups, filters, of_weight->dim[1] * taps } };
  Entry y = build_op(b, "matmul", NULL, 2, reshape_to(b, weight, &left), reshape_to(b, columns, &right));
  y = reshape_to(b, y, out);
  if (p->no_bias) return y;
  const Shape channels = { 4, { 1, p->num_filter, 1, 1 } };
  return build_op(b, "broadcast_add", NULL, 2, y, reshape_to(b, n->in[n->n_in - 1], &channels));
}

static Entry v1_expand(Builder *b, Node *n) { return convolution_expand(b, n, false); }
static Entry v2_expand(Builder *b, Node *n) { return convolution_expand(b, n, true); }

static double convolution_flops(const Query *q) {
  const Shape *weight = query_in_shape(q, q->n_in - (((const DeformableParams *)q->params)->no_bias ? 1 : 2));
  return 2 * (double)shape_size(query_out_shape(q, 0)) * (double)shape_size_range(weight, 1, 4);
}

/* ---- Gradients of columns ------------------------------------------------------------------------------------- */

/* The products of g and columns, summed over the channels of a group: (batch, group, tap, places). They are the
** gradient of one coordinate of the offset. */
static Entry along(Builder *b, const DeformedColumnsParams *p, Entry g, Entry data, Entry offset, int64_t dy,
                   int64_t dx) {
  if (b->status != OK) return NO_ENTRY;
  DeformedColumnsParams q = *p;
  q.dy += dy;
  q.dx += dx;
  q.shape.count = 0;
  const Shape *s = &entry_type(g)->shape;
  const int64_t taps = list_ints(&p->kernel)[0] * list_ints(&p->kernel)[1], groups = p->num_deformable_group;
  const Shape each = { 5, { s->dim[0], groups, s->dim[1] / taps / groups, taps, s->dim[2] } };
  const Shape single = { 5, { s->dim[0], groups, taps, 1, s->dim[2] } };
  const ReduceParams channels = { .axis = { .count = 1, .u.i = { 2 } } };
  Entry columns = build_op(b, "_deformed_columns", &q, 2, data, offset);
  Entry product = reshape_to(b, build_op(b, "elemwise_mul", NULL, 2, g, columns), &each);
  return reshape_to(b, build_op(b, "sum", &channels, 1, product), &single);
}

static Entry offset_gradient(Builder *b, const DeformedColumnsParams *p, Entry g, Entry data, Entry offset) {
  Entry y = along(b, p, g, data, offset, 1, 0), x = along(b, p, g, data, offset, 0, 1);
  Entry both = build_joined(b, y, x, 3);
  return b->status == OK ? reshape_to(b, both, &entry_type(offset)->shape) : NO_ENTRY;
}

static Status columns_grad(Gradient *d) {
  const Entry data = d->node->in[0], offset = d->node->in[1], g = d->out_grad[0];
  DeformedColumnsParams p = *(const DeformedColumnsParams *)gradient_params(d);
  if (d->wanted[1]) d->in_grad[1] = offset_gradient(d->b, &p, g, data, offset);
  p.shape = list_of_shape(&entry_type(data)->shape);
  if (d->wanted[0]) d->in_grad[0] = build_op(d->b, "_deformed_columns_back", &p, 2, g, offset);
  return d->b->status;
}

/* h, the upstream gradient, has data's shape. */
static Status columns_back_grad(Gradient *d) {
  const Entry g = d->node->in[0], offset = d->node->in[1], h = d->out_grad[0];
  DeformedColumnsParams p = *(const DeformedColumnsParams *)gradient_params(d);
  if (d->wanted[1]) d->in_grad[1] = offset_gradient(d->b, &p, g, h, offset);
  p.shape.count = 0;
  if (d->wanted[0]) d->in_grad[0] = build_op(d->b, "_deformed_columns", &p, 2, h, offset);
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define LAYER_PARAMS                                                                                         \
  WINDOW_PARAMS                                                                                              \
  "num_filter int - Number of output channels.\n"                                                            \
  "num_group int 1 Number of groups of channels with separate weights.\n"                                    \
  "num_deformable_group int 1 Number of groups of channels with separate offsets.\n"                         \
  "workspace int 1024 Accepted for MXNet's sake.\n"                                                          \
  "no_bias bool False Is there no bias?\n"
#define LAYOUT "layout " WINDOW_LAYOUTS
#define COLUMN_PARAMS                                                                                        \
  WINDOW_PARAMS                                                                                              \
  "num_deformable_group int 1 Number of groups of channels with separate offsets.\n"                         \
  "outside bool False Interpolate less than an element outside data.\n"                                      \
  "dy int 0 The order of the weights' derivative along height.\n"                                            \
  "dx int 0 The same along width.\n"                                                                         \
  "shape shape () The shape of data.\n"
#define DATA "F.array{{{{1, 2, 0.5}, {3, -1, 1.5}, {0, 4, 1}}}}"
#define OFFSET "F.array{{{{0.3, -0.2}}, {{0.4, 0.1}}, {{0.6, 0.25}}, {{-0.3, 0.7}}, {{-0.4, 0.35}}, {{0.2, -0.1}}}}"
#define WEIGHT "F.array{{{{1, -2, 0.5}}}, {{{3, 1, -1}}}}"

/* clang-format off */
Op deformable_ops[] = {
  { .name = "_contrib_DeformableConvolution", .aliases = "contrib.DeformableConvolution",
    .doc = "A convolution over (batch, channel, height, width) that reads data at its window's places plus offset, by "
           "bilinear interpolation; points outside data are 0. offset has the channels (deformable group, tap, y or x) "
           "at each place of the output (J. Dai et al., 2017)",
    .example = "F.contrib.DeformableConvolution(" DATA ", F.array{{{{0.3}}, {{0.4}}}}, F.array{{{{1}}}}, F.array{0.5}, "
               "{kernel = {1, 1}, stride = {3, 3}, num_filter = 1})\n"
               "F.contrib.DeformableConvolution(" DATA ", " OFFSET ", " WEIGHT ", {kernel = {1, 3}, stride = {3, 2}, "
               "pad = {0, 1}, num_filter = 2, no_bias = true})",
    .inputs = "data offset weight bias", .params = LAYER_PARAMS LAYOUT, .params_size = sizeof(DeformableV1Params),
    .n_inputs = v1_inputs, .name_stem = "deformableconvolution", .infer = infer_v1, .flops = convolution_flops,
    .expand = v1_expand },
  { .name = "_contrib_ModulatedDeformableConvolution", .aliases = "contrib.ModulatedDeformableConvolution",
    .doc = "DeformableConvolution whose samples are multiplied by mask, with the channels (deformable group, tap). "
           "Points less than an element outside data are interpolated with zeros (X. Zhu et al., 2018)",
    .example = "F.contrib.ModulatedDeformableConvolution(" DATA ", " OFFSET ", F.array{{{{0.5, 0.2}}, {{0.7, 1}}, "
               "{{0.4, 0.9}}}}, " WEIGHT ", F.array{0.5, -1}, {kernel = {1, 3}, "
               "stride = {3, 2}, pad = {0, 1}, num_filter = 2})",
    .inputs = "data offset mask weight bias",
    .params = LAYER_PARAMS "im2col_step int 64 Accepted for MXNet's sake.\n" LAYOUT,
    .params_size = sizeof(DeformableV2Params), .n_inputs = v2_inputs, .name_stem = "modulateddeformableconvolution",
    .infer = infer_v2, .flops = convolution_flops, .expand = v2_expand },
  { .name = "_deformed_columns", .doc = "The samples of windows with offsets, as columns", .inputs = "data offset",
    .params = COLUMN_PARAMS, .params_size = sizeof(DeformedColumnsParams), .flags = OP_INTERNAL,
    .infer = infer_columns, .grad = columns_grad },
  { .name = "_deformed_columns_back", .doc = "Adds g, columns, at the positions in data that were sampled",
    .inputs = "g offset", .params = COLUMN_PARAMS, .params_size = sizeof(DeformedColumnsParams), .flags = OP_INTERNAL,
    .infer = infer_columns_back, .grad = columns_back_grad },
  { 0 }
};
/* clang-format on */
