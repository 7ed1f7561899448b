/* image_transform.c - MXNet's nd.image: conversion to tensors, normalization, cropping, flipping and resizing.
**
** An image is (height, width, channels) or (batch, height, width, channels); a tensor is (channels, height, width) or
** (batch, channels, height, width). Cropping and flipping move elements of any dtype.
**
** Resizing has OpenCV's values. Along each axis an element of the result is a weighted sum of elements of the input,
** its taps; taps outside repeat the border. For uint8, bilinear and bicubic weights are multiples of 1/2048 and sums
** are integers; otherwise both are float32. As in OpenCV, bilinear is the mean of four elements if both axes shrink by
** 2.
**
** The kernels are in kernels/vision/image_transform_kernels.c.
*/
#include "ops/vision/image_transform.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- Shapes ------------------------------------------------------------------------------------------------- */

static Status check_picture(const Shape *s) {
  if (s->ndim < 0 || s->ndim == 3 || s->ndim == 4) return OK;
  return fail("data: expected 3 or 4 dimensions, (height, width, channels) or a batch of these, got %s", shape_text(s));
}

static Status infer_to_tensor(Infer *f) {
  const Shape *data = &f->in[0].shape;
  TRY(output_dtype(f, 0, DT_FLOAT32));
  TRY(check_picture(data));
  if (data->ndim < 0) return OK;
  const int at = data->ndim - 3;
  Shape out = *data;
  out.dim[at] = data->dim[at + 2];
  out.dim[at + 1] = data->dim[at];
  out.dim[at + 2] = data->dim[at + 1];
  return output_shape(f, 0, &out);
}

static Status check_numbers(const char *name, const List *numbers, int64_t channels) {
  if (numbers->count == 1 || channels < 0 || numbers->count == channels) return OK;
  return fail("%s: expected a number, or one for each of %lld channels, got %lld", name, (long long)channels,
              (long long)numbers->count);
}

static Status infer_normalize(Infer *f) {
  const NormalizeParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  TRY(one_float_dtype(f, 1, 1));
  TRY(one_shape(f, 0, 0));
  if (data->ndim < 0) return OK;
  if (data->ndim != 3 && data->ndim != 4)
    return fail("data: expected 3 or 4 dimensions, (channels, height, width) or a batch of these, got %s",
                shape_text(data));
  const int64_t channels = data->dim[data->ndim - 3];
  if (channels >= 0 && channels != 1 && channels != 3)
    return fail("data: expected 1 or 3 channels, got %s", shape_text(data));
  TRY(check_numbers("mean", &p->mean, channels));
  return check_numbers("std", &p->std, channels);
}

/* Finds the height and width of the result. */
static Status resized(const ImageResizeParams *p, int64_t height, int64_t width, int64_t *out) {
  const int64_t *size = list_ints(&p->size);
  if (p->size.count != 1 && p->size.count != 2)
    return fail("size: expected a number or (width, height), got %lld numbers", (long long)p->size.count);
  for (int i = 0; i < (int)p->size.count; i++)
    if (size[i] < 1) return fail("size: expected 1 or more, got %lld", (long long)size[i]);
  out[0] = size[p->size.count - 1];
  out[1] = size[0];
  if (p->size.count == 2 || !p->keep_ratio) return OK;
  if (height < 0 || width < 0) {
    out[0] = out[1] = UNKNOWN;
    return OK;
  }
  if (height > width) out[0] = height * size[0] / width;        /* the shorter side gets the size given */
  else out[1] = width * size[0] / height;
  return OK;
}

