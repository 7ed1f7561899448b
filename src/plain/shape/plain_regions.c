/* plain_regions.c - the rows that shape/region.h, roll.h, triangle.h, pad.h and dynamic_slice.h
** define, and their numbers.
*/
#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"
#include "ops/shape/broadcast_tile.h"
#include "ops/shape/depth_to_space.h"
#include "ops/shape/diag.h"
#include "ops/shape/dynamic_slice.h"
#include "ops/shape/pad.h"
#include "ops/shape/roll_tril.h"
#include "ops/shape/slice.h"
#include "ops/shape/transpose.h"
#include "plain/plain_registry.h"

/* Inference has accepted the parameters, so functions that resolve them do not fail here. */
enum { REGION_AXES = 2 * MAX_DIMS };


/* Rows such as broadcast_like have a second array. */
static void read_with(const Query *q, PlainCall *c) {
  if (q->n_in > 1) c->function = "read_region_like";
}

/* An empty array has no element at the offset. */
static void add_axes(PlainCall *c, int64_t offset, const int64_t *dim, const int64_t *step, int n) {
  plain_whole(c, offset);
  plain_padded(c, dim, n, REGION_AXES, 1);
  plain_padded(c, step, n, REGION_AXES, 0);
}

static void add_region(PlainCall *c, const Region *r) {
  add_axes(c, r->offset, r->shape.dim, r->stride, r->shape.ndim);
}

/* ---- Regions that are read --------------------------------------------------------------------- */

static void add_order(const Query *q, AxisOrder *order_of, PlainCall *c) {
  int order[MAX_DIMS];
  if (order_of(q->op->name, q->params, query_in_shape(q, 0)->ndim, order) != OK) return;
  const Region r = region_permuted(query_in_shape(q, 0), order);
  add_region(c, &r);
}

static void transpose_numbers(const Query *q, PlainCall *c) { add_order(q, transpose_order, c); }
static void swap_numbers(const Query *q, PlainCall *c) { add_order(q, swap_order, c); }

static void reverse_numbers(const Query *q, PlainCall *c) {
  const List *axes = &((const TransposeParams *)q->params)->axes;
  Region r = region_of(query_in_shape(q, 0));
  for (int64_t i = 0; i < axes->count; i++) {
    const int axis = axis_at(list_ints(axes)[i], r.shape.ndim);
    region_slice(&r, axis, r.shape.dim[axis] - 1, -1, r.shape.dim[axis]);
  }
  add_region(c, &r);
}

static void broadcast_numbers(const Query *q, PlainCall *c) {
  const Region r = region_broadcast(query_in_shape(q, 0), query_out_shape(q, 0));
  read_with(q, c);
  add_region(c, &r);
}

/* Each axis becomes two: one for the repetitions, one for the elements. */
static void tile_numbers(const Query *q, PlainCall *c) {
  Shape dims;
  int64_t times[MAX_DIMS], dim[REGION_AXES], step[REGION_AXES];
  if (tile_dims(q->op->name, &((const ShapeParams *)q->params)->shape, query_in_shape(q, 0), &dims, times) != OK)
    return;
  for (int i = 0; i < dims.ndim; i++) {
    dim[2 * i] = times[i];
    dim[2 * i + 1] = dims.dim[i];
    step[2 * i] = 0;
    step[2 * i + 1] = shape_size_range(&dims, i + 1, dims.ndim);
  }
  add_axes(c, 0, dim, step, 2 * dims.ndim);
}

static void repeat_numbers(const Query *q, PlainCall *c) {
  const RepeatParams *p = q->params;
  int64_t units, after;
  repeat_units(p, query_in_shape(q, 0), &units, &after);
  add_axes(c, 0, (const int64_t[]){ units, p->repeats, after }, (const int64_t[]){ after, 0, 1 }, 3);
}

static void depth_to_space_numbers(const Query *q, PlainCall *c) {
  const int64_t b = ((const BlockParams *)q->params)->block_size, *d = query_in_shape(q, 0)->dim;
  const Shape parts = { .ndim = 6, .dim = { d[0], b, b, d[1] / (b * b), d[2], d[3] } };
  const Region r = region_permuted(&parts, (const int[]){ 0, 3, 4, 1, 5, 2 });
  add_region(c, &r);
}

