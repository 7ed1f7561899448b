/* npz.h - NumPy's .npz: a zip archive with one .npy a member; the names are the members'
** without ".npy".
**
** Members may be stored or deflated, with or without the 64-bit fields; every CRC is
** checked. A sound member that no array here can be (text, objects, no .npy) is left out, and
** named in the result; if there are no others, it is an error. Members are written stored, as
** numpy.savez does.
*/
#ifndef HL_IO_ARRAY_NPZ_H
#define HL_IO_ARRAY_NPZ_H

#include "io/array/named_arrays.h"

Status npz_load(FileReader *r, Arrays *out);                     /* *out is to be freed, also after a failure */
Status npz_save(const char *path, const Arrays *a);          /* without names: arr_0, arr_1, ... */

#endif
