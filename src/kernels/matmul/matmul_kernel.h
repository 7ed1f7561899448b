/* matmul_kernel.h - matrix products: those with few rows by chains, narrow ones by tiles, all others by OpenBLAS.
**
** OpenBLAS packs both operands for its kernel. A product with few rows, as layers compute them for small batches, is
** faster if b alone is packed, block by block, and a passes over it unpacked. An element is then one chain
** over k in blocks of CHAIN_BLOCK (fma_chain.h), whose bits do not depend on threads nor on the other rows. With more
** rows, those of layers have one size that is small, features or places of a batch: matmul_narrow.h has their order.
** Which algorithm computes a product depends on its sizes and transposes, and on the vectors that this is built for.
*/
#ifndef HL_KERNELS_MATMUL_MATMUL_KERNEL_H
#define HL_KERNELS_MATMUL_MATMUL_KERNEL_H

#include "tensor/blas.h"

/* As blas_product. */
Status product(const Product *p);

#endif
