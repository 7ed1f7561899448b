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

/* Places along an axis of the transposed band: those of n tiles, and those that only the last one reads. */
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

/* Writes the data of n channels that rows of tiles [y, y + rows) of an image read to the buffer, whose other places are
** zeros. An image's rows are contiguous, so vectors are transposed without regard to row ends. */
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

/* Transforms a tile from the transposed band, whose rows are `line` floats apart, to its 36 positions. */
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
