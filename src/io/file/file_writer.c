/* file_writer.c - see file_writer.h. Small pieces are buffered, large ones bypass the buffer. */
#include "io/file/file_writer.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/threads/parallel_for.h"

enum { CHUNK = 8 << 20 };       /* bytes between two checks for Ctrl-C */

void file_writer_start(FileWriter *w, const char *name, int fd) {
  w->name = name;
  w->fd = fd;
  w->sum = NULL;
  w->at = 0;
  w->status = OK;
  w->held = 0;
}

/* Writes everything, repeating short writes. */
static void write_all(FileWriter *w, const unsigned char *at, size_t n) {
  while (n > 0 && w->status == OK) {
    if (interrupted()) {
      w->status = interrupt_status();
      return;
    }
    ssize_t put = write(w->fd, at, n < CHUNK ? n : CHUNK);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) {
      w->status = fail_as(E_IO, "%s: write: %s (%" PRIu64 " bytes in)", w->name, strerror(errno), w->at);
      return;
    }
    at += put;
    n -= (size_t)put;
  }
}

Status file_writer_flush(FileWriter *w) {
  size_t held = w->held;
  w->held = 0;
  if (w->fd >= 0) write_all(w, w->buffer, held);
  return w->status;
}

void file_writer_put(FileWriter *w, const void *bytes, size_t n) {
  if (w->status != OK) return;
  w->at += n;
  if (w->sum) checksum_add(w->sum, bytes, n);
  if (w->fd < 0) return;
  if (n > sizeof w->buffer - w->held && file_writer_flush(w) != OK) return;
  if (n >= sizeof w->buffer) {
    write_all(w, bytes, n);
    return;
  }
  memcpy(w->buffer + w->held, bytes, n);
  w->held += n;
}

void file_writer_u16(FileWriter *w, uint16_t x) { file_writer_put(w, &x, sizeof x); }
void file_writer_u32(FileWriter *w, uint32_t x) { file_writer_put(w, &x, sizeof x); }
void file_writer_u64(FileWriter *w, uint64_t x) { file_writer_put(w, &x, sizeof x); }
