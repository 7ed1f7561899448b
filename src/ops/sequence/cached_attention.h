/* cached_attention.h - inputs of attention with a cache. */
#ifndef HL_OPS_SEQUENCE_CACHED_ATTENTION_H
#define HL_OPS_SEQUENCE_CACHED_ATTENTION_H

#include "ops/sequence/attention_params.h"

/* Names of inputs; a call omits those that its parameters do not request. */
enum { QUERY, KEY, VALUE, KEY_CACHE, VALUE_CACHE, POSITION, MASK, LENGTH, N_NAMES };

#endif
