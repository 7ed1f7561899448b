/* diag.c - diagonals of arrays and diagonal matrices: diag.
**
** A diagonal is a region (tensor/strided_region.h) whose last axis steps along two axes of the array. The kernels:
** kernels/shape/diag_kernels.c.
*/
#include "ops/shape/diag.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

Status diagonal(const char *who, const DiagParams *p, const Shape *s, Region *out) {
  int a, b;
  TRY(axis_normal(who, "axis1", p->axis1, s->ndim, &a));
  TRY(axis_normal(who, "axis2", p->axis2, s->ndim, &b));
  if (a == b) return fail("%s: axis2: expected another axis than axis1, got %d for both", who, a);
  Region whole = region_of(s), r = { 0 };
  for (int i = 0; i < s->ndim; i++) {
    if (i == a || i == b) continue;
    r.shape.dim[r.shape.ndim] = s->dim[i];
    r.stride[r.shape.ndim++] = whole.stride[i];
  }
  int64_t down = p->k < 0 ? -p->k : 0, right = p->k > 0 ? p->k : 0;
  int64_t rows = s->dim[a] - down, columns = s->dim[b] - right, length = rows < columns ? rows : columns;
  r.shape.dim[r.shape.ndim] = length > 0 ? length : 0;
  r.stride[r.shape.ndim++] = whole.stride[a] + whole.stride[b];
  if (length > 0) r.offset = down * whole.stride[a] + right * whole.stride[b];
  *out = r;
  return OK;
}

static Status infer_diag(Infer *f) {
  const DiagParams *p = f->params;
  const Shape *in = &f->in[0].shape;
  Region r;
  TRY(one_dtype(f, 0, 1));
  if (p->k < -MAX_ELEMENTS || p->k > MAX_ELEMENTS)
    return fail("k: expected a diagonal of the array, got %lld", (long long)p->k);
  if (!shape_known(in)) return OK;
  if (in->ndim == 0) return fail("data: expected an array with an axis, got a 0-d array");
  if (in->ndim == 1) {
    int64_t side = diag_side(p, in->dim[0]);
    return output_shape(f, 0, &(Shape){ .ndim = 2, .dim = { side, side } });
  }
  TRY(diagonal(f->op->name, p, in, &r));
  return output_shape(f, 0, &r.shape);
}

static Status diag_grad(Gradient *d) {
  DiagBackwardParams back = { list_of_shape(&gradient_input(d, 0)->shape), *(const DiagParams *)gradient_params(d) };
  return only_gradient(d, build_op(d->b, "_backward_diag", &back, 1, d->out_grad[0]));
}

static Status diag_backward_grad(Gradient *d) {
  const DiagBackwardParams *p = gradient_params(d);
  return only_gradient(d, build_op(d->b, "diag", &p->diag, 1, d->out_grad[0]));
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

#define DIAG_LINES                                                                                        \
  "k int 0 The diagonal: 0 is the main one, positive ones are above it.\n"                                            \
  "axis1 int 0 The axis of rows.\naxis2 int 1 The axis of columns.\n"

/* clang-format off */
Op diag_ops[] = {
  { .name = "diag",
    .doc = "A diagonal of data as the last axis of the result; for a vector, a matrix with the vector on a diagonal",
    .example = "F.diag(F.array{{1, 2, 3}, {4, 5, 6}})\n"
               "F.diag(F.array{{1, 2, 3}, {4, 5, 6}}, {k = 1})\n"
               "F.diag(F.array{1, 2}, {k = -1})\n"
               "F.diag(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, {axis1 = 0, axis2 = -1})",
    .inputs = "data", .params = DIAG_LINES, .params_size = sizeof(DiagParams),
    .flags = OP_NAMED_INPUT, .infer = infer_diag, .grad = diag_grad },
  { .name = "_backward_diag", .doc = "An array of zeros with a diagonal filled in", .inputs = "grad",
    .flags = OP_INTERNAL, .params = "shape shape - The shape.\n" DIAG_LINES, .params_size = sizeof(DiagBackwardParams),
    .infer = infer_listed_shape, .grad = diag_backward_grad },
  { 0 }
};
/* clang-format on */
