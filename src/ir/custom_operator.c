/* custom_operator.c - see custom_operator.h. */
#include "ir/custom_operator.h"

#include <string.h>

#include "base/memory.h"

const CustomEngine *_Atomic custom_engine;

Status custom_new(const char *op_type, int n_args, int n_out, int n_aux, void *link, CustomOperator **out) {
  const size_t length = strlen(op_type) + 1;
  CustomOperator *o = object_new(sizeof *o + length);
  if (!o) {
    custom_engine->forget(link);
    return no_memory("Custom");
  }
  *o = (CustomOperator){ .refs = 1, .n_args = n_args, .n_out = n_out, .n_aux = n_aux, .link = link };
  o->op_type = memcpy(o + 1, op_type, length);
  *out = o;
  return OK;
}

void custom_release(CustomOperator *o) {
  if (--o->refs > 0) return;
  custom_engine->forget(o->link);
  object_free(o);
}

static void *retain(void *object) {
  ((CustomOperator *)object)->refs++;
  return object;
}

static void release(void *object) { custom_release(object); }

static Status print(const void *object, Text *out) {
  text_put(out, ((const CustomOperator *)object)->op_type);
  return OK;
}

const ObjectKind custom_kind = { .name = "Custom", .retain = retain, .release = release, .print = print };
