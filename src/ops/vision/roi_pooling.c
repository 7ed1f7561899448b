/* roi_pooling.c - ROIPooling and ROIAlign: regions of images, given by boxes, resized to the same size.
**
** rois has a row (image, left, top, right, bottom) for each output, in the coordinates of an image that is 1 /
** spatial_scale times as large as data. A row gives zeros if its image does not exist. rois has no gradient.
**
** ROIPooling rounds the box to elements, ends included, and divides it into bins, in the element type. A bin's output
** is its first maximum, where a NaN exceeds all others, or 0 if the bin is empty. The gradient row adds g to that
** element, which it finds by value; this row and its reverse are each other's gradients.
**
** ROIAlign samples each bin at evenly spaced points by bilinear interpolation and returns the mean. It is linear in
** data. Its gradient adds in the order of rois, bins and points; the two are each other's gradients.
**
** The kernels are in kernels/vision/roi_pooling_kernels.c.
*/
#include "ops/vision/roi_pooling.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- Inference ------------------------------------------------------------------------------------------ */

Status check_spatial_scale(double scale) {
  return scale >= 0 && scale <= 1 ? OK : fail("spatial_scale: expected a number from 0 to 1, got %g", scale);
}

Status check_regions(const PoolingRegions *p) {
  const Shape s = list_shape(&p->pooled_size);
  if (s.ndim != 2 || s.dim[0] < 1 || s.dim[1] < 1)
    return fail("pooled_size: expected two numbers of 1 or more, height and width, got %s", shape_numbers(&s));
  TRY(shape_check(&s, "pooled_size"));
  return check_spatial_scale(p->spatial_scale);
}

static Status check_rois(Infer *f, int i, bool may_be_four) {
  const Shape *s = &f->in[i].shape;
  if (s->ndim < 0) return input_shape(f, i, &(Shape){ 2, { UNKNOWN, may_be_four ? UNKNOWN : 5 } });
  if (s->ndim == 2 && (s->dim[1] < 0 || s->dim[1] == 5 || (may_be_four && s->dim[1] == 4))) return OK;
  return fail("rois: expected rows (image, left, top, right, bottom), shape (?, 5), got %s", shape_text(s));
}

Shape regions_shape(const PoolingRegions *p, const Shape *rois, int64_t channels) {
  const int64_t *size = list_ints(&p->pooled_size);
  return (Shape){ 4, { rois->ndim < 0 ? UNKNOWN : rois->dim[0], channels, size[0], size[1] } };
}

static Status infer_pooling(Infer *f) {
  const PoolingRegions *p = f->params;
  const Shape *data = &f->in[0].shape;
  TRY(check_regions(p));
  TRY(one_float_dtype(f, 2, f->n_out));
  TRY(check_images("data", &f->in[0].shape));
  TRY(check_rois(f, 1, false));
  TRY(infer_empty_outputs(f));
  Shape out = regions_shape(p, &f->in[1].shape, data->ndim < 0 ? UNKNOWN : data->dim[1]);
  return output_shape(f, 0, &out);
}

/* Inputs (values, data, rois, output): values have the shape of input `from`, the result that of input `to`. */
static Status infer_move(Infer *f, int from, int to) {
  TRY(one_float_dtype(f, 4, 1));
  TRY(check_images("data", &f->in[1].shape));
  TRY(check_rois(f, 2, false));
  TRY(input_shape(f, 0, &f->in[from].shape));
  return one_shape(f, to, 0);
}

static Status infer_backward_pooling(Infer *f) { return infer_move(f, 3, 1); }
static Status infer_at_max(Infer *f) { return infer_move(f, 1, 3); }

static Status align_channels(const AlignRegions *p, const Shape *data, int64_t *channels) {
  const int64_t *size = list_ints(&p->pooled_size), bins = size[0] * size[1];
  *channels = data->ndim < 0 ? UNKNOWN : data->dim[1];
  if (!p->position_sensitive || *channels < 0) return OK;
  if (*channels % bins != 0)
    return fail("data: expected a multiple of the %lld bins as channels if position_sensitive, got %s", (long long)bins,
                shape_text(data));
  *channels /= bins;
  return OK;
}

static Status infer_align(Infer *f) {
  const AlignRegions *p = f->params;
  int64_t channels;
  TRY(check_regions(f->params));
  TRY(one_float_dtype(f, 2, 1));
  TRY(check_images("data", &f->in[0].shape));
  TRY(check_rois(f, 1, true));
  TRY(align_channels(p, &f->in[0].shape, &channels));
  Shape out = regions_shape(f->params, &f->in[1].shape, channels);
  return output_shape(f, 0, &out);
}

Status infer_data_gradient(Infer *f, const List *shape) {
  const Shape data = list_shape(shape);
  TRY(one_float_dtype(f, 2, 1));
  return output_shape(f, 0, &data);
}

