/* same_values.h - whether two tensors hold the same numbers.
**
** The one rule, for specs, hybridize{check} and fuzz alike: a NaN equals a NaN at the same place;
** everything else is compared by bits, the sign of zero too. Which of two NaNs an operation hands
** on, and with which sign, is the processor's and the compiler's choice, which may swap operands.
*/
#ifndef HL_TENSOR_SAME_VALUES_H
#define HL_TENSOR_SAME_VALUES_H

#include "tensor/tensor.h"

/* The first element from `from` on, in row-major order, in which two tensors of one type differ;
** the number of elements if there is none. */
int64_t tensor_difference(const Tensor *a, const Tensor *b, int64_t from);

bool tensor_same(const Tensor *a, const Tensor *b);      /* dtype, shape and every element */

#endif
