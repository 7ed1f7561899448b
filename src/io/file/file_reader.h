/* file_reader.h - bytes of a file in order, with the file's size known from the start.
**
** Nothing is taken that is not there: every failure names the file, the offset, the
** field, what was wanted and what there is. A reader stands on a file (read as it is
** needed, large payloads straight to where they belong), on memory, or on what another
** source unpacks.
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

/* Puts exactly n bytes, those at `offset`, into `to`; the reader has checked that they
** lie inside. */
typedef Status ReadBytes(FileReader *r, uint64_t offset, void *to, size_t n);

struct FileReader {
  const char *name;          /* for errors: the file */
  char section[64];          /* for errors: where in it, "array 3"; empty: nowhere special */
  uint64_t size, at;         /* bytes in all; bytes taken */
  ReadBytes *read;
  const void *source;        /* what `read` reads from */
  int fd;                    /* the file; -1: none */
  Checksum *sum;             /* of everything taken, while not NULL */
  uint64_t held_at;          /* the buffer holds the bytes from here on */
  size_t held;
  unsigned char buffer[4096];
};

Status file_reader_open(FileReader *r, const char *path);       /* a regular file; file_reader_close it */
void file_reader_memory(FileReader *r, const char *name, const void *bytes, size_t n);
void file_reader_close(FileReader *r);

static inline uint64_t file_reader_left(const FileReader *r) { return r->size - r->at; }

/* The next n bytes. `field` is what they are, for errors. */
Status file_reader_take(FileReader *r, void *to, uint64_t n, const char *field);
/* An integer of the width of *out. */
#define file_reader_number(r, field, out) file_reader_take(r, out, sizeof *(out), field)

/* Goes to an offset; of a file or memory only. */
Status file_reader_seek(FileReader *r, uint64_t offset, const char *field);

/* The bytes at the beginning, without taking them; *n less than `most` in a short file. */
Status file_reader_peek(FileReader *r, void *to, size_t most, size_t *n);

/* Fails unless everything was taken. */
Status file_reader_finish(const FileReader *r);

/* A new array of a known type and its elements, which are the next bytes; `swapped`: most
** significant byte first. */
Status file_reader_tensor(FileReader *r, const Type *type, bool swapped, Tensor *out);

/* Fails naming file, offset (that of the field) and section: "...: dims: expected X, got Y". */
Status file_reader_wrong(const FileReader *r, uint64_t offset, const char *field, const char *format, ...)
  __attribute__((format(printf, 4, 5), cold));

/* Fails unless the elements of an array that a file describes are there to be read next: if
** the shape (which is written at `offset`) is not one, if the product overflows, if bytes
** are missing or, where the array is `last`, left over. */
Status file_reader_payload(const FileReader *r, uint64_t offset, const Shape *shape, size_t element, bool last);

#endif
