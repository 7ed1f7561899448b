/* leaf_gradient.h - stores gradients in leaves, for backward over the tape and for training steps in an executable. */
#ifndef HL_EXEC_PROGRAM_LEAF_GRADIENT_H
#define HL_EXEC_PROGRAM_LEAF_GRADIENT_H

#include "ir/node.h"

/* Marks the leaf's gradient as reached by a backward: sets leaf->fresh to a new number. */
void leaf_reached(Leaf *leaf);

/* Stores a gradient in `to`, the gradient's memory, by grad_req. `grad` NULL: the heads depend on the leaf only through
** operators without a gradient, so `write` stores zeros, and `add` changes nothing. Cannot fail or be interrupted. */
void leaf_store(GradReq req, const Tensor *grad, Tensor *to);

#endif
