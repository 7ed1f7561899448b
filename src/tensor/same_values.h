/* same_values.h - whether two tensors hold the same values.
**
** The same rule for specs, hybridize{check} and fuzz tests: a NaN equals a NaN at the same index; everything else is
** compared by bits, even the sign of zero. Which of two NaNs an operation returns, and its sign, is left to the
** processor and to the compiler, which may swap operands.
*/
#ifndef HL_TENSOR_SAME_VALUES_H
#define HL_TENSOR_SAME_VALUES_H

#include "tensor/tensor.h"

/* The row-major index of the first element, starting at `from`, in which two tensors of one type differ; the number of
** elements if there is none. */
int64_t tensor_difference(const Tensor *a, const Tensor *b, int64_t from);

bool tensor_same(const Tensor *a, const Tensor *b);      /* dtype, shape and every element */

#endif
