/* winograd_tiles.h - transforming rows of tiles of an array, for winograd_forward.c and winograd_weight_grad.c.
** Channels or filters are the lanes. */
#ifndef HL_KERNELS_CONV_WINOGRAD_TILES_H
#define HL_KERNELS_CONV_WINOGRAD_TILES_H

#include "kernels/loops/simd.h" /* first: it uses some of our names itself */

#include "base/size_math.h"
#include "kernels/conv/winograd_form.h"
#include "kernels/conv/winograd_kernel.h"

HL_INLINE lanes_f32 winograd_multiply_add(lanes_f32 x, float factor, lanes_f32 c) {
  return lanes_multiply_add_f32(x, factor, c);
}

WINOGRAD_TRANSFORMS(lanes_f32, lanes, HL_INLINE __attribute__((unused)), winograd_multiply_add)

/* A square of vectors in memory, with rows and columns this many floats apart. */
typedef struct WinogradSquare { float *at; int64_t row, column; } WinogradSquare;

/* Places of a tile along an axis, and taps of a window. */
HL_INLINE int64_t winograd_tile(int64_t window) { return WINOGRAD_SEEN + 1 - window; }
HL_INLINE int64_t winograd_taps(int64_t window) { return window * window; }

/* Transforms n x n vectors down each column, then along each row, to m x m ones, of which only the first `rows` rows
** and `columns` columns are written. */
HL_INLINE void winograd_both(void (*axis)(const lanes_f32 *, lanes_f32 *), const int n, const int m,
                             WinogradSquare from, WinogradSquare to, int64_t rows, int64_t columns) {
  lanes_f32 down[WINOGRAD_SEEN][WINOGRAD_SEEN];
  for (int j = 0; j < n; j++) {
    lanes_f32 column[WINOGRAD_SEEN], moved[WINOGRAD_SEEN];
    for (int i = 0; i < n; i++) column[i] = *(const lanes_f32 *)(from.at + i * from.row + j * from.column);
    axis(column, moved);
    for (int i = 0; i < m; i++) down[i][j] = moved[i];
  }
  for (int i = 0; i < rows; i++) {
    lanes_f32 moved[WINOGRAD_SEEN];
    axis(down[i], moved);
    for (int j = 0; j < columns; j++) *(lanes_f32 *)(to.at + i * to.row + j * to.column) = moved[j];
  }
}

/* The 36 positions, `step` floats apart, as a square. */
HL_INLINE WinogradSquare winograd_positions(const float *at, int64_t step) {
  return (WinogradSquare){ (float *)at, WINOGRAD_SEEN * step, step };
}

HL_INLINE int64_t winograd_filled(int64_t channels) { return (channels + WINOGRAD_FILL - 1) & -WINOGRAD_FILL; }

/* Multiply-adds of a layer's products, for forward or a gradient. */
HL_INLINE double winograd_work(const WinogradLayer *s) {
  const int64_t tile = winograd_tile(s->window);
  return (double)(WINOGRAD_POSITIONS * winograd_filled(s->channels) * winograd_filled(s->filters)) *
         (double)(s->images * ((s->out[0] + tile - 1) / tile) * ((s->out[1] + tile - 1) / tile));
}

/* An array of images, channels and places whose tiles are transformed: data, of which a tile reads 6x6 places, or g in
** the gradient of weight, of which a tile has its own places. */
typedef struct WinogradSource {
  const float *data;
  int64_t channels, extent[2], pad[2], tiles[2], tile;    /* tile: places along an axis */
  bool grad;
} WinogradSource;

/* The tiles of layer s in an array of such planes. */
WinogradSource winograd_source(const WinogradLayer *s, const int64_t *extent, const int64_t *pad, int64_t channels);

/* The destination: for each block of channels, [position][tile][channel], with positions `step` floats apart. */
typedef struct WinogradTarget { float *to; int64_t block, step; } WinogradTarget;

/* Floats of the buffer for a transposed band: `rows` rows of tiles for one vector of channels. */
int64_t winograd_band(const WinogradSource *s, int64_t rows);

/* Number of rows of tiles transposed together. */
int64_t winograd_band_rows(const WinogradSource *s);

/* Transforms the tiles of rows [row, row + rows), counted over all images, for vectors of channels [first, end); tile 0
** of the target is the first tile of row `row`. */
void winograd_transform(const WinogradSource *s, int64_t row, int64_t rows, int64_t first, int64_t end,
                        const WinogradTarget *t, float *buffer);

/* Transposes n <= LANES_F32 lines of m <= LANES_F32 floats to m vectors, `apart` floats apart; the other lanes are
** zeros. */
HL_INLINE void winograd_turn_in(const float *from, int64_t line, int64_t n, int64_t m, float *to, int64_t apart) {
  const LanesPart some = lanes_part(0, m);
  lanes_f32 x[LANES_F32];
  if (m == LANES_F32)
    for (int i = 0; i < LANES_F32; i++) x[i] = i < n ? *(const lanes_f32 *)(from + i * line) : (lanes_f32){ 0 };
  else
    for (int i = 0; i < LANES_F32; i++) x[i] = i < n ? lanes_load_part(some, from + i * line) : (lanes_f32){ 0 };
  lanes_turn_vectors(x);
  /* clang-format off */
  _Pragma("GCC unroll 16") for (int k = 0; k < LANES_F32; k++)
    if (k < m) *(lanes_f32 *)(to + k * apart) = x[k];
  /* clang-format on */
}

/* Transposes m contiguous vectors to n lines of m floats. */
HL_INLINE void winograd_turn_out(const lanes_f32 *vectors, int64_t n, int64_t m, float *to, int64_t line) {
  const LanesPart some = lanes_part(0, m);
  lanes_f32 x[LANES_F32];
  /* clang-format off */
  _Pragma("GCC unroll 16") for (int k = 0; k < LANES_F32; k++) x[k] = k < m ? vectors[k] : (lanes_f32){ 0 };
  lanes_turn_vectors(x);
  if (m == LANES_F32) {
    for (int i = 0; i < LANES_F32; i++)
      if (i < n) *(lanes_f32 *)(to + i * line) = x[i];
  } else {
    for (int i = 0; i < LANES_F32; i++)
      if (i < n) lanes_store_part(some, x[i], to + i * line);
  }
  /* clang-format on */
}

#endif
