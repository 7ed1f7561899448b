/* fusible.h - which nodes a fused kernel can take in. */
#ifndef HL_PASS_FUSIBLE_H
#define HL_PASS_FUSIBLE_H

#include "pass/fusion_group.h"

/* Any of those below, of a node with elements that may be moved among others. Types are known. */
bool fusible(const Node *n);

/* The expression of an elementwise node whose operands have its own type; else NULL. */
const Elementwise *fusible_expression(const Node *n);

/* Does the node give its first input another shape and nothing more? */
bool fusible_reshape(const Node *n);

/* Is it a fold of floats: leading axes folded (GROUP_COLUMNS), or trailing ones (GROUP_ROWS)? Axes of 1
** belong to either. *inner: the last dimensions that make a row. False where the operator's own
** kernel walks otherwise. */
bool fusible_fold(const Node *n, GroupKind *kind, int *inner);

/* How many of the node's inputs, the first ones, a kernel reads element by element. Numbers of bound rows (op.h) come
** after them, and are read once in a run; more inputs are only there to be run before. */
int fusible_operands(const Node *n);

/* How many numbers its expression has, parameters or inputs. */
int fusible_scalars(const Node *n);

#endif
