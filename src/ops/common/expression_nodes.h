/* expression_nodes.h - nodes from the text of an elementwise expression. */
#ifndef HL_OPS_COMMON_EXPRESSION_NODES_H
#define HL_OPS_COMMON_EXPRESSION_NODES_H

#include "ir/node_builder.h"

/* A number of an expression; of bound rows (op.h: OpInfo.unbound) the value that holds it. */
typedef struct FormulaNumber { double value; Entry bound; } FormulaNumber;      /* bound.node NULL: `value` */

/* Makes nodes of an expression's text: the value of `text` with slots[i] for the letter
** ELEMENT_SLOTS[i], and numbers[] for s, t and u. For gradients of gradients. */
Entry formula_build(Builder *b, const char *text, const Entry *slots, const FormulaNumber *numbers);

#endif
