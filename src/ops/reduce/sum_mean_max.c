/* sum_mean_max.c - reductions over axes: sum, mean, prod, max, min, norm, nansum, nanprod.
**
** A full reduction has shape (1,), as in MXNet. The kernels: kernels/reduce/sum_mean_max_kernels.c; those of fused
** folds are made from the same texts (fold_texts.h).
*/
#include "ops/reduce/sum_mean_max.h"

#include "ops/common/gradient_rules.h"
#include "ops/op_registry.h"
#include "ops/reduce/fold_texts.h"
#include "ops/reduce/reduced_axes.h"

/* Inference with output dtype `dtype`. */
static Status infer_into(Infer *f, const ReduceParams *p, DType dtype) {
  Type *in = &f->in[0], *out = &f->out[0];
  bool reduced[MAX_DIMS];
  if (!dtype_merge(&out->dtype, dtype))
    return fail("output: expected dtype %s, got %s", dtype_name(out->dtype), dtype_name(dtype));
  if (in->dtype == DT_FLOAT16 || (in->dtype == DT_BOOL && dtype == DT_BOOL))
    return fail("data: expected dtype float32, float64 or an integer, got %s; convert with astype",
                dtype_name(in->dtype));
  if (in->shape.ndim < 0) return OK;
  TRY(reduced_axes(f->op->name, "axis", p, in->shape.ndim, reduced));
  Shape s = reduced_shape(&in->shape, reduced, p);
  if (!shape_merge(&out->shape, &s))
    return fail("output: expected %s, got %s", shape_text(&out->shape), shape_text(&s));
  return OK;
}

Status reduce_infer(Infer *f, const ReduceParams *p) { return infer_into(f, p, f->in[0].dtype); }

static Status infer_axes(Infer *f) { return reduce_infer(f, f->params); }

/* As in NumPy the sum of bools is the number of true elements. */
static Status infer_sum(Infer *f) {
  return f->in[0].dtype == DT_BOOL ? reduce_bools_infer(f, f->params) : reduce_infer(f, f->params);
}

static Status infer_mean(Infer *f) {
  DType in = f->in[0].dtype;
  return infer_into(f, f->params, in == DT_UNKNOWN || dtype_is_float(in) ? in : DT_FLOAT32);
}

/* For max and min, which have no value without elements. */
static Status infer_not_empty(Infer *f) {
  TRY(infer_axes(f));
  const Shape *in = &f->in[0].shape;
  if (shape_known(in) && shape_size(in) == 0 && shape_known(&f->out[0].shape) && shape_size(&f->out[0].shape) > 0)
    return fail("data: expected elements along the axes to reduce, got shape %s", shape_text(in));
  return OK;
}

/* ---- What is folded ------------------------------------------------------------------------------------- */

/* reduced_axes for axes that inference has accepted. */
static void fold_axes(const ReduceParams *p, int ndim, bool *reduced) {
  (void)reduced_axes("reduction", "axis", p, ndim, reduced);
}

#define FOLD(name, STEP, first_, int_first_, element_, last_)                                                 \
  static Folding name##_folding = { .step = #STEP, .start = #first_, .element = #element_, .finish = #last_ }; \
  static Folding *const name##_foldings[] = { &name##_folding, NULL };                                    \
  static const Folding *name##_fold(const Query *q, bool *reduced) {                                      \
    fold_axes(q->params, query_in(q, 0)->shape.ndim, reduced);                                            \
    return &name##_folding;                                                                               \
  }
FOLD_SUM(FOLD)
FOLD_MEAN(FOLD)
FOLD_PROD(FOLD)
FOLD_NANSUM(FOLD)
FOLD_NANPROD(FOLD)
FOLD_MAX(FOLD)
FOLD_MIN(FOLD)

/* ---- norm, which has its own parameters -------------------------------------------------------------------- */

