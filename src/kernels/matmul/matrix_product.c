/* matrix_product.c - see matrix_product.h.
**
** Divides a product among threads: into parts of the result or, if the result is small and k long, into chains, whose
** sums are then added in order. No division changes a bit. A product with one column is computed as its transpose, a
** row: the terms are the same, in the same order.
*/
#include "kernels/matmul/matrix_product.h"

#include "base/settings/debug_switches.h"
#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "kernels/loops/simd.h"
#include "kernels/matmul/product_blocks.h"
#include "kernels/matmul/product_order.h"
#include "kernels/matmul/product_panels.h"
#include "tensor/packed_weights.h"

enum {
  GRAIN = 1 << 20,         /* multiply-adds that pay for a thread: about 30 us */
  LINE = 64                /* minimum number of columns in a part of a row */
};

typedef struct ProductRun {
  Product p;
  const float *panels;             /* of b, or NULL */
  int64_t count, a, b, c;          /* number of products; elements between the operands of two products */
  int64_t rows, columns;           /* of a part of the result */
  int64_t down, across;            /* number of parts: vertically, horizontally */
} ProductRun;

static Product product_at(const ProductRun *r, int64_t i) {
  Product p = r->p;
  p.a = (const float *)p.a + i * r->a;
  p.b = (const float *)p.b + i * r->b;
  p.c = (float *)p.c + i * r->c;
  return p;
}

static void compute_parts(void *context, int64_t first, int64_t last) {
  const ProductRun *r = context;
  for (int64_t i = first; i < last && !interrupted(); i++) {
    const int64_t within = i % (r->down * r->across);
    const int64_t row = within % r->down * r->rows, column = within / r->down * r->columns;
    const Product p = product_at(r, i / (r->down * r->across));
    product_part(&p, r->panels,
                 &(ProductPart){ row, least(r->p.m, row + r->rows), column, least(r->p.n, column + r->columns) });
  }
}

static double work_of(const Product *p) { return (double)p->m * (double)p->n * (double)p->k; }

/* Chooses parts of whole tiles, a few per thread; packing b's columns costs as much as about ten rows. */
static void cut(ProductRun *r, int64_t threads) {
  enum { A_THREAD = 4, COLUMNS = 256, LEAST_ROWS = 240, TILE_ROWS = 6 };
  const Product *p = &r->p;
  const double worth = work_of(p) / GRAIN;
  int64_t wanted = threads == 1 ? 1 : parts(A_THREAD * threads, r->count);
  if (!debug.share && (double)wanted > worth) wanted = (int64_t)worth;
  r->rows = p->m;
  r->columns = p->n;
  if (wanted > 1) {
    const int64_t across = least(wanted, parts(p->n, p->m > 1 ? COLUMNS : LINE));
    r->columns = parts(parts(p->n, across), LINE) * LINE;
    if (across < wanted) {
      const int64_t down = most(1, least(parts(wanted, across), p->m / (debug.share ? TILE_ROWS : LEAST_ROWS)));
      r->rows = parts(parts(p->m, down), TILE_ROWS) * TILE_ROWS;
      if (down == 1 && across < threads) r->columns = parts(parts(p->n, threads), LINE) * LINE;
    }
  }
  r->down = parts(p->m, r->rows);
  r->across = parts(p->n, r->columns);
}

/* ---- Few elements, many terms ------------------------------------------------------------------------------------ */

/* Sums of chains, some at a time, before they are added. */
enum { MOST_ELEMENTS = 1 << 10, KEPT = 1 << 15 };

typedef struct ChainRun { const Product *p; int64_t first, elements; float *sums; } ChainRun;

static void compute_chains(void *context, int64_t first, int64_t last) {
  const ChainRun *r = context;
  const Product *p = r->p;
  const ProductPart all = { 0, p->m, 0, p->n };
  for (int64_t i = first; i < last && !interrupted(); i++) {
    const int64_t term = (r->first + i) * PRODUCT_CHAIN;
    product_sums(p, &all, term, least(p->k, term + PRODUCT_CHAIN), r->sums + i * r->elements, p->n);
  }
}

