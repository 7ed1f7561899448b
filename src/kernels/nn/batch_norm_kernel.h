/* batch_norm_kernel.h - the kernels of BatchNorm and its gradients: data as (outer, channels, inner).
**
** A channel is summed run by run. A run, `inner` neighbouring elements, is summed in the order of base/math/tree_sum.h;
** the runs are summed in double. If the channels are neighbours, they are summed by blocks of rows, as in
** base/math/tree_sum.h. Several runs are folded together, because each addition waits for the previous one. Gradients
** need two sums; data's gradient is computed from both while the channel is cached.
*/
#ifndef HL_KERNELS_NN_BATCH_NORM_KERNEL_H
#define HL_KERNELS_NN_BATCH_NORM_KERNEL_H

#include "kernels/loops/axis_blocks.h"
#include "tensor/tensor.h"

/* One call. Forward computes out, mean and inverse (NULL if not requested) from x, gamma, beta and the moving
** statistics; the gradients are computed from g, x, gamma, mean and inverse. Vectors have one element per channel; a
** gamma of NULL is all ones. */
typedef struct BatchNorm {
  Along along;                   /* (outer, channels, inner); set by the call, like x */
  const void *g, *x, *gamma, *beta;
  void *out, *mean, *inverse, *moving_mean, *moving_var, *for_gamma, *for_beta;
  double eps, momentum;
  bool batch;                    /* compute the statistics and update the moving ones */
} BatchNorm;

/* Along an axis of x. They fail if there is no such axis, and on an interrupt. */
Status batch_norm_forward(BatchNorm *n, const Tensor *x, int64_t axis);
Status batch_norm_backward(BatchNorm *n, const Tensor *x, int64_t axis);           /* out, for_gamma, for_beta */
Status batch_norm_backward_gamma(BatchNorm *n, const Tensor *x, int64_t axis);     /* for_gamma only */

#endif
