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

/* The gradient for labels that are probabilities, without and with the upstream one; s is grad_scale:
** F(internal row, operands' letters and names, expression) */
#define EACH_PROBABILITY_GRADIENT(F)                                                                          \
  F(_backward_SoftmaxOutput_probabilities, "ab", "y label", (a - b) * s)                                      \
  F(_backward_SoftmaxOutput_probabilities_times, "abc", "y label g", (a - b) * s * c)

/* Data as (outer, n, inner), where n is the number of classes; each (outer, inner) has one label. */
typedef struct ClassAxis { int64_t outer, n, inner; } ClassAxis;

static inline ClassAxis softmax_output_axis(const SoftmaxOutputParams *p, const Shape *s) {
  const int last = s->ndim - 1;
  if (p->multi_output && last > 0) return (ClassAxis){ s->dim[0], s->dim[1], shape_size_range(s, 2, s->ndim) };
  if (p->preserve_shape) return (ClassAxis){ shape_size_range(s, 0, last), s->dim[last], 1 };
  return last > 0 ? (ClassAxis){ s->dim[0], shape_size_range(s, 1, s->ndim), 1 } : (ClassAxis){ 1, s->dim[0], 1 };
}

typedef struct SvmParams { double margin, regularization_coefficient; int64_t use_linear; } SvmParams;

typedef struct SparsenessParams { double sparseness_target, penalty, momentum; } SparsenessParams;

#endif
