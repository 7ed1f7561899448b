/* product_blocks.h - sums of a float32 product for a rectangle of the result, by tiles (product_order.h). */
#ifndef HL_KERNELS_MATMUL_PRODUCT_BLOCKS_H
#define HL_KERNELS_MATMUL_PRODUCT_BLOCKS_H

#include "kernels/matmul/chain_tiles.h"

#include "tensor/blas.h"

/* Rows and columns of the result, [first, end). */
typedef struct ProductPart { int64_t row, rows_end, column, columns_end; } ProductPart;

/* Computes a part of c, with alpha and beta; p has lda, ldb and ldc set. `panels`: of b (product_panels.h), or NULL. */
void product_part(const Product *p, const float *panels, const ProductPart *part);

/* Writes only the sums of this part over terms [term, end), starting a chain at `term`, to `to`, whose rows are `apart`
** apart. */
void product_sums(const Product *p, const ProductPart *part, int64_t term, int64_t end, float *to, int64_t apart);

/* chain_tiles for `columns` <= TILE_LANES columns: f->b's lines hold whole vectors, sum's only these columns. */
void product_tiles(int64_t rows, int64_t columns, int64_t terms, const TileFactors *f, float *sum, int64_t apart,
                   bool begins);

/* Computes c of a part from its sums: alpha * sum, then beta. If beta is 0, the sums may be c itself. */
void product_finish(const Product *p, const ProductPart *part, const float *sum, int64_t apart);

#endif
