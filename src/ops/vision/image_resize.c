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
#include <math.h>

#include "ops/common/gradient_rules.h"
#include "ops/common/kernel_calls.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

typedef struct AdaptiveParams { List output_size; } AdaptiveParams;
typedef struct AdaptiveBackwardParams { List shape; } AdaptiveBackwardParams;
typedef struct ResizeParams {
  int64_t height, width;
  double scale_height, scale_width;
  int64_t mode, align_corners;
} ResizeParams;
typedef struct ResizeBackwardParams { List shape; int64_t align_corners; } ResizeBackwardParams;

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
  if (f->n_in > 1) {
    TRY(check_images("like", &f->in[1].shape));
    if (f->in[1].dtype == DT_UNKNOWN) f->in[1].dtype = f->in[0].dtype;
    if (data->ndim < 0 || f->in[1].shape.ndim < 0) return OK;
    return same_planes(f, f->in[1].shape.dim[2], f->in[1].shape.dim[3]);
  }
  if (data->ndim < 0 || data->dim[2] < 0 || data->dim[3] < 0) return OK;
  if (data->dim[2] == 0 || data->dim[3] == 0)
    return fail("data: expected at least one row and column, got %s", shape_text(data));
  TRY(resized(p, "height", data->dim[2], p->height, p->scale_height, &height));
  TRY(resized(p, "width", data->dim[3], p->width, p->scale_width, &width));
  return same_planes(f, height, width);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

/* The position of an output along one axis: between `at` and `next` (possibly equal), at the fraction `part`. */
typedef struct Between { int64_t at, next; double part; } Between;

/* Sizes of data and of the resized data; the arrays, swapped in gradients. */
typedef struct Resize {
  int64_t height, width, out_height, out_width;
  const Between *rows, *columns;           /* bilinear: one per row and column of the output */
  const void *from;
  void *to;
} Resize;

static int64_t seen_from(int64_t o, int64_t from, int64_t to) { return o * from / to; }
static int64_t seen_to(int64_t o, int64_t from, int64_t to) { return ((o + 1) * from + to - 1) / to; }

/* Runs the body for each output o of a plane, with the rows and columns that it covers. */
#define EACH_SEEN(r, ...)                                                                                   \
  for (int64_t y = 0, o = 0; y < (r)->out_height; y++) {                                                    \
    const int64_t top = seen_from(y, (r)->height, (r)->out_height), bottom = seen_to(y, (r)->height, (r)->out_height); \
    for (int64_t x = 0; x < (r)->out_width; x++, o++) {                                                     \
      const int64_t left = seen_from(x, (r)->width, (r)->out_width), right = seen_to(x, (r)->width, (r)->out_width); \
      __VA_ARGS__                                                                                           \
    }                                                                                                       \
  }

#define RESIZE(code, T, suffix)                                                                             \
  static void adaptive_##suffix(void *context, int64_t first, int64_t last) {                               \
    const Resize *r = context;                                                                              \
    for (int64_t plane = first; plane < last && !interrupted(); plane++) {                                  \
      const T *from = (const T *)r->from + plane * r->height * r->width;                                    \
      T *to = (T *)r->to + plane * r->out_height * r->out_width;                                            \
      EACH_SEEN(r,                                                                                          \
        double sum = 0;                                                                                     \
        for (int64_t i = top; i < bottom; i++)                                                              \
          for (int64_t j = left; j < right; j++) sum += from[i * r->width + j];                             \
        to[o] = (T)(sum / (double)((bottom - top) * (right - left)));)                                      \
    }                                                                                                       \
  }                                                                                                         \
  static void backward_adaptive_##suffix(void *context, int64_t first, int64_t last) {                      \
    const Resize *r = context;                                                                              \
    for (int64_t plane = first; plane < last && !interrupted(); plane++) {                                  \
      const T *g = (const T *)r->from + plane * r->out_height * r->out_width;                               \
      T *to = (T *)r->to + plane * r->height * r->width;                                                    \
      EACH_SEEN(r,                                                                                          \
        const T share = (T)(g[o] / (double)((bottom - top) * (right - left)));                              \
        for (int64_t i = top; i < bottom; i++)                                                              \
          for (int64_t j = left; j < right; j++) to[i * r->width + j] += share;)                            \
    }                                                                                                       \
  }                                                                                                         \
  static void resize_##suffix(void *context, int64_t first, int64_t last) {                                 \
    const Resize *r = context;                                                                              \
    for (int64_t item = first; item < last && !interrupted(); item++) {                                     \
      const Between *row = &r->rows[item % r->out_height];                                                  \
      const T *plane = (const T *)r->from + item / r->out_height * r->height * r->width;                    \
      const T *above = plane + row->at * r->width, *below = plane + row->next * r->width;                   \
      const T low = (T)row->part, high = 1 - low;                                                           \
      T *to = (T *)r->to + item * r->out_width;                                                             \
      for (int64_t x = 0; x < r->out_width; x++) {                                                          \
        const Between *c = &r->columns[x];                                                                  \
        const T right = (T)c->part, left = 1 - right;                                                       \
        to[x] = high * (left * above[c->at] + right * above[c->next])                                       \
                + low * (left * below[c->at] + right * below[c->next]);                                     \
      }                                                                                                     \
    }                                                                                                       \
  }                                                                                                         \
  static void backward_resize_##suffix(void *context, int64_t first, int64_t last) {                        \
    const Resize *r = context;                                                                              \
    for (int64_t item = first; item < last && !interrupted(); item++) {                                     \
      T *plane = (T *)r->to + item * r->height * r->width;                                                  \
      for (int64_t y = 0; y < r->out_height; y++) {                                                         \
        const Between *row = &r->rows[y];                                                                   \
        const T low = (T)row->part, high = 1 - low;                                                         \
        const T *g = (const T *)r->from + (item * r->out_height + y) * r->out_width;                        \
        T *above = plane + row->at * r->width, *below = plane + row->next * r->width;                       \
        for (int64_t x = 0; x < r->out_width; x++) {                                                        \
          const Between *c = &r->columns[x];                                                                \
          const T right = (T)c->part, left = 1 - right;                                                     \
          above[c->at] += high * left * g[x];                                                               \
          above[c->next] += high * right * g[x];                                                            \
          below[c->at] += low * left * g[x];                                                                \
          below[c->next] += low * right * g[x];                                                             \
        }                                                                                                   \
      }                                                                                                     \
    }                                                                                                       \
  }
