/* take_pick.c - rows and elements chosen along one axis: take, Embedding, pick, one_hot, batch_take.
**
** The gradient of a choice adds each row back, in the order of the indices; its own gradient is the choice. Layers and
** losses must not clip indices. They pass their name as the inner parameter _check, so that an index out of range is an
** error that begins with that name. The kernels: kernels/index/take_pick_kernels.c.
*/
#include "ops/index/take_pick.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/index/added_rows.h"
#include "ops/op_registry.h"

/* ---- take ---------------------------------------------------------------------------------------- */

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

static Status infer_take_backward(Infer *f) {
  TRY(refuse_half(f, "grad"));
  return infer_listed_shape(f);
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

static Status embedding_grad(Gradient *d) {
  TakeBackwardParams back = { list_of_shape(&gradient_input(d, 1)->shape), { 0, TAKE_CLIP } };
  d->in_grad[1] = build_op(d->b, "_backward_take", &back, 2, d->out_grad[0], d->node->in[0]);
  return d->b->status;
}

/* ---- pick: one element along an axis --------------------------------------------------------------------- */

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

static Status put_back_picked(Gradient *d, int64_t axis, int64_t mode) {
  PickBackwardParams back = { list_of_shape(&gradient_input(d, 0)->shape), axis, mode };
  return only_gradient(d, build_op(d->b, "_backward_pick", &back, 2, d->out_grad[0], d->node->in[1]));
}

/* For the last axis: the gradient where a one-hot code of the index is 1, else 0. */
static Entry pick_backward_portable(Builder *b, const Node *n) {
  const PickBackwardParams *p = (const void *)n->params->fields;
  const Shape *shape = &n->type[0].shape;
  const int last = shape->ndim - 1;
  if (last < 0 || p->mode != 0 || (p->axis != last && p->axis != -1) || !shape_known(shape)) return NO_ENTRY;
  Shape kept = *shape;
  const double most = (double)shape->dim[last] - 1;
  kept.dim[last] = 1;
  Entry index = reshape_to(b, n->in[1], &(Shape){ 1, { shape_size(&kept) } });
  index = build_op(b, "_maximum_scalar", &(ScalarParams){ 0 }, 1, index);
  index = build_op(b, "_minimum_scalar", &(ScalarParams){ .scalar = most }, 1, index);
  const OneHotParams codes = { .depth = shape->dim[last], .on_value = 1, .dtype = DT_FLOAT32 };
  const Entry chosen = reshape_to(b, build_op(b, "one_hot", &codes, 1, index), shape);
  const Entry grad = broadcast_exact(b, reshape_to(b, n->in[0], &kept), shape);
  return b->status == OK ? build_op(b, "_npi_where", NULL, 3, chosen, grad, build_zeros_like(b, grad)) : NO_ENTRY;
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

static Status batch_take_grad(Gradient *d) { return put_back_picked(d, -1, 0); }

static Status infer_fill_element(Infer *f) {
  TRY(one_dtype(f, 0, 2));
  TRY(output_shape(f, 0, &f->in[0].shape));
  if (f->in[0].shape.ndim < 0 || f->in[2].shape.ndim < 0) return OK;
  TRY(check_row_index("lhs", &f->in[0].shape, &f->in[2].shape));
  return input_shape(f, 1, &f->in[2].shape);
}

/* ---- one_hot ------------------------------------------------------------------------------------------------- */

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
    .effects = op_fails_always, .infer = infer_take, .grad = take_grad },
  { .name = "_backward_take", .doc = "An array of zeros to which slices are added, in the order of the indices",
    .inputs = "grad indices", .params = SHAPE_LINE TAKE_LINES, .params_size = sizeof(TakeBackwardParams),
    .differentiable = 1, .flags = OP_INTERNAL, .infer = infer_take_backward, .grad = take_backward_grad },
  { .name = "Embedding", .doc = "The rows of weight at the indices in data; indices out of range are clipped",
    .inputs = "data weight",
    .example = "F.Embedding(F.array({1, 0, 1}, {dtype = \"int32\"}), F.array{{1, 2}, {4, 5}}, "
               "{input_dim = 2, output_dim = 2})",
    .params = "input_dim int - Number of rows of weight.\n"
              "output_dim int - Number of columns of weight.\n"
              "dtype dtype float32 The dtype of weight if nothing else determines it.\n"
              "sparse_grad bool False Accepted for compatibility with MXNet; gradients are dense.\n" CHECK_LINE,
    .params_size = sizeof(EmbeddingParams), .differentiable = 2,
    .infer = infer_embedding, .grad = embedding_grad },
  { .name = "pick", .aliases = "choose_element_0index",
    .doc = "One element along an axis for each position of the other axes", .inputs = "data index",
    .example = "F.pick(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({2, 0}, {dtype = \"int32\"}))\n"
               "F.pick(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({0, 1, -5}, {dtype = \"int32\"}), "
               "{axis = 0, keepdims = true})\n"
               "F.pick(F.array{{1, 2, 3}, {4, 5, 6}}, F.array({{4}, {-1}}, {dtype = \"int32\"}), {mode = \"wrap\"})",
    .params = "axis int? -1 The axis.\nkeepdims bool False Keep the axis, with dimension 1.\n" PICK_MODE CHECK_LINE,
    .params_size = sizeof(PickParams), .differentiable = 1, .infer = infer_pick, .grad = pick_grad },
  { .name = "_backward_pick", .doc = "An array of zeros with one element along an axis filled in for each position",
    .inputs = "grad index", .params = SHAPE_LINE "axis int - The axis.\n" PICK_MODE,
    .params_size = sizeof(PickBackwardParams), .differentiable = 1, .flags = OP_INTERNAL,
    .infer = infer_listed_shape, .grad = pick_backward_grad, .portable = pick_backward_portable },
  { .name = "batch_take", .doc = "One element of each row; indices out of range are clipped", .inputs = "a indices",
    .example = "F.batch_take(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array({0, 1, 0}, {dtype = \"int32\"}))",
    .differentiable = 1, .infer = infer_batch_take, .grad = batch_take_grad },
  { .name = "fill_element_0index", .doc = "lhs with one element per row, at the index in rhs, replaced by that of mhs",
    .inputs = "lhs mhs rhs",
    .example = "F.fill_element_0index(F.array{{1, 2}, {3, 4}}, F.array{7, 8}, F.array{1, 0})", .flags = OP_NO_GRAD,
    .infer = infer_fill_element },
  { .name = "one_hot", .doc = "on_value at each index along a new last axis, off_value elsewhere",
    .inputs = "indices",
    .example = "F.one_hot(F.array{1, 0, 2}, {depth = 3})\n"
               "F.one_hot(F.array{{1}, {-1}}, {depth = 2, on_value = 5, off_value = -1, dtype = \"int32\"})",
    .params = "depth int - The new axis's dimension.\n"
              "on_value float 1 The value at the index.\n"
              "off_value float 0 The value elsewhere.\n"
              "dtype dtype float32 The element type of the result.\n",
    .params_size = sizeof(OneHotParams), .flags = OP_NO_GRAD, .infer = infer_one_hot },
  { 0 }
};
/* clang-format on */
