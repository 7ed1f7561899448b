/* batch_norm_kernel.h - the kernels of BatchNorm and of its gradients: data as (outer, channels, inner).
**
** A channel's sum goes run by run. A run is `inner` neighbouring elements, summed in the order of base/math/tree_sum.h;
** the runs are summed in double. If the channels themselves are neighbours, the sums go by blocks of rows, also as in
** base/math/tree_sum.h. An addition depends on the one before it, so several runs are folded at once.
** The gradients are two sums, and data's is made of both while the channel is in cache.
*/
#ifndef HL_KERNELS_NN_BATCH_NORM_KERNEL_H
#define HL_KERNELS_NN_BATCH_NORM_KERNEL_H

#include "kernels/loops/axis_blocks.h"
#include "tensor/tensor.h"

/* One call: forward makes out, mean and inverse (NULL: not requested) of x, gamma, beta and the moving statistics; the
** gradients are made of g, x, gamma, mean and inverse. Vectors have one element per channel; gamma NULL: ones. */
typedef struct BatchNorm {
  Along along;                   /* (outer, channels, inner); set by the call, as x is */
  const void *g, *x, *gamma, *beta;
  void *out, *mean, *inverse, *moving_mean, *moving_var, *for_gamma, *for_beta;
  double eps, momentum;
  bool batch;                    /* the statistics are computed, and the moving ones updated */
} BatchNorm;

/* Along an axis of x. They fail where there is no such axis, and on an interrupt. */
Status batch_norm_forward(BatchNorm *n, const Tensor *x, int64_t axis);
Status batch_norm_backward(BatchNorm *n, const Tensor *x, int64_t axis);           /* out, for_gamma, for_beta */
Status batch_norm_backward_gamma(BatchNorm *n, const Tensor *x, int64_t axis);     /* for_gamma alone */

#endif
