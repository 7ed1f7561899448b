/* print_check.c - operators that return their input unchanged and print or check it, in eager and compiled code.
**
** They run in the script's order, once for each time that the script computes the input. Recomputation, for a gradient
** or to compare two runs, is silent.
*/
#include <string.h>

#include "base/print_output.h"
#include "ir/run_op.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "state/engine.h"
#include "tensor/count_nonfinite.h"
#include "tensor/print_array.h"

static void pass_on(Call *c) {
  if (c->out[0]->data != c->in[0]->data && tensor_bytes(c->in[0]) > 0)
    memcpy(c->out[0]->data, c->in[0]->data, tensor_bytes(c->in[0]));
}

static Status same_grad(Gradient *d) {
  d->in_grad[0] = d->out_grad[0];
  return OK;
}

/* MXNet has neither operator: files contain a copy of the input. */
static Entry portable_copy(Builder *b, const Node *n) { return build_op(b, "_copy", NULL, 1, n->in[0]); }

/* ---- print -------------------------------------------------------------------------------------- */

typedef struct PrintParams { const char *label; int64_t summarize; } PrintParams;

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

static Status print_forward(Call *c) {
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

typedef struct AssertFiniteParams { const char *message; } AssertFiniteParams;

static Status assert_forward(Call *c) {
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

/* ---- Rows -------------------------------------------------------------------------------------------- */

#define SEEN .effects = op_ordered_always, .flags = OP_IN_PLACE, .infer = infer_same_type, .grad = same_grad, \
             .portable = portable_copy

/* clang-format off */
Op seen_ops[] = {
  { .name = "print", .inputs = "data",
    .doc = "Returns the input, and prints it on standard output whenever it is computed: in eager and compiled code, "
           "and in each iteration of a loop, in the script's order",
    .example = "F.print(F.array{1, 2})\nF.print(F.array{{1, 2}, {3, 4}}, \"h\")\n"
               "F.print(F.array{1, 2, 3, 4, 5}, {label = \"h\", summarize = 1})",
    .params = "label string? None Printed before the array.\n"
              "summarize int? None Items printed at each edge of a dimension; -1: all; None: as for print.\n",
    .params_size = sizeof(PrintParams), .forward = print_forward, SEEN },
  { .name = "assert_finite", .inputs = "data",
    .doc = "Returns the input; if an element is NaN or infinite, raises an error with its position",
    .example = "F.assert_finite(F.array{1, 2})\nF.assert_finite(F.array{1, 2}, \"the loss\")",
    .params = "message string? None First words of the error, instead of \"data\".\n",
    .params_size = sizeof(AssertFiniteParams), .forward = assert_forward, SEEN },
  { 0 }
};
/* clang-format on */
