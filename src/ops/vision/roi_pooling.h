/* roi_pooling.h - parameters of ROIPooling, ROIAlign and their gradients. */
#ifndef HL_OPS_VISION_ROI_POOLING_H
#define HL_OPS_VISION_ROI_POOLING_H

#include "ir/params.h"

typedef struct PoolingRegions { List pooled_size; double spatial_scale; } PoolingRegions;
typedef struct AlignRegions {
  List pooled_size;
  double spatial_scale;
  int64_t sample_ratio, position_sensitive, aligned;
} AlignRegions;
typedef struct AlignBackward { AlignRegions align; List shape; } AlignBackward;

#endif
