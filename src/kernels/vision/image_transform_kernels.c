/* image_transform_kernels.c - kernels that convert, normalize, crop, flip and resize images. */
#include <math.h>

#include "base/math/random_stream.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/vision/image_transform.h"
#include "state/engine.h"
#include "tensor/cast_copy.h"

/* ---- Moving elements ------------------------------------------------------------------------------------------ */

static Status to_tensor(Call *c) {
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

/* Copies a part of the input from element `begin`; strides may be negative. */
static Status copy_part(const Call *c, int64_t begin, const int64_t *strides) {
  const size_t size = dtype_size(c->in[0]->type.dtype);
  int64_t to[MAX_DIMS];
  strides_of(&c->out[0]->type.shape, to);
  strided_copy(size, &c->out[0]->type.shape, (const char *)c->in[0]->data + (size_t)begin * size, strides,
               c->out[0]->data, to);
  return interrupt_status();
}

static Status crop(Call *c) {
  const ImageCropParams *p = c->params;
  const int at = c->in[0]->type.shape.ndim - 3;
  int64_t strides[MAX_DIMS];
  strides_of(&c->in[0]->type.shape, strides);
  return copy_part(c, p->y * strides[at] + p->x * strides[at + 1], strides);
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

static Status flip_left_right(Call *c) { return flip(c, 1); }
static Status flip_top_bottom(Call *c) { return flip(c, 0); }

static Status random_flip(Call *c, int which) {
  uint32_t bits[4];
  random_four(random_take(&engine_now()->random, 1), 0, bits);
  if (bits[0] >> 31) return flip(c, which);
  copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
  return interrupt_status();
}

static Status random_flip_left_right(Call *c) { return random_flip(c, 1); }
static Status random_flip_top_bottom(Call *c) { return random_flip(c, 0); }

/* ---- Normalizing ---------------------------------------------------------------------------------------------- */


#define NORMALIZE(code, T, suffix)                                                                          \
  /* A work item is a channel of an image. */                                                               \
  static void normalize_##suffix(void *context, int64_t first, int64_t last) {                              \
    const Call *c = context;                                                                                \
    const NormalizeParams *p = c->params;                                                                   \
    const Shape *s = &c->in[0]->type.shape;                                                                 \
    const int64_t channels = s->dim[s->ndim - 3], n = s->dim[s->ndim - 2] * s->dim[s->ndim - 1];            \
    for (int64_t plane = first; plane < last && !interrupted(); plane++) {                                  \
      const T mean = (T)list_floats(&p->mean)[p->mean.count > 1 ? plane % channels : 0];                    \
      const T std = (T)list_floats(&p->std)[p->std.count > 1 ? plane % channels : 0];                       \
      const T *x = (const T *)c->in[0]->data + plane * n;                                                   \
      T *out = (T *)c->out[0]->data + plane * n;                                                            \
      for (int64_t i = 0; i < n; i++) out[i] = (x[i] - mean) / std;                                         \
    }                                                                                                       \
  }
EACH_FLOAT(NORMALIZE)

static Status normalize(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  const int64_t places = s->dim[s->ndim - 2] * s->dim[s->ndim - 1];
  return run_parallel(shape_size_range(s, 0, s->ndim - 2), (1 << 13) / (places + 1) + 1, c->kernel->body, c);
}

/* ---- Resizing ------------------------------------------------------------------------------------------------- */

enum { NEAREST, LINEAR, CUBIC, AREA };
enum { FIXED = 2048 };

/* The taps of an element of the result: `count` elements of the input, starting with `first`. */
typedef struct ResizeTaps { int64_t first, count; } ResizeTaps;

/* The taps along one axis. The weights of element i start at weight[i * most]; `fixed` has them as multiples of 1 /
** FIXED for integer sums. */
typedef struct Axis {
  int64_t in, out, most;
  ResizeTaps *taps;
  float *weight;
  int32_t *fixed;
} Axis;

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

/* Places the arrays of an axis at `at`, in the plan, unless it is NULL; returns their bytes. */
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

/* The plan is the taps of both axes. */
static Status resize_workspace(const Query *q, Workspace *w) {
  Resizing r = resizing_of(q->params, &query_in(q, 0)->shape, &query_out(q, 0)->shape);
  const size_t rows = lay_out(&r.y, NULL);
  char *plan = kernel_plan(w, rows + lay_out(&r.x, NULL));
  if (!plan) return w->status;
  const bool all = shrinks(r.y.in, r.y.out) && shrinks(r.x.in, r.x.out);
  lay_out(&r.y, plan);
  lay_out(&r.x, plan + rows);
  find_taps(&r.y, r.interp, all);
  find_taps(&r.x, r.interp, all);
  return OK;
}

static Status resize(Call *c) {
  const Shape *in = &c->in[0]->type.shape, *out = &c->out[0]->type.shape;
  Resizing r = resizing_of(c->params, in, out);
  r.from = c->in[0]->data;
  r.to = c->out[0]->data;
  char *plan = (char *)c->plan;                /* only read */
  lay_out(&r.x, plan + lay_out(&r.y, plan));
  return run_parallel(shape_size_range(out, 0, out->ndim - 2), (1 << 12) / (r.x.out * r.channels + 1) + 1,
                      c->kernel->body, &r);
}

/* ---- Table ---------------------------------------------------------------------------------------------------- */

const Kernel image_transform_kernels[] = {
  { .op = "_image_to_tensor", .types = ONE_TYPE(DT_FLOAT32), .run = to_tensor },
  FLOAT_KERNELS("_image_normalize", normalize, normalize),
  { .op = "_image_crop", .types = ALL_TYPES, .run = crop },
  { .op = "_image_flip_left_right", .types = ALL_TYPES, .run = flip_left_right },
  { .op = "_image_flip_top_bottom", .types = ALL_TYPES, .run = flip_top_bottom },
  { .op = "_image_random_flip_left_right", .types = ALL_TYPES, .run = random_flip_left_right },
  { .op = "_image_random_flip_top_bottom", .types = ALL_TYPES, .run = random_flip_top_bottom },
  { .op = "_image_resize",
    .types = ONE_TYPE(DT_UINT8),
    .run = resize,
    .workspace = resize_workspace,
    .body = resize_u8 },
  { .op = "_image_resize",
    .types = ONE_TYPE(DT_FLOAT32),
    .run = resize,
    .workspace = resize_workspace,
    .body = resize_f32 },
  { 0 },
};
