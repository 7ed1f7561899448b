/* list_folder.h - the names in a folder. */
#ifndef HL_IO_FILE_LIST_FOLDER_H
#define HL_IO_FILE_LIST_FOLDER_H

#include "base/status.h"

typedef struct Folder {
  char **name;               /* sorted bytewise, whatever the locale; without . and .. */
  int n, capacity;
} Folder;

Status folder_list(const char *path, Folder *out);     /* the caller frees *out, even after a failure */
void folder_free(Folder *f);

#endif