static Status infer_resize(Infer *f) {
  const ImageResizeParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  if (p->interp < 0 || p->interp > 3)
    return fail("interp: expected 0 (nearest), 1 (bilinear), 2 (bicubic) or 3 (area), got %lld", (long long)p->interp);
  TRY(one_dtype(f, 0, 1));
  if (f->in[0].dtype != DT_UNKNOWN && f->in[0].dtype != DT_UINT8 && f->in[0].dtype != DT_FLOAT32)
    return fail("data: expected dtype uint8 or float32, got %s; convert with astype", dtype_name(f->in[0].dtype));
  TRY(check_picture(data));
  if (data->ndim < 0) return OK;
  Shape out = *data;
  const int at = data->ndim - 3;
  if (data->dim[at] == 0 || data->dim[at + 1] == 0)
    return fail("data: expected an image that is not empty, got %s", shape_text(data));
  TRY(resized(p, data->dim[at], data->dim[at + 1], &out.dim[at]));
  return output_shape(f, 0, &out);
}

static Status infer_crop(Infer *f) {
  const ImageCropParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  TRY(one_dtype(f, 0, 1));
  if (p->width < 1 || p->height < 1)
    return fail("width, height: expected 1 or more, got %lld and %lld", (long long)p->width, (long long)p->height);
  TRY(check_picture(data));
  if (data->ndim < 0) return OK;
  const int at = data->ndim - 3;
  Shape out = *data;
  if (p->x < 0 || p->y < 0 || (data->dim[at] >= 0 && p->y + p->height > data->dim[at]) ||
      (data->dim[at + 1] >= 0 && p->x + p->width > data->dim[at + 1]))
    return fail("x, y, width, height: expected a part of the image %s, got x = %lld, y = %lld, width = %lld, "
                "height = %lld",
                shape_text(data), (long long)p->x, (long long)p->y, (long long)p->width, (long long)p->height);
  out.dim[at] = p->height;
  out.dim[at + 1] = p->width;
  return output_shape(f, 0, &out);
}

