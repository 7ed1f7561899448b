/* put_elements.h - writes an array's elements, in the form of tensor/written_bytes.h, to a file. */
#ifndef HL_IO_ARRAY_PUT_ELEMENTS_H
#define HL_IO_ARRAY_PUT_ELEMENTS_H

#include "io/file/file_writer.h"
#include "tensor/tensor.h"

void put_elements(FileWriter *w, const Tensor *t);

#endif
