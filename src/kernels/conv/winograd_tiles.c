/* winograd_tiles.c - see winograd_tiles.h. */
#include "kernels/conv/winograd_tiles.h"

#include <string.h>

/* ---- Transformed tiles ------------------------------------------------------------------------------------------- */

WinogradSource winograd_source(const WinogradLayer *s, const int64_t *extent, const int64_t *pad, int64_t channels) {
  WinogradSource to = { .channels = channels, .tile = winograd_tile(s->window) };
  for (int a = 0; a < 2; a++) {
    to.extent[a] = extent[a];
    to.pad[a] = pad[a];
    to.tiles[a] = parts(s->out[a], to.tile);
  }
  return to;
}

/* Places along an axis of the turned band: those of n tiles, and those that only the last one sees. */
static int64_t band_extent(const WinogradSource *s, int64_t n) { return s->tile * (n - 1) + WINOGRAD_SEEN; }
static int64_t band_width(const WinogradSource *s) { return band_extent(s, s->tiles[1]); }

int64_t winograd_band(const WinogradSource *s, int64_t rows) {
  return band_extent(s, rows) * band_width(s) * LANES_F32;
}

int64_t winograd_band_rows(const WinogradSource *s) {
  enum { CACHED = 20 << 10 };              /* bytes */
  const int64_t row = s->tile * band_width(s) * LANES_BYTES;
  return least(s->tiles[0], most(1, CACHED / row));
}

/* Writes what the rows of tiles [y, y + rows) of an image see of n channels to the buffer, whose other places are
** zeros. Rows of an image are neighbours in memory, so vectors are turned wherever a row ends. */
static void turn_band(const WinogradSource *s, const float *channel, int64_t n, int64_t y, int64_t rows,
                      float *buffer) {
  const int64_t width = s->extent[1], plane = s->extent[0] * width, line = band_width(s) * LANES_F32;
  const int64_t above = y * s->tile - s->pad[0];
  const int64_t below = above + (s->grad ? rows * s->tile : band_extent(s, rows));
  const int64_t first = most(0, above), end = least(s->extent[0], below) * width;
  float *row = buffer + (first - above) * line + s->pad[1] * LANES_F32, turned[LANES_F32 * LANES_F32];
  for (int64_t e = first * width, column = 0; e < end; e += LANES_F32) {
    const int64_t m = least(LANES_F32, end - e);
    winograd_turn_in(channel + e, plane, n, m, turned, LANES_F32);
    for (int64_t k = 0; k < m; k++) {
      *(lanes_f32 *)(row + column * LANES_F32) = *(const lanes_f32 *)(turned + k * LANES_F32);
      if (++column < width) continue;
      column = 0;
      row += line;
    }
  }
}

/* A tile from the turned band, whose rows are `line` floats apart, to its 36 positions. */
#define TRANSFORM(name, n)                                                                                 \
  static void transform_##name(const float *from, int64_t line, float *to, int64_t step) {                 \
    winograd_both(winograd_##name##_lanes, n, WINOGRAD_SEEN, (WinogradSquare){ (float *)from, line, LANES_F32 }, \
                  winograd_positions(to, step), WINOGRAD_SEEN, WINOGRAD_SEEN);                             \
  }

TRANSFORM(data, WINOGRAD_SEEN)
TRANSFORM(grad4, 4)
TRANSFORM(grad2, 2)

void winograd_transform(const WinogradSource *s, int64_t row, int64_t rows, int64_t first, int64_t end,
                        const WinogradTarget *t, float *buffer) {
  const int64_t line = band_width(s) * LANES_F32, plane = s->extent[0] * s->extent[1],
                most_rows = winograd_band_rows(s);
  void (*const transform)(const float *, int64_t, float *, int64_t) = !s->grad       ? transform_data
                                                                      : s->tile == 4 ? transform_grad4
                                                                                     : transform_grad2;
  float *tile = t->to;
  for (int64_t done = 0, n; done < rows; done += n, tile += n * s->tiles[1] * t->block) {
    const int64_t image = (row + done) / s->tiles[0], y = (row + done) % s->tiles[0];
    n = least(least(most_rows, rows - done), s->tiles[0] - y);
    memset(buffer, 0, (size_t)winograd_band(s, n) * sizeof *buffer);
    for (int64_t v = first; v < end; v++) {
      const int64_t channel = v * LANES_F32, has = least(LANES_F32, s->channels - channel);
      float *to = tile + channel / t->block * WINOGRAD_POSITIONS * t->step + channel % t->block;
      if (has > 0) turn_band(s, s->data + (image * s->channels + channel) * plane, has, y, n, buffer);
      else memset(buffer, 0, (size_t)winograd_band(s, n) * sizeof *buffer);
      for (int64_t i = 0; i < n; i++)
        for (int64_t x = 0; x < s->tiles[1]; x++, to += t->block) {
          const float *from = buffer + i * s->tile * line + x * s->tile * LANES_F32;
          transform(from, line, to, t->step);
        }
    }
  }
}

/* ---- Products ---------------------------------------------------------------------------------------------------- */

