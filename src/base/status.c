/* status.c - the text of the latest failure, in one buffer per thread. A text that is too long is truncated and ends in
** "...".
*/
#include "base/status.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_MAX = 4096 };

static _Thread_local char text[TEXT_MAX];
static _Thread_local Origin text_line;

static void mark_cut(size_t length) {
  if (length >= TEXT_MAX) memcpy(text + TEXT_MAX - 4, "...", 4);
}

Status fail_as(Status code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int length = vsnprintf(text, TEXT_MAX, format, args);
  va_end(args);
  mark_cut(length < 0 ? 0 : (size_t)length);
  text_line = 0;
  return code;
}

Status no_memory(const char *what) { return fail_as(E_MEMORY, "out of memory: %s", what); }

/* Puts a new text in front of the current one, which is enclosed in `before` and `after`. */
static Status put_first(Status code, const char *before, const char *after, const char *format, va_list args) {
  char rest[TEXT_MAX];
  memcpy(rest, text, TEXT_MAX);
  int head = vsnprintf(text, TEXT_MAX, format, args);
  if (head < 0) head = 0;
  if (head < TEXT_MAX) {
    int tail = snprintf(text + head, (size_t)(TEXT_MAX - head), "%s%s%s", before, rest, after);
    mark_cut((size_t)head + (size_t)(tail < 0 ? 0 : tail));
  } else {
    mark_cut((size_t)head);
  }
  return code;
}

Status fail_within(Status code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  put_first(code, ": ", "", format, args);
  va_end(args);
  return code;
}

Status fail_because(Status code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  put_first(code, " (", ")", format, args);
  va_end(args);
  return code;
}

Status fail_append(Status code, const char *format, ...) {
  size_t head = strlen(text);
  va_list args;
  va_start(args, format);
  int tail = vsnprintf(text + head, TEXT_MAX - head, format, args);
  va_end(args);
  mark_cut(head + (size_t)(tail < 0 ? 0 : tail));
  return code;
}

const char *status_text(void) { return text; }

void status_set_line(Origin line) { text_line = line; }
Origin status_line(void) { return text_line; }
