/* transpose_tile.c - the same elements in another order, or repeated: transpose, reverse,
** broadcast_to, tile, repeat, diag, depth_to_space and their kin.
**
** Each row is one copy between two regions (tensor/strided_region.h): a permutation of strides, a
** negative stride, a stride of 0. Where elements are repeated the gradient sums the copies.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"
#include "tensor/strided_region.h"

static size_t element_size(const Call *c) { return dtype_size(c->in[0]->type.dtype); }

/* Input 0's elements, as `from` chooses them, fill the output. */
static Status fill_from(Call *c, const Region *from) {
  Region to = region_of(&from->shape);
  region_copy(element_size(c), c->in[0]->data, from, c->out[0]->data, &to);
  return interrupt_status();
}

/* ---- Permutations of axes --------------------------------------------------------------------- */


/* order[i]: the input's axis that becomes axis i. */
typedef Status AxisOrder(const char *who, const void *params, int ndim, int *order);

static Status transpose_order(const char *who, const void *params, int ndim, int *order) {
  const List *axes = &((const TransposeParams *)params)->axes;
  bool seen[MAX_DIMS] = { false };
  for (int i = 0; i < ndim; i++) order[i] = ndim - 1 - i;
  if (axes->count <= 0) return OK;
  if (axes->count != ndim) return fail("%s: axes: expected %d axes, got %lld", who, ndim, (long long)axes->count);
  for (int i = 0; i < ndim; i++) {
    TRY(axis_normal(who, "axes", list_ints(axes)[i], ndim, &order[i]));
    if (seen[order[i]]) return fail("%s: axes: expected each axis once, got %d twice", who, order[i]);
    seen[order[i]] = true;
  }
  return OK;
}

static Status swap_order(const char *who, const void *params, int ndim, int *order) {
  const SwapParams *p = params;
  int a, b;
  TRY(axis_normal(who, "dim1", p->dim1, ndim, &a));
  TRY(axis_normal(who, "dim2", p->dim2, ndim, &b));
  for (int i = 0; i < ndim; i++) order[i] = i;
  order[a] = b;
  order[b] = a;
  return OK;
}

static Status infer_permuted(Infer *f, AxisOrder *order_of) {
  const Shape *in = &f->in[0].shape, *out = &f->out[0].shape;
  int order[MAX_DIMS], ndim = in->ndim >= 0 ? in->ndim : out->ndim;
  TRY(one_dtype(f, 0, 1));
  if (ndim < 0) return OK;
  TRY(order_of(f->op->name, f->params, ndim, order));
  Shape there = { .ndim = ndim }, back = { .ndim = ndim };
  for (int i = 0; i < ndim; i++) there.dim[i] = in->ndim < 0 ? UNKNOWN : in->dim[order[i]];
  TRY(output_shape(f, 0, &there));
  for (int i = 0; i < ndim; i++) back.dim[order[i]] = out->dim[i];
  return input_shape(f, 0, &back);
}

/* What the kernel copies, and where to. */
typedef struct Permutation { Region from, to; } Permutation;

static size_t permutation_bytes(const Query *q) { (void)q; return sizeof(Permutation); }

static Status prepare_permuted(Call *c, AxisOrder *order_of) {
  Permutation *p = c->prepared;
  int order[MAX_DIMS];
  TRY(order_of(c->op->name, c->params, c->in[0]->type.shape.ndim, order));
  p->from = region_permuted(&c->in[0]->type.shape, order);
  p->to = region_of(&p->from.shape);
  return OK;
}

static Status permute(Call *c) {
  const Permutation *p = c->prepared;
  region_copy(element_size(c), c->in[0]->data, &p->from, c->out[0]->data, &p->to);
  return interrupt_status();
}

static Status infer_transpose(Infer *f) { return infer_permuted(f, transpose_order); }
static Status infer_swap(Infer *f) { return infer_permuted(f, swap_order); }
static Status prepare_transpose(Call *c) { return prepare_permuted(c, transpose_order); }
static Status prepare_swap(Call *c) { return prepare_permuted(c, swap_order); }

static Status transpose_grad(Gradient *d) {
  const TransposeParams *p = (const TransposeParams *)d->node->params->fields;
  int order[MAX_DIMS], ndim = d->node->type[0].shape.ndim;
  TransposeParams back = { .axes = { .count = p->axes.count <= 0 ? 0 : ndim } };
  TRY(transpose_order("transpose", p, ndim, order));
  for (int i = 0; i < ndim; i++) back.axes.u.i[order[i]] = i;
  d->in_grad[0] = build_op(d->b, "transpose", &back, 1, d->out_grad[0]);
  return d->b->status;
}

