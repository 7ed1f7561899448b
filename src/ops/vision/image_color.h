/* image_color.h - parameters of changes of an image's colours. */
#ifndef HL_OPS_VISION_IMAGE_COLOR_H
#define HL_OPS_VISION_IMAGE_COLOR_H

#include "ir/params.h"

typedef struct FactorParams { double min_factor, max_factor; } FactorParams;
typedef struct JitterParams { double brightness, contrast, saturation, hue; } JitterParams;
typedef struct LightingParams { List alpha; } LightingParams;
typedef struct RandomLightingParams { double alpha_std; } RandomLightingParams;

#endif
