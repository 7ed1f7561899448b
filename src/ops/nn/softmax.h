/* softmax.h - the softmax kernels, which losses share. */
#ifndef HL_OPS_NN_SOFTMAX_H
#define HL_OPS_NN_SOFTMAX_H

#include "kernels/loops/axis_blocks.h"
#include "tensor/tensor.h"

/* y = softmax(factor x), or its logarithm, along an axis. */
typedef struct SoftmaxRun {
  DType dtype;           /* float32 or float64 */
  const void *x;
  void *y;               /* may be x */
  Along along;
  bool log, negate;      /* negate: use -x */
  double factor;         /* more than 0 */
  const Tensor *length;  /* elements to use for each (outer, inner), the others become 0; NULL: all */
} SoftmaxRun;

Status softmax_run(const SoftmaxRun *r);

#endif
