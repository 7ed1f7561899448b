/* file_reader.h - sequential reads from a source of known size.
**
** A read past the end fails; every error names the file, the offset, the field, the expected and the actual value. The
** source is a file (read on demand, large payloads directly to their destination), memory, or a function that unpacks.
*/
#ifndef HL_IO_FILE_FILE_READER_H
#define HL_IO_FILE_FILE_READER_H

#include <stdbool.h>

#include "io/file/file_checksum.h"
#include "tensor/tensor.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "files are little-endian, and read without conversion"
#endif

typedef struct FileReader FileReader;

/* Copies the n bytes at `offset` to `to`; the reader has checked that they exist. */
typedef Status ReadBytes(FileReader *r, uint64_t offset, void *to, size_t n);

struct FileReader {
  const char *name;          /* the file, for errors */
  char section[64];          /* the part of the file, for errors: "array 3", or "" */
  uint64_t size, at;         /* total bytes; bytes taken */
  ReadBytes *read;
  const void *source;        /* for `read` */
  int fd;                    /* the file's; -1 if none */
  Checksum *sum;             /* of the bytes taken, unless NULL */
  uint64_t held_at;          /* offset of the buffer's first byte */
  size_t held;
  unsigned char buffer[4096];
};

Status file_reader_open(FileReader *r, const char *path);       /* a regular file; the caller closes the reader */
void file_reader_memory(FileReader *r, const char *name, const void *bytes, size_t n);
void file_reader_close(FileReader *r);

static inline uint64_t file_reader_left(const FileReader *r) { return r->size - r->at; }

/* Takes the next n bytes. `field` names them in errors. */
Status file_reader_take(FileReader *r, void *to, uint64_t n, const char *field);
/* Takes an integer of the width of *out. */
#define file_reader_number(r, field, out) file_reader_take(r, out, sizeof *(out), field)

/* Moves to an offset; for files and memory only. */
Status file_reader_seek(FileReader *r, uint64_t offset, const char *field);

/* Copies up to `most` bytes from the beginning, without taking them; *n is their number. */
Status file_reader_peek(FileReader *r, void *to, size_t most, size_t *n);

/* Fails if bytes remain. */
Status file_reader_finish(const FileReader *r);

/* Makes an array of a known type from the next bytes; `swapped`: most significant byte first. */
Status file_reader_tensor(FileReader *r, const Type *type, bool swapped, Tensor *out);

/* Fails with file, the field's offset and section in the error: "...: dims: expected X, got Y". */
Status file_reader_wrong(const FileReader *r, uint64_t offset, const char *field, const char *format, ...)
  __attribute__((format(printf, 4, 5), cold));

/* Checks that the elements of an array can be read next. Fails if the shape (which is at `offset` in the file) is
** invalid, if the number of elements overflows, if bytes are missing or, after a `last` array, if bytes remain. */
Status file_reader_payload(const FileReader *r, uint64_t offset, const Shape *shape, size_t element, bool last);

#endif
