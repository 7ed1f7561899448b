/* region_bins.h - parameters of PSROIPooling, RROIAlign and their gradients. */
#ifndef HL_OPS_VISION_REGION_BINS_H
#define HL_OPS_VISION_REGION_BINS_H

#include "ops/vision/roi_pooling.h"

typedef struct PsroiParams { double spatial_scale; int64_t output_dim, pooled_size, group_size; } PsroiParams;
typedef struct PsroiBackward { PsroiParams of; List shape; } PsroiBackward;
typedef struct RroiParams { PoolingRegions of; int64_t sampling_ratio; } RroiParams;
typedef struct RroiBackward { RroiParams of; List shape; } RroiBackward;

/* The number of groups of channels along an axis. */
static inline int64_t psroi_groups(const PsroiParams *p) { return p->group_size ? p->group_size : p->pooled_size; }

#endif
