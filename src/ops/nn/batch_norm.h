/* batch_norm.h - parameters and inputs of BatchNorm, related operators and their gradients. */
#ifndef HL_OPS_NN_BATCH_NORM_H
#define HL_OPS_NN_BATCH_NORM_H

#include "ir/op.h"

typedef struct BatchNormParams {
  double eps, momentum;
  int64_t fix_gamma, use_global_stats, output_mean_var, axis, cudnn_off;
  double min_calib_range, max_calib_range;
} BatchNormParams;

/* Equals BatchNormParams up to output_mean_var, so columns read it as that. */
typedef struct SyncBatchNormParams {
  double eps, momentum;
  int64_t fix_gamma, use_global_stats, output_mean_var, ndev;
  const char *key;
} SyncBatchNormParams;

/* The same for BatchNorm_v1. */
typedef struct BatchNormV1Params {
  double eps, momentum;
  int64_t fix_gamma, use_global_stats, output_mean_var;
} BatchNormV1Params;

/* Parameters of gradient rows. batch: statistics of the batch, not the states. */
typedef struct BatchNormGradParams { int64_t axis; double eps; int64_t batch; } BatchNormGradParams;

enum { DATA, GAMMA, BETA, MOVING_MEAN, MOVING_VAR, N_INPUTS };

/* Are the statistics the batch's? If so, the states move towards them. */
static inline bool batch_norm_of_batch(const BatchNormParams *p, bool train) { return train && !p->use_global_stats; }

/* The axis of the channels: 1 in SyncBatchNorm and BatchNorm_v1, which have no such parameter. */
static inline int64_t batch_norm_axis(const Op *op, const BatchNormParams *p) {
  return param_index(op, "axis") < 0 ? 1 : p->axis;
}

#endif
