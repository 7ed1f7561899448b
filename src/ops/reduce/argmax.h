/* argmax.h - parameters of argmax and argmin. */
#ifndef HL_OPS_REDUCE_ARGMAX_H
#define HL_OPS_REDUCE_ARGMAX_H

#include "ir/params.h"

typedef struct ArgParams { int64_t axis, keepdims, np; } ArgParams;

#endif
