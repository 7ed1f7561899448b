/* attention_inputs.h - parameters and inputs of attention and its gradient. */
#ifndef HL_OPS_SEQUENCE_ATTENTION_INPUTS_H
#define HL_OPS_SEQUENCE_ATTENTION_INPUTS_H

#include "ir/op.h"

typedef struct AttentionParams {
  int64_t causal;
  double scale;                          /* NaN: 1 / sqrt(width) */
  int64_t use_mask, use_length, use_offset;
} AttentionParams;

/* Names of inputs; a call omits those that its parameters do not request. The gradient has more inputs. */
enum { QUERY, KEY, VALUE, MASK, LENGTH, OFFSET, OUT, LOGSUM, G };

#endif
