/* matmul_packed.c - see matmul_packed.h. */
#include "kernels/matmul/matmul_packed.h"

#include <string.h>

#include "kernels/loops/simd.h"
#include "kernels/matmul/product_order.h"

/* Lines of a panel that stay in the first cache while all rows are processed. */
enum { LINES = 96 };

void packed_put(DType dtype, const void *b, int64_t ld, bool transposed, int64_t first, int64_t n, int64_t k,
                void *panel, int64_t lane, int64_t lanes) {
  const Chains *chains = chains_of(dtype);
  const int64_t size = (int64_t)chains->size;
  const char *from = b;
  char *to = (char *)panel + lane * size;
  if (transposed) chains->turn(from + first * ld * size, ld, to, lanes, n, k);
  else
    for (int64_t i = 0; i < k; i++) memcpy(to + i * lanes * size, from + (i * ld + first) * size, (size_t)(n * size));
}

/* One block of the chains. */
static void times_block(const Chains *chains, int64_t rows, int64_t k, const char *a, int64_t row_step,
                        const char *panel, int64_t lanes, void *acc) {
  const int64_t size = (int64_t)chains->size;
  if (rows == 1) {
    chains->begin_row(k, a, panel, acc, lanes);
    return;
  }
  int32_t line[LINES];
  for (int i = 0; i < LINES; i++) line[i] = (int32_t)(i * lanes);
  for (int64_t i = 0; i == 0 || i < k; i += LINES)
    (i ? chains->run : chains->begin)(rows, k - i < LINES ? k - i : LINES, a + i * size, row_step,
                                      panel + i * lanes * size, line, acc, lanes);
}

void packed_times(DType dtype, int64_t rows, int64_t k, const void *a, int64_t row_step, const void *panel,
                  int64_t lanes, void *acc) {
  const Chains *chains = chains_of(dtype);
  const int64_t size = (int64_t)chains->size;
  _Alignas(64) double more[PACKED_ROWS * CHAIN_LANES];
  for (int64_t i = 0; i == 0 || i < k; i += PRODUCT_CHAIN) {
    const int64_t n = k - i < PRODUCT_CHAIN ? k - i : PRODUCT_CHAIN;
    times_block(chains, rows, n, (const char *)a + i * size, row_step, (const char *)panel + i * lanes * size, lanes,
                i ? more : acc);
    if (i) chains->add(more, acc, rows == 1 ? lanes : rows * CHAIN_LANES);
  }
}
