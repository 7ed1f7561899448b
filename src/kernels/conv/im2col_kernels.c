/* im2col_kernels.c - im2col and col2im: loops over the rows of outputs that a tap of the window reads. */
#include <string.h>

#include "base/math/scalar_functions.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/nn/im2col.h"

typedef struct ColumnRun {
  Windows w;
  const void *from;
  void *to;
} ColumnRun;

/* The outputs [from, to) along an axis at which tap t is inside data. */
static int64_t inside_from(const Windows *w, int axis, int64_t t) {
  const int64_t from = windows_ceil(w->pad[axis] - t * w->dilate[axis], w->stride[axis]);
  return from > 0 ? from : 0;
}
static int64_t inside_to(const Windows *w, int axis, int64_t t) {
  const int64_t to = windows_ceil(w->in[axis] + w->pad[axis] - t * w->dilate[axis], w->stride[axis]);
  return to < w->out[axis] ? to : w->out[axis];
}

/* Runs the body for each row of outputs (depth, height) of a tap that is inside data: its outputs i in [left, right)
** read elements `first` + i * stride of the channel. */
#define EACH_INSIDE(w, tap, ...)                                                                            \
  {                                                                                                         \
    const int64_t kd = (tap) / ((w)->kernel[1] * (w)->kernel[2]), kh = (tap) / (w)->kernel[2] % (w)->kernel[1]; \
    const int64_t kw = (tap) % (w)->kernel[2], left = inside_from(w, 2, kw), right = inside_to(w, 2, kw);   \
    for (int64_t d = inside_from(w, 0, kd), d_end = inside_to(w, 0, kd); d < d_end; d++)                    \
      for (int64_t h = inside_from(w, 1, kh), h_end = inside_to(w, 1, kh); h < h_end; h++) {                \
        const int64_t row = (d * (w)->out[1] + h) * (w)->out[2];                                            \
        const int64_t depth = d * (w)->stride[0] + kd * (w)->dilate[0] - (w)->pad[0];                       \
        const int64_t height = h * (w)->stride[1] + kh * (w)->dilate[1] - (w)->pad[1];                      \
        const int64_t first = (depth * (w)->in[1] + height) * (w)->in[2] + kw * (w)->dilate[2] - (w)->pad[2]; \
        __VA_ARGS__                                                                                         \
      }                                                                                                     \
  }

#define COLUMNS(code, T, suffix)                                                                            \
  /* A work item is a tap of a channel. */                                                                  \
  static void im2col_##suffix(void *context, int64_t begin, int64_t end) {                                  \
    const ColumnRun *c = context;                                                                           \
    const Windows *w = &c->w;                                                                               \
    const int64_t taps = windows_size(w->kernel), places = windows_size(w->out), stride = w->stride[2];     \
    for (int64_t item = begin; item < end && !interrupted(); item++) {                                      \
      const T *from = (const T *)c->from + item / taps * windows_size(w->in);                               \
      T *to = (T *)c->to + item * places;                                                                   \
      memset(to, 0, (size_t)places * sizeof(T));                                                            \
      EACH_INSIDE(w, item % taps,                                                                           \
        if (stride == 1 && left < right)                                                                    \
          memcpy(to + row + left, from + first + left, (size_t)(right - left) * sizeof(T));                 \
        else for (int64_t i = left; i < right; i++) to[row + i] = from[first + i * stride];)                \
    }                                                                                                       \
  }                                                                                                         \
  /* A work item is a channel. */                                                                           \
  static void col2im_##suffix(void *context, int64_t begin, int64_t end) {                                  \
    const ColumnRun *c = context;                                                                           \
    const Windows *w = &c->w;                                                                               \
    const int64_t taps = windows_size(w->kernel), places = windows_size(w->out), stride = w->stride[2];     \
    for (int64_t item = begin; item < end && !interrupted(); item++) {                                      \
      T *to = (T *)c->to + item * windows_size(w->in);                                                      \
      memset(to, 0, (size_t)windows_size(w->in) * sizeof(T));                                               \
      for (int64_t tap = 0; tap < taps; tap++) {                                                            \
        const T *from = (const T *)c->from + (item * taps + tap) * places;                                  \
        EACH_INSIDE(w, tap,                                                                                 \
          if (stride == 1) { IVDEP for (int64_t i = left; i < right; i++) to[first + i] += from[row + i]; } \
          else { IVDEP for (int64_t i = left; i < right; i++) to[first + i * stride] += from[row + i]; })   \
      }                                                                                                     \
    }                                                                                                       \
  }
EACH_FLOAT(COLUMNS)

static Status im2col(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  ColumnRun r = { .from = c->in[0]->data, .to = c->out[0]->data };
  TRY(im2col_windows(c->params, data, &r.w));
  return run_parallel(data->dim[0] * c->out[0]->type.shape.dim[1], (1 << 13) / (windows_size(r.w.out) + 1) + 1,
                      c->kernel->body, &r);
}

static Status col2im(Call *c) {
  const Shape *out = &c->out[0]->type.shape;
  ColumnRun r = { .from = c->in[0]->data, .to = c->out[0]->data };
  TRY(col2im_windows(c->params, &r.w));
  const int64_t work = windows_size(r.w.out) * windows_size(r.w.kernel);
  return run_parallel(out->dim[0] * out->dim[1], (1 << 13) / (work + 1) + 1, c->kernel->body, &r);
}

const Kernel im2col_kernels[] = { FLOAT_KERNELS("im2col", im2col, im2col),
                                  FLOAT_KERNELS("col2im", col2im, col2im),
                                  { 0 } };
