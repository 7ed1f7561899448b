/* transpose.h - the order of axes of transpose and SwapAxis. */
#ifndef HL_OPS_SHAPE_TRANSPOSE_H
#define HL_OPS_SHAPE_TRANSPOSE_H

#include "base/status.h"

/* Axis i of the output is axis order[i] of the input, which has ndim axes. */
typedef Status AxisOrder(const char *who, const void *params, int ndim, int *order);
AxisOrder transpose_order, swap_order;

#endif
