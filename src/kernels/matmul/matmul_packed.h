/* matmul_packed.h - products of a few rows by a matrix of packed weights: c = a b.
**
** b, (k, n), is divided into packed panels (fma_chain.h): a panel's lanes are neighbouring columns, line by line.
** Packing costs about as much as one row's product; it pays for several rows, or if b is reused. An element of c is one
** chain over k in blocks of PRODUCT_CHAIN, so no bit depends on the number of rows, on the panels, or on threads.
*/
#ifndef HL_KERNELS_MATMUL_MATMUL_PACKED_H
#define HL_KERNELS_MATMUL_MATMUL_PACKED_H

#include "kernels/matmul/fma_chain.h"

enum { PACKED_ROWS = 48 };            /* of a, per call of packed_times */

/* Writes columns [first, first + n) of b to a panel with k lines of `lanes` lanes, starting at `lane`. b is (k, .) or,
** transposed, (., k); its lines are `ld` apart. */
void packed_put(DType dtype, const void *b, int64_t ld, bool transposed, int64_t first, int64_t n, int64_t k,
                void *panel, int64_t lane, int64_t lanes);

/* acc[r][l] = the sum over k of a[r * row_step + k] * panel[k][l], for rows <= PACKED_ROWS and all lanes: a multiple of
** CHAIN_VECTOR and, for several rows, CHAIN_LANES at most. Rows of acc are CHAIN_LANES apart. */
void packed_times(DType dtype, int64_t rows, int64_t k, const void *a, int64_t row_step, const void *panel,
                  int64_t lanes, void *acc);

#endif
