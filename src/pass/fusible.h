/* fusible.h - which nodes a fused kernel can contain. */
#ifndef HL_PASS_FUSIBLE_H
#define HL_PASS_FUSIBLE_H

#include "pass/fusion_group.h"

/* Can a fused kernel contain the node: an expression, reshape or fold, with elements and without effects? Types are
** known. */
bool fusible(const Node *n);

/* The expression of an elementwise node whose operands have its own type; else NULL. */
const Elementwise *fusible_expression(const Node *n);

/* Does the node only reshape its first input? */
bool fusible_reshape(const Node *n);

/* Is it a fold of floats, over leading axes (GROUP_COLUMNS) or trailing ones (GROUP_ROWS)? Axes of length 1 count as
** either. *inner: the number of last dimensions that form a row. False if the operator's own kernel folds in another
** order. */
bool fusible_fold(const Node *n, GroupKind *kind, int *inner);

/* Number of leading inputs that a kernel reads element by element. The numbers of bound rows (op.h) follow, read once
** per run; further inputs only determine the order of execution. */
int fusible_operands(const Node *n);

/* Number of scalars in its expression, whether parameters or inputs. */
int fusible_scalars(const Node *n);

#endif
