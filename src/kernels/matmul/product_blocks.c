/* product_blocks.c - see product_blocks.h.
**
** For COLUMNS columns and the terms of a few chains at a time, b is packed in panels of TILE_LANES columns; the last
** one has the remaining vectors, padded with zeros. Tiles process all rows with these panels and add a few chains to
** their sums, while the sums are in cache. a is read in place or, if transposed, transposed back some rows at a time. b
** is read in place, too, if its lines are rows and packing does not pay: for few rows, or a small b. A single row is
** handled by product_row.h.
*/
#include "kernels/matmul/chain_tiles.h"

#include <string.h>

#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "kernels/matmul/fma_chain.h"
#include "kernels/matmul/product_blocks.h"
#include "kernels/matmul/product_order.h"
#include "kernels/matmul/product_panels.h"
#include "kernels/matmul/product_row.h"

enum {
  TERMS = 4 * PRODUCT_CHAIN,                 /* of b, by COLUMNS: half a megabyte, in the second-level cache */
  COLUMNS = 128,
  ROWS = 48,                                 /* of a, transposed at a time */
  ROWS_APART = 3 * ROWS,                     /* with separate sums at a time; b is packed again for each */
  ROW_STEP = TERMS + LANES_F32,              /* not a power of two, else cache lines collide */
  FEW_ROWS = 8,                              /* up to this, packing b costs more than reading it in place */
  SHORT_LINE = 128,
  SMALL = 1 << 14,                           /* elements of b small enough to read in place */
  AHEAD = 6 /* lines prefetched before they are packed: they are on other pages */
};

/* b, (k, n) or transposed, starting at `term` and `column`. */
static const float *b_at(const Product *p, int64_t term, int64_t column) {
  return (const float *)p->b + (p->transpose_b ? column * p->ldb + term : term * p->ldb + column);
}

/* Packs n terms of up to COLUMNS columns into panels TERMS * TILE_LANES apart. If b's lines are rows, each is read to
** its end: the next one may be on another page. */
static void pack(const Product *p, int64_t term, int64_t n, int64_t column, int64_t columns, float *panels) {
  const float *from = b_at(p, term, column);
  const int64_t whole = columns - columns % TILE_LANES, left = columns - whole, lanes = tile_lanes(left);
  float *last = panels + whole * TERMS;
  if (left < lanes) memset(last, 0, (size_t)(n * lanes) * sizeof *last);
  if (p->transpose_b) {
    for (int64_t l = 0; l < whole; l += TILE_LANES)
      chains_of(DT_FLOAT32)->turn(from + l * p->ldb, p->ldb, panels + l * TERMS, TILE_LANES, TILE_LANES, n);
    if (left > 0) chains_of(DT_FLOAT32)->turn(from + whole * p->ldb, p->ldb, last, lanes, left, n);
    return;
  }
  for (int64_t s = 0; s < n; s++, from += p->ldb, last += lanes) {
    for (int64_t l = 0; l < columns; l += LINE_BYTES / (int64_t)sizeof *from)
      __builtin_prefetch(from + AHEAD * p->ldb + l, 0, 2);
    for (int64_t l = 0; l < whole; l += TILE_LANES)
      for (int v = 0; v < TILE_LANES; v += LANES_F32)
        *(lanes_f32 *)(panels + l * TERMS + s * TILE_LANES + v) = *(const lanes_f32 *)(from + l + v);
    if (left > 0) memcpy(last, from + whole, (size_t)left * sizeof *last);
  }
}

void product_tiles(int64_t rows, int64_t columns, int64_t terms, const TileFactors *f, float *to, int64_t apart,
                   bool begins) {
  const int64_t vectors = parts(columns, LANES_F32), last = columns - columns % LANES_F32;
  if (last == columns) {
    chain_tiles(rows, vectors, terms, PRODUCT_CHAIN, f, to, apart, begins);
    return;
  }
  float side[ROWS * TILE_LANES]; /* for the last vector, which extends past the columns */
  const LanesPart left = lanes_part(0, columns - last);
  TileFactors some = *f;
  for (int64_t i = 0, n; i < rows; i += n, some.a += n * f->row, to += n * apart) {
    n = least(ROWS, rows - i);
    for (int64_t r = 0; r < n && !begins; r++) {
      float *sum = side + r * TILE_LANES;
      memcpy(sum, to + r * apart, (size_t)last * sizeof *to);
      *(lanes_f32 *)(sum + last) = lanes_load_part(left, to + r * apart + last);
    }
    chain_tiles(n, vectors, terms, PRODUCT_CHAIN, &some, side, TILE_LANES, begins);
    for (int64_t r = 0; r < n; r++) {
      const float *sum = side + r * TILE_LANES;
      memcpy(to + r * apart, sum, (size_t)last * sizeof *to);
      lanes_store_part(left, *(const lanes_f32 *)(sum + last), to + r * apart + last);
    }
  }
}

