/* assignments.h - lists of assignments, such as the update rules of optimizers, as trees.
**
** `d = bounded(rescale_grad * grad, most); mom = momentum * mom - lr * d; weight = weight + mom;` The value is an
** expression of the caller's names and of those assigned before. A name that the caller does not know is a new one. It
** has the type of the loop, or double if its value is a cast, `x = (double)(y)`.
**
** An assignment whose value depends on numbers alone is constant: the same for all elements.
*/
#ifndef HL_IR_EXPRESSION_ASSIGNMENTS_H
#define HL_IR_EXPRESSION_ASSIGNMENTS_H

#include "ir/expression/expression.h"

typedef struct Assignment {
  int name;                        /* its index in the names */
  bool constant;
  Expression *value;
} Assignment;

typedef struct Assignments {
  ExpressionName *names;           /* the caller's, then the new ones; the list ends with a NULL word */
  int n_known, n_names;
  Assignment *at;
  int n;
} Assignments;

/* Parses a text, which must live as long as the result. Of the n_known names the first n_elements differ from element
** to element; the others are numbers. Fails if the text is not a list of assignments, or if one changes a number. */
Status assignments_parse(const char *text, const ExpressionName *known, int n_known, int n_elements, Assignments **out);

#endif
