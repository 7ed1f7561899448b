/* run.h - running one operator on tensors. */
#ifndef HL_RUN_H
#define HL_RUN_H

#include "ir/op.h"

/* The kernel alone: types known, outputs allocated. Provides scratch memory. */
Status run_kernel(const Op *op, const Params *params, const Tensor *const *in, int n_in,
                  Tensor *const *out, int n_out, bool train);

/* Infers, allocates (or makes a view) and runs; out[] are new tensors, none on failure. */
Status run_op(const Op *op, const Params *params, const Tensor *const *in, int n_in,
              Tensor *out, int n_out, bool train);

/* Calls of one row with the column `span`, as one loop over all their elements. */
Status run_spans(OpSpan *span, const Call *call, int n);

/* Counting what run_kernel computes in this thread, by op_flops: begins from 0 or ends; run_flops
** is the sum so far. */
void run_count_flops(bool on);
double run_flops(void);

#endif
