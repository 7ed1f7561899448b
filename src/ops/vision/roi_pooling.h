/* roi_pooling.h - parameters of ROIPooling, ROIAlign and their gradients. */
#ifndef HL_OPS_VISION_ROI_POOLING_H
#define HL_OPS_VISION_ROI_POOLING_H

#include "ops/common/shape_rules.h"

/* The first parameters of all rows, and of RROIAlign. */
typedef struct PoolingRegions { List pooled_size; double spatial_scale; } PoolingRegions;
typedef struct AlignRegions {
  List pooled_size;
  double spatial_scale;
  int64_t sample_ratio, position_sensitive, aligned;
} AlignRegions;
typedef struct AlignBackward { AlignRegions align; List shape; } AlignBackward;

/* Check both; check spatial_scale. */
Status check_regions(const PoolingRegions *p);
Status check_spatial_scale(double scale);

/* The shape of the output: a row of rois each. */
Shape regions_shape(const PoolingRegions *p, const Shape *rois, int64_t channels);

/* The gradient of data, whose shape is a parameter. */
Status infer_data_gradient(Infer *f, const List *shape);

#endif
