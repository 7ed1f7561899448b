/* pooling.c - Pooling: the maximum, mean, sum or norm of what a window sees, over one to three axes.
**
** The sums are made in double, in the order of the window's places (depth, height, width). The maximum is
** the first of equal ones; a NaN stays. Its gradient goes to that first place, found again by its value.
** Outputs that lie side by side are computed together, a tap of the window after the other: a part of a row where
** channels come before the places, a part of the channels of one place where they come last. Both give the same
** bits, but for gradients where windows overlap: these add in the order of the outputs' rows and then of the taps, or
** of the outputs.
** Gradients: that of the maximum and its reverse (what lies at the maximum) are rows of which each is
** the other's gradient; so are Pooling and the gradient of sum and mean. The norm's is made of operators.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "base/size_math.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "kernels/conv/max_pool_rows.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "ops/nn/window_params.h"
#include "tensor/cast_copy.h"

/* Of the gradient's row: data's shape, which is the output's. */
typedef struct PoolingBackwardParams { PoolingParams pooling; List shape; } PoolingBackwardParams;

enum { POOL_VALID, POOL_FULL, POOL_SAME };

/* MXNet's maximum has a second output, hidden, for its own gradient, which its graphs count. Ours is empty. */
static int pooling_outputs(const Query *q) { return ((const PoolingParams *)q->params)->pool_type == POOL_MAX ? 2 : 1; }
static int one_visible(const Query *q) { (void)q; return 1; }
static bool is_workspace(const Query *q, int output) { (void)q; return output == 1; }

/* ---- Layouts -------------------------------------------------------------------------------------------- */

static bool channels_last(const PoolingParams *p) { return p->layout != NONE && p->layout >= WINDOW_AXES; }

/* The shape as if channels came before the places, and back again. */
static Shape channels_before(const PoolingParams *p, const Shape *s) {
  Shape out = *s;
  if (!channels_last(p) || s->ndim < 3) return out;
  out.dim[1] = s->dim[s->ndim - 1];
  for (int i = 2; i < s->ndim; i++) out.dim[i] = s->dim[i - 1];
  return out;
}

static Shape as_laid_out(const PoolingParams *p, const Shape *s) {
  Shape out = *s;
  if (!channels_last(p) || s->ndim < 3) return out;
  out.dim[s->ndim - 1] = s->dim[1];
  for (int i = 2; i < s->ndim; i++) out.dim[i - 1] = s->dim[i];
  return out;
}

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status output_places(const PoolingParams *p, const Windows *w, const Shape *data, int axis, int64_t *places) {
  const int at = WINDOW_AXES - w->axes + axis;
  const int64_t in = data->dim[2 + axis], stride = w->stride[at], left = in + 2 * w->pad[at] - w->kernel[at];
  const Shape given = as_laid_out(p, data);
  if (in < 0) { *places = UNKNOWN; return OK; }
  if (p->pooling_convention == POOL_SAME) { *places = windows_ceil(in, stride); return OK; }
  if (left < 0)
    return fail("kernel: expected a window that fits into data %s with its padding, got one of %lld along axis %d%s",
                shape_text(&given), (long long)w->kernel[at], (channels_last(p) ? 1 : 2) + axis,
                channels_last(p) ? "" : windows_hint(data));
  *places = (p->pooling_convention == POOL_FULL ? windows_ceil(left, stride) : left / stride) + 1;
  return OK;
}

static Status check_params(const PoolingParams *p, const Windows *w) {
  if (p->pool_type == POOL_LP && (p->p_value < 1 || p->p_value > 3)) {
    if (p->p_value == NONE) return fail("p_value: expected 1, 2 or 3 where pool_type is lp, got nothing");
    return fail("p_value: expected 1, 2 or 3, got %lld", (long long)p->p_value);
  }
  for (int a = 0; a < WINDOW_AXES && p->pooling_convention == POOL_SAME; a++)
    if (w->pad[a] > 0)
      return fail("pad: expected none where pooling_convention is same, got %lld", (long long)w->pad[a]);
  return OK;
}

/* The output's shape; data's number of dimensions is known, and channels come first in both. */
static Status pooled_shape(const PoolingParams *p, const Windows *w, const Shape *data, Shape *out) {
  *out = *data;
  for (int i = 0; i < data->ndim - 2; i++) {
    if (p->global_pool) out->dim[2 + i] = 1;
    else TRY(output_places(p, w, data, i, &out->dim[2 + i]));
  }
  return OK;
}

/* The window of a call, for any pool: over everything where it is global. */
static Status read_windows(const PoolingParams *p, int ndim, Windows *w) {
  List pad = p->pad;
  if (pad.count <= MAX_DIMS && pad.count > p->kernel.count) pad.count = p->kernel.count;    /* MXNet reads no more */
  if (!p->global_pool) return windows_read(&p->kernel, &p->stride, NULL, &pad, w);
  List any = { .count = ndim < 0 ? 1 : ndim - 2, .u.i = { 1, 1, 1 } }, none = { .count = 0 };
  return windows_read(&any, &none, NULL, &none, w);
}