EACH_FLOAT(RESIZE)

static Resize resize_of(const Call *c, const Shape *data, const Shape *out) {
  return (Resize){ .height = data->dim[2],
                   .width = data->dim[3],
                   .out_height = out->dim[2],
                   .out_width = out->dim[3],
                   .rows = c->prepared,
                   .columns = c->prepared ? (const Between *)c->prepared + out->dim[2] : NULL,
                   .from = c->in[0]->data,
                   .to = c->out[0]->data };
}

/* Runs `items` work items, of `work` elements each. */
static Status run_items(Resize *r, int64_t items, int64_t work, ParallelBody *body) {
  return run_parallel(items, (1 << 12) / (work + 1) + 1, body, r);
}

static Status adaptive_forward(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  Resize r = resize_of(c, data, &c->out[0]->type.shape);
  return run_items(&r, data->dim[0] * data->dim[1], r.height * r.width, BY_DTYPE(c, adaptive));
}

static Status backward_adaptive_forward(Call *c) {
  const Shape *data = &c->out[0]->type.shape;
  Resize r = resize_of(c, data, &c->in[0]->type.shape);
  clear_block(r.to, tensor_bytes(c->out[0]));
  return run_items(&r, data->dim[0] * data->dim[1], r.height * r.width, BY_DTYPE(c, backward_adaptive));
}

/* Computes the positions of all outputs along an axis of size n. */
static void find_between(int64_t n, int64_t outputs, bool corners, Between *to) {
  for (int64_t o = 0; o < outputs; o++) {
    double place = corners ? (double)(o * (n - 1)) / (double)(outputs - 1)
                           : ((double)o + 0.5) * (double)n / (double)outputs - 0.5;
    if (place < 0 || outputs == 1) place = 0;
    int64_t at = (int64_t)place;
    if (at > n - 1) at = n - 1;
    to[o] = (Between){ at, at < n - 1 ? at + 1 : at, place - (double)at };
  }
}

static size_t between_workspace(const Shape *out) { return (size_t)(out->dim[2] + out->dim[3]) * sizeof(Between); }
static size_t resize_workspace(const Query *q) { return between_workspace(&query_out(q, 0)->shape); }
static size_t backward_resize_workspace(const Query *q) { return between_workspace(&query_in(q, 0)->shape); }

static Status prepare(Call *c, const Shape *data, const Shape *out, int64_t corners) {
  Between *rows = c->prepared;
  find_between(data->dim[2], out->dim[2], corners, rows);
  find_between(data->dim[3], out->dim[3], corners, rows + out->dim[2]);
  return OK;
}

static Status prepare_resize(Call *c) {
  return prepare(c, &c->in[0]->type.shape, &c->out[0]->type.shape, ((const ResizeParams *)c->params)->align_corners);
}

static Status prepare_backward_resize(Call *c) {
  const ResizeBackwardParams *p = c->params;
  return prepare(c, &c->out[0]->type.shape, &c->in[0]->type.shape, p->align_corners);
}

static Status resize_forward(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  Resize r = resize_of(c, data, &c->out[0]->type.shape);
  return run_items(&r, data->dim[0] * data->dim[1] * r.out_height, 4 * r.out_width, BY_DTYPE(c, resize));
}

static Status backward_resize_forward(Call *c) {
  const Shape *data = &c->out[0]->type.shape;
  Resize r = resize_of(c, data, &c->in[0]->type.shape);
  clear_block(r.to, tensor_bytes(c->out[0]));
  return run_items(&r, data->dim[0] * data->dim[1], 4 * r.out_height * r.out_width, BY_DTYPE(c, backward_resize));
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
    .forward = adaptive_forward, .grad = adaptive_grad },
  { .name = "_backward_adaptive_avg_pooling", .doc = "The gradient of data", .inputs = "g",
    .params = "shape shape - The shape of data.\n", .params_size = sizeof(AdaptiveBackwardParams),
    .flags = OP_INTERNAL, .infer = infer_backward, .forward = backward_adaptive_forward,
    .grad = backward_adaptive_grad },
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
    .infer = infer_resize, .prepared = resize_workspace, .prepare = prepare_resize, .forward = resize_forward,
    .grad = resize_grad },
  { .name = "_backward_bilinear_resize", .doc = "The gradient of data", .inputs = "g",
    .params = "shape shape - The shape of data.\nalign_corners bool - Map corner elements to corner elements.\n",
    .params_size = sizeof(ResizeBackwardParams), .flags = OP_INTERNAL, .infer = infer_backward,
    .prepared = backward_resize_workspace, .prepare = prepare_backward_resize, .forward = backward_resize_forward,
    .grad = backward_resize_grad },
  { 0 }
};
/* clang-format on */
