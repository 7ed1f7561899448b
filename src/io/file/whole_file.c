/* whole_file.c - whole files.
**
** A save writes a nameless file in the target's folder or, if the file system has none, a file named
** .hybridlua-PID-N.tmp. It syncs the file to the disk, renames it to the target, which is atomic, and syncs the folder.
** A crash before the rename leaves the old file, one after it the new file. A later save in the folder removes
** temporary files that a crash left.
*/
#define _GNU_SOURCE
#include "io/file/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/safe_open.h"
#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "io/file/file_limits.h"

/* ---- Reading ----------------------------------------------------------------------------- */

void file_bytes_free(FileBytes *b) {
  block_free(b->at, b->capacity);
  *b = (FileBytes){ 0 };
}

/* Makes the capacity at least `capacity` bytes, keeping the content. */
static Status bytes_reserve(FileBytes *b, size_t capacity) {
  void *at;
  if (capacity <= b->capacity) return OK;
  TRY(block_new(capacity, &at));
  if (b->n > 0) memcpy(at, b->at, b->n);
  block_free(b->at, b->capacity);
  b->at = at;
  b->capacity = capacity;
  return OK;
}

/* Reads all of r, if it has at most `most` bytes. */
static Status read_rest(FileReader *r, uint64_t most, FileBytes *out) {
  if (r->size > most)
    return fail("%s: expected a file of at most %" PRIu64 " bytes, got %" PRIu64, r->name, most, r->size);
  TRY(bytes_reserve(out, (size_t)r->size + 1));
  TRY(file_reader_take(r, out->at, r->size, "content"));
  out->n = (size_t)r->size;
  out->at[out->n] = '\0';
  return OK;
}

enum { GZIP = 16 + MAX_WBITS, PACKED = 1 << 16 };

/* Grows the capacity, up to `most` bytes and the largest size that deflate can pack into the file. */
static Status grow(const FileReader *r, uint64_t most, FileBytes *out) {
  uint64_t possible = r->size * LIMIT_INFLATE < most ? r->size * LIMIT_INFLATE : most;
  if (out->n >= possible)
    return fail("%s: expected at most %" PRIu64 " bytes when unpacked, got more", r->name, possible);
  uint64_t capacity = out->capacity ? (uint64_t)out->capacity * 2 : r->size * 4;
  if (capacity > possible) capacity = possible;
  return bytes_reserve(out, (size_t)capacity + 1);
}

/* Calls inflate once; *full: there may be more output without more input. */
static Status inflate_some(const FileReader *r, z_stream *z, FileBytes *out, int *result, bool *full) {
  size_t capacity = out->capacity - 1 - out->n;
  uInt most = capacity > UINT_MAX ? UINT_MAX : (uInt)capacity;
  z->next_out = (unsigned char *)out->at + out->n;
  z->avail_out = most;
  *result = inflate(z, Z_NO_FLUSH);
  out->n += most - z->avail_out;
  *full = *result == Z_OK && z->avail_out == 0;
  if (*result == Z_BUF_ERROR) *result = Z_OK;          /* it needs more input */
  if (*result == Z_MEM_ERROR) return no_memory("unpacking");
  if (*result == Z_OK || *result == Z_STREAM_END) return OK;
  return file_reader_wrong(r, r->at - z->avail_in, "gzip data", "expected data packed by gzip, got damaged data (%s)",
                           z->msg ? z->msg : "?");
}

/* Unpacks the members in order, like gzip. */
static Status inflate_all(FileReader *r, z_stream *z, uint64_t most, FileBytes *out) {
  unsigned char packed[PACKED];
  int result = Z_OK;
  for (bool full = false;;) {
    if (interrupted()) return interrupt_status();
    if (z->avail_in == 0 && file_reader_left(r) > 0) {
      z->next_in = packed;
      z->avail_in = file_reader_left(r) < PACKED ? (uInt)file_reader_left(r) : PACKED;
      TRY(file_reader_take(r, packed, z->avail_in, "gzip data"));
    }
    if (z->avail_in == 0 && !full) break;
    if (result == Z_STREAM_END) inflateReset(z);
    if (out->n + 1 >= out->capacity) TRY(grow(r, most, out));
    TRY(inflate_some(r, z, out, &result, &full));
  }
  if (result != Z_STREAM_END)
    return file_reader_wrong(r, r->at, "gzip data", "expected more, got the end (the file is cut off)");
  out->at[out->n] = '\0';
  return OK;
}

static Status read_gzip(FileReader *r, uint64_t most, FileBytes *out) {
  z_stream z = { 0 };
  Status s = inflateInit2(&z, GZIP) == Z_OK ? inflate_all(r, &z, most, out) : no_memory("unpacking");
  inflateEnd(&z);
  return s;
}

