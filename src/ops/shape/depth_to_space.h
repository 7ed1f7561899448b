/* depth_to_space.h - parameters of depth_to_space and space_to_depth. */
#ifndef HL_OPS_SHAPE_DEPTH_TO_SPACE_H
#define HL_OPS_SHAPE_DEPTH_TO_SPACE_H

#include "ir/params.h"

typedef struct BlockParams { int64_t block_size; } BlockParams;

#endif
