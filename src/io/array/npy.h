/* npy.h - NumPy's .npy: one array.
**
** "\x93NUMPY", version, length of the header, the header (a Python dictionary with descr,
** fortran_order and shape, nothing else), the elements. Versions 1 to 3, both byte orders,
** C and Fortran order are read; version 1, little-endian, C order is written, byte for
** byte as NumPy does. Integers that no array here has are widened: int16 and uint16 to
** int32, uint32 to int64.
*/
#ifndef HL_IO_ARRAY_NPY_H
#define HL_IO_ARRAY_NPY_H

#include "base/text_buffer.h"
#include "io/array/named_arrays.h"
#include "io/file/file_writer.h"

/* r is at the beginning, and ends with the array. *foreign: it failed at a sound header of an array that cannot exist
** here: of text, of records, of more than MAX_DIMS dimensions. */
Status npy_load(FileReader *r, Tensor *out, bool *foreign);
Status npy_save(const char *path, const Tensor *t);

/* What stands before the elements. */
Status npy_header(const Type *type, Text *out);

extern const unsigned char npy_magic[6];

#endif