static void space_to_depth_numbers(const Query *q, PlainCall *c) {
  const int64_t b = ((const BlockParams *)q->params)->block_size, *d = query_in_shape(q, 0)->dim;
  const Shape parts = { .ndim = 6, .dim = { d[0], d[1], d[2] / b, b, d[3] / b, b } };
  const Region r = region_permuted(&parts, (const int[]){ 0, 3, 5, 1, 2, 4 });
  add_region(c, &r);
}

static void slice_numbers(const Query *q, PlainCall *c) {
  SlicesOf *const *slices_of = q->op->plain->own;
  const SliceParams slices = (*slices_of)(q->params, query_in_shape(q, 0), query_out_shape(q, 0));
  const Region r = slice_region(&slices, query_in_shape(q, 0));
  read_with(q, c);
  add_region(c, &r);
}

/* ---- Regions that are written ------------------------------------------------------------------ */

/* A matrix with a vector on its diagonal, or the diagonal of an array. */
static void diag_numbers(const Query *q, PlainCall *c) {
  const DiagParams *p = q->params;
  const Shape *in = query_in_shape(q, 0);
  Region r;
  if (in->ndim == 1) {
    const int64_t n = in->dim[0], side = diag_side(p, n), down = p->k < 0 ? -p->k : 0, right = p->k > 0 ? p->k : 0;
    c->function = "fill_region";
    plain_whole(c, shape_size(query_out_shape(q, 0)));
    add_axes(c, down * side + right, &n, (const int64_t[]){ side + 1 }, 1);
  } else if (diagonal(q->op->name, p, in, &r) == OK) {
    add_region(c, &r);
  }
}

/* The diagonals of square matrices of side n, all of `length` elements, in the rest of the array s. */
static void add_diagonals(PlainCall *c, const Shape *s, int64_t n, int64_t length, int64_t offset) {
  const int64_t dim[] = { shape_size_range(s, 0, s->ndim - 1), length }, step[] = { n * n, n + 1 };
  add_axes(c, offset < 0 ? -offset * n : offset, dim, step, 2);
}

static void extractdiag_numbers(const Query *q, PlainCall *c) {
  const Shape *in = query_in_shape(q, 0), *out = query_out_shape(q, 0);
  add_diagonals(c, out, in->dim[in->ndim - 1], out->dim[out->ndim - 1], ((const DiagonalParams *)q->params)->offset);
}

static void makediag_numbers(const Query *q, PlainCall *c) {
  const Shape *in = query_in_shape(q, 0), *out = query_out_shape(q, 0);
  plain_whole(c, shape_size(out));
  add_diagonals(c, in, out->dim[out->ndim - 1], in->dim[in->ndim - 1], ((const DiagonalParams *)q->params)->offset);
}

static void assign_numbers(const Query *q, PlainCall *c) {
  const Region r = slice_region(q->params, query_out_shape(q, 0));
  plain_whole(c, shape_size(query_out_shape(q, 0)));
  add_region(c, &r);
}

static void assign_number_numbers(const Query *q, PlainCall *c) {
  const SliceScalarParams *p = q->params;
  const Region r = slice_region(&p->slice, query_out_shape(q, 0));
  plain_whole(c, shape_size(query_out_shape(q, 0)));
  add_region(c, &r);
  plain_number(c, p->scalar);
}

/* ---- roll, tril, triu, Pad --------------------------------------------------------------------- */

static void roll_numbers(const Query *q, PlainCall *c) {
  const RollParams *p = q->params;
  Shape s = *query_in_shape(q, 0);
  int64_t shifts[MAX_DIMS] = { 0 };
  const int64_t size = shape_size(&s);
  if (rolled_in_line(p)) {
    s = shape_of(1, &size);
    if (size > 0) shifts[0] = (list_ints(&p->shift)[0] % size + size) % size;
  } else if (size > 0 && roll_shifts(q->op->name, p, &s, shifts) != OK) {
    return;
  }
  plain_whole(c, size);
  plain_padded(c, s.dim, s.ndim, MAX_DIMS, 1);
  plain_padded(c, shifts, s.ndim, MAX_DIMS, 0);
}

/* A vector is every row of its matrix. */
static void triangle_numbers(const Query *q, PlainCall *c) {
  const Shape *s = query_out_shape(q, 0);
  const int64_t rows = s->dim[s->ndim - 2], columns = s->dim[s->ndim - 1];
  const bool matrices = query_in_shape(q, 0)->ndim > 1;
  plain_whole(c, shape_size_range(s, 0, s->ndim - 2));
  plain_whole(c, rows);
  plain_whole(c, columns);
  plain_whole(c, matrices ? rows * columns : 0);
  plain_whole(c, matrices ? columns : 0);
  plain_whole(c, ((const KParams *)q->params)->k);
  plain_whole(c, *(const bool *)q->op->plain->own);
}

