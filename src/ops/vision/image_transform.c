/* image_transform.c - MXNet's nd.image: conversion to tensors, normalization, cropping, flipping and resizing.
**
** An image is (height, width, channels) or (batch, height, width, channels); a tensor is (channels, height, width) or
** (batch, channels, height, width). Cropping and flipping move elements of any dtype.
**
** Resizing has OpenCV's values. Along each axis an element of the result is a weighted sum of elements of the input,
** its taps; taps outside repeat the border. Weights are computed once per call. For uint8, bilinear and bicubic weights
** are multiples of 1/2048 and sums are integers; otherwise both are float32. As in OpenCV, bilinear is the mean of four
** elements if both axes shrink by 2.
*/
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/random_stream.h"
#include "ops/common/gradient_rules.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "state/engine.h"
#include "tensor/cast_copy.h"

typedef struct NormalizeParams { List mean, std; } NormalizeParams;
typedef struct ImageResizeParams { List size; int64_t keep_ratio, interp; } ImageResizeParams;
typedef struct ImageCropParams { int64_t x, y, width, height; } ImageCropParams;

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

/* ---- Moving elements ------------------------------------------------------------------------------------------ */

static Status to_tensor_forward(Call *c) {
  const Tensor *x = c->in[0];
  const Shape *s = &c->out[0]->type.shape;
  const int at = s->ndim - 3;
  const int64_t channels = s->dim[at], places = s->dim[at + 1] * s->dim[at + 2];
  const size_t size = dtype_size(x->type.dtype);
  float *out = c->out[0]->data;
  for (int64_t image = 0, n = at ? s->dim[0] : 1; image < n && !interrupted(); image++, out += channels * places) {
    const char *from = (const char *)x->data + (size_t)(image * channels * places) * size;
    enum { PIECE = 1024 };
    float piece[PIECE];
    for (int64_t first = 0; first < channels * places; first += PIECE) {
      const int64_t rest = channels * places - first, count = rest < PIECE ? rest : PIECE;
      convert(x->type.dtype, from + (size_t)first * size, DT_FLOAT32, piece, count);
      for (int64_t i = 0; i < count; i++)
        out[(first + i) % channels * places + (first + i) / channels] = piece[i] / 255;
    }
  }
  return interrupt_status();
}

static Status to_tensor_grad(Gradient *d) {
  const int ndim = gradient_input(d, 0)->shape.ndim, at = ndim - 3;
  TransposeParams back = { { .count = ndim, .u.i = { 0 } } };
  for (int i = 0; i < 3; i++) back.axes.u.i[at + i] = at + (i + 1) % 3;
  Entry turned = build_op(d->b, "transpose", &back, 1, d->out_grad[0]);
  return only_gradient(d, build_op(d->b, "_div_scalar", &(ScalarParams){ 255 }, 1, turned));
}

/* Copies a part of the input from element `begin`; strides may be negative. */
static Status copy_part(const Call *c, int64_t begin, const int64_t *strides) {
  const size_t size = dtype_size(c->in[0]->type.dtype);
  int64_t to[MAX_DIMS];
  strides_of(&c->out[0]->type.shape, to);
  strided_copy(size, &c->out[0]->type.shape, (const char *)c->in[0]->data + (size_t)begin * size, strides,
               c->out[0]->data, to);
  return interrupt_status();
}