#define NORM_TEXTS(name, condition, factor, inverse) \
  { .when = #condition, .element = "(x * " #factor ") * (x * " #factor ")", \
    .finish = "sqrt((double)total) * " #inverse },
static FoldAgain norm2_again[] = { NORM_SMALL(NORM_TEXTS) NORM_LARGE(NORM_TEXTS){ 0 } };

#define NORM1(name, STEP, first_, int_first_, element_, last_) \
  static Folding name##_folding = { .step = #STEP, .start = #first_, .element = #element_, .finish = #last_ };
#define NORM2(name, STEP, first_, int_first_, element_, last_) \
  static Folding name##_folding = {                          \
    .step = #STEP, .start = #first_, .element = #element_, .finish = #last_, .again = norm2_again };
FOLD_NORM1(NORM1)
FOLD_NORM2(NORM2)

static Status infer_norm(Infer *f) {
  const NormParams *p = f->params;
  ReduceParams axes = norm_axes(p);
  if (p->ord != 1 && p->ord != 2) return fail("ord: expected 1 or 2, got %lld", (long long)p->ord);
  if (p->out_dtype != DT_UNKNOWN && f->in[0].dtype != DT_UNKNOWN && (DType)p->out_dtype != f->in[0].dtype)
    return fail("out_dtype: expected data's, %s, got %s; cast the array first", dtype_name(f->in[0].dtype),
                dtype_name((DType)p->out_dtype));
  return reduce_infer(f, &axes);
}

static const Folding *norm_fold(const Query *q, bool *reduced) {
  ReduceParams axes = norm_axes(q->params);
  fold_axes(&axes, query_in(q, 0)->shape.ndim, reduced);
  return ((const NormParams *)q->params)->ord == 1 ? &norm1_folding : &norm2_folding;
}

static Folding *const norm_foldings[] = { &norm1_folding, &norm2_folding, NULL };

/* ---- Gradients ------------------------------------------------------------------------------------------- */

static Entry spread(Gradient *d, Entry e, const ReduceParams *p) {
  const Shape *in = &gradient_input(d, 0)->shape;
  bool reduced[MAX_DIMS];
  fold_axes(p, in->ndim, reduced);
  return spread_over(d->b, e, in, reduced);
}

static Entry mul(Builder *b, Entry x, Entry y) { return build_op(b, "elemwise_mul", NULL, 2, x, y); }

static Status sum_grad(Gradient *d) {
  if (!dtype_is_float(gradient_input(d, 0)->dtype)) return OK;          /* a count */
  return only_gradient(d, spread(d, d->out_grad[0], gradient_params(d)));
}

static Status mean_grad(Gradient *d) {
  if (!dtype_is_float(gradient_input(d, 0)->dtype)) return OK;
  int64_t out = shape_size(&d->node->type[0].shape), in = shape_size(&gradient_input(d, 0)->shape);
  Entry g = times(d->b, d->out_grad[0], in > 0 ? (double)out / (double)in : 0);
  return only_gradient(d, spread(d, g, gradient_params(d)));
}

/* g * y / x */
static Status prod_grad(Gradient *d) {
  Entry gy = spread(d, mul(d->b, d->out_grad[0], (Entry){ d->node, 0 }), gradient_params(d));
  return only_gradient(d, build_op(d->b, "elemwise_div", NULL, 2, gy, d->node->in[0]));
}

/* Each input that equals the extreme gets the whole gradient. */
static Status extreme_grad(Gradient *d) {
  const ReduceParams *p = gradient_params(d);
  Entry y = spread(d, (Entry){ d->node, 0 }, p), g = spread(d, d->out_grad[0], p);
  return only_gradient(d, mul(d->b, g, build_op(d->b, "_equal", NULL, 2, d->node->in[0], y)));
}

/* 1 where x is not NaN, else 0. */
static Entry is_number(Gradient *d) { return build_op(d->b, "_equal", NULL, 2, d->node->in[0], d->node->in[0]); }

static Status nansum_grad(Gradient *d) {
  Entry g = spread(d, d->out_grad[0], gradient_params(d));
  return only_gradient(d, mul(d->b, g, is_number(d)));
}

static Status nanprod_grad(Gradient *d) {
  TRY(prod_grad(d));
  return only_gradient(d, build_op(d->b, "_where_true", NULL, 2, is_number(d), d->in_grad[0]));
}

/* g * (x / y) for ord 2, because x / y cannot overflow; g * sign(x) for ord 1. */
static Status norm_grad(Gradient *d) {
  const NormParams *p = gradient_params(d);
  ReduceParams axes = norm_axes(p);
  Entry x = d->node->in[0], g = d->out_grad[0];
  if (p->ord == 1) return only_gradient(d, mul(d->b, spread(d, g, &axes), build_op(d->b, "sign", NULL, 1, x)));
  Entry y = spread(d, (Entry){ d->node, 0 }, &axes);
  return only_gradient(d, mul(d->b, spread(d, g, &axes), build_op(d->b, "elemwise_div", NULL, 2, x, y)));
}

/* ---- Rows ---------------------------------------------------------------------------------------------------- */

#define AXES                                                                                              \
  "axis shape? None The axes to reduce; None or (): all.\n"                                               \
  "keepdims bool False Keep reduced axes, with dimension 1.\n"                                            \
  "exclude bool False Reduce all axes except the given ones.\n"                                          \
  NP_SHAPES

#define EXAMPLES(name)                                                                                    \
  "F." name "(F.array{{1, 2, 3}, {4, 5, 6}}, {axis = 1})\n"                                               \
  "F." name "(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}, {axis = {0, 2}, keepdims = true})\n"           \
  "F." name "(F.array{{{1, 2}, {3, 4}}, {{5, 6}, {7, 9}}}, {axis = 1, exclude = true})\n"                 \
  "F." name "(F.array{{1, 2}, {3, 4}})"

#define ROW(title, names, infer_, grad_, text)                                                            \
  { .name = #title, .aliases = names, .doc = text, .example = EXAMPLES(#title), .inputs = "data", .params = AXES, \
    .params_size = sizeof(ReduceParams), .typed_by = 1, .infer = infer_, .folding = title##_fold, .folds = title##_foldings, .grad = grad_ }

/* clang-format off */
Op reduce_ops[] = {
  ROW(sum, "sum_axis /_np_sum", infer_sum, sum_grad, "The sum over axes. For bools it is the number of true elements, as int64"),
  ROW(mean, "/_npi_mean", infer_mean, mean_grad, "The mean over axes; for integers and bools it is a float32"),
  ROW(prod, "/_np_prod", infer_axes, prod_grad, "The product over axes. The gradient, g y / x, is not defined at x = 0"),
  ROW(nansum, NULL, infer_axes, nansum_grad, "The sum over axes; NaN counts as 0"),
  ROW(nanprod, NULL, infer_axes, nanprod_grad, "The product over axes; NaN counts as 1"),
  ROW(max, "max_axis /_np_max", infer_not_empty, extreme_grad,
      "The greatest element over axes, or NaN if there is one. All elements equal to it get the whole gradient"),
  ROW(min, "min_axis /_np_min", infer_not_empty, extreme_grad,
      "The least element over axes, or NaN if there is one. All elements equal to it get the whole gradient"),
  { .name = "norm",
    .doc = "The 1-norm or 2-norm over axes; squares that would under- or overflow are scaled (J. Blue, 1978)",
    .inputs = "data",
    .example = "F.norm(F.array{{3, 4}, {6, 8}}, {axis = 1})\n"
               "F.norm(F.array{{3, -4}, {6, 8}}, {ord = 1, axis = 0, keepdims = true})\n"
               "F.norm(F.array{{3, 4}, {1, 2}})",
    .params = "ord int 2 The norm: 1 or 2.\n"
              "axis shape? None The axes to reduce; None: all.\n"
              "out_dtype dtype? None The result's element type; must be data's.\n"
              "keepdims bool False Keep reduced axes, with dimension 1.\n" NP_SHAPES,
    .params_size = sizeof(NormParams),
    .typed_by = 1, .infer = infer_norm, .folding = norm_fold, .folds = norm_foldings, .grad = norm_grad },
  { 0 }
};
/* clang-format on */