static void pad_numbers(const Query *q, PlainCall *c) {
  const PadParams *p = q->params;
  const Shape *in = query_in_shape(q, 0), *out = query_out_shape(q, 0);
  const int axes = in->ndim - PAD_LEAD;
  int64_t before[PAD_MOST_AXES];
  for (int i = 0; i < axes; i++) before[i] = list_ints(&p->pad_width)[2 * (PAD_LEAD + i)];
  plain_whole(c, in->dim[0] * in->dim[1]);
  plain_padded(c, in->dim + PAD_LEAD, axes, PAD_MOST_AXES, 1);
  plain_padded(c, out->dim + PAD_LEAD, axes, PAD_MOST_AXES, 1);
  plain_padded(c, before, axes, PAD_MOST_AXES, 0);
  plain_whole(c, p->mode);
  plain_number(c, p->constant_value);
}

/* ---- Parts that begin where an array says ------------------------------------------------------ */

static void add_parts(const Query *q, int64_t axis, const Shape *part, int begin, PlainCall *c) {
  const Shape *data = query_in_shape(q, 0);
  plain_axis(c, data, axis);
  plain_whole(c, part->dim[axis_at(axis, data->ndim)]);
  plain_whole(c, shape_size(query_in_shape(q, begin)) == 1 ? 1 : data->dim[0]);
}

static void read_part_numbers(const Query *q, PlainCall *c) {
  add_parts(q, ((const SliceAtParams *)q->params)->axis, query_out_shape(q, 0), 1, c);
}

static void replace_part_numbers(const Query *q, PlainCall *c) {
  add_parts(q, ((const UpdateAtParams *)q->params)->axis, query_in_shape(q, 1), 2, c);
}

/* ---- Rows -------------------------------------------------------------------------------------- */

#define REGION(row, name, numbers, ...)                                                                       \
  { .op = row, .text = "shape/region", .function = name, .types = PLAIN_TYPES, .arguments = numbers, __VA_ARGS__ }
#define READ(row, numbers) REGION(row, "read_region", numbers, .own = NULL)
#define SLICE(row, slices) REGION(row, "read_region", slice_numbers, .own = &(SlicesOf *const){ slices })
#define PART(row, name, numbers)                                                                              \
  { .op = row, .text = "shape/dynamic_slice", .function = name, .types = ALL_TYPES, .arguments = numbers }
#define TRIANGLE(row, is_lower)                                                                               \
  { .op = row, .text = "shape/triangle", .types = PLAIN_TYPES, .arguments = triangle_numbers,                  \
    .own = &(const bool){ is_lower } }

const Plain plain_regions[] = { READ("transpose", transpose_numbers),
                                READ("SwapAxis", swap_numbers),
                                READ("reverse", reverse_numbers),
                                READ("broadcast_to", broadcast_numbers),
                                READ("broadcast_axis", broadcast_numbers),
                                READ("broadcast_like", broadcast_numbers),
                                READ("tile", tile_numbers),
                                READ("repeat", repeat_numbers),
                                READ("depth_to_space", depth_to_space_numbers),
                                READ("space_to_depth", space_to_depth_numbers),
                                READ("diag", diag_numbers),
                                READ("_linalg_extractdiag", extractdiag_numbers),
                                REGION("_linalg_makediag", "fill_region", makediag_numbers, .own = NULL),
                                SLICE("slice", slice_slices),
                                SLICE("slice_axis", slice_axis_slices),
                                SLICE("slice_like", slice_like_slices),
                                SLICE("Crop", crop_slices),
                                REGION("_slice_assign", "assign_region", assign_numbers, .own = NULL),
                                REGION("_slice_assign_scalar", "assign_number", assign_number_numbers, .own = NULL),
                                { .op = "roll", .text = "shape/roll", .types = PLAIN_TYPES, .arguments = roll_numbers },
                                PART("_contrib_dynamic_slice", "read_part", read_part_numbers),
                                PART("_contrib_dynamic_update_slice", "replace_part", replace_part_numbers),
                                TRIANGLE("tril", true),
                                TRIANGLE("triu", false),
                                { .op = "Pad", .text = "shape/pad", .types = FLOAT_TYPES, .arguments = pad_numbers },
                                { 0 } };