static Status crop_forward(Call *c) {
  const ImageCropParams *p = c->params;
  const int at = c->in[0]->type.shape.ndim - 3;
  int64_t strides[MAX_DIMS];
  strides_of(&c->in[0]->type.shape, strides);
  return copy_part(c, p->y * strides[at] + p->x * strides[at + 1], strides);
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

/* Reverses axis `which` of (height, width). */
static Status flip(const Call *c, int which) {
  const Shape *s = &c->in[0]->type.shape;
  const int axis = s->ndim - 3 + which;
  int64_t strides[MAX_DIMS];
  if (shape_size(s) == 0) return OK;
  strides_of(s, strides);
  const int64_t begin = (s->dim[axis] - 1) * strides[axis];
  strides[axis] = -strides[axis];
  return copy_part(c, begin, strides);
}

static Status flip_left_right_forward(Call *c) { return flip(c, 1); }
static Status flip_top_bottom_forward(Call *c) { return flip(c, 0); }

static Entry mirrored(Builder *b, Node *n, int which) {
  struct { List axis; } p = { { .count = 1, .u.i = { entry_type(n->in[0])->shape.ndim - 3 + which } } };
  return build_op(b, "reverse", &p, 1, n->in[0]);
}

static Entry flip_left_right_expand(Builder *b, Node *n) { return mirrored(b, n, 1); }
static Entry flip_top_bottom_expand(Builder *b, Node *n) { return mirrored(b, n, 0); }

static Status random_flip(Call *c, int which) {
  uint32_t bits[4];
  random_four(random_take(&engine_now()->random, 1), 0, bits);
  if (bits[0] >> 31) return flip(c, which);
  copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
  return interrupt_status();
}

static Status random_flip_left_right_forward(Call *c) { return random_flip(c, 1); }
static Status random_flip_top_bottom_forward(Call *c) { return random_flip(c, 0); }

/* ---- Normalizing ---------------------------------------------------------------------------------------------- */

/* Normalizes one channel of an image. */
#define NORMALIZE(code, T, suffix)                                                              \
  static void normalize_##suffix(const Call *c, int64_t plane, int64_t n, double mean_, double std_) { \
    const T *x = (const T *)c->in[0]->data + plane * n, mean = (T)mean_, std = (T)std_;         \
    T *out = (T *)c->out[0]->data + plane * n;                                                  \
    for (int64_t i = 0; i < n; i++) out[i] = (x[i] - mean) / std;                               \
  }
EACH_FLOAT(NORMALIZE)

static Status normalize_forward(Call *c) {
  const NormalizeParams *p = c->params;
  const Shape *s = &c->in[0]->type.shape;
  const int at = s->ndim - 3;
  const int64_t channels = s->dim[at], places = s->dim[at + 1] * s->dim[at + 2];
  const int64_t planes = shape_size_range(s, 0, at + 1);
  for (int64_t i = 0; i < planes && !interrupted(); i++) {
    const double mean = list_floats(&p->mean)[p->mean.count > 1 ? i % channels : 0];
    const double std = list_floats(&p->std)[p->std.count > 1 ? i % channels : 0];
    BY_DTYPE(c, normalize)(c, i, places, mean, std);
  }
  return interrupt_status();
}

static Status normalize_grad(Gradient *d) {
  const NormalizeParams *p = gradient_params(d);
  NormalizeParams q = { { .count = 1, .u.f = { 0 } }, p->std };
  return only_gradient(d, build_op(d->b, "_image_normalize", &q, 1, d->out_grad[0]));
}

/* ---- Resizing ------------------------------------------------------------------------------------------------- */

enum { NEAREST, LINEAR, CUBIC, AREA };
enum { FIXED = 2048 };

/* The taps of an element of the result: `count` elements of the input, starting with `first`. */
typedef struct ResizeTaps { int64_t first, count; } ResizeTaps;

/* The taps along one axis. The weights of element i start at weight[i * most]; `fixed` has them as multiples of 1 /
** FIXED for integer sums. */
typedef struct Axis { int64_t in, out, most; ResizeTaps *taps; float *weight; int32_t *fixed; } Axis;

static bool shrinks(int64_t in, int64_t out) { return in >= out; }

static int64_t most_taps(int64_t interp, int64_t in, int64_t out) {
  if (interp == NEAREST) return 1;
  if (interp == AREA && shrinks(in, out)) return in / out + 3;
  return interp == CUBIC ? 4 : 2;
}

/* OpenCV's bicubic weights, Catmull-Rom with -0.75, of four neighbours for a point at x after the second. */
static void cubic_weights(float x, float *w) {
  const float a = -0.75f, far_ = x + 1, near_ = 1 - x;
  w[0] = ((a * far_ - 5 * a) * far_ + 8 * a) * far_ - 4 * a;
  w[1] = ((a + 2) * x - (a + 3)) * x * x + 1;
  w[2] = ((a + 2) * near_ - (a + 3)) * near_ * near_ + 1;
  w[3] = 1 - w[0] - w[1] - w[2];
}

