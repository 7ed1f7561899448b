/* csv.h - a table of numbers as text, plain or packed by gzip: one line per row, commas between columns. Blank lines
** are ignored; every row has as many columns as the first. */
#ifndef HL_IO_ARRAY_CSV_H
#define HL_IO_ARRAY_CSV_H

#include "tensor/tensor.h"

/* Loads a (rows, columns) array. With `header`, the first line that is not blank is skipped. */
Status csv_load(const char *path, bool header, DType dtype, Tensor *out);

#endif
