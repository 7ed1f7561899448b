/* gradient_rules.c - see gradient_rules.h. */
#include "ops/common/gradient_rules.h"

#include <string.h>

#include "base/math/tree_sum.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"

/* Applies an operator whose result has this shape, unless e has it already. */
static Entry shaped(Builder *b, const char *op, Entry e, const Shape *shape) {
  if (!e.node || b->status != OK || shape_equal(&entry_type(e)->shape, shape)) return e;
  return build_op(b, op, &(ShapeParams){ list_of_shape(shape) }, 1, e);
}

Entry reshape_to(Builder *b, Entry e, const Shape *shape) { return shaped(b, "_reshape_exact", e, shape); }
Entry broadcast_exact(Builder *b, Entry e, const Shape *shape) { return shaped(b, "_broadcast_exact", e, shape); }

Entry sum_to(Builder *b, Entry e, const Type *target) {
  if (!e.node || b->status != OK || shape_equal(&entry_type(e)->shape, &target->shape)) return e;
  const Shape *from = &entry_type(e)->shape, *to = &target->shape;
  ReduceParams p = { .axis = { .count = 0 }, .keepdims = true };
  int lead = from->ndim - to->ndim;
  for (int i = 0; i < from->ndim; i++)
    if (i < lead || (to->dim[i - lead] == 1 && from->dim[i] != 1)) p.axis.u.i[p.axis.count++] = i;
  if (p.axis.count > 0) e = build_op(b, "sum", &p, 1, e);
  return reshape_to(b, e, to);
}

bool lowering_pays(const Lowering *l, const Shape *s, int axis) {
  if (l->forced) return s->dim[axis] > 0; /* operators may reject an empty axis or reduce it to another value */
  return axis == s->ndim - 1 && s->dim[axis] > 1 && s->dim[axis] <= TREE_KEPT;
}

Entry times(Builder *b, Entry e, double factor) { return build_op(b, "_mul_scalar", &(ScalarParams){ factor }, 1, e); }
Entry plus(Builder *b, Entry e, double term) { return build_op(b, "_plus_scalar", &(ScalarParams){ term }, 1, e); }

Entry build_difference(Builder *b, Entry x, Entry y) { return build_op(b, "elemwise_sub", NULL, 2, x, y); }

Entry build_joined(Builder *b, Entry x, Entry y, int64_t axis) {
  return build_op(b, "Concat", &(ConcatParams){ 2, axis }, 2, x, y);
}

Entry triangle_of(Builder *b, Entry e, bool lower) {
  TriangleParams half = { .lower = lower };
  return build_op(b, "_linalg_maketrian", &half, 1, build_op(b, "_linalg_extracttrian", &half, 1, e));
}

Entry matrix_product(Builder *b, Entry x, Entry y, bool transpose_x, bool transpose_y, double factor) {
  return build_op(b, "_linalg_gemm2", &(Gemm2Params){ transpose_x, transpose_y, factor, -2 }, 2, x, y);
}

Entry matrix_turned(Builder *b, Entry e) { return build_op(b, "SwapAxis", &(SwapParams){ -2, -1 }, 1, e); }

Entry matrix_mirrored(Builder *b, Entry e) {
  Entry low = triangle_of(b, e, true),
        diagonal = build_op(b, "_linalg_makediag", NULL, 1, build_op(b, "_linalg_extractdiag", NULL, 1, e));
  return build_difference(b, build_sum(b, low, matrix_turned(b, low)), diagonal);
}

Entry fold_axis(Builder *b, const char *op, Entry e, int64_t axis) {
  return build_op(b, op, &(ReduceParams){ .axis = { .count = 1, .u.i = { axis } }, .keepdims = true }, 1, e);
}

Entry out_grad_or_zeros(Gradient *d, int i) {
  return d->out_grad[i].node ? d->out_grad[i] : build_zeros_like(d->b, (Entry){ d->node, i });
}

Status only_gradient(Gradient *d, Entry e) {
  d->in_grad[0] = e;
  return d->b->status;
}

Status gradient_by(Gradient *d, const char *row) {
  return only_gradient(d, build_op(d->b, row, gradient_params(d), 1, d->out_grad[0]));
}

Status gradient_is_last_of(const char *name) { return fail("%s: its gradient cannot be differentiated again", name); }

Status gradient_is_last(Gradient *d) {
  static const char prefix[] = "_backward_";
  const char *name = d->node->op->name;
  if (strncmp(name, prefix, sizeof prefix - 1) == 0) name += sizeof prefix - 1;
  return gradient_is_last_of(name);
}
