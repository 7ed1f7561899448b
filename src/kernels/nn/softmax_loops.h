/* softmax_loops.h - the loops of softmax, which losses share. */
#ifndef HL_KERNELS_NN_SOFTMAX_LOOPS_H
#define HL_KERNELS_NN_SOFTMAX_LOOPS_H

#include "kernels/loops/axis_blocks.h"
#include "tensor/tensor.h"

/* y = softmax(factor x), or its logarithm, along an axis. */
typedef struct SoftmaxRun {
  const void *x;         /* of y's dtype */
  void *y;               /* may be x */
  Along along;
  bool log, negate;      /* negate: use -x */
  double factor;         /* more than 0 */
  const Tensor *length;  /* elements to use for each (outer, inner), the others become 0; NULL: all */
} SoftmaxRun;

/* The context is a SoftmaxRun. */
AlongRow softmax_row_f32, softmax_row_f64;
AlongColumns softmax_columns_f32, softmax_columns_f64;

#endif
