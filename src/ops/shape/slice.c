/* slice.c - parts of an array, read or replaced: slice, slice_axis, slice_like, Crop, _slice_assign.
**
** Each row turns its parameters into a region (tensor/strided_region.h) of the input. A part that is contiguous in
** memory is a view. The gradient is _backward_slice, zeros with the part filled in; its own gradient is the slice. The
** kernels: kernels/shape/slice_kernels.c.
*/
#include "ops/shape/slice.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- begin:end:step ------------------------------------------------------------------------------ */

static Status check_slices(const SliceParams *p, int ndim) {
  if (p->begin.count < 0 || p->end.count != p->begin.count)
    return fail("end: expected as many bounds as begin has, got %lld and %lld", (long long)p->end.count,
                (long long)p->begin.count);
  if (p->step.count > 0 && p->step.count != p->begin.count)
    return fail("step: expected as many steps as begin has, got %lld and %lld", (long long)p->step.count,
                (long long)p->begin.count);
  if (p->begin.count > MAX_DIMS || (ndim >= 0 && p->begin.count > ndim))
    return fail("begin: expected at most %d bounds, one per axis, got %lld", ndim >= 0 ? ndim : MAX_DIMS,
                (long long)p->begin.count);
  for (int i = 0; i < p->step.count; i++)
    if (p->step.u.i[i] == 0) return fail("step: expected steps other than 0, got 0 for axis %d", i);
  return OK;
}

Region slice_region(const SliceParams *p, const Shape *s) {
  Region r = region_of(s);
  for (int i = 0; i < p->begin.count; i++) {
    int64_t first, step, count;
    if (s->dim[i] < 0) continue;
    count = slice_range(p->begin.u.i[i], p->end.u.i[i], p->step.count > 0 ? p->step.u.i[i] : NONE, s->dim[i], &first,
                        &step);
    region_slice(&r, i, first, step, count);
  }
  return r;
}

static Status infer_slice(Infer *f) {
  const Shape *in = &f->in[0].shape;
  TRY(one_dtype(f, 0, 1));
  TRY(check_slices(f->params, in->ndim));
  if (in->ndim < 0) return OK;
  Region r = slice_region(f->params, in);
  return output_shape(f, 0, &r.shape);
}

/* Are these slices of the input contiguous in its memory? */
static bool view_slices(SliceParams slices, const Type *in, size_t *offset) {
  Region r = slice_region(&slices, &in->shape);
  if (!region_contiguous(&r)) return false;
  *offset = shape_size(&r.shape) > 0 ? (size_t)r.offset * dtype_size(in->dtype) : 0;
  return true;
}

/* ---- Columns of the rows that read ------------------------------------------------------------------ */

static Status infer_slice_backward(Infer *f) {
  Shape s = list_shape(&((const SliceBackwardParams *)f->params)->shape);
  TRY(one_dtype(f, 0, 1));
  return output_shape(f, 0, &s);
}

static Status slice_backward_grad(Gradient *d) {
  const SliceBackwardParams *p = gradient_params(d);
  return only_gradient(d, build_op(d->b, "slice", &p->slice, 1, d->out_grad[0]));
}

/* The gradient of a row whose output is these slices of input 0. */
static Status unslice(Gradient *d, SliceParams slices) {
  SliceBackwardParams back = { slices, list_of_shape(&gradient_input(d, 0)->shape) };
  return only_gradient(d, build_op(d->b, "_backward_slice", &back, 1, d->out_grad[0]));
}

/* Columns of a row whose output is title_slices(params, in, out) of input 0. */
#define SLICE_GRAD(title)                                                                                  \
  static Status title##_grad(Gradient *d) {                                                                \
    return unslice(d, title##_slices(gradient_params(d), &gradient_input(d, 0)->shape, &d->node->type[0].shape)); \
  }
#define SLICE_VIEW(title)                                                                                  \
  static bool title##_view(const Query *q, size_t *offset) {                                               \
    const Type *in = query_in(q, 0);                                                                       \
    return view_slices(title##_slices(q->params, &in->shape, &query_out(q, 0)->shape), in, offset);        \
  }

SliceParams slice_slices(const void *params, const Shape *in, const Shape *out) {
  (void)in, (void)out;
  return *(const SliceParams *)params;
}
SLICE_GRAD(slice)
SLICE_VIEW(slice)