static Status read_whole(const char *path, uint64_t most, bool unpack, FileBytes *out) {
  FileReader r;
  unsigned char magic[2];
  size_t n = 0;
  *out = (FileBytes){ 0 };
  TRY(file_reader_open(&r, path));
  Status s = unpack ? file_reader_peek(&r, magic, sizeof magic, &n) : OK;
  const bool packed = n == 2 && magic[0] == 0x1f && magic[1] == 0x8b;
  if (s == OK) s = packed ? read_gzip(&r, most, out) : read_rest(&r, most, out);
  file_reader_close(&r);
  if (s != OK) file_bytes_free(out);
  return s;
}

Status whole_file_read(const char *path, uint64_t most, FileBytes *out) { return read_whole(path, most, false, out); }

Status whole_file_read_gzip(const char *path, uint64_t most, FileBytes *out) {
  return read_whole(path, most, true, out);
}

/* ---- Saving -------------------------------------------------------------------------------- */

enum { MOST_LINKS = 40 };

typedef struct SaveTarget {
  const char *path;          /* the user's, for errors */
  char file[PATH_MAX];       /* with symbolic links followed */
  char folder[PATH_MAX];
  char temporary[PATH_MAX];  /* the name of the unfinished file; "" if it has none */
  bool exists;
  struct stat was;
} SaveTarget;

static Status io_error(const SaveTarget *t, const char *what) {
  return fail_as(E_IO, "%s: %s: %s", t->path, what, strerror(errno));
}

static Status refuse(const SaveTarget *t, int code) {
  errno = code;
  return io_error(t, "save");
}

/* The length of the folder part of t->file, with its slash; 0 if there is none. */
static size_t folder_length(const SaveTarget *t) {
  const char *slash = strrchr(t->file, '/');
  return slash ? (size_t)(slash - t->file) + 1 : 0;
}

/* Follows one symbolic link; *more: was there one? */
static Status follow_link(SaveTarget *t, bool *more) {
  char to[PATH_MAX], joined[2 * PATH_MAX];
  ssize_t n = readlink(t->file, to, sizeof to - 1);
  *more = n >= 0;
  if (n < 0) return OK;
  to[n] = '\0';
  int prefix = to[0] == '/' ? 0 : (int)folder_length(t);
  int length = snprintf(joined, sizeof joined, "%.*s%s", prefix, t->file, to);
  if (length >= PATH_MAX) return refuse(t, ENAMETOOLONG);
  memcpy(t->file, joined, (size_t)length + 1);
  return OK;
}

static Status find_target(SaveTarget *t) {
  bool more = true;
  if (snprintf(t->file, sizeof t->file, "%s", t->path) >= (int)sizeof t->file) return refuse(t, ENAMETOOLONG);
  for (int i = 0; more; i++) {
    if (i == MOST_LINKS) return refuse(t, ELOOP);
    TRY(follow_link(t, &more));
  }
  size_t n = folder_length(t);
  snprintf(t->folder, sizeof t->folder, "%.*s", n ? (int)n : 1, n ? t->file : ".");
  t->exists = stat(t->file, &t->was) == 0;
  if (!t->exists && errno != ENOENT) return io_error(t, "save");
  if (t->exists && S_ISDIR(t->was.st_mode)) return refuse(t, EISDIR);
  if (t->exists && faccessat(AT_FDCWD, t->file, W_OK, AT_EACCESS) != 0) return io_error(t, "save");
  return OK;
}

/* Sets t->temporary to a new name. */
static Status next_name(SaveTarget *t) {
  static atomic_uint count;
  const char *slash = t->folder[strlen(t->folder) - 1] == '/' ? "" : "/";
  int n = snprintf(t->temporary, sizeof t->temporary, "%s%s.hybridlua-%ld-%u.tmp", t->folder, slash, (long)getpid(),
                   atomic_fetch_add(&count, 1));
  return n < (int)sizeof t->temporary ? OK : refuse(t, ENAMETOOLONG);
}

enum { MOST_NAMES = 100 };

/* Finds a free name: links the nameless file `self` to it or, if that is NULL, makes a file. */
static Status take_name(SaveTarget *t, const char *self, mode_t mode, int *fd) {
  for (int i = 0; i < MOST_NAMES; i++) {
    TRY(next_name(t));
    if (self && linkat(AT_FDCWD, self, AT_FDCWD, t->temporary, AT_SYMLINK_FOLLOW) == 0) return OK;
    if (!self && (*fd = open(t->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)) >= 0) return OK;
    if (errno != EEXIST && errno != EINTR) break;
  }
  t->temporary[0] = '\0';
  return io_error(t, "save");
}