/* Data has a batch, channels and so many axes. */
static Status check_dims(const PoolingParams *p, const Shape *data, int axes) {
  static const char *const parts[] = { "width", "height, width", "depth, height, width" };
  if (data->ndim < 0 || data->ndim == axes + 2) return OK;
  if (channels_last(p))
    return fail("data: expected %d dimensions (batch, %s, channel), got %s", axes + 2, parts[axes - 1],
                shape_text(data));
  return fail("data: expected %d dimensions (batch, channel, %s), got %s", axes + 2, parts[axes - 1], shape_text(data));
}

static Status infer_window(const PoolingParams *p, const Shape *data, Windows *w) {
  const int wanted = p->layout == NONE ? 0 : WINDOW_AXES - (int)p->layout % WINDOW_AXES;
  if (p->global_pool && data->ndim >= 0 && (data->ndim < 3 || data->ndim > 5))
    return fail("data: expected 3 to 5 dimensions (batch, channel, width), ..., got %s", shape_text(data));
  TRY(read_windows(p, data->ndim, w));
  if (wanted && p->global_pool) TRY(check_dims(p, data, wanted));
  if (wanted && !p->global_pool && wanted != w->axes)
    return fail("layout: expected %s for a kernel of %d numbers, got %s", windows_layout_name(w->axes, false), w->axes,
                windows_layout_name(wanted, channels_last(p)));
  if (!p->global_pool) TRY(check_dims(p, data, w->axes));
  return check_params(p, w);
}

static Status infer_pooling(Infer *f) {
  const PoolingParams *p = f->params;
  Shape *data = &f->in[0].shape, first, out, empty = { 1, { 0 } };
  Windows w;
  TRY(one_float_dtype(f, 1, f->n_out));
  TRY(infer_window(p, data, &w));
  if (f->n_out > 1) TRY(output_shape(f, 1, &empty));
  if (data->ndim < 0) return OK;
  first = channels_before(p, data);
  TRY(pooled_shape(p, &w, &first, &out));
  out = as_laid_out(p, &out);
  TRY(output_shape(f, 0, &out));
  out = channels_before(p, &f->out[0].shape);
  for (int i = 0; i < 2; i++) first.dim[i] = out.dim[i];
  *data = as_laid_out(p, &first);
  return OK;
}

/* (g, data, out) give something of data's shape. */
static Status infer_backward_max(Infer *f) {
  TRY(one_float_dtype(f, 3, 1));
  TRY(one_shape(f, 1, 0));
  return input_shape(f, 2, &f->in[0].shape);
}

/* (h, data, out), h of data's shape, give something of the output's. */
static Status infer_at_max(Infer *f) {
  TRY(one_float_dtype(f, 3, 1));
  TRY(one_shape(f, 2, 0));
  return input_shape(f, 1, &f->in[0].shape);
}

static Status infer_backward_sum(Infer *f) {
  Shape data = list_shape(&((const PoolingBackwardParams *)f->params)->shape);
  TRY(one_float_dtype(f, 1, 1));
  return output_shape(f, 0, &data);
}

/* ---- Kernels ------------------------------------------------------------------------------------------------ */

/* One run: `from` and the others as the kernel at hand says. An item of work is a channel of an image; where channels
** come last, a part of the channels of one. */
typedef struct PoolingRun PoolingRun;
typedef void PoolItem(const PoolingRun *p, int64_t item);

struct PoolingRun {
  Windows w;
  int64_t type, p_value, with_pad;     /* with_pad: padding counts in a mean */
  bool adds;                           /* what is computed is added up in data's places, which begin as zeros */
  bool may_miss;                       /* some windows may see nothing but padding */
  int64_t channels, parts;             /* where channels come last: so many, in so many parts */
  const void *from, *x, *y;
  void *out;
  PoolItem *run;
};


/* How many places along an axis count in the mean of output o. */
static int64_t counted(const PoolingRun *p, int axis, int64_t o) {
  const Windows *w = &p->w;
  const int64_t start = o * w->stride[axis] - w->pad[axis], beyond = p->with_pad ? w->pad[axis] : 0;
  const int64_t end = least(start + w->kernel[axis], w->in[axis] + beyond);
  return end - (p->with_pad ? start : most(start, 0));
}

static double mean_size(const PoolingRun *p, int64_t depth, int64_t height, int64_t width) {
  int64_t size = counted(p, 0, depth) * counted(p, 1, height) * counted(p, 2, width);
  return size > 0 ? (double)size : 1;
}

/* Does the window of an output see some of data? */
static bool sees(const PoolingRun *p, int axis, int64_t o) {
  const int64_t start = o * p->w.stride[axis] - p->w.pad[axis];
  return start < p->w.in[axis] && start + p->w.kernel[axis] > 0;
}

