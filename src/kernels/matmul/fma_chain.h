/* fma_chain.h - sums of products in a fixed order: chains of multiply-adds.
**
** An element of a convolution is a chain: from +0, acc = a * b + acc term by term, fused if the processor can. Elements
** are lanes, so vectors never split a chain. The caller may suspend a chain after any term, and divide lanes and rows
** among threads in any way: no bit depends on it. A long sum is a sum of chains: blocks of CHAIN_BLOCK terms, whose
** sums are added in order.
*/
#ifndef HL_KERNELS_MATMUL_FMA_CHAIN_H
#define HL_KERNELS_MATMUL_FMA_CHAIN_H

#include "tensor/tensor.h"

/* A packed panel has CHAIN_STEPS terms of CHAIN_LANES lanes, with spare elements after each line; at least CHAIN_VECTOR
** lanes are computed together. */
enum { CHAIN_LANES = 64, CHAIN_STEPS = 64, CHAIN_VECTOR = 16, CHAIN_LINE = CHAIN_LANES + CHAIN_VECTOR, CHAIN_BLOCK = 1024 };

/* Lanes [lane, lane + n) of a row, to be written to elements from `to` of a channel. */
typedef struct ChainPart { int64_t lane, n, to; } ChainPart;

/* A row of a tile over all its terms, CHAIN_BLOCK at most: factor[s] * x[line[s] + l], + *bias. */
typedef struct ChainRow { int64_t steps; const void *factor, *x; const int32_t *line; const void *bias; } ChainRow;

/* The steps, for one element type. */
typedef struct Chains {
  size_t size;                   /* of an element */
  /* Continues acc[r][l] over terms s with factor[r * row_step + s] * x[line[s] + l], for all rows r and lanes l;
  ** `lanes` is a multiple of CHAIN_VECTOR. Rows of acc are CHAIN_LANES apart. */
  void (*run)(int64_t rows, int64_t steps, const void *factor, int64_t row_step, const void *x, const int32_t *line,
              void *acc, int64_t lanes);
  /* the same from zeros, whatever acc holds */
  void (*begin)(int64_t rows, int64_t steps, const void *factor, int64_t row_step, const void *x, const int32_t *line,
                void *acc, int64_t lanes);
  /* run with factors in the layout of sums: factor[s * CHAIN_LANES + r] */
  void (*run_across)(int64_t rows, int64_t steps, const void *factor, const void *x, const int32_t *line, void *acc,
                     int64_t lanes);
  /* One row, from zeros, over contiguous lines: acc[l] = the chain over s of factor[s] * x[s * lanes + l]; `lanes` is a
  ** multiple of CHAIN_VECTOR. */
  void (*begin_row)(int64_t steps, const void *factor, const void *x, void *acc, int64_t lanes);
  /* Continues acc[p][l] over terms s with seen[place[p] + offset[s]] * panel[s][l], for all places p and lanes l;
  ** `lanes` is a multiple of CHAIN_VECTOR. Lines of panel and acc are `lanes` apart. */
  void (*run_places)(int64_t places, int64_t steps, const void *seen, const int32_t *place, const int32_t *offset,
                     const void *panel, void *acc, int64_t lanes);
  void (*add)(const void *acc, void *sum, int64_t n); /* sum += acc */
  /* out = sum + *bias, or + 0 if bias is NULL */
  void (*finish)(const void *sum, const void *bias, void *out, int64_t n);
  /* the same for parts of a tile's row, with elements `by` apart in out */
  void (*finish_parts)(const void *sum, const void *bias, void *out, int64_t by, const ChainPart *part, int parts);
  /* run for one row, from zeros, combined with finish_parts */
  void (*run_row)(const ChainRow *row, int64_t lanes, void *out, int64_t by, const ChainPart *part, int parts);
  /* to[k * to_step + i] = from[i * from_step + k], for i < n and k < m */
  void (*turn)(const void *from, int64_t from_step, void *to, int64_t to_step, int64_t n, int64_t m);
  /* to[i * to_step] = from[i * from_step] */
  void (*move)(const void *from, int64_t from_step, void *to, int64_t to_step, int64_t n);
} Chains;

const Chains *chains_of(DType dtype); /* float32 or float64 */

extern const int32_t chain_lines[CHAIN_STEPS]; /* where a panel's lines begin */

#endif
