/* gather_nd.c - elements chosen by index tuples or masks: gather_nd, scatter_nd, boolean_mask, index_copy, and
** operators that create and convert indices.
**
** Their kernels: kernels/index/gather_nd_kernels.c.
*/
#include "ops/index/gather_nd.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/index/added_rows.h"
#include "ops/op_registry.h"

/* ---- gather_nd, scatter_nd ------------------------------------------------------------------------- */

/* The shape of the elements chosen from `array`: the shape of the tuples, then the remaining axes. */
static Status chosen_shape(const Shape *index, const Shape *array, Shape *out) {
  if (index->ndim < 2)
    return fail("indices: expected 2 dimensions or more, with one index tuple per column, got %s", shape_text(index));
  int64_t axes = index->dim[0];
  if (axes > array->ndim)
    return fail("indices: expected at most %d rows, one per axis of %s, got %s", array->ndim, shape_text(array),
                shape_text(index));
  if (index->ndim - 1 + array->ndim - axes > MAX_DIMS)
    return fail("indices: expected at most %d dimensions in all, got more", MAX_DIMS);
  *out = (Shape){ 0 };
  for (int i = 1; i < index->ndim; i++) out->dim[out->ndim++] = index->dim[i];
  for (int i = (int)axes; i < array->ndim; i++) out->dim[out->ndim++] = array->dim[i];
  return OK;
}

static Status infer_gather_nd(Infer *f) {
  const Shape *data = &f->in[0].shape, *index = &f->in[1].shape;
  Shape s;
  TRY(one_dtype(f, 0, 1));
  if (data->ndim < 0 || index->ndim < 0 || (index->ndim > 0 && index->dim[0] < 0)) return OK;
  TRY(chosen_shape(index, data, &s));
  return output_shape(f, 0, &s);
}

static Status infer_scatter_nd(Infer *f) {
  const List *list = &((const ShapeParams *)f->params)->shape;
  const Shape *index = &f->in[1].shape;
  Shape data;
  TRY(one_dtype(f, 0, 1));
  if (list->count < 0 || list->count > MAX_DIMS)
    return fail("shape: expected at most %d dimensions, got %lld", MAX_DIMS, (long long)list->count);
  Shape s = list_shape(list);
  TRY(output_shape(f, 0, &s));
  if (index->ndim < 0 || (index->ndim > 0 && index->dim[0] < 0)) return OK;
  TRY(chosen_shape(index, &s, &data));
  return input_shape(f, 0, &data);
}

static Status infer_add_nd(Infer *f) {
  TRY(refuse_half(f, "data"));
  return infer_scatter_nd(f);
}

static Status gather_nd_grad(Gradient *d) {
  ShapeParams p = { list_of_shape(&gradient_input(d, 0)->shape) };
  return only_gradient(d, build_op(d->b, "_backward_gather_nd", &p, 2, d->out_grad[0], d->node->in[1]));
}

static Status scatter_nd_grad(Gradient *d) {
  return only_gradient(d, build_op(d->b, "gather_nd", NULL, 2, d->out_grad[0], d->node->in[1]));
}

/* ---- boolean_mask -------------------------------------------------------------------------------------- */

static Status infer_mask(Infer *f) {
  const Shape *data = &f->in[0].shape, *mask = &f->in[1].shape;
  Shape first = *data, s = { .ndim = 1, .dim = { UNKNOWN } };
  TRY(one_dtype(f, 0, 1));
  if (((const AxisParams *)f->params)->axis != 0)
    return fail("axis: expected 0, got %lld", (long long)((const AxisParams *)f->params)->axis);
  if (data->ndim < 0 || mask->ndim < 0) return OK;
  if (mask->ndim < 1 || mask->ndim > data->ndim)
    return fail("index: expected one truth value for each element of the first axes of %s, got shape %s",
                shape_text(data), shape_text(mask));
  first.ndim = mask->ndim;
  TRY(input_shape(f, 1, &first));
  for (int i = mask->ndim; i < data->ndim; i++) s.dim[s.ndim++] = data->dim[i];
  return output_shape(f, 0, &s);
}

static Status mask_grad(Gradient *d) {
  ShapeParams p = { list_of_shape(&gradient_input(d, 0)->shape) };
  return only_gradient(d, build_op(d->b, "_backward_boolean_mask", &p, 2, d->out_grad[0], d->node->in[1]));
}

/* The shape of the masked result is known here: it is that of input 0. */
static Status mask_backward_grad(Gradient *d) {
  Entry in[] = { d->out_grad[0], d->node->in[1] };
  return only_gradient(d, build_typed(d->b, op_with_role(ROLE_MASK), NULL, in, 2, gradient_input(d, 0), 1));
}

/* ---- index_copy -------------------------------------------------------------------------------------------- */

