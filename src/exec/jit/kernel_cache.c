/* kernel_cache.c - see kernel_cache.h. After any failure a kernel is compiled again, with the same results. */
#include "exec/jit/kernel_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/settings/debug_switches.h"
#include "base/safe_open.h"
#include "base/memory.h"

static const int64_t MOST_BYTES = 256 << 20;
enum { MOST_ENTRIES = 4096, MOST_LISTED = 2 * MOST_ENTRIES, KEY_DIGITS = 32 };

typedef struct OldFile { char name[64]; time_t at; int64_t bytes; } OldFile;

/* ---- The directory -------------------------------------------------------------------------- */

static bool make_all(char *path) {
  for (char *at = path + 1; *at; at++) {
    if (*at != '/') continue;
    *at = '\0';
    bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
    *at = '/';
    if (!made) return false;
  }
  return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static bool is_private(const struct stat *s) {
  return S_ISDIR(s->st_mode) && s->st_uid == geteuid() && (s->st_mode & 022) == 0;
}

/* Can only this user and root rename files in the folder? The user's primary group counts as the user and may write; in
** a sticky folder such as /tmp only owners can rename. */
static bool is_trusted(const struct stat *s) {
  if (s->st_uid != 0 && s->st_uid != geteuid()) return false;
  return s->st_mode & S_ISVTX || !(s->st_mode & 02 || (s->st_mode & 020 && s->st_gid != getegid()));
}

/* `path` contains no symbolic links. */
static bool parents_are_trusted(const char *path) {
  char parent[PATH_MAX];
  struct stat s;
  snprintf(parent, sizeof parent, "%s", path);
  for (char *slash = strrchr(parent, '/'); slash; slash = strrchr(parent, '/')) {
    slash[slash == parent] = '\0';
    if (stat(parent, &s) != 0 || !is_trusted(&s)) return false;
    if (slash == parent) break;
  }
  return true;
}

/* The folder for kernels if no better one is usable; the next process uses it too. */
static void name_temporary(char *path, size_t size) { snprintf(path, size, "/tmp/hybridlua-%ld", (long)geteuid()); }

static void name_directory(char *path, size_t size) {
  const char *given = getenv("HYBRIDLUA_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (given && *given) snprintf(path, size, "%s", given);
  else if (xdg && *xdg == '/') snprintf(path, size, "%s/hybridlua", xdg);
  else if (home && *home == '/') snprintf(path, size, "%s/.cache/hybridlua", home);
  else name_temporary(path, size);
}

static CacheDirectory the_directory = { .fd = -1 };
static char directory_error[PATH_MAX + 100];         /* "" if there is none */
static pthread_once_t directory_once = PTHREAD_ONCE_INIT;

/* Sets d->path to the directory's descriptor in /proc, which stays the checked directory even if folders above it are
** renamed. Without /proc the name serves, since only trusted users can rename its parents. */
static void name_for_use(CacheDirectory *d, const char *name) {
  struct stat here, there;
  snprintf(d->path, sizeof d->path, "/proc/self/fd/%d", d->fd);
  bool same = fstat(d->fd, &here) == 0 && stat(d->path, &there) == 0 && here.st_dev == there.st_dev &&
              here.st_ino == there.st_ino;
  if (!same) snprintf(d->path, sizeof d->path, "%s", name);
}

/* Is it an entry or its temporary file? HYBRIDLUA_CACHE may name a directory with other files, which are kept. */
static bool is_ours(const char *name) {
  return strspn(name, "0123456789abcdef") == KEY_DIGITS && name[KEY_DIGITS] == '.' &&
         strlen(name) < sizeof((OldFile *)0)->name;
}

/* Is it a temporary file of a compiler, such as KEY.XXXXXX.c? */
static bool is_work(const char *name) { return is_ours(name) && strchr(name + KEY_DIGITS + 1, '.'); }

/* Opens the directory, creating it if needed; returns the problem, or NULL. *elsewhere: another folder may be used
** instead, because this one just cannot be created or written; others did not tamper with it. */
static const char *open_directory(CacheDirectory *d, char *named, bool *elsewhere) {
  char whole[PATH_MAX];
  struct stat s;
  *elsewhere = true;
  if (!make_all(named) || !realpath(named, whole) || strlen(whole) >= sizeof d->path) return "cannot be made";
  snprintf(d->name, sizeof d->name, "%s", whole);
  if ((d->fd = open(whole, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0 || fstat(d->fd, &s) != 0)
    return "cannot be opened";
  *elsewhere = false;
  if (!is_private(&s)) return "is not private: others may write to it";
  if (!parents_are_trusted(whole)) return "is in a folder that another user owns or can write to";
  *elsewhere = true;
  if (faccessat(d->fd, ".", W_OK | X_OK, AT_EACCESS) != 0) return "cannot be written to";
  name_for_use(d, whole);
  return NULL;
}

static void close_directory(CacheDirectory *d) {
  if (d->fd >= 0) close(d->fd);
  *d = (CacheDirectory){ .fd = -1 };
}

static void find_directory(void) {
  CacheDirectory *d = &the_directory;
  char named[PATH_MAX - 100], other[64];
  bool elsewhere;
  name_directory(named, sizeof named);
  name_temporary(other, sizeof other);
  const char *problem = open_directory(d, named, &elsewhere);
  if (problem) {
    snprintf(directory_error, sizeof directory_error, "the cache %s %s", named, problem);
    log_line(LOG_KERNEL, "%s", directory_error);
    close_directory(d);
    if (!elsewhere || strcmp(named, other) == 0 || open_directory(d, other, &elsewhere)) {
      close_directory(d);
      return;
    }
    log_line(LOG_KERNEL, "kernels are kept in %s", other);
    *directory_error = '\0';
  }
  remove_stale(d->path, is_work);
}

const CacheDirectory *kernel_cache_directory(const char **error) {
  pthread_once(&directory_once, find_directory);
  if (error) *error = *directory_error ? directory_error : NULL;
  return *directory_error ? NULL : &the_directory;
}

/* ---- Entries ---------------------------------------------------------------------------------- */

/* POSIX cksum: CRC-32, polynomial 0x04C11DB7, the length appended, complemented. */
static uint32_t checksum(const unsigned char *bytes, size_t n) {
  static uint32_t table[256];
  if (!table[1]) {
    for (uint32_t i = 0; i < 256; i++) {
      uint32_t c = i << 24;
      for (int k = 0; k < 8; k++) c = c & 0x80000000u ? c << 1 ^ 0x04C11DB7u : c << 1;
      table[i] = c;
    }
  }
  uint32_t c = 0;
  for (size_t i = 0; i < n; i++) c = c << 8 ^ table[(c >> 24 ^ bytes[i]) & 255];
  for (size_t rest = n; rest; rest >>= 8) c = c << 8 ^ table[(c >> 24 ^ rest) & 255];
  return ~c;
}

/* The content of a regular file that only this user can write; otherwise NULL. */
static unsigned char *read_own(const char *path, size_t *size) {
  struct stat s;
  int file = open_regular(path, O_RDONLY | O_NOFOLLOW, 0, &s);
  if (file < 0) return NULL;
  bool ours = s.st_uid == geteuid() && (s.st_mode & 022) == 0 && s.st_size < 1 << 28;
  unsigned char *bytes = ours ? object_new((size_t)s.st_size + 1) : NULL;
  *size = (size_t)s.st_size;
  if (bytes && read(file, bytes, *size) != s.st_size) {
    object_free(bytes);
    bytes = NULL;
  }
  close(file);
  return bytes;
}

bool kernel_cache_find(const char *key, char *path, int size) {
  const CacheDirectory *directory = kernel_cache_directory(NULL);
  char sum_path[PATH_MAX];
  size_t n, n_sum;
  if (!directory) return false;
  snprintf(path, (size_t)size, "%s/%s.so", directory->path, key);
  snprintf(sum_path, sizeof sum_path, "%s/%s.sum", directory->path, key);
  unsigned char *sum = read_own(sum_path, &n_sum), *bytes = sum ? read_own(path, &n) : NULL;
  unsigned long said, length;
  bool whole = bytes && sscanf((const char *)sum, "%lu %lu", &said, &length) == 2 && length == n &&
               said == checksum(bytes, n);
  object_free(sum);
  object_free(bytes);
  return whole;
}

/* ---- Its size ------------------------------------------------------------------------------------ */

static int compare_age(const void *a, const void *b) {
  const OldFile *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

void kernel_cache_trim(void) {
  const CacheDirectory *directory = kernel_cache_directory(NULL);
  DIR *d = directory ? opendir(directory->path) : NULL;
  OldFile *list = d ? object_new(MOST_LISTED * sizeof *list) : NULL;
  int n = 0;
  int64_t total = 0;
  for (struct dirent *e; list && n < MOST_LISTED && (e = readdir(d));) {
    struct stat s;
    if (!is_ours(e->d_name)) continue;
    if (fstatat(dirfd(d), e->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(s.st_mode)) continue;
    strcpy(list[n].name, e->d_name);
    list[n].at = s.st_mtime;
    total += list[n++].bytes = s.st_size;
  }
  if (total > MOST_BYTES || n > MOST_ENTRIES) {
    qsort(list, (size_t)n, sizeof *list, compare_age);
    for (int i = 0; i < n && (total > MOST_BYTES / 4 * 3 || i < n / 4); i++)
      if (unlinkat(dirfd(d), list[i].name, 0) == 0) total -= list[i].bytes;
  }
  object_free(list);
  if (d) closedir(d);
}
