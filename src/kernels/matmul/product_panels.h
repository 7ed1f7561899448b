/* product_panels.h - products by weights kept packed: b's columns in panels, for the sums of product_order.h.
**
** A panel has all terms of TILE_LANES columns, line by line; the last one has the remaining vectors, padded with zeros,
** which do not affect other columns.
*/
#ifndef HL_KERNELS_MATMUL_PRODUCT_PANELS_H
#define HL_KERNELS_MATMUL_PRODUCT_PANELS_H

#include "kernels/matmul/product_blocks.h"

/* The panels of p's b, the elements of `b`: kept ones, or packed now and kept; NULL if that does not pay or
** packed_weights.h has no memory. Call packed_weights_done afterwards. */
const float *product_panels(const Product *p, const Tensor *b);

/* Writes the sums of a part, whose first column starts a panel, over all of k > 0, to `to`, whose rows are `apart`
** apart. */
void product_panels_sums(const Product *p, const float *panels, const ProductPart *part, float *to, int64_t apart);

#endif
