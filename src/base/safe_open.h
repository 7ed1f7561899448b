/* safe_open.h - care with files that other programs, or killed ones of ours, may have put in a place. */
#ifndef HL_BASE_SAFE_OPEN_H
#define HL_BASE_SAFE_OPEN_H

#include <stdbool.h>
#include <sys/stat.h>

/* open(2) of a regular file, which *is describes then; -1 if it cannot be opened or is anything else: a
** pipe or a device must neither block the program nor be taken for the file. `flags`: O_RDONLY or
** O_WRONLY, and what else open takes; `mode`: of a file that O_CREAT makes. */
int open_regular(const char *path, int flags, mode_t mode, struct stat *is);

/* Removes our regular files in the folder whose names `is_work` knows for those of unfinished work, if they
** are more than an hour old: the process that made them was killed. Younger ones may be in use on another machine. */
void remove_stale(const char *folder, bool (*is_work)(const char *name));

#endif
