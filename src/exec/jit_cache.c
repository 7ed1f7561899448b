/* jit_cache.c - see jit_cache.h. Nothing here is needed for right results: every failure only
** means that something is compiled again. */
#include "exec/jit_cache.h"

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

#include "base/memory.h"

static const int64_t MOST_BYTES = 256 << 20;
enum { MOST_ENTRIES = 4096, MOST_LISTED = 2 * MOST_ENTRIES, KEY_DIGITS = 32 };

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

static bool is_private(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid() && (s.st_mode & 022) == 0;
}

static void name_directory(char *path, size_t size) {
  const char *given = getenv("HYBRIDLUA_CACHE"), *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (given && *given) snprintf(path, size, "%s", given);
  else if (xdg && *xdg == '/') snprintf(path, size, "%s/hybridlua", xdg);
  else if (home && *home == '/') snprintf(path, size, "%s/.cache/hybridlua", home);
  else snprintf(path, size, "/tmp/hybridlua-%ld", (long)geteuid());
}

static char directory_path[PATH_MAX - 100], directory_error[PATH_MAX + 100];     /* the error is "" if there is none */
static pthread_once_t directory_once = PTHREAD_ONCE_INIT;

static void find_directory(void) {
  char whole[PATH_MAX];
  name_directory(directory_path, sizeof directory_path);
  bool usable = make_all(directory_path) && is_private(directory_path) && realpath(directory_path, whole);
  if (usable && strlen(whole) < sizeof directory_path)
    strcpy(directory_path, whole);        /* the script may change its directory */
  else
    snprintf(directory_error, sizeof directory_error, "the cache %s cannot be made, or others may write to it", directory_path);
}

const char *jit_cache_directory(const char **error) {
  pthread_once(&directory_once, find_directory);
  *error = *directory_error ? directory_error : NULL;
  return *error ? NULL : directory_path;
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

/* The bytes of a regular file that is ours alone; NULL if it is not. */
static unsigned char *read_own(const char *path, size_t *size) {
  struct stat s;
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return NULL;
  bool ours = fstat(file, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid() && (s.st_mode & 022) == 0 && s.st_size < 1 << 28;
  unsigned char *bytes = ours ? object_new((size_t)s.st_size + 1) : NULL;
  *size = bytes ? (size_t)s.st_size : 0;
  for (size_t at = 0; bytes && at < *size;) {
    ssize_t n = read(file, bytes + at, *size - at);
    if (n <= 0) { object_free(bytes); bytes = NULL; break; }
    at += (size_t)n;
  }
  close(file);
  return bytes;
}

bool jit_cache_find(const char *key, char *path, int size) {
  const char *error, *directory = jit_cache_directory(&error);
  char sum_path[PATH_MAX];
  size_t n, n_sum;
  if (!directory) return false;
  snprintf(path, (size_t)size, "%s/%s.so", directory, key);
  snprintf(sum_path, sizeof sum_path, "%s/%s.sum", directory, key);
  unsigned char *sum = read_own(sum_path, &n_sum), *bytes = sum ? read_own(path, &n) : NULL;
  unsigned long said, length;
  bool whole = bytes && sscanf((const char *)sum, "%lu %lu", &said, &length) == 2 && length == n && said == checksum(bytes, n);
  object_free(sum);
  object_free(bytes);
  return whole;
}

/* ---- Its size ------------------------------------------------------------------------------------ */

typedef struct OldFile { char name[64]; time_t at; int64_t bytes; } OldFile;

/* Files that are not ours stay, if someone named a directory that has such. */
static bool is_ours(const char *name) {
  return strspn(name, "0123456789abcdef") == KEY_DIGITS && name[KEY_DIGITS] == '.' && strlen(name) < sizeof ((OldFile *)0)->name;
}

static int compare_age(const void *a, const void *b) {
  const OldFile *x = a, *y = b;
  return x->at < y->at ? -1 : x->at > y->at;
}

void jit_cache_trim(void) {
  const char *error, *directory = jit_cache_directory(&error);
  DIR *d = directory ? opendir(directory) : NULL;
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
