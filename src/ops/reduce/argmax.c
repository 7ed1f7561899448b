/* argmax.c - indices of extremes: argmax, argmin.
**
** As in NumPy the result is the first of equal elements, and a NaN is the extreme. The kernels:
** kernels/reduce/argmax_kernels.c.
*/
#include "ops/reduce/argmax.h"

#include "ops/op_registry.h"
#include "ops/reduce/sum_mean_max.h"

static Status infer_along(Infer *f, const ReduceParams *axes) {
  TRY(reduce_infer(f, axes));
  const Shape *in = &f->in[0].shape;
  if (shape_known(in) && shape_size(in) == 0 && shape_known(&f->out[0].shape) && shape_size(&f->out[0].shape) > 0)
    return fail("data: expected elements along the axis, got shape %s", shape_text(in));
  return OK;
}

static Status infer_arg(Infer *f) {
  const ArgParams *p = f->params;
  return infer_along(f, &(ReduceParams){ .axis = { .count = p->axis == NONE ? 0 : 1, .u.i = { p->axis } },
                                         .keepdims = p->keepdims,
                                         .np = p->np });
}

static Status infer_channel(Infer *f) {
  return infer_along(f, &(ReduceParams){ .axis = { .count = 1, .u.i = { 1 } } });
}

/* ---- Rows ------------------------------------------------------------------------------------------- */

#define AXIS                                                              \
  "axis int? None The axis to search; None: the flattened array.\n"       \
  "keepdims bool False Keep the axis, with dimension 1.\n" NP_SHAPES

/* clang-format off */
Op extreme_ops[] = {
  { .name = "argmax", .aliases = "/_npi_argmax", .doc = "The index of the greatest element, the first of equal ones, in data's dtype",
    .inputs = "data", .example = "F.argmax(F.array{{1, 5, 2}, {7, 3, 4}}, {axis = 1})", .params = AXIS,
    .params_size = sizeof(ArgParams), .flags = OP_NO_GRAD, .infer = infer_arg },
  { .name = "argmin", .aliases = "/_npi_argmin", .doc = "The index of the least element, the first of equal ones, in data's dtype",
    .inputs = "data", .example = "F.argmin(F.array{{1, 5, 2}, {7, 3, 4}}, {axis = 1})", .params = AXIS,
    .params_size = sizeof(ArgParams), .flags = OP_NO_GRAD, .infer = infer_arg },
  { .name = "argmax_channel", .doc = "argmax over axis 1", .inputs = "data",
    .example = "F.argmax_channel(F.array{{1, 5, 2}, {7, 3, 4}})", .flags = OP_NO_GRAD,
    .infer = infer_channel },
  { 0 }
};
/* clang-format on */
