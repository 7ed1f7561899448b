/* whole_file.h - whole files: read into memory, unpacked, saved atomically. */
#ifndef HL_IO_FILE_WHOLE_FILE_H
#define HL_IO_FILE_WHOLE_FILE_H

#include "base/text_buffer.h"
#include "io/file/file_reader.h"
#include "io/file/file_writer.h"

typedef struct FileBytes {
  char *at;          /* a block of memory (base/memory.h) with a '\0' after the last byte */
  size_t n, capacity;
} FileBytes;

/* Reads a file of at most `most` bytes. */
Status whole_file_read(const char *path, uint64_t most, FileBytes *out);

/* The same, but unpacks a file packed by gzip, to at most `most` bytes. */
Status whole_file_read_gzip(const char *path, uint64_t most, FileBytes *out);

void file_bytes_free(FileBytes *b);

/* Saves the output of `body` as `path` atomically: a reader, even after a crash, finds the old content or the new one.
** A failure changes nothing. Symbolic links are followed; an existing file's mode and, if permitted, owner are kept. A
** device or pipe is written to directly. */
typedef Status SaveBody(FileWriter *w, const void *what);
Status whole_file_save(const char *path, SaveBody *body, const void *what);
Status whole_file_save_text(const char *path, const Text *text);

#endif
