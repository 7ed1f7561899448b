/* cached_attention.h - parameters and inputs of attention with a cache. */
#ifndef HL_OPS_SEQUENCE_CACHED_ATTENTION_H
#define HL_OPS_SEQUENCE_CACHED_ATTENTION_H

#include "ir/op.h"

typedef struct CachedParams {
  double scale; /* NaN: 1 / sqrt(width) */
  int64_t use_mask, use_length;
} CachedParams;

/* Names of inputs; a call omits those that its parameters do not request. */
enum { QUERY, KEY, VALUE, KEY_CACHE, VALUE_CACHE, POSITION, MASK, LENGTH, N_NAMES };

#endif
