/* product_sizes.h - the sizes at which loops of matrix products change, for the column `sizes` of kernels. */
#ifndef HL_KERNELS_MATMUL_PRODUCT_SIZES_H
#define HL_KERNELS_MATMUL_PRODUCT_SIZES_H

#include "kernels/matmul/fma_chain.h"
#include "kernels/matmul/matmul_packed.h"
#include "kernels/matmul/product_order.h"

#define PRODUCT_SIZES BLOCK_SIZES(CHAIN_VECTOR, PACKED_ROWS, CHAIN_LANES, PRODUCT_CHAIN)

#endif
