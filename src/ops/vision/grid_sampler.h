/* grid_sampler.h - parameters of GridGenerator and of samples by a grid. */
#ifndef HL_OPS_VISION_GRID_SAMPLER_H
#define HL_OPS_VISION_GRID_SAMPLER_H

#include "ir/params.h"

typedef struct GridParams { int64_t transform_type; List target_shape; } GridParams;

/* The order of the derivative of an axis's weights. */
typedef struct OffsetParams { int64_t dx, dy; } OffsetParams;
typedef struct SampleBackParams { int64_t dx, dy; List shape; } SampleBackParams;

enum { GRID_AFFINE, GRID_WARP };

#endif