static bool may_miss(const PoolingRun *p) {
  for (int a = 0; a < WINDOW_AXES; a++) if (!sees(p, a, 0) || !sees(p, a, p->w.out[a] - 1)) return true;
  return false;
}

enum { PART = 64 };              /* outputs that are computed together */

/* ---- Channels before the places */

/* Where an item's elements begin in an array of planes of this extent. */
static int64_t rows_begin(const PoolingRun *p, int64_t item, const int64_t *extent) {
  (void)p;
  return item * windows_size(extent);
}

/* All parts of the rows of an item's output: (depth, height, o...), n outputs of the row, the first at `first`. */
#define EACH_ROWS_PART(p, item)                                                                                     \
  for (int64_t depth = 0; depth < (p)->w.out[0]; depth++)                                                           \
    for (int64_t height = 0; height < (p)->w.out[1]; height++)                                                      \
      for (int64_t o = 0, n, first = (depth * (p)->w.out[1] + height) * (p)->w.out[2];                              \
           o < (p)->w.out[2] && (n = least(PART, (p)->w.out[2] - o), true); o += n, first += n)

/* The taps (depth, height) that a part sees inside data, and `row`, the place of data's row there. */
#define EACH_TAP_ROW(w)                                                                                             \
  for (int64_t d = most(0, (w)->pad[0] - depth * (w)->stride[0]); d < (w)->kernel[0]; d++)                       \
    for (int64_t h = most(0, (w)->pad[1] - height * (w)->stride[1]), row = 0,                                    \
                 in_depth = depth * (w)->stride[0] + d - (w)->pad[0];                                               \
         in_depth < (w)->in[0] && h < (w)->kernel[1] &&                                                             \
           (row = height * (w)->stride[1] + h - (w)->pad[1]) < (w)->in[1] &&                                        \
           (row = (in_depth * (w)->in[1] + row) * (w)->in[2], true); h++)

/* The body for all places that a part's windows see, a tap after the other: output i of the part, element x of the
** item's data. The rows of taps are found first, and then what part of the outputs sees them. */
#define EACH_ROWS_TAP(p, ...)                                                                                       \
  EACH_TAP_ROW(&(p)->w) {                                                                                           \
    for (int64_t k = 0; k < (p)->w.kernel[2]; k++) {                                                                \
      const int64_t stride = (p)->w.stride[2], shift = k - (p)->w.pad[2];                                           \
      const int64_t from = most(0, windows_ceil(-shift, stride) - o);                                            \
      const int64_t to = least(n, windows_ceil((p)->w.in[2] - shift, stride) - o);                               \
      const int64_t base = row + o * stride + shift;                                                                \
      if (stride == 2) { IVDEP for (int64_t i = from; i < to; i++) { const int64_t x = base + i * 2; __VA_ARGS__ } } \
      else { IVDEP for (int64_t i = from; i < to; i++) { const int64_t x = base + i * stride; __VA_ARGS__ } }       \
    }                                                                                                               \
  }

#define ROWS_PLACE(o, i) ((o) + (i))

/* ---- Channels last */

static int64_t last_begin(const PoolingRun *p, int64_t item, const int64_t *extent) {
  return item / p->parts * windows_size(extent) * p->channels + item % p->parts * PART;
}

/* All places (depth, height, o) of an item's output, with its n channels there, the first at `first`. */
#define EACH_LAST_PART(p, item)                                                                                     \
  const int64_t n = least(PART, (p)->channels - (item) % (p)->parts * PART);                                     \
  for (int64_t depth = 0, first = 0; depth < (p)->w.out[0]; depth++)                                                \
    for (int64_t height = 0; height < (p)->w.out[1]; height++)                                                      \
      for (int64_t o = 0; o < (p)->w.out[2]; o++, first += (p)->channels)

#define EACH_LAST_TAP(p, ...)                                                                                       \
  EACH_TAP_ROW(&(p)->w) {                                                                                           \
    const int64_t start = o * (p)->w.stride[2] - (p)->w.pad[2];                                                     \
    const int64_t end = least(start + (p)->w.kernel[2], (p)->w.in[2]);                                           \
    for (int64_t k = most(start, 0); k < end; k++) {                                                             \
      const int64_t base = (row + k) * (p)->channels;                                                               \
      IVDEP for (int64_t i = 0; i < n; i++) { const int64_t x = base + i; __VA_ARGS__ }                             \
    }                                                                                                               \
  }

#define LAST_PLACE(o, i) (o)

/* A NaN is the maximum that a NaN is; without branches, for vectors. */
#define IS_MAX(a, b) (((a) == (b)) | (((a) != (a)) & ((b) != (b))))

/* The largest numbers: MXNet's maximum of nothing is minus that. */
static const float greatest_f32 = FLT_MAX, greatest_last_f32 = FLT_MAX;
static const double greatest_f64 = DBL_MAX, greatest_last_f64 = DBL_MAX;

