/* matmul_packed.h - products of a few rows by packed weights, a matrix that is packed before: c = a b.
**
** b, (k, n), is cut into packed panels (fma_chain.h): the columns of one are side by side in its lanes, line by line.
** Packing costs about as much as a row's product, and pays if there are more rows, or b is used again.
** An element of c is one chain over k in blocks of PRODUCT_CHAIN, so no bit depends on the number of rows, on how
** columns are divided into panels, or on threads.
*/
#ifndef HL_KERNELS_MATMUL_MATMUL_PACKED_H
#define HL_KERNELS_MATMUL_MATMUL_PACKED_H

#include "kernels/matmul/fma_chain.h"

enum { PACKED_ROWS = 48 };            /* of a, that packed_times takes at once */

/* Writes the columns [first, first + n) of b to the lanes of a panel with k lines of `lanes` each, starting with
** `lane`. b is (k, .), or, transposed, (., k); its lines are `ld` apart. */
void packed_put(DType dtype, const void *b, int64_t ld, bool transposed, int64_t first, int64_t n, int64_t k,
                void *panel, int64_t lane, int64_t lanes);

/* acc[r][l] = the sum over k of a[r * row_step + k] * panel[k][l], for rows <= PACKED_ROWS and all lanes, a multiple of
** CHAIN_VECTOR and, for more than one row, CHAIN_LANES at most; rows of acc are CHAIN_LANES apart. */
void packed_times(DType dtype, int64_t rows, int64_t k, const void *a, int64_t row_step, const void *panel,
                  int64_t lanes, void *acc);

#endif
