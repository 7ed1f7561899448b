/* rms_norm.c - RMSNorm: an array divided by its root mean square along an axis and multiplied by gamma.
**
** The rows' factors are a hidden output for gradients. The kernels: kernels/nn/rms_norm_kernels.c.
**
** The gradient of data is a row of one pass. Differentiated again, it expands into simple operators that recompute the
** factor. The gradient of gamma is a product and a sum.
*/
#include "ops/nn/rms_norm.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static Status infer_rms(Infer *f) {
  const RmsParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  int axis;
  if (!(p->eps >= 0)) return fail("eps: expected 0 or more, got %g", p->eps);
  TRY(one_float_dtype(f, 2, 2));
  TRY(least_dims(f, 0, 1));
  TRY(one_shape(f, 0, 0));
  if (data->ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "axis", p->axis, data->ndim, &axis));
  Shape factors = *data;
  factors.dim[axis] = 1;
  TRY(input_shape(f, 1, &(Shape){ 1, { data->dim[axis] } }));
  return output_shape(f, 1, &factors);
}

/* ---- Gradients and decomposition -------------------------------------------------------------------------------- */

static Entry mul(Builder *b, Entry x, Entry y) { return build_op(b, "broadcast_mul", NULL, 2, x, y); }

static int axis_in(const RmsParams *p, const Shape *data) { return axis_at(p->axis, data->ndim); }

/* Reshapes gamma so that it broadcasts to data. */
static Entry along_axis_of(Builder *b, Entry gamma, const Shape *data, const RmsParams *p) {
  const Shape s = only_axis(data, axis_in(p, data));
  return axis_in(p, data) == s.ndim - 1 ? gamma : reshape_to(b, gamma, &s);
}

static Entry factor_of(Builder *b, Entry x, const RmsParams *p) {
  Entry squares = fold_axis(b, "mean", build_op(b, "square", NULL, 1, x), p->axis);
  return build_op(b, "reciprocal", NULL, 1, build_op(b, "sqrt", NULL, 1, plus(b, squares, p->eps)));
}

/* If gamma's gradient is differentiated again, the factor has a gradient too, which is multiplied by -x factor^3 /
** n. */
static Status rms_grad(Gradient *d) {
  Builder *b = d->b;
  const RmsParams *p = gradient_params(d);
  const Entry *in = d->node->in, g = d->out_grad[0], of_factor = d->out_grad[1], factor = { d->node, 1 };
  const Shape *data = &entry_type(in[0])->shape;
  const int at = axis_in(p, data);
  if (g.node && d->wanted[0]) d->in_grad[0] = build_op(b, "_backward_RMSNorm", p, 4, g, in[0], in[1], factor);
  if (g.node && d->wanted[1]) {
    const Type gamma = { d->node->type[0].dtype, only_axis(data, at) };
    const Entry each = mul(b, g, mul(b, in[0], factor));
    d->in_grad[1] = reshape_to(b, sum_to(b, each, &gamma), &entry_type(in[1])->shape);
  }
  if (of_factor.node && d->wanted[0]) {
    const Entry cube = mul(b, of_factor, mul(b, factor, mul(b, factor, factor)));
    const Entry part = times(b, mul(b, in[0], cube), -1 / (double)data->dim[at]);
    d->in_grad[0] = d->in_grad[0].node ? build_sum(b, d->in_grad[0], part) : part;
  }
  return b->status;
}

static Entry backward_of(Builder *b, Node *n, Entry factor) {
  const RmsParams *p = (const RmsParams *)n->params->fields;
  Entry scaled = mul(b, n->in[1], factor);
  Entry g = mul(b, n->in[0], along_axis_of(b, n->in[2], &entry_type(n->in[1])->shape, p));
  Entry part = mul(b, scaled, fold_axis(b, "mean", mul(b, g, scaled), p->axis));
  return mul(b, build_op(b, "broadcast_sub", NULL, 2, g, part), factor);
}

static Entry backward_expand(Builder *b, Node *n) {
  return backward_of(b, n, factor_of(b, n->in[1], (const RmsParams *)n->params->fields));
}

static bool pays(const Lowering *l) {
  const Shape *data = &l->node->type[0].shape;
  return lowering_pays(l, data, axis_in((const RmsParams *)l->node->params->fields, data));
}

static void rms_lower(Lowering *l) {
  const RmsParams *p = (const RmsParams *)l->node->params->fields;
  const Entry *in = l->node->in;
  if (!pays(l)) return;
  const Entry factor = factor_of(l->b, in[0], p);
  l->out[0] = mul(l->b, mul(l->b, in[0], factor), along_axis_of(l->b, in[1], &l->node->type[0].shape, p));
  l->out[1] = factor;
}

static void backward_lower(Lowering *l) {
  if (pays(l)) l->out[0] = backward_of(l->b, l->node, l->node->in[3]);
}

static Status infer_backward(Infer *f) {
  TRY(one_float_dtype(f, 4, 1));
  TRY(one_shape(f, 0, 0));
  return one_shape(f, 1, 0);
}

static double rms_flops(const Query *q) { return 4 * (double)shape_size(&query_in(q, 0)->shape); }

#define PARAMS                 \
  "axis int -1 The axis.\n"    \
  "eps float 1e-6 Added to the mean square.\n"

/* clang-format off */
Op rms_norm_ops[] = {
  { .name = "RMSNorm",
    .doc = "data / sqrt(mean square + eps) gamma along an axis; gamma is a vector along it, with an inferred shape (B. "
           "Zhang, R. Sennrich, 2019)",
    .example = "F.RMSNorm(F.array{{1, 2, 4}, {0.5, -1, 2}}, F.array{1, 2, 0.5})\n"
               "F.RMSNorm(F.array{{{1, 2}, {4, 3}}, {{0.5, -1}, {2, 0}}}, F.array{1, 2}, {axis = 1, eps = 0.1})",
    .inputs = "data gamma", .outputs = "output factor", .params = PARAMS, .params_size = sizeof(RmsParams),
    .n_visible = one_visible, .unused = hidden_unused, .infer = infer_rms, .grad = rms_grad,
    .flops = rms_flops, .lower = rms_lower },
  { .name = "_backward_RMSNorm", .doc = "The gradient of data",
    .example = "F._backward_RMSNorm(F.array{{1, 2, 4}, {0.5, -1, 2}}, F.array{{2, 1, 3}, {-1, 0, 2}}, "
               "F.array{1, 2, 0.5}, "
               "F.array{{2}, {0.5}}, {axis = -1, eps = 0.1})\n"
               "F._backward_RMSNorm(F.array{{1, 2, 4}, {0.5, -1, 2}}, F.array{{2, 1, 3}, {-1, 0, 2}}, F.array{1, 2}, "
               "F.array{{2, 0.5, 1}}, {axis = 0, eps = 0.1})",
    .inputs = "g data gamma factor", .params = PARAMS, .params_size = sizeof(RmsParams), .differentiable = 7,
    .flags = OP_INTERNAL, .infer = infer_backward, .expand = backward_expand,
    .lower = backward_lower },
  { 0 }
};
/* clang-format on */
