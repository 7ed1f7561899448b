/* take_pick.c - rows and elements chosen along one axis: take, Embedding, pick, one_hot, batch_take.
**
** The kernels are in gather_rows.c. The gradient of a choice adds each row back, in the order of the indices; its own
** gradient is the choice. Layers and losses must not clip indices. They pass their name as the inner parameter _check,
** so that an index out of range is an error that begins with that name.
*/
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "kernels/loops/gather_rows.h"
#include "tensor/cast_copy.h"
#include "tensor/strided_region.h"

/* The parameters of take's gradient: the shape of the array chosen from, and take's own. */
typedef struct TakeBackwardParams { List shape; TakeParams take; } TakeBackwardParams;

/* ---- Indices that must be in range ------------------------------------------------------------------- */

/* Appends the position of an index to the error: " in row 3", and with more axes " in row 3, at (3, 1)". */
static void append_place(const Shape *s, int64_t place) {
  int64_t at[MAX_DIMS], row = place;
  for (int i = s->ndim - 1; i >= 0; i--) {
    at[i] = place % s->dim[i];
    place /= s->dim[i];
  }
  fail_append(E_INPUT, " in row %lld", (long long)(s->ndim > 0 ? at[0] : row));
  for (int i = 0; s->ndim > 1 && i < s->ndim; i++)
    fail_append(E_INPUT, "%s%lld", i ? ", " : ", at (", (long long)at[i]);
  if (s->ndim > 1) fail_append(E_INPUT, ")");
}

static Status outside(const char *who, const Tensor *index, int64_t place, int64_t dim) {
  double value;
  DType dtype = index->type.dtype;
  convert(dtype, (const char *)index->data + (size_t)place * dtype_size(dtype), DT_FLOAT64, &value, 1);
  fail(isnan(value) ? "%s: expected indices from 0 to %lld, got nan" : "%s: expected indices from 0 to %lld, got %.17g",
       who, (long long)dim - 1, value);
  append_place(&index->type.shape, place);
  return value == (double)dim ? fail_append(E_INPUT, "; they count from 0") : E_INPUT;
}

#define FIRST_OUTSIDE(name, T)                                                                   \
  static int64_t name(const T *index, int64_t n, T low, T end) {                                 \
    for (int64_t at = 0; at < n; ) {                                                             \
      int64_t stop = n - at < ROWS_BLOCK ? n : at + ROWS_BLOCK;                                  \
      bool inside = true;                                                                        \
      for (int64_t i = at; i < stop; i++) inside = inside & (index[i] > low) & (index[i] < end); \
      for (; at < stop; at++) if (!inside && !(index[at] > low && index[at] < end)) return at;   \
    }                                                                                            \
    return -1;                                                                                   \
  }
FIRST_OUTSIDE(outside_f32, float)
FIRST_OUTSIDE(outside_f64, double)
FIRST_OUTSIDE(outside_i32, int32_t)
FIRST_OUTSIDE(outside_i64, int64_t)

static int64_t first_outside(const Tensor *index, int64_t dim) {
  int64_t n = tensor_size(index), value[ROWS_BLOCK];
  switch (index->type.dtype) {
    case DT_FLOAT32: return outside_f32(index->data, n, -1, (float)dim);
    case DT_FLOAT64: return outside_f64(index->data, n, -1, (double)dim);
    case DT_INT32: return outside_i32(index->data, n, -1, dim > INT32_MAX ? INT32_MAX : (int32_t)dim);
    case DT_INT64: return outside_i64(index->data, n, -1, dim);
    default: break;
  }
  for (int64_t at = 0; at < n; at += ROWS_BLOCK) {
    int64_t m = n - at < ROWS_BLOCK ? n - at : ROWS_BLOCK;
    index_values(index, at, m, value);
    int64_t found = outside_i64(value, m, -1, dim);
    if (found >= 0) return at + found;
  }
  return -1;
}

/* Fails if an index, truncated, is outside [0, dim) or NaN; does nothing if `who` is NULL. */
static Status check_inside(const char *who, const Tensor *index, int64_t dim) {
  int64_t place = who ? first_outside(index, dim) : -1;
  return place < 0 ? OK : outside(who, index, place, dim);
}

