/* matmul_kernel.c - see matmul_kernel.h.
**
** All rows by a packed panel of b, CHAIN_LANES columns, are a work item, and threads share the items. LINES terms of a
** panel at a time are copied to where they stay in the first cache while the rows pass over them.
*/
#include "kernels/matmul/matmul_kernel.h"

#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/size_math.h"
#include "kernels/loops/simd.h"
#include "kernels/matmul/matmul_narrow.h"
#include "kernels/matmul/matmul_packed.h"

enum { MOST_ROWS = 64, LINES = 96, LEAST_COLUMNS = 32, LEAST_TERMS = 48, LEAST_WORK = 1 << 20, NARROW = 512 };

/* Columns [column, column + columns). */
static void piece(const Product *p, const Chains *chains, int64_t column, int64_t columns) {
  const int64_t lanes = (columns + CHAIN_VECTOR - 1) / CHAIN_VECTOR * CHAIN_VECTOR, size = (int64_t)chains->size;
  const char *from_a = p->a, *from_b = p->b;
  _Alignas(64) double b[LINES * CHAIN_LANES], sum[MOST_ROWS * CHAIN_LANES], block[MOST_ROWS * CHAIN_LANES];
  int32_t line[LINES];
  for (int i = 0; i < LINES; i++) line[i] = (int32_t)(i * lanes);
  if (lanes > columns) memset(b, 0, sizeof b);
  for (int64_t first = 0; first < p->k; first += CHAIN_BLOCK) {
    const int64_t last = first + CHAIN_BLOCK < p->k ? first + CHAIN_BLOCK : p->k;
    void *acc = first ? block : sum;
    memset(acc, 0, (size_t)(p->m * CHAIN_LANES * size));
    for (int64_t k = first; k < last; k += LINES) {
      const int64_t n = last - k < LINES ? last - k : LINES;
      const char *terms = from_b + k * (p->transpose_b ? 1 : p->ldb) * size;
      packed_put(p->dtype, terms, p->ldb, p->transpose_b, column, columns, n, b, 0, lanes);
      chains->run(p->m, n, from_a + k * size, p->lda, b, line, acc, lanes);
    }
    if (first) chains->add(block, sum, p->m * CHAIN_LANES);
  }
  for (int64_t i = 0; i < p->m; i++) {
    void *c = (char *)p->c + (i * p->ldc + column) * size;
    const char *from = (const char *)sum + i * CHAIN_LANES * size;
    if (p->beta == 0) memcpy(c, from, (size_t)(columns * size));
    else chains->add(from, c, columns);
  }
}

static void pieces(void *context, int64_t first, int64_t last) {
  const Product *p = context;
  const Chains *chains = chains_of(p->dtype);
  for (int64_t i = first; i < last && !interrupted(); i++)
    piece(p, chains, i * CHAIN_LANES, p->n - i * CHAIN_LANES < CHAIN_LANES ? p->n - i * CHAIN_LANES : CHAIN_LANES);
}

/* Measured against OpenBLAS 0.3.21: with 64 rows 0.8 to 1.0 of its time, with 8 and fewer half of it. It is as fast
** where there is little to do or a is transposed, and faster where lanes would stay empty, or without vectors of
** ours. */
static bool by_chains(const Product *p) {
  return LANES_BYTES >= 32 && dtype_is_float(p->dtype) && !p->transpose_a && p->m > 1 && p->m <= MOST_ROWS &&
         p->n >= LEAST_COLUMNS && (double)p->m * (double)p->n * (double)p->k >= LEAST_WORK && p->alpha == 1 &&
         (p->beta == 0 || p->beta == 1);
}

static bool is_narrow(const Product *p) { return p->m <= NARROW || p->n <= NARROW || p->k <= NARROW; }

/* Measured likewise: 0.73 to 1.0 of its time with 65 rows and more, 0.83 to 0.95 where all sizes are 256 to 1,120. It
** is as fast with fewer terms, and faster where more than a fifth of the lanes would stay empty. Products that are
** large in all directions are left to the library by choice: there it is a few percent slower at most, and well kept.
*/
static bool by_tiles(const Product *p) {
  const int64_t lanes = parts(p->n, CHAIN_LANES) * CHAIN_LANES;
  return p->m > MOST_ROWS && p->k >= LEAST_TERMS && is_narrow(p) && 4 * lanes <= 5 * p->n && narrow_product_fits(p);
}

Status product(const Product *given) {
  Product p = *given;
  const bool few = by_chains(&p);
  if (!few && !by_tiles(&p)) return blas_product(given);
  if (p.lda == 0) p.lda = p.transpose_a ? p.m : p.k;
  if (p.ldb == 0) p.ldb = p.transpose_b ? p.k : p.n;
  if (p.ldc == 0) p.ldc = p.n;
  if (!few) narrow_product(&p);
  else parallel_for(parts(p.n, CHAIN_LANES), LEAST_WORK * 4 / (p.m * p.k * CHAIN_LANES) + 1, pieces, &p);
  return interrupted() ? interrupt_status() : OK;
}
