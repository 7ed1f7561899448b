/* transpose.c - permuted and reversed axes: transpose, SwapAxis, reverse.
**
** Their kernels: kernels/shape/transpose_kernels.c.
*/
#include "ops/shape/transpose.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- Permutations of axes --------------------------------------------------------------------- */

Status transpose_order(const char *who, const void *params, int ndim, int *order) {
  const List *axes = &((const TransposeParams *)params)->axes;
  bool named[MAX_DIMS];
  for (int i = 0; i < ndim; i++) order[i] = ndim - 1 - i;
  if (axes->count <= 0) return OK;
  if (axes->count != ndim) return fail("%s: axes: expected %d axes, got %lld", who, ndim, (long long)axes->count);
  TRY(mark_axes(who, "axes", axes, ndim, named));
  for (int i = 0; i < ndim; i++) order[i] = axis_at(list_ints(axes)[i], ndim);
  return OK;
}

Status swap_order(const char *who, const void *params, int ndim, int *order) {
  const SwapParams *p = params;
  int a, b;
  TRY(axis_normal(who, "dim1", p->dim1, ndim, &a));
  TRY(axis_normal(who, "dim2", p->dim2, ndim, &b));
  for (int i = 0; i < ndim; i++) order[i] = i;
  order[a] = b;
  order[b] = a;
  return OK;
}

static Status infer_permuted(Infer *f, AxisOrder *order_of) {
  const Shape *in = &f->in[0].shape, *out = &f->out[0].shape;
  int order[MAX_DIMS], ndim = in->ndim >= 0 ? in->ndim : out->ndim;
  TRY(one_dtype(f, 0, 1));
  if (ndim < 0) return OK;
  TRY(order_of(f->op->name, f->params, ndim, order));
  Shape there = { .ndim = ndim }, back = { .ndim = ndim };
  for (int i = 0; i < ndim; i++) there.dim[i] = in->ndim < 0 ? UNKNOWN : in->dim[order[i]];
  TRY(output_shape(f, 0, &there));
  for (int i = 0; i < ndim; i++) back.dim[order[i]] = out->dim[i];
  return input_shape(f, 0, &back);
}

static Status infer_transpose(Infer *f) { return infer_permuted(f, transpose_order); }
static Status infer_swap(Infer *f) { return infer_permuted(f, swap_order); }
static Status transpose_grad(Gradient *d) {
  const TransposeParams *p = gradient_params(d);
  int order[MAX_DIMS], ndim = d->node->type[0].shape.ndim;
  TransposeParams back = { .axes = { .count = p->axes.count <= 0 ? 0 : ndim } };
  TRY(transpose_order("transpose", p, ndim, order));
  for (int i = 0; i < ndim; i++) back.axes.u.i[order[i]] = i;
  return only_gradient(d, build_op(d->b, "transpose", &back, 1, d->out_grad[0]));
}

static Status swap_grad(Gradient *d) { return gradient_by(d, "SwapAxis"); }

/* ---- reverse ----------------------------------------------------------------------------------------- */

static Status infer_reverse(Infer *f) {
  bool reversed[MAX_DIMS];
  TRY(infer_same_type(f));
  if (f->in[0].shape.ndim < 0) return OK;
  return mark_axes(f->op->name, "axis", &((const TransposeParams *)f->params)->axes, f->in[0].shape.ndim, reversed);
}

static Status reverse_grad(Gradient *d) { return gradient_by(d, "reverse"); }

/* ---- Rows --------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op transpose_ops[] = {
  { .name = "transpose", .doc = "data with its axes in another order, reversed by default", .inputs = "data",
    .example = "F.transpose(F.array{{1, 2, 3}, {4, 5, 6}})\n"
               "F.transpose(F.array{{{1, 2, 3}, {4, 5, 6}}}, {axes = {1, 2, 0}})",
    .params = "axes shape () The input's axes in the order of the output; (): reversed.\n",
    .params_size = sizeof(TransposeParams), .role = ROLE_TRANSPOSE,
    .infer = infer_transpose, .grad = transpose_grad },
  { .name = "SwapAxis", .aliases = "swapaxes", .doc = "data with two axes swapped", .inputs = "data",
    .example = "F.swapaxes(F.array{{{1, 2, 3}, {4, 5, 6}}}, {dim1 = 0, dim2 = 2})",
    .params = "dim1 int 0 One axis.\ndim2 int 0 The other.\n", .params_size = sizeof(SwapParams),
    .flags = OP_NAMED_INPUT, .infer = infer_swap, .grad = swap_grad },
  { .name = "reverse", .aliases = "flip", .doc = "data with some axes in reverse order", .inputs = "data",
    .example = "F.flip(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 1})\n"
               "F.flip(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = {0, -1}})",
    .params = "axis shape - The axes.\n", .params_size = sizeof(TransposeParams),
    .flags = OP_NAMED_INPUT, .infer = infer_reverse, .grad = reverse_grad },
  { 0 }
};
/* clang-format on */
