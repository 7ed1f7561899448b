/* sequence_mask.h - parameters and inputs of operators on sequences of different lengths. */
#ifndef HL_OPS_SEQUENCE_SEQUENCE_MASK_H
#define HL_OPS_SEQUENCE_SEQUENCE_MASK_H

#include <math.h>

#include "ir/params.h"
#include "tensor/shape.h"

/* The first parameter is the same in all. */
typedef struct MaskParams { int64_t use_sequence_length; double value; int64_t axis; } MaskParams;
typedef struct LastParams { int64_t use_sequence_length, axis; } LastParams;
typedef struct PutLastParams { int64_t use_sequence_length, axis, steps; } PutLastParams;

enum { DATA, LENGTHS };

/* div_sqrt_dim divides by this. */
static inline double root_of_width(const Shape *s) { return sqrt((double)s->dim[s->ndim - 1]); }

#endif
