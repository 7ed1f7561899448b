/* assert.c - see assert.h. */
#include "base/assert.h"

#include <stdio.h>

void assert_failed(const char *file, int line, const char *expression) {
  fflush(stdout);
  fprintf(stderr, "hybridlua: %s:%d: %s does not hold\n", file, line, expression);
  __builtin_trap();
}
