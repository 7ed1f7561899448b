/* gradient_rules.h - the steps that gradients of many operators share. */
#ifndef HL_OPS_COMMON_GRADIENT_RULES_H
#define HL_OPS_COMMON_GRADIENT_RULES_H

#include "ir/node_builder.h"

/* e summed over the axes along which `target`'s shape was broadcast to e's, in target's shape. */
Entry sum_to(Builder *b, Entry e, const Type *target);

/* e in another shape of as many elements; e repeated up to a shape that it broadcasts to. */
Entry reshape_to(Builder *b, Entry e, const Shape *shape);
Entry broadcast_exact(Builder *b, Entry e, const Shape *shape);

/* For rows whose kernel goes along an axis: must it be decomposed? Along the last one the kernel's steps are operators
** that fuse; in rows longer than TREE_KEPT a fused kernel would have to recompute values that it cannot keep. */
bool lowering_pays(const Lowering *l, const Shape *s, int axis);

/* e * factor, e + term, by scalar operators. */
Entry times(Builder *b, Entry e, double factor);
Entry plus(Builder *b, Entry e, double term);

/* x - y of one shape. */
Entry build_difference(Builder *b, Entry x, Entry y);

/* Matrices with one triangle of e's, diagonal included, and 0 in the other. */
Entry triangle_of(Builder *b, Entry e, bool lower);

/* Of stacks of matrices: factor op(x) op(y), op being the transpose if requested; e transposed; the symmetric matrix
** with e's lower triangle. */
Entry matrix_product(Builder *b, Entry x, Entry y, bool transpose_x, bool transpose_y, double factor);
Entry matrix_turned(Builder *b, Entry e);
Entry matrix_mirrored(Builder *b, Entry e);

/* e folded along one axis by `op` (sum, mean or max); the axis stays, with one element. */
Entry fold_axis(Builder *b, const char *op, Entry e, int64_t axis);

/* The gradient of output i, or zeros if it has none. */
Entry out_grad_or_zeros(Gradient *d, int i);

/* Sets the gradient of input 0, the only input that has one: the last step of a column `grad`. */
Status only_gradient(Gradient *d, Entry e);

/* The column `grad` of a row that is a gradient and has none itself: fails. */
Status gradient_is_last(Gradient *d);

#endif