/* The kernels, for ROWS or LAST. `out` of the two that add up in data's places begins as zeros. */
#define POOL(T, suffix, begin, EACH_PART, EACH_TAP, PLACE)                                                        \
  static void max_##suffix(const PoolingRun *p, int64_t item) {                                                         \
    const T *in = (const T *)p->from + begin(p, item, p->w.in);                                                   \
    EACH_PART(p, item) {                                                                                          \
      T *out = (T *)p->out + begin(p, item, p->w.out) + first;                                                    \
      for (int64_t i = 0; i < n; i++) out[i] = -(T)HUGE_VAL;                                                      \
      EACH_TAP(p, const T a = in[x]; out[i] = a > out[i] || a != a ? a : out[i];)                                 \
      for (int64_t i = 0; p->may_miss && i < n; i++)                                                              \
        if (!sees(p, 0, depth) || !sees(p, 1, height) || !sees(p, 2, PLACE(o, i))) out[i] = -greatest_##suffix;      \
    }                                                                                                             \
  }                                                                                                               \
  static void sum_##suffix(const PoolingRun *p, int64_t item) {                                                         \
    const T *in = (const T *)p->from + begin(p, item, p->w.in);                                                   \
    EACH_PART(p, item) {                                                                                          \
      T *out = (T *)p->out + begin(p, item, p->w.out) + first;                                                    \
      double sum[PART] = { 0 };                                                                                   \
      if (p->type != POOL_LP || p->p_value == 1) { EACH_TAP(p, sum[i] += in[x];) }                                \
      else if (p->p_value == 2) { EACH_TAP(p, const double a = in[x]; sum[i] += a * a;) }                         \
      else { EACH_TAP(p, const double a = in[x]; sum[i] += a * a * a;) }                                          \
      for (int64_t i = 0; i < n; i++) {                                                                           \
        if (p->type == POOL_AVG) sum[i] /= mean_size(p, depth, height, PLACE(o, i));                              \
        else if (p->type == POOL_LP && p->p_value > 1) sum[i] = p->p_value == 2 ? sqrt(sum[i]) : cbrt(sum[i]);     \
        out[i] = (T)sum[i];                                                                                       \
      }                                                                                                           \
    }                                                                                                             \
  }                                                                                                               \
  static void backward_max_##suffix(const PoolingRun *p, int64_t item) {                                                \
    const T *in = (const T *)p->x + begin(p, item, p->w.in);                                                      \
    T *out = (T *)p->out + begin(p, item, p->w.in);                                                               \
    EACH_PART(p, item) {                                                                                          \
      const T *g = (const T *)p->from + begin(p, item, p->w.out) + first;                                         \
      const T *y = (const T *)p->y + begin(p, item, p->w.out) + first;                                            \
      T left[PART];                                     /* of g, for the first place that has the maximum */      \
      memcpy(left, g, (size_t)n * sizeof(T));                                                                     \
      EACH_TAP(p, const bool is = IS_MAX(in[x], y[i]); out[x] += is ? left[i] : 0; left[i] = is ? 0 : left[i];)   \
    }                                                                                                             \
  }                                                                                                               \
  static void at_max_##suffix(const PoolingRun *p, int64_t item) {                                                      \
    const T *in = (const T *)p->x + begin(p, item, p->w.in);                                                      \
    const T *values = (const T *)p->from + begin(p, item, p->w.in);                                               \
    EACH_PART(p, item) {                                                                                          \
      const T *y = (const T *)p->y + begin(p, item, p->w.out) + first;                                            \
      T *out = (T *)p->out + begin(p, item, p->w.out) + first;                                                    \
      T open[PART];                                     /* 1 until the maximum is found */                        \
      for (int64_t i = 0; i < n; i++) out[i] = 0, open[i] = 1;                                                    \
      EACH_TAP(p, const bool is = open[i] != 0 && IS_MAX(in[x], y[i]);                                            \
               out[i] = is ? values[x] : out[i];                                                                  \
               open[i] = is ? 0 : open[i];)                                                                       \
    }                                                                                                             \
  }                                                                                                               \
  static void backward_sum_##suffix(const PoolingRun *p, int64_t item) {                                                \
    T *out = (T *)p->out + begin(p, item, p->w.in);                                                               \
    EACH_PART(p, item) {                                                                                          \
      const T *g = (const T *)p->from + begin(p, item, p->w.out) + first;                                         \
      T part[PART];                                                                                               \
      for (int64_t i = 0; i < n; i++)                                                                             \
        part[i] = p->type == POOL_AVG ? (T)(g[i] / mean_size(p, depth, height, PLACE(o, i))) : g[i];              \
      EACH_TAP(p, out[x] += part[i];)                                                                             \
    }                                                                                                             \
  }
POOL(float, f32, rows_begin, EACH_ROWS_PART, EACH_ROWS_TAP, ROWS_PLACE)
POOL(double, f64, rows_begin, EACH_ROWS_PART, EACH_ROWS_TAP, ROWS_PLACE)
POOL(float, last_f32, last_begin, EACH_LAST_PART, EACH_LAST_TAP, LAST_PLACE)
POOL(double, last_f64, last_begin, EACH_LAST_PART, EACH_LAST_TAP, LAST_PLACE)

