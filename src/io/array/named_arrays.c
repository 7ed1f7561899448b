/* named_arrays.c - see named_arrays.h. */
#include "io/array/named_arrays.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static Status reserve(Arrays *a) {
  int capacity = a->capacity;
  Tensor *tensor = object_widen(a->tensor, a->n + 1, &capacity, sizeof *tensor);
  if (tensor) a->tensor = tensor;
  char **name = tensor ? object_widen(a->name, a->n + 1, &a->capacity, sizeof *name) : NULL;
  if (!name) return no_memory("list of arrays");
  a->name = name;
  return OK;
}

Status arrays_add(Arrays *a, Tensor *t, const char *name, size_t length) {
  Status s = reserve(a);
  if (s != OK) {
    tensor_release(t);
    return s;
  }
  a->name[a->n] = NULL;
  a->tensor[a->n++] = *t;
  *t = NO_TENSOR;
  return name ? arrays_name(a, a->n - 1, name, length) : OK;
}

Status arrays_name(Arrays *a, int64_t i, const char *name, size_t length) {
  a->name[i] = object_new(length + 1);
  if (!a->name[i]) return no_memory("name of an array");
  memcpy(a->name[i], name, length);
  return OK;
}

typedef struct Named { const char *name; int64_t at; } Named;

static int by_name(const void *a, const void *b) { return strcmp(((const Named *)a)->name, ((const Named *)b)->name); }

/* The names in order, and where each stands. */
static Status sorted_names(const Arrays *a, Named **out) {
  Named *sorted = object_new((size_t)(a->n + 1) * sizeof *sorted);
  if (!sorted) return no_memory("names of arrays");
  for (int64_t i = 0; i < a->n; i++) sorted[i] = (Named){ a->name[i], i };
  qsort(sorted, (size_t)a->n, sizeof *sorted, by_name);
  *out = sorted;
  return OK;
}

Status arrays_sort(Arrays *a) {
  Named *sorted = NULL;
  Arrays out = { 0 };
  TRY(sorted_names(a, &sorted));
  Status s = OK;
  for (int64_t i = 0; i < a->n && s == OK; i++) {
    Tensor t = tensor_share(&a->tensor[sorted[i].at]);
    s = arrays_add(&out, &t, sorted[i].name, strlen(sorted[i].name));
  }
  object_free(sorted);
  if (s != OK) {
    arrays_free(&out);
    return s;
  }
  arrays_free(a);
  *a = out;
  return OK;
}

Status arrays_check_names(const Arrays *a, const FileReader *r) {
  Named *sorted = NULL;
  Status s = OK;
  if (!arrays_named(a)) return OK;
  TRY(sorted_names(a, &sorted));
  for (int64_t i = 1; i < a->n && s == OK; i++)
    if (strcmp(sorted[i - 1].name, sorted[i].name) == 0)
      s = fail("%s: names: expected different names, got '%s' twice", r->name, sorted[i].name);
  object_free(sorted);
  return s;
}

void arrays_free(Arrays *a) {
  for (int64_t i = 0; i < a->n; i++) {
    tensor_release(&a->tensor[i]);
    object_free(a->name[i]);
  }
  object_free(a->tensor);
  object_free(a->name);
  text_free(&a->left_out);
  *a = (Arrays){ 0 };
}