static Status infer_flip(Infer *f) {
  TRY(check_picture(&f->in[0].shape));
  return infer_same_type(f);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status to_tensor_grad(Gradient *d) {
  const int ndim = gradient_input(d, 0)->shape.ndim, at = ndim - 3;
  TransposeParams back = { { .count = ndim, .u.i = { 0 } } };
  for (int i = 0; i < 3; i++) back.axes.u.i[at + i] = at + (i + 1) % 3;
  Entry turned = build_op(d->b, "transpose", &back, 1, d->out_grad[0]);
  return only_gradient(d, build_op(d->b, "_div_scalar", &(ScalarParams){ 255 }, 1, turned));
}

static Entry crop_expand(Builder *b, Node *n) {
  const ImageCropParams *p = (const ImageCropParams *)n->params->fields;
  const int ndim = entry_type(n->in[0])->shape.ndim, at = ndim - 3;
  SliceParams s = { { .count = at + 2, .u.i = { 0 } }, { .count = at + 2, .u.i = { 0 } }, { .count = 0 } };
  if (at) s.begin.u.i[0] = s.end.u.i[0] = NONE;
  s.begin.u.i[at] = p->y;
  s.begin.u.i[at + 1] = p->x;
  s.end.u.i[at] = p->y + p->height;
  s.end.u.i[at + 1] = p->x + p->width;
  return build_op(b, "slice", &s, 1, n->in[0]);
}

static Entry mirrored(Builder *b, Node *n, int which) {
  struct { List axis; } p = { { .count = 1, .u.i = { entry_type(n->in[0])->shape.ndim - 3 + which } } };
  return build_op(b, "reverse", &p, 1, n->in[0]);
}

static Entry flip_left_right_expand(Builder *b, Node *n) { return mirrored(b, n, 1); }
static Entry flip_top_bottom_expand(Builder *b, Node *n) { return mirrored(b, n, 0); }
static Status normalize_grad(Gradient *d) {
  const NormalizeParams *p = gradient_params(d);
  NormalizeParams q = { { .count = 1, .u.f = { 0 } }, p->std };
  return only_gradient(d, build_op(d->b, "_image_normalize", &q, 1, d->out_grad[0]));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define PICTURE "F.array({{{1, 20, 255}, {40, 5, 60}, {7, 8, 9}}, {{100, 0, 3}, {4, 250, 6}, {70, 80, 90}}}"

/* clang-format off */
Op image_ops[] = {
  { .name = "_image_to_tensor", .aliases = "image.to_tensor",
    .doc = "Converts an image (height, width, channels) with values from 0 to 255, or a batch, to float32 (channels, "
           "height, width) with values from 0 to 1",
    .example = "F.image.to_tensor(" PICTURE "))\nF.image.to_tensor(F.array({{{{1}, {2}}}}, {dtype = \"uint8\"}))",
    .inputs = "data", .infer = infer_to_tensor, .grad = to_tensor_grad },
  { .name = "_image_normalize", .aliases = "image.normalize",
    .doc = "(data - mean) / std for (channels, height, width) or a batch, with 1 or 3 channels",
    .example = "F.image.normalize(F.array{{{1, 2}}, {{3, 4}}, {{5, 6}}}, {mean = {1, 2, 3}, std = {2, 4, 8}})\n"
               "F.image.normalize(F.array{{{{0.5, 2}}}}, {mean = 1, std = 2})",
    .inputs = "data",
    .params = "mean floats (0,) A number, or one per channel.\n"
              "std floats (1,) A number, or one per channel.\n",
    .params_size = sizeof(NormalizeParams), .infer = infer_normalize, .grad = normalize_grad },
  { .name = "_image_resize", .aliases = "image.resize",
    .doc = "Resizes an image (height, width, channels) of uint8 or float32, or a batch, with OpenCV's values",
    .example = "F.image.resize(" PICTURE ", {dtype = \"uint8\"}), {size = {2, 3}})", .inputs = "data",
    .params = "size shape () (width, height), or one number for both.\n"
              "keep_ratio bool False Use a single number for the shorter side, and keep the proportions.\n"
              "interp int 1 0: nearest; 1: bilinear; 2: bicubic; 3: mean of the area (bilinear to enlarge).\n",
    .params_size = sizeof(ImageResizeParams), .infer = infer_resize },
  { .name = "_image_crop", .aliases = "image.crop",
    .doc = "Crops an image (height, width, channels), or a batch",
    .example = "F.image.crop(" PICTURE "), {x = 1, y = 0, width = 2, height = 1})\n"
               "F.image.crop(F.array{{{{1}, {2}}, {{3}, {4}}}}, {x = 0, y = 1, width = 2, height = 1})",
    .inputs = "data",
    .params = "x int - The first column.\ny int - The first row.\nwidth int - Number of columns.\n"
              "height int - Number of rows.\n",
    .params_size = sizeof(ImageCropParams), .infer = infer_crop, .expand = crop_expand },
  { .name = "_image_flip_left_right", .aliases = "image.flip_left_right",
    .doc = "Flips an image (height, width, channels), or a batch, from left to right",
    .example = "F.image.flip_left_right(" PICTURE "))", .inputs = "data", .infer = infer_flip,
    .expand = flip_left_right_expand },
  { .name = "_image_flip_top_bottom", .aliases = "image.flip_top_bottom",
    .doc = "Flips an image (height, width, channels), or a batch, from top to bottom",
    .example = "F.image.flip_top_bottom(" PICTURE "))", .inputs = "data", .infer = infer_flip,
    .expand = flip_top_bottom_expand },
  { .name = "_image_random_flip_left_right", .aliases = "image.random_flip_left_right",
    .doc = "flip_left_right with probability 1/2, otherwise a copy", .example = "F.image.random_flip_left_right("
    PICTURE "))", .inputs = "data", .effects = op_draws_always, .infer = infer_flip },
  { .name = "_image_random_flip_top_bottom", .aliases = "image.random_flip_top_bottom",
    .doc = "flip_top_bottom with probability 1/2, otherwise a copy", .example = "F.image.random_flip_top_bottom("
    PICTURE "))", .inputs = "data", .effects = op_draws_always, .infer = infer_flip },
  { 0 }
};
/* clang-format on */
