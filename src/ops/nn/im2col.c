/* im2col.c - im2col and col2im: receptive fields of windows as columns, and the reverse, which adds.
**
** Row (channel, tap) of im2col's result contains, for each window position, the element under the tap, or 0 outside
** data. col2im adds these elements at their original positions, one tap after another. Each is the other's gradient.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "ops/common/gradient_rules.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "ops/nn/window_params.h"

typedef struct Im2colParams { List kernel, stride, dilate, pad; } Im2colParams;
typedef struct Col2imParams { List output_size, kernel, stride, dilate, pad; } Col2imParams;

/* ---- Inference ------------------------------------------------------------------------------------------ */

/* Multiplies a number of taps or positions by channels; fails if no array can have that size. */
static Status count_columns(const char *param, const int64_t *extent, int64_t channels, int64_t *out) {
  const Shape all = { 1 + WINDOW_AXES, { channels < 1 ? 1 : channels, extent[0], extent[1], extent[2] } };
  TRY(shape_check(&all, param));
  *out = channels < 0 ? UNKNOWN : channels * windows_size(extent);
  return OK;
}

/* Fills in w->out from w->in; `picture` is the shape that errors show. */
static Status count_places(Windows *w, const char *param, const Shape *picture) {
  for (int a = WINDOW_AXES - w->axes; a < WINDOW_AXES; a++) {
    const int64_t left = w->in[a] + 2 * w->pad[a] - windows_span(w, a);
    if (left < 0)
      return fail("%s: expected a window that fits into the padded %s, got size %lld", param, shape_text(picture),
                  (long long)windows_span(w, a));
    w->out[a] = left / w->stride[a] + 1;
  }
  return OK;
}

static Status infer_im2col(Infer *f) {
  const Im2colParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  Windows w;
  TRY(one_float_dtype(f, 1, 1));
  TRY(windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, &w));
  TRY(windows_dims(data, w.axes, false));
  if (data->ndim < 0) return OK;
  Shape out = { 3, { data->dim[0], UNKNOWN, UNKNOWN } };
  TRY(count_columns("kernel", w.kernel, data->dim[1], &out.dim[1]));
  Shape places = { .ndim = w.axes };
  memcpy(places.dim, data->dim + 2, (size_t)w.axes * sizeof *places.dim);
  if (shape_known(&places)) {
    windows_set(w.in, data, w.axes);
    TRY(count_places(&w, "kernel", data));
    TRY(count_columns("kernel", w.out, 1, &out.dim[2]));
  }
  return output_shape(f, 0, &out);
}

/* Reads the windows of col2im, with all sizes. */
static Status read_col2im(const Col2imParams *p, Windows *w) {
  TRY(windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, w));
  if (p->output_size.count != p->kernel.count)
    return fail("output_size: expected %d numbers, as in kernel, got %lld", (int)p->kernel.count,
                (long long)p->output_size.count);
  Shape size = list_shape(&p->output_size);
  for (int i = 0; i < w->axes; i++) {
    if (size.dim[i] < 1) return fail("output_size: expected numbers of 1 or more, got %s", shape_numbers(&size));
    w->in[WINDOW_AXES - w->axes + i] = size.dim[i];
  }
  TRY(shape_check(&size, "output_size"));
  return count_places(w, "kernel", &size);
}

