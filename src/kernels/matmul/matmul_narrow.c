/* matmul_narrow.c - see matmul_narrow.h.
**
** A thread has rectangles of the result. For COLUMNS columns and NARROW_TERMS terms at a time b is
** packed in panels of CHAIN_LANES columns (matmul_packed.h), and all rows pass over them in tiles of TILE_ROWS; if a is
** transposed, ROWS rows of it are turned at a time. The division of the work changes no bit.
*/
#include "kernels/matmul/matmul_narrow.h"

#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/size_math.h"
#include "kernels/loops/simd.h"
#include "kernels/matmul/matmul_packed.h"

#if LANES_WIDE

enum {
  TILE_ROWS = 6,
  VECTORS = CHAIN_LANES / LANES_F32,
  ROWS = 8 * TILE_ROWS,
  ROW_STEP = NARROW_TERMS + LANES_F32,        /* not a power of two: lines of cache would collide */
  COLUMNS = 256,
  AHEAD = 6                        /* rows that are fetched before they are packed: they are on different pages */
};

/* A tile: rows of c get, or with `more` add, the sums over n terms of a, whose rows are `a_step` apart, and a panel.
** The compiler would have multiply-adds overwrite their factors, and move those before: hence the instruction. Five
** terms at a time are what the processor decodes fastest. */
#define TILE(R)                                                                                                   \
  HL_INLINE void tile_##R(int64_t n, const float *a, int64_t a_step, const float *panel, float *c, int64_t ldc,   \
                          const bool more) {                                                                      \
    lanes_f32 sum[R][VECTORS];                                                                                    \
    _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)                                                           \
      _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++) sum[r][v] = (lanes_f32){ 0 };                     \
    _Pragma("GCC unroll 5") for (int64_t s = 0; s < n; s++) {                                                     \
      lanes_f32 x[VECTORS];                                                                                       \
      _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++)                                                   \
        x[v] = *(const lanes_f32 *)(panel + s * CHAIN_LANES + v * LANES_F32);                                     \
      _Pragma("GCC unroll 8") for (int r = 0; r < R; r++) {                                                       \
        __m512 factor = _mm512_set1_ps(a[r * a_step + s]);                                                        \
        _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++)                                                 \
          __asm__("vfmadd231ps %2, %1, %0" : "+v"(sum[r][v]) : "v"(x[v]), "v"(factor));                           \
      }                                                                                                           \
    }                                                                                                             \
    _Pragma("GCC unroll 8") for (int r = 0; r < R; r++)                                                           \
      _Pragma("GCC unroll 4") for (int v = 0; v < VECTORS; v++) {                                                 \
        lanes_f32 *to = (lanes_f32 *)(c + r * ldc + v * LANES_F32);                                               \
        if (more) *to += sum[r][v];                                                                               \
        else *to = sum[r][v];                                                                                     \
      }                                                                                                           \
  }                                                                                                               \
  static void run_##R(int64_t n, const float *a, int64_t a_step, const float *panel, float *c, int64_t ldc,       \
                      bool more) {                                                                                \
    if (more) tile_##R(n, a, a_step, panel, c, ldc, true);                                                        \
    else tile_##R(n, a, a_step, panel, c, ldc, false);                                                            \
  }
TILE(6)
TILE(4)
TILE(2)
TILE(1)

static void tiles(int64_t rows, int64_t n, const float *a, int64_t a_step, const float *panel, float *c, int64_t ldc,
                  bool more) {
  for (; rows >= 6; rows -= 6, a += 6 * a_step, c += 6 * ldc) run_6(n, a, a_step, panel, c, ldc, more);
  for (; rows >= 4; rows -= 4, a += 4 * a_step, c += 4 * ldc) run_4(n, a, a_step, panel, c, ldc, more);
  for (; rows >= 2; rows -= 2, a += 2 * a_step, c += 2 * ldc) run_2(n, a, a_step, panel, c, ldc, more);
  for (; rows >= 1; rows -= 1, a += a_step, c += ldc) run_1(n, a, a_step, panel, c, ldc, more);
}

/* The last panel may be narrower than a tile. */
static void tiles_of_part(int64_t rows, int64_t n, const float *a, int64_t a_step, const float *panel, float *c,
                          int64_t ldc, bool more, int64_t columns) {
  _Alignas(64) float part[ROWS * CHAIN_LANES];
  for (int64_t r = 0; more && r < rows; r++) memcpy(part + r * CHAIN_LANES, c + r * ldc, (size_t)columns * sizeof *c);
  tiles(rows, n, a, a_step, panel, part, CHAIN_LANES, more);
  for (int64_t r = 0; r < rows; r++) memcpy(c + r * ldc, part + r * CHAIN_LANES, (size_t)columns * sizeof *c);
}

