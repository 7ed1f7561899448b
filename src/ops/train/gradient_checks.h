/* gradient_checks.h - parameters of clipping by the norm; ROLE_CLIP relies on them (ir/op.h). */
#ifndef HL_OPS_TRAIN_GRADIENT_CHECKS_H
#define HL_OPS_TRAIN_GRADIENT_CHECKS_H

#include "ir/op.h"

typedef struct ClipNormParams { double max_norm; int64_t num_arrays, in_place; } ClipNormParams;

#endif
