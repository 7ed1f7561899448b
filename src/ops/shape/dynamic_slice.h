/* dynamic_slice.h - parameters of dynamic_slice and dynamic_update_slice. */
#ifndef HL_OPS_SHAPE_DYNAMIC_SLICE_H
#define HL_OPS_SHAPE_DYNAMIC_SLICE_H

#include "ir/params.h"

typedef struct SliceAtParams { int64_t axis, size; } SliceAtParams;
typedef struct UpdateAtParams { int64_t axis; } UpdateAtParams;

#endif
