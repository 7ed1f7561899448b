/* sum_mean_max.h - parameters of norm, and inference that reductions of several files share. */
#ifndef HL_OPS_REDUCE_SUM_MEAN_MAX_H
#define HL_OPS_REDUCE_SUM_MEAN_MAX_H

#include "ir/op.h"
#include "ops/common/shared_params.h"

typedef struct NormParams { int64_t ord; List axis; int64_t out_dtype, keepdims, np; } NormParams;

static inline ReduceParams norm_axes(const NormParams *p) {
  return (ReduceParams){ .axis = p->axis, .keepdims = p->keepdims, .np = p->np };
}

/* Inference of an operator that reduces the axes in p and keeps the input's dtype. */
Status reduce_infer(Infer *f, const ReduceParams *p);

/* Sums of bools: the number of true elements, as int64 (any_all.c). */
Status reduce_bools_infer(Infer *f, const ReduceParams *axes);

#endif
