/* region_bins.c - PSROIPooling and RROIAlign: means over the bins of regions of images.
**
** PSROIPooling (J. Dai et al., 2016) takes the mean of the elements in a bin, and each bin reads a channel of its own:
** channel (c, row, column) of data for output channel c. RROIAlign (J. Ma et al., 2018) takes the mean of bilinear
** samples in the bins of rotated boxes. Both are linear in data; each gradient row and its operator are each other's
** gradients. rois have none, and a row gives zeros if its image does not exist.
**
** The kernels are in kernels/vision/region_bins_kernels.c.
*/
#include "ops/vision/region_bins.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status positive(const char *name, int64_t x) {
  return x >= 1 && x <= INT16_MAX ? OK
                                  : fail("%s: expected a number from 1 to %d, got %lld", name, INT16_MAX, (long long)x);
}

static Status check_psroi(const PsroiParams *p) {
  TRY(check_spatial_scale(p->spatial_scale));
  TRY(positive("output_dim", p->output_dim));
  TRY(positive("pooled_size", p->pooled_size));
  return p->group_size == 0 ? OK : positive("group_size", p->group_size);
}

static Status infer_psroi(Infer *f) {
  const PsroiParams *p = f->params;
  const int64_t groups = psroi_groups(p);
  TRY(check_psroi(p));
  TRY(one_float_dtype(f, 2, 1));
  TRY(check_images("data", &f->in[0].shape));
  TRY(input_shape(f, 0, &(Shape){ 4, { UNKNOWN, p->output_dim * groups * groups, UNKNOWN, UNKNOWN } }));
  TRY(input_shape(f, 1, &(Shape){ 2, { UNKNOWN, 5 } }));
  const Shape *rois = &f->in[1].shape;
  return output_shape(f, 0, &(Shape){ 4, { rois->dim[0], p->output_dim, p->pooled_size, p->pooled_size } });
}

static Status infer_rroi(Infer *f) {
  const RroiParams *p = f->params;
  TRY(check_regions(&p->of));
  TRY(one_float_dtype(f, 2, 1));
  TRY(check_images("data", &f->in[0].shape));
  TRY(input_shape(f, 1, &(Shape){ 2, { UNKNOWN, 6 } }));
  const Shape *data = &f->in[0].shape;
  const Shape out = regions_shape(&p->of, &f->in[1].shape, data->ndim < 0 ? UNKNOWN : data->dim[1]);
  return output_shape(f, 0, &out);
}

static Status infer_psroi_backward(Infer *f) {
  return infer_data_gradient(f, &((const PsroiBackward *)f->params)->shape);
}
static Status infer_rroi_backward(Infer *f) {
  return infer_data_gradient(f, &((const RroiBackward *)f->params)->shape);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status psroi_grad(Gradient *d) {
  const PsroiBackward p = { *(const PsroiParams *)gradient_params(d), list_of_shape(&gradient_input(d, 0)->shape) };
  return only_gradient(d, build_op(d->b, "_backward_psroi_pooling", &p, 2, d->out_grad[0], d->node->in[1]));
}

static Status psroi_backward_grad(Gradient *d) {
  const PsroiBackward *p = gradient_params(d);
  return only_gradient(d, build_op(d->b, "_contrib_PSROIPooling", &p->of, 2, d->out_grad[0], d->node->in[1]));
}

static Status rroi_grad(Gradient *d) {
  const RroiBackward p = { *(const RroiParams *)gradient_params(d), list_of_shape(&gradient_input(d, 0)->shape) };
  return only_gradient(d, build_op(d->b, "_backward_rroi_align", &p, 2, d->out_grad[0], d->node->in[1]));
}

static Status rroi_backward_grad(Gradient *d) {
  const RroiBackward *p = gradient_params(d);
  return only_gradient(d, build_op(d->b, "_contrib_RROIAlign", &p->of, 2, d->out_grad[0], d->node->in[1]));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define SCALE "spatial_scale float - data's size divided by that of rois' image, from 0 to 1.\n"
#define PSROI_PARAMS                                                                                         \
  SCALE "output_dim int - Number of output channels.\n"                                                      \
  "pooled_size int - The output's height and width.\n"                                                       \
  "group_size int 0 The number of groups of channels along height and width; 0: pooled_size.\n"
#define RROI_PARAMS                                                                                          \
  "pooled_size shape - The output's size, (height, width).\n" SCALE                                          \
  "sampling_ratio int -1 Number of points along each axis of a bin; below 1: the bin's size.\n"
#define OF_DATA "shape shape - The shape of data.\n"
#define PLANE "{{1, 2, 0.5, 4}, {3, -1, 1.5, 0}, {2.5, 5, 6, 1.2}}"

/* clang-format off */
Op region_bin_ops[] = {
  { .name = "_contrib_PSROIPooling", .aliases = "contrib.PSROIPooling",
    .doc = "Position-sensitive pooling: the mean of each bin of regions of data, (batch, output_dim group_size^2, "
           "height, width), where each bin reads channels of its own. rois has a row (image, left, top, right, "
           "bottom) for each output (J. Dai et al., 2016). The output is 0 for an empty bin",
    .example = "F.contrib.PSROIPooling(F.tile(F.array{{" PLANE "}}, {reps = {1, 4, 1, 1}}), "
               "F.rint(F.array{{0, 0, 0, 20, 20}, {0, 12, 8, 40, 20}}), "
               "{spatial_scale = 0.1, output_dim = 1, pooled_size = 2})\n"
               "F.contrib.PSROIPooling(F.array{{" PLANE ", " PLANE "}}, F.rint(F.array{{0, 0, 0, 3, 3}}), "
               "{spatial_scale = 1, output_dim = 2, pooled_size = 2, group_size = 1})",
    .inputs = "data rois", .params = PSROI_PARAMS, .params_size = sizeof(PsroiParams), .differentiable = 1,
    .name_stem = "psroipooling", .infer = infer_psroi, .grad = psroi_grad },
  { .name = "_backward_psroi_pooling", .doc = "The gradient of data", .inputs = "g rois",
    .params = PSROI_PARAMS OF_DATA, .params_size = sizeof(PsroiBackward), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_psroi_backward, .grad = psroi_backward_grad },
  { .name = "_contrib_RROIAlign", .aliases = "contrib.RROIAlign",
    .doc = "The mean of bilinear samples in each bin of rotated regions of data, (batch, channel, height, width). rois "
           "has a row (image, x of the centre, y, width, height, angle in degrees) for each output (J. Ma et al., "
           "2018). MXNet has no gradient here",
    .example = "F.contrib.RROIAlign(F.array{{" PLANE "}}, F.rint(F.array{{0, 15, 10, 20, 20, 30}, {0, 20, 12, 25, 10, "
               "-60}}), {pooled_size = {2, 2}, spatial_scale = 0.1})\n"
               "F.contrib.RROIAlign(F.array{{" PLANE "}}, F.rint(F.array{{0, 2, 1, 3, 2, 45}}), {pooled_size = {1, 2}, "
               "spatial_scale = 1, sampling_ratio = 2})",
    .inputs = "data rois", .params = RROI_PARAMS, .params_size = sizeof(RroiParams), .differentiable = 1,
    .name_stem = "rroialign", .infer = infer_rroi, .grad = rroi_grad },
  { .name = "_backward_rroi_align", .doc = "The gradient of data", .inputs = "g rois",
    .params = RROI_PARAMS OF_DATA, .params_size = sizeof(RroiBackward), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_rroi_backward, .grad = rroi_backward_grad },
  { 0 }
};
/* clang-format on */
