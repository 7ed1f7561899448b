/* count_nonfinite.h - which elements of an array are not finite: NaN, inf, -inf. Arrays of integers and truth values
** have none. */
#ifndef HL_TENSOR_COUNT_NONFINITE_H
#define HL_TENSOR_COUNT_NONFINITE_H

#include "tensor/tensor.h"

/* How many they are, and the place of the first in row-major order: -1 where there is none. */
typedef struct NotFinite { int64_t count, first; } NotFinite;
NotFinite tensor_not_finite(const Tensor *t);

/* "3 of 12 elements are not finite, first nan at [0, 2]": of one that has some. */
void not_finite_text(const Tensor *t, NotFinite bad, char *to, size_t capacity);

#endif