static Status swap_grad(Gradient *d) {
  d->in_grad[0] = build_op(d->b, "SwapAxis", d->node->params->fields, 1, d->out_grad[0]);
  return d->b->status;
}

/* ---- reverse ----------------------------------------------------------------------------------------- */

static Status infer_reverse(Infer *f) {
  const List *axes = &((const TransposeParams *)f->params)->axes;
  bool seen[MAX_DIMS] = { false };
  TRY(infer_same_type(f));
  if (f->in[0].shape.ndim < 0) return OK;
  for (int64_t i = 0; i < axes->count; i++) {
    int axis;
    TRY(axis_normal(f->op->name, "axis", list_ints(axes)[i], f->in[0].shape.ndim, &axis));
    if (seen[axis]) return fail("axis: expected each axis once, got %d twice", axis);
    seen[axis] = true;
  }
  return OK;
}

static Status reverse_forward(Call *c) {
  const List *axes = &((const TransposeParams *)c->params)->axes;
  Region from = region_of(&c->in[0]->type.shape);
  for (int64_t i = 0; i < axes->count; i++) {
    int axis;
    TRY(axis_normal(c->op->name, "axis", list_ints(axes)[i], from.shape.ndim, &axis));
    int64_t dim = from.shape.dim[axis];
    region_slice(&from, axis, dim - 1, -1, dim);
  }
  return fill_from(c, &from);
}

static Status reverse_grad(Gradient *d) {
  d->in_grad[0] = build_op(d->b, "reverse", d->node->params->fields, 1, d->out_grad[0]);
  return d->b->status;
}

/* ---- Broadcasts ---------------------------------------------------------------------------------------- */

typedef struct BroadcastAxisParams { List axis, size; } BroadcastAxisParams;
typedef struct BroadcastLikeParams { List lhs_axes, rhs_axes; } BroadcastLikeParams;

/* Input 0 spread out to `to`, of which unknown dimensions are left as they are. */
static Status give_broadcast(Infer *f, const char *param, const Shape *to) {
  const Shape *in = &f->in[0].shape;
  Shape sum;
  if (in->ndim >= 0 && (!shape_broadcast(in, to, &sum) || !shape_merge(&sum, to)))
    return fail("%s: expected a shape that %s broadcasts to, got %s", param, shape_text(in), shape_text(to));
  return output_shape(f, 0, to);
}

/* A list that gives dimensions. */
static Status check_dims(const char *param, const List *l) {
  if (l->count < 0) return fail("%s: expected dimensions, got nothing", param);
  if (l->count > MAX_DIMS)
    return fail("%s: expected at most %d dimensions, got %lld", param, MAX_DIMS, (long long)l->count);
  for (int64_t i = 0; i < l->count; i++)
    if (l->u.i[i] < 0) return fail("%s: expected dimensions of 0 or more, got %lld", param, (long long)l->u.i[i]);
  return OK;
}

/* 0 keeps the input's dimension. */
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

static Status broadcast_forward(Call *c) {
  Region from = region_broadcast(&c->in[0]->type.shape, &c->out[0]->type.shape);
  return fill_from(c, &from);
}

/* What a fused kernel makes of it: each element is one of the operand's. */
DEFINE_ALL(spread_y, "a", 0, a)
static const Elementwise *pick_spread(const Query *q) { (void)q; return &spread_y; }

static Status broadcast_grad(Gradient *d) {
  d->in_grad[0] = sum_to(d->b, d->out_grad[0], entry_type(d->node->in[0]));
  return d->b->status;
}

/* ---- tile ------------------------------------------------------------------------------------------------ */

