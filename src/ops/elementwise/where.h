/* where.h - the expressions of the rows of where.c, for its rows and their kernels. */
#ifndef HL_OPS_ELEMENTWISE_WHERE_H
#define HL_OPS_ELEMENTWISE_WHERE_H

#include "tensor/shape.h"

/* F(name, operands, expression) */
#define EACH_CHOICE(F)                \
  F(choose, "abc", a ? b : c)         \
  F(keep_true, "ab", a ? b : 0)       \
  F(keep_false, "ab", a ? 0 : b)

/* The condition's shape as it broadcasts against x and y: a 1-d condition chooses rows. */
Shape where_condition_shape(const Shape *condition, const Shape *chosen);

#endif
