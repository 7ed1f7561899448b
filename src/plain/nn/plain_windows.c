/* plain_windows.c - the rows of windows, and their numbers. Texts: nn/pooling.h, nn/convolution.h, nn/winograd.h,
** nn/deformable_convolution.h.
*/
#include <string.h>

#include "ops/nn/deconvolution.h"
#include "ops/nn/im2col.h"
#include "ops/nn/pooling.h"
#include "plain/plain_registry.h"

/* Adds the steps of an array in its own order of axes: from image to image, channel to channel, place to place. */
static void add_steps(PlainCall *c, const Shape *channels_first, bool channels_last) {
  const int64_t places = shape_size_range(channels_first, 2, channels_first->ndim), channels = channels_first->dim[1];
  plain_whole(c, channels * places);
  plain_whole(c, channels_last ? 1 : places);
  plain_whole(c, channels_last ? channels : 1);
}

static void pooling_numbers(const Query *q, PlainCall *c) {
  const PoolingParams *p = q->params;
  const Shape in = pooling_channels_first(p, query_in_shape(q, 0)),
              out = pooling_channels_first(p, query_out_shape(q, 0));
  const bool last = pooling_channels_last(p);
  Windows w;
  if (pooling_windows(p, in.ndim, &w) != OK) return;         /* inference has read them */
  windows_set(w.in, &in, w.axes);
  windows_set(w.out, &out, w.axes);
  if (p->global_pool) memcpy(w.kernel, w.in, sizeof w.kernel);
  c->function = p->pool_type == POOL_MAX ? "pooling_max" : "pooling_sum";
  plain_whole(c, in.dim[0] * in.dim[1]);
  plain_whole(c, in.dim[1]);
  add_steps(c, &in, last);
  add_steps(c, &out, last);
  plain_wholes(c, w.in, WINDOW_AXES);
  plain_wholes(c, w.out, WINDOW_AXES);
  plain_wholes(c, w.kernel, WINDOW_AXES);
  plain_wholes(c, w.stride, WINDOW_AXES);
  plain_wholes(c, w.pad, WINDOW_AXES);
  if (p->pool_type == POOL_MAX) return;
  plain_whole(c, p->pool_type == POOL_LP ? p->p_value : 1);
  plain_whole(c, p->pool_type == POOL_AVG);
  plain_whole(c, p->count_include_pad != 0);
}

static void add_window(PlainCall *c, const Windows *w) {
  plain_wholes(c, w->in, WINDOW_AXES);
  plain_wholes(c, w->out, WINDOW_AXES);
  plain_wholes(c, w->kernel, WINDOW_AXES);
  plain_wholes(c, w->stride, WINDOW_AXES);
  plain_wholes(c, w->dilate, WINDOW_AXES);
  plain_wholes(c, w->pad, WINDOW_AXES);
}

/* A convolution, or the gradient of its data if `turned`. */
static void add_convolution(PlainCall *c, const Convolution *v, bool turned) {
  if (!convolution_form(v).winograd) {
    c->function = turned ? "convolution_data" : "convolution";
    plain_whole(c, v->images);
    plain_whole(c, v->groups);
    plain_whole(c, v->channels);
    plain_whole(c, v->filters);
    add_window(c, &v->w);
    return;
  }
  const int64_t window = v->w.kernel[1], channels = turned ? v->filters : v->channels,
                filters = turned ? v->channels : v->filters;
  c->text = "nn/winograd";
  c->function = "winograd";
  c->workspace = 36 * channels * (filters + 1);
  plain_whole(c, v->images);
  plain_whole(c, channels);
  plain_whole(c, filters);
  plain_wholes(c, turned ? v->w.out : v->w.in, WINDOW_AXES);
  plain_wholes(c, turned ? v->w.in : v->w.out, WINDOW_AXES);
  for (int i = 0; i < WINDOW_AXES; i++) plain_whole(c, turned ? window - 1 - v->w.pad[i] : v->w.pad[i]);
  plain_whole(c, window);
  plain_whole(c, turned);
}

static void convolution_numbers(const Query *q, PlainCall *c) {
  const Convolution v = convolution_of(q->params, query_in(q, 0), query_out(q, 0));
  add_convolution(c, &v, false);
}

static void deconvolution_numbers(const Query *q, PlainCall *c) {
  const Convolution v = deconvolution_of(q->params, query_in(q, 0));
  add_convolution(c, &v, true);
}

static void im2col_numbers(const Query *q, PlainCall *c) {
  const Shape *data = query_in_shape(q, 0);
  Windows w;
  if (im2col_windows(q->params, data, &w) != OK) return;
  plain_whole(c, data->dim[0] * data->dim[1]);
  add_window(c, &w);
}

static void col2im_numbers(const Query *q, PlainCall *c) {
  const Shape *out = query_out_shape(q, 0);
  Windows w;
  if (col2im_windows(q->params, &w) != OK) return;
  plain_whole(c, out->dim[0] * out->dim[1]);
  add_window(c, &w);
}

static void deformable_numbers(const Query *q, PlainCall *c) {
  const DeformableParams *p = q->params;
  const Shape *data = query_in_shape(q, 0), *out = query_out_shape(q, 0);
  const bool masked = *(const bool *)q->op->plain->own;
  const DeformedColumnsParams columns = deformed_columns_of(p, masked);
  Windows w;
  if (deformable_windows(&columns, data->dim[2], data->dim[3], &w) != OK) return;
  plain_wholes(c, data->dim, 4);
  plain_wholes(c, out->dim + 1, 3);
  plain_whole(c, p->num_group);
  plain_whole(c, p->num_deformable_group);
  plain_whole(c, masked);
  plain_wholes(c, w.kernel + WINDOW_AXES - 2, 2);
  plain_wholes(c, w.stride + WINDOW_AXES - 2, 2);
  plain_wholes(c, w.dilate + WINDOW_AXES - 2, 2);
  plain_wholes(c, w.pad + WINDOW_AXES - 2, 2);
  c->workspace = data->dim[1] * w.kernel[1] * w.kernel[2] * out->dim[2] * out->dim[3];
}

#define DEFORMABLE(row, name, masked)                                                                         \
  { .op = row, .text = "nn/deformable_convolution", .function = name, .types = FLOAT_TYPES,                   \
    .rounded = ONE_TYPE(DT_FLOAT64), .arguments = deformable_numbers, .own = &(const bool){ masked } }

/* Which shapes multiply zeros by infinite weights is unspecified (kernels/conv/conv_algorithm.h). */
#define WINDOWS(row, numbers, ...) \
  { .op = row, .text = "nn/convolution", .types = FLOAT_TYPES, .arguments = numbers, __VA_ARGS__ }

const Plain plain_windows[] = {
  WINDOWS("Convolution", convolution_numbers, .function = "convolution"),
  WINDOWS("Deconvolution", deconvolution_numbers, .function = "convolution_data", .finite = true),
  WINDOWS("im2col", im2col_numbers, .function = "im2col"),
  WINDOWS("col2im", col2im_numbers, .function = "col2im"),
  DEFORMABLE("_contrib_DeformableConvolution", "deformable_convolution", false),
  DEFORMABLE("_contrib_ModulatedDeformableConvolution", "modulated_convolution", true),
  { .op = "Pooling", .text = "nn/pooling", .types = FLOAT_TYPES, .arguments = pooling_numbers },
  { 0 }
};
