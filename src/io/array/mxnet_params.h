/* mxnet_params.h - MXNet's NDArray file, ".params": arrays in a list, or by name.
**
**     u64 0x112   u64 reserved   u64 n   n records   u64 k (0 or n)   k names: u64 length, bytes
**     record: u32 0xF993FAC9 (V2; V3 ...CA)   i32 storage type (0: dense)   i32 ndim   i64 dims
**             i32 device type   i32 device id   i32 dtype   data, row-major
** V1 (0xF993FAC8) has no storage type; before that the first word is ndim and dims are u32.
** V3 is V2 where ndim 0 is a scalar. All little-endian.
**
** MXNet writes 0 as the reserved word and ignores it when reading. Files written here have the checksum of all other
** bytes there, so that damage is detected, and MXNet still reads them.
*/
#ifndef HL_IO_ARRAY_MXNET_PARAMS_H
#define HL_IO_ARRAY_MXNET_PARAMS_H

#include "io/array/named_arrays.h"

enum { PARAMS_MAGIC = 0x112 };

/* Reads all arrays. The caller frees *out, even after a failure. Sparse arrays and "none" are rejected, bfloat16
** becomes float32. */
Status mxnet_params_load(FileReader *r, Arrays *out);

/* Writes the same bytes as MXNet: V2 records, or V3 records if an array is 0-d or empty, or if
** the arrays are np's. */
Status mxnet_params_save(const char *path, const Arrays *a);

#endif
