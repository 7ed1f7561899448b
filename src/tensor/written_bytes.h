/* written_bytes.h - an array's bytes as files and tobytes hold them.
**
** They are those in memory, except for a NaN made by arithmetic: quiet and without a payload, it is
** negative on x86 and positive on Arm, so it is written as the positive one. A NaN with a payload, or a
** signalling one, can only have come from outside, and is written as it is.
*/
#ifndef HL_TENSOR_WRITTEN_BYTES_H
#define HL_TENSOR_WRITTEN_BYTES_H

#include "tensor/tensor.h"

/* Copies bytes from `at` on, at most `room`, and returns their number, 0 at the end. Both are multiples of 8. */
size_t written_bytes(const Tensor *t, size_t at, size_t room, void *to);

#endif
