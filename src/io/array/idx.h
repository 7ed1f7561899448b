/* idx.h - IDX, the format of MNIST, plain or packed by gzip: two zero bytes, a code of the element type, the number of
** dimensions, u32 dims, elements; most significant byte first. int16, which is not a dtype here, becomes int32.
*/
#ifndef HL_IO_ARRAY_IDX_H
#define HL_IO_ARRAY_IDX_H

#include "tensor/tensor.h"

Status idx_load(const char *path, Tensor *out);

#endif