static __attribute__((noinline)) void by_chains(const Product *p) {
  float sums[KEPT], total[MOST_ELEMENTS];
  ChainRun r = { .p = p, .elements = p->m * p->n, .sums = sums };
  const int64_t chains = parts(p->k, PRODUCT_CHAIN), some = KEPT / r.elements;
  for (; r.first < chains && !interrupted(); r.first += some) {
    const int64_t n = least(some, chains - r.first);
    parallel_for(n, (int64_t)(GRAIN / ((double)r.elements * PRODUCT_CHAIN)) + 1, compute_chains, &r);
    for (int64_t t = 0; t < n; t++)
      for (int64_t e = 0; e < r.elements; e++)
        total[e] = r.first + t == 0 ? sums[e] : total[e] + sums[t * r.elements + e];
  }
  product_finish(p, &(ProductPart){ 0, p->m, 0, p->n }, total, p->n);
}

/* Should the product be divided into chains? A row with several columns per thread is better divided by columns. */
static bool is_long(const Product *p, int64_t threads) {
  if (p->m == 1 && parts(p->n, LINE) >= 2 * threads) return false;
  return threads > 1 && p->m * p->n <= MOST_ELEMENTS && p->k >= 8 * PRODUCT_CHAIN &&
         (debug.share || work_of(p) >= 4.0 * GRAIN);
}

/* ---- All --------------------------------------------------------------------------------------------------------- */

/* If c is a column without gaps, computes its transpose instead, a row. */
static void turn_column(ProductRun *r) {
  const Product *p = &r->p;
  if (p->n > 1 || p->m == 1 || p->ldc > 1) return;
  *r = (ProductRun){ .p = { .dtype = p->dtype,
                            .transpose_a = !p->transpose_b,
                            .transpose_b = !p->transpose_a,
                            .m = 1,
                            .n = p->m,
                            .k = p->k,
                            .alpha = p->alpha,
                            .beta = p->beta,
                            .a = p->b,
                            .b = p->a,
                            .c = p->c,
                            .lda = p->ldb,
                            .ldb = p->lda,
                            .ldc = p->m },
                     .count = r->count,
                     .a = r->b,
                     .b = r->a,
                     .c = r->c };
}

static Status run_products(ProductRun *r) {
  const int64_t threads = parallel_threads();
  if (r->count == 1 && is_long(&r->p, threads)) {
    by_chains(&r->p);
    return interrupt_status();
  }
  cut(r, threads);
  const int64_t n = r->count * r->down * r->across;
  const double each = (double)r->rows * (double)r->columns * (double)(r->p.k + 1);
  if (n == 1) compute_parts(r, 0, 1);
  else parallel_for(n, (int64_t)(GRAIN / each) + 1, compute_parts, r);
  return interrupt_status();
}

/* A run of float32 products, with all line distances set. */
static ProductRun run_of(const Product *p, int64_t count, int64_t stride_a, int64_t stride_b, int64_t stride_c) {
  ProductRun r = { .p = *p, .count = count, .a = stride_a, .b = stride_b, .c = stride_c };
  if (r.p.lda == 0) r.p.lda = r.p.transpose_a ? r.p.m : r.p.k;
  if (r.p.ldb == 0) r.p.ldb = r.p.transpose_b ? r.p.k : r.p.n;
  if (r.p.ldc == 0) r.p.ldc = r.p.n;
  turn_column(&r);
  return r;
}

static bool ours(const Product *p) { return LANES_FUSED && p->dtype == DT_FLOAT32; }
static bool empty(const Product *p) { return p->m == 0 || p->n == 0; }

Status products(const Product *p, int64_t count, int64_t stride_a, int64_t stride_b, int64_t stride_c) {
  if (!ours(p)) return blas_products(p, count, stride_a, stride_b, stride_c);
  if (empty(p) || count == 0) return OK;
  ProductRun r = run_of(p, count, stride_a, stride_b, stride_c);
  return run_products(&r);
}

Status product(const Product *p) { return products(p, 1, 0, 0, 0); }

Status product_of(const Product *p, const Tensor *a, const Tensor *b) {
  if (!ours(p)) return blas_product(p);
  if (empty(p)) return OK;
  ProductRun r = run_of(p, 1, 0, 0, 0);
  const Tensor *weight = r.p.b == p->b ? b : a;
  r.panels = product_panels(&r.p, weight);
  Status s = run_products(&r);
  if (r.panels) packed_weights_done(weight);
  return s;
}
