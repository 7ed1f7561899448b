/* file_writer.h - buffered writes to a file, or only to a checksum.
**
** Errors are sticky: after one, calls do nothing, and the caller checks `status` once, at the end.
*/
#ifndef HL_IO_FILE_FILE_WRITER_H
#define HL_IO_FILE_FILE_WRITER_H

#include "io/file/file_checksum.h"
#include "base/status.h"

typedef struct FileWriter {
  const char *name;          /* the file, for errors */
  int fd;                    /* -1: bytes are only counted and summed */
  Checksum *sum;             /* of all bytes, unless NULL */
  uint64_t at;               /* bytes put */
  Status status;
  size_t held;
  unsigned char buffer[1 << 16];
} FileWriter;

void file_writer_start(FileWriter *w, const char *name, int fd);
void file_writer_put(FileWriter *w, const void *bytes, size_t n);
void file_writer_u16(FileWriter *w, uint16_t x);
void file_writer_u32(FileWriter *w, uint32_t x);
void file_writer_u64(FileWriter *w, uint64_t x);
Status file_writer_flush(FileWriter *w);    /* passes all bytes to the system; returns the status */

#endif