/* Slices that keep every axis whole. */
static SliceParams whole_slices(int ndim) {
  SliceParams p = { { .count = ndim }, { .count = ndim }, { .count = 0 } };
  for (int i = 0; i < ndim; i++) p.begin.u.i[i] = p.end.u.i[i] = NONE;
  return p;
}

/* ---- slice_axis: strict ranges --------------------------------------------------------------------- */

static Status axis_bounds(const char *who, const SliceAxisParams *p, const Shape *s, int *axis, int64_t *begin,
                          int64_t *end) {
  TRY(axis_normal(who, "axis", p->axis, s->ndim, axis));
  int64_t dim = s->dim[*axis];
  if (dim < 0) return OK;
  *begin = p->begin < 0 ? p->begin + dim : p->begin;
  *end = p->end == NONE ? dim : p->end < 0 ? p->end + dim : p->end;
  if (p->begin == NONE || *begin < 0 || *begin > dim)
    return fail("%s: begin: expected %lld to %lld for axis %d of shape %s, got %lld", who, (long long)-dim,
                (long long)dim, *axis, shape_text(s), (long long)p->begin);
  if (*end < *begin || *end > dim)
    return fail("%s: end: expected %lld to %lld for axis %d of shape %s, got %lld", who, (long long)*begin,
                (long long)dim, *axis, shape_text(s), (long long)p->end);
  return OK;
}

static Status infer_slice_axis(Infer *f) {
  const SliceAxisParams *p = f->params;
  int axis;
  int64_t begin = 0, end = 0;
  TRY(one_dtype(f, 0, 1));
  if (f->in[0].shape.ndim < 0) return OK;
  Shape s = f->in[0].shape;
  TRY(axis_bounds(f->op->name, p, &s, &axis, &begin, &end));
  if (s.dim[axis] >= 0) s.dim[axis] = end - begin;
  return output_shape(f, 0, &s);
}

SliceParams slice_axis_slices(const void *params, const Shape *in, const Shape *out) {
  const SliceAxisParams *p = params;
  SliceParams slices = whole_slices(out->ndim);
  const int axis = axis_at(p->axis, in->ndim);
  slices.begin.u.i[axis] = p->begin;
  slices.end.u.i[axis] = p->end;
  return slices;
}
SLICE_GRAD(slice_axis)
SLICE_VIEW(slice_axis)

/* ---- slice_like: up to the other array's dimensions -------------------------------------- */

/* The output's shape: data's, with the dimensions of `like` along the axes. */
static Status like_shape(const char *who, const List *axes, const Shape *data, const Shape *like, Shape *out) {
  int n = axes->count <= 0 ? data->ndim : (int)axes->count;
  *out = *data;
  if (axes->count <= 0 && data->ndim != like->ndim)
    return fail("%s: shape_like: expected %d dimensions, as data has, got %s", who, data->ndim, shape_text(like));
  for (int i = 0; i < n; i++) {
    int axis = i, other = i;
    if (axes->count > 0) {
      TRY(axis_normal(who, "axes", list_ints(axes)[i], data->ndim, &axis));
      TRY(axis_normal(who, "axes", list_ints(axes)[i], like->ndim, &other));
    }
    if (data->dim[axis] >= 0 && like->dim[other] > data->dim[axis])
      return fail("%s: shape_like: expected at most %lld along axis %d, got %s", who, (long long)data->dim[axis], axis,
                  shape_text(like));
    out->dim[axis] = like->dim[other];
  }
  return OK;
}

static Status infer_slice_like(Infer *f) {
  Shape s;
  TRY(one_dtype(f, 0, 1));
  if (f->in[0].shape.ndim < 0 || f->in[1].shape.ndim < 0) return OK;
  TRY(like_shape(f->op->name, &((const TransposeParams *)f->params)->axes, &f->in[0].shape, &f->in[1].shape, &s));
  return output_shape(f, 0, &s);
}

SliceParams slice_like_slices(const void *params, const Shape *in, const Shape *out) {
  (void)params;
  SliceParams slices = whole_slices(in->ndim);
  for (int i = 0; i < in->ndim; i++) slices.end.u.i[i] = out->dim[i];
  return slices;
}
SLICE_GRAD(slice_like)
SLICE_VIEW(slice_like)

/* ---- Crop: height and width of images ------------------------------------------------------------------- */