/* The taps are the part of the input that element i covers: whole elements, and fractions at both ends. */
static void area_taps(const Axis *a, int64_t i, double scale) {
  float *w = a->weight + i * a->most;
  const double from = (double)i * scale, to = from + scale, cell = fmin(scale, (double)a->in - from);
  int64_t last = (int64_t)floor(to), first = (int64_t)ceil(from);
  if (last > a->in - 1) last = a->in - 1;
  if (first > last) first = last;
  ResizeTaps t = { first, 0 };
  if ((double)first - from > 1e-3) {
    t.first = first - 1;
    w[t.count++] = (float)(((double)first - from) / cell);
  }
  for (int64_t k = first; k < last; k++) w[t.count++] = (float)(1 / cell);
  if (to - (double)last > 1e-3) w[t.count++] = (float)(fmin(fmin(to - (double)last, 1), cell) / cell);
  a->taps[i] = t;
}

/* Computes taps and weights. AREA is a mean with all_shrink, otherwise bilinear with different weights. */
static void find_taps(const Axis *a, int64_t interp, bool all_shrink) {
  const double scale = (double)a->in / (double)a->out;
  for (int64_t i = 0; i < a->out; i++) {
    float *w = a->weight + i * a->most;
    if (interp == AREA && all_shrink) {
      area_taps(a, i, scale);
      continue;
    }
    if (interp == NEAREST) {
      int64_t at = (int64_t)floor((double)i * scale);
      a->taps[i] = (ResizeTaps){ at < a->in ? at : a->in - 1, 1 };
      w[0] = 1;
      continue;
    }
    float x = (float)(((double)i + 0.5) * scale - 0.5);
    int64_t at = (int64_t)floorf(x);
    x -= (float)at;
    if (interp == AREA) {
      at = (int64_t)floor((double)i * scale);
      x = (float)((double)(i + 1) - (double)(at + 1) / scale);
      x = x <= 0 ? 0 : x - floorf(x);
    }
    if (interp == CUBIC) {
      a->taps[i] = (ResizeTaps){ at - 1, 4 };
      cubic_weights(x, w);
    } else {
      a->taps[i] = (ResizeTaps){ at, 2 };
      w[0] = 1 - x;
      w[1] = x;
    }
  }
  for (int64_t k = 0; k < a->out * a->most; k++) a->fixed[k] = (int32_t)lrintf(a->weight[k] * FIXED);
}

typedef struct Resizing {
  Axis y, x;
  int64_t interp, channels;
  bool quarter;                     /* mean of four elements */
  const void *from;
  void *to;
} Resizing;

static int64_t inside(int64_t at, int64_t n) { return at < 0 ? 0 : at >= n ? n - 1 : at; }
static uint8_t to_byte(double x) { return x <= 0 ? 0 : x >= 255 ? 255 : (uint8_t)lrint(x); }

/* The weighted sum along `row` of the input, for column i of the result and channel c; S is the type of sums. */
#define ACROSS(suffix, T, S, weights)                                                                              \
  static S across_##suffix(const Resizing *r, const T *row, int64_t i, int64_t c) {                                \
    const ResizeTaps t = r->x.taps[i];                                                                             \
    const S *w = r->x.weights + i * r->x.most;                                                                     \
    S sum = 0;                                                                                                     \
    for (int64_t k = 0; k < t.count; k++) sum += row[inside(t.first + k, r->x.in) * r->channels + c] * w[k];       \
    return sum;                                                                                                    \
  }
ACROSS(f32, float, float, weight)
ACROSS(u8, uint8_t, float, weight)
ACROSS(fixed, uint8_t, int32_t, fixed)

static const void *line_of(const Resizing *r, int64_t image, int64_t y, size_t size) {
  return (const char *)r->from + (size_t)((image * r->y.in + inside(y, r->y.in)) * r->x.in * r->channels) * size;
}

static float element_f32(const Resizing *r, int64_t image, int64_t y, int64_t x, int64_t c) {
  const ResizeTaps t = r->y.taps[y];
  float sum = 0;
  for (int64_t k = 0; k < t.count; k++)
    sum += across_f32(r, line_of(r, image, t.first + k, sizeof(float)), x, c) * r->y.weight[y * r->y.most + k];
  return sum;
}

