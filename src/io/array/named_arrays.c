/* named_arrays.c - see named_arrays.h. */
#include "io/array/named_arrays.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

Status arrays_add(Arrays *a, Tensor *t, const char *name, size_t length) {
  NamedArray *at = object_widen(a->at, a->n + 1, &a->capacity, sizeof *at);
  if (!at) {
    tensor_release(t);
    return no_memory("list of arrays");
  }
  a->at = at;
  a->at[a->n++] = (NamedArray){ *t, NULL };
  *t = NO_TENSOR;
  return name ? arrays_name(a, a->n - 1, name, length) : OK;
}

Status arrays_name(Arrays *a, int64_t i, const char *name, size_t length) {
  a->at[i].name = object_new(length + 1);
  if (!a->at[i].name) return no_memory("name of an array");
  memcpy(a->at[i].name, name, length);
  return OK;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const NamedArray *)a)->name, ((const NamedArray *)b)->name);
}

void arrays_sort(Arrays *a) { qsort(a->at, (size_t)a->n, sizeof *a->at, by_name); }

Status arrays_check_names(const Arrays *a, const FileReader *r) {
  if (!arrays_named(a)) return OK;
  NamedArray *sorted = object_new((size_t)a->n * sizeof *sorted);
  Status s = OK;
  if (!sorted) return no_memory("names of arrays");
  memcpy(sorted, a->at, (size_t)a->n * sizeof *sorted);
  arrays_sort(&(Arrays){ .at = sorted, .n = a->n });
  for (int64_t i = 1; i < a->n && s == OK; i++)
    if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
      s = fail("%s: names: expected different names, got '%s' twice", r->name, sorted[i].name);
  object_free(sorted);
  return s;
}

void arrays_free(Arrays *a) {
  for (int64_t i = 0; i < a->n; i++) {
    tensor_release(&a->at[i].tensor);
    object_free(a->at[i].name);
  }
  object_free(a->at);
  text_free(&a->left_out);
  *a = (Arrays){ 0 };
}
