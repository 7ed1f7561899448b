/* kernel_cache.h - the directory of compiled kernels. An entry is KEY.so and KEY.sum, its POSIX
** cksum; an entry is ignored if one file is missing, if they do not agree, or if another user could have
** written it. The directory is opened once, checked, and from then on used by its descriptor, so that
** a directory put in its place later is never used. */
#ifndef HL_EXEC_JIT_KERNEL_CACHE_H
#define HL_EXEC_JIT_KERNEL_CACHE_H

#include <limits.h>
#include <stdbool.h>

typedef struct CacheDirectory {
  int fd;
  char path[PATH_MAX - 100];     /* for open and dlopen in this process */
  char name[PATH_MAX];           /* for people */
} CacheDirectory;

/* The directory, made if need be, or one in /tmp if that cannot be made or written. NULL, and the reason in *error unless that is NULL, if
** neither can be used, or if it is not private or others could replace it. Temporary files older than an hour are
** removed. */
const CacheDirectory *kernel_cache_directory(const char **error);

/* Is there a complete entry that only this user can have written? Its path in path[]. */
bool kernel_cache_find(const char *key, char *path, int size);

/* If the cache is over its limits, removes the oldest entries until three quarters of them are left. */
void kernel_cache_trim(void);

#endif
