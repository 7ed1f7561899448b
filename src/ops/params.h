/* params.h - parameter structs that several operators share, or that gradients fill in.
** Each field is a line of its row's parameter text, in the same order (ir/params.h). */
#ifndef HL_OPS_PARAMS_H
#define HL_OPS_PARAMS_H

#include "ir/params.h"

typedef struct ScalarParams { double scalar; } ScalarParams;
typedef struct ShapeParams { List shape; } ShapeParams;
typedef struct AxisParams { int64_t axis; } AxisParams;
typedef struct ReduceParams { List axis; int64_t keepdims, exclude; } ReduceParams;
typedef struct DotParams { int64_t transpose_a, transpose_b, forward_stype; } DotParams;
typedef struct TransposeParams { List axes; } TransposeParams;
typedef struct SliceParams { List begin, end, step; } SliceParams;
typedef struct SliceAxisParams { int64_t axis, begin, end; } SliceAxisParams;
typedef struct DTypeParams { int64_t dtype; } DTypeParams;

#endif