/* N lines by V vectors stay in registers for all terms. Steps of a are in bytes: gcc would make a second version of the
** loop for a step of one float, whose sums it spills. */
#define TILE(N, V)                                                                                         \
  static void tile_##N##x##V(int64_t terms, const char *a, int64_t row, int64_t term, const float *b, int64_t lanes, \
                             float *sum, bool begins) {                                                    \
    lanes_f32 acc[N][V];                                                                                   \
    _Pragma("GCC unroll 16") for (int i = 0; i < N; i++)                                                   \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++) acc[i][v] = (lanes_f32){ 0 };                    \
    for (int64_t s = 0; s < terms; s++, a += term, b += lanes) {                                           \
      lanes_f32 x[V];                                                                                      \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++) x[v] = *(const lanes_f32 *)(b + v * LANES_F32);  \
      _Pragma("GCC unroll 16") for (int i = 0; i < N; i++)                                                 \
        _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)                                                \
          acc[i][v] = lanes_multiply_add_f32(x[v], *(const float *)(a + i * row), acc[i][v]);              \
    }                                                                                                      \
    _Pragma("GCC unroll 16") for (int i = 0; i < N; i++)                                                   \
      _Pragma("GCC unroll 4") for (int v = 0; v < V; v++) {                                                \
        float *to = sum + i * lanes + v * LANES_F32;                                                       \
        const lanes_f32 before = begins ? (lanes_f32){ 0 } : *(const lanes_f32 *)to;                       \
        *(lanes_f32 *)to = before + acc[i][v];                                                             \
      }                                                                                                    \
  }

typedef void Tile(int64_t terms, const char *a, int64_t row, int64_t term, const float *b, int64_t lanes, float *sum,
                  bool begins);

enum { MOST_LINES = 16 };

/* clang-format off */
#if defined __AVX512F__
TILE(1, 1) TILE(2, 1) TILE(3, 1) TILE(4, 1) TILE(5, 1) TILE(6, 1) TILE(7, 1) TILE(8, 1) TILE(9, 1) TILE(10, 1)
TILE(11, 1) TILE(12, 1) TILE(13, 1) TILE(14, 1)
TILE(1, 2) TILE(2, 2) TILE(3, 2) TILE(4, 2) TILE(5, 2) TILE(6, 2) TILE(7, 2) TILE(8, 2) TILE(9, 2) TILE(10, 2)
TILE(11, 2) TILE(12, 2)
TILE(1, 3) TILE(2, 3) TILE(3, 3) TILE(4, 3) TILE(5, 3) TILE(6, 3) TILE(7, 3) TILE(8, 3)
TILE(1, 4) TILE(2, 4) TILE(3, 4) TILE(4, 4) TILE(5, 4) TILE(6, 4)

static Tile *const tiles[LANES_VECTORS + 1][MOST_LINES] = {
  [1] = { tile_1x1, tile_2x1, tile_3x1, tile_4x1, tile_5x1, tile_6x1, tile_7x1, tile_8x1, tile_9x1, tile_10x1,
          tile_11x1, tile_12x1, tile_13x1, tile_14x1 },
  [2] = { tile_1x2, tile_2x2, tile_3x2, tile_4x2, tile_5x2, tile_6x2, tile_7x2, tile_8x2, tile_9x2, tile_10x2,
          tile_11x2, tile_12x2 },
  [3] = { tile_1x3, tile_2x3, tile_3x3, tile_4x3, tile_5x3, tile_6x3, tile_7x3, tile_8x3 },
  [4] = { tile_1x4, tile_2x4, tile_3x4, tile_4x4, tile_5x4, tile_6x4 },
};
#else
TILE(1, 1) TILE(2, 1) TILE(3, 1) TILE(4, 1) TILE(5, 1) TILE(6, 1) TILE(7, 1) TILE(8, 1)
TILE(1, 2) TILE(2, 2) TILE(3, 2) TILE(4, 2) TILE(5, 2) TILE(6, 2)

static Tile *const tiles[LANES_VECTORS + 1][MOST_LINES] = {
  [1] = { tile_1x1, tile_2x1, tile_3x1, tile_4x1, tile_5x1, tile_6x1, tile_7x1, tile_8x1 },
  [2] = { tile_1x2, tile_2x2, tile_3x2, tile_4x2, tile_5x2, tile_6x2 },
};
#endif
/* clang-format on */

/* The lines fall into tiles as equal as they can be. */
void winograd_products(int64_t n, int64_t vectors, int64_t terms, const float *a, int64_t row, int64_t term,
                       const float *b, int64_t lanes, float *sum, bool begins) {
  int64_t fit = 1;
  while (fit < MOST_LINES && tiles[vectors][fit]) fit++;
  const int64_t all = parts(n, fit);
  for (int64_t i = 0; i < all; i++) {
    const int64_t lines = n * (i + 1) / all - n * i / all;
    tiles[vectors][lines - 1](terms, (const char *)a, 4 * row, 4 * term, b, lanes, sum, begins);
    a += lines * row;
    sum += lines * lanes;
  }
}