/* ---- take ---------------------------------------------------------------------------------------- */

/* `count` indices into an array (before, dim, after) give rows (before, count) of `after` elements. */
typedef struct TakeRows {
  RowGather rows;
  const Tensor *index;
  int64_t count, dim;
  int mode;
} TakeRows;

static void find_taken(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const TakeRows *r = (const TakeRows *)rows;
  for (int64_t done = 0; done < n;) {               /* every block begins with the first index again */
    int64_t block = (first + done) / r->count, at = (first + done) % r->count;
    int64_t run = r->count - at < n - done ? r->count - at : n - done;
    index_values(r->index, at, run, place + done);
    index_normal(r->mode, r->dim, run, place + done);
    for (int64_t i = 0; i < run; i++) place[done + i] += block * r->dim;
    done += run;
  }
}

static TakeRows take_rows(const Shape *from, int axis, const Tensor *index, int mode) {
  int64_t before = shape_size_range(from, 0, axis), count = tensor_size(index), dim = from->dim[axis];
  return (TakeRows){ .rows = { .n = before * count,
                               .places = before * dim,
                               .width = shape_size_range(from, axis + 1, from->ndim),
                               .find = find_taken },
                     .index = index,
                     .count = count,
                     .dim = dim,
                     .mode = mode };
}

static Status infer_take(Infer *f) {
  const Shape *a = &f->in[0].shape, *index = &f->in[1].shape;
  Shape s = { 0 };
  int axis;
  TRY(one_dtype(f, 0, 1));
  if (a->ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "axis", ((const TakeParams *)f->params)->axis, a->ndim, &axis));
  if (index->ndim < 0) return OK;
  if (a->ndim - 1 + index->ndim > MAX_DIMS)
    return fail("indices: expected at most %d dimensions in all, got %s for a of shape %s", MAX_DIMS, shape_text(index),
                shape_text(a));
  if (a->dim[axis] == 0 && shape_known(index) && shape_size(index) > 0)
    return fail("a: expected elements along axis %d, got shape %s", axis, shape_text(a));
  for (int i = 0; i < axis; i++) s.dim[s.ndim++] = a->dim[i];
  for (int i = 0; i < index->ndim; i++) s.dim[s.ndim++] = index->dim[i];
  for (int i = axis + 1; i < a->ndim; i++) s.dim[s.ndim++] = a->dim[i];
  return output_shape(f, 0, &s);
}

static Status take_along(Call *c, const Tensor *from, const Tensor *index, int axis, int mode) {
  TakeRows r = take_rows(&from->type.shape, axis, index, mode);
  if (mode == TAKE_RAISE) TRY(index_check(c->op->name, "indices", index, 0, r.count, r.dim, true));
  rows_gather(&r.rows, dtype_size(from->type.dtype), from->data, c->out[0]->data);
  return interrupt_status();
}

static Status take_forward(Call *c) {
  const TakeParams *p = c->params;
  return take_along(c, c->in[0], c->in[1], axis_at(p->axis, c->in[0]->type.shape.ndim), (int)p->mode);
}

static Status infer_take_backward(Infer *f) {
  if (f->in[0].dtype == DT_FLOAT16)
    return fail("grad: expected dtype float32 or float64, got float16; convert with astype");
  return infer_listed_shape(f);
}

static Status take_backward_forward(Call *c) {
  const TakeBackwardParams *p = c->params;
  Tensor *out = c->out[0];
  TakeRows r = take_rows(&out->type.shape, axis_at(p->take.axis, out->type.shape.ndim), c->in[1], (int)p->take.mode);
  clear_block(out->data, tensor_bytes(out));
  rows_add(&r.rows, out->type.dtype, c->in[0]->data, out->data);
  return interrupt_status();
}

static Status take_grad(Gradient *d) {
  TakeBackwardParams back = { list_of_shape(&gradient_input(d, 0)->shape), *(const TakeParams *)gradient_params(d) };
  return only_gradient(d, build_op(d->b, "_backward_take", &back, 2, d->out_grad[0], d->node->in[1]));
}