/* The beginning of a part with `size` elements of an axis with `dim`; `which` is 0 for height, 1 for width. */
static int64_t crop_begin(const CropParams *p, int which, int64_t dim, int64_t size) {
  return p->center_crop ? (dim - size) / 2 : p->offset.count == 2 ? p->offset.u.i[which] : 0;
}

static Status check_crop(const CropParams *p, int which, int64_t dim, int64_t size) {
  const int64_t begin = crop_begin(p, which, dim, size);
  if (size > dim)
    return fail("h_w: expected at most %lld along axis %d, got %lld", (long long)dim, 2 + which, (long long)size);
  if (begin < 0 || begin > dim - size)
    return fail("offset: expected 0 to %lld along axis %d, got %lld", (long long)(dim - size), 2 + which,
                (long long)begin);
  return OK;
}

static Status infer_crop(Infer *f) {
  const CropParams *p = f->params;
  const Shape *in = &f->in[0].shape, *like = f->n_in > 1 ? &f->in[1].shape : NULL;
  if (f->n_in > 2) return fail("num_args: expected 1 or 2, got %d", f->n_in);
  TRY(one_dtype(f, 0, 1));
  if (!like && (p->h_w.count != 2 || p->h_w.u.i[0] < 1 || p->h_w.u.i[1] < 1))
    return fail("h_w: expected a height and a width of 1 or more");
  if (!shape_known(in) || (like && !shape_known(like))) return OK;
  if (in->ndim != 4 || (like && like->ndim != 4))
    return fail("data: expected 4 dimensions (batch, channel, height, width), got shape %s",
                shape_text(in->ndim != 4 ? in : like));
  int64_t height = like ? like->dim[2] : p->h_w.u.i[0], width = like ? like->dim[3] : p->h_w.u.i[1];
  TRY(check_crop(p, 0, in->dim[2], height));
  TRY(check_crop(p, 1, in->dim[3], width));
  return output_shape(f, 0, &(Shape){ .ndim = 4, .dim = { in->dim[0], in->dim[1], height, width } });
}

SliceParams crop_slices(const void *params, const Shape *in, const Shape *out) {
  const CropParams *p = params;
  SliceParams slices = whole_slices(4);
  for (int i = 2; i < 4; i++) {
    slices.begin.u.i[i] = crop_begin(p, i - 2, in->dim[i], out->dim[i]);
    slices.end.u.i[i] = slices.begin.u.i[i] + out->dim[i];
  }
  return slices;
}
SLICE_GRAD(crop)

/* ---- Replacing a part ---------------------------------------------------------------------------------------- */

static Status infer_slice_assign(Infer *f) {
  const Shape *in = &f->in[0].shape;
  TRY(one_dtype(f, 0, 2));
  TRY(output_shape(f, 0, in));
  TRY(check_slices(f->params, in->ndim));
  if (in->ndim < 0) return OK;
  Region r = slice_region(f->params, in);
  return input_shape(f, 1, &r.shape);
}

static Status infer_slice_assign_scalar(Infer *f) {
  const SliceScalarParams *p = f->params;
  TRY(infer_same_type(f));
  return check_slices(&p->slice, f->in[0].shape.ndim);
}

static Entry zero_part(Builder *b, const SliceParams *p, Entry g) {
  return build_op(b, "_slice_assign_scalar", &(SliceScalarParams){ 0, *p }, 1, g);
}

static Status slice_assign_grad(Gradient *d) {
  const SliceParams *p = gradient_params(d);
  if (d->wanted[0]) d->in_grad[0] = zero_part(d->b, p, d->out_grad[0]);
  if (d->wanted[1]) d->in_grad[1] = build_op(d->b, "slice", p, 1, d->out_grad[0]);
  return d->b->status;
}

static Status slice_assign_scalar_grad(Gradient *d) {
  const SliceScalarParams *p = gradient_params(d);
  return only_gradient(d, zero_part(d->b, &p->slice, d->out_grad[0]));
}

/* ---- Rows ----------------------------------------------------------------------------------------------------- */

#define SLICE_LINES                                                                                       \
  "begin shape - The first element along each axis; negative ones count from its end; None: its first or last.\n" \
  "end shape - The end along each axis, not included; None: the end of the axis.\n"                        \
  "step shape () Steps, negative to go backwards; (): 1.\n"

