/* broadcast_tile.c - repetition of elements: broadcast_to and related operators, tile, repeat.
**
** The gradient sums the copies. The kernels: kernels/shape/broadcast_tile_kernels.c.
*/
#include "ops/shape/broadcast_tile.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- Broadcasts ---------------------------------------------------------------------------------------- */

typedef struct BroadcastAxisParams { List axis, size; } BroadcastAxisParams;
typedef struct BroadcastLikeParams { List lhs_axes, rhs_axes; } BroadcastLikeParams;

/* Infers the output as input 0 broadcast to `to`, which may have unknown dimensions. */
static Status give_broadcast(Infer *f, const char *param, const Shape *to) {
  const Shape *in = &f->in[0].shape;
  Shape sum;
  if (in->ndim >= 0 && (!shape_broadcast(in, to, &sum) || !shape_merge(&sum, to)))
    return fail("%s: expected a shape that %s broadcasts to, got %s", param, shape_text(in), shape_text(to));
  return output_shape(f, 0, to);
}

/* Checks that the list holds dimensions. */
static Status check_dims(const char *param, const List *l) {
  if (l->count < 0) return fail("%s: expected dimensions, got nothing", param);
  if (l->count > MAX_DIMS)
    return fail("%s: expected at most %d dimensions, got %lld", param, MAX_DIMS, (long long)l->count);
  for (int64_t i = 0; i < l->count; i++)
    if (l->u.i[i] < 0) return fail("%s: expected dimensions of 0 or more, got %lld", param, (long long)l->u.i[i]);
  return OK;
}

/* A 0 in the parameter keeps the input's dimension. */
static Status infer_broadcast_to(Infer *f) {
  const List *list = &((const ShapeParams *)f->params)->shape;
  const Shape *in = &f->in[0].shape;
  TRY(one_dtype(f, 0, 1));
  TRY(check_dims("shape", list));
  Shape to = list_shape(list);
  int lead = to.ndim - in->ndim;
  for (int i = 0; i < to.ndim; i++)
    if (to.dim[i] == 0) to.dim[i] = in->ndim < 0 ? UNKNOWN : i < lead ? 1 : in->dim[i - lead];
  return give_broadcast(f, "shape", &to);
}

static Status infer_broadcast_exact(Infer *f) {
  Shape to = list_shape(&((const ShapeParams *)f->params)->shape);
  TRY(one_dtype(f, 0, 1));
  return give_broadcast(f, "shape", &to);
}

/* In broadcast_to, 0 keeps a dimension. */
static Entry broadcast_exact_portable(Builder *b, const Node *n) {
  const List *shape = &((const ShapeParams *)n->params->fields)->shape;
  for (int i = 0; i < shape->count; i++)
    if (list_ints(shape)[i] < 1) return NO_ENTRY;
  return shape->count < 1 ? NO_ENTRY : build_op_list(b, "broadcast_to", n->params->fields, 1, n->in);
}

static Status infer_broadcast_axis(Infer *f) {
  const BroadcastAxisParams *p = f->params;
  TRY(one_dtype(f, 0, 1));
  TRY(check_dims("size", &p->size));
  if (p->axis.count != p->size.count)
    return fail("size: expected one size for each of %lld axes, got %lld", (long long)p->axis.count,
                (long long)p->size.count);
  if (f->in[0].shape.ndim < 0) return OK;
  Shape to = f->in[0].shape;
  for (int64_t i = 0; i < p->axis.count; i++) {
    int axis;
    TRY(axis_normal(f->op->name, "axis", list_ints(&p->axis)[i], to.ndim, &axis));
    if (to.dim[axis] != 1 && to.dim[axis] != UNKNOWN)
      return fail("axis: expected axes of dimension 1, got axis %d of shape %s", axis, shape_text(&to));
    to.dim[axis] = p->size.u.i[i];
  }
  return output_shape(f, 0, &to);
}

static Status infer_broadcast_like(Infer *f) {
  const BroadcastLikeParams *p = f->params;
  const Shape *l = &f->in[0].shape, *r = &f->in[1].shape;
  TRY(one_dtype(f, 0, 1));
  if ((p->lhs_axes.count < 0) != (p->rhs_axes.count < 0) || p->lhs_axes.count != p->rhs_axes.count)
    return fail("rhs_axes: expected as many axes as lhs_axes has, got %lld and %lld", (long long)p->lhs_axes.count,
                (long long)p->rhs_axes.count);
  if (l->ndim < 0 || r->ndim < 0) return OK;
  if (p->lhs_axes.count < 0) return give_broadcast(f, "rhs", r);
  Shape to = *l;
  for (int64_t i = 0; i < p->lhs_axes.count; i++) {
    int left, right;
    TRY(axis_normal(f->op->name, "lhs_axes", list_ints(&p->lhs_axes)[i], l->ndim, &left));
    TRY(axis_normal(f->op->name, "rhs_axes", list_ints(&p->rhs_axes)[i], r->ndim, &right));
    to.dim[left] = r->dim[right];
  }
  return give_broadcast(f, "rhs", &to);
}

