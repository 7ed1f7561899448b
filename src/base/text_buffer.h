/* text_buffer.h - a growing string. A failed allocation is remembered (`failed`), so a writer checks once, at the
** end. */
#ifndef HL_BASE_TEXT_BUFFER_H
#define HL_BASE_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct Text {
  char *at;        /* terminated by '\0'; NULL before the first addition */
  size_t length, capacity;
  bool failed;
} Text;

void text_add(Text *t, const char *bytes, size_t length);
void text_put(Text *t, const char *string);
void text_format(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
Status text_status(const Text *t);
void text_free(Text *t);

#endif