static Status infer_index_copy(Infer *f) {
  const Shape *old = &f->in[0].shape, *index = &f->in[1].shape;
  TRY(output_dtype(f, 0, f->in[0].dtype));
  TRY(input_dtype(f, 0, f->in[2].dtype));
  TRY(input_dtype(f, 2, f->in[0].dtype));
  TRY(output_shape(f, 0, old));
  if (index->ndim >= 0 && index->ndim != 1)
    return fail("index_vector: expected 1 dimension, got %s", shape_text(index));
  if (old->ndim < 0 || index->ndim < 0) return OK;
  if (old->ndim == 0) return fail("old_tensor: expected an array with an axis, got a 0-d array");
  Shape s = *old;
  s.dim[0] = index->dim[0];
  return input_shape(f, 2, &s);
}

static Status index_copy_grad(Gradient *d) {
  Entry g = d->out_grad[0], index = d->node->in[1];
  if (d->wanted[0]) {
    Entry zeros = build_zeros_like(d->b, d->node->in[2]);
    d->in_grad[0] = build_op(d->b, "_contrib_index_copy", NULL, 3, g, index, zeros);
  }
  if (d->wanted[2]) d->in_grad[2] = build_op(d->b, "take", NULL, 2, g, index);
  return d->b->status;
}

/* ---- Indices: positions in a shape ----------------------------------------------------------------------------- */

/* Checks the shape parameter of ravel and unravel; its first dimension is not used. */
static Status index_dims(const char *who, const List *l, int *n) {
  if (l->count < 1 || l->count > MAX_DIMS)
    return fail("%s: shape: expected 1 to %d dimensions, got %lld", who, MAX_DIMS, (long long)l->count);
  for (int i = 1; i < l->count; i++)
    if (l->u.i[i] < 1) return fail("%s: shape: expected dimensions of 1 or more, got %lld", who, (long long)l->u.i[i]);
  *n = (int)l->count;
  return OK;
}

static Status infer_ravel(Infer *f) {
  const Shape *in = &f->in[0].shape;
  Shape s = { 0 };
  int n = 0;
  TRY(one_dtype(f, 0, 1));
  TRY(index_dims(f->op->name, &((const ShapeParams *)f->params)->shape, &n));
  if (in->ndim < 0) return OK;
  if (in->ndim == 0 || (in->dim[0] >= 0 && in->dim[0] != n))
    return fail("data: expected %d rows, one for each dimension of shape, got %s", n, shape_text(in));
  for (int i = 1; i < in->ndim; i++) s.dim[s.ndim++] = in->dim[i];
  return output_shape(f, 0, &s);
}

static Status infer_unravel(Infer *f) {
  const Shape *in = &f->in[0].shape;
  Shape s = { .ndim = 1 };
  int n = 0;
  TRY(one_dtype(f, 0, 1));
  TRY(index_dims(f->op->name, &((const ShapeParams *)f->params)->shape, &n));
  if (in->ndim < 0) return OK;
  if (in->ndim == MAX_DIMS) return fail("data: expected at most %d dimensions, got %s", MAX_DIMS - 1, shape_text(in));
  s.dim[0] = n;
  for (int i = 0; i < in->ndim; i++) s.dim[s.ndim++] = in->dim[i];
  return output_shape(f, 0, &s);
}

static Status infer_index_array(Infer *f) {
  const List *axes = &((const IndexArrayParams *)f->params)->axes;
  Shape s = f->in[0].shape;
  int axis;
  TRY(output_dtype(f, 0, DT_INT64));
  if (s.ndim < 0) return OK;
  if (s.ndim == MAX_DIMS) return fail("data: expected at most %d dimensions, got %s", MAX_DIMS - 1, shape_text(&s));
  for (int64_t i = 0; i < axes->count; i++) TRY(axis_normal(f->op->name, "axes", list_ints(axes)[i], s.ndim, &axis));
  s.dim[s.ndim] = axes->count < 0 ? s.ndim : axes->count;
  s.ndim++;
  return output_shape(f, 0, &s);
}

static Status infer_arange_like(Infer *f) {
  const ArangeLikeParams *p = f->params;
  const Shape *in = &f->in[0].shape;
  int axis;
  TRY(one_dtype(f, 0, 1));
  if (p->repeat < 1) return fail("repeat: expected 1 or more, got %lld", (long long)p->repeat);
  if (p->axis == NONE) return output_shape(f, 0, in);
  if (in->ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "axis", p->axis, in->ndim, &axis));
  return output_shape(f, 0, &(Shape){ .ndim = 1, .dim = { in->dim[axis] } });
}

/* ---- Rows ----------------------------------------------------------------------------------------------------- */

#define SHAPE_LINE "shape shape - The shape of the result.\n"
#define INDEX_SHAPE "shape shape - The shape of the indexed array; its first dimension may be -1.\n"