/* a's factors starting at `row` and `term`. Transposed ones with long lines are copied to `turned`, because each term
** would be on another page. */
static TileFactors rows_of_a(const Product *p, int64_t row, int64_t rows, int64_t term, int64_t n, float *turned) {
  const float *a = p->a;
  if (!p->transpose_a) return (TileFactors){ .a = a + row * p->lda + term, .row = p->lda, .term = 1 };
  a += term * p->lda + row;
  if (rows <= FEW_ROWS || p->lda <= SHORT_LINE) return (TileFactors){ .a = a, .row = 1, .term = p->lda };
  chains_of(DT_FLOAT32)->turn(a, p->lda, turned, ROW_STEP, n, rows);
  return (TileFactors){ .a = turned, .row = ROW_STEP, .term = 1 };
}

/* Number of a part's columns read in place: whole vectors. */
static int64_t columns_in_place(const Product *p, const ProductPart *s) {
  const int64_t columns = s->columns_end - s->column;
  const bool small = p->ldb <= SHORT_LINE && least(TERMS, p->k) * p->ldb <= SMALL;
  return !p->transpose_b && (s->rows_end - s->row <= FEW_ROWS || small) ? columns - columns % LANES_F32 : 0;
}

void product_sums(const Product *p, const ProductPart *s, int64_t term, int64_t end, float *to, int64_t apart) {
  _Alignas(64) float panels[TERMS * COLUMNS], turned[ROWS * ROW_STEP];
  const int64_t rows = s->rows_end - s->row, packed_from = s->column + columns_in_place(p, s);
  for (int64_t column = s->column, columns; column < s->columns_end; column += columns) {
    const bool in_place = column < packed_from;
    columns = least(COLUMNS, (in_place ? packed_from : s->columns_end) - column);
    for (int64_t k = term; k < end && !interrupted(); k += TERMS) {
      const int64_t n = least(TERMS, end - k);
      if (!in_place) pack(p, k, n, column, columns, panels);
      for (int64_t i = 0, some; i < rows; i += some) {
        some = least(ROWS, rows - i);
        TileFactors f = rows_of_a(p, s->row + i, some, k, n, turned);
        for (int64_t l = 0; l < columns; l += TILE_LANES) {
          const int64_t lanes = least(TILE_LANES, columns - l);
          f.b = in_place ? b_at(p, k, column + l) : panels + l * TERMS;
          f.line = in_place ? p->ldb : tile_lanes(lanes);
          product_tiles(some, lanes, n, &f, to + i * apart + column - s->column + l, apart, k == term);
        }
      }
    }
  }
}

void product_finish(const Product *p, const ProductPart *s, const float *sum, int64_t apart) {
  const float alpha = (float)p->alpha, beta = (float)p->beta;
  for (int64_t i = s->row; i < s->rows_end; i++, sum += apart) {
    float *c = (float *)p->c + i * p->ldc + s->column;
    for (int64_t j = 0; j < s->columns_end - s->column; j++) {
      const float x = alpha == 1 ? sum[j] : alpha * sum[j];
      c[j] = beta == 0 ? x : beta == 1 ? c[j] + x : beta * c[j] + x;
    }
  }
}

static bool is_row(const Product *p, const ProductPart *s) {
  return s->rows_end - s->row == 1 && (!p->transpose_a || p->lda == 1);
}

/* The sums of a part over all of k > 0. */
static void sums_of(const Product *p, const float *panels, const ProductPart *s, float *to, int64_t apart) {
  if (panels) product_panels_sums(p, panels, s, to, apart);
  else if (is_row(p, s)) product_row(p, s->row, s->column, s->columns_end, to);
  else product_sums(p, s, 0, p->k, to, apart);
}

/* Computes sums of up to ROWS_APART by COLUMNS elements separately, because c is needed afterwards. */
static void part_apart(const Product *p, const float *panels, const ProductPart *s) {
  _Alignas(64) float sums[ROWS_APART * COLUMNS];
  for (int64_t j = s->column; j < s->columns_end; j += COLUMNS)
    for (int64_t i = s->row; i < s->rows_end; i += ROWS_APART) {
      const ProductPart some = { i, least(i + ROWS_APART, s->rows_end), j, least(j + COLUMNS, s->columns_end) };
      if (p->k == 0) memset(sums, 0, sizeof sums);
      else sums_of(p, panels, &some, sums, COLUMNS);
      product_finish(p, &some, sums, COLUMNS);
    }
}

void product_part(const Product *p, const float *panels, const ProductPart *s) {
  float *c = (float *)p->c + s->row * p->ldc + s->column;
  if (p->beta != 0 || p->k == 0) {
    part_apart(p, panels, s);
    return;
  }
  sums_of(p, panels, s, c, p->ldc);
  if (p->alpha != 1) product_finish(p, s, c, p->ldc);
}
