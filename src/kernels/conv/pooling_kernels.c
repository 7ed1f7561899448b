/* pooling_kernels.c - Pooling and its gradients: the maximum, mean, sum or norm of a window's receptive field.
**
** Sums are computed in double, in the order of the window's places (depth, height, width). The maximum is the first of
** equals; NaN wins. Its gradient belongs to that first place, found again by its value.
**
** Neighbouring outputs are computed together, one tap of the window after another: part of a row if channels precede
** the places, part of one place's channels if they come last. Both give the same bits, except for gradients of
** overlapping windows: these are summed row by row and tap by tap or, with channels last, output by output.
*/
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/math/scalar_functions.h"
#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "kernels/conv/max_pool_rows.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/nn/pooling.h"
#include "tensor/cast_copy.h"

/* A run; each kernel says what `from`, `x` and `y` are. A work item is a channel of an image or, if channels come last,
** part of an image's channels. */
typedef struct PoolingRun PoolingRun;
typedef void PoolItem(const PoolingRun *p, int64_t item);

struct PoolingRun {
  Windows w;
  int64_t type, p_value;
  bool with_pad;                       /* padding counts in a mean */
  bool may_miss;                       /* some windows may read only padding */
  int64_t channels, parts;             /* if channels come last: number of channels and of parts */
  const void *from, *x, *y;
  void *out;
  PoolItem *run;
};

/* Number of places along an axis that count in the mean of output o. */
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

/* Does an output's window read some data? */
static bool sees(const PoolingRun *p, int axis, int64_t o) {
  const int64_t start = o * p->w.stride[axis] - p->w.pad[axis];
  return start < p->w.in[axis] && start + p->w.kernel[axis] > 0;
}

static bool may_miss(const PoolingRun *p) {
  for (int a = 0; a < WINDOW_AXES; a++)
    if (!sees(p, a, 0) || !sees(p, a, p->w.out[a] - 1)) return true;
  return false;
}

enum { PART = 64 };              /* outputs computed together */

/* ---- Channels before the places */

/* The offset of an item's elements in planes of this extent. */
static int64_t rows_begin(const PoolingRun *p, int64_t item, const int64_t *extent) {
  (void)p;
  return item * windows_size(extent);
}

/* Loops over parts of the rows of an item's output: (depth, height, o...), n outputs of the row, the first at
** `first`. */
#define EACH_ROWS_PART(p, item)                                                                                     \
  for (int64_t depth = 0; depth < (p)->w.out[0]; depth++)                                                           \
    for (int64_t height = 0; height < (p)->w.out[1]; height++)                                                      \
      for (int64_t o = 0, n, first = (depth * (p)->w.out[1] + height) * (p)->w.out[2];                              \
           o < (p)->w.out[2] && (n = least(PART, (p)->w.out[2] - o), true); o += n, first += n)

/* Loops over the taps (depth, height) that read data for a part; `row` is the offset of data's row. */
#define EACH_TAP_ROW(w)                                                                                             \
  for (int64_t d = most(0, (w)->pad[0] - depth * (w)->stride[0]); d < (w)->kernel[0]; d++)                       \
    for (int64_t h = most(0, (w)->pad[1] - height * (w)->stride[1]), row = 0,                                    \
                 in_depth = depth * (w)->stride[0] + d - (w)->pad[0];                                               \
         in_depth < (w)->in[0] && h < (w)->kernel[1] &&                                                             \
           (row = height * (w)->stride[1] + h - (w)->pad[1]) < (w)->in[1] &&                                        \
           (row = (in_depth * (w)->in[1] + row) * (w)->in[2], true); h++)

/* Runs the body for all places that a part's windows read, tap by tap: output i of the part, element x of the item's
** data. Finds the rows of a tap first, then the outputs that read them. */
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

/* Loops over places (depth, height, o) of an item's output, each with n channels, the first at `first`. */
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

/* Is a the maximum b? A NaN matches a NaN; branch-free, for vectors. */
#define IS_MAX(a, b) (((a) == (b)) | (((a) != (a)) & ((b) != (b))))

/* The largest numbers: MXNet's maximum of nothing is their negative. */
static const float greatest_f32 = FLT_MAX, greatest_last_f32 = FLT_MAX;
static const double greatest_f64 = DBL_MAX, greatest_last_f64 = DBL_MAX;

/* The cube root of a sum, in double; rounded again for float32. */
#define CBRT_float(x) hl_cbrt_of(x)
#define CBRT_double(x) cbrt(x)