/* The gradient of maxima of rows: first the place of each output's maximum is found, then g goes there. The last output
** of a part goes first, for so a place gets what several outputs have for it in the order of taps. */
#define AT_FIRST(code, T, suffix)                                                                                 \
  static void backward_max_placed_##suffix(const PoolingRun *p, int64_t item) {                                         \
    const T *in = (const T *)p->x + rows_begin(p, item, p->w.in);                                                 \
    T *out = (T *)p->out + rows_begin(p, item, p->w.in);                                                          \
    EACH_ROWS_PART(p, item) {                                                                                     \
      const T *g = (const T *)p->from + rows_begin(p, item, p->w.out) + first;                                    \
      const T *y = (const T *)p->y + rows_begin(p, item, p->w.out) + first;                                       \
      int32_t at[PART];                                 /* -1: not found yet */                                   \
      for (int64_t i = 0; i < n; i++) at[i] = -1;                                                                 \
      EACH_ROWS_TAP(p, at[i] = (at[i] < 0) & IS_MAX(in[x], y[i]) ? (int32_t)x : at[i];)                           \
      for (int64_t i = n; i-- > 0;) if (at[i] >= 0) out[at[i]] += g[i];                                           \
    }                                                                                                             \
  }
EACH_FLOAT(AT_FIRST)

/* The same, for maxima of windows of 2 by 2 that touch and do not overlap, whose rows are mostly too short for the
** loops above. `left` is g until the maximum is found. */
#define PAIRS(T, suffix)                                                                                          \
  static void max_pairs_##suffix(const PoolingRun *p, int64_t item) {                                                   \
    const T *in = (const T *)p->from + rows_begin(p, item, p->w.in);                                              \
    T *out = (T *)p->out + rows_begin(p, item, p->w.out);                                                         \
    for (int64_t h = 0; h < p->w.out[1]; h++, out += p->w.out[2]) {                                               \
      const T *above = in + 2 * h * p->w.in[2], *below = above + p->w.in[2];                                      \
      IVDEP                                                                                                       \
      for (int64_t o = 0; o < p->w.out[2]; o++) {                                                                 \
        const T a = above[2 * o], b = above[2 * o + 1], c = below[2 * o], d = below[2 * o + 1];                   \
        T m = b > a || b != b ? b : a;                                                                            \
        m = c > m || c != c ? c : m;                                                                              \
        out[o] = d > m || d != d ? d : m;                                                                         \
      }                                                                                                           \
    }                                                                                                             \
  }                                                                                                               \
  static void backward_max_pairs_##suffix(const PoolingRun *p, int64_t item) {                                          \
    const T *in = (const T *)p->x + rows_begin(p, item, p->w.in);                                                 \
    const T *g = (const T *)p->from + rows_begin(p, item, p->w.out);                                              \
    const T *y = (const T *)p->y + rows_begin(p, item, p->w.out);                                                 \
    T *out = (T *)p->out + rows_begin(p, item, p->w.in);                                                          \
    for (int64_t h = 0; h < p->w.out[1]; h++, g += p->w.out[2], y += p->w.out[2]) {                               \
      const T *above = in + 2 * h * p->w.in[2], *below = above + p->w.in[2];                                      \
      T *to_above = out + 2 * h * p->w.in[2], *to_below = to_above + p->w.in[2];                                  \
      IVDEP                                                                                                       \
      for (int64_t o = 0; o < p->w.out[2]; o++) {                                                                 \
        const T m = y[o], all = g[o];                                                                             \
        const T a = IS_MAX(above[2 * o], m) ? all : 0, no_a = IS_MAX(above[2 * o], m) ? 0 : all;          \
        const T b = IS_MAX(above[2 * o + 1], m) ? no_a : 0, no_b = IS_MAX(above[2 * o + 1], m) ? 0 : no_a;\
        const T c = IS_MAX(below[2 * o], m) ? no_b : 0, no_c = IS_MAX(below[2 * o], m) ? 0 : no_b;        \
        const T d = IS_MAX(below[2 * o + 1], m) ? no_c : 0;                                                   \
        to_above[2 * o] = 0 + a;                                                                                  \
        to_above[2 * o + 1] = 0 + b;                                                                              \
        to_below[2 * o] = 0 + c;                                                                                  \
        to_below[2 * o + 1] = 0 + d;                                                                              \
      }                                                                                                           \
    }                                                                                                             \
  }
PAIRS(float, f32)
PAIRS(double, f64)

/* Do pairs leave nothing of data out? */
static bool pairs_cover(const Windows *w) { return 2 * w->out[1] == w->in[1] && 2 * w->out[2] == w->in[2]; }

