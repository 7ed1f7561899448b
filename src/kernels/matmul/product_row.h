/* product_row.h - sums of one row of a float32 product (product_order.h), with b in place. */
#ifndef HL_KERNELS_MATMUL_PRODUCT_ROW_H
#define HL_KERNELS_MATMUL_PRODUCT_ROW_H

#include "tensor/blas.h"

/* Writes the sums of row `row`, columns [column, end), over all of k > 0, to `to`. a's row is contiguous: a is not
** transposed, or lda is 1. */
void product_row(const Product *p, int64_t row, int64_t column, int64_t end, float *to);

#endif