/* The kernels for one layout. The `out` of both kernels that add to data's places is initially zero. */
#define POOL(T, suffix, begin, EACH_PART, EACH_TAP, PLACE)                                                        \
  static void max_##suffix(const PoolingRun *p, int64_t item) {                                                   \
    const T *in = (const T *)p->from + begin(p, item, p->w.in);                                                   \
    EACH_PART(p, item) {                                                                                          \
      T *out = (T *)p->out + begin(p, item, p->w.out) + first;                                                    \
      for (int64_t i = 0; i < n; i++) out[i] = -(T)HUGE_VAL;                                                      \
      EACH_TAP(p, const T a = in[x]; out[i] = a > out[i] || a != a ? a : out[i];)                                 \
      for (int64_t i = 0; p->may_miss && i < n; i++)                                                              \
        if (!sees(p, 0, depth) || !sees(p, 1, height) || !sees(p, 2, PLACE(o, i))) out[i] = -greatest_##suffix;      \
    }                                                                                                             \
  }                                                                                                               \
  static void sum_##suffix(const PoolingRun *p, int64_t item) {                                                   \
    const T *in = (const T *)p->from + begin(p, item, p->w.in);                                                   \
    EACH_PART(p, item) {                                                                                          \
      T *out = (T *)p->out + begin(p, item, p->w.out) + first;                                                    \
      double sum[PART] = { 0 };                                                                                   \
      if (p->type != POOL_LP || p->p_value == 1) { EACH_TAP(p, sum[i] += in[x];) }                                \
      else if (p->p_value == 2) { EACH_TAP(p, const double a = in[x]; sum[i] += a * a;) }                         \
      else { EACH_TAP(p, const double a = in[x]; sum[i] += a * a * a;) }                                          \
      for (int64_t i = 0; i < n; i++) {                                                                           \
        if (p->type == POOL_AVG) sum[i] /= mean_size(p, depth, height, PLACE(o, i));                              \
        else if (p->type == POOL_LP && p->p_value > 1) sum[i] = p->p_value == 2 ? sqrt(sum[i]) : CBRT_##T(sum[i]);          \
        out[i] = (T)sum[i];                                                                                       \
      }                                                                                                           \
    }                                                                                                             \
  }                                                                                                               \
  static void backward_max_##suffix(const PoolingRun *p, int64_t item) {                                          \
    const T *in = (const T *)p->x + begin(p, item, p->w.in);                                                      \
    T *out = (T *)p->out + begin(p, item, p->w.in);                                                               \
    EACH_PART(p, item) {                                                                                          \
      const T *g = (const T *)p->from + begin(p, item, p->w.out) + first;                                         \
      const T *y = (const T *)p->y + begin(p, item, p->w.out) + first;                                            \
      T left[PART];                                     /* of g; 0 after the maximum is found */                   \
      memcpy(left, g, (size_t)n * sizeof(T));                                                                     \
      EACH_TAP(p, const bool is = IS_MAX(in[x], y[i]); out[x] += is ? left[i] : 0; left[i] = is ? 0 : left[i];)   \
    }                                                                                                             \
  }                                                                                                               \
  static void at_max_##suffix(const PoolingRun *p, int64_t item) {                                                \
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
  static void backward_sum_##suffix(const PoolingRun *p, int64_t item) {                                          \
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

/* The gradient of maxima of rows: finds the place of each output's maximum, then adds g there. The last output of a
** part comes first, so that contributions to one place are added in the order of taps. */
#define AT_FIRST(code, T, suffix)                                                                                 \
  static void backward_max_placed_##suffix(const PoolingRun *p, int64_t item) {                                   \
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

/* The same for windows of 2 by 2 that touch without overlap, whose rows are mostly too short for the loops above.
** An output's g is passed from place to place until the maximum is found. */
#define PAIRS(code, T, suffix)                                                                                    \
  static void max_pairs_##suffix(const PoolingRun *p, int64_t item) {                                             \
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
  static void backward_max_pairs_##suffix(const PoolingRun *p, int64_t item) {                                    \
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
EACH_FLOAT(PAIRS)

/* Do pairs cover all of data? */
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

/* Sums and means of whole planes, in the order of sum_##suffix: several planes side by side, because each addition
** waits for the previous one. */
enum { SIDE = 8 };
#define WHOLE(code, T, suffix)                                                                                    \
  static void whole_##suffix(void *context, int64_t first, int64_t last) {                                        \
    const PoolingRun *p = context;                                                                                \
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

/* ---- Kernels */

/* The loops of a kernel in one dtype, for both orders of axes; NULL where there is none. */
typedef struct PoolLoops {
  PoolItem *rows, *last;               /* channels before the places; channels last */
  PoolItem *pairs;                     /* windows of 2 by 2 */
  PoolItem *by_rows;                   /* windows that max_rows_fit accepts and that all read some data */
  ParallelBody *whole;                 /* sums and means of whole planes */
  bool adds;                           /* results are added to data's places, initially zeros */
} PoolLoops;

