/* list_folder.c - see list_folder.h. It is a separate file because dirent.h and tensor/dtype.h share a name. */
#include "io/file/list_folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void folder_free(Folder *f) {
  for (int i = 0; i < f->n; i++) object_free(f->name[i]);
  object_free(f->name);
  *f = (Folder){ 0 };
}

static int by_bytes(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static Status add(Folder *f, const char *name) {
  if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) return OK;
  char **wider = object_widen(f->name, f->n + 1, &f->capacity, sizeof *wider);
  if (!wider) return no_memory("a folder's names");
  f->name = wider;
  f->name[f->n] = object_text(name);
  return f->name[f->n++] ? OK : no_memory("a folder's names");
}

Status folder_list(const char *path, Folder *out) {
  Status s = OK;
  DIR *folder = opendir(path);
  *out = (Folder){ 0 };
  if (!folder) return fail_as(E_IO, "%s: %s", path, strerror(errno));
  for (const struct dirent *entry; s == OK && (entry = readdir(folder)); ) s = add(out, entry->d_name);
  closedir(folder);
  if (s == OK && out->n > 0) qsort(out->name, (size_t)out->n, sizeof *out->name, by_bytes);
  return s;
}
