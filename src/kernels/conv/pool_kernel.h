/* pool_kernel.h - the kernels of pooling: the maximum, mean, sum or norm of a window's receptive field.
**
** Sums are computed in double, in the order of the window's places (depth, height, width). The maximum is the first of
** equals; NaN wins. Its gradient belongs to that first place, found again by its value.
*/
#ifndef HL_KERNELS_CONV_POOL_KERNEL_H
#define HL_KERNELS_CONV_POOL_KERNEL_H

#include "kernels/conv/window_geometry.h"
#include "tensor/tensor.h"

/* The choices of the parameter `pool_type`, in order. */
enum { POOL_MAX, POOL_AVG, POOL_SUM, POOL_LP };

typedef struct Pool {
  Windows w;                           /* with the extents of data and output; covers all of data if global */
  int64_t type, p_value;               /* p_value: 1, 2 or 3, the power of POOL_LP */
  bool with_pad;                       /* padding counts in a mean */
  bool global, channels_last;
  int64_t images, channels;
} Pool;

/* All fail only on an interrupt. x is data, y the output, g the output's gradient. */
Status pool_forward(const Pool *pool, const Tensor *x, Tensor *out);
Status pool_backward_max(const Pool *pool, const Tensor *g, const Tensor *x, const Tensor *y, Tensor *out);
Status pool_backward_sum(const Pool *pool, const Tensor *g, Tensor *out);

/* For each output, the element of `values`, shaped like data, at the place of the maximum. */
Status pool_at_max(const Pool *pool, const Tensor *values, const Tensor *x, const Tensor *y, Tensor *out);

#endif
