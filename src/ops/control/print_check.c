/* print_check.c - operators that return their input unchanged and print or check it, in eager and compiled code.
**
** They run in the script's order, once for each time that the script computes the input. Recomputation, for a gradient
** or to compare two runs, is silent. The kernels are in kernels/control/print_check_kernels.c.
*/
#include "ops/control/print_check.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

static Status same_grad(Gradient *d) {
  d->in_grad[0] = d->out_grad[0];
  return OK;
}

/* MXNet has neither operator: files contain a copy of the input. */
static Entry portable_copy(Builder *b, const Node *n) { return build_op(b, "_copy", NULL, 1, n->in[0]); }

/* ---- Rows -------------------------------------------------------------------------------------------- */

static unsigned assert_effects(const Query *q) { return (void)q, (unsigned)(ORDERED | FAILS); }

#define SEEN(effects_) .effects = effects_, .flags = OP_IN_PLACE, .infer = infer_same_type, .grad = same_grad, \
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
    .params_size = sizeof(PrintParams), SEEN(op_ordered_always) },
  { .name = "assert_finite", .inputs = "data",
    .doc = "Returns the input; if an element is NaN or infinite, raises an error with its position",
    .example = "F.assert_finite(F.array{1, 2})\nF.assert_finite(F.array{1, 2}, \"the loss\")",
    .params = "message string? None First words of the error, instead of \"data\".\n",
    .params_size = sizeof(AssertFiniteParams), SEEN(assert_effects) },
  { 0 }
};
/* clang-format on */