static bool by_pairs(const PoolingRun *p) {
  const Windows *w = &p->w;
  bool pairs = w->out[0] == 1 && w->kernel[0] == 1 && w->pad[0] == 0 && w->in[0] == 1;
  for (int a = 1; a < WINDOW_AXES; a++)
    pairs = pairs && w->kernel[a] == 2 && w->stride[a] == 2 && w->pad[a] == 0 && 2 * w->out[a] <= w->in[a];
  return pairs;
}

static void max_by_rows(const PoolingRun *p, int64_t item) {
  const float *from = (const float *)p->from + rows_begin(p, item, p->w.in);
  max_rows(&p->w, from, (float *)p->out + rows_begin(p, item, p->w.out));
}

static void run_items(void *context, int64_t first, int64_t last) {
  const PoolingRun *p = context;
  for (int64_t i = first; i < last && !interrupted(); i++) p->run(p, i);
}

/* Sums and means of whole planes, in the order of sum_##suffix: several planes side by side, for each addition of one
** waits for that before. */
enum { SIDE = 8 };
#define WHOLE(code, T, suffix)                                                                                    \
  static void whole_##suffix(void *context, int64_t first, int64_t last) {                                        \
    const PoolingRun *p = context;                                                                                      \
    const int64_t size = windows_size(p->w.in);                                                                   \
    const double count = p->type == POOL_AVG ? mean_size(p, 0, 0, 0) : 1;                                         \
    for (int64_t i = first, n; i < last && !interrupted(); i += n) {                                              \
      const T *in = (const T *)p->from + i * size;                                                                \
      double sum[SIDE] = { 0 };                                                                                   \
      n = least(SIDE, last - i);                                                                               \
      if (n == SIDE) {                                                                                            \
        for (int64_t x = 0; x < size; x++) for (int k = 0; k < SIDE; k++) sum[k] += in[k * size + x];             \
      } else {                                                                                                    \
        for (int64_t k = 0; k < n; k++) for (int64_t x = 0; x < size; x++) sum[k] += in[k * size + x];            \
      }                                                                                                           \
      for (int64_t k = 0; k < n; k++) ((T *)p->out)[i + k] = (T)(sum[k] / count);                                 \
    }                                                                                                             \
  }
EACH_FLOAT(WHOLE)