static Status take_backward_grad(Gradient *d) {
  const TakeBackwardParams *p = gradient_params(d);
  return only_gradient(d, build_op(d->b, "take", &p->take, 2, d->out_grad[0], d->node->in[1]));
}

/* ---- Embedding: take from a weight ------------------------------------------------------------------- */

typedef struct EmbeddingParams { int64_t input_dim, output_dim, dtype, sparse_grad;
  const char *check;
} EmbeddingParams;

static Status infer_embedding(Infer *f) {
  const EmbeddingParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  if (p->input_dim < 0 || p->output_dim < 0)
    return fail("input_dim: expected dimensions of 0 or more, got %lld and %lld", (long long)p->input_dim,
                (long long)p->output_dim);
  TRY(one_dtype(f, 1, 2));
  if (f->in[1].dtype == DT_UNKNOWN && f->in[0].dtype != DT_UNKNOWN) {     /* no input determines it */
    TRY(input_dtype(f, 1, (DType)p->dtype));
    TRY(output_dtype(f, 0, (DType)p->dtype));
  }
  if (data->ndim < 0) return OK;
  TRY(input_shape(f, 1, &(Shape){ .ndim = 2, .dim = { p->input_dim, p->output_dim } }));
  if (data->ndim == MAX_DIMS)
    return fail("data: expected at most %d dimensions, got %s", MAX_DIMS - 1, shape_text(data));
  if (p->input_dim == 0 && shape_known(data) && shape_size(data) > 0)
    return fail("input_dim: expected 1 or more, got 0");
  Shape s = *data;
  s.dim[s.ndim++] = p->output_dim;
  return output_shape(f, 0, &s);
}

static Status embedding_forward(Call *c) {
  const EmbeddingParams *p = c->params;
  TRY(check_inside(p->check, c->in[0], p->input_dim));
  return take_along(c, c->in[1], c->in[0], 0, TAKE_CLIP);
}

static Status embedding_grad(Gradient *d) {
  TakeBackwardParams back = { list_of_shape(&gradient_input(d, 1)->shape), { 0, TAKE_CLIP } };
  d->in_grad[1] = build_op(d->b, "_backward_take", &back, 2, d->out_grad[0], d->node->in[0]);
  return d->b->status;
}

/* ---- pick: one element along an axis --------------------------------------------------------------------- */

typedef struct PickParams { int64_t axis, keepdims, mode; const char *check; } PickParams;
typedef struct PickBackwardParams { List shape; int64_t axis, mode; } PickBackwardParams;

/* The array is (before, dim, after), with one index for each (before, after). */
typedef struct PickRows {
  RowGather rows;
  const Tensor *index;
  int64_t dim, after;
  int mode;
} PickRows;

static void find_picked(const RowGather *rows, int64_t first, int64_t n, int64_t *place) {
  const PickRows *r = (const PickRows *)rows;
  index_values(r->index, first, n, place);
  index_normal(r->mode, r->dim, n, place);
  int64_t block = first / r->after, column = first % r->after;
  for (int64_t i = 0; i < n; i++) {
    place[i] = (block * r->dim + place[i]) * r->after + column;
    if (++column == r->after) {
      column = 0;
      block++;
    }
  }
}

static PickRows pick_rows(const Shape *from, int axis, const Tensor *index, bool wrap) {
  int64_t before = shape_size_range(from, 0, axis), dim = from->dim[axis],
          after = shape_size_range(from, axis + 1, from->ndim);
  return (PickRows){
    .rows = { .n = before * after, .places = before * dim * after, .width = 1, .distinct = true, .find = find_picked },
    .index = index,
    .dim = dim,
    .after = after,
    .mode = wrap ? TAKE_WRAP : TAKE_CLIP
  };
}

