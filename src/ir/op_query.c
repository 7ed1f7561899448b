/* op_query.c - see op_query.h. */
#include "ir/op_query.h"

#include "base/memory.h"

Status types_new(TypeList *list, int n) {
  list->at = n <= FEW_TYPES ? list->few : object_new((size_t)n * sizeof *list->at);
  return list->at ? OK : no_memory("types");
}

void types_free(TypeList *list) {
  if (list->at != list->few) object_free(list->at);
}
