/* quantile.c - quantiles along axes: one of the sorted elements, or a weighted mean of two neighbours.
**
** Positions between two elements follow R. Hyndman and Y. Fan, "Sample quantiles in statistical packages", 1996, as
** NumPy computes them. The gradient goes to the elements by their weights. The kernel is in
** kernels/sort/quantile_kernels.c.
*/
#include "ops/sort/quantile.h"

#include <math.h>

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

enum {
  LINEAR,
  LOWER,
  HIGHER,
  MIDPOINT,
  NEAREST,
  INVERTED_CDF,
  AVERAGED_INVERTED_CDF,
  CLOSEST_OBSERVATION,
  INTERPOLATED_INVERTED_CDF,
  HAZEN,
  WEIBULL,
  MEDIAN_UNBIASED,
  NORMAL_UNBIASED
};

/* ---- The position of a quantile ------------------------------------------------------------------------ */

/* Rounds `at` down, and adds 1 unless `stay`. */
static double whole_spot(double at, bool stay) { return stay ? floor(at) : floor(at) + 1; }

Spot quantile_spot(int method, int64_t n, double q) {
  /* clang-format off */
  static const double from[] = { [INTERPOLATED_INVERTED_CDF] = 0, [HAZEN] = 0.5, [WEIBULL] = 0,
                                 [MEDIAN_UNBIASED] = 1 / 3.0, [NORMAL_UNBIASED] = 3 / 8.0 };
  /* clang-format on */
  const double count = (double)n, even = (count - 1) * q, step = count * q - 1;
  double at = even;
  switch (method) {
    case LINEAR: break;
    case LOWER: at = floor(even); break;
    case HIGHER: at = ceil(even); break;
    case MIDPOINT: at = 0.5 * (floor(even) + ceil(even)); break;
    case NEAREST: at = rint(even); break;
    case INVERTED_CDF: at = whole_spot(step, step == floor(step)); break;
    case AVERAGED_INVERTED_CDF: at = step; break;
    case CLOSEST_OBSERVATION:
      at = whole_spot(step - 0.5, step - 0.5 == floor(step - 0.5) && fmod(floor(step - 0.5), 2) == 0);
      break;
    default: {
      const double a = from[method], b = method == INTERPOLATED_INVERTED_CDF ? 1 : a;
      at = count * q + (a + q * (1 - a - b)) - 1;
    }
  }
  double share = at - floor(at);
  if (method == MIDPOINT) share = share == 0 ? 0 : 0.5;
  if (method == AVERAGED_INVERTED_CDF) share = share == 0 ? 0.5 : 1;
  if (at >= count - 1) return (Spot){ n - 1, n - 1, share };
  if (at < 0) return (Spot){ 0, 0, share };
  return (Spot){ (int64_t)at, (int64_t)at + 1, share };
}

/* ---- Axes ---------------------------------------------------------------------------------------------- */

static Status quantile_axes(const char *who, const List *axis, int ndim, bool *reduced) {
  TRY(mark_axes(who, "axis", axis, ndim, reduced));
  for (int i = 0; i < ndim && axis->count < 0; i++) reduced[i] = true;
  return OK;
}

static Status infer_quantile(Infer *f) {
  const QuantileParams *p = f->params;
  const Shape *in = &f->in[0].shape;
  const DType dtype = f->in[0].dtype;
  bool reduced[MAX_DIMS];
  Shape s = { 0 };
  for (int64_t i = 0; i < p->q.count; i++)
    if (!(list_floats(&p->q)[i] >= 0 && list_floats(&p->q)[i] <= 1))
      return fail("q: expected numbers from 0 to 1, got %g", list_floats(&p->q)[i]);
  if (p->scalar && p->q.count != 1) return fail("scalar: expected one number as q, got %lld", (long long)p->q.count);
  if (dtype == DT_FLOAT16 || dtype == DT_BOOL)
    return fail("a: expected dtype float32, float64 or an integer, got %s; convert with astype", dtype_name(dtype));
  if (dtype != DT_UNKNOWN) TRY(output_dtype(f, 0, dtype == DT_FLOAT32 ? DT_FLOAT32 : DT_FLOAT64));
  if (in->ndim < 0) return OK;
  TRY(quantile_axes(f->op->name, &p->axis, in->ndim, reduced));
  if (!p->scalar) s.dim[s.ndim++] = p->q.count;
  for (int i = 0; i < in->ndim; i++) {
    if (reduced[i] && in->dim[i] == 0) return fail("a: expected elements along the axes, got shape %s", shape_text(in));
    if (reduced[i] && !p->keepdims) continue;
    if (s.ndim == MAX_DIMS) return fail("q: expected at most %d dimensions in all, got more", MAX_DIMS);
    s.dim[s.ndim++] = reduced[i] ? 1 : in->dim[i];
  }
  s = number_shape(s, p->np);    /* as in other reductions of all axes */
  return output_shape(f, 0, &s);
}

