/* dropout.c - elements dropped by a random mask: Dropout. The mask is drawn only if something may be dropped.
**
** The kernel is in kernels/random/dropout_kernels.c.
*/
#include "ops/random/dropout.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

static bool dropout_same(const Query *q) { return !dropout_drops(q->params, q->train); }
static unsigned dropout_effects(const Query *q) { return dropout_drops(q->params, q->train) ? DRAWS : 0; }

static Status infer_dropout(Infer *f) {
  const DropoutParams *p = f->params;
  if (!(p->p >= 0 && p->p <= 1)) return fail("p: expected a probability, got %g", p->p);
  TRY(one_float_dtype(f, 1, 2));
  TRY(one_shape(f, 0, 0));
  Shape mask = f->in[0].shape;
  for (int64_t i = 0; mask.ndim >= 0 && i < p->axes.count; i++) {
    int axis;
    TRY(axis_normal(f->op->name, "axes", list_ints(&p->axes)[i], mask.ndim, &axis));
    mask.dim[axis] = 1;
  }
  return output_shape(f, 1, &mask);
}

/* The mask is unused if nothing is dropped. Without a gradient only a mask that broadcasts is used: the kernel
** multiplies by it. */
static bool dropout_unused(const Query *q, int output) {
  if (output == 0) return false;
  return !dropout_drops(q->params, q->train) || (q->no_gradient && dropout_whole(query_out(q, 1), query_out(q, 0)));
}

static Status dropout_grad(Gradient *d) {
  if (!d->out_grad[0].node) return OK;
  if (!dropout_drops(gradient_params(d), d->node->train)) return only_gradient(d, d->out_grad[0]);
  return only_gradient(d, build_op(d->b, "broadcast_mul", NULL, 2, d->out_grad[0], (Entry){ d->node, 1 }));
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op dropout_ops[] = {
  { .name = "Dropout",
    .doc = "In training each element is set to 0 with probability p, and the others are divided by 1 - p; elements "
           "along `axes` are dropped together (G. Hinton et al., 2012). Outside training it returns the input. Random "
           "numbers are drawn only if something may be dropped",
    .example = "F.Dropout(F.array{{1, 2}, {3, 4}}, {p = 0.3})\n"
               "F.Dropout(F.array{{1, 2}, {3, 4}}, {p = 0.3, mode = \"always\", axes = {0}})",
    .inputs = "data", .outputs = "output mask",
    .params = "p float 0.5 The probability of dropping an element.\n"
              "mode {training,always} training When to drop.\n"
              "axes shape () Axes along which all elements are dropped together.\n"
              "cudnn_off bool? False Accepted for compatibility with MXNet.\n",
    .params_size = sizeof(DropoutParams), .n_visible = one_visible, .unused = dropout_unused,
    .effects = dropout_effects, .flags = OP_TRAIN | OP_IN_PLACE | OP_NAMED_INPUT, .infer = infer_dropout,
    .same = dropout_same, .grad = dropout_grad },
  { 0 }
};
/* clang-format on */