/* Is this the name of an unfinished file whose process has ended? */
static bool is_left_over(const char *name) {
  long process;
  int end = 0;
  return sscanf(name, ".hybridlua-%ld-%*u.tmp%n", &process, &end) == 1 && end > 0 && name[end] == '\0' && process > 0 &&
         kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* Removes temporary files that a crash left. A folder is checked once, until a save in another folder. */
static void sweep(const char *folder) {
  static _Atomic dev_t device;
  static _Atomic ino_t file;
  struct stat s;
  if (stat(folder, &s) != 0 || (device == s.st_dev && file == s.st_ino)) return;
  device = s.st_dev;
  file = s.st_ino;
  remove_stale(folder, is_left_over);
}

/* Opens the unfinished file. If it replaces a file, no other user can read it until it has that file's mode. */
static Status open_temporary(SaveTarget *t, bool nameless, int *fd) {
  const mode_t mode = t->exists ? 0600 : 0666;
  if (!nameless) return take_name(t, NULL, mode, fd);
  *fd = open(t->folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  return *fd < 0 ? io_error(t, "save") : OK;
}

/* Gives a nameless file a temporary name, because only rename can replace a file. */
static Status name_temporary(SaveTarget *t, int fd) {
  char self[64];
  snprintf(self, sizeof self, "/proc/self/fd/%d", fd);
  return take_name(t, self, 0, &fd);
}

static int sync_file(int fd) {
  int result;
  do result = fsync(fd);
  while (result != 0 && errno == EINTR);
  return result;
}

/* Syncs the folder, if the file system supports that. */
static Status sync_folder(const SaveTarget *t) {
  int fd = open(t->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return OK;
  bool failed = sync_file(fd) != 0 && errno != EINVAL && errno != EROFS;
  Status s = failed ? io_error(t, "the folder could not be written to the disk") : OK;
  close(fd);
  return s;
}

static Status write_body(const SaveTarget *t, int fd, SaveBody *body, const void *what) {
  FileWriter *w = object_new(sizeof *w);
  if (!w) return no_memory("file buffer");
  file_writer_start(w, t->path, fd);
  Status s = body(w, what);
  if (s == OK) s = file_writer_flush(w);
  object_free(w);
  return s;
}

/* Sets the old file's owner and mode, the owner first, because changing it clears mode bits. */
static Status keep_mode(const SaveTarget *t, int fd) {
  if (!t->exists) return OK;
  /* usually permitted for root only */
  if (fchown(fd, t->was.st_uid, t->was.st_gid) != 0 && fchown(fd, (uid_t)-1, t->was.st_gid) != 0) errno = 0;
  return fchmod(fd, t->was.st_mode & 07777) == 0 ? OK : io_error(t, "save");
}

/* Tries a nameless file first, which a crash cannot leave behind; uses a named one if the file system has no nameless
** files or /proc is not available to name them. */
static Status save_replacing(SaveTarget *t, bool nameless, SaveBody *body, const void *what) {
  int fd;
  Status s = open_temporary(t, nameless, &fd);
  if (s != OK) return nameless ? save_replacing(t, false, body, what) : s;
  s = write_body(t, fd, body, what);
  if (s == OK) s = keep_mode(t, fd);
  if (s == OK && sync_file(fd) != 0) s = io_error(t, "fsync");
  if (s == OK && nameless && name_temporary(t, fd) != OK) {
    close(fd);
    return save_replacing(t, false, body, what);
  }
  if (close(fd) != 0 && errno != EINTR && s == OK) s = io_error(t, "close");
  if (s == OK && rename(t->temporary, t->file) != 0) s = io_error(t, "rename");
  if (s == OK) sweep(t->folder);
  if (s == OK) return sync_folder(t);
  if (t->temporary[0]) unlink(t->temporary);
  return s;
}

/* Writes to a device or a pipe, which cannot be replaced. */
static Status save_into(const SaveTarget *t, SaveBody *body, const void *what) {
  int fd;
  do fd = open(t->file, O_WRONLY | O_CLOEXEC);
  while (fd < 0 && errno == EINTR && !interrupted());
  if (fd < 0) return io_error(t, "open");
  Status s = write_body(t, fd, body, what);
  if (close(fd) != 0 && s == OK) s = io_error(t, "close");
  return s;
}

Status whole_file_save(const char *path, SaveBody *body, const void *what) {
  SaveTarget *t = object_new(sizeof *t);
  if (!t) return no_memory("saving");
  t->path = path;
  Status s = find_target(t);
  if (s == OK)
    s = t->exists && !S_ISREG(t->was.st_mode) ? save_into(t, body, what) : save_replacing(t, true, body, what);
  object_free(t);
  return s;
}

static Status put_text(FileWriter *w, const void *what) {
  const Text *t = what;
  file_writer_put(w, t->at, t->length);
  return w->status;
}

Status whole_file_save_text(const char *path, const Text *text) { return whole_file_save(path, put_text, text); }