/* Fills in the run from the shapes of data and output, and runs it; parameters of all rows begin with those of
** Pooling. */
static Status run_pool(const Call *c, PoolingRun *p, const PoolLoops *loops, const Shape *data, const Shape *out) {
  const PoolingParams *o = c->params;
  const Shape in = pooling_channels_first(o, data), to = pooling_channels_first(o, out);
  const bool last = pooling_channels_last(o);
  TRY(pooling_windows(o, data->ndim, &p->w));
  windows_set(p->w.in, &in, p->w.axes);
  windows_set(p->w.out, &to, p->w.axes);
  if (o->global_pool) memcpy(p->w.kernel, p->w.in, sizeof p->w.kernel);
  p->type = o->pool_type;
  p->p_value = o->p_value;
  p->with_pad = o->count_include_pad != 0;               /* None: true */
  p->channels = in.dim[1];
  p->parts = (p->channels + PART - 1) / PART;
  p->may_miss = may_miss(p);
  p->out = c->out[0]->data;
  p->run = last ? loops->last : loops->rows;
  const bool pairs = !last && loops->pairs && by_pairs(p);
  if (pairs) p->run = loops->pairs;
  if (p->run == loops->rows && loops->by_rows && !p->may_miss && max_rows_fit(&p->w)) p->run = loops->by_rows;
  if (loops->adds && !(pairs && pairs_cover(&p->w))) clear_block(p->out, tensor_bytes(c->out[0]));
  const bool whole = loops->whole && o->global_pool && !last && p->type != POOL_LP;
  const int64_t items = in.dim[0] * (last ? p->parts : p->channels);
  const int64_t work = windows_size(p->w.out) * windows_size(p->w.kernel) * (last ? least(PART, p->channels) : 1);
  return run_parallel(items, (1 << 14) / (work + 1) + 1, whole ? loops->whole : run_items, p);
}

/* `own`: the loops of maxima, then those of sums. */
static Status pooling(Call *c) {
  const PoolLoops *loops = c->kernel->own;
  PoolingRun p = { .from = c->in[0]->data };
  return run_pool(c, &p, &loops[((const PoolingParams *)c->params)->pool_type != POOL_MAX], &c->in[0]->type.shape,
                  &c->out[0]->type.shape);
}

/* Inputs: g, data, output. `own`: the loops for any number of places, then those for places that fit an int32_t. */
static Status backward_max(Call *c) {
  const PoolLoops *loops = c->kernel->own;
  PoolingRun p = { .from = c->in[0]->data, .x = c->in[1]->data, .y = c->in[2]->data };
  return run_pool(c, &p, &loops[tensor_size(c->in[1]) <= INT32_MAX], &c->in[1]->type.shape, &c->in[2]->type.shape);
}

/* Inputs: an array of data's shape, data, output. */
static Status at_max(Call *c) {
  PoolingRun p = { .from = c->in[0]->data, .x = c->in[1]->data, .y = c->in[2]->data };
  return run_pool(c, &p, c->kernel->own, &c->in[1]->type.shape, &c->in[2]->type.shape);
}

static Status backward_sum(Call *c) {
  PoolingRun p = { .from = c->in[0]->data };
  return run_pool(c, &p, c->kernel->own, &c->out[0]->type.shape, &c->in[0]->type.shape);
}

#define POOL_KERNEL(row, code, function, ...)                                                                     \
  { .op = row,                                                                                                    \
    .types = ONE_TYPE(code),                                                                                      \
    .run = function,                                                                                              \
    BLOCK_SIZES(SIDE, PART),                                                                                      \
    .own = (const PoolLoops[]){ __VA_ARGS__ } }

#define MAX_LOOPS(suffix) .rows = max_##suffix, .last = max_last_##suffix, .pairs = max_pairs_##suffix
#define SUM_LOOPS(suffix) .rows = sum_##suffix, .last = sum_last_##suffix, .whole = whole_##suffix
#define BACKWARD_MAX(suffix, loop)                                                                                \
  .rows = loop##_##suffix, .last = backward_max_last_##suffix, .pairs = backward_max_pairs_##suffix, .adds = true

#define POOL_KERNELS(code, suffix)                                                                                \
  POOL_KERNEL("_backward_pooling_max", code, backward_max, { BACKWARD_MAX(suffix, backward_max) },                \
              { BACKWARD_MAX(suffix, backward_max_placed) }),                                                     \
  POOL_KERNEL("_pooling_at_max", code, at_max, { .rows = at_max_##suffix, .last = at_max_last_##suffix }),        \
  POOL_KERNEL("_backward_pooling_sum", code, backward_sum,                                                        \
              { .rows = backward_sum_##suffix, .last = backward_sum_last_##suffix, .adds = true })

/* clang-format off */
const Kernel pooling_kernels[] = {
  POOL_KERNEL("Pooling", DT_FLOAT32, pooling, { MAX_LOOPS(f32), .by_rows = max_by_rows }, { SUM_LOOPS(f32) }),
  POOL_KERNEL("Pooling", DT_FLOAT64, pooling, { MAX_LOOPS(f64) }, { SUM_LOOPS(f64) }),
  POOL_KERNELS(DT_FLOAT32, f32),
  POOL_KERNELS(DT_FLOAT64, f64),
  { 0 }
};
/* clang-format on */
