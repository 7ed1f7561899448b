/* safe_open.c - see safe_open.h. */
#define _GNU_SOURCE
#include "base/safe_open.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

static const time_t STALE = 3600;      /* s */

/* Without O_NONBLOCK, opening a pipe waits for its other end; regular files ignore the flag. */
int open_regular(const char *path, int flags, mode_t mode, struct stat *is) {
  int fd = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, mode);
  if (fd < 0) return -1;
  if (fstat(fd, is) == 0 && S_ISREG(is->st_mode)) return fd;
  close(fd);
  errno = EINVAL;
  return -1;
}

void remove_stale(const char *folder, bool (*is_work)(const char *name)) {
  DIR *d = opendir(folder);
  time_t now = time(NULL);
  for (struct dirent *e; d && (e = readdir(d));) {
    struct stat s;
    if (!is_work(e->d_name) || fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (S_ISREG(s.st_mode) && s.st_uid == geteuid() && now - s.st_mtime > STALE) unlinkat(dirfd(d), e->d_name, 0);
  }
  if (d) closedir(d);
}
