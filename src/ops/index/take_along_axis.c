/* take_along_axis.c - elements at indices along an axis, different ones for each line: take_along_axis.
**
** The gradient adds each element back, in the order of the indices; its own gradient is the choice. The kernels:
** kernels/index/take_along_axis_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/index/added_rows.h"
#include "ops/op_registry.h"

static Status infer_take_along(Infer *f) {
  const Shape *a = &f->in[0].shape, *index = &f->in[1].shape;
  int64_t given = ((const AxisParams *)f->params)->axis;
  int axis;
  TRY(one_dtype(f, 0, 1));
  TRY(one_shape(f, 1, 0));
  if (a->ndim < 0 || index->ndim < 0) return OK;
  if (given == NONE && index->ndim == 1) return OK;
  if (given == NONE) return fail("indices: expected 1 dimension if no axis is given, got %s", shape_text(index));
  TRY(axis_normal(f->op->name, "axis", given, a->ndim, &axis));
  Shape like = *a;
  like.dim[axis] = index->ndim == a->ndim ? index->dim[axis] : UNKNOWN;
  return input_shape(f, 1, &like);
}

static Status infer_put_along(Infer *f) {
  TRY(refuse_half(f, "g"));
  return infer_listed_shape(f);
}

static Status take_along_grad(Gradient *d) {
  const AxisParams *p = gradient_params(d);
  AlongBackwardParams back = { list_of_shape(&gradient_input(d, 0)->shape), p->axis };
  return only_gradient(d, build_op(d->b, "_backward_take_along_axis", &back, 2, d->out_grad[0], d->node->in[1]));
}

static Status put_along_grad(Gradient *d) {
  AxisParams p = { ((const AlongBackwardParams *)gradient_params(d))->axis };
  return only_gradient(d, build_op(d->b, "take_along_axis", &p, 2, d->out_grad[0], d->node->in[1]));
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

/* clang-format off */
Op take_along_ops[] = {
  { .name = "take_along_axis",
    .doc = "The elements at indices along an axis, as argsort and argmax return them: other indices for each line. "
           "Negative indices count from the end",
    .inputs = "a indices", .differentiable = 1,
    .example = "F.take_along_axis(F.array{{3, 1, 2}, {5, 6, 4}}, F.array({{1, 2, 0}, {2, 0, 1}}, {dtype = \"int64\"}), "
               "1)\n"
               "F.take_along_axis(F.array{{3, 1, 2}, {5, 6, 4}}, F.array({{1, 0, 1}}, {dtype = \"int64\"}), "
               "{axis = 0})",
    .params = "axis int? - The axis; None: the flattened array, with 1-d indices.\n",
    .params_size = sizeof(AxisParams), .effects = op_fails_always, .infer = infer_take_along, .grad = take_along_grad },
  { .name = "_backward_take_along_axis", .doc = "The gradient of a", .inputs = "g indices", .differentiable = 1,
    .params = "shape shape - The shape of a.\n" "axis int? - The axis.\n", .params_size = sizeof(AlongBackwardParams),
    .flags = OP_INTERNAL, .effects = op_fails_always, .infer = infer_put_along, .grad = put_along_grad },
  { 0 }
};
/* clang-format on */
