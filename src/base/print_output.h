/* print_output.h - what operators print: to standard output, by the stream that Lua's print writes to, so that both
** keep their order. A spec may take what a thread prints instead. */
#ifndef HL_BASE_PRINT_OUTPUT_H
#define HL_BASE_PRINT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text_buffer.h"

/* The text's bytes, whole. */
Status output_text(const Text *t);

/* Warns, once a process, that float32 has not the whole number n. */
void warn_of_rounding(const char *where, const char *what, int64_t n);

/* Is the whole number rounded in float32? */
static inline bool rounds_in_float32(int64_t n) {
  if (n >= -(1 << 24) && n <= 1 << 24) return false;
  const float x = (float)n;
  return x >= 0x1p63f || (int64_t)x != n;
}

/* Takes what this thread prints from now on, or no more; out, where it is not NULL, gets what was taken so far
** (to be freed). */
void output_take(bool on, Text *out);

#endif
