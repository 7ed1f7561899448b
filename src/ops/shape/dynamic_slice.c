/* dynamic_slice.c - slices at a position that is an input: dynamic_slice reads a part, dynamic_update_slice returns the
** array with a part replaced. So one graph serves all positions, as in caches of sequences that grow token by token.
**
** `begin` has one number, or one for each element of the first axis. The gradients use the same two rows and zeros.
** The kernels: kernels/shape/dynamic_slice_kernels.c.
*/
#include "ops/shape/dynamic_slice.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* Checks input i, `begin`. */
static Status infer_begin(Infer *f, int i, int axis) {
  const Shape *data = &f->in[0].shape, *s = &f->in[i].shape;
  const int64_t first = data->dim[0];
  if (s->ndim < 0) return input_shape(f, i, &(Shape){ 1, { 1 } });
  if (s->ndim == 1 && (s->dim[0] < 0 || s->dim[0] == 1)) return OK;
  if (s->ndim == 1 && axis > 0 && (first < 0 || s->dim[0] == first)) return OK;
  return fail("begin: expected shape (1,)%s of data %s, got %s",
              axis > 0 ? ", or one number for each element of the first axis" : "", shape_text(data), shape_text(s));
}

static Status infer_slice(Infer *f) {
  const SliceAtParams *p = f->params;
  int axis;
  TRY(one_dtype(f, 0, 1));
  if (p->size < 0) return fail("size: expected 0 or more, got %lld", (long long)p->size);
  TRY(least_dims(f, 0, 1));
  if (f->in[0].shape.ndim < 0) return OK;
  Shape s = f->in[0].shape;
  TRY(axis_normal(f->op->name, "axis", p->axis, s.ndim, &axis));
  TRY(infer_begin(f, 1, axis));
  if (s.dim[axis] >= 0 && p->size > s.dim[axis])
    return fail("size: expected at most %lld, the dimension of the axis of data %s, got %lld", (long long)s.dim[axis],
                shape_text(&f->in[0].shape), (long long)p->size);
  s.dim[axis] = p->size;
  return output_shape(f, 0, &s);
}

static Status infer_update(Infer *f) {
  const UpdateAtParams *p = f->params;
  int axis;
  TRY(one_dtype(f, 0, 2));
  TRY(least_dims(f, 0, 1));
  TRY(one_shape(f, 0, 0));
  if (f->in[0].shape.ndim < 0) return OK;
  Shape s = f->in[0].shape;
  TRY(axis_normal(f->op->name, "axis", p->axis, s.ndim, &axis));
  TRY(infer_begin(f, 2, axis));
  const int64_t most = s.dim[axis];
  s.dim[axis] = UNKNOWN;
  TRY(input_shape(f, 1, &s));
  if (f->in[1].shape.ndim > 0 && most >= 0 && f->in[1].shape.dim[axis] > most)
    return fail("value: expected at most %lld elements along axis %d, got shape %s", (long long)most, axis,
                shape_text(&f->in[1].shape));
  return OK;
}

static Status slice_grad(Gradient *d) {
  const UpdateAtParams whole = { ((const SliceAtParams *)gradient_params(d))->axis };
  const Entry zeros = build_zeros_like(d->b, d->node->in[0]);
  return only_gradient(d, build_op(d->b, "_contrib_dynamic_update_slice", &whole, 3, zeros, d->out_grad[0],
                                   d->node->in[1]));
}

static Status update_grad(Gradient *d) {
  const UpdateAtParams *p = gradient_params(d);
  const Entry g = d->out_grad[0], value = d->node->in[1], begin = d->node->in[2];
  const Shape *s = &entry_type(value)->shape;
  if (d->wanted[0])
    d->in_grad[0] = build_op(d->b, "_contrib_dynamic_update_slice", p, 3, g, build_zeros_like(d->b, value), begin);
  const SliceAtParams part = { p->axis, s->dim[axis_at(p->axis, s->ndim)] };
  if (d->wanted[1]) d->in_grad[1] = build_op(d->b, "_contrib_dynamic_slice", &part, 2, g, begin);
  return d->b->status;
}

static double no_flops(const Query *q) {
  (void)q;
  return 0;
}

#define AXIS "axis int 0 The axis.\n"
#define BEGIN \
  "begin, of any dtype, has shape (1) or one number for each element of the first axis. As begin is an array, one " \
  "graph serves all positions"

/* clang-format off */
Op dynamic_slice_ops[] = {
  { .name = "_contrib_dynamic_slice", .aliases = "contrib.dynamic_slice",
    .doc = "`size` elements of data along an axis, starting at `begin`. " BEGIN,
    .example = "F.contrib.dynamic_slice(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({1}, {dtype = \"int32\"}), "
               "{axis = 1, size = 2})\n"
               "F.contrib.dynamic_slice(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({0, 2}, {dtype = \"int32\"}), "
               "{axis = -1, size = 1})",
    .inputs = "data begin", .params = AXIS "size int - Number of elements.\n", .params_size = sizeof(SliceAtParams),
    .differentiable = 1, .effects = op_fails_always, .infer = infer_slice, .flops = no_flops, .grad = slice_grad },
  { .name = "_contrib_dynamic_update_slice", .aliases = "contrib.dynamic_update_slice",
    .doc = "data with elements along an axis, starting at `begin`, replaced by those of value. " BEGIN,
    .example = "F.contrib.dynamic_update_slice(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{7, 8}, {9, 10}}, "
               "F.array({1}, {dtype = \"int32\"}), {axis = 1})\n"
               "F.contrib.dynamic_update_slice(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{7}, {8}}, "
               "F.array({0, 2}, {dtype = \"int32\"}), {axis = 1})",
    .inputs = "data value begin", .params = AXIS, .params_size = sizeof(UpdateAtParams), .differentiable = 3,
    .effects = op_fails_always, .infer = infer_update, .flops = no_flops, .grad = update_grad },
  { 0 }
};
/* clang-format on */
