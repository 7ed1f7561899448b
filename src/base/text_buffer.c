/* text_buffer.c - see text_buffer.h. Doubles its capacity; adds nothing after a failed allocation. */
#include "base/text_buffer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"

static bool reserve(Text *t, size_t more) {
  if (t->failed) return false;
  if (t->capacity - t->length > more) return true;
  size_t capacity = t->capacity ? t->capacity : 256;
  while (capacity - t->length <= more) capacity *= 2;
  char *at = object_resize(t->at, capacity);
  if (!at) {
    t->failed = true;
    return false;
  }
  t->at = at;
  t->capacity = capacity;
  return true;
}

void text_add(Text *t, const char *bytes, size_t length) {
  if (!reserve(t, length)) return;
  memcpy(t->at + t->length, bytes, length);
  t->length += length;
  t->at[t->length] = '\0';
}

void text_put(Text *t, const char *string) { text_add(t, string, strlen(string)); }

void text_format(Text *t, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  if (length > 0 && reserve(t, (size_t)length)) {
    vsnprintf(t->at + t->length, (size_t)length + 1, format, again);
    t->length += (size_t)length;
  }
  va_end(again);
  va_end(args);
}

Status text_status(const Text *t) { return t->failed ? no_memory("text") : OK; }

void text_free(Text *t) {
  object_free(t->at);
  *t = (Text){ 0 };
}
