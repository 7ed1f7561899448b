/* sort_topk.c - sort, argsort, topk.
**
** The kernels are in kernels/sort/sort_topk_kernels.c.
*/
#include "ops/sort/sort_topk.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- Inference ------------------------------------------------------------------------------------ */

/* The shape of k elements of each line (0: all); flat if no axis is given. */
static Status infer_line(const Infer *f, int64_t given, int64_t k, Shape *out) {
  const Shape *in = &f->in[0].shape;
  Shape flat = { .ndim = 1, .dim = { UNKNOWN } };
  int axis = 0;
  *out = SHAPE_UNKNOWN;
  if (in->ndim < 0) return OK;
  if (given == NONE) {
    if (shape_known(in)) flat.dim[0] = shape_size(in);
    in = &flat;
  } else {
    TRY(axis_normal(f->op->name, "axis", given, in->ndim, &axis));
  }
  *out = *in;
  if (in->dim[axis] >= 0 && k > in->dim[axis])
    return fail("k: expected at most %lld, the number of elements along the axis, got %lld", (long long)in->dim[axis],
                (long long)k);
  if (in->dim[axis] > UINT32_MAX)
    return fail("data: expected fewer than 2^32 elements along the axis, got %lld", (long long)in->dim[axis]);
  if (k > 0) out->dim[axis] = k;
  return OK;
}

static Status infer_sort(Infer *f) {
  Shape s;
  TRY(one_dtype(f, 0, 1));
  TRY(infer_line(f, ((const SortParams *)f->params)->axis, 0, &s));
  return output_shape(f, 0, &s);
}

static Status place_dtype(Infer *f, int output, int64_t dtype) {
  if (dtype == DT_BOOL) return fail("dtype: expected a number dtype, got bool");
  return output_dtype(f, output, (DType)dtype);
}

static Status infer_argsort(Infer *f) {
  const ArgsortParams *p = f->params;
  Shape s;
  TRY(place_dtype(f, 0, p->dtype));
  TRY(infer_line(f, p->axis, 0, &s));
  return output_shape(f, 0, &s);
}

/* The gradient reads the places of the values. */
static int topk_outputs(const Query *q) {
  const TopkParams *p = q->params;
  return p->ret_typ == TOPK_VALUE || p->ret_typ == TOPK_BOTH ? 2 : 1;
}

static int topk_visible(const Query *q) { return ((const TopkParams *)q->params)->ret_typ == TOPK_BOTH ? 2 : 1; }

static Status infer_topk(Infer *f) {
  const TopkParams *p = f->params;
  Shape s;
  TRY(infer_line(f, p->axis, p->k > 0 ? p->k : 0, &s));
  if (p->ret_typ == TOPK_INDICES) TRY(place_dtype(f, 0, p->dtype));
  else TRY(output_dtype(f, 0, f->in[0].dtype));
  if (f->n_out > 1) {
    TRY(place_dtype(f, 1, p->dtype));
    TRY(output_shape(f, 1, &s));
  }
  if (p->ret_typ == TOPK_MASK) return one_shape(f, 0, 0);
  return output_shape(f, 0, &s);
}

/* ---- Gradients: elements move back ------------------------------------------------------------ */

/* Writes the gradient of output 0 to these places along the axis. */
static Status put_along(Gradient *d, Entry places, int64_t axis) {
  AlongBackwardParams p = { list_of_shape(&gradient_input(d, 0)->shape), axis };
  return only_gradient(d, build_op(d->b, "_backward_take_along_axis", &p, 2, d->out_grad[0], places));
}

static Status sort_grad(Gradient *d) {
  const SortParams *p = gradient_params(d);
  ArgsortParams q = { p->axis, p->is_ascend, DT_INT64 };
  return put_along(d, build_op(d->b, "argsort", &q, 1, d->node->in[0]), p->axis);
}

/* Can the dtype hold every place in a line of n elements? */
static bool holds_places(DType dtype, int64_t n) {
  return dtype == DT_INT64 || dtype == DT_FLOAT64 || dtype == DT_INT32 || (dtype == DT_FLOAT32 && n <= 1 << 24);
}

static Status topk_grad(Gradient *d) {
  TopkParams p = *(const TopkParams *)gradient_params(d);
  if (d->node->n_out < 2 || !d->out_grad[0].node) return OK;
  if (holds_places((DType)p.dtype, shape_size(&gradient_input(d, 0)->shape)))
    return put_along(d, (Entry){ d->node, 1 }, p.axis);
  p.ret_typ = TOPK_INDICES;
  p.dtype = DT_INT64;
  return put_along(d, build_op(d->b, "topk", &p, 1, d->node->in[0]), p.axis);
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

#define AXIS "axis int? -1 The axis; None: the flattened array.\n"

/* clang-format off */
Op sort_ops[] = {
  { .name = "sort", .doc = "The elements along an axis in ascending or descending order. NaNs come last in both",
    .inputs = "data",
    .example = "F.sort(F.array{{3, 1, 2}, {5, 6, 4}})\n"
               "F.sort(F.array{{3, 1, 2}, {5, 6, 4}}, {axis = 0, is_ascend = false})\n"
               "F.sort(F.array{{3, 1, 2}, {5, 6, 4}}, {axis = \"None\"})",
    .params = AXIS "is_ascend bool True Sort in ascending order.\n", .params_size = sizeof(SortParams),
    .infer = infer_sort, .grad = sort_grad },
  { .name = "argsort",
    .doc = "The indices along an axis that sort its elements. Equal elements keep their order, and NaNs come last",
    .inputs = "data",
    .example = "F.argsort(F.array{{3, 1, 2}, {5, 6, 4}})\n"
               "F.argsort(F.array{{3, 1, 2}, {5, 6, 4}}, {axis = 0, is_ascend = false, dtype = \"int64\"})",
    .params = AXIS "is_ascend bool True Sort in ascending order.\n"
              "dtype dtype float32 The element type of the indices.\n",
    .params_size = sizeof(ArgsortParams), .flags = OP_NO_GRAD, .typed_by = 1, .infer = infer_argsort },
  { .name = "topk",
    .doc = "The k greatest elements along an axis, greatest first: their indices, their values, both, or a mask of "
           "data's shape with 1 at their positions. Equal elements keep their order; NaNs come last",
    .inputs = "data", .outputs = "output indices",
    .example = "F.topk(F.array{{3, 1, 2}, {5, 6, 4}}, {k = 2})\n"
               "F.topk(F.array{{3, 1, 2}, {5, 6, 4}}, {k = 2, ret_typ = \"value\"})\n"
               "F.topk(F.array{{3, 1, 2}, {5, 6, 4}}, {k = 1, axis = 0, ret_typ = \"both\", is_ascend = true})\n"
               "F.topk(F.array{{3, 1, 2}, {5, 6, 4}}, {k = 2, ret_typ = \"mask\"})",
    .params = AXIS "k int 1 Number of elements; 0 or less: all.\n"
              "ret_typ {indices,value,mask,both} indices The result.\n"
              "is_ascend bool False Return the k least elements, least first.\n"
              "dtype dtype float32 The element type of the indices.\n",
    .params_size = sizeof(TopkParams), .n_outputs = topk_outputs, .n_visible = topk_visible, .unused = hidden_unused,
    .typed_by = 1, .infer = infer_topk, .grad = topk_grad },
  { 0 }
};
/* clang-format on */
