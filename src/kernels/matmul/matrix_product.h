/* matrix_product.h - matrix products: float32 by our own tiles, in the order of product_order.h; float64, and all
** products on processors without fused multiply-adds, by OpenBLAS. */
#ifndef HL_KERNELS_MATMUL_MATRIX_PRODUCT_H
#define HL_KERNELS_MATMUL_MATRIX_PRODUCT_H

#include "tensor/blas.h"

/* As blas_product, and blas_products. */
Status product(const Product *p);
Status products(const Product *first, int64_t count, int64_t stride_a, int64_t stride_b, int64_t stride_c);

/* As product; a and b are the tensors of p->a and p->b. If one holds reused weights, (n, k), they are kept packed
** (packed_weights.h). */
Status product_of(const Product *p, const Tensor *a, const Tensor *b);

#endif
