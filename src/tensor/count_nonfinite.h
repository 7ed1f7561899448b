/* count_nonfinite.h - counting an array's nonfinite elements: NaN, inf, -inf. Integers and bools have none. */
#ifndef HL_TENSOR_COUNT_NONFINITE_H
#define HL_TENSOR_COUNT_NONFINITE_H

#include "tensor/tensor.h"

/* Their number, and the row-major index of the first; -1 if there is none. */
typedef struct NotFinite { int64_t count, first; } NotFinite;
NotFinite tensor_not_finite(const Tensor *t);

/* Describes nonfinite elements: "3 of 12 elements are not finite, first nan at [0, 2]". */
void not_finite_text(const Tensor *t, NotFinite bad, char *to, size_t capacity);

#endif
