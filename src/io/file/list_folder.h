/* list_folder.h - the names in a folder. */
#ifndef HL_IO_FILE_LIST_FOLDER_H
#define HL_IO_FILE_LIST_FOLDER_H

#include "base/status.h"

typedef struct Folder {
  char **name;               /* in the order of their bytes, whatever the language; without . and .. */
  int n, capacity;
} Folder;

Status folder_list(const char *path, Folder *out);     /* folder_free it, on failure too */
void folder_free(Folder *f);

#endif