/* The expression for fused kernels: the operand's element. */
static const Op *choose_spread(const Query *q) {
  (void)q;
  return op_find("_spread");
}

static Status broadcast_grad(Gradient *d) {
  return only_gradient(d, sum_to(d->b, d->out_grad[0], gradient_input(d, 0)));
}

/* ---- tile ------------------------------------------------------------------------------------------------ */

Status tile_dims(const char *who, const List *reps, const Shape *in, Shape *dims, int64_t *times) {
  int n = reps->count < 0 ? 0 : (int)reps->count, ndim = in->ndim > n ? in->ndim : n;
  if (ndim > MAX_DIMS) return fail("%s: reps: expected at most %d repetitions, got %d", who, MAX_DIMS, ndim);
  dims->ndim = ndim;
  for (int i = 0; i < ndim; i++) {
    int k = i - (ndim - n);
    dims->dim[i] = i < ndim - in->ndim ? 1 : in->dim[i - (ndim - in->ndim)];
    times[i] = k < 0 ? 1 : list_ints(reps)[k];
    if (times[i] < 0) return fail("%s: reps: expected repetitions of 0 or more, got %lld", who, (long long)times[i]);
  }
  return OK;
}

static Status times_dim(int64_t dim, int64_t times, int64_t *out) {
  if (dim == UNKNOWN) {
    *out = UNKNOWN;
    return OK;
  }
  if (__builtin_mul_overflow(dim, times, out)) return fail("data: expected at most 2^48 elements in all, got more");
  return OK;
}

static Status infer_tile(Infer *f) {
  const List *reps = &((const ShapeParams *)f->params)->shape;
  Shape s;
  int64_t times[MAX_DIMS];
  TRY(one_dtype(f, 0, 1));
  if (f->in[0].shape.ndim < 0) return OK;
  TRY(tile_dims(f->op->name, reps, &f->in[0].shape, &s, times));
  for (int i = 0; i < s.ndim; i++) TRY(times_dim(s.dim[i], times[i], &s.dim[i]));
  return output_shape(f, 0, &s);
}

/* Sums e, seen as (before, times, after), over `times`. */
static Entry sum_repetitions(Builder *b, Entry e, int64_t before, int64_t times, int64_t after) {
  ReduceParams middle = { .axis = { .count = 1, .u.i = { 1 } } };
  return build_op(b, "sum", &middle, 1, reshape_to(b, e, &(Shape){ .ndim = 3, .dim = { before, times, after } }));
}

static Status tile_grad(Gradient *d) {
  const Shape *in = &gradient_input(d, 0)->shape;
  Shape dims;
  int64_t times[MAX_DIMS], before = 1;
  Entry g = d->out_grad[0];
  TRY(tile_dims("tile", &((const ShapeParams *)gradient_params(d))->shape, in, &dims, times));
  int64_t after = shape_size(&d->node->type[0].shape);
  for (int i = 0; i < dims.ndim; i++) {
    if (times[i] == 0) return only_gradient(d, build_zeros_like(d->b, d->node->in[0]));
    after /= times[i];
    if (times[i] > 1) g = sum_repetitions(d->b, g, before, times[i], after);
    before *= dims.dim[i];
    after = dims.dim[i] ? after / dims.dim[i] : 0;
  }
  return only_gradient(d, reshape_to(d->b, g, in));
}

/* ---- repeat ------------------------------------------------------------------------------------------------ */

static Status infer_repeat(Infer *f) {
  const RepeatParams *p = f->params;
  const Shape *in = &f->in[0].shape;
  int axis = 0;
  TRY(one_dtype(f, 0, 1));
  if (p->repeats < 0) return fail("repeats: expected 0 or more, got %lld", (long long)p->repeats);
  if (in->ndim < 0) return OK;
  Shape s = *in;
  if (p->axis == NONE) s = (Shape){ .ndim = 1, .dim = { shape_known(in) ? shape_size(in) : UNKNOWN } };
  else TRY(axis_normal(f->op->name, "axis", p->axis, in->ndim, &axis));
  TRY(times_dim(s.dim[axis], p->repeats, &s.dim[axis]));
  return output_shape(f, 0, &s);
}