static Status infer_pick(Infer *f) {
  const PickParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  int axis;
  TRY(one_dtype(f, 0, 1));
  if (p->axis == NONE) return fail("axis: expected an axis, got nothing");
  if (data->ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "axis", p->axis, data->ndim, &axis));
  Shape flat = without_axis(data, axis), kept = *data;
  kept.dim[axis] = 1;
  if (flat.ndim == 0) flat = kept;
  if (data->dim[axis] == 0 && shape_known(&flat) && shape_size(&flat) > 0)
    return fail("data: expected elements along axis %d, got shape %s", axis, shape_text(data));
  const Shape *wanted = f->in[1].shape.ndim == data->ndim ? &kept : &flat, given = f->in[1].shape;
  if (!shape_merge(&f->in[1].shape, wanted) && p->check)
    return fail("%s: expected shape %s, got %s", p->check, shape_text(wanted), shape_text(&given));
  TRY(input_shape(f, 1, wanted));
  return output_shape(f, 0, p->keepdims ? &kept : &flat);
}

static Status pick_along(Call *c, int64_t given, bool wrap, const char *check) {
  const Tensor *data = c->in[0];
  const int axis = axis_at(given, data->type.shape.ndim);
  TRY(check_inside(check, c->in[1], data->type.shape.dim[axis]));
  PickRows r = pick_rows(&data->type.shape, axis, c->in[1], wrap);
  rows_gather(&r.rows, dtype_size(data->type.dtype), data->data, c->out[0]->data);
  return interrupt_status();
}

static Status pick_forward(Call *c) {
  const PickParams *p = c->params;
  return pick_along(c, p->axis, p->mode == 1, p->check);
}

static Status pick_backward_forward(Call *c) {
  const PickBackwardParams *p = c->params;
  Tensor *out = c->out[0];
  PickRows r = pick_rows(&out->type.shape, axis_at(p->axis, out->type.shape.ndim), c->in[1], p->mode == 1);
  clear_block(out->data, tensor_bytes(out));
  rows_scatter(&r.rows, dtype_size(out->type.dtype), c->in[0]->data, out->data);
  return interrupt_status();
}

static Status put_back_picked(Gradient *d, int64_t axis, int64_t mode) {
  PickBackwardParams back = { list_of_shape(&gradient_input(d, 0)->shape), axis, mode };
  return only_gradient(d, build_op(d->b, "_backward_pick", &back, 2, d->out_grad[0], d->node->in[1]));
}

static Status pick_grad(Gradient *d) {
  const PickParams *p = gradient_params(d);
  return put_back_picked(d, p->axis, p->mode);
}

static Status pick_backward_grad(Gradient *d) {
  const PickBackwardParams *p = gradient_params(d);
  Shape kept = d->node->type[0].shape;
  kept.dim[axis_at(p->axis, kept.ndim)] = 1;
  Entry index = reshape_to(d->b, d->node->in[1], &kept);
  Entry g = build_op(d->b, "pick", &(PickParams){ p->axis, true, p->mode, NULL }, 2, d->out_grad[0], index);
  return only_gradient(d, reshape_to(d->b, g, &gradient_input(d, 0)->shape));
}

/* ---- batch_take, fill_element_0index: one element of each row --------------------------------------------- */

/* `index` must have one element for each row of `data`, a row being along the last axis. */
static Status check_row_index(const char *name, const Shape *data, const Shape *index) {
  if (data->ndim < 1) return fail("%s: expected an array with an axis, got a 0-d array", name);
  if (!shape_known(data) || !shape_known(index)) return OK;
  int64_t rows = shape_size_range(data, 0, data->ndim - 1);
  if (shape_size(index) != rows)
    return fail("indices: expected %lld, one for each row of %s, got shape %s", (long long)rows, shape_text(data),
                shape_text(index));
  if (rows > 0 && data->dim[data->ndim - 1] == 0)
    return fail("%s: expected elements along the last axis, got shape %s", name, shape_text(data));
  return OK;
}

static Status infer_batch_take(Infer *f) {
  TRY(one_dtype(f, 0, 1));
  if (f->in[0].shape.ndim < 0 || f->in[1].shape.ndim < 0) return OK;
  TRY(check_row_index("a", &f->in[0].shape, &f->in[1].shape));
  return output_shape(f, 0, &f->in[1].shape);
}

