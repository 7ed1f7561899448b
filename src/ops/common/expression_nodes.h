/* expression_nodes.h - nodes from the tree of an elementwise expression. */
#ifndef HL_OPS_COMMON_EXPRESSION_NODES_H
#define HL_OPS_COMMON_EXPRESSION_NODES_H

#include "ir/node_builder.h"

/* A number in an expression; in bound rows (op.h: OpInfo.unbound), the value that holds it. */
typedef struct FormulaNumber { double value; Entry bound; } FormulaNumber;      /* if bound.node is NULL: `value` */

/* Builds nodes from the tree of an expression, for gradients of gradients. slots[i] replaces the letter
** ELEMENT_SLOTS[i]; numbers[] replace s, t and u. */
Entry formula_build(Builder *b, const Expression *tree, const Entry *slots, const FormulaNumber *numbers);

/* Fails if formula_build cannot build an expression. `find` finds a row by its name. */
Status formula_check(const Expression *tree, const Op *(*find)(const char *name));

#endif
