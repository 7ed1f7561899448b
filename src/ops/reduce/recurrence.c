/* recurrence.c - linear recurrences of the first order along an axis: y[i] = term[i] + factor[i] y[i - 1].
**
** The first element is term[0]; factor[0] is not read. The gradient of `term` is the recurrence in the other direction
** with the factors of the following elements, so gradients of any order are recurrences, and no element is divided by.
** cumprod is built from it (functions/cumulative.lua). The kernels: kernels/reduce/recurrence_kernels.c.
*/
#include "ops/reduce/recurrence.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static Status infer_recurrence(Infer *f) {
  const RecurrenceParams *p = f->params;
  const Shape *s = &f->in[0].shape;
  int axis;
  TRY(one_dtype(f, 0, 2));
  if (f->in[0].dtype == DT_FLOAT16 || f->in[0].dtype == DT_BOOL)
    return fail("term: expected dtype float32, float64 or an integer, got %s; convert with astype",
                dtype_name(f->in[0].dtype));
  TRY(input_shape(f, 1, s));
  TRY(input_shape(f, 0, &f->in[1].shape));
  TRY(one_shape(f, 0, 0));
  return s->ndim < 0 ? OK : axis_normal(f->op->name, "axis", p->axis, s->ndim, &axis);
}

/* The elements one place before, or after, each along an axis; 0 beyond the end. */
static Entry shifted(Builder *b, Entry e, int64_t axis, bool after) {
  if (!e.node || b->status != OK) return e;
  const Shape *s = &entry_type(e)->shape;
  const int64_t n = s->dim[axis < 0 ? axis + s->ndim : axis], from = after ? 1 : 0;
  Entry kept = build_op(b, "slice_axis", &(SliceAxisParams){ axis, from, n - 1 + from }, 1, e);
  Entry zero = build_zeros_like(b, build_op(b, "slice_axis", &(SliceAxisParams){ axis, 0, 1 }, 1, e));
  return build_joined(b, after ? kept : zero, after ? zero : kept, axis);
}

static Status recurrence_grad(Gradient *d) {
  Builder *b = d->b;
  const RecurrenceParams *p = gradient_params(d);
  const Shape *s = &gradient_input(d, 0)->shape;
  const RecurrenceParams back = { p->axis, !p->reverse };
  const Entry y = { d->node, 0 };
  if (!d->out_grad[0].node) return OK;
  if (s->dim[p->axis < 0 ? p->axis + s->ndim : p->axis] == 0) return OK;
  Entry g = build_op(b, "_linear_recurrence", &back, 2, d->out_grad[0],
                     shifted(b, d->node->in[1], p->axis, !p->reverse));
  if (d->wanted[0]) d->in_grad[0] = g;
  if (d->wanted[1]) d->in_grad[1] = build_op(b, "elemwise_mul", NULL, 2, g, shifted(b, y, p->axis, p->reverse));
  return b->status;
}

/* clang-format off */
Op recurrence_ops[] = {
  { .name = "_linear_recurrence", .aliases = "linear_recurrence",
    .doc = "y[i] = term[i] + factor[i] y[i - 1] along an axis; the first is term[0]. float32 elements are rounded from "
           "a recurrence in double",
    .inputs = "term factor",
    .example = "F.linear_recurrence(F.array{1, 2, 3}, F.array{9, 0.5, -2})\n"
               "F.linear_recurrence(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{1, 0.5, 0}, {2, -1, 3}}, "
               "{axis = 1, reverse = true})\n"
               "F.linear_recurrence(F.array{{1, 2}, {4, 5}}, F.array{{1, 0.5}, {2, -1}}, {axis = 0})",
    .params = "axis int -1 The axis.\nreverse bool False Begin at the end: y[i] = term[i] + factor[i] y[i + 1].\n",
    .params_size = sizeof(RecurrenceParams), .infer = infer_recurrence, .grad = recurrence_grad },
  { 0 }
};
/* clang-format on */
