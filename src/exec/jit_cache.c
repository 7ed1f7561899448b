/* jit_cache.c - see jit_cache.h. Nothing here is needed for right results: every failure only
** means that something is compiled again. */
#include "exec/jit_cache.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

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

const char *jit_cache_directory(const char **error) {
  static char path[PATH_MAX - 100], why[PATH_MAX + 100];
  static int known;          /* 1: fine, 2: not */
  if (!known) {
    name_directory(path, sizeof path);
    char whole[PATH_MAX];
    known = make_all(path) && is_private(path) && realpath(path, whole) && strlen(whole) < sizeof path ? 1 : 2;
    if (known == 1) strcpy(path, whole);        /* the script may change its directory */
    if (known == 2) snprintf(why, sizeof why, "the cache %s cannot be made, or others may write to it", path);
  }
  *error = known == 1 ? NULL : why;
  return known == 1 ? path : NULL;
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