void repeat_units(const RepeatParams *p, const Shape *in, int64_t *units, int64_t *after) {
  int axis = p->axis == NONE ? in->ndim - 1 : axis_at(p->axis, in->ndim);
  *units = shape_size_range(in, 0, axis + 1);
  *after = shape_size_range(in, axis + 1, in->ndim);
}

static Status repeat_grad(Gradient *d) {
  const RepeatParams *p = gradient_params(d);
  const Shape *in = &gradient_input(d, 0)->shape;
  int64_t units, after;
  repeat_units(p, in, &units, &after);
  return only_gradient(d, reshape_to(d->b, sum_repetitions(d->b, d->out_grad[0], units, p->repeats, after), in));
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

#define BROADCAST .choose_row = choose_spread, .grad = broadcast_grad

/* clang-format off */
Op broadcast_ops[] = {
  { .name = "broadcast_to", .doc = "data repeated along axes of dimension 1, or missing leading axes, to a given shape",
    .inputs = "data",
    .example = "F.broadcast_to(F.array{{1}, {2}}, {shape = {2, 3}})\n"
               "F.broadcast_to(F.array{{1}, {2}}, {shape = {0, 3}})\n"
               "F.broadcast_to(F.array{1, 2}, {shape = {2, 2}})",
    .params = "shape shape () The shape; 0 keeps a dimension.\n", .params_size = sizeof(ShapeParams),
    .infer = infer_broadcast_to, BROADCAST },
  { .name = "_broadcast_exact", .doc = "broadcast_to in which 0 is a dimension of 0", .inputs = "data",
    .flags = OP_INTERNAL, .params = "shape shape - The shape.\n", .params_size = sizeof(ShapeParams),
    .infer = infer_broadcast_exact, .portable = broadcast_exact_portable, BROADCAST },
  { .name = "broadcast_axis", .aliases = "broadcast_axes", .doc = "data repeated along given axes of dimension 1",
    .inputs = "data", .example = "F.broadcast_axis(F.array{{{1}, {2}}}, {axis = {0, 2}, size = {2, 3}})",
    .params = "axis shape () The axes.\nsize shape () The new dimension of each.\n",
    .params_size = sizeof(BroadcastAxisParams),
    .infer = infer_broadcast_axis, BROADCAST },
  { .name = "broadcast_like", .doc = "lhs broadcast to the shape of rhs, or some of its axes to some axes of rhs",
    .inputs = "lhs rhs",
    .example = "F.broadcast_like(F.array{{1}, {2}}, F.zeros{2, 3})\n"
               "F.broadcast_like(F.array{{1}, {2}}, F.zeros{4, 3}, {lhs_axes = {1}, rhs_axes = {-2}})",
    .params = "lhs_axes shape? None Axes of lhs; None: all.\nrhs_axes shape? None The axes of rhs with their "
              "dimensions.\n",
    .params_size = sizeof(BroadcastLikeParams), .differentiable = 1,
    .infer = infer_broadcast_like, BROADCAST },
  { .name = "tile", .doc = "The whole array repeated along its axes; if reps has more entries, along new leading axes",
    .inputs = "data",
    .example = "F.tile(F.array{{1, 2}, {3, 4}}, {reps = {2, 3}})\n"
               "F.tile(F.array{1, 2}, {reps = {2, 2}})\n"
               "F.tile(F.array{{1, 2}, {3, 4}}, {reps = 3})",
    .params = "reps shape - Number of copies along each of the last axes.\n", .params_size = sizeof(ShapeParams),
    .flags = OP_NAMED_INPUT, .infer = infer_tile, .grad = tile_grad },
  { .name = "repeat", .doc = "Each element repeated along an axis, or each of the flattened array without an axis",
    .inputs = "data",
    .example = "F[\"repeat\"](F.array{{1, 2}, {3, 4}}, {repeats = 2})\n"
               "F[\"repeat\"](F.array{{1, 2}, {3, 4}}, {repeats = 3, axis = -2})",
    .params = "repeats int - Number of copies of each.\naxis int? None The axis; None: the flattened array.\n",
    .params_size = sizeof(RepeatParams), .flags = OP_NAMED_INPUT, .infer = infer_repeat, .grad = repeat_grad },
  { 0 }
};
/* clang-format on */
