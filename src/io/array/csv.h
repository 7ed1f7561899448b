/* csv.h - a table of numbers as text: a line a row, commas between columns, plain or
** packed by gzip. Blank lines do not count; every row has as many columns as the first. */
#ifndef HL_IO_ARRAY_CSV_H
#define HL_IO_ARRAY_CSV_H

#include "tensor/tensor.h"

/* A (rows, columns) array; `header`: the first line that is not blank holds titles and
** is passed over. */
Status csv_load(const char *path, bool header, DType dtype, Tensor *out);

#endif