static uint8_t element_u8(const Resizing *r, int64_t image, int64_t y, int64_t x, int64_t c) {
  const ResizeTaps t = r->y.taps[y];
  const int32_t *fixed = r->y.fixed + y * r->y.most;
  if (r->quarter) {
    int32_t sum = 2;
    for (int k = 0; k < 4; k++)
      sum += ((const uint8_t *)line_of(r, image, 2 * y + k / 2, 1))[(2 * x + k % 2) * r->channels + c];
    return (uint8_t)(sum >> 2);
  }
  if (r->interp == NEAREST || (r->interp == AREA && r->y.most != 2)) {
    float sum = 0;
    for (int64_t k = 0; k < t.count; k++)
      sum += across_u8(r, line_of(r, image, t.first + k, 1), x, c) * r->y.weight[y * r->y.most + k];
    return to_byte(sum);
  }
  if (r->interp == CUBIC) {
    int64_t sum = 0;
    for (int64_t k = 0; k < t.count; k++)
      sum += (int64_t)across_fixed(r, line_of(r, image, t.first + k, 1), x, c) * fixed[k];
    return to_byte((double)sum / (FIXED * FIXED));
  }
  int32_t sum = 2;
  for (int64_t k = 0; k < 2; k++)
    sum += (fixed[k] * (across_fixed(r, line_of(r, image, t.first + k, 1), x, c) >> 4)) >> 16;
  return (uint8_t)(sum >> 2);
}

/* A work item is a row of the result. */
#define RESIZE(T, suffix)                                                                                    \
  static void resize_##suffix(void *context, int64_t first, int64_t last) {                                  \
    const Resizing *r = context;                                                                             \
    for (int64_t i = first; i < last && !interrupted(); i++) {                                               \
      T *to = (T *)r->to + i * r->x.out * r->channels;                                                       \
      for (int64_t x = 0; x < r->x.out; x++)                                                                 \
        for (int64_t c = 0; c < r->channels; c++)                                                            \
          to[x * r->channels + c] = element_##suffix(r, i / r->y.out, i % r->y.out, x, c);                   \
    }                                                                                                        \
  }
RESIZE(float, f32)
RESIZE(uint8_t, u8)

/* Places the arrays of an axis at `at`, unless it is NULL; returns their bytes. */
static size_t lay_out(Axis *a, char *at) {
  const size_t taps = (size_t)a->out * sizeof(ResizeTaps), weights = (size_t)(a->out * a->most) * sizeof(float);
  if (at) {
    a->taps = (ResizeTaps *)at;
    a->weight = (float *)(at + taps);
    a->fixed = (int32_t *)(at + taps + weights);
  }
  return taps + 2 * weights + (2 * weights) % sizeof(int64_t);
}

static Resizing resizing_of(const ImageResizeParams *p, const Shape *in, const Shape *out) {
  const int at = in->ndim - 3;
  Resizing r = { .y = { .in = in->dim[at], .out = out->dim[at] },
                 .x = { .in = in->dim[at + 1], .out = out->dim[at + 1] },
                 .interp = p->interp,
                 .channels = in->dim[at + 2] };
  const bool halves = r.y.in == 2 * r.y.out && r.x.in == 2 * r.x.out;
  const bool all = shrinks(r.y.in, r.y.out) && shrinks(r.x.in, r.x.out);
  if (r.interp == LINEAR && halves) r.interp = AREA;
  r.quarter = r.interp == AREA && halves;
  r.y.most = r.interp == AREA && !all ? 2 : most_taps(r.interp, r.y.in, r.y.out);
  r.x.most = r.interp == AREA && !all ? 2 : most_taps(r.interp, r.x.in, r.x.out);
  return r;
}

static size_t resize_scratch(const Query *q) {
  Resizing r = resizing_of(q->params, &query_in(q, 0)->shape, &query_out(q, 0)->shape);
  return lay_out(&r.y, NULL) + lay_out(&r.x, NULL);
}

