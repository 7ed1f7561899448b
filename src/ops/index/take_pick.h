/* take_pick.h - parameters of take, Embedding, pick and one_hot. */
#ifndef HL_OPS_INDEX_TAKE_PICK_H
#define HL_OPS_INDEX_TAKE_PICK_H

#include "ops/common/shared_params.h"

/* The parameters of take's gradient: the shape of the array chosen from, and take's own. */
typedef struct TakeBackwardParams { List shape; TakeParams take; } TakeBackwardParams;

typedef struct EmbeddingParams { int64_t input_dim, output_dim, dtype, sparse_grad;
  const char *check;
} EmbeddingParams;

typedef struct PickParams { int64_t axis, keepdims, mode; const char *check; } PickParams;
typedef struct PickBackwardParams { List shape; int64_t axis, mode; } PickBackwardParams;

typedef struct OneHotParams { int64_t depth; double on_value, off_value; int64_t dtype; } OneHotParams;

#endif
