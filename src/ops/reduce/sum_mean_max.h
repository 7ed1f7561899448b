/* reduce.h - the axes that a reduction folds. */
#ifndef HL_REDUCE_H
#define HL_REDUCE_H

#include "ir/op.h"
#include "ops/machinery/params.h"

/* Inference of an operator that folds the axes that p names, in its input's dtype. */
Status reduce_infer(Infer *f, const ReduceParams *p);

/* Sums of bools: how many are true, as int64 (truth.c). */
Status reduce_bools_infer(Infer *f, const ReduceParams *axes);
Status reduce_bools(Call *c, const ReduceParams *axes);

#endif
