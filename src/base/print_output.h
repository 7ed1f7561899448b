/* print_output.h - output of printing operators: to standard output, through the stream of Lua's print, so that both
** keep their order. A spec may capture a thread's output instead. */
#ifndef HL_BASE_PRINT_OUTPUT_H
#define HL_BASE_PRINT_OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text_buffer.h"

Status output_text(const Text *t);

/* Starts or stops capturing this thread's output; `out`, if not NULL, receives the output captured so far and must be
** freed. */
void output_take(bool on, Text *out);

#endif
