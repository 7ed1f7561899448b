/* file_writer.h - where savers put their bytes: a file, or only its checksum.
**
** A failure sticks: later calls do nothing, and the caller looks at `status` once, at the end.
*/
#ifndef HL_IO_FILE_FILE_WRITER_H
#define HL_IO_FILE_FILE_WRITER_H

#include "io/file/file_checksum.h"
#include "base/status.h"

typedef struct FileWriter {
  const char *name;          /* for errors: the file */
  int fd;                    /* -1: nothing is written, the bytes are only counted and summed */
  Checksum *sum;             /* of everything put, while not NULL */
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
Status file_writer_flush(FileWriter *w);    /* everything has reached the system; the status */

#endif