/* data's shape and reps with as many entries each, ones in front. */
static Status tile_dims(const char *who, const List *reps, const Shape *in, Shape *dims, int64_t *times) {
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
  if (dim == UNKNOWN) { *out = UNKNOWN; return OK; }
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

/* data goes into the first corner of the output. Then, from the last axis to the first,
** what is there is copied along the axis, twice as much each time. */
static Status tile_forward(Call *c) {
  Shape dims;
  int64_t times[MAX_DIMS];
  size_t size = element_size(c);
  Tensor *out = c->out[0];
  TRY(tile_dims(c->op->name, &((const ShapeParams *)c->params)->shape, &c->in[0]->type.shape, &dims, times));
  if (tensor_size(out) == 0) return OK;
  Region whole = region_of(&out->type.shape), from = region_of(&dims), done = whole;
  done.shape = dims;
  region_copy(size, c->in[0]->data, &from, out->data, &done);
  for (int i = dims.ndim - 1; i >= 0; i--) {
    for (int64_t have = 1; have < times[i] && !interrupted(); ) {
      int64_t more = have < times[i] - have ? have : times[i] - have;
      Region source = done, target = done;
      source.shape.dim[i] = target.shape.dim[i] = more * dims.dim[i];
      target.offset += have * dims.dim[i] * whole.stride[i];
      region_copy(size, out->data, &source, out->data, &target);
      have += more;
    }
    done.shape.dim[i] *= times[i];
  }
  return interrupt_status();
}

/* e as (before, times, after), summed over the times. */
static Entry sum_repetitions(Builder *b, Entry e, int64_t before, int64_t times, int64_t after) {
  ReduceParams middle = { .axis = { .count = 1, .u.i = { 1 } } };
  return build_op(b, "sum", &middle, 1, reshape_to(b, e, &(Shape){ .ndim = 3, .dim = { before, times, after } }));
}

static Status tile_grad(Gradient *d) {
  const Shape *in = &entry_type(d->node->in[0])->shape;
  Shape dims;
  int64_t times[MAX_DIMS], before = 1;
  Entry g = d->out_grad[0];
  TRY(tile_dims("tile", &((const ShapeParams *)d->node->params->fields)->shape, in, &dims, times));
  int64_t after = shape_size(&d->node->type[0].shape);
  for (int i = 0; i < dims.ndim; i++) {
    if (times[i] == 0) { d->in_grad[0] = build_zeros_like(d->b, d->node->in[0]); return d->b->status; }
    after /= times[i];
    if (times[i] > 1) g = sum_repetitions(d->b, g, before, times[i], after);
    before *= dims.dim[i];
    after = dims.dim[i] ? after / dims.dim[i] : 0;
  }
  d->in_grad[0] = reshape_to(d->b, g, in);
  return d->b->status;
}

/* ---- repeat ------------------------------------------------------------------------------------------------ */

typedef struct RepeatParams { int64_t repeats, axis; } RepeatParams;

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

/* The elements as (units, after): each unit is repeated. */
static void repeat_units(const RepeatParams *p, const Shape *in, int64_t *units, int64_t *after) {
  int axis = p->axis == NONE ? in->ndim - 1 : (int)(p->axis < 0 ? p->axis + in->ndim : p->axis);
  *units = shape_size_range(in, 0, axis + 1);
  *after = shape_size_range(in, axis + 1, in->ndim);
}

static Status repeat_forward(Call *c) {
  const RepeatParams *p = c->params;
  int64_t units, after;
  repeat_units(p, &c->in[0]->type.shape, &units, &after);
  Region from = { .shape = { .ndim = 3, .dim = { units, p->repeats, after } }, .stride = { after, 0, 1 } };
  return fill_from(c, &from);
}

static Status repeat_grad(Gradient *d) {
  const RepeatParams *p = (const RepeatParams *)d->node->params->fields;
  const Shape *in = &entry_type(d->node->in[0])->shape;
  int64_t units, after;
  repeat_units(p, in, &units, &after);
  d->in_grad[0] = reshape_to(d->b, sum_repetitions(d->b, d->out_grad[0], units, p->repeats, after), in);
  return d->b->status;
}

/* ---- diag ---------------------------------------------------------------------------------------------------- */

typedef struct DiagParams { int64_t k, axis1, axis2; } DiagParams;
typedef struct DiagBackwardParams { List shape; DiagParams diag; } DiagBackwardParams;

/* The diagonal of an array with two axes or more: a region with the diagonal as its last axis. */
static Status diagonal(const char *who, const DiagParams *p, const Shape *s, Region *out) {
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

static int64_t diag_side(const DiagParams *p, int64_t length) { return length + (p->k < 0 ? -p->k : p->k); }

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

/* The part of a square matrix that a vector of `length` becomes. */
static Region diag_of_matrix(const DiagParams *p, int64_t length) {
  int64_t side = diag_side(p, length), down = p->k < 0 ? -p->k : 0, right = p->k > 0 ? p->k : 0;
  return (Region){ .shape = { .ndim = 1, .dim = { length } }, .stride = { side + 1 },
                   .offset = length > 0 ? down * side + right : 0 };
}

/* Input 0's elements onto `target` of an output of zeros. */
static Status onto_zeros(Call *c, const Region *target) {
  Region from = region_of(&target->shape);
  clear_block(c->out[0]->data, tensor_bytes(c->out[0]));
  region_copy(element_size(c), c->in[0]->data, &from, c->out[0]->data, target);
  return interrupt_status();
}

static Status diag_forward(Call *c) {
  const DiagParams *p = c->params;
  const Shape *in = &c->in[0]->type.shape;
  Region r;
  if (in->ndim == 1) {
    r = diag_of_matrix(p, in->dim[0]);
    return onto_zeros(c, &r);
  }
  TRY(diagonal(c->op->name, p, in, &r));
  return fill_from(c, &r);
}

static Status infer_diag_backward(Infer *f) {
  Shape s = list_shape(&((const DiagBackwardParams *)f->params)->shape);
  TRY(one_dtype(f, 0, 1));
  return output_shape(f, 0, &s);
}

static Status diag_backward_forward(Call *c) {
  const DiagBackwardParams *p = c->params;
  Region r;
  if (c->out[0]->type.shape.ndim == 1) {               /* of a vector's matrix: its diagonal again */
    r = diag_of_matrix(&p->diag, c->out[0]->type.shape.dim[0]);
    return fill_from(c, &r);
  }
  TRY(diagonal(c->op->name, &p->diag, &c->out[0]->type.shape, &r));
  return onto_zeros(c, &r);
}

static Status diag_grad(Gradient *d) {
  const Shape *in = &entry_type(d->node->in[0])->shape;
  DiagBackwardParams back = { .shape = { .count = in->ndim }, .diag = *(const DiagParams *)d->node->params->fields };
  memcpy(back.shape.u.i, in->dim, sizeof in->dim);
  d->in_grad[0] = build_op(d->b, "_backward_diag", &back, 1, d->out_grad[0]);
  return d->b->status;
}

static Status diag_backward_grad(Gradient *d) {
  const DiagBackwardParams *p = (const DiagBackwardParams *)d->node->params->fields;
  d->in_grad[0] = build_op(d->b, "diag", &p->diag, 1, d->out_grad[0]);
  return d->b->status;
}

/* ---- depth_to_space, space_to_depth ---------------------------------------------------------------------------- */

typedef struct BlockParams { int64_t block_size; } BlockParams;

static int64_t grown(int64_t dim, int64_t by) { return dim < 0 ? UNKNOWN : dim * by; }
static int64_t shrunk(int64_t dim, int64_t by) { return dim < 0 ? UNKNOWN : dim / by; }
static bool divides(int64_t by, int64_t dim) { return dim < 0 || dim % by == 0; }

/* A deep array has axes (n, y x c, h, w), a wide one (n, c, h y, w x), where y and x are the
** row and column within a block. */
static Status infer_blocks(Infer *f, bool to_space) {
  int64_t b = ((const BlockParams *)f->params)->block_size;
  const Shape *in = &f->in[0].shape;
  TRY(one_dtype(f, 0, 1));
  if (b < 1 || b > 1 << 20) return fail("block_size: expected a size of 1 or more, got %lld", (long long)b);
  if (in->ndim < 0) return OK;
  if (in->ndim != 4)
    return fail("data: expected 4 dimensions (batch, channel, height, width), got shape %s", shape_text(in));
  int64_t n = in->dim[0], c = in->dim[1], h = in->dim[2], w = in->dim[3];
  if (to_space ? !divides(b * b, c) : !divides(b, h) || !divides(b, w))
    return fail("data: expected %s of %lld, got shape %s",
                to_space ? "channels that are a multiple" : "height and width that are multiples",
                (long long)(to_space ? b * b : b), shape_text(in));
  Shape s = to_space ? (Shape){ .ndim = 4, .dim = { n, shrunk(c, b * b), grown(h, b), grown(w, b) } }
                     : (Shape){ .ndim = 4, .dim = { n, grown(c, b * b), shrunk(h, b), shrunk(w, b) } };
  return output_shape(f, 0, &s);
}

static Status move_blocks(Call *c, bool to_space) {
  int64_t b = ((const BlockParams *)c->params)->block_size;
  const Shape *in = &c->in[0]->type.shape;
  static const int wide_from_deep[] = { 0, 3, 4, 1, 5, 2 }, deep_from_wide[] = { 0, 3, 5, 1, 2, 4 };
  Shape parts = to_space ? (Shape){ .ndim = 6, .dim = { in->dim[0], b, b, in->dim[1] / (b * b), in->dim[2],
                                                        in->dim[3] } }
                         : (Shape){ .ndim = 6, .dim = { in->dim[0], in->dim[1], in->dim[2] / b, b, in->dim[3] / b,
                                                        b } };
  Region from = region_permuted(&parts, to_space ? wide_from_deep : deep_from_wide);
  return fill_from(c, &from);
}

static Status infer_depth_to_space(Infer *f) { return infer_blocks(f, true); }
static Status infer_space_to_depth(Infer *f) { return infer_blocks(f, false); }
static Status depth_to_space_forward(Call *c) { return move_blocks(c, true); }
static Status space_to_depth_forward(Call *c) { return move_blocks(c, false); }

static Status depth_to_space_grad(Gradient *d) {
  d->in_grad[0] = build_op(d->b, "space_to_depth", d->node->params->fields, 1, d->out_grad[0]);
  return d->b->status;
}

static Status space_to_depth_grad(Gradient *d) {
  d->in_grad[0] = build_op(d->b, "depth_to_space", d->node->params->fields, 1, d->out_grad[0]);
  return d->b->status;
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

#define BLOCK_LINE "block_size int - Rows and columns of a block.\n"
#define DIAG_LINES                                                                                        \
  "k int 0 The diagonal: 0 the main one, above it positive.\n"                                            \
  "axis1 int 0 The axis of rows.\naxis2 int 1 The axis of columns.\n"

Op arrange_ops[] = {
  { .name = "transpose", .doc = "The axes in another order, reversed by default", .inputs = "data",
    .example = "F.transpose(F.array{{1, 2, 3}, {4, 5, 6}})\n"
               "F.transpose(F.array{{{1, 2, 3}, {4, 5, 6}}}, {axes = {1, 2, 0}})",
    .params = "axes shape () The input's axes in the order of the output; (): reversed.\n",
    .params_size = sizeof(TransposeParams), .role = ROLE_TRANSPOSE,
    .infer = infer_transpose, .prepared = permutation_bytes, .prepare = prepare_transpose, .forward = permute,
    .grad = transpose_grad },
  { .name = "SwapAxis", .aliases = "swapaxes", .doc = "Two axes change places", .inputs = "data",
    .example = "F.swapaxes(F.array{{{1, 2, 3}, {4, 5, 6}}}, {dim1 = 0, dim2 = 2})",
    .params = "dim1 int 0 One axis.\ndim2 int 0 The other.\n", .params_size = sizeof(SwapParams),
    .flags = OP_NAMED_INPUT, .infer = infer_swap, .prepared = permutation_bytes, .prepare = prepare_swap,
    .forward = permute,
    .grad = swap_grad },
  { .name = "reverse", .aliases = "flip", .doc = "The elements along some axes in the opposite order", .inputs = "data",
    .example = "F.flip(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 1})\n"
               "F.flip(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = {0, -1}})",
    .params = "axis shape - The axes.\n", .params_size = sizeof(TransposeParams),
    .flags = OP_NAMED_INPUT, .infer = infer_reverse, .forward = reverse_forward, .grad = reverse_grad },
  { .name = "broadcast_to", .doc = "Axes of dimension 1, and missing leading ones, repeated up to a shape",
    .inputs = "data",
    .example = "F.broadcast_to(F.array{{1}, {2}}, {shape = {2, 3}})\n"
               "F.broadcast_to(F.array{{1}, {2}}, {shape = {0, 3}})\n"
               "F.broadcast_to(F.array{1, 2}, {shape = {2, 2}})",
    .params = "shape shape () The shape; 0 keeps a dimension.\n", .params_size = sizeof(ShapeParams),
    .infer = infer_broadcast_to, .choose_expression = pick_spread, .forward = broadcast_forward, .grad = broadcast_grad },
  { .name = "_broadcast_exact", .doc = "broadcast_to where 0 is 0", .inputs = "data", .flags = OP_INTERNAL,
    .params = "shape shape - The shape.\n", .params_size = sizeof(ShapeParams),
    .infer = infer_broadcast_exact, .choose_expression = pick_spread, .forward = broadcast_forward, .grad = broadcast_grad },
  { .name = "broadcast_axis", .aliases = "broadcast_axes", .doc = "Some axes of dimension 1 repeated", .inputs = "data",
    .example = "F.broadcast_axis(F.array{{{1}, {2}}}, {axis = {0, 2}, size = {2, 3}})",
    .params = "axis shape () The axes.\nsize shape () The dimension that each gets.\n",
    .params_size = sizeof(BroadcastAxisParams),
    .infer = infer_broadcast_axis, .choose_expression = pick_spread, .forward = broadcast_forward, .grad = broadcast_grad },
  { .name = "broadcast_like", .doc = "lhs broadcast to the shape of rhs, or some of its axes to some axes of rhs",
    .inputs = "lhs rhs",
    .example = "F.broadcast_like(F.array{{1}, {2}}, F.zeros{2, 3})\n"
               "F.broadcast_like(F.array{{1}, {2}}, F.zeros{4, 3}, {lhs_axes = {1}, rhs_axes = {-2}})",
    .params = "lhs_axes shape? None Axes of lhs; None: all.\nrhs_axes shape? None The axes of rhs that they follow.\n",
    .params_size = sizeof(BroadcastLikeParams), .differentiable = 1,
    .infer = infer_broadcast_like, .choose_expression = pick_spread, .forward = broadcast_forward, .grad = broadcast_grad },
  { .name = "tile", .doc = "The whole array repeated along its axes, new leading axes where reps has more",
    .inputs = "data",
    .example = "F.tile(F.array{{1, 2}, {3, 4}}, {reps = {2, 3}})\n"
               "F.tile(F.array{1, 2}, {reps = {2, 2}})\n"
               "F.tile(F.array{{1, 2}, {3, 4}}, {reps = 3})",
    .params = "reps shape - How often, an entry for each of the last axes.\n", .params_size = sizeof(ShapeParams),
    .flags = OP_NAMED_INPUT, .infer = infer_tile, .forward = tile_forward, .grad = tile_grad },
  { .name = "repeat", .doc = "Each element along an axis repeated; without an axis, each of the flattened array",
    .inputs = "data",
    .example = "F[\"repeat\"](F.array{{1, 2}, {3, 4}}, {repeats = 2})\n"
               "F[\"repeat\"](F.array{{1, 2}, {3, 4}}, {repeats = 3, axis = -2})",
    .params = "repeats int - How often.\naxis int? None The axis; None: the flattened array.\n",
    .params_size = sizeof(RepeatParams), .flags = OP_NAMED_INPUT, .infer = infer_repeat, .forward = repeat_forward,
    .grad = repeat_grad },
  { .name = "diag",
    .doc = "A diagonal of data, as the last axis of the result; of a vector, the matrix with it on a diagonal",
    .example = "F.diag(F.array{{1, 2, 3}, {4, 5, 6}})\n"
               "F.diag(F.array{{1, 2, 3}, {4, 5, 6}}, {k = 1})\n"
               "F.diag(F.array{1, 2}, {k = -1})\n"
               "F.diag(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}}, {axis1 = 0, axis2 = -1})",
    .inputs = "data", .params = DIAG_LINES, .params_size = sizeof(DiagParams),
    .flags = OP_NAMED_INPUT, .infer = infer_diag, .forward = diag_forward, .grad = diag_grad },
  { .name = "_backward_diag", .doc = "Zeros of a shape, with a diagonal filled in", .inputs = "grad",
    .flags = OP_INTERNAL, .params = "shape shape - The shape.\n" DIAG_LINES, .params_size = sizeof(DiagBackwardParams),
    .infer = infer_diag_backward, .forward = diag_backward_forward, .grad = diag_backward_grad },
  { .name = "depth_to_space", .doc = "Channels rearranged into square blocks of height and width", .inputs = "data",
    .example = "F.depth_to_space(F.array{{{{1}}, {{2}}, {{3}}, {{4}}}}, {block_size = 2})", .params = BLOCK_LINE,
    .params_size = sizeof(BlockParams),
    .flags = OP_NAMED_INPUT, .infer = infer_depth_to_space, .forward = depth_to_space_forward,
    .grad = depth_to_space_grad },
  { .name = "space_to_depth", .doc = "Square blocks of height and width rearranged into channels", .inputs = "data",
    .example = "F.space_to_depth(F.array{{{{1, 2}, {3, 4}}}}, {block_size = 2})", .params = BLOCK_LINE,
    .params_size = sizeof(BlockParams),
    .flags = OP_NAMED_INPUT, .infer = infer_space_to_depth, .forward = space_to_depth_forward,
    .grad = space_to_depth_grad },
  { 0 }
};
