/* kernel_cache.h - the directory of compiled kernels.
**
** An entry is KEY.so and KEY.sum, its POSIX cksum. It is ignored if a file is missing, if the sum does not match, or if
** another user could have written it. The directory is opened and checked once and then used by its descriptor, so a
** directory that later replaces it is never used. */
#ifndef HL_EXEC_JIT_KERNEL_CACHE_H
#define HL_EXEC_JIT_KERNEL_CACHE_H

#include <limits.h>
#include <stdbool.h>

typedef struct CacheDirectory {
  int fd;
  char path[PATH_MAX - 100];     /* for open and dlopen in this process */
  char name[PATH_MAX];           /* for messages */
} CacheDirectory;

/* The directory, created if needed, or one in /tmp if that cannot be created or written. NULL if neither is usable, if
** it is not private, or if others could replace it; *error, unless `error` is NULL: the reason. The first call removes
** temporary files older than an hour. */
const CacheDirectory *kernel_cache_directory(const char **error);

/* Is there a complete entry that only this user can have written? path[]: its path. */
bool kernel_cache_find(const char *key, char *path, int size);

/* If the cache exceeds its limits, removes the oldest entries until three quarters of the limit are left. */
void kernel_cache_trim(void);

#endif
