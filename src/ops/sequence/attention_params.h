/* attention_params.h - parameters of attention, and of attention with a cache. */
#ifndef HL_OPS_SEQUENCE_ATTENTION_PARAMS_H
#define HL_OPS_SEQUENCE_ATTENTION_PARAMS_H

#include <stdint.h>

typedef struct AttentionParams {
  int64_t causal;
  double scale;                          /* NaN: 1 / sqrt(width) */
  int64_t use_mask, use_length, use_offset;
} AttentionParams;

typedef struct CachedParams {
  double scale;                          /* NaN: 1 / sqrt(width) */
  int64_t use_mask, use_length;
} CachedParams;

#endif
