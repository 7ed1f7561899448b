/* expression_nodes.h - nodes from the text of an elementwise expression. */
#ifndef HL_OPS_COMMON_EXPRESSION_NODES_H
#define HL_OPS_COMMON_EXPRESSION_NODES_H

#include "ir/node_builder.h"

/* Makes nodes of an expression's text: the value of `text` with slots[i] for the letter
** ELEMENT_SLOTS[i]. For gradients of gradients. */
Entry formula_build(Builder *b, const char *text, const Entry *slots, const double *scalars);

#endif
