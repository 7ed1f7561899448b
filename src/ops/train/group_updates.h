/* group_updates.h - parameters of optimizer steps for groups of numbers. */
#ifndef HL_OPS_TRAIN_GROUP_UPDATES_H
#define HL_OPS_TRAIN_GROUP_UPDATES_H

#include "ir/params.h"

typedef struct GroupAdaGradParams { double lr, rescale_grad, clip_gradient, epsilon; } GroupAdaGradParams;
typedef struct MultiAdamWParams {
  List lrs;
  double beta1, beta2, epsilon;
  List wds, etas;
  double clip_gradient;
  int64_t num_weights;
} MultiAdamWParams;

#endif
