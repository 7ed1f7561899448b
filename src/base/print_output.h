/* print_output.h - output of printing operators: to standard output, through the stream of Lua's print, so that both
** keep their order. A spec may capture a thread's output instead. */
#ifndef HL_BASE_PRINT_OUTPUT_H
#define HL_BASE_PRINT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text_buffer.h"

Status output_text(const Text *t);

/* Warns, once per process, that float32 cannot represent the integer n. */
void warn_of_rounding(const char *where, const char *what, int64_t n);

/* Does float32 round the integer? */
static inline bool rounds_in_float32(int64_t n) {
  if (n >= -(1 << 24) && n <= 1 << 24) return false;
  const float x = (float)n;
  return x >= 0x1p63f || (int64_t)x != n;
}

/* Starts or stops capturing this thread's output; `out`, if not NULL, receives the output captured so far and must be
** freed. */
void output_take(bool on, Text *out);

#endif
