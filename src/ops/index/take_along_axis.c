/* take_along_axis.c - elements at indices along an axis, different ones for each line: take_along_axis.
**
** The kernels are those of gather_rows.h, with rows of one element. The gradient adds each element back, in the order
** of the indices; its own gradient is the choice.
*/
#include "base/threads/parallel_for.h"
#include "kernels/loops/axis_blocks.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "kernels/loops/gather_rows.h"
#include "tensor/cast_copy.h"

/* Indices into an array whose shape differs from theirs along one axis at most. */
typedef struct AlongRows { RowGather rows; const Tensor *index; Along a; int64_t dim; } AlongRows;

static void find_along(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const AlongRows *r = (const AlongRows *)rows;
  index_values(r->index, first, n, place);
  index_normal(TAKE_RAISE, r->dim, n, place);
  for (int64_t i = 0; i < n; i++) {
    int64_t outer = (first + i) / (r->a.n * r->a.inner), inner = (first + i) % r->a.inner;
    place[i] = (outer * r->dim + place[i]) * r->a.inner + inner;
  }
}

/* `whole` is the shape of the array chosen from. */
static Status along_rows(const char *who, const Tensor *index, const Shape *whole, int64_t axis, AlongRows *out) {
  Along all = lines_along(whole, axis), a = lines_along(&index->type.shape, axis);
  *out = (AlongRows){ .rows = { .n = tensor_size(index), .places = shape_size(whole), .width = 1, .find = find_along },
                      .index = index,
                      .a = a,
                      .dim = all.n };
  return index_check(who, "indices", index, 0, out->rows.n, all.n, true);
}

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

static Status take_along_forward(Call *c) {
  AlongRows r;
  TRY(along_rows(c->op->name, c->in[1], &c->in[0]->type.shape, ((const AxisParams *)c->params)->axis, &r));
  rows_gather(&r.rows, dtype_size(c->in[0]->type.dtype), c->in[0]->data, c->out[0]->data);
  return interrupt_status();
}

static Status put_along_forward(Call *c) {
  const AlongBackwardParams *p = c->params;
  Tensor *out = c->out[0];
  AlongRows r;
  TRY(along_rows(c->op->name, c->in[1], &out->type.shape, p->axis, &r));
  clear_block(out->data, tensor_bytes(out));
  rows_add(&r.rows, out->type.dtype, c->in[0]->data, out->data);
  return interrupt_status();
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
    .params_size = sizeof(AxisParams), .infer = infer_take_along, .forward = take_along_forward,
    .grad = take_along_grad },
  { .name = "_backward_take_along_axis", .doc = "The gradient of a", .inputs = "g indices", .differentiable = 1,
    .params = "shape shape - The shape of a.\n" "axis int? - The axis.\n", .params_size = sizeof(AlongBackwardParams),
    .flags = OP_INTERNAL, .infer = infer_listed_shape, .forward = put_along_forward, .grad = put_along_grad },
  { 0 }
};
/* clang-format on */
