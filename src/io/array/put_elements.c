/* put_elements.c - see put_elements.h. */
#include "io/array/put_elements.h"

#include "tensor/written_bytes.h"

void put_elements(FileWriter *w, const Tensor *t) {
  uint64_t piece[1 << 12];
  size_t at = 0, n;
  while (w->status == OK && (n = written_bytes(t, at, sizeof piece, piece)) > 0) {
    file_writer_put(w, piece, n);
    at += n;
  }
}