/* clang-format off */
Op slice_ops[] = {
  { .name = "slice", .aliases = "crop",
    .doc = "The part begin:end:step of the first axes, clipped to their dimensions as in NumPy. A part that is "
           "contiguous in memory shares it with data",
    .inputs = "data",
    .example = "F.slice(F.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {begin = {0, 1}, stop = {2, 9}})\n"
               "F.slice(F.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, "
               "{begin = {\"None\", -1}, stop = {\"None\", 0}, step = {2, -1}})\n"
               "F.slice(F.array{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, {begin = 1, stop = \"(None,)\"})",
    .params = SLICE_LINES, .params_size = sizeof(SliceParams),
    .infer = infer_slice, .view = slice_view, .grad = slice_grad },
  { .name = "_backward_slice", .doc = "An array of zeros with a part filled in", .inputs = "grad", .flags = OP_INTERNAL,
    .params = SLICE_LINES "shape shape - The shape.\n", .params_size = sizeof(SliceBackwardParams),
    .infer = infer_slice_backward, .grad = slice_backward_grad },
  { .name = "slice_axis", .doc = "The part begin:end of one axis; bounds outside the axis are an error",
    .inputs = "data", .example = "F.slice_axis(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 1, begin = 1, stop = F.NULL})\n"
               "F.slice_axis(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = -1, begin = -3, stop = -1})",
    .params = "axis int - The axis.\n"
              "begin int - The first element.\n"
              "end int? - The end, not included; None: the end of the axis.\n",
    .params_size = sizeof(SliceAxisParams),
    .infer = infer_slice_axis, .view = slice_axis_view, .grad = slice_axis_grad },
  { .name = "slice_like", .doc = "data with axes cut to the dimensions of shape_like",
    .inputs = "data shape_like",
    .example = "F.slice_like(F.array{{1, 2, 3}, {4, 5, 6}}, F.zeros{1, 2})\n"
               "F.slice_like(F.array{{1, 2, 3}, {4, 5, 6}}, F.zeros{7, 2}, {axes = {-1}})",
    .params = "axes shape () The axes to cut; (): all.\n", .params_size = sizeof(TransposeParams), .differentiable = 1,
    .infer = infer_slice_like, .view = slice_like_view, .grad = slice_like_grad },
  { .name = "Crop", .doc = "Images cut to height and width h_w, or to those of a second array", .inputs = "data...",
    .flags = OP_VARIADIC,
    .example = "F.Crop(F.array{{{{1, 2, 3}, {4, 5, 6}}}}, {h_w = {1, 2}, offset = {1, 0}})\n"
               "F.Crop(F.array{{{{1, 2, 3}, {4, 5, 6}}}}, F.zeros{1, 1, 2, 1}, {center_crop = true})",
    .params = "num_args int - Number of arrays: 1 or 2.\n"
              "offset shape (0,0) The upper left corner.\n"
              "h_w shape (0,0) Height and width, without a second array.\n"
              "center_crop bool False Cut out the middle.\n",
    .params_size = sizeof(CropParams), .differentiable = 1, .infer = infer_crop, .grad = crop_grad },
  { .name = "_slice_assign", .aliases = "_crop_assign", .doc = "lhs with the part begin:end:step replaced by rhs",
    .inputs = "lhs rhs",
    .example = "F.slice_assign(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{7}, {8}}, {begin = {0, 1}, stop = {2, 2}})\n"
               "F.slice_assign(F.array{1, 2, 3, 4}, F.array{7, 8}, {begin = {-1}, stop = {\"None\"}, step = {-2}})",
    .params = SLICE_LINES, .params_size = sizeof(SliceParams),
    .infer = infer_slice_assign, .grad = slice_assign_grad },
  { .name = "_slice_assign_scalar", .aliases = "_crop_assign_scalar",
    .doc = "data with every element of the part begin:end:step set to a number", .inputs = "data",
    .example = "F.slice_assign_scalar(F.array{{1, 2, 3}, {4, 5, 6}}, {scalar = 9, begin = {0, 1}, stop = {1, 3}})",
    .params = "scalar float 0 The number.\n" SLICE_LINES, .params_size = sizeof(SliceScalarParams),
    .flags = OP_IN_PLACE, .infer = infer_slice_assign_scalar, .grad = slice_assign_scalar_grad },
  { 0 }
};
/* clang-format on */