static Status batch_take_forward(Call *c) { return pick_along(c, -1, false, NULL); }
static Status batch_take_grad(Gradient *d) { return put_back_picked(d, -1, 0); }

static Status infer_fill_element(Infer *f) {
  TRY(one_dtype(f, 0, 2));
  TRY(output_shape(f, 0, &f->in[0].shape));
  if (f->in[0].shape.ndim < 0 || f->in[2].shape.ndim < 0) return OK;
  TRY(check_row_index("lhs", &f->in[0].shape, &f->in[2].shape));
  return input_shape(f, 1, &f->in[2].shape);
}

static Status fill_element_forward(Call *c) {
  Tensor *out = c->out[0];
  PickRows r = pick_rows(&out->type.shape, out->type.shape.ndim - 1, c->in[2], false);
  copy_block(c->in[0]->data, out->data, tensor_bytes(out));
  rows_scatter(&r.rows, dtype_size(out->type.dtype), c->in[1]->data, out->data);
  return interrupt_status();
}

/* ---- one_hot ------------------------------------------------------------------------------------------------- */

typedef struct OneHotParams { int64_t depth; double on_value, off_value; int64_t dtype; } OneHotParams;

static Status infer_one_hot(Infer *f) {
  const OneHotParams *p = f->params;
  Shape s = f->in[0].shape;
  TRY(output_dtype(f, 0, (DType)p->dtype));
  if (p->depth < 0) return fail("depth: expected 0 or more, got %lld", (long long)p->depth);
  if (s.ndim < 0) return OK;
  if (s.ndim == MAX_DIMS) return fail("indices: expected at most %d dimensions, got %s", MAX_DIMS - 1, shape_text(&s));
  s.dim[s.ndim++] = p->depth;
  return output_shape(f, 0, &s);
}

