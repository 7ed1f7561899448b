/* distributions.h - the shape of the numbers drawn for each element, or row, of parameters. */
#ifndef HL_OPS_RANDOM_DISTRIBUTIONS_H
#define HL_OPS_RANDOM_DISTRIBUTIONS_H

#include "ir/op.h"

/* The given dimensions after those of `first`. */
Status append_shape(const Shape *first, const List *shape, Shape *out);

#endif
