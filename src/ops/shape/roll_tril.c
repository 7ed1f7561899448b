/* roll_tril.c - rolled arrays and triangles of matrices: roll, tril, triu.
**
** Their kernels: kernels/shape/roll_tril_kernels.c.
*/
#include "ops/shape/roll_tril.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- roll ---------------------------------------------------------------------------------------------- */

Status roll_shifts(const char *who, const RollParams *p, const Shape *s, int64_t *shifts) {
  int64_t n_shift = p->shift.count, n_axis = p->axis.count < 0 ? 0 : p->axis.count;
  int64_t n = n_shift == 1 ? n_axis : n_axis == 1 ? n_shift : n_axis;
  if (n_shift < 1 || n_shift > MAX_DIMS)
    return fail("%s: shift: expected an integer, or one for each axis, got %lld", who, (long long)n_shift);
  if (n_shift != 1 && n_axis != 1 && n_shift != n_axis)
    return fail("%s: shift: expected one for each of %lld axes, got %lld", who, (long long)n_axis, (long long)n_shift);
  for (int i = 0; i < s->ndim; i++) shifts[i] = 0;
  for (int64_t i = 0; i < n; i++) {
    int axis;
    TRY(axis_normal(who, "axis", list_ints(&p->axis)[n_axis == 1 ? 0 : i], s->ndim, &axis));
    int64_t dim = s->dim[axis];
    if (dim > 0) shifts[axis] = (shifts[axis] + list_ints(&p->shift)[n_shift == 1 ? 0 : i] % dim + dim) % dim;
  }
  return OK;
}

static Status infer_roll(Infer *f) {
  const RollParams *p = f->params;
  int64_t shifts[MAX_DIMS];
  TRY(infer_same_type(f));
  if (rolled_in_line(p))
    return p->shift.count == 1
             ? OK
             : fail("shift: expected one integer if no axis is given, got %lld", (long long)p->shift.count);
  return f->in[0].shape.ndim < 0 ? OK : roll_shifts(f->op->name, p, &f->in[0].shape, shifts);
}

static Status roll_grad(Gradient *d) {
  RollParams back = *(const RollParams *)gradient_params(d);
  for (int64_t i = 0; i < back.shift.count; i++) {
    int64_t *shift = &back.shift.u.i[i];
    if (*shift != INT64_MIN) *shift = -*shift;
  }
  return only_gradient(d, build_op(d->b, "roll", &back, 1, d->out_grad[0]));
}

/* ---- tril, triu ---------------------------------------------------------------------------------------- */

/* A vector stands for a square matrix of equal rows, as in NumPy. */
static Status infer_triangle(Infer *f) {
  const Shape *in = &f->in[0].shape;
  TRY(one_dtype(f, 0, 1));
  TRY(least_dims(f, 0, 1));
  if (in->ndim < 0) return OK;
  Shape out = in->ndim == 1 ? shape_of(2, (int64_t[]){ in->dim[0], in->dim[0] }) : *in;
  return output_shape(f, 0, &out);
}

static Status triangle_grad(Gradient *d) {
  Entry g = build_op(d->b, d->node->op->name, gradient_params(d), 1, d->out_grad[0]);
  return only_gradient(d, sum_to(d->b, g, gradient_input(d, 0)));
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

#define TRIANGLE_ROW(title, text)                                                                            \
  { .name = #title, .aliases = "_npi_" #title, .doc = text, .inputs = "data",                                \
    .example = "F." #title "(F.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})\n"                                    \
               "F." #title "(F.array{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {3, 2, 1}}}, {k = 1})\n"            \
               "F." #title "(F.array{1, 2, 3}, {k = -1})",                                                   \
    .params = "k int 0 The diagonal: 0 is the main one, positive ones above it.\n", .params_size = sizeof(KParams), \
    .infer = infer_triangle, .grad = triangle_grad }

/* clang-format off */
Op move_ops[] = {
  { .name = "roll", .aliases = "_np_roll",
    .doc = "data with its elements moved along axes; elements moved past the end continue at the beginning. Without an "
           "axis the flattened array is rolled",
    .example = "F.roll(F.array{{1, 2, 3}, {4, 5, 6}}, 1, {axis = 1})\n"
               "F.roll(F.array{{1, 2, 3}, {4, 5, 6}}, 2)\n"
               "F.roll(F.array{{1, 2, 3}, {4, 5, 6}}, {1, -1}, {0, 1})",
    .inputs = "data",
    .params = "shift shape - Distance; one for each axis, or one for all.\n"
              "axis shape? None The axes; None: the flattened array.\n",
    .params_size = sizeof(RollParams), .infer = infer_roll, .grad = roll_grad },
  TRIANGLE_ROW(tril,
               "Matrices in the last two axes, with zeros above diagonal k. A vector is a matrix of equal rows"),
  TRIANGLE_ROW(triu,
               "Matrices in the last two axes, with zeros below diagonal k. A vector is a matrix of equal rows"),
  { 0 }
};
/* clang-format on */
