/* written_bytes.h - an array's bytes as written by files and tobytes.
**
** They are the bytes in memory, except for a NaN made by arithmetic. Such a NaN is quiet and has no payload, but is
** negative on x86 and positive on Arm, so it is written as positive. A NaN with a payload, or a signalling one, can
** only be input, and is written unchanged.
*/
#ifndef HL_TENSOR_WRITTEN_BYTES_H
#define HL_TENSOR_WRITTEN_BYTES_H

#include "tensor/tensor.h"

/* Copies at most `room` bytes, starting at `at`; returns their number, 0 at the end. Both are multiples of 8. */
size_t written_bytes(const Tensor *t, size_t at, size_t room, void *to);

#endif