/* clang-format off */
Op gather_ops[] = {
  { .name = "gather_nd",
    .doc = "The elements, or slices, of data at index tuples: each column of indices is a tuple, each row is for one "
           "axis. Negative indices count from the end",
    .inputs = "data indices",
    .example = "F.gather_nd(F.array{{1, 2}, {3, 4}}, F.array({{1, 0, 1}, {0, -1, 0}}, {dtype = \"int32\"}))\n"
               "F.gather_nd(F.array{{1, 2}, {3, 4}}, F.array({{1, 1, 0}}, {dtype = \"int64\"}))",
    .differentiable = 1, .effects = op_fails_always, .infer = infer_gather_nd, .grad = gather_nd_grad },
  { .name = "scatter_nd",
    .doc = "An array of zeros with the elements or slices at index tuples, the columns of indices, set to data. Of "
           "equal tuples the last one wins",
    .inputs = "data indices",
    .example = "F.scatter_nd(F.array{5, 6}, F.array({{1, 0}, {0, 2}}, {dtype = \"int32\"}), {shape = {2, 3}})",
    .params = SHAPE_LINE, .params_size = sizeof(ShapeParams), .differentiable = 1,
    .effects = op_fails_always, .infer = infer_scatter_nd, .grad = scatter_nd_grad },
  { .name = "_backward_gather_nd", .doc = "scatter_nd that adds elements of equal tuples, in the order of the indices",
    .inputs = "data indices", .params = SHAPE_LINE, .params_size = sizeof(ShapeParams), .differentiable = 1,
    .flags = OP_INTERNAL, .effects = op_fails_always, .infer = infer_add_nd, .grad = scatter_nd_grad },
  { .name = "_contrib_boolean_mask", .aliases = "contrib.boolean_mask boolean_mask", .inputs = "data index",
    .doc = "The slices of data where index is not 0; index has the shape of data's first axis, or first axes",
    .example = "F.boolean_mask(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array{1, 0, 1})", .params = "axis int 0 Must be 0.\n",
    .params_size = sizeof(AxisParams), .differentiable = 1, .flags = OP_DYNAMIC, .role = ROLE_MASK,
    .infer = infer_mask, .grad = mask_grad },
  { .name = "_backward_boolean_mask", .doc = "An array of zeros with the slices where index is not 0 filled in",
    .inputs = "grad index", .params = SHAPE_LINE, .params_size = sizeof(ShapeParams), .differentiable = 1,
    .flags = OP_INTERNAL, .infer = infer_listed_shape, .grad = mask_backward_grad },
  { .name = "_contrib_index_copy", .aliases = "contrib.index_copy",
    .doc = "old_tensor with the rows at index_vector replaced by those of new_tensor",
    .inputs = "old_tensor index_vector new_tensor",
    .example = "F.contrib.index_copy(F.array{{1, 2}, {3, 4}, {5, 6}}, F.array({2, 0}, {dtype = \"int32\"}), "
               "F.array{{7, 8}, {9, 1}})",
    .differentiable = 5, .effects = op_fails_always, .infer = infer_index_copy, .grad = index_copy_grad },
  { .name = "_ravel_multi_index", .doc = "The flat positions, in a given shape, of index tuples, one per column",
    .inputs = "data", .example = "F.ravel_multi_index(F.array{{0, 1}, {2, 1}}, {shape = {2, 3}})",
    .params = INDEX_SHAPE, .params_size = sizeof(ShapeParams), .flags = OP_NO_GRAD | OP_NAMED_INPUT,
    .infer = infer_ravel },
  { .name = "_unravel_index", .doc = "The index tuples, one per column, of flat positions in a given shape",
    .inputs = "data", .example = "F.unravel_index(F.array{2, 4}, {shape = {2, 3}})", .params = INDEX_SHAPE,
    .params_size = sizeof(ShapeParams), .flags = OP_NO_GRAD | OP_NAMED_INPUT, .infer = infer_unravel },
  { .name = "_contrib_index_array", .aliases = "contrib.index_array",
    .doc = "The index tuple of each element along a new last axis, as int64", .inputs = "data",
    .example = "F.contrib.index_array(F.array{{1, 2}, {3, 4}}, {axes = {1}})",
    .params = "axes shape? None The axes to include; None: all.\n", .params_size = sizeof(IndexArrayParams),
    .flags = OP_NO_GRAD | OP_BY_TYPES | OP_NAMED_INPUT, .infer = infer_index_array },
  { .name = "_contrib_arange_like", .aliases = "contrib.arange_like",
    .doc = "start, start + step, ... in data's shape, or for the length of one axis. For an integer dtype both are "
           "truncated to whole numbers",
    .inputs = "data",
    .example = "F.contrib.arange_like(F.array{{1, 2}, {3, 4}})\n"
               "F.contrib.arange_like(F.array{{1, 2}, {3, 4}}, {axis = 1, start = 1})",
    .params = "start float 0 The first value.\n"
              "step float 1 The difference.\n"
              "repeat int 1 Number of repetitions of each value.\n"
              "axis int? None The axis that sets the length; None: data's shape.\n",
    .params_size = sizeof(ArangeLikeParams), .flags = OP_NO_GRAD | OP_BY_TYPES, .infer = infer_arange_like },
  { 0 }
};
/* clang-format on */
