/* im2col.c - im2col and col2im: receptive fields of windows as columns, and the reverse, which adds.
**
** Row (channel, tap) of im2col's result contains, for each window position, the element under the tap, or 0 outside
** data. col2im adds these elements at their original positions, one tap after another. Each is the other's gradient.
** The kernels: kernels/conv/im2col_kernels.c.
*/
#include "ops/nn/im2col.h"

#include <string.h>

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

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

Status im2col_windows(const Im2colParams *p, const Shape *data, Windows *w) {
  TRY(windows_read(&p->kernel, &p->stride, &p->dilate, &p->pad, w));
  windows_set(w->in, data, w->axes);
  return count_places(w, "kernel", data);
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

Status col2im_windows(const Col2imParams *p, Windows *w) {
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
  TRY(col2im_windows(p, &w));
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
    .infer = infer_im2col, .grad = im2col_grad },
  { .name = "col2im",
    .doc = "Adds the elements of columns, (batch, channel x taps, positions), at the positions where im2col reads them",
    .example = "F.col2im(F.array{{{1, 2}, {0.5, 3}, {-1, 1.5}, {4, 2}}}, {output_size = {2, 3}, kernel = {2, 2}})\n"
               "F.col2im(F.array{{{1, 2, 1}, {0.5, 3, 2}}}, "
               "{output_size = {4}, kernel = {2}, stride = {2}, pad = {1}})",
    .inputs = "data",
    .params = "output_size shape - The size of the result: (width), (height, width) or (depth, height, width).\n"
              WINDOW_PARAMS,
    .params_size = sizeof(Col2imParams), .flags = OP_NAMED_INPUT, .infer = infer_col2im,
    .grad = col2im_grad },
  { 0 }
};
/* clang-format on */
