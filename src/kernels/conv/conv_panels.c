/* conv_panels.c - see conv_panels.h. If enough of the array follows, a run is copied by whole vectors; excess lanes are
** overwritten by the next run, or are past the last.
*/
#include "kernels/conv/conv_panels.h"

#include <string.h>

#include "kernels/loops/simd.h" /* first: it uses some of our names itself */
#include "kernels/matmul/fma_chain.h"

int panels_runs(const int64_t *extent, int64_t first, int64_t n, PlaneRun *run) {
  int64_t row = first / extent[2], column = first % extent[2], lane = 0;
  int runs = 0;
  for (; lane < n; row++, column = 0) {
    int64_t plane = row / extent[1], left = extent[2] - column, length = left < n - lane ? left : n - lane;
    run[runs++] = (PlaneRun){ plane / extent[0], { plane % extent[0], row % extent[1], column }, lane, length };
    lane += length;
  }
  return runs;
}

static int64_t within(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

/* A run for a tap of the last axis: the lanes inside the array, and the input offset of the run's first lane. */
typedef struct PlaneTap { int64_t from, begin, end; } PlaneTap;

static PlaneTap tap_from(const Panels *p, int64_t from, int64_t n) {
  PlaneTap s = { .from = from, .begin = within(windows_ceil(-from, p->step[2]), 0, n) };
  s.end = within(windows_ceil(p->extent[2] - from, p->step[2]), s.begin, n);
  return s;
}

static PlaneTap offset_of(const Panels *p, const PlaneRun *r, int64_t tap) {
  return tap_from(p, r->at[2] * p->step[2] + p->base[2] + tap * p->move[2], r->n);
}

/* The row of the array for taps of the first two axes; -1 if outside. */
static int64_t row_seen(const Panels *p, const PlaneRun *r, int64_t tap) {
  const int64_t depth = r->at[0] * p->step[0] + p->base[0] + tap / p->taps[1] * p->move[0];
  const int64_t height = r->at[1] * p->step[1] + p->base[1] + tap % p->taps[1] * p->move[1];
  if (depth < 0 || depth >= p->extent[0] || height < 0 || height >= p->extent[1]) return -1;
  return (depth * p->extent[1] + height) * p->extent[2];
}

/* A position among the terms. */
typedef struct At { int64_t channel, row, tap; } At;     /* row: tap along the first two axes */

static At at_term(const Panels *p, const PanelTerms *t, int64_t term) {
  const int64_t rows = p->taps[0] * p->taps[1], taps = rows * p->taps[2];
  const int64_t channel = t->taps_slower ? term % t->n : term / taps, tap = t->taps_slower ? term / t->n : term % taps;
  return (At){ channel, tap / p->taps[2], tap % p->taps[2] };
}

enum { FEW_TAPS = 16 };

#define PANELS(code, T, suffix)                                                                              \
  /* lane i reads x[i * step]; `limit` elements of x are readable */                                         \
  HL_INLINE void copy_##suffix(const T *x, int64_t step, T *lane, int64_t n, int64_t limit) {                \
    int64_t i = 0;                                                                                           \
    const int64_t whole = (n + CHAIN_VECTOR - 1) / CHAIN_VECTOR * CHAIN_VECTOR;                              \
    if (step == 1 && whole <= limit) {                                                                       \
      for (; i < n; i += CHAIN_VECTOR) memcpy(lane + i, x + i, CHAIN_VECTOR * sizeof(T));                    \
    } else if (step == 2 && 2 * whole <= limit) {                                                            \
      for (; i < n; i += CHAIN_VECTOR)                                                                       \
        for (int k = 0; k < CHAIN_VECTOR; k++) lane[i + k] = x[2 * (i + k)];                                 \
    } else {                                                                                                 \
      for (; i < n; i++) lane[i] = x[i * step];                                                              \
    }                                                                                                        \
  }                                                                                                          \
  HL_INLINE void clear_##suffix(T *lane, int64_t n) {                                                        \
    const T none[CHAIN_VECTOR] = { 0 };                                                                      \
    for (int64_t i = 0; i < n; i += CHAIN_VECTOR) memcpy(lane + i, none, sizeof none);                       \
  }                                                                                                          \
  /* Writes the line of a run, with zeros outside the array. */                                               \
  HL_INLINE void see_##suffix(const T *row, const T *limit, const PlaneTap *s, int64_t step, T *lane, int64_t n) { \
    clear_##suffix(lane, s->begin);                                                                          \
    if (s->end > s->begin) {                                                                                 \
      const T *x = row + s->from + s->begin * step;                                                          \
      copy_##suffix(x, step, lane + s->begin, s->end - s->begin, limit - x);                                 \
    }                                                                                                        \
    clear_##suffix(lane + s->end, n - s->end);                                                               \
  }                                                                                                          \
  static void fill_##suffix(const Panels *p, const PlaneRun *run, int runs, const PanelTerms *t, int64_t term, \
                            int64_t n, T *to, int64_t line) {                                                \
    const int64_t plane = windows_size(p->extent), rows = p->taps[0] * p->taps[1], step = p->step[2];        \
    const T *data = p->data, *limit = data + p->images * p->channels * plane;                                \
    const At first = at_term(p, t, term);                                                                    \
    PlaneTap few[FEW_TAPS], one;                                                                             \
    for (const PlaneRun *r = run; r < run + runs; r++) {                                                     \
      const T *image = data + (r->image * p->channels + t->first) * plane;                                   \
      T *lane = to + r->lane;                                                                                \
      At at = first;                                                                                         \
      int64_t row = row_seen(p, r, at.row);                                                                  \
      for (int64_t k = 0; k < p->taps[2] && p->taps[2] <= FEW_TAPS; k++) few[k] = offset_of(p, r, k);        \
      for (int64_t s = 0; s < n; s++, lane += line) {                                                        \
        const PlaneTap *offset = &few[at.tap];                                                               \
        if (p->taps[2] > FEW_TAPS) { one = offset_of(p, r, at.tap); offset = &one; }                         \
        if (row < 0) clear_##suffix(lane, r->n);                                                             \
        else see_##suffix(image + at.channel * plane + row, limit, offset, step, lane, r->n);                \
        if (t->taps_slower) {                                                                                \
          if (++at.channel < t->n) continue;                                                                 \
          at.channel = 0;                                                                                    \
        }                                                                                                    \
        if (++at.tap < p->taps[2]) continue;                                                                 \
        at.tap = 0;                                                                                          \
        if (++at.row == rows) { at.row = 0; at.channel++; }                                                  \
        row = row_seen(p, r, at.row);                                                                        \
      }                                                                                                      \
    }                                                                                                        \
  }                                                                                                          \
  static void spread_##suffix(const Panels *p, const Planes *s, int64_t image, int64_t first, int64_t n, T *to) { \
    const int64_t plane = windows_size(p->extent), step = p->step[2];                                        \
    const T *data = p->data, *limit = data + p->images * p->channels * plane;                                \
    const T *channel = data + (image * p->channels + first) * plane;                                         \
    for (int64_t c = 0; c < n; c++, channel += plane)                                                        \
      for (int64_t f = 0; f < windows_size(s->phases); f++) {                                                \
        const int64_t f2 = f % s->phases[2], f1 = f / s->phases[2] % s->phases[1];                           \
        const int64_t f0 = f / s->phases[2] / s->phases[1];                                                  \
        const PlaneTap offset = tap_from(p, s->from[2] + f2, s->size[2]);                                    \
        for (int64_t i = 0; i < s->size[0] * s->size[1]; i++, to += s->size[2]) {                            \
          const int64_t depth = s->from[0] + f0 + i / s->size[1] * p->step[0];                               \
          const int64_t height = s->from[1] + f1 + i % s->size[1] * p->step[1];                              \
          if (depth < 0 || depth >= p->extent[0] || height < 0 || height >= p->extent[1])                    \
            clear_##suffix(to, s->size[2]);                                                                  \
          else see_##suffix(channel + (depth * p->extent[1] + height) * p->extent[2], limit, &offset, step,  \
                            to, s->size[2]);                                                                 \
        }                                                                                                    \
      }                                                                                                      \
  }
