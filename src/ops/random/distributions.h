/* distributions.h - shapes of numbers drawn for each element, or row, of parameters. */
#ifndef HL_OPS_RANDOM_DISTRIBUTIONS_H
#define HL_OPS_RANDOM_DISTRIBUTIONS_H

#include "ir/op.h"

/* Appends the dimensions of the parameter `shape` to `first`. */
Status append_shape(const Shape *first, const List *shape, Shape *out);

#endif
