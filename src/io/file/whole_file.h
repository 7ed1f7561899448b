/* whole_file.h - whole files: read at once, unpacked, and saved so that they never break. */
#ifndef HL_IO_FILE_WHOLE_FILE_H
#define HL_IO_FILE_WHOLE_FILE_H

#include "base/text_buffer.h"
#include "io/file/file_reader.h"
#include "io/file/file_writer.h"

typedef struct FileBytes {
  char *at;          /* a block of memory (base/memory.h), a '\0' behind the last byte */
  size_t n, capacity;
} FileBytes;

/* The content of a file of at most `most` bytes. */
Status whole_file_read(const char *path, uint64_t most, FileBytes *out);

/* The same; what gzip packed is unpacked, into at most `most` bytes. */
Status whole_file_read_gzip(const char *path, uint64_t most, FileBytes *out);

void file_bytes_free(FileBytes *b);

/* Saves what `body` writes as `path`, whole or not at all: a reader, even after a
** crash, finds the old content or the new. Symbolic links are followed; the mode (and
** the owner, where we may) of a file that was there stays. A device or pipe is
** written to as it is. On failure everything is as it was. */
typedef Status SaveBody(FileWriter *w, const void *what);
Status whole_file_save(const char *path, SaveBody *body, const void *what);
Status whole_file_save_text(const char *path, const Text *text);

#endif
