/* product_blocks.h - sums of a float32 product for a rectangle of the result, by tiles (product_order.h). */
#ifndef HL_KERNELS_MATMUL_PRODUCT_BLOCKS_H
#define HL_KERNELS_MATMUL_PRODUCT_BLOCKS_H

#include "kernels/matmul/chain_tiles.h"

#include "tensor/blas.h"

/* Rows and columns of the result, [first, end). */
typedef struct ProductPart { int64_t row, rows_end, column, columns_end; } ProductPart;

/* Computes a part of c, with alpha and beta; p has all of lda, ldb, ldc. `panels`: b's (product_panels.h), or NULL. */
void product_part(const Product *p, const float *panels, const ProductPart *part);

/* The sums alone of that part and of terms [term, end), of which the first begins a chain, to `to`, whose rows are
** `apart` apart. */
void product_sums(const Product *p, const ProductPart *part, int64_t term, int64_t end, float *to, int64_t apart);

/* chain_tiles, for `columns` columns, TILE_LANES at most: f->b's lines hold whole vectors, sum's only these columns. */
void product_tiles(int64_t rows, int64_t columns, int64_t terms, const TileFactors *f, float *sum, int64_t apart,
                   bool begins);

/* c of a part from its sums: alpha * sum, then beta. They may be c itself, if beta is 0. */
void product_finish(const Product *p, const ProductPart *part, const float *sum, int64_t apart);

#endif
