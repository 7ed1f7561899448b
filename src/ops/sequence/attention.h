/* attention.h - shared by attention and attention with a cache. */
#ifndef HL_OPS_SEQUENCE_ATTENTION_H
#define HL_OPS_SEQUENCE_ATTENTION_H

#include <math.h>

#include "kernels/sequence/attention_kernel.h"

/* The first two inputs are query and key. */

static inline int64_t dim_of(const Shape *s, int i) { return s->ndim < 0 ? UNKNOWN : s->dim[i]; }

/* Input i is (batch, heads, tokens, width). */
Status infer_vectors(const Infer *f, int i);

/* Heads of queries are as many as those of keys, or a multiple. */
Status infer_heads(const Infer *f);

/* The input, a mask, broadcasts to (batch, heads, queries, keys). */
Status infer_mask(const Infer *f, int input, int64_t keys);

Status check_scale(double scale);

/* NaN means 1 / sqrt(width). */
static inline double attention_scale(double scale, int64_t width) {
  return scale == scale ? scale : 1 / sqrt((double)width);
}

/* The input, the place of each sequence's first query, is (1) or (batch). */
Status infer_offset(Infer *f, int input);

#endif