static Status infer_col2im(Infer *f) {
  const Col2imParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  Windows w;
  TRY(one_float_dtype(f, 1, 1));
  TRY(read_col2im(p, &w));
  int64_t places, taps;
  TRY(count_columns("output_size", w.out, 1, &places));
  TRY(count_columns("kernel", w.kernel, 1, &taps));
  if (data->ndim < 0) return OK;
  if (data->ndim != 3)
    return fail("data: expected 3 dimensions (batch, channel x taps, positions), got %s", shape_text(data));
  if (data->dim[1] >= 0 && data->dim[1] % taps != 0)
    return fail("data: expected a multiple of the window's %lld taps along axis 1, got %s", (long long)taps,
                shape_text(data));
  TRY(input_shape(f, 0, &(Shape){ 3, { UNKNOWN, UNKNOWN, places } }));
  Shape out = { 2 + w.axes, { data->dim[0], data->dim[1] < 0 ? UNKNOWN : data->dim[1] / taps } };
  for (int i = 0; i < w.axes; i++) out.dim[2 + i] = list_ints(&p->output_size)[i];
  return output_shape(f, 0, &out);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

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

static Status im2col_forward(Call *c) {
  const Im2colParams *p = c->params;
  const Shape *data = &c->in[0]->type.shape;
  ColumnRun r = { .from = c->in[0]->data, .to = c->out[0]->data };
  TRY(windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, &r.w));
  windows_set(r.w.in, data, r.w.axes);
  TRY(count_places(&r.w, "kernel", data));
  return run_parallel(data->dim[0] * c->out[0]->type.shape.dim[1], (1 << 13) / (windows_size(r.w.out) + 1) + 1,
                      BY_DTYPE(c, im2col), &r);
}

static Status col2im_forward(Call *c) {
  const Shape *out = &c->out[0]->type.shape;
  ColumnRun r = { .from = c->in[0]->data, .to = c->out[0]->data };
  TRY(read_col2im(c->params, &r.w));
  const int64_t work = windows_size(r.w.out) * windows_size(r.w.kernel);
  return run_parallel(out->dim[0] * out->dim[1], (1 << 13) / (work + 1) + 1, BY_DTYPE(c, col2im), &r);
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Status im2col_grad(Gradient *d) {
  const Im2colParams *p = gradient_params(d);
  const Shape *data = &gradient_input(d, 0)->shape;
  Col2imParams q = { { .count = p->kernel.count }, p->kernel, p->stride, p->dilate, p->pad };
  memcpy(q.output_size.u.i, data->dim + 2, (size_t)p->kernel.count * sizeof *data->dim);
  return only_gradient(d, build_op(d->b, "col2im", &q, 1, d->out_grad[0]));
}

static Status col2im_grad(Gradient *d) {
  const Col2imParams *p = gradient_params(d);
  Im2colParams q = { p->kernel, p->stride, p->dilate, p->pad };
  return only_gradient(d, build_op(d->b, "im2col", &q, 1, d->out_grad[0]));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/* clang-format off */
Op im2col_ops[] = {
  { .name = "im2col",
    .doc = "The receptive fields of a window as columns: (batch, channel, *axes) becomes (batch, channel x taps, "
           "positions), with taps and window positions in row-major order",
    .example = "F.im2col(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, {kernel = {2, 2}})\n"
               "F.im2col(F.array{{{{1, 2, 0.5}, {3, -1, 1.5}}}}, {kernel = {1, 2}, stride = {1, 2}, dilate = {1, 2}, "
               "pad = {0, 1}})\n"
               "F.im2col(F.array{{{1, 2, 0.5}, {3, -1, 1.5}}}, {kernel = {2}, stride = {1}})",
    .inputs = "data", .params = WINDOW_PARAMS, .params_size = sizeof(Im2colParams), .flags = OP_NAMED_INPUT,
    .infer = infer_im2col,
    .forward = im2col_forward, .grad = im2col_grad },
  { .name = "col2im",
    .doc = "Adds the elements of columns, (batch, channel x taps, positions), at the positions where im2col reads them",
    .example = "F.col2im(F.array{{{1, 2}, {0.5, 3}, {-1, 1.5}, {4, 2}}}, {output_size = {2, 3}, kernel = {2, 2}})\n"
               "F.col2im(F.array{{{1, 2, 1}, {0.5, 3, 2}}}, "
               "{output_size = {4}, kernel = {2}, stride = {2}, pad = {1}})",
    .inputs = "data",
    .params = "output_size shape - The size of the result: (width), (height, width) or (depth, height, width).\n"
              WINDOW_PARAMS,
    .params_size = sizeof(Col2imParams), .flags = OP_NAMED_INPUT, .infer = infer_col2im, .forward = col2im_forward,
    .grad = col2im_grad },
  { 0 }
};
/* clang-format on */
