/* output.h - what operators print: to standard output, by the stream that Lua's print writes to, so that both keep
** their order. A spec may take what a thread prints instead. */
#ifndef HL_OUTPUT_H
#define HL_OUTPUT_H

#include <stdbool.h>

#include "base/text.h"

/* The text's bytes, whole. */
Status output_text(const Text *t);

/* Takes what this thread prints from now on, or no more; out, where it is not NULL, gets what was taken so far
** (to be freed). */
void output_take(bool on, Text *out);

#endif