EACH_FLOAT(PANELS)

void panels_fill(const Panels *p, const PlaneRun *run, int runs, const PanelTerms *t, int64_t term, int64_t n, void *to,
                 int64_t line) {
  if (p->dtype == DT_FLOAT64) fill_f64(p, run, runs, t, term, n, to, line);
  else fill_f32(p, run, runs, t, term, n, to, line);
}

/* ---- Padded planes -------------------------------------------------------------------------------------- */

Planes planes_of(const Panels *p, const int64_t *grid) {
  Planes s = { .channel = 1 };
  for (int a = 0; a < WINDOW_AXES; a++) {
    const int64_t reach = (p->taps[a] - 1) * p->move[a], span = reach < 0 ? -reach : reach;
    s.from[a] = p->base[a] + (reach < 0 ? reach : 0);
    s.phases[a] = span + 1 < p->step[a] ? span + 1 : p->step[a];
    s.size[a] = grid[a] + span / p->step[a];
    s.channel *= s.size[a] * s.phases[a];
  }
  s.lanes = ((grid[0] - 1) * s.size[1] + grid[1] - 1) * s.size[2] + grid[2];
  return s;
}

int64_t planes_offset(const Panels *p, const Planes *s, int64_t tap) {
  int64_t phase = 0, offset = 0, t[WINDOW_AXES];
  for (int a = WINDOW_AXES - 1; a >= 0; tap /= p->taps[a], a--) t[a] = tap % p->taps[a];
  for (int a = 0; a < WINDOW_AXES; a++) {
    const int64_t far = p->base[a] + t[a] * p->move[a] - s->from[a];
    phase = phase * s->phases[a] + far % p->step[a];
    offset = offset * s->size[a] + far / p->step[a];
  }
  return phase * windows_size(s->size) + offset;
}

