/* pooling.h - windows and layouts of Pooling and its gradients. */
#ifndef HL_OPS_NN_POOLING_H
#define HL_OPS_NN_POOLING_H

#include "ops/common/shared_params.h"
#include "ops/nn/window_params.h"

static inline bool pooling_channels_last(const PoolingParams *p) {
  return p->layout != NONE && p->layout >= WINDOW_AXES;
}

/* Converts a shape from the layout to channels first. */
Shape pooling_channels_first(const PoolingParams *p, const Shape *s);

/* The window of a call; a global pool has one placeholder per axis. */
Status pooling_windows(const PoolingParams *p, int ndim, Windows *w);

#endif
