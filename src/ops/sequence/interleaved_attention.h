/* interleaved_attention.h - parameters of products on interleaved vectors, as those of the internal rows. */
#ifndef HL_OPS_SEQUENCE_INTERLEAVED_ATTENTION_H
#define HL_OPS_SEQUENCE_INTERLEAVED_ATTENTION_H

#include <math.h>

#include "ir/op.h"

/* The vectors of an array that are piece `at` of `pieces`. */
typedef struct HeadPart { int64_t pieces, at; } HeadPart;

static const HeadPart alone = { 1, 0 }, query_of_3 = { 3, 0 }, key_of_3 = { 3, 1 }, value_of_3 = { 3, 2 },
                      key_of_2 = { 2, 0 }, value_of_2 = { 2, 1 };

typedef struct HeadsParams { int64_t heads; } HeadsParams;
typedef struct ScoresParams { int64_t heads; HeadPart a, b; double factor; } ScoresParams;
typedef struct MixParams { int64_t heads; HeadPart x, out; int64_t transpose; double factor; } MixParams;

static inline int64_t heads_of(const void *params) { return ((const HeadsParams *)params)->heads; }
static inline MixParams mix_of(const void *params, HeadPart x) {
  return (MixParams){ heads_of(params), x, alone, false, 1 };
}

/* Divides scores of queries and keys by the square root of the vectors' size. */
static inline double score_factor(const Shape *s, int64_t heads, int64_t pieces) {
  return 1 / sqrt((double)s->dim[2] / (double)(heads * pieces));
}

static inline ScoresParams qk_of(const Op *op, const void *params, const Shape *first) {
  const int64_t heads = heads_of(params);
  const bool self = op->info->n_inputs == 1;
  return (ScoresParams){ heads, self ? query_of_3 : alone, self ? key_of_3 : key_of_2,
                         score_factor(first, heads, self ? 3 : 1) };
}

#endif
