/* image_transform.h - parameters of the conversions of images. */
#ifndef HL_OPS_VISION_IMAGE_TRANSFORM_H
#define HL_OPS_VISION_IMAGE_TRANSFORM_H

#include "ir/params.h"

typedef struct NormalizeParams { List mean, std; } NormalizeParams;
typedef struct ImageResizeParams { List size; int64_t keep_ratio, interp; } ImageResizeParams;
typedef struct ImageCropParams { int64_t x, y, width, height; } ImageCropParams;

#endif
