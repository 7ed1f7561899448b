/* sum_mean_max.h - steps shared by the reductions of several files. */
#ifndef HL_OPS_REDUCE_SUM_MEAN_MAX_H
#define HL_OPS_REDUCE_SUM_MEAN_MAX_H

#include "ir/op.h"
#include "ops/common/shared_params.h"

/* Inference of an operator that folds the axes that p names, in its input's dtype. */
Status reduce_infer(Infer *f, const ReduceParams *p);

/* Sums of bools: the number of true ones, as int64 (any_all.c). */
Status reduce_bools_infer(Infer *f, const ReduceParams *axes);
Status reduce_bools(Call *c, const ReduceParams *axes);

#endif
