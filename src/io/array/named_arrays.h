/* named_arrays.h - the content of an array file: arrays in order, with or without names. */
#ifndef HL_IO_ARRAY_NAMED_ARRAYS_H
#define HL_IO_ARRAY_NAMED_ARRAYS_H

#include "base/text_buffer.h"
#include "io/file/file_reader.h"

typedef struct NamedArray {
  Tensor tensor;
  char *name;              /* NULL in a list, for all its arrays */
} NamedArray;

typedef struct Arrays {
  NamedArray *at;
  int64_t n;
  int capacity;
  Text left_out;           /* description of unsupported parts of the file; empty if there are none */
  int64_t n_left_out;
  bool np;                 /* np's: MXNet reads them under npx.set_np */
} Arrays;

/* Takes ownership of *t, and copies the name (NULL in a list). */
Status arrays_add(Arrays *a, Tensor *t, const char *name, size_t length);
Status arrays_name(Arrays *a, int64_t i, const char *name, size_t length);

/* Sorts by name, bytewise. */
void arrays_sort(Arrays *a);

/* Fails with the file in the error if two names are equal. */
Status arrays_check_names(const Arrays *a, const FileReader *r);

void arrays_free(Arrays *a);

static inline bool arrays_named(const Arrays *a) { return a->n > 0 && a->at[0].name; }

#endif
