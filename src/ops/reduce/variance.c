/* variance.c - variance and standard deviation over axes: var, std, moments.
**
** The kernels: kernels/reduce/variance_kernels.c.
*/
#include "ops/reduce/variance.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "ops/reduce/reduced_axes.h"

/* ---- Inference ---------------------------------------------------------------------------------------- */

static Status infer_kept(Infer *f, const char *param, ReduceParams p) {
  bool reduced[MAX_DIMS];
  if (f->in[0].shape.ndim < 0) return OK;
  TRY(reduced_axes(f->op->name, param, &p, f->in[0].shape.ndim, reduced));
  Shape s = reduced_shape(&f->in[0].shape, reduced, &p);
  for (int i = 0; i < f->n_out; i++) TRY(output_shape(f, i, &s));
  return OK;
}

static Status infer_moments(Infer *f) {
  TRY(one_float_dtype(f, 1, 2));
  return infer_kept(f, "axes", moments_axes(f->params));
}

/* As in NumPy the result for integers is float64. */
static Status infer_spread(Infer *f) {
  const VarianceParams *p = f->params;
  DType in = f->in[0].dtype, out = (DType)p->dtype;
  if (in == DT_FLOAT16 || in == DT_BOOL)
    return fail("data: expected dtype float32, float64 or an integer, got %s; convert with astype", dtype_name(in));
  if (out != DT_UNKNOWN && out != DT_FLOAT32 && out != DT_FLOAT64)
    return fail("dtype: expected float32 or float64, got %s", dtype_name(out));
  if (out == DT_UNKNOWN && in != DT_UNKNOWN) out = dtype_is_float(in) ? in : DT_FLOAT64;
  TRY(output_dtype(f, 0, out));
  return infer_kept(f, "axis", spread_axes(p));
}

/* ---- Gradients ------------------------------------------------------------------------------------------------- */

/* factor * (x - mean) * g, with g repeated over the reduced axes. */
static Entry deviation_times(Builder *b, Entry x, Entry g, const ReduceParams *axes, const bool *reduced,
                             double factor) {
  ReduceParams kept = *axes;
  const Shape *in = &entry_type(x)->shape;
  kept.keepdims = true;
  Entry d = build_op(b, "broadcast_sub", NULL, 2, x, build_op(b, "mean", &kept, 1, x));
  return times(b, build_op(b, "elemwise_mul", NULL, 2, d, spread_over(b, g, in, reduced)), factor);
}

static int64_t folded(const Shape *in, const bool *reduced) {
  int64_t n = 1;
  for (int i = 0; i < in->ndim; i++)
    if (reduced[i]) n *= in->dim[i];
  return n;
}

static Status moments_grad(Gradient *d) {
  ReduceParams axes = moments_axes(gradient_params(d));
  Entry x = d->node->in[0], g = NO_ENTRY;
  const Shape *in = &entry_type(x)->shape;
  bool reduced[MAX_DIMS];
  TRY(reduced_axes("moments", "axes", &axes, in->ndim, reduced));
  int64_t n = folded(in, reduced);
  if (n == 0) return OK;
  if (d->out_grad[0].node) g = spread_over(d->b, times(d->b, d->out_grad[0], 1 / (double)n), in, reduced);
  if (d->out_grad[1].node) {
    Entry of_var = deviation_times(d->b, x, d->out_grad[1], &axes, reduced, 2 / (double)n);
    g = g.node ? build_sum(d->b, g, of_var) : of_var;
  }
  return only_gradient(d, g);
}

