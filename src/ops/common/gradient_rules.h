/* gradient_rules.h - steps that gradients of many operators share. */
#ifndef HL_OPS_COMMON_GRADIENT_RULES_H
#define HL_OPS_COMMON_GRADIENT_RULES_H

#include "ir/node_builder.h"

/* The parameter struct of the node, and the type of input i. */
static inline const void *gradient_params(const Gradient *d) { return d->node->params->fields; }
static inline const Type *gradient_input(const Gradient *d, int i) { return entry_type(d->node->in[i]); }

/* Sums e over the axes along which `target` was broadcast to e's shape; the result has target's shape. */
Entry sum_to(Builder *b, Entry e, const Type *target);

/* Reshapes e to a shape with the same number of elements; broadcasts e to a shape. */
Entry reshape_to(Builder *b, Entry e, const Shape *shape);
Entry broadcast_exact(Builder *b, Entry e, const Shape *shape);

/* Does it pay to decompose an operator whose kernel works along this axis? Only along the last axis do its steps fuse.
** Beyond a length of TREE_KEPT a fused kernel would have to recompute values that it cannot keep. */
bool lowering_pays(const Lowering *l, const Shape *s, int axis);

/* e * factor and e + term, by scalar operators. */
Entry times(Builder *b, Entry e, double factor);
Entry plus(Builder *b, Entry e, double term);

/* x - y, for operands of the same shape. */
Entry build_difference(Builder *b, Entry x, Entry y);

/* x and y, one behind the other along an axis. */
Entry build_joined(Builder *b, Entry x, Entry y, int64_t axis);

/* Keeps one triangle of e's matrices, with the diagonal, and sets the other to 0. */
Entry triangle_of(Builder *b, Entry e, bool lower);

/* For stacks of matrices: factor op(x) op(y), where op transposes if requested; e transposed; the symmetric matrix with
** e's lower triangle. */
Entry matrix_product(Builder *b, Entry x, Entry y, bool transpose_x, bool transpose_y, double factor);
Entry matrix_turned(Builder *b, Entry e);
Entry matrix_mirrored(Builder *b, Entry e);

/* Reduces e along one axis by `op` (sum, mean or max) and keeps the axis with size 1. */
Entry fold_axis(Builder *b, const char *op, Entry e, int64_t axis);

/* The gradient of output i, or zeros if there is none. */
Entry out_grad_or_zeros(Gradient *d, int i);

/* Sets the gradient of input 0, the only differentiable input: the last step of a column `grad`. */
Status only_gradient(Gradient *d, Entry e);

/* The gradient of input 0 is another row, with the node's parameters, of output 0's gradient. */
Status gradient_by(Gradient *d, const char *row);

/* The column `grad` of gradient rows that cannot be differentiated: fails. */
Status gradient_is_last(Gradient *d);

/* The same, if the user knows the operator by another name. */
Status gradient_is_last_of(const char *name);

#endif
