/* loop_gradient.h - gradients of loops and conditions. */
#ifndef HL_OPS_CONTROL_LOOP_GRADIENT_H
#define HL_OPS_CONTROL_LOOP_GRADIENT_H

#include "ir/op.h"

/* The column `grad` of rows that run subgraphs. */
Status control_back_build(Gradient *d);

#endif
