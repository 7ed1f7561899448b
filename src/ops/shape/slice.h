/* slice.h - parameters of rows that read or replace a part of an array, and the part as a region. */
#ifndef HL_OPS_SHAPE_SLICE_H
#define HL_OPS_SHAPE_SLICE_H

#include "ops/common/shared_params.h"
#include "tensor/strided_region.h"

typedef struct SliceBackwardParams { SliceParams slice; List shape; } SliceBackwardParams;
typedef struct CropParams { int64_t num_args; List offset, h_w; int64_t center_crop; } CropParams;
typedef struct SliceScalarParams { double scalar; SliceParams slice; } SliceScalarParams;

/* The part of an array with shape s; unknown dimensions stay unknown. */
Region slice_region(const SliceParams *p, const Shape *s);

/* The part of `in` that is a row's output, with shape `out`. */
typedef SliceParams SlicesOf(const void *params, const Shape *in, const Shape *out);
SlicesOf slice_slices, slice_axis_slices, slice_like_slices, crop_slices;

#endif
