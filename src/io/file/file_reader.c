/* file_reader.c - see file_reader.h. Small fields are read through a buffer of one page, large payloads bypass it.
** Invariant: at <= size, and no byte at or beyond `size` is requested.
*/
#define _GNU_SOURCE
#include "io/file/file_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/threads/parallel_for.h"
#include "base/text_buffer.h"

enum { CHUNK = 8 << 20 };       /* bytes between two checks for Ctrl-C */

static Status read_file(FileReader *r, uint64_t offset, void *to, size_t n) {
  char *at = to;
  while (n > 0) {
    if (interrupted()) return interrupt_status();
    ssize_t got = pread(r->fd, at, n < CHUNK ? n : CHUNK, (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail_as(E_IO, "%s: offset %" PRIu64 ": read: %s", r->name, offset, strerror(errno));
    if (got == 0)
      return fail_as(E_IO, "%s: offset %" PRIu64 ": the file became shorter while it was read", r->name, offset);
    at += got;
    offset += (uint64_t)got;
    n -= (size_t)got;
  }
  return OK;
}

static Status read_memory(FileReader *r, uint64_t offset, void *to, size_t n) {
  memcpy(to, (const char *)r->source + offset, n);
  return OK;
}

static const char *kind_of(mode_t mode) {
  return S_ISDIR(mode) ? "a folder" : S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

Status file_reader_open(FileReader *r, const char *path) {
  struct stat st;
  *r = (FileReader){ .name = path, .read = read_file };
  do r->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  while (r->fd < 0 && errno == EINTR);
  if (r->fd < 0) return fail_as(E_IO, "%s: open: %s", path, strerror(errno));
  Status s = OK;
  if (fstat(r->fd, &st) != 0) s = fail_as(E_IO, "%s: %s", path, strerror(errno));
  else if (!S_ISREG(st.st_mode)) s = fail_as(E_IO, "%s: expected a file, got %s", path, kind_of(st.st_mode));
  if (s != OK) {
    file_reader_close(r);
    return s;
  }
  r->size = (uint64_t)st.st_size;
  return OK;
}

void file_reader_memory(FileReader *r, const char *name, const void *bytes, size_t n) {
  *r = (FileReader){ .name = name, .read = read_memory, .source = bytes, .size = n, .fd = -1 };
}

void file_reader_close(FileReader *r) {
  if (r->fd >= 0) close(r->fd);
  r->fd = -1;
}

Status file_reader_wrong(const FileReader *r, uint64_t offset, const char *field, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return fail("%s: offset %" PRIu64 ": %s%s%s: %s", r->name, offset, r->section, *r->section ? ": " : "", field, text);
}

/* Takes bytes that are known to exist, through the buffer. */
static Status fetch(FileReader *r, char *to, size_t n) {
  while (n > 0) {
    if (r->at >= r->held_at && r->at < r->held_at + r->held) {
      size_t skip = (size_t)(r->at - r->held_at), take = r->held - skip < n ? r->held - skip : n;
      memcpy(to, r->buffer + skip, take);
      to += take;
      n -= take;
      r->at += take;
    } else if (n >= sizeof r->buffer) {
      TRY(r->read(r, r->at, to, n));
      r->at += n;
      n = 0;
    } else {
      size_t take = file_reader_left(r) < sizeof r->buffer ? (size_t)file_reader_left(r) : sizeof r->buffer;
      r->held = 0;
      TRY(r->read(r, r->at, r->buffer, take));
      r->held_at = r->at;
      r->held = take;
    }
  }
  return OK;
}

Status file_reader_take(FileReader *r, void *to, uint64_t n, const char *field) {
  if (n > file_reader_left(r))
    return file_reader_wrong(r, r->at, field, "expected %" PRIu64 " bytes, got %" PRIu64 " (the file is cut off)", n,
                             file_reader_left(r));
  TRY(fetch(r, to, n));
  if (r->sum) checksum_add(r->sum, to, n);
  return OK;
}

Status file_reader_seek(FileReader *r, uint64_t offset, const char *field) {
  if (offset > r->size)
    return file_reader_wrong(r, r->at, field, "expected an offset of at most %" PRIu64 ", got %" PRIu64, r->size,
                             offset);
  r->at = offset;
  return OK;
}

Status file_reader_peek(FileReader *r, void *to, size_t most, size_t *n) {
  uint64_t at = r->at;
  r->at = 0;
  *n = r->size < most ? (size_t)r->size : most;
  Status s = fetch(r, to, *n);
  r->at = at;
  return s;
}

Status file_reader_finish(const FileReader *r) {
  if (file_reader_left(r) == 0) return OK;
  return file_reader_wrong(r, r->at, "end", "expected the end of the file, got %" PRIu64 " bytes more",
                           file_reader_left(r));
}

Status file_reader_payload(const FileReader *r, uint64_t offset, const Shape *shape, size_t element, bool last) {
  uint64_t n = 1;
  bool empty = false, overflow = false;
  for (int i = 0; i < shape->ndim; i++) { /* 0 counts as 1: strides must not overflow either */
    uint64_t d = (uint64_t)shape->dim[i];
    if (shape->dim[i] < 0)
      return file_reader_wrong(r, offset, "shape", "expected dimensions of 0 or more, got %s", shape_numbers(shape));
    empty |= d == 0;
    overflow |= __builtin_mul_overflow(n, d ? d : 1, &n) || n > (uint64_t)MAX_ELEMENTS;
  }
  if (overflow)
    return file_reader_wrong(r, offset, "shape", "expected at most 2^48 elements, got shape %s", shape_text(shape));
  uint64_t bytes = empty ? 0 : n * element, left = file_reader_left(r);
  if (bytes > left || (last && bytes < left))
    return file_reader_wrong(r, r->at, "data", "expected %" PRIu64 " bytes for shape %s, got %" PRIu64, bytes,
                             shape_text(shape), left);
  return OK;
}

/* In files any byte but 0 means true; a bool in C must be 0 or 1. */
static void make_truth_values(Tensor *t) {
  unsigned char *at = t->data;
  for (int64_t i = 0, n = tensor_size(t); i < n; i++) at[i] = at[i] != 0;
}

static void swap_bytes(Tensor *t) {
  int64_t n = tensor_size(t);
  uint16_t *two = t->data;
  uint32_t *four = t->data;
  uint64_t *eight = t->data;
  switch (dtype_size(t->type.dtype)) {
    case 2:
      for (int64_t i = 0; i < n; i++) two[i] = __builtin_bswap16(two[i]);
      break;
    case 4:
      for (int64_t i = 0; i < n; i++) four[i] = __builtin_bswap32(four[i]);
      break;
    case 8:
      for (int64_t i = 0; i < n; i++) eight[i] = __builtin_bswap64(eight[i]);
      break;
    default: break;
  }
}

Status file_reader_tensor(FileReader *r, const Type *type, bool swapped, Tensor *out) {
  *out = NO_TENSOR;
  TRY(tensor_new(type, DEVICE_HOST, out));
  Status s = file_reader_take(r, out->data, tensor_bytes(out), "data");
  if (s != OK) {
    tensor_release(out);
    return s;
  }
  if (swapped) swap_bytes(out);
  if (type->dtype == DT_BOOL) make_truth_values(out);
  return OK;
}
