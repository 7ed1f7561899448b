/* plain_windows.c - the rows of windows, which nn/pooling.h defines, and their numbers. */
#include <string.h>

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
  const Shape in = pooling_channels_first(p, &query_in(q, 0)->shape),
              out = pooling_channels_first(p, &query_out(q, 0)->shape);
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

const Plain plain_windows[] = {
  { .op = "Pooling", .text = "nn/pooling", .types = FLOAT_TYPES, .arguments = pooling_numbers }, { 0 }
};
