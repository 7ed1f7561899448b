/* npz.h - NumPy's .npz: a zip archive with one .npy per array; an array's name is the member's without ".npy".
**
** Members may be stored or deflated, with or without the 64-bit fields; every CRC is checked. Undamaged members of
** unsupported kinds (text, objects, not .npy) are left out and reported in the result; if there are no others, this is
** an error. Members are written stored, as by numpy.savez.
*/
#ifndef HL_IO_ARRAY_NPZ_H
#define HL_IO_ARRAY_NPZ_H

#include "io/array/named_arrays.h"

Status npz_load(FileReader *r, Arrays *out);                     /* the caller frees *out, even after a failure */
Status npz_save(const char *path, const Arrays *a);          /* names of a list: arr_0, arr_1, ... */

#endif
