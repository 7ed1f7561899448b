/* attention.h - steps that attention and attention with a cache share. The first two inputs are query and key. */
#ifndef HL_OPS_SEQUENCE_ATTENTION_H
#define HL_OPS_SEQUENCE_ATTENTION_H

#include <math.h>

#include "ir/op.h"

static inline int64_t dim_of(const Shape *s, int i) { return s->ndim < 0 ? UNKNOWN : s->dim[i]; }

/* Checks that input i is (batch, heads, tokens, width). */
Status infer_vectors(const Infer *f, int i);

/* Checks that the number of query heads is a multiple of the number of key heads. */
Status infer_heads(const Infer *f);

/* Checks that the input, a mask, broadcasts to (batch, heads, queries, keys). */
Status infer_mask(const Infer *f, int input, int64_t keys);

Status check_scale(double scale);

/* NaN means 1 / sqrt(width). */
static inline double attention_scale(double scale, int64_t width) {
  return scale == scale ? scale : 1 / sqrt((double)width);
}

/* Infers an input with the position of each sequence's first query: shape (1) or (batch). */
Status infer_offset(Infer *f, int input);

#endif
