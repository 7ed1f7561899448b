/* kernel_calls.h - steps that kernels of many operators share. */
#ifndef HL_KERNELS_LOOPS_KERNEL_CALLS_H
#define HL_KERNELS_LOOPS_KERNEL_CALLS_H

#include "ir/op.h"

/* The float32 or float64 version of a function, by the dtype of the call's first input. */
#define BY_DTYPE(c, name) ((c)->in[0]->type.dtype == DT_FLOAT64 ? name##_f64 : name##_f32)

/* parallel_for as the last step of a kernel: fails on an interrupt. */
static inline Status run_parallel(int64_t n, int64_t grain, ParallelBody *body, void *context) {
  parallel_for(n, grain, body, context);
  return interrupt_status();
}

/* Checks that an input, such as the lengths of sequences, is NULL or holds numbers within bounds. `who` begins the
** error; `most_is`, such as ", the steps of data", explains the upper bound. */
Status check_numbers_within(const char *who, const Tensor *numbers, int64_t least, int64_t most, const char *most_is);

/* The input with this name, NULL if the call has none: for rows with the column `takes`. */
const Tensor *named_input(const Call *c, int name);

#endif
