/* rotary_embedding.h - parameters and inputs of rotary_embedding. */
#ifndef HL_OPS_SEQUENCE_ROTARY_EMBEDDING_H
#define HL_OPS_SEQUENCE_ROTARY_EMBEDDING_H

#include "ir/params.h"

typedef struct RotaryParams { double base, scale; int64_t dims, interleaved, use_positions, inverse; } RotaryParams;
enum { ROTARY_DATA, ROTARY_POSITIONS };

#endif
