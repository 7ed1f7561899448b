/* product_panels.h - products by weights that are kept packed: b's columns in panels, for the sums of product_order.h.
**
** A panel has all terms of TILE_LANES columns, line by line; the last one has the vectors that are left. Columns after
** the last are zeros, which change no other.
*/
#ifndef HL_KERNELS_MATMUL_PRODUCT_PANELS_H
#define HL_KERNELS_MATMUL_PRODUCT_PANELS_H

#include "kernels/matmul/product_blocks.h"

/* The panels of p's b, the elements of `b`: those kept, or packed now to be kept; NULL where that does not pay, or
** packed_weights.h gives no memory. To be followed by packed_weights_done. */
const float *product_panels(const Product *p, const Tensor *b);

/* The sums of a part, whose first column begins a panel, over all of k, which is not 0, to `to`, whose rows are `apart`
** apart. */
void product_panels_sums(const Product *p, const float *panels, const ProductPart *part, float *to, int64_t apart);

#endif
