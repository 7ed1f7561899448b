/* output_losses.h - parameters of SoftmaxOutput and SVMOutput, and of their gradients. */
#ifndef HL_OPS_NN_OUTPUT_LOSSES_H
#define HL_OPS_NN_OUTPUT_LOSSES_H

#include "ir/params.h"

typedef struct SoftmaxOutputParams {
  double grad_scale, ignore_label;
  int64_t multi_output, use_ignore, preserve_shape, normalization, out_grad;
  double smooth_alpha;
} SoftmaxOutputParams;
enum { NORMALIZE_NULL, NORMALIZE_BATCH, NORMALIZE_VALID };

typedef struct SvmParams { double margin, regularization_coefficient; int64_t use_linear; } SvmParams;

typedef struct SparsenessParams { double sparseness_target, penalty, momentum; } SparsenessParams;

#endif
