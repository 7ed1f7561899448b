/* chain_tiles.h - chains of multiply-adds by tiles: lines by vectors of lanes, held in registers from a chain's first
** term to its last. Matrix products and Winograd convolutions consist of them. */
#ifndef HL_KERNELS_MATMUL_CHAIN_TILES_H
#define HL_KERNELS_MATMUL_CHAIN_TILES_H

#include "kernels/loops/simd.h" /* first: it uses some of our names itself */

#include "base/size_math.h"
#include "base/status.h"

/* Maximum number of lanes of a tile; lanes of a tile with this many columns, in whole vectors. */
enum { TILE_LANES = LANES_VECTORS * LANES_F32 };
HL_INLINE int64_t tile_lanes(int64_t columns) { return least(TILE_LANES, parts(columns, LANES_F32) * LANES_F32); }

/* The factors of term s: a[i * row + s * term] for line i, and b[s * line + l] for lane l. */
typedef struct TileFactors { const float *a; int64_t row, term; const float *b; int64_t line; } TileFactors;

/* Sums of n lines by `vectors` <= LANES_VECTORS vectors over `terms` terms: chains of `chain` terms, each from +0; the
** last one may be shorter. sum[i * apart + l] becomes the first chain if `begins`, else the chain is added; the other
** chains are added in order. */
void chain_tiles(int64_t n, int64_t vectors, int64_t terms, int64_t chain, const TileFactors *f, float *sum,
                 int64_t apart, bool begins);

#endif
