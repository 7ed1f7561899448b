/* chain_tiles.h - chains of multiply-adds by tiles: some lines by some vectors of lanes, which stay in the registers
** from the first term of a chain to its last. Matrix products and convolutions with fewer products consist of them. */
#ifndef HL_KERNELS_MATMUL_CHAIN_TILES_H
#define HL_KERNELS_MATMUL_CHAIN_TILES_H

#include "kernels/loops/simd.h" /* before names of ours that it uses otherwise */

#include "base/size_math.h"
#include "base/status.h"

/* Lanes of a tile, at most; and those of one with this many columns, whole vectors. */
enum { TILE_LANES = LANES_VECTORS * LANES_F32 };
HL_INLINE int64_t tile_lanes(int64_t columns) { return least(TILE_LANES, parts(columns, LANES_F32) * LANES_F32); }

/* One factor of each term: a[i * row + s * term] for line i and term s; the other: b[s * line + l] for lane l. */
typedef struct TileFactors { const float *a; int64_t row, term; const float *b; int64_t line; } TileFactors;

/* The sums of n lines and the lanes of `vectors` vectors, LANES_VECTORS at most, over `terms` terms: chains of `chain`
** terms, each from +0, the last one with the terms that are left. sum[i * apart + l] becomes the first chain, if
** `begins`, or has it added, and has the others added, in order. */
void chain_tiles(int64_t n, int64_t vectors, int64_t terms, int64_t chain, const TileFactors *f, float *sum,
                 int64_t apart, bool begins);

#endif