enum { FEW_VECTORS = 64 };

/* A vector of every step-th element of x, for a step of 1 or 2; lanes outside the parts are 0. */
HL_INLINE lanes_f32 load_apart(const LanesPart *part, const float *x, int64_t step) {
  const lanes_f32 v = lanes_load_part(part[0], x);
  return step == 1 ? v : lanes_every_second(v, lanes_load_part(part[1], x + LANES_F32));
}

/* For steps of 1 or 2 along the last axis, copies rows by vectors, with masks for lanes outside. */
HL_INLINE void spread_rows(const Panels *p, const Planes *s, int64_t step, int64_t image, int64_t first, int64_t n,
                           float *to) {
  const int64_t plane = windows_size(p->extent), width = s->size[2], vectors = (width + LANES_F32 - 1) / LANES_F32;
  const float *channel = (const float *)p->data + (image * p->channels + first) * plane;
  const LanesPart none[2] = { lanes_part(0, 0), lanes_part(0, 0) };
  LanesPart seen[2][FEW_VECTORS][2]; /* by phase of the last axis */
  for (int64_t f = 0; f < s->phases[2]; f++)
    for (int64_t v = 0; v < vectors; v++)
      for (int64_t k = 0; k < step; k++) {
        const int64_t from = s->from[2] + f + (v * step + k) * LANES_F32;
        seen[f][v][k] = lanes_part(-from, p->extent[2] - from);
      }
  for (int64_t c = 0; c < n; c++, channel += plane)
    for (int64_t f = 0; f < windows_size(s->phases); f++) {
      const int64_t f2 = f % s->phases[2], f1 = f / s->phases[2] % s->phases[1], f0 = f / s->phases[2] / s->phases[1];
      for (int64_t a = 0, depth = s->from[0] + f0; a < s->size[0]; a++, depth += p->step[0])
        for (int64_t b = 0, height = s->from[1] + f1; b < s->size[1]; b++, height += p->step[1], to += width) {
          const bool beside = depth < 0 || depth >= p->extent[0] || height < 0 || height >= p->extent[1];
          const float *row = channel + (beside ? 0 : (depth * p->extent[1] + height) * p->extent[2] + s->from[2] + f2);
          for (int64_t v = 0; v < vectors; v++)
            *(lanes_f32 *)(to + v * LANES_F32) = load_apart(beside ? none : seen[f2][v], row + v * step * LANES_F32,
                                                            step);
        }
    }
}

static bool by_vectors(const Panels *p, const Planes *s) {
  return p->dtype == DT_FLOAT32 && p->step[2] <= 2 && s->size[2] <= FEW_VECTORS * LANES_F32;
}

void planes_fill(const Panels *p, const Planes *s, int64_t image, int64_t first, int64_t n, void *to) {
  if (by_vectors(p, s) && p->step[2] == 1) spread_rows(p, s, 1, image, first, n, to);
  else if (by_vectors(p, s)) spread_rows(p, s, 2, image, first, n, to);
  else if (p->dtype == DT_FLOAT64) spread_f64(p, s, image, first, n, to);
  else spread_f32(p, s, image, first, n, to);
}
