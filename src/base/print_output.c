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

void output_take(bool on, Text *out) {
  if (out) *out = taken;
  else text_free(&taken);
  taken = (Text){ 0 };
  taking = on;
}
