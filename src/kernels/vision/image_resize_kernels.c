/* image_resize_kernels.c - AdaptiveAvgPooling2D, BilinearResize2D and their gradients.
**
** The mean of an adaptive output is a sum in double, in row-major order, divided by the count. Bilinear positions are
** computed in double, and the weights of the four neighbours in the element type; positions are a plan.
*/
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shared_params.h"
#include "ops/vision/image_resize.h"
#include "tensor/cast_copy.h"

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
                   .from = c->in[0]->data,
                   .to = c->out[0]->data };
}

/* Runs `items` work items, of `work` elements each. */
static Status run_items(Resize *r, int64_t items, int64_t work, ParallelBody *body) {
  return run_parallel(items, (1 << 12) / (work + 1) + 1, body, r);
}

static Status adaptive(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  Resize r = resize_of(c, data, &c->out[0]->type.shape);
  return run_items(&r, data->dim[0] * data->dim[1], r.height * r.width, c->kernel->body);
}

static Status backward_adaptive(Call *c) {
  const Shape *data = &c->out[0]->type.shape;
  Resize r = resize_of(c, data, &c->in[0]->type.shape);
  clear_block(r.to, tensor_bytes(c->out[0]));
  return run_items(&r, data->dim[0] * data->dim[1], r.height * r.width, c->kernel->body);
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

static Status resize_plan(Workspace *w, const Shape *data, const Shape *out, bool corners) {
  Between *rows = kernel_plan(w, (size_t)(out->dim[2] + out->dim[3]) * sizeof *rows);
  if (!rows) return w->status;
  find_between(data->dim[2], out->dim[2], corners, rows);
  find_between(data->dim[3], out->dim[3], corners, rows + out->dim[2]);
  return OK;
}

static Status resize_workspace(const Query *q, Workspace *w) {
  const ResizeParams *p = q->params;
  return resize_plan(w, &query_in(q, 0)->shape, &query_out(q, 0)->shape, p->align_corners);
}

static Status backward_resize_workspace(const Query *q, Workspace *w) {
  const ResizeBackwardParams *p = q->params;
  return resize_plan(w, &query_out(q, 0)->shape, &query_in(q, 0)->shape, p->align_corners);
}

static Resize resize_between(const Call *c, const Shape *data, const Shape *out) {
  Resize r = resize_of(c, data, out);
  r.rows = c->plan;
  r.columns = r.rows + r.out_height;
  return r;
}

static Status resize(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  Resize r = resize_between(c, data, &c->out[0]->type.shape);
  return run_items(&r, data->dim[0] * data->dim[1] * r.out_height, 4 * r.out_width, c->kernel->body);
}

static Status backward_resize(Call *c) {
  const Shape *data = &c->out[0]->type.shape;
  Resize r = resize_between(c, data, &c->in[0]->type.shape);
  clear_block(r.to, tensor_bytes(c->out[0]));
  return run_items(&r, data->dim[0] * data->dim[1], 4 * r.out_height * r.out_width, c->kernel->body);
}

const Kernel image_resize_kernels[] = {
  FLOAT_KERNELS("_contrib_AdaptiveAvgPooling2D", adaptive, adaptive),
  FLOAT_KERNELS("_backward_adaptive_avg_pooling", backward_adaptive, backward_adaptive),
  FLOAT_KERNELS("_contrib_BilinearResize2D", resize, resize, .workspace = resize_workspace),
  FLOAT_KERNELS("_backward_bilinear_resize", backward_resize, backward_resize, .workspace = backward_resize_workspace),
  { 0 },
};
