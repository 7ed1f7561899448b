/* product_row.h - sums of one row of a float32 product (product_order.h): by b as it lies. */
#ifndef HL_KERNELS_MATMUL_PRODUCT_ROW_H
#define HL_KERNELS_MATMUL_PRODUCT_ROW_H

#include "tensor/blas.h"

/* The sums of row `row` of the result, columns [column, end), over all of k, which is not 0, to `to`. a's row lies
** without gaps: it is not transposed, or lda is 1. */
void product_row(const Product *p, int64_t row, int64_t column, int64_t end, float *to);

#endif
