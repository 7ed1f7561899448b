/* kernel_cache.h - the directory of compiled kernels. An entry is KEY.so and KEY.sum, the POSIX
** cksum of it; one without the other, or that does not agree, or that others could have
** written, is as good as none. The directory is opened once, looked at, and from then on used by
** its descriptor, so that another one put into its place is never used. */
#ifndef HL_EXEC_JIT_KERNEL_CACHE_H
#define HL_EXEC_JIT_KERNEL_CACHE_H

#include <limits.h>
#include <stdbool.h>

typedef struct CacheDirectory {
  int fd;
  char path[PATH_MAX - 100];     /* for open and dlopen in this process */
  char name[PATH_MAX];           /* for people */
} CacheDirectory;

/* The directory, made if need be, or one in /tmp where that cannot be had; NULL, and why in *error, where
** there is neither, or where it is not private, or others could put another into its place. Work that was left in it
** an hour ago is cleared up. */
const CacheDirectory *kernel_cache_directory(const char **error);

/* Is there a whole entry of ours? Its path in path[]. */
bool kernel_cache_find(const char *key, char *path, int size);

/* Removes the oldest entries until three quarters of the cap are left, if there are more. */
void kernel_cache_trim(void);

#endif
