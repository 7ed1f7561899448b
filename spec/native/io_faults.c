/* io_faults.c - a preloaded library that makes the system's file functions fail. FAULT="function:n:error" makes call n
** (counted from 1) of a function fail with that error; "short" halves writes and reads, and EINTR fails once.
*/
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

static int calls;
static char name[32], how[32];
static int which;

__attribute__((constructor)) static void read_fault(void) {
  const char *text = getenv("FAULT");
  if (text) sscanf(text, "%31[^:]:%d:%31s", name, &which, how);
}

static int error_number(void) {
  return strcmp(how, "EIO") == 0          ? EIO
         : strcmp(how, "ENOSPC") == 0     ? ENOSPC
         : strcmp(how, "EINTR") == 0      ? EINTR
         : strcmp(how, "EOPNOTSUPP") == 0 ? EOPNOTSUPP
                                          : EACCES;
}

/* Should this call fail? */
static int due(const char *function) { return strcmp(function, name) == 0 && ++calls == which; }
static int is_short(void) { return strcmp(how, "short") == 0; }

#define REAL(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))
#define FAIL(function) do { if (due(#function)) { errno = error_number(); return -1; } } while (0)

ssize_t write(int fd, const void *from, size_t n) {
  if (fd > 2 && due("write")) {
    if (!is_short()) {
      errno = error_number();
      return -1;
    }
    n = (n + 1) / 2;
  }
  return REAL(write)(fd, from, n);
}

ssize_t pread(int fd, void *to, size_t n, off_t at) {
  if (due("pread")) {
    if (!is_short()) {
      errno = error_number();
      return -1;
    }
    n = (n + 1) / 2;
  }
  return REAL(pread)(fd, to, n, at);
}

int open(const char *path, int flags, ...) {
  va_list args;
  va_start(args, flags);
  mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(args, mode_t) : 0;
  va_end(args);
  FAIL(open);
  return REAL(open)(path, flags, mode);
}

int fsync(int fd) {
  FAIL(fsync);
  return REAL(fsync)(fd);
}
int close(int fd) {
  if (due("close")) {
    REAL(close)(fd);
    errno = error_number();
    return -1;
  }
  return REAL(close)(fd);
}
int fchmod(int fd, mode_t mode) {
  FAIL(fchmod);
  return REAL(fchmod)(fd, mode);
}
int rename(const char *from, const char *to) {
  FAIL(rename);
  return REAL(rename)(from, to);
}
int linkat(int a, const char *from, int b, const char *to, int flags) {
  FAIL(linkat);
  return REAL(linkat)(a, from, b, to, flags);
}
