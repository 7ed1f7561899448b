/* text_buffer.h - a string that grows. Failing allocations are remembered (`failed`), so
** that a writer checks once, at the end. */
#ifndef HL_BASE_TEXT_BUFFER_H
#define HL_BASE_TEXT_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef struct Text {
  char *at;        /* always ends in '\0' once anything was added; NULL before */
  size_t length, capacity;
  bool failed;
} Text;

void text_add(Text *t, const char *bytes, size_t length);
void text_put(Text *t, const char *string);
void text_format(Text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
Status text_status(const Text *t);
void text_free(Text *t);

#endif