/* Terms [k, k + n) of columns [column, column + columns) of b. A row of b is read as far as it goes. */
static void lay_out(const Product *p, int64_t k, int64_t n, int64_t column, int64_t columns, float *panels) {
  const float *b = p->b;
  for (int64_t j = 0; j < columns; j += CHAIN_LANES)
    if (columns - j < CHAIN_LANES) memset(panels + j * NARROW_TERMS, 0, (size_t)(n * CHAIN_LANES) * sizeof *panels);
  if (p->transpose_b) {
    for (int64_t j = 0; j < columns; j += CHAIN_LANES)
      packed_put(DT_FLOAT32, b + k, p->ldb, true, column + j, least(CHAIN_LANES, columns - j), n,
                 panels + j * NARROW_TERMS, 0, CHAIN_LANES);
    return;
  }
  for (int64_t s = 0; s < n; s++) {
    const float *from = b + (k + s) * p->ldb + column;
    for (int64_t j = 0; j < columns; j += LANES_F32) __builtin_prefetch(from + AHEAD * p->ldb + j, 0, 2);
    for (int64_t j = 0; j < columns; j += CHAIN_LANES) {
      float *to = panels + j * NARROW_TERMS + s * CHAIN_LANES;
      if (columns - j < CHAIN_LANES) memcpy(to, from + j, (size_t)(columns - j) * sizeof *b);
      else
        for (int v = 0; v < VECTORS; v++) ((lanes_f32 *)to)[v] = ((const lanes_f32 *)(from + j))[v];
    }
  }
}

/* Continues rows [first, last) of some columns over the terms that are packed. */
static void pass(const Product *p, int64_t first, int64_t last, int64_t k, int64_t n, int64_t column, int64_t columns,
                 const float *panels) {
  const bool more = k > 0 || p->beta != 0;
  _Alignas(64) float turned[ROWS * ROW_STEP];
  for (int64_t i = first; i < last; i += ROWS) {
    const int64_t rows = least(ROWS, last - i), a_step = p->transpose_a ? (int64_t)ROW_STEP : p->lda;
    const float *a = (const float *)p->a + (p->transpose_a ? k * p->lda + i : i * p->lda + k);
    if (p->transpose_a) {
      chains_of(DT_FLOAT32)->turn(a, p->lda, turned, ROW_STEP, n, rows);
      a = turned;
    }
    for (int64_t j = 0; j < columns; j += CHAIN_LANES) {
      float *c = (float *)p->c + i * p->ldc + column + j;
      const float *panel = panels + j * NARROW_TERMS;
      if (columns - j >= CHAIN_LANES) tiles(rows, n, a, a_step, panel, c, p->ldc, more);
      else tiles_of_part(rows, n, a, a_step, panel, c, p->ldc, more, columns - j);
    }
  }
}

static void block(const Product *p, int64_t first, int64_t last, int64_t column, int64_t end) {
  _Alignas(64) float panels[NARROW_TERMS * COLUMNS];
  for (; column < end; column += COLUMNS)
    for (int64_t k = 0; k < p->k && !interrupted(); k += NARROW_TERMS) {
      const int64_t n = least(NARROW_TERMS, p->k - k), columns = least(COLUMNS, end - column);
      lay_out(p, k, n, column, columns, panels);
      pass(p, first, last, k, n, column, columns, panels);
    }
}

/* The result in rectangles, for threads: of COLUMNS columns, because rows pass over panels of that many, and of some of
** the rows, so that each thread has a few rectangles, and as many as the others. */
typedef struct ProductTiles { const Product *p; int64_t rows, columns, down, across; } ProductTiles;

static void rectangles(void *context, int64_t first, int64_t last) {
  const ProductTiles *s = context;
  for (int64_t i = first; i < last; i++) {
    const int64_t row = i % s->down * s->rows, column = i / s->down * s->columns;
    block(s->p, row, least(s->p->m, row + s->rows), column, least(s->p->n, column + s->columns));
  }
}

static int64_t part(int64_t n, int64_t of, int64_t unit) { return parts(parts(n, of), unit) * unit; }

static ProductTiles parts_for(const Product *p, int64_t threads) {
  enum { RECTANGLES = 2, LEAST_ROWS = 40 * TILE_ROWS };         /* packing panels costs as much as ten rows */
  ProductTiles s = { p, p->m, p->n, 1, 1 };
  if (threads == 1) return s;
  int64_t down = 1;
  s.columns = least(COLUMNS, p->n);
  s.across = parts(p->n, s.columns);
  while (down < p->m / LEAST_ROWS && (s.across * down % threads > 0 || s.across * down < RECTANGLES * threads)) down++;
  s.rows = part(p->m, down, TILE_ROWS);
  s.down = parts(p->m, s.rows);
  if (s.across * s.down >= threads) return s;
  s.columns = part(p->n, parts(threads, s.down), CHAIN_LANES);
  s.across = parts(p->n, s.columns);
  return s;
}

bool narrow_product_fits(const Product *p) {
  return p->dtype == DT_FLOAT32 && p->alpha == 1 && (p->beta == 0 || p->beta == 1);
}

void narrow_product(const Product *p) {
  enum { LEAST_WORK = 1 << 21 };       /* for a thread: some 30 us, as in base/threads/parallel_for.c */
  const double work = (double)p->m * (double)p->n * (double)p->k;
  const ProductTiles s = parts_for(p, work < 2.0 * LEAST_WORK ? 1 : parallel_threads());
  const int64_t n = s.down * s.across;
  parallel_for(n, (int64_t)(LEAST_WORK * (double)n / (work + 1)) + 1, rectangles, (void *)&s);
}

#else

bool narrow_product_fits(const Product *p) {
  (void)p;
  return false;
}
void narrow_product(const Product *p) { (void)p; }

#endif
