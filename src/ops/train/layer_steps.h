/* layer_steps.h - parameters of the steps with a rate for each layer. */
#ifndef HL_OPS_TRAIN_LAYER_STEPS_H
#define HL_OPS_TRAIN_LAYER_STEPS_H

#include "ir/op.h"

typedef struct LambStepParams { double lr, beta1, beta2, epsilon; int64_t t, bias_correction;
  double lower_bound, upper_bound, wd, rescale_grad, clip_gradient;
} LambStepParams;

typedef struct LarsStepParams { double lr, eta, epsilon; int64_t adapts; double wd, rescale_grad, clip_gradient;
} LarsStepParams;
typedef struct LarsMomentumParams { LarsStepParams step; double momentum; } LarsMomentumParams;

#endif
