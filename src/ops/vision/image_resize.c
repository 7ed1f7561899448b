/* image_resize.c - AdaptiveAvgPooling2D and BilinearResize2D: images resized to a given size.
**
** Both are linear and treat height and width alike: an element of the output is a weighted sum over some rows and
** columns of data. Each has a transposed row, which adds an element of g to all elements of its sum; the two are each
** other's gradients.
**   adaptive   output o of `to` along an axis of `from` covers [floor(o from / to), ceil((o + 1) from / to)); the mean
**              is a sum in double, in row-major order, divided by the count
**   bilinear   output o is at o (from - 1) / (to - 1), or at (o + 1/2) from / to - 1/2 but not below 0; as in MXNet a
**              single output is at 0; positions are computed in double, and weights of the four neighbours in the
**              element type
*/
#include "ops/vision/image_resize.h"

#include <math.h>

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

enum { RESIZE_LIKE, RESIZE_ODD_SCALE, RESIZE_SIZE, RESIZE_EVEN_DOWN, RESIZE_EVEN_UP, RESIZE_ODD_DOWN, RESIZE_ODD_UP };

static int resize_inputs(const Query *q) { return ((const ResizeParams *)q->params)->mode == RESIZE_LIKE ? 2 : 1; }

/* ---- Inference ------------------------------------------------------------------------------------------ */

/* Output and data have the same batch and channels. */
static Status same_planes(Infer *f, int64_t height, int64_t width) {
  Shape *data = &f->in[0].shape;
  TRY(output_shape(f, 0, &(Shape){ 4, { data->dim[0], data->dim[1], height, width } }));
  for (int i = 0; i < 2; i++) data->dim[i] = f->out[0].shape.dim[i];
  return OK;
}

static Status infer_adaptive(Infer *f) {
  const List *size = &((const AdaptiveParams *)f->params)->output_size;
  const Shape *data = &f->in[0].shape;
  int64_t side[2] = { 1, 1 };
  TRY(one_float_dtype(f, 1, 1));
  TRY(check_images("data", data));
  if (size->count > 2)
    return fail("output_size: expected (), one number or two (height, width), got %lld", (long long)size->count);
  for (int i = 0; i < 2 && size->count > 0; i++) {
    side[i] = list_ints(size)[size->count == 1 ? 0 : i];
    if (side[i] < 0) return fail("output_size: expected numbers of 0 or more, got %lld", (long long)side[i]);
  }
  if (data->ndim < 0) return OK;
  if (data->dim[2] == 0 || data->dim[3] == 0)
    return fail("data: expected at least one row and column, got %s", shape_text(data));
  return same_planes(f, side[0], side[1]);
}

/* The first parameter of both gradient rows is data's shape. */
static Status infer_backward(Infer *f) {
  const Shape data = list_shape(f->params);
  TRY(one_float_dtype(f, 1, 1));
  TRY(check_images("g", &f->in[0].shape));
  return output_shape(f, 0, &data);
}

/* Makes n even or odd by adding `step` if necessary. */
static int64_t with_parity(int64_t n, int64_t parity, int64_t step) { return n % 2 == parity ? n : n + step; }

/* Finds the output's size along an axis of size n, from its parameters `wanted` and `scale`. */
static Status resized(const ResizeParams *p, const char *axis, int64_t n, int64_t wanted, double scale, int64_t *out) {
  const float factor = (float)scale;
  *out = wanted;
  if (p->mode == RESIZE_SIZE && isnan(scale)) {
    if (wanted < 1) return fail("%s: expected 1 or more, got %lld", axis, (long long)wanted);
    return OK;
  }
  if (p->mode == RESIZE_SIZE || p->mode == RESIZE_ODD_SCALE) {
    if (isnan(scale)) return fail("scale_%s: expected a number if mode is odd_scale, got nothing", axis);
    if (!(scale > 0 && scale <= 1 << 20)) return fail("scale_%s: expected a number above 0, got %g", axis, scale);
    const int64_t odd = p->mode == RESIZE_ODD_SCALE && n % 2 == 1;
    *out = (int64_t)((float)(n - odd) * factor) + odd;
  }
  if (p->mode == RESIZE_EVEN_DOWN) *out = with_parity(n, 0, -1);
  if (p->mode == RESIZE_EVEN_UP) *out = with_parity(n, 0, 1);
  if (p->mode == RESIZE_ODD_DOWN) *out = with_parity(n, 1, -1);
  if (p->mode == RESIZE_ODD_UP) *out = with_parity(n, 1, 1);
  if (*out < 1) return fail("data: expected a %s that gives an output of 1 or more, got %lld", axis, (long long)n);
  return OK;
}

