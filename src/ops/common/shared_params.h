/* shared_params.h - parameter structs that several operators share, or that gradients fill in. The fields follow the
** lines of the row's parameter text (ir/params.h). */
#ifndef HL_OPS_COMMON_SHARED_PARAMS_H
#define HL_OPS_COMMON_SHARED_PARAMS_H

#include "ir/params.h"

/* The last line of rows that reduce to numbers, as np calls them: their field is `np`. */
#define NP_SHAPES "_np bool False One number has shape (), as in NumPy, and not (1,), as in MXNet.\n"

typedef struct ScalarParams { double scalar; } ScalarParams;
typedef struct ShapeParams { List shape; } ShapeParams;
typedef struct AxisParams { int64_t axis; } AxisParams;
typedef struct ReduceParams { List axis; int64_t keepdims, exclude, np; } ReduceParams;
typedef struct DotParams { int64_t transpose_a, transpose_b, forward_stype, np; } DotParams;
typedef struct Gemm2Params { int64_t transpose_a, transpose_b; double alpha; int64_t axis; } Gemm2Params;
typedef struct SideParams { int64_t transpose, rightside, lower; double alpha; } SideParams;     /* trmm, trsm */
typedef struct DiagonalParams { int64_t offset; } DiagonalParams;
typedef struct TriangleParams { int64_t offset, lower; } TriangleParams;
typedef struct SwapParams { int64_t dim1, dim2; } SwapParams;
typedef struct TransposeParams { List axes; } TransposeParams;
typedef struct SqueezeParams { List axes; int64_t np; } SqueezeParams;
typedef struct NpParams { int64_t np; } NpParams;      /* of rows with no other parameter than NP_SHAPES */
typedef struct SliceParams { List begin, end, step; } SliceParams;
typedef struct SliceAxisParams { int64_t axis, begin, end; } SliceAxisParams;
typedef struct AlongBackwardParams { List shape; int64_t axis; } AlongBackwardParams;
typedef struct DTypeParams { int64_t dtype; } DTypeParams;
typedef struct TakeParams { int64_t axis, mode; } TakeParams;      /* mode: TAKE_CLIP ... */
typedef struct StackParams { int64_t axis, num_args; } StackParams;
typedef struct ReshapeParams { List shape; int64_t reverse; List target_shape; int64_t keep_highest; } ReshapeParams;
enum { POOL_MAX, POOL_AVG, POOL_SUM, POOL_LP };      /* values of pool_type */
typedef struct PoolingParams {
  List kernel;
  int64_t pool_type, global_pool, cudnn_off, pooling_convention;
  List stride, pad;
  int64_t p_value, count_include_pad, layout;
} PoolingParams;

/* Handling of an index outside the axis: clipped; an error, but negative ones count from the end; or wrapped around.
** The choices of take's parameter `mode`, in order. */
enum { TAKE_CLIP, TAKE_RAISE, TAKE_WRAP };

#endif
