/* elementwise_rule.h - inference and gradients of elementwise rows. Their loops: kernels/loops/elementwise_loops.h. */
#ifndef HL_OPS_COMMON_ELEMENTWISE_RULE_H
#define HL_OPS_COMMON_ELEMENTWISE_RULE_H

#include "ir/op.h"

/* An expression; `used`: the operands' letters, or "" if the registry finds them in the text. The loops are kernels:
** kernels/loops/elementwise_loops.h. */
#define ELEMENTWISE(name, used, scalars, dtypes, text)                                                       \
  static Elementwise name = { .expr = text, .slots = used, .n_scalars = scalars, .types = dtypes };

/* Columns of elementwise rows. */
Status infer_elementwise(Infer *f);           /* operands of the same dtype that broadcast */
Status infer_same_shape(Infer *f);            /* operands of the same dtype and shape */
Status elementwise_grad(Gradient *d);         /* by the row's gradient expressions */

/* Is a gradient expression the gradient of the output as it is? Then it has no row. */
static inline bool elementwise_is_output_gradient(const Elementwise *gradient) {
  const ExpressionNode *root = expression_root(gradient->tree);
  return root->kind == EXPRESSION_NAME && ELEMENT_SLOTS[root->name] == 'g';
}

/* For bound rows (op.h: OpInfo.unbound), whose inputs are the operands of the original row, then its numbers. The
** numbers' values are unknown here; the kernel checks them as the original row does. */
Status infer_bound(Infer *f);

/* Builds the gradient from the gradient expressions of another elementwise row with the same inputs, for rows that
** choose an expression (Activation). */
Status elementwise_grad_of(Gradient *d, const Op *row, const void *fields);

#endif
