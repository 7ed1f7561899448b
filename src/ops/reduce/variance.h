/* variance.h - parameters of var, std and moments. */
#ifndef HL_OPS_REDUCE_VARIANCE_H
#define HL_OPS_REDUCE_VARIANCE_H

#include "ops/common/shared_params.h"

typedef struct MomentsParams { List axes; int64_t keepdims; } MomentsParams;
typedef struct VarianceParams { List axis; int64_t dtype, ddof, keepdims, np; } VarianceParams;   /* of var, std */

static inline ReduceParams moments_axes(const MomentsParams *p) {
  return (ReduceParams){ .axis = p->axes, .keepdims = p->keepdims };
}
static inline ReduceParams spread_axes(const VarianceParams *p) {
  return (ReduceParams){ .axis = p->axis, .keepdims = p->keepdims, .np = p->np };
}

#endif
