/* attention_inputs.h - inputs of attention and its gradient. */
#ifndef HL_OPS_SEQUENCE_ATTENTION_INPUTS_H
#define HL_OPS_SEQUENCE_ATTENTION_INPUTS_H

#include "ops/sequence/attention_params.h"

/* Names of inputs; a call omits those that its parameters do not request. The gradient has more inputs. */
enum { QUERY, KEY, VALUE, MASK, LENGTH, OFFSET, OUT, LOGSUM, G };

#endif
