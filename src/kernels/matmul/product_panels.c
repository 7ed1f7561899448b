/* product_panels.c - see product_panels.h.
**
** Several rows are processed by tiles, one chain of a panel after another, because a chain's lines stay in the second
** cache. A single row is processed with several panels together: a multiply-add waits for the previous one, and only
** other columns can fill that time.
*/
#include "kernels/matmul/chain_tiles.h"

#include <string.h>

#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "kernels/matmul/fma_chain.h"
#include "kernels/matmul/product_order.h"
#include "kernels/matmul/product_panels.h"
#include "tensor/packed_weights.h"

/* ---- Packing ----------------------------------------------------------------------------------------------------- */

typedef struct PanelWriter { const Product *p; float *panels; } PanelWriter;

static void pack_panels(void *context, int64_t first, int64_t end) {
  const PanelWriter *w = context;
  const Product *p = w->p;
  for (int64_t i = first; i < end; i++) {
    const int64_t column = i * TILE_LANES, columns = least(TILE_LANES, p->n - column), lanes = tile_lanes(columns);
    float *panel = w->panels + column * p->k;
    if (columns < lanes) memset(panel, 0, (size_t)(lanes * p->k) * sizeof *panel);
    chains_of(DT_FLOAT32)->turn((const float *)p->b + column * p->ldb, p->ldb, panel, lanes, columns, p->k);
  }
}

/* Is keeping panels worthwhile? Only if b's lines are columns; others are read in place. With more rows packing costs
** little. */
static bool pays(const Product *p) {
  enum { MOST_ROWS = 128, LEAST_ELEMENTS = 256 };
  return p->transpose_b && p->n > 1 && p->m <= MOST_ROWS && p->n * p->k >= LEAST_ELEMENTS;
}

const float *product_panels(const Product *p, const Tensor *b) {
  enum { GRAIN = 1 << 16 };
  static const char maker;
  if (!pays(p)) return NULL;
  const int64_t panels = parts(p->n, TILE_LANES), before = (panels - 1) * TILE_LANES;
  const int64_t size = (before + tile_lanes(p->n - before)) * p->k;
  const PackedWeightsKey key = { &maker, { p->n, p->k, p->ldb } };
  void *memory;
  const float *kept = packed_weights_find(b, &key, (size_t)size * sizeof(float), &memory);
  if (kept || !memory) return kept;
  PanelWriter w = { .p = p, .panels = memory };
  parallel_for(panels, GRAIN / (TILE_LANES * p->k) + 1, pack_panels, &w);
  packed_weights_made(b);
  return memory;
}

/* ---- Sums -------------------------------------------------------------------------------------------------------- */

/* One row by this many whole panels, `next` floats apart. */
enum { AT_ONCE = 8 / LANES_VECTORS };

static void row_by_panels(const float *x, const float *panel, int64_t next, int64_t k, float *to) {
  for (int64_t t = 0; t < k; t += PRODUCT_CHAIN) {
    lanes_f32 acc[AT_ONCE][LANES_VECTORS];
    _Pragma("GCC unroll 4") for (int i = 0; i < AT_ONCE; i++)
      _Pragma("GCC unroll 4") for (int v = 0; v < LANES_VECTORS; v++) acc[i][v] = (lanes_f32){ 0 };
    const int64_t end = least(k, t + PRODUCT_CHAIN);
    _Pragma("GCC unroll 2") for (int64_t s = t; s < end; s++) _Pragma("GCC unroll 4") for (int i = 0; i < AT_ONCE; i++)
      _Pragma("GCC unroll 4") for (int v = 0; v < LANES_VECTORS; v++) {
      const lanes_f32 line = *(const lanes_f32 *)(panel + i * next + s * TILE_LANES + v * LANES_F32);
      acc[i][v] = lanes_multiply_add_f32(line, x[s], acc[i][v]);
    }
    _Pragma("GCC unroll 4") for (int i = 0; i < AT_ONCE; i++)
      _Pragma("GCC unroll 4") for (int v = 0; v < LANES_VECTORS; v++) {
      lanes_f32 *sum = (lanes_f32 *)(to + i * TILE_LANES + v * LANES_F32);
      if (t == 0) *sum = acc[i][v];
      else *sum = *sum + acc[i][v];
    }
  }
}

void product_panels_sums(const Product *p, const float *panels, const ProductPart *s, float *to, int64_t apart) {
  const int64_t rows = s->rows_end - s->row, columns = s->columns_end - s->column;
  TileFactors f = { .row = p->transpose_a ? 1 : p->lda, .term = p->transpose_a ? p->lda : 1 };
  const float *a = (const float *)p->a + s->row * f.row;
  int64_t l = 0;
  panels += s->column * p->k;
  if (rows == 1 && f.term == 1)
    for (; l + AT_ONCE * TILE_LANES <= columns; l += AT_ONCE * TILE_LANES)
      row_by_panels(a, panels + l * p->k, TILE_LANES * p->k, p->k, to + l);
  for (; l < columns && !interrupted(); l += TILE_LANES) {
    const int64_t some = least(TILE_LANES, columns - l);
    f.line = tile_lanes(least(TILE_LANES, p->n - s->column - l));
    for (int64_t t = 0; t < p->k; t += PRODUCT_CHAIN) {
      f.a = a + t * f.term;
      f.b = panels + l * p->k + t * f.line;
      product_tiles(rows, some, least(PRODUCT_CHAIN, p->k - t), &f, to + l, apart, t == 0);
    }
  }
}