static Status resize_forward(Call *c) {
  const Shape *in = &c->in[0]->type.shape, *out = &c->out[0]->type.shape;
  Resizing r = resizing_of(c->params, in, out);
  r.from = c->in[0]->data;
  r.to = c->out[0]->data;
  lay_out(&r.x, (char *)c->workspace + lay_out(&r.y, c->workspace));
  const bool all = shrinks(r.y.in, r.y.out) && shrinks(r.x.in, r.x.out);
  find_taps(&r.y, r.interp, all);
  find_taps(&r.x, r.interp, all);
  return run_parallel(shape_size_range(out, 0, out->ndim - 2), (1 << 12) / (r.x.out * r.channels + 1) + 1,
                      c->in[0]->type.dtype == DT_UINT8 ? resize_u8 : resize_f32, &r);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define PICTURE "F.array({{{1, 20, 255}, {40, 5, 60}, {7, 8, 9}}, {{100, 0, 3}, {4, 250, 6}, {70, 80, 90}}}"

/* clang-format off */
Op image_ops[] = {
  { .name = "_image_to_tensor", .aliases = "image.to_tensor",
    .doc = "Converts an image (height, width, channels) with values from 0 to 255, or a batch, to float32 (channels, "
           "height, width) with values from 0 to 1",
    .example = "F.image.to_tensor(" PICTURE "))\nF.image.to_tensor(F.array({{{{1}, {2}}}}, {dtype = \"uint8\"}))",
    .inputs = "data", .infer = infer_to_tensor, .forward = to_tensor_forward, .grad = to_tensor_grad },
  { .name = "_image_normalize", .aliases = "image.normalize",
    .doc = "(data - mean) / std for (channels, height, width) or a batch, with 1 or 3 channels",
    .example = "F.image.normalize(F.array{{{1, 2}}, {{3, 4}}, {{5, 6}}}, {mean = {1, 2, 3}, std = {2, 4, 8}})\n"
               "F.image.normalize(F.array{{{{0.5, 2}}}}, {mean = 1, std = 2})",
    .inputs = "data",
    .params = "mean floats (0,) A number, or one per channel.\n"
              "std floats (1,) A number, or one per channel.\n",
    .params_size = sizeof(NormalizeParams), .infer = infer_normalize, .forward = normalize_forward,
    .grad = normalize_grad },
  { .name = "_image_resize", .aliases = "image.resize",
    .doc = "Resizes an image (height, width, channels) of uint8 or float32, or a batch, with OpenCV's values",
    .example = "F.image.resize(" PICTURE ", {dtype = \"uint8\"}), {size = {2, 3}})", .inputs = "data",
    .params = "size shape () (width, height), or one number for both.\n"
              "keep_ratio bool False Use a single number for the shorter side, and keep the proportions.\n"
              "interp int 1 0: nearest; 1: bilinear; 2: bicubic; 3: mean of the area (bilinear to enlarge).\n",
    .params_size = sizeof(ImageResizeParams), .infer = infer_resize, .forward = resize_forward,
    .workspace = resize_scratch },
  { .name = "_image_crop", .aliases = "image.crop",
    .doc = "Crops an image (height, width, channels), or a batch",
    .example = "F.image.crop(" PICTURE "), {x = 1, y = 0, width = 2, height = 1})\n"
               "F.image.crop(F.array{{{{1}, {2}}, {{3}, {4}}}}, {x = 0, y = 1, width = 2, height = 1})",
    .inputs = "data",
    .params = "x int - The first column.\ny int - The first row.\nwidth int - Number of columns.\n"
              "height int - Number of rows.\n",
    .params_size = sizeof(ImageCropParams), .infer = infer_crop, .forward = crop_forward, .expand = crop_expand },
  { .name = "_image_flip_left_right", .aliases = "image.flip_left_right",
    .doc = "Flips an image (height, width, channels), or a batch, from left to right",
    .example = "F.image.flip_left_right(" PICTURE "))", .inputs = "data", .infer = infer_flip,
    .forward = flip_left_right_forward, .expand = flip_left_right_expand },
  { .name = "_image_flip_top_bottom", .aliases = "image.flip_top_bottom",
    .doc = "Flips an image (height, width, channels), or a batch, from top to bottom",
    .example = "F.image.flip_top_bottom(" PICTURE "))", .inputs = "data", .infer = infer_flip,
    .forward = flip_top_bottom_forward, .expand = flip_top_bottom_expand },
  { .name = "_image_random_flip_left_right", .aliases = "image.random_flip_left_right",
    .doc = "flip_left_right with probability 1/2, otherwise a copy", .example = "F.image.random_flip_left_right("
    PICTURE "))", .inputs = "data", .effects = op_draws_always, .infer = infer_flip,
    .forward = random_flip_left_right_forward },
  { .name = "_image_random_flip_top_bottom", .aliases = "image.random_flip_top_bottom",
    .doc = "flip_top_bottom with probability 1/2, otherwise a copy", .example = "F.image.random_flip_top_bottom("
    PICTURE "))", .inputs = "data", .effects = op_draws_always, .infer = infer_flip,
    .forward = random_flip_top_bottom_forward },
  { 0 }
};
/* clang-format on */
