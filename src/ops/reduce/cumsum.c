/* cumsum.c - cumulative sums: cumsum.
**
** The kernels: kernels/reduce/cumsum_kernels.c.
*/
#include "ops/reduce/cumsum.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- Inference and gradients --------------------------------------------------------------------------------- */

static Status infer_scan(Infer *f) {
  const ScanParams *p = f->params;
  const Shape *in = &f->in[0].shape;
  DType dtype = p->dtype != DT_UNKNOWN ? (DType)p->dtype : f->in[0].dtype == DT_BOOL ? DT_INT64 : f->in[0].dtype;
  Shape flat = { .ndim = 1, .dim = { UNKNOWN } };
  int axis;
  if (p->dtype == DT_FLOAT16 || p->dtype == DT_BOOL)
    return fail("dtype: expected float32, float64 or an integer, got %s", dtype_name(dtype));
  if (dtype == DT_FLOAT16)
    return fail("a: expected dtype float32, float64 or an integer, got float16; convert with astype");
  TRY(output_dtype(f, 0, dtype));
  if (in->ndim < 0) return OK;
  if (p->axis != NONE) {
    TRY(axis_normal(f->op->name, "axis", p->axis, in->ndim, &axis));
    return one_shape(f, 0, 0);
  }
  if (shape_known(in)) flat.dim[0] = shape_size(in);
  return output_shape(f, 0, &flat);
}

/* The gradient of input 0 is g in the input's shape and dtype. */
static Status gradient_like_input(Gradient *d, Entry g) {
  const Type *in = gradient_input(d, 0);
  if (d->b->status != OK || !g.node) return d->b->status;
  g = reshape_to(d->b, g, &in->shape);
  if (d->b->status == OK && entry_type(g)->dtype != in->dtype)
    g = build_op(d->b, "Cast", &(DTypeParams){ in->dtype }, 1, g);
  return only_gradient(d, g);
}

static Status cumsum_grad(Gradient *d) {
  CumsumGradParams back = { ((const ScanParams *)gradient_params(d))->axis };
  return gradient_like_input(d, build_op(d->b, "_backward_cumsum", &back, 1, d->out_grad[0]));
}

static Status cumsum_back_grad(Gradient *d) {
  ScanParams p = { ((const CumsumGradParams *)gradient_params(d))->axis, DT_UNKNOWN };
  return gradient_like_input(d, build_op(d->b, "_np_cumsum", &p, 1, d->out_grad[0]));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define PARAMS                                                                    \
  "axis int? None The axis; None: the flattened array.\n"                         \
  "dtype dtype? None The element type of the sums; None: a's, but int64 for bool.\n"

/* clang-format off */
Op scan_ops[] = {
  { .name = "_np_cumsum", .aliases = "cumsum",
    .doc = "The sum of each element and all before it along an axis; float32 sums are rounded from double",
    .inputs = "a",
    .example = "F.cumsum(F.array{{1, 2, 3}, {4, 5, 6}})\nF.cumsum(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 1})\n"
               "F.cumsum(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 0, dtype = \"float64\"})",
    .params = PARAMS, .params_size = sizeof(ScanParams), .infer = infer_scan,
    .grad = cumsum_grad },
  { .name = "_backward_cumsum", .doc = "The sum of each element and all after it along an axis", .inputs = "g",
    .params = "axis int? None The axis; None: g is flattened.\n", .params_size = sizeof(CumsumGradParams),
    .flags = OP_INTERNAL,
    .infer = infer_same_type, .grad = cumsum_back_grad },
  { 0 }
};
/* clang-format on */