static Status infer_resize(Infer *f) {
  const ResizeParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  int64_t height, width;
  TRY(one_float_dtype(f, 1, 1));
  TRY(check_images("data", data));
  if (data->ndim >= 0 && (data->dim[2] == 0 || data->dim[3] == 0))
    return fail("data: expected at least one row and column, got %s", shape_text(data));
  if (f->n_in > 1) {
    TRY(check_images("like", &f->in[1].shape));
    if (f->in[1].dtype == DT_UNKNOWN) f->in[1].dtype = f->in[0].dtype;
    if (data->ndim < 0 || f->in[1].shape.ndim < 0) return OK;
    return same_planes(f, f->in[1].shape.dim[2], f->in[1].shape.dim[3]);
  }
  if (data->ndim < 0 || data->dim[2] < 0 || data->dim[3] < 0) return OK;
  TRY(resized(p, "height", data->dim[2], p->height, p->scale_height, &height));
  TRY(resized(p, "width", data->dim[3], p->width, p->scale_width, &width));
  return same_planes(f, height, width);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status adaptive_grad(Gradient *d) {
  AdaptiveBackwardParams p = { list_of_shape(&gradient_input(d, 0)->shape) };
  return only_gradient(d, build_op(d->b, "_backward_adaptive_avg_pooling", &p, 1, d->out_grad[0]));
}

static Status backward_adaptive_grad(Gradient *d) {
  const Shape *g = &gradient_input(d, 0)->shape;
  AdaptiveParams p = { { .count = 2, .u.i = { g->dim[2], g->dim[3] } } };
  return only_gradient(d, build_op(d->b, "_contrib_AdaptiveAvgPooling2D", &p, 1, d->out_grad[0]));
}

static Status resize_grad(Gradient *d) {
  const ResizeParams *p = gradient_params(d);
  ResizeBackwardParams q = { list_of_shape(&gradient_input(d, 0)->shape), p->align_corners };
  return only_gradient(d, build_op(d->b, "_backward_bilinear_resize", &q, 1, d->out_grad[0]));
}

static Status backward_resize_grad(Gradient *d) {
  const ResizeBackwardParams *p = gradient_params(d);
  const Shape *g = &gradient_input(d, 0)->shape;
  ResizeParams q = { .height = g->dim[2],
                     .width = g->dim[3],
                     .scale_height = NAN,
                     .scale_width = NAN,
                     .mode = RESIZE_SIZE,
                     .align_corners = p->align_corners };
  return only_gradient(d, build_op(d->b, "_contrib_BilinearResize2D", &q, 1, d->out_grad[0]));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* clang-format off */
Op resize_ops[] = {
  { .name = "_contrib_AdaptiveAvgPooling2D", .aliases = "contrib.AdaptiveAvgPooling2D",
    .doc = "Resizes (batch, channel, height, width) to output_size. Each output is the mean of a part of data: along "
           "an axis of size s, output o of n covers [floor(o s / n), ceil((o + 1) s / n))",
    .example = "F.contrib.AdaptiveAvgPooling2D(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, {output_size = {1, 2}})\n"
               "F.contrib.AdaptiveAvgPooling2D(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}})\n"
               "F.contrib.AdaptiveAvgPooling2D(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, {output_size = 3})",
    .inputs = "data", .params = "output_size shape () (height, width), one number for both, or () for (1, 1).\n",
    .params_size = sizeof(AdaptiveParams), .name_stem = "adaptiveavgpooling2d", .infer = infer_adaptive,
    .grad = adaptive_grad },
  { .name = "_backward_adaptive_avg_pooling", .doc = "The gradient of data", .inputs = "g",
    .params = "shape shape - The shape of data.\n", .params_size = sizeof(AdaptiveBackwardParams),
    .flags = OP_INTERNAL, .infer = infer_backward, .grad = backward_adaptive_grad },
  { .name = "_contrib_BilinearResize2D", .aliases = "contrib.BilinearResize2D",
    .doc = "Resizes (batch, channel, height, width) by bilinear interpolation. mode determines the new size. size: "
           "height and width, or scales times data's size; odd_scale: the same, but scale (n - 1) + 1 for an odd size "
           "n; like: that of the second array; to_even_down and so on: data's size, made even or odd by subtracting or "
           "adding 1. With align_corners the corner elements keep their values; otherwise both images cover the same "
           "area. As in MXNet, a single row or column is data's first. Each scale applies on its own; MXNet uses "
           "scale_width only with scale_height",
    .example = "F.contrib.BilinearResize2D(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, {height = 3, width = 5})\n"
               "F.contrib.BilinearResize2D(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, {height = 3, width = 2, "
               "align_corners = false})\n"
               "F.contrib.BilinearResize2D(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, "
               "{scale_height = 1.5, scale_width = 2, "
               "mode = \"odd_scale\"})\n"
               "F.contrib.BilinearResize2D(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, F.zeros{1, 1, 2, 2}, "
               "{mode = \"like\"})\n"
               "F.contrib.BilinearResize2D(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, {mode = \"to_even_up\"})",
    .inputs = "data like",
    .params = "height int 1 The height, with size.\n"
              "width int 1 The width, with size.\n"
              "scale_height float? None The factor of the height, with size and odd_scale.\n"
              "scale_width float? None The factor of the width.\n"
              "mode {like,odd_scale,size,to_even_down,to_even_up,to_odd_down,to_odd_up} size The source of the size.\n"
              "align_corners bool True Map corner elements to corner elements.\n",
    .params_size = sizeof(ResizeParams), .name_stem = "bilinearresize2d", .n_inputs = resize_inputs,
    .differentiable = 1,
    .infer = infer_resize, .grad = resize_grad },
  { .name = "_backward_bilinear_resize", .doc = "The gradient of data", .inputs = "g",
    .params = "shape shape - The shape of data.\nalign_corners bool - Map corner elements to corner elements.\n",
    .params_size = sizeof(ResizeBackwardParams), .flags = OP_INTERNAL, .infer = infer_backward,
    .grad = backward_resize_grad },
  { 0 }
};
/* clang-format on */
