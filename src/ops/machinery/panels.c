/* panels.c - see panels.h. A run that lies in the array with room behind it is copied by whole vectors:
** what they write too much is written again by the next run, or is behind the last. */
#include "ops/machinery/panels.h"

#include <string.h>

#include "base/scalar.h"
#include "ops/machinery/chains.h"

int panels_runs(const int64_t *extent, int64_t first, int64_t n, Run *run) {
  int64_t row = first / extent[2], column = first % extent[2], lane = 0;
  int runs = 0;
  for (; lane < n; row++, column = 0) {
    int64_t plane = row / extent[1], left = extent[2] - column, length = left < n - lane ? left : n - lane;
    run[runs++] = (Run){ plane / extent[0], { plane % extent[0], row % extent[1], column }, lane, length };
    lane += length;
  }
  return runs;
}

static int64_t within(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

/* The places that see the array along an axis: [first, last), for places >= 0. */
static void seen(const Panels *p, int axis, int64_t offset, int64_t *first, int64_t *last) {
  *first = offset < 0 ? windows_ceil(-offset, p->stride[axis]) : 0;
  *last = windows_ceil(p->extent[axis] - offset, p->stride[axis]);
}

/* The element at place 0 of a row of a channel. */
static int64_t row_of(const Panels *p, int64_t image, int64_t channel, int64_t depth, int64_t height) {
  return (((image * p->channels + channel) * p->extent[0] + depth) * p->extent[1] + height) * p->extent[2];
}

/* A place that is (x - offset) / stride, -1 where there is none. */
static int64_t scattered(const Panels *p, int axis, int64_t x, int64_t offset) {
  int64_t place = windows_floor(x - offset, p->stride[axis]);
  return place >= 0 && place < p->extent[axis] && place * p->stride[axis] == x - offset ? place : -1;
}

#define PANELS(code, T, suffix)                                                                              \
  HL_INLINE void copy_##suffix(const T *x, T *to, int64_t n, bool room) {                                    \
    if (room) for (int64_t i = 0; i < n; i += CHAIN_VECTOR) memcpy(to + i, x + i, CHAIN_VECTOR * sizeof(T)); \
    else for (int64_t i = 0; i < n; i++) to[i] = x[i];                                                       \
  }                                                                                                          \
  static void gather_##suffix(const Panels *p, const Run *run, int runs, int64_t channel,                    \
                              const int64_t *offset, T *to) {                                                \
    const T *data = p->data;                                                                                 \
    const int64_t stride = p->stride[2], size = row_of(p, p->images, 0, 0, 0);                               \
    int64_t first[WINDOW_AXES], last[WINDOW_AXES];                                                           \
    for (int a = 0; a < WINDOW_AXES; a++) seen(p, a, offset[a], &first[a], &last[a]);                        \
    for (const Run *r = run; r < run + runs; r++) {                                                          \
      T *lane = to + r->lane;                                                                                \
      const bool inside = r->at[0] >= first[0] && r->at[0] < last[0] && r->at[1] >= first[1] && r->at[1] < last[1]; \
      const int64_t begin = inside ? within(first[2] - r->at[2], 0, r->n) : r->n;                            \
      const int64_t end = within(last[2] - r->at[2], begin, r->n);                                           \
      for (int64_t i = 0; i < begin; i++) lane[i] = 0;                                                       \
      if (begin == end && end == r->n) continue;                                                             \
      const int64_t depth = r->at[0] * p->stride[0] + offset[0], height = r->at[1] * p->stride[1] + offset[1]; \
      const int64_t at = row_of(p, r->image, channel, depth, height) + (r->at[2] + begin) * stride + offset[2]; \
      const T *x = data + at;                                                                                \
      if (stride == 1) copy_##suffix(x, lane + begin, end - begin, at + end - begin + CHAIN_VECTOR <= size); \
      else if (stride == 2) for (int64_t i = 0; i < end - begin; i++) lane[begin + i] = x[2 * i];            \
      else for (int64_t i = 0; i < end - begin; i++) lane[begin + i] = x[i * stride];                        \
      for (int64_t i = end; i < r->n; i++) lane[i] = 0;                                                      \
    }                                                                                                        \
  }                                                                                                          \
  static void scatter_##suffix(const Panels *p, const Run *run, int runs, int64_t channel,                   \
                               const int64_t *offset, T *to) {                                               \
    const int64_t stride = p->stride[2];                                                                     \
    for (const Run *r = run; r < run + runs; r++) {                                                          \
      const int64_t depth = scattered(p, 0, r->at[0], offset[0]), height = scattered(p, 1, r->at[1], offset[1]); \
      const int64_t base = r->at[2] - offset[2], begin = within(windows_ceil(base, stride), 0, p->extent[2]); \
      const int64_t end = within(windows_ceil(base + r->n, stride), begin, p->extent[2]);                    \
      T *lane = to + r->lane;                                                                                \
      for (int64_t i = 0; i < r->n; i++) lane[i] = 0;                                                        \
      if (depth < 0 || height < 0) continue;                                                                 \
      const T *x = (const T *)p->data + row_of(p, r->image, channel, depth, height);                         \
      for (int64_t o = begin; o < end; o++) lane[o * stride - base] = x[o];                                  \
    }                                                                                                        \
  }
EACH_FLOAT(PANELS)

void panels_gather(const Panels *p, const Run *run, int runs, int64_t channel, const int64_t *offset, void *to) {
  if (p->dtype == DT_FLOAT64) gather_f64(p, run, runs, channel, offset, to);
  else gather_f32(p, run, runs, channel, offset, to);
}

void panels_scatter(const Panels *p, const Run *run, int runs, int64_t channel, const int64_t *offset, void *to) {
  if (p->dtype == DT_FLOAT64) scatter_f64(p, run, runs, channel, offset, to);
  else scatter_f32(p, run, runs, channel, offset, to);
}