QuantileLines quantile_lines(const QuantileParams *p, const Shape *in) {
  bool reduced[MAX_DIMS];
  int at = 0;
  QuantileLines z = { .lines = 1, .n = 1 };
  (void)quantile_axes("", &p->axis, in->ndim, reduced);
  for (int i = 0; i < in->ndim; i++)
    if (!reduced[i]) z.order[at++] = i;
  for (int i = 0; i < in->ndim; i++)
    if (reduced[i]) z.order[at++] = i;
  for (int i = 0; i < in->ndim; i++) *(reduced[i] ? &z.n : &z.lines) *= in->dim[i];
  return z;
}

/* ---- The gradient, by sort and take --------------------------------------------------------------------- */

/* Elements spot[k].low or spot[k].high of the last axis, times their weights. */
static Entry weighed(Builder *b, Entry sorted, const Type *type, const Spot *spot, int64_t n, bool high) {
  const Shape along = { .ndim = 1, .dim = { n } };
  Tensor index, weight;
  if (b->status != OK) return NO_ENTRY;
  b->status = tensor_new(&(Type){ DT_INT64, along }, DEVICE_HOST, &index);
  if (b->status != OK) return NO_ENTRY;
  b->status = tensor_new(&(Type){ type->dtype, along }, DEVICE_HOST, &weight);
  for (int64_t k = 0; b->status == OK && k < n; k++) {
    tensor_set_int(&index, k, high ? spot[k].high : spot[k].low);
    tensor_set(&weight, k, high ? spot[k].share : 1 - spot[k].share);
  }
  Entry e = NO_ENTRY;
  if (b->status == OK) {
    e = build_op(b, "take", &(TakeParams){ -1, TAKE_CLIP }, 2, sorted, build_constant(b, &index));
    e = build_op(b, "broadcast_mul", NULL, 2, e, build_constant(b, &weight));
    tensor_release(&weight);
  }
  tensor_release(&index);
  return e;
}

static Entry quantile_expand(Builder *b, Node *node) {
  typedef struct SortParams { int64_t axis, is_ascend; } SortParams;
  const QuantileParams *p = (const QuantileParams *)node->params->fields;
  const Type *in = entry_type(node->in[0]);
  const Shape *s = &in->shape;
  const QuantileLines z = quantile_lines(p, s);
  Spot spot[MAX_LIST];
  TransposeParams t = { .axes = { .count = s->ndim } };
  for (int i = 0; i < s->ndim; i++) t.axes.u.i[i] = z.order[i];
  for (int64_t k = 0; k < p->q.count; k++) spot[k] = quantile_spot((int)p->method, z.n, list_floats(&p->q)[k]);
  Entry moved = s->ndim > 1 ? build_op(b, "transpose", &t, 1, node->in[0]) : node->in[0];
  Entry sorted = build_op(b, "sort", &(SortParams){ -1, 1 }, 1, reshape_to(b, moved, &(Shape){ 2, { z.lines, z.n } }));
  Entry low = weighed(b, sorted, in, spot, p->q.count, false), high = weighed(b, sorted, in, spot, p->q.count, true);
  return reshape_to(b, build_op(b, "transpose", NULL, 1, build_sum(b, low, high)), &node->type[0].shape);
}

/* ---- Row ------------------------------------------------------------------------------------------------------ */

/* clang-format off */
Op quantile_ops[] = {
  { .name = "_quantile",
    .doc = "Quantiles along axes; several of them become the first axis. The quantiles of elements with a NaN are NaN "
           "(R. Hyndman, Y. Fan, \"Sample quantiles in statistical packages\", 1996)",
    .inputs = "a",
    .example = "F._quantile(F.array{{3, 1, 2}, {5, 9, 4}}, {q = {0.3}, axis = 1, scalar = true})\n"
               "F._quantile(F.array{{3, 1, 2}, {5, 9, 4}}, {q = {0.1, 0.5}, axis = {0, 1}, keepdims = true})\n"
               "F._quantile(F.array{{3, 1, 2}, {5, 9, 4}}, {q = {0.1, 0.5}, axis = 0, method = \"midpoint\"})",
    .params = "q floats - The quantiles, from 0 to 1.\n"
              "axis shape? None The axes; None: all.\n"
              "keepdims bool False Keep the axes, with dimension 1.\n"
              "method {linear,lower,higher,midpoint,nearest,inverted_cdf,averaged_inverted_cdf,closest_observation,"
              "interpolated_inverted_cdf,hazen,weibull,median_unbiased,normal_unbiased} linear The position between "
              "two elements.\n"
              "scalar bool False q is one number and adds no axis.\n" NP_SHAPES,
    .params_size = sizeof(QuantileParams), .flags = OP_ROUNDS_ONCE, .infer = infer_quantile,
    .expand = quantile_expand },
  { 0 }
};
/* clang-format on */
