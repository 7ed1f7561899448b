/* whole_norm.h - the 2-norm of all elements of an array, for kernels that compute with it.
**
** It has the bits of the row norm (kernels/reduce/sum_mean_max_kernels.c), and is not interrupted, so that a step which
** has written some of its operands can continue with it.
*/
#ifndef HL_KERNELS_LOOPS_WHOLE_NORM_H
#define HL_KERNELS_LOOPS_WHOLE_NORM_H

#include "tensor/tensor.h"

/* The workspace for arrays of this type, float32 or float64, in bytes. */
size_t whole_norm_workspace(const Type *type);

/* The norm, rounded to the array's dtype. */
double whole_norm(const Tensor *x, void *workspace);

#endif
