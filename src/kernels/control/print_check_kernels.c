/* print_check_kernels.c - kernels of print and assert_finite. */
#include <string.h>

#include "base/print_output.h"
#include "ir/run_op.h"
#include "kernels/kernel_registry.h"
#include "ops/control/print_check.h"
#include "state/engine.h"
#include "tensor/count_nonfinite.h"
#include "tensor/print_array.h"

static void pass_on(Call *c) {
  if (c->out[0]->data != c->in[0]->data && tensor_bytes(c->in[0]) > 0)
    memcpy(c->out[0]->data, c->in[0]->data, tensor_bytes(c->in[0]));
}

/* ---- print -------------------------------------------------------------------------------------- */

/* Writes "label:" and the array as print does, but with the dtype instead of the context, because compiled code does
** not depend on the context. */
static void write_array(Text *t, const PrintParams *p, const Tensor *x) {
  PrintOptions options = engine_now()->print;
  if (p->summarize != NONE && p->summarize < 0) options.threshold = INT32_MAX;
  if (p->summarize != NONE && p->summarize >= 0) {
    options.edge_items = (int)(p->summarize < INT32_MAX ? p->summarize : INT32_MAX);
    options.threshold = 0;
  }
  if (p->label) text_format(t, "%s:", p->label);
  text_put(t, "\n");
  print_tensor(t, x, &options);
  text_format(t, "\n<NDArray ");
  for (int i = 0; i < x->type.shape.ndim; i++) text_format(t, "%s%lld", i ? "x" : "", (long long)x->type.shape.dim[i]);
  text_format(t, " %s>\n", dtype_name(x->type.dtype));
}

static Status print_array_of(Call *c) {
  Text t = { 0 };
  Status s = OK;
  if (!run_repeats()) {
    write_array(&t, c->params, c->in[0]);
    s = output_text(&t);
    text_free(&t);
  }
  if (s == OK) pass_on(c);
  return s;
}

/* ---- assert_finite -------------------------------------------------------------------------------- */

static Status assert_finite(Call *c) {
  const char *message = ((const AssertFiniteParams *)c->params)->message;
  const NotFinite bad = run_repeats() ? (NotFinite){ 0, -1 } : tensor_not_finite(c->in[0]);
  if (bad.count > 0) {
    char text[384];
    not_finite_text(c->in[0], bad, text, sizeof text);
    return fail("assert_finite: %s: %s", message ? message : "data", text);
  }
  pass_on(c);
  return OK;
}

const Kernel print_check_kernels[] = {
  { .op = "print", .types = ALL_TYPES, .run = print_array_of },
  { .op = "assert_finite", .types = ALL_TYPES, .run = assert_finite },
  { 0 },
};
