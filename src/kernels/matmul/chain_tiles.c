/* chain_tiles.c - see chain_tiles.h. */
#include "kernels/matmul/chain_tiles.h"

#include "base/size_math.h"

/* A tile of N lines by V vectors. Steps of a are in bytes: gcc would make a second version of the loop, with spilled
** sums, for a step of one float. */
typedef void Tile(int64_t terms, int64_t chain, const char *a, int64_t row, int64_t term, const float *b, int64_t line,
                  float *sum, int64_t apart, bool begins);

#define TILE(N, V)                                                                                         \
  static void tile_##N##x##V(int64_t terms, int64_t chain, const char *a, int64_t row, int64_t term, const float *b, \
                             int64_t line, float *sum, int64_t apart, bool begins) {                       \
    for (; terms > 0; terms -= chain, begins = false) {                                                    \
      const int64_t some = terms < chain ? terms : chain;                                                  \
      lanes_f32 acc[N][V];                                                                                 \
      _Pragma("GCC unroll 16") for (int i = 0; i < N; i++)                                                 \
        _Pragma("GCC unroll 4") for (int v = 0; v < V; v++) acc[i][v] = (lanes_f32){ 0 };                  \
      _Pragma("GCC unroll 5") for (int64_t s = 0; s < some; s++, a += term, b += line) {                       \
        lanes_f32 x[V];                                                                                    \
        _Pragma("GCC unroll 4") for (int v = 0; v < V; v++) x[v] = *(const lanes_f32 *)(b + v * LANES_F32); \
        _Pragma("GCC unroll 16") for (int i = 0; i < N; i++)                                               \
          _Pragma("GCC unroll 4") for (int v = 0; v < V; v++)                                              \
            lanes_add_product_f32(&acc[i][v], x[v], *(const float *)(a + i * row));                        \
      }                                                                                                    \
      _Pragma("GCC unroll 16") for (int i = 0; i < N; i++)                                                 \
        _Pragma("GCC unroll 4") for (int v = 0; v < V; v++) {                                              \
          lanes_f32 *to = (lanes_f32 *)(sum + i * apart + v * LANES_F32);                                  \
          if (begins) *to = acc[i][v];                                                                     \
          else *to = *to + acc[i][v];                                                                      \
        }                                                                                                  \
    }                                                                                                      \
  }

/* clang-format off */
#if defined __AVX512F__
enum { MOST_LINES = 16 };

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
static const int64_t most_lines[LANES_VECTORS + 1] = { 0, 14, 12, 8, 6 };
#else
enum { MOST_LINES = 8 };

TILE(1, 1) TILE(2, 1) TILE(3, 1) TILE(4, 1) TILE(5, 1) TILE(6, 1) TILE(7, 1) TILE(8, 1)
TILE(1, 2) TILE(2, 2) TILE(3, 2) TILE(4, 2) TILE(5, 2) TILE(6, 2)

static Tile *const tiles[LANES_VECTORS + 1][MOST_LINES] = {
  [1] = { tile_1x1, tile_2x1, tile_3x1, tile_4x1, tile_5x1, tile_6x1, tile_7x1, tile_8x1 },
  [2] = { tile_1x2, tile_2x2, tile_3x2, tile_4x2, tile_5x2, tile_6x2 },
};
static const int64_t most_lines[LANES_VECTORS + 1] = { 0, 8, 6 };
#endif
/* clang-format on */

/* Divides the lines into tiles as equal as possible. */
void chain_tiles(int64_t n, int64_t vectors, int64_t terms, int64_t chain, const TileFactors *f, float *sum,
                 int64_t apart, bool begins) {
  const int64_t all = parts(n, most_lines[vectors]);
  const float *a = f->a;
  for (int64_t i = 0, done = 0; i < all; i++) {
    const int64_t lines = n * (i + 1) / all - done;
    tiles[vectors][lines - 1](terms, chain, (const char *)a, 4 * f->row, 4 * f->term, f->b, f->line, sum, apart,
                              begins);
    a += lines * f->row;
    sum += lines * apart;
    done += lines;
  }
}
