/* creation.h - parameters of rows that create arrays. */
#ifndef HL_OPS_SHAPE_CREATION_H
#define HL_OPS_SHAPE_CREATION_H

#include "ir/params.h"

typedef struct FullParams { List shape; double value; int64_t dtype; } FullParams;
typedef struct FullLikeParams { double fill_value; int64_t dtype; } FullLikeParams;
typedef struct ArangeParams { double start, stop, step; int64_t repeat, infer_range, dtype; } ArangeParams;
typedef struct LinspaceParams { double start, stop; int64_t num, endpoint, dtype; } LinspaceParams;
typedef struct EyeParams { int64_t N, M, k, dtype; } EyeParams;

/* arange(n) counts from 0 to n. */
void arange_range(const ArangeParams *p, double *start, double *stop);

#endif
