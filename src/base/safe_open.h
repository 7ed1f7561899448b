/* safe_open.h - opening and removing files where other programs, or killed processes of ours, may have left some. */
#ifndef HL_BASE_SAFE_OPEN_H
#define HL_BASE_SAFE_OPEN_H

#include <stdbool.h>
#include <sys/stat.h>

/* open(2) of a regular file, with its description in *is; -1 if it cannot be opened or is of another kind, because a
** pipe or a device could block the program. `flags`: O_RDONLY or O_WRONLY, and other flags of open; `mode` for a file
** created with O_CREAT. */
int open_regular(const char *path, int flags, mode_t mode, struct stat *is);

/* Removes our regular files in the folder that `is_work` recognizes as unfinished work and that are more than an hour
** old: their process was killed. Younger ones may be in use on another machine. */
void remove_stale(const char *folder, bool (*is_work)(const char *name));

#endif
