/* npy.h - NumPy's .npy: one array.
**
** "\x93NUMPY", version, length of the header, the header (a Python dictionary with exactly descr, fortran_order and
** shape), the elements. Versions 1 to 3, both byte orders, C and Fortran order are read. Version 1, little-endian, in C
** order is written, to the byte as by NumPy. Unsupported integers are widened: int16 and uint16 to int32, uint32 to
** int64.
*/
#ifndef HL_IO_ARRAY_NPY_H
#define HL_IO_ARRAY_NPY_H

#include "base/text_buffer.h"
#include "io/array/named_arrays.h"
#include "io/file/file_writer.h"

/* Loads the whole content of r. *foreign: it failed because the header, though valid, is of an unsupported array
** (text, records, more than MAX_DIMS dimensions). */
Status npy_load(FileReader *r, Tensor *out, bool *foreign);
Status npy_save(const char *path, const Tensor *t);

/* Appends the bytes before the elements. */
Status npy_header(const Type *type, Text *out);

extern const unsigned char npy_magic[6];

#endif