static Status infer_backward_align(Infer *f) {
  TRY(infer_data_gradient(f, &((const AlignBackward *)f->params)->shape));
  return check_rois(f, 1, true);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status grad_at_max(Gradient *d, const char *row, Entry data, Entry rois, Entry y) {
  return only_gradient(d, build_op(d->b, row, gradient_params(d), 4, d->out_grad[0], data, rois, y));
}

static Status pooling_grad(Gradient *d) {
  const Entry *in = d->node->in;
  return grad_at_max(d, "_backward_roi_pooling", in[0], in[1], (Entry){ d->node, 0 });
}

static Status backward_pooling_grad(Gradient *d) {
  const Entry *in = d->node->in;
  return grad_at_max(d, "_roi_pooling_at_max", in[1], in[2], in[3]);
}

static Status at_max_grad(Gradient *d) {
  const Entry *in = d->node->in;
  return grad_at_max(d, "_backward_roi_pooling", in[1], in[2], in[3]);
}

static Status align_grad(Gradient *d) {
  const Entry *in = d->node->in;
  const AlignBackward p = { *(const AlignRegions *)gradient_params(d), list_of_shape(&entry_type(in[0])->shape) };
  return only_gradient(d, build_op(d->b, "_backward_roi_align", &p, 2, d->out_grad[0], in[1]));
}

static Status backward_align_grad(Gradient *d) {
  const AlignBackward *p = gradient_params(d);
  return only_gradient(d, build_op(d->b, "_contrib_ROIAlign", &p->align, 2, d->out_grad[0], d->node->in[1]));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define REGION_PARAMS                                                           \
  "pooled_size shape - The output's size, (height, width).\n"                   \
  "spatial_scale float - data's size divided by that of rois' image, from 0 to 1.\n"
#define ALIGN_PARAMS REGION_PARAMS                                                                                  \
  "sample_ratio int -1 Number of points along each axis of a bin; below 1: the bin's size.\n"                       \
  "position_sensitive bool False Each bin reads separate channels, so the output has fewer channels.\n"             \
  "aligned bool False Boxes give corners of elements, not centres.\n"
#define PICTURE "F.array{{{{1, 2, 0.5, 4}, {3, -1, 1.5, 0}, {2.5, 5, 6, 1.2}}}}"

/* clang-format off */
Op regions_ops[] = {
  { .name = "ROIPooling",
    .doc = "The maximum in each bin of regions of data, (batch, channel, height, width). rois has a row (image, left, "
           "top, right, bottom) for each output (R. Girshick, 2015). The output is 0 if there is no such image",
    .example = "F.ROIPooling(" PICTURE ", F.array{{0, 0, 0, 2, 2}, {0, 1.2, 0.8, 4, 2}}, "
               "{pooled_size = {2, 2}, spatial_scale = 1})\n"
               "F.ROIPooling(" PICTURE ", F.array{{0, 2, 0, 6, 4}}, {pooled_size = {1, 2}, spatial_scale = 0.5})",
    .inputs = "data rois", .outputs = "output maxidx", .params = REGION_PARAMS, .params_size = sizeof(PoolingRegions),
    .n_visible = one_visible, .unused = hidden_empty, .differentiable = 1, .infer = infer_pooling,
    .grad = pooling_grad },
  { .name = "_backward_roi_pooling", .doc = "The gradient of data: g at the position of each maximum",
    .inputs = "g data rois output", .params = REGION_PARAMS, .params_size = sizeof(PoolingRegions),
    .differentiable = 1, .flags = OP_INTERNAL, .infer = infer_backward_pooling, .grad = backward_pooling_grad },
  { .name = "_roi_pooling_at_max", .doc = "The element of an array of data's shape at the position of each maximum",
    .inputs = "values data rois output", .params = REGION_PARAMS, .params_size = sizeof(PoolingRegions),
    .differentiable = 1, .flags = OP_INTERNAL, .infer = infer_at_max, .grad = at_max_grad },
  { .name = "_contrib_ROIAlign", .aliases = "contrib.ROIAlign",
    .doc = "The mean of bilinear samples in each bin of regions of data, (batch, channel, height, width). rois has a "
           "row (image, left, top, right, bottom) for each output, or (left, top, right, bottom) for the first image "
           "(K. He et al., 2017). The output is 0 if there is no such image",
    .example = "F.contrib.ROIAlign(" PICTURE ", F.rint(F.array{{0, 0, 0, 20, 20}, {0, 12, 8, 40, 20}}), "
               "{pooled_size = {2, 2}, spatial_scale = 0.1})\n"
               "F.contrib.ROIAlign(" PICTURE ", F.rint(F.array{{3, 2, 60, 50}}), {pooled_size = {1, 2}, "
               "spatial_scale = 0.05, sample_ratio = 2, aligned = true})",
    .inputs = "data rois", .params = ALIGN_PARAMS, .params_size = sizeof(AlignRegions), .differentiable = 1,
    .name_stem = "roialign", .effects = op_fails_always, .infer = infer_align, .grad = align_grad },
  { .name = "_backward_roi_align", .doc = "The gradient of data", .inputs = "g rois",
    .params = ALIGN_PARAMS "shape shape - The shape of data.\n", .params_size = sizeof(AlignBackward),
    .differentiable = 1, .flags = OP_INTERNAL, .effects = op_fails_always,
    .infer = infer_backward_align, .grad = backward_align_grad },
  { 0 }
};
/* clang-format on */
