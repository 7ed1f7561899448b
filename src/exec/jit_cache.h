/* jit_cache.h - the directory of compiled kernels. An entry is KEY.so and KEY.sum, the POSIX
** cksum of it; one without the other, or that does not agree, or that others could have
** written, is as good as none. */
#ifndef HL_JIT_CACHE_H
#define HL_JIT_CACHE_H

#include <stdbool.h>

/* The directory, made if need be; NULL, and why in *error, where it is not private. */
const char *jit_cache_directory(const char **error);

/* Is there a whole entry of ours? Its path in path[]. */
bool jit_cache_find(const char *key, char *path, int size);

/* Removes the oldest entries until three quarters of the cap are left, if there are more. */
void jit_cache_trim(void);

#endif
