/* image_resize.h - parameters of AdaptiveAvgPooling2D, BilinearResize2D and their gradients. */
#ifndef HL_OPS_VISION_IMAGE_RESIZE_H
#define HL_OPS_VISION_IMAGE_RESIZE_H

#include "ir/params.h"

typedef struct AdaptiveParams { List output_size; } AdaptiveParams;
typedef struct AdaptiveBackwardParams { List shape; } AdaptiveBackwardParams;
typedef struct ResizeParams {
  int64_t height, width;
  double scale_height, scale_width;
  int64_t mode, align_corners;
} ResizeParams;
typedef struct ResizeBackwardParams { List shape; int64_t align_corners; } ResizeBackwardParams;

#endif
