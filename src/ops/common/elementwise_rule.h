/* elementwise_rule.h - inference and gradients of elementwise rows. Their loops: kernels/loops/elementwise_loops.h. */
#ifndef HL_OPS_COMMON_ELEMENTWISE_RULE_H
#define HL_OPS_COMMON_ELEMENTWISE_RULE_H

#include "ir/op.h"

/* Columns of elementwise rows. */
Status infer_elementwise(Infer *f);           /* operands of one dtype that broadcast */
Status infer_same_shape(Infer *f);            /* operands of one dtype and one shape */
Status elementwise_grad(Gradient *d);         /* by the row's gradient expressions */

/* Of bound rows (op.h: OpInfo.unbound): operands as the row that it was made of, and numbers. That row refuses some
** numbers, which are not known here: the kernel asks it. */
Status infer_bound(Infer *f);

/* The gradient of `node` by the gradient expressions of another elementwise row with
** the same inputs, for rows that choose an expression (Activation). */
Status elementwise_grad_of(Gradient *d, const Op *row, const void *fields);

#endif
