/* one_gradient.h - gradients of rows with one differentiable input, which is input 0. */
#ifndef HL_OPS_COMMON_ONE_GRADIENT_H
#define HL_OPS_COMMON_ONE_GRADIENT_H

#include "ops/common/gradient_rules.h"

/* The parameter struct of the node, and the type of input i. */
static inline const void *gradient_params(const Gradient *d) { return d->node->params->fields; }
static inline const Type *gradient_input(const Gradient *d, int i) { return entry_type(d->node->in[i]); }

/* The gradient of input 0 is another row, with the node's parameters, of output 0's gradient. */
static inline Status gradient_by(Gradient *d, const char *row) {
  return only_gradient(d, build_op(d->b, row, gradient_params(d), 1, d->out_grad[0]));
}

#endif
