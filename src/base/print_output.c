/* print_output.c - see print_output.h. */
#include "base/print_output.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static _Thread_local bool taking;
static _Thread_local Text taken;

Status output_text(const Text *t) {
  TRY(text_status(t));
  if (taking) {
    text_add(&taken, t->at, t->length);
    return text_status(&taken);
  }
  if (fwrite(t->at, 1, t->length, stdout) < t->length) return fail_as(E_IO, "standard output: %s", strerror(errno));
  fflush(stdout);
  return OK;
}

void warn_of_rounding(const char *where, const char *what, int64_t n) {
  static atomic_bool told;
  if (atomic_exchange(&told, true)) return;
  fflush(stdout);
  fprintf(stderr,
          "%sUserWarning: %s: %lld becomes %.0f in float32, which holds whole numbers up to 16777216; write "
          "dtype = \"int64\" or \"float64\"\n",
          where, what, (long long)n, (double)(float)n);
}

void output_take(bool on, Text *out) {
  if (out) *out = taken;
  else text_free(&taken);
  taken = (Text){ 0 };
  taking = on;
}