/* A kernel for both layouts, by dtype; another one for pairs, or NULL. */
typedef struct PoolKernel { PoolItem *rows_f32, *rows_f64, *last_f32, *last_f64, *pairs_f32, *pairs_f64; } PoolKernel;
#define POOL_KERNEL(name) ((PoolKernel){ name##_f32, name##_f64, name##_last_f32, name##_last_f64, NULL, NULL })
#define MAX_KERNEL(name) \
  ((PoolKernel){ name##_f32, name##_f64, name##_last_f32, name##_last_f64, name##_pairs_f32, name##_pairs_f64 })

/* Data and the output as they are, the parameters of the row at hand beginning with those of Pooling. */
static Status run_pool(Call *c, PoolingRun *p, PoolKernel kernel, const Shape *data, const Shape *out) {
  const PoolingParams *params = c->params;
  const Shape in = channels_before(params, data), to = channels_before(params, out);
  const bool last = channels_last(params), wide = c->in[0]->type.dtype == DT_FLOAT64;
  TRY(read_windows(params, data->ndim, &p->w));
  windows_set(p->w.in, &in, p->w.axes);
  windows_set(p->w.out, &to, p->w.axes);
  if (params->global_pool) memcpy(p->w.kernel, p->w.in, sizeof p->w.kernel);
  p->type = params->pool_type;
  p->p_value = params->p_value;
  p->with_pad = params->count_include_pad != 0;          /* None: they count */
  p->channels = in.dim[1];
  p->parts = (in.dim[1] + PART - 1) / PART;
  p->may_miss = may_miss(p);
  p->out = c->out[0]->data;
  p->run = last ? wide ? kernel.last_f64 : kernel.last_f32 : wide ? kernel.rows_f64 : kernel.rows_f32;
  const bool pairs = !last && kernel.pairs_f32 && by_pairs(p);
  if (pairs) p->run = wide ? kernel.pairs_f64 : kernel.pairs_f32;
  if (p->run == max_f32 && !p->may_miss && max_rows_fit(&p->w)) p->run = max_by_rows;
  if (p->adds && !(pairs && pairs_cover(&p->w))) clear_block(p->out, tensor_bytes(c->out[0]));
  const bool whole = params->global_pool && !last && kernel.rows_f32 == sum_f32 && p->type != POOL_LP;
  const int64_t items = in.dim[0] * (last ? p->parts : in.dim[1]);
  const int64_t work = windows_size(p->w.out) * windows_size(p->w.kernel) * (last ? least(PART, p->channels) : 1);
  parallel_for(items, (1 << 14) / (work + 1) + 1, !whole ? run_items : wide ? whole_f64 : whole_f32, p);
  return interrupt_status();
}

static Status pooling_forward(Call *c) {
  bool max = ((const PoolingParams *)c->params)->pool_type == POOL_MAX;
  PoolingRun p = { .from = c->in[0]->data };
  return run_pool(c, &p, max ? MAX_KERNEL(max) : POOL_KERNEL(sum), &c->in[0]->type.shape, &c->out[0]->type.shape);
}

static Status backward_max_forward(Call *c) {
  PoolingRun p = { .from = c->in[0]->data, .x = c->in[1]->data, .y = c->in[2]->data, .adds = true };
  PoolKernel kernel = MAX_KERNEL(backward_max);
  if (tensor_size(c->in[1]) <= INT32_MAX) {              /* so any place in a plane is an int32_t */
    kernel.rows_f32 = backward_max_placed_f32;
    kernel.rows_f64 = backward_max_placed_f64;
  }
  return run_pool(c, &p, kernel, &c->in[1]->type.shape, &c->in[2]->type.shape);
}

static Status at_max_forward(Call *c) {
  PoolingRun p = { .from = c->in[0]->data, .x = c->in[1]->data, .y = c->in[2]->data };
  return run_pool(c, &p, POOL_KERNEL(at_max), &c->in[1]->type.shape, &c->in[2]->type.shape);
}

static Status backward_sum_forward(Call *c) {
  PoolingRun p = { .from = c->in[0]->data, .adds = true };
  return run_pool(c, &p, POOL_KERNEL(backward_sum), &c->out[0]->type.shape, &c->in[0]->type.shape);
}

/* An operation for each place that a window sees. */
static double pooling_flops(const Query *q) {
  const PoolingParams *p = q->params;
  const Shape *data = &query_in(q, 0)->shape;
  if (p->global_pool) return (double)shape_size(data);
  double places = (double)shape_size(&query_out(q, 0)->shape);
  for (int i = 0; i < p->kernel.count; i++) places *= (double)list_ints(&p->kernel)[i];
  return places;
}

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Entry backward_sum(Builder *b, const PoolingParams *p, int64_t type, Entry g, const Shape *data) {
  PoolingBackwardParams q = { *p, { .count = data->ndim } };
  q.pooling.pool_type = type;
  memcpy(q.shape.u.i, data->dim, sizeof data->dim);
  return build_op(b, "_backward_pooling_sum", &q, 1, g);
}

/* Of the p-norm y of x: g (x / y)^(p - 1), and 0 where y is. */
static Entry norm_gradient(Builder *b, const PoolingParams *p, Entry g, Entry x, Entry y) {
  const Shape *data = &entry_type(x)->shape;
  if (p->p_value == 1) return backward_sum(b, p, POOL_SUM, g, data);
  Entry over = p->p_value == 2 ? x : build_op(b, "square", NULL, 1, x);
  Entry under = p->p_value == 2 ? y : build_op(b, "square", NULL, 1, y);
  Entry ratio = build_op(b, "elemwise_div", NULL, 2, g, under);
  Entry zero = build_op(b, "_equal_scalar", &(ScalarParams){ 0 }, 1, y);
  Entry share = build_op(b, "where", NULL, 3, zero, build_zeros_like(b, g), ratio);
  return build_op(b, "elemwise_mul", NULL, 2, backward_sum(b, p, POOL_SUM, share, data), over);
}

static Status pooling_grad(Gradient *d) {
  const PoolingParams *p = (const PoolingParams *)d->node->params->fields;
  const Entry x = d->node->in[0], y = { d->node, 0 }, g = d->out_grad[0];
  if (p->pool_type == POOL_MAX) d->in_grad[0] = build_op(d->b, "_backward_pooling_max", p, 3, g, x, y);
  else if (p->pool_type == POOL_LP) d->in_grad[0] = norm_gradient(d->b, p, g, x, y);
  else d->in_grad[0] = backward_sum(d->b, p, p->pool_type, g, &entry_type(x)->shape);
  return d->b->status;
}

static Status backward_max_grad(Gradient *d) {
  d->in_grad[0] = build_op(d->b, "_pooling_at_max", d->node->params->fields, 3, d->out_grad[0], d->node->in[1],
                           d->node->in[2]);
  return d->b->status;
}

static Status at_max_grad(Gradient *d) {
  d->in_grad[0] = build_op(d->b, "_backward_pooling_max", d->node->params->fields, 3, d->out_grad[0], d->node->in[1],
                           d->node->in[2]);
  return d->b->status;
}

static Status backward_sum_grad(Gradient *d) {
  d->in_grad[0] = build_op(d->b, "Pooling", d->node->params->fields, 1, d->out_grad[0]);
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define POOLING_PARAMS                                                                                              \
  "kernel shape () The window: (width), (height, width) or (depth, height, width).\n"                               \
  "pool_type {max,avg,sum,lp} max What is computed; lp: the root of the sum of powers, p_value saying which.\n"     \
  "global_pool bool False The window is everything; kernel, stride and pad do not matter.\n"                        \
  "cudnn_off bool False Accepted for MXNet's sake.\n"                                                               \
  "pooling_convention {valid,full,same} valid Whether windows must lie inside (valid), or the last may reach beyond " \
  "(full), or there is one for each stride (same, without pad).\n" \
  "stride shape () How far the window moves; () for 1.\n"                                                           \
  "pad shape () So many places are added on both sides; () for none. A maximum does not see them.\n"                \
  "p_value int? None The power of lp: 1, 2 or 3.\n"                                                                 \
  "count_include_pad bool? None Whether added places count in a mean; None: they do.\n"                             \
  "layout {NCDHW,NCHW,NCW,NDHWC,NHWC,NWC}? None The order of data's dimensions; None: channels are in axis 1.\n"

Op pooling_ops[] = {
  { .name = "Pooling",
    .doc = "The maximum (max), mean (avg), sum or p-norm (lp) of what a window sees, at all its places. data is "
           "(batch, channel, width), (batch, channel, height, width) or (batch, channel, depth, height, width). The "
           "gradient of a maximum goes to the first of equal ones. lp does not take absolute values, as in MXNet. "
           "(same is for all kinds here; MXNet has it for the maximum of one axis.) NWC, NHWC and NDHWC have the "
           "channels in the last axis. The maximum of a window that sees padding alone is the lowest finite number, "
           "as in MXNet",
    .example = "F.Pooling(F.array{{{{1, 2, 0.5, 4}, {3, -1, 1.5, 0}, {2.5, 5, 6, 1.2}}}}, {kernel = {2, 2}})\n"
               "F.Pooling(F.array{{{{1, 2, 0.5, 4}, {3, -1, 1.5, 0}, {2.5, 5, 6, 1.2}}}}, {kernel = {3, 2}, "
               "stride = {2, 2}, pad = {1, 1}, pool_type = \"avg\"})\n"
               "F.Pooling(F.array{{{{1, 2, 0.5, 4}, {3, -1, 1.5, 0}, {2.5, 5, 6, 1.2}}}}, {kernel = {2, 2}, "
               "stride = {2, 2}, pad = {0, 1}, pool_type = \"avg\", count_include_pad = false, "
               "pooling_convention = \"full\"})\n"
               "F.Pooling(F.array{{{1, 2, 0.5, 4, 3}}}, {kernel = {3}, stride = {2}, pooling_convention = \"same\", "
               "pool_type = \"sum\"})\n"
               "F.Pooling(F.array{{{{1, 2, 0.5}, {3, 0.7, 1.5}}}}, {kernel = {2, 2}, pool_type = \"lp\", "
               "p_value = 2})\n"
               "F.Pooling(F.array{{{1, 2, 0.5, 4, 3}}}, {kernel = {2}, pool_type = \"lp\", p_value = 3})\n"
               "F.Pooling(F.array{{{{1, 2}, {3, 4}}, {{0.5, 1}, {-1, 2}}}}, {global_pool = true, "
               "pool_type = \"avg\"})\n"
               "F.Pooling(F.array{{{{1, 2}, {3, 4}}, {{0.5, 1}, {-1, 2}}}}, {kernel = {2, 1}, layout = \"NHWC\", "
               "pool_type = \"avg\"})\n"
               "F.Pooling(F.array{{{1, 2}, {3, 0.5}, {-1, 4}}}, {kernel = {2}, layout = \"NWC\"})\n"
               "F.Pooling(F.array{{{{{1, 2}, {3, 4}}, {{0, 1}, {-1, 2}}}}}, {kernel = {2, 1, 2}, pool_type = \"max\"})",
    .inputs = "data", .outputs = "output workspace", .params = POOLING_PARAMS, .params_size = sizeof(PoolingParams),
    .n_outputs = pooling_outputs, .n_visible = one_visible, .unused = is_workspace, .flags = OP_NAMED_INPUT,
    .infer = infer_pooling,
    .forward = pooling_forward, .flops = pooling_flops, .grad = pooling_grad },
  { .name = "_backward_pooling_max", .doc = "The gradient of data: g at the place of each maximum",
    .inputs = "g data output",
    .params = POOLING_PARAMS, .params_size = sizeof(PoolingParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_backward_max, .forward = backward_max_forward, .grad = backward_max_grad },
  { .name = "_pooling_at_max", .doc = "What an array of data's shape has at the place of each maximum",
    .inputs = "values data output",
    .params = POOLING_PARAMS, .params_size = sizeof(PoolingParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_at_max, .forward = at_max_forward, .grad = at_max_grad },
  { .name = "_backward_pooling_sum", .doc = "The gradient of data where the pool is a sum or a mean", .inputs = "g",
    .params = POOLING_PARAMS "shape shape - The shape of data.\n", .params_size = sizeof(PoolingBackwardParams),
    .flags = OP_INTERNAL, .infer = infer_backward_sum, .forward = backward_sum_forward, .grad = backward_sum_grad },
  { 0 }
};
