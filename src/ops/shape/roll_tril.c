/* roll_tril.c - rolled arrays and triangles of matrices: roll, tril, triu.
**
** A roll of n axes copies up to 2^n pieces (tensor/strided_region.h): along each axis, the elements before the cut and
** those after it. In each row of a triangle one part is copied and the other is zeroed.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "tensor/strided_region.h"

/* ---- roll ---------------------------------------------------------------------------------------------- */

typedef struct RollParams { List shift, axis; } RollParams;

/* The shift of each axis of `s`, from 0 to its dimension. A single shift applies to all axes, and all shifts to a
** single axis. */
static Status roll_shifts(const char *who, const RollParams *p, const Shape *s, int64_t *shifts) {
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

/* Is the flattened array rolled, for lack of axes? */
static bool in_line(const RollParams *p) { return p->axis.count < 0; }

static Status infer_roll(Infer *f) {
  const RollParams *p = f->params;
  int64_t shifts[MAX_DIMS];
  TRY(infer_same_type(f));
  if (in_line(p))
    return p->shift.count == 1
             ? OK
             : fail("shift: expected one integer if no axis is given, got %lld", (long long)p->shift.count);
  return f->in[0].shape.ndim < 0 ? OK : roll_shifts(f->op->name, p, &f->in[0].shape, shifts);
}

static Status roll_forward(Call *c) {
  const RollParams *p = c->params;
  Shape s = c->in[0]->type.shape;
  int64_t shifts[MAX_DIMS], size = shape_size(&s);
  if (size == 0) return OK;
  if (in_line(p)) {
    s = shape_of(1, &size);
    shifts[0] = (list_ints(&p->shift)[0] % size + size) % size;
  } else {
    TRY(roll_shifts(c->op->name, p, &s, shifts));
  }
  for (unsigned piece = 0; piece < 1u << s.ndim && !interrupted(); piece++) {
    Region from = region_of(&s), to = region_of(&s);
    bool empty = false;
    for (int i = 0; i < s.ndim; i++) {
      bool after = piece >> i & 1;                   /* the part after the cut, which moves to the beginning */
      int64_t rest = s.dim[i] - shifts[i], count = after ? shifts[i] : rest;
      empty = empty || count == 0;
      region_slice(&from, i, after ? rest : 0, 1, count);
      region_slice(&to, i, after ? 0 : shifts[i], 1, count);
    }
    if (!empty) region_copy(dtype_size(c->in[0]->type.dtype), c->in[0]->data, &from, c->out[0]->data, &to);
  }
  return interrupt_status();
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

typedef struct Triangle {
  const char *in;
  char *out;
  size_t size;
  int64_t rows, columns, k, step;      /* step: distance between rows of the input */
  bool lower;
} Triangle;

static void triangle_piece(void *context, int64_t first, int64_t last) {
  const Triangle *t = context;
  for (int64_t row = first; row < last; row++) {
    int64_t i = row % t->rows;
    /* Columns before `cut` are on or below the diagonal k; for triu, strictly below it. */
    int64_t cut = t->k >= t->columns ? t->columns : t->k < -t->rows ? 0 : i + t->k + (t->lower ? 1 : 0);
    if (cut < 0) cut = 0;
    if (cut > t->columns) cut = t->columns;
    const char *from = t->in + (size_t)(row * t->step) * t->size;
    char *to = t->out + (size_t)(row * t->columns) * t->size;
    size_t before = (size_t)cut * t->size, after = (size_t)(t->columns - cut) * t->size;
    if (t->lower) {
      memcpy(to, from, before);
      memset(to + before, 0, after);
    } else {
      memset(to, 0, before);
      memcpy(to + before, from + before, after);
    }
  }
}

static Status triangle_forward(Call *c, bool lower) {
  const Shape *in = &c->in[0]->type.shape, *out = &c->out[0]->type.shape;
  int64_t columns = out->dim[out->ndim - 1];
  if (tensor_size(c->out[0]) == 0) return OK;
  Triangle t = { c->in[0]->data,
                 c->out[0]->data,
                 dtype_size(c->in[0]->type.dtype),
                 out->dim[out->ndim - 2],
                 columns,
                 *(const int64_t *)c->params,
                 in->ndim == 1 ? 0 : columns,
                 lower };
  parallel_chunks(shape_size_range(out, 0, out->ndim - 1), (1 << 15) / (columns + 1) + 1, triangle_piece, &t);
  return interrupt_status();
}

static Status tril_forward(Call *c) { return triangle_forward(c, true); }
static Status triu_forward(Call *c) { return triangle_forward(c, false); }

static Status triangle_grad(Gradient *d) {
  Entry g = build_op(d->b, d->node->op->name, gradient_params(d), 1, d->out_grad[0]);
  return only_gradient(d, sum_to(d->b, g, gradient_input(d, 0)));
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

typedef struct KParams { int64_t k; } KParams;

#define TRIANGLE_ROW(title, text)                                                                            \
  { .name = #title, .aliases = "_npi_" #title, .doc = text, .inputs = "data",                                \
    .example = "F." #title "(F.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})\n"                                    \
               "F." #title "(F.array{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {3, 2, 1}}}, {k = 1})\n"            \
               "F." #title "(F.array{1, 2, 3}, {k = -1})",                                                   \
    .params = "k int 0 The diagonal: 0 is the main one, positive ones above it.\n", .params_size = sizeof(KParams), \
    .infer = infer_triangle, .forward = title##_forward, .grad = triangle_grad }

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
    .params_size = sizeof(RollParams), .infer = infer_roll, .forward = roll_forward, .grad = roll_grad },
  TRIANGLE_ROW(tril,
               "Matrices in the last two axes, with zeros above diagonal k. A vector is a matrix of equal rows"),
  TRIANGLE_ROW(triu,
               "Matrices in the last two axes, with zeros below diagonal k. A vector is a matrix of equal rows"),
  { 0 }
};
/* clang-format on */