/* d var = 2 (x - mean) / (n - ddof) and d std = d var / (2 std). Where std is 0 it has a kink, and its gradient is 0,
** the mean of its slopes. */
static Status spread_grad(Gradient *d, bool root) {
  const VarianceParams *p = gradient_params(d);
  ReduceParams axes = spread_axes(p);
  Entry x = d->node->in[0], y = { d->node, 0 }, g = d->out_grad[0];
  const Type *type = entry_type(x);
  bool reduced[MAX_DIMS], wider = type->dtype != d->node->type[0].dtype;
  TRY(reduced_axes(d->node->op->name, "axis", &axes, type->shape.ndim, reduced));
  int64_t n = folded(&type->shape, reduced);
  if (root) {
    Entry safe = build_op(d->b, "elemwise_add", NULL, 2, y,
                          build_op(d->b, "_equal_scalar", &(ScalarParams){ 0 }, 1, y));
    g = build_op(d->b, "elemwise_div", NULL, 2, build_op(d->b, "_where_true", NULL, 2, y, g), safe);
  }
  if (wider) x = build_op(d->b, "Cast", &(DTypeParams){ d->node->type[0].dtype }, 1, x);
  g = deviation_times(d->b, x, g, &axes, reduced, (root ? 1 : 2) / (double)(n > p->ddof ? n - p->ddof : 0));
  return only_gradient(d, wider ? build_op(d->b, "Cast", &(DTypeParams){ type->dtype }, 1, g) : g);
}

static Status var_grad(Gradient *d) { return spread_grad(d, false); }
static Status std_grad(Gradient *d) { return spread_grad(d, true); }

/* ---- Rows --------------------------------------------------------------------------------------------------- */

#define SPREAD_PARAMS                                                                                  \
  "axis shape? None The axes to reduce; None or (): all.\n"                                           \
  "dtype dtype? None The result's element type, float32 or float64; None: data's, but float64 for integers.\n" \
  "ddof int 0 The divisor is the number of elements minus this.\n"           \
  "keepdims bool False Keep reduced axes, with dimension 1.\n" NP_SHAPES

#define SPREAD_ROW(title, text)                                                                 \
  { .name = #title, .aliases = "_npi_" #title, .doc = text, .inputs = "data",          \
    .example = "F." #title "(F.array{{1, 2, 4}, {4, 5, 9}}, {axis = 1})\n"                            \
               "F." #title "(F.array{{1, 2}, {3, 7}}, {axis = 0, ddof = 1, keepdims = true})\n"      \
               "F." #title "(F.array{{{1, 2}, {3, 7}}, {{0, 4}, {6, 5}}}, {axis = {0, 2}})\n"          \
               "F." #title "(F.array{{1, 2}, {3, 7}})",                                                \
    .params = SPREAD_PARAMS, .params_size = sizeof(VarianceParams), .infer = infer_spread,               \
    .typed_by = 1, .grad = title##_grad }

/* clang-format off */
Op moments_ops[] = {
  { .name = "moments", .doc = "The mean over axes and the mean squared deviation from it: a table of both",
    .inputs = "data",
    .example = "F.moments(F.array{{1, 2, 3}, {4, 5, 6}}, {axes = {1}})[1]\n"
               "F.moments(F.array{{1, 2, 4}, {4, 5, 9}}, {axes = {0}, keepdims = true})[2]\n"
               "F.moments(F.array{{1, 2}, {3, 7}})[2]\n"
               "F.moments(F.array{{{1, 2}, {3, 7}}, {{0, 4}, {6, 5}}}, {axes = {0, 2}})[2]",
    .outputs = "mean var",
    .params = "axes shape? None The axes to reduce; None: all.\n"
              "keepdims bool False Keep reduced axes, with dimension 1.\n",
    .params_size = sizeof(MomentsParams), .flags = OP_NAMED_INPUT, .infer = infer_moments,
    .grad = moments_grad },
  SPREAD_ROW(var,
             "The variance over axes: the sum of squared deviations from the mean, divided by the number of elements "
             "minus ddof. It is 0 if all are equal, and NaN without elements"),
  SPREAD_ROW(std, "The standard deviation over axes: the square root of var. Its gradient is 0 where it is 0"),
  { 0 }
};
/* clang-format on */