/* An index outside [0, depth) gives a row of off_value. */
static Status one_hot_forward(Call *c) {
  const OneHotParams *p = c->params;
  Tensor *out = c->out[0];
  uint64_t bits;
  Tensor element = { .data = &bits, .type = { .dtype = out->type.dtype } };
  size_t size = dtype_size(out->type.dtype);
  Region from = region_broadcast(&element.type.shape, &out->type.shape), to = region_of(&out->type.shape);
  tensor_set(&element, 0, p->off_value);
  region_copy(size, &bits, &from, out->data, &to);
  tensor_set(&element, 0, p->on_value);
  int64_t index[ROWS_BLOCK], n = tensor_size(c->in[0]);
  for (int64_t at = 0; at < n && !interrupted(); at += ROWS_BLOCK) {
    int64_t m = n - at < ROWS_BLOCK ? n - at : ROWS_BLOCK;
    index_values(c->in[0], at, m, index);
    for (int64_t i = 0; i < m; i++) {
      if (index[i] < 0 || index[i] >= p->depth) continue;
      memcpy((char *)out->data + (size_t)((at + i) * p->depth + index[i]) * size, &bits, size);
    }
  }
  return interrupt_status();
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

#define SHAPE_LINE "shape shape - The shape of the result.\n"
#define TAKE_LINES                                                                                        \
  "axis int 0 The axis.\n"                                                                                \
  "mode {clip,raise,wrap} clip Indices out of range: use the nearest, raise an error (negative ones count from the " \
  "end), or wrap around.\n"
#define PICK_MODE "mode {clip,wrap} clip Indices out of range: use the nearest, or wrap around.\n"

#define CHECK_LINE "_check string? None The beginning of the error for an index out of range; None: clip it.\n"

/* clang-format off */
Op index_ops[] = {
  { .name = "take", .doc = "The slices of a at indices along an axis, which is replaced by the axes of indices",
    .inputs = "a indices",
    .example = "F.take(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array({{0, 2}, {2, 9}}, {dtype = \"int32\"}))\n"
               "F.take(F.array{{1, 2}, {3, 4}}, F.array({-1, 4}, {dtype = \"int32\"}), {axis = 1, mode = \"wrap\"})\n"
               "F.take(F.array{{1, 2}, {3, 4}}, F.array({-2, 1, 1}, {dtype = \"int64\"}), "
               "{axis = -1, mode = \"raise\"})",
    .params = TAKE_LINES, .params_size = sizeof(TakeParams), .differentiable = 1,
    .infer = infer_take, .forward = take_forward, .grad = take_grad },
  { .name = "_backward_take", .doc = "An array of zeros to which slices are added, in the order of the indices",
    .inputs = "grad indices", .params = SHAPE_LINE TAKE_LINES, .params_size = sizeof(TakeBackwardParams),
    .differentiable = 1, .flags = OP_INTERNAL, .infer = infer_take_backward, .forward = take_backward_forward,
    .grad = take_backward_grad },
  { .name = "Embedding", .doc = "The rows of weight at the indices in data; indices out of range are clipped",
    .inputs = "data weight",
    .example = "F.Embedding(F.array({1, 0, 1}, {dtype = \"int32\"}), F.array{{1, 2}, {4, 5}}, "
               "{input_dim = 2, output_dim = 2})",
    .params = "input_dim int - Number of rows of weight.\n"
              "output_dim int - Number of columns of weight.\n"
              "dtype dtype float32 The dtype of weight if nothing else determines it.\n"
              "sparse_grad bool False Accepted for compatibility with MXNet; gradients are dense.\n" CHECK_LINE,
    .params_size = sizeof(EmbeddingParams), .differentiable = 2,
    .infer = infer_embedding, .forward = embedding_forward, .grad = embedding_grad },
  { .name = "pick", .aliases = "choose_element_0index",
    .doc = "One element along an axis for each position of the other axes", .inputs = "data index",
    .example = "F.pick(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({2, 0}, {dtype = \"int32\"}))\n"
               "F.pick(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({0, 1, -5}, {dtype = \"int32\"}), "
               "{axis = 0, keepdims = true})\n"
               "F.pick(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({{4}, {-1}}, {dtype = \"int32\"}), {mode = \"wrap\"})",
    .params = "axis int? -1 The axis.\nkeepdims bool False Keep the axis, with dimension 1.\n" PICK_MODE CHECK_LINE,
    .params_size = sizeof(PickParams), .differentiable = 1, .infer = infer_pick, .forward = pick_forward,
    .grad = pick_grad },
  { .name = "_backward_pick", .doc = "An array of zeros with one element along an axis filled in for each position",
    .inputs = "grad index", .params = SHAPE_LINE "axis int - The axis.\n" PICK_MODE,
    .params_size = sizeof(PickBackwardParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_listed_shape, .forward = pick_backward_forward, .grad = pick_backward_grad },
  { .name = "batch_take", .doc = "One element of each row; indices out of range are clipped", .inputs = "a indices",
    .example = "F.batch_take(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array({0, 1, 0}, {dtype = \"int32\"}))",
    .differentiable = 1, .infer = infer_batch_take, .forward = batch_take_forward, .grad = batch_take_grad },
  { .name = "fill_element_0index", .doc = "lhs with one element per row, at the index in rhs, replaced by that of mhs",
    .inputs = "lhs mhs rhs",
    .example = "F.fill_element_0index(F.array{{1, 2}, {3, 4}}, F.array{7, 8}, F.array{1, 0})", .flags = OP_NO_GRAD,
    .infer = infer_fill_element, .forward = fill_element_forward },
  { .name = "one_hot", .doc = "on_value at each index along a new last axis, off_value elsewhere",
    .inputs = "indices",
    .example = "F.one_hot(F.array{1, 0, 2}, {depth = 3})\n"
               "F.one_hot(F.array{{1}, {-1}}, {depth = 2, on_value = 5, off_value = -1, dtype = \"int32\"})",
    .params = "depth int - The new axis's dimension.\n"
              "on_value float 1 The value at the index.\n"
              "off_value float 0 The value elsewhere.\n"
              "dtype dtype float32 The element type of the result.\n",
    .params_size = sizeof(OneHotParams), .flags = OP_NO_GRAD, .infer = infer_one_hot, .forward = one_hot_forward },
  { 0 }
};
/* clang-format on */
