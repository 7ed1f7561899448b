/* winograd_plain.h - the definition of winograd_form.h as plain loops over single elements, to compare with the
** kernels' bits. `fused`: multiply-adds round once. */
#ifndef HL_SPEC_NATIVE_WINOGRAD_PLAIN_H
#define HL_SPEC_NATIVE_WINOGRAD_PLAIN_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/conv/winograd_form.h"

static bool winograd_fused;

static inline float winograd_plain_madd(float x, float factor, float c) {
  return winograd_fused ? fmaf(x, factor, c) : x * factor + c;
}

WINOGRAD_TRANSFORMS(float, plain, static inline, winograd_plain_madd)

typedef void WinogradAxis(const float *from, float *to);

/* Transforms n x n values to m x m: down each column, then along each row. */
static inline void winograd_plain_both(WinogradAxis *axis, int n, int m, const float *from, float *to) {
  float down[6][6];
  for (int j = 0; j < n; j++) {
    float column[6], moved[6];
    for (int i = 0; i < n; i++) column[i] = from[i * n + j];
    axis(column, moved);
    for (int i = 0; i < m; i++) down[i][j] = moved[i];
  }
  for (int i = 0; i < m; i++) axis(down[i], to + i * m);
}

typedef struct WinogradPlain { long images, channels, filters, in[2], out[2], pad[2], window; } WinogradPlain;

/* Transforms n x n places of a plane, starting at (y, x), with zeros outside, to the 36 positions. */
static inline void winograd_plain_tile(WinogradAxis *axis, int n, const float *plane, const long *extent, long y,
                                       long x, float *to) {
  float seen[36] = { 0 };
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (y + i >= 0 && y + i < extent[0] && x + j >= 0 && x + j < extent[1])
        seen[i * n + j] = plane[(y + i) * extent[1] + x + j];
  winograd_plain_both(axis, n, 6, seen, to);
}

typedef struct WinogradTiles { long size, n[2]; } WinogradTiles;   /* places along an axis; tiles of a plane */

static inline WinogradTiles winograd_plain_cut(const WinogradPlain *s) {
  const long size = 7 - s->window;
  return (WinogradTiles){ size, { (s->out[0] + size - 1) / size, (s->out[1] + size - 1) / size } };
}

typedef struct WinogradPositions { float at[36]; } WinogradPositions;

/* All tiles of an array's planes, [plane][row of tiles][tile]; must be freed. */
static inline WinogradPositions *winograd_plain_tiles(WinogradAxis *axis, int n, const float *from, long planes,
                                                      const long *extent, const long *pad, const WinogradTiles *t) {
  WinogradPositions *to = calloc((size_t)(planes * t->n[0] * t->n[1]), sizeof *to);
  for (long i = 0; i < planes * t->n[0] * t->n[1]; i++) {
    const long plane = i / t->n[1] / t->n[0], y = i / t->n[1] % t->n[0], x = i % t->n[1];
    winograd_plain_tile(axis, n, from + plane * extent[0] * extent[1], extent, t->size * y - pad[0],
                        t->size * x - pad[1], to[i].at);
  }
  return to;
}

/* The transformed weights, [filter][channel]; must be freed. `turned`: the layout is [channel][filter][last - tap]. */
static inline WinogradPositions *winograd_plain_weights(const WinogradPlain *s, const float *weight, bool turned) {
  const long taps = s->window * s->window;
  WinogradPositions *to = calloc((size_t)(s->filters * s->channels), sizeof *to);
  for (long f = 0; f < s->filters; f++)
    for (long c = 0; c < s->channels; c++) {
      float g[25];
      for (long t = 0; t < taps; t++)
        g[t] = turned ? weight[(c * s->filters + f) * taps + taps - 1 - t] : weight[(f * s->channels + c) * taps + t];
      winograd_plain_both(s->window == 3 ? winograd_weight3_plain : winograd_weight5_plain, (int)s->window, 6, g,
                          to[f * s->channels + c].at);
    }
  return to;
}

/* The output, [image][filter][row][column]. */
static inline void winograd_plain_forward(const WinogradPlain *s, const float *data, const float *weight, bool turned,
                                          const float *bias, float *out) {
  const WinogradTiles t = winograd_plain_cut(s);
  const long each = t.n[0] * t.n[1];
  WinogradPositions *v = winograd_plain_tiles(winograd_data_plain, 6, data, s->images * s->channels, s->in, s->pad, &t);
  WinogradPositions *u = winograd_plain_weights(s, weight, turned);
  for (long i = 0; i < s->images * s->filters * each; i++) {
    const long tile = i % each, f = i / each % s->filters, image = i / each / s->filters;
    const long y = tile / t.n[1] * t.size, x = tile % t.n[1] * t.size;
    float sum[36], chain[36], back[16], *plane = out + i / each * s->out[0] * s->out[1];
    for (long first = 0; first < s->channels; first += 64) {
      memset(chain, 0, sizeof chain);
      for (long c = first; c < first + 64 && c < s->channels; c++)
        for (int q = 0; q < 36; q++)
          chain[q] = winograd_plain_madd(v[(image * s->channels + c) * each + tile].at[q], u[f * s->channels + c].at[q],
                                         chain[q]);
      for (int q = 0; q < 36; q++) sum[q] = first == 0 ? chain[q] : sum[q] + chain[q];
    }
    winograd_plain_both(t.size == 4 ? winograd_back4_plain : winograd_back2_plain, 6, (int)t.size, sum, back);
    for (long j = 0; j < t.size && y + j < s->out[0]; j++)
      for (long k = 0; k < t.size && x + k < s->out[1]; k++)
        plane[(y + j) * s->out[1] + x + k] = back[j * t.size + k] + (bias ? bias[f] : 0);
  }
  free(v);
  free(u);
}

/* The gradient of weight, [filter][channel][tap]. */
static inline void winograd_plain_weight(const WinogradPlain *s, const float *data, const float *g, float *out) {
  const WinogradTiles t = winograd_plain_cut(s);
  const long each = t.n[0] * t.n[1], all = s->images * each, group = (64 + t.n[1] - 1) / t.n[1] * t.n[1];
  const long n_taps = s->window * s->window, none[2] = { 0, 0 };
  WinogradPositions *v = winograd_plain_tiles(winograd_data_plain, 6, data, s->images * s->channels, s->in, s->pad, &t);
  WinogradPositions *u = winograd_plain_tiles(t.size == 4 ? winograd_grad4_plain : winograd_grad2_plain, (int)t.size, g,
                                              s->images * s->filters, s->out, none, &t);
  memset(out, 0, (size_t)(s->filters * s->channels * n_taps) * sizeof *out);
  for (long f = 0; f < s->filters; f++)
    for (long c = 0; c < s->channels; c++)
      for (long first = 0; first < all; first += group) {
        float sum[36] = { 0 }, taps[25];
        for (long i = first; i < first + group && i < all; i++) {
          const WinogradPositions *a = v + (i / each * s->channels + c) * each + i % each;
          const WinogradPositions *b = u + (i / each * s->filters + f) * each + i % each;
          for (int q = 0; q < 36; q++) sum[q] = winograd_plain_madd(a->at[q], b->at[q], sum[q]);
        }
        winograd_plain_both(s->window == 3 ? winograd_taps3_plain : winograd_taps5_plain, 6, (int)s->window, sum, taps);
        for (long k = 0; k < n_taps; k++) out[(f * s->channels + c) * n_taps + k] += taps[k];
      }
  free(v);
  free(u);
}

#endif
