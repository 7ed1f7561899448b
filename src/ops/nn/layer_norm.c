/* layer_norm.c - normalizations: LayerNorm, InstanceNorm, GroupNorm, L2Normalization.
**
** The first three subtract the mean of a group of elements, divide by its standard deviation, multiply by gamma and add
** beta. A NormLayout says which elements form a group, and which element of gamma applies to each.
**
** The gradients of data and gamma are separate rows, one pass each, which read the mean and deviation of forward.
** Differentiated again, they expand into simple operators that recompute both. The kernels:
** kernels/nn/layer_norm_kernels.c.
*/
#include "ops/nn/layer_norm.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- Layouts ---------------------------------------------------------------------------------------- */

LayerNormParams norm_params(const Op *op, const void *params) {
  const LayerParams *layer = params;
  const InstanceParams *instance = params;
  const GroupParams *group = params;
  switch (op - norm_ops) {              /* the first three rows are in the order of NormKind */
    case KIND_LAYER: return (LayerNormParams){ KIND_LAYER, layer->axis, layer->eps };
    case KIND_INSTANCE: return (LayerNormParams){ KIND_INSTANCE, 0, instance->eps };
    default: return (LayerNormParams){ KIND_GROUP, group->num_groups, group->eps };
  }
}

Status norm_layout(const LayerNormParams *p, const Shape *data, NormLayout *l) {
  if (p->kind == KIND_LAYER) {
    l->view = *data;
    TRY(axis_normal("LayerNorm", "axis", p->where, data->ndim, &l->axis));
    l->channels = l->axis;
    return OK;
  }
  int64_t rest = shape_size_range(data, 2, data->ndim), groups = p->kind == KIND_GROUP ? p->where : data->dim[1];
  l->view = shape_of(3,
                     (int64_t[]){ data->dim[0], groups, p->kind == KIND_GROUP ? data->dim[1] / groups * rest : rest });
  l->axis = 2;
  l->channels = 1;
  return OK;
}

static Shape gamma_shape(const NormLayout *l) { return only_axis(&l->view, l->channels); }

/* ---- Inference -------------------------------------------------------------------------------------------- */

/* gamma and beta have `channels` elements; mean and deviation have the shape `moments`. */
static Status infer_norm(Infer *f, int64_t channels, const Shape *moments) {
  Shape one = { 1, { channels } };
  for (int i = 1; i < 3; i++) {
    TRY(input_shape(f, i, &one));
    TRY(output_shape(f, i, moments));
  }
  return OK;
}

static Status infer_data(Infer *f, int least, const char *eps, double value) {
  if (!(value >= 0)) return fail("%s: expected 0 or more, got %g", eps, value);
  TRY(one_float_dtype(f, 3, 3));
  TRY(least_dims(f, 0, least));
  return one_shape(f, 0, 0);
}

static Status infer_layer_norm(Infer *f) {
  const LayerParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  int axis;
  TRY(infer_data(f, 1, "eps", p->eps));
  if (data->ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "axis", p->axis, data->ndim, &axis));
  Shape moments = *data;
  moments.dim[axis] = 1;
  return infer_norm(f, data->dim[axis], &moments);
}

static Status infer_instance_norm(Infer *f) {
  const InstanceParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  TRY(infer_data(f, 3, "eps", p->eps));
  if (data->ndim < 0) return OK;
  Shape moments = { 2, { data->dim[0], data->dim[1] } };
  return infer_norm(f, data->dim[1], &moments);
}

static Status infer_group_norm(Infer *f) {
  const GroupParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  if (p->num_groups < 1) return fail("num_groups: expected 1 or more, got %lld", (long long)p->num_groups);
  TRY(infer_data(f, 3, "eps", p->eps));
  if (data->ndim < 0) return OK;
  if (data->dim[1] >= 0 && data->dim[1] % p->num_groups != 0)
    return fail("num_groups: expected a divisor of the %lld channels of data %s, got %lld", (long long)data->dim[1],
                shape_text(data), (long long)p->num_groups);
  Shape moments = { 2, { data->dim[0], p->num_groups } };
  return infer_norm(f, p->num_groups, &moments);
}

static int layer_visible(const Query *q) { return ((const LayerParams *)q->params)->output_mean_var ? 3 : 1; }
static int group_visible(const Query *q) { return ((const GroupParams *)q->params)->output_mean_var ? 3 : 1; }

/* ---- Gradients ----------------------------------------------------------------------------------------------- */

static Entry mul(Builder *b, Entry x, Entry y) { return build_op(b, "broadcast_mul", NULL, 2, x, y); }
static Entry sub(Builder *b, Entry x, Entry y) { return build_op(b, "broadcast_sub", NULL, 2, x, y); }

static Entry mean_along(Builder *b, Entry e, int axis) { return fold_axis(b, "mean", e, axis); }

/* Ignores upstream gradients of mean and deviation, as in MXNet. */
static Status norm_grad(Gradient *d) {
  const LayerNormParams p = norm_params(d->node->op, gradient_params(d));
  const Entry *in = d->node->in, g = d->out_grad[0], mean = { d->node, 1 }, deviation = { d->node, 2 };
  NormLayout l;
  if (!g.node) return OK;
  TRY(norm_layout(&p, &entry_type(in[0])->shape, &l));
  Type gamma = { d->node->type[0].dtype, gamma_shape(&l) };
  if (d->wanted[0]) d->in_grad[0] = build_op(d->b, "_backward_norm", &p, 5, g, in[0], in[1], mean, deviation);
  if (d->wanted[1]) {
    Entry each = reshape_to(d->b, build_op(d->b, "_backward_norm_gamma", &p, 4, g, in[0], mean, deviation), &l.view);
    d->in_grad[1] = reshape_to(d->b, sum_to(d->b, each, &gamma), &entry_type(in[1])->shape);
  }
  if (d->wanted[2])
    d->in_grad[2] = reshape_to(d->b, sum_to(d->b, reshape_to(d->b, g, &l.view), &gamma), &entry_type(in[2])->shape);
  return d->b->status;
}

static Status input_size(const Infer *f, int i, int64_t size) {
  const Shape *s = &f->in[i].shape;
  if (!shape_known(s) || shape_size(s) == size) return OK;
  return fail("%s: expected %lld elements, got shape %s", op_input_name(f->op, i), (long long)size, shape_text(s));
}

static Status infer_backward(Infer *f) {
  const LayerNormParams *p = f->params;
  const Shape *data = &f->in[1].shape;
  NormLayout l;
  TRY(one_float_dtype(f, f->n_in, 1));
  for (int i = 0; i < 2; i++) TRY(one_shape(f, i, 0));
  if (!shape_known(data)) return OK;
  if (p->kind == KIND_GROUP && (p->where < 1 || data->dim[1] % p->where != 0))
    return fail("where: expected a divisor of the %lld channels, got %lld", (long long)data->dim[1],
                (long long)p->where);
  TRY(norm_layout(p, data, &l));
  if (f->n_in == 5) TRY(input_size(f, 2, l.view.dim[l.channels]));
  l.view.dim[l.axis] = 1;
  for (int i = f->n_in - 2; i < f->n_in; i++) TRY(input_size(f, i, shape_size(&l.view)));
  return OK;
}

/* Normalizes x by simple operators, in the layout's view; *inverse becomes 1 / deviation. */
static Entry normalized(Builder *b, const LayerNormParams *p, const NormLayout *l, Entry x, Entry *inverse) {
  Entry view = reshape_to(b, x, &l->view), centred = sub(b, view, mean_along(b, view, l->axis));
  Entry variance = mean_along(b, build_op(b, "square", NULL, 1, centred), l->axis);
  *inverse = build_op(b, "rsqrt", NULL, 1, plus(b, variance, p->eps));
  return mul(b, centred, *inverse);
}

static Entry backward_norm_expand(Builder *b, Node *n) {
  const LayerNormParams *p = (const LayerNormParams *)n->params->fields;
  const Shape *shape = &entry_type(n->in[1])->shape;
  NormLayout l;
  Entry inverse;
  if ((b->status = norm_layout(p, shape, &l)) != OK) return NO_ENTRY;
  Shape gamma = gamma_shape(&l);
  Entry x = normalized(b, p, &l, n->in[1], &inverse);
  Entry g = mul(b, reshape_to(b, n->in[0], &l.view), reshape_to(b, n->in[2], &gamma));
  Entry part = mul(b, x, mean_along(b, mul(b, g, x), l.axis));
  return reshape_to(b, mul(b, sub(b, sub(b, g, mean_along(b, g, l.axis)), part), inverse), shape);
}

static Entry backward_gamma_expand(Builder *b, Node *n) {
  const LayerNormParams *p = (const LayerNormParams *)n->params->fields;
  const Shape *shape = &entry_type(n->in[1])->shape;
  NormLayout l;
  Entry inverse;
  if ((b->status = norm_layout(p, shape, &l)) != OK) return NO_ENTRY;
  Entry x = normalized(b, p, &l, n->in[1], &inverse);
  return reshape_to(b, mul(b, reshape_to(b, n->in[0], &l.view), x), shape);
}

/* ---- Decomposition for fusion ----------------------------------------------------------------------------------- */

/* Only LayerNorm along the last axis can fuse. */
static bool pays(const Lowering *l, const LayerNormParams *p, const Shape *data, NormLayout *layout) {
  return (p->kind == KIND_LAYER || l->forced) && norm_layout(p, data, layout) == OK &&
         lowering_pays(l, &layout->view, layout->axis);
}

static Entry inverse_of(Builder *b, Entry deviation) { return build_op(b, "reciprocal", NULL, 1, deviation); }

/* Reshapes gamma or beta so that it broadcasts to the view. */
static Entry over_channels(Builder *b, Entry gamma, const NormLayout *l) {
  Shape s = gamma_shape(l);
  return l->channels == l->view.ndim - 1 ? gamma : reshape_to(b, gamma, &s);
}

/* Reshapes mean or deviation so that it broadcasts to the view. */
static Entry over_lines(Builder *b, Entry moment, const NormLayout *l) {
  Shape s = l->view;
  s.dim[l->axis] = 1;
  return reshape_to(b, moment, &s);
}

static void norm_lower(Lowering *l) {
  Builder *b = l->b;
  const Node *n = l->node;
  const LayerNormParams p = norm_params(n->op, n->params->fields);
  NormLayout way;
  if (!pays(l, &p, &n->type[0].shape, &way)) return;
  Entry x = reshape_to(b, n->in[0], &way.view);
  Entry mean = mean_along(b, x, way.axis), centred = sub(b, x, mean);
  Entry variance = mean_along(b, build_op(b, "square", NULL, 1, centred), way.axis);
  Entry deviation = build_op(b, "sqrt", NULL, 1, plus(b, variance, p.eps));
  Entry scaled = mul(b, mul(b, centred, inverse_of(b, deviation)), over_channels(b, n->in[1], &way));
  Entry out = build_op(b, "broadcast_add", NULL, 2, scaled, over_channels(b, n->in[2], &way));
  l->out[0] = reshape_to(b, out, &n->type[0].shape);
  l->out[1] = reshape_to(b, mean, &n->type[1].shape);
  l->out[2] = reshape_to(b, deviation, &n->type[2].shape);
}

static void backward_norm_lower(Lowering *l) {
  Builder *b = l->b;
  const Entry *in = l->node->in;
  const Shape *shape = &l->node->type[0].shape;
  NormLayout way;
  if (!pays(l, (const LayerNormParams *)l->node->params->fields, shape, &way)) return;
  Entry inverse = inverse_of(b, over_lines(b, in[4], &way)), mean = over_lines(b, in[3], &way);
  Entry x = mul(b, sub(b, reshape_to(b, in[1], &way.view), mean), inverse);
  Entry g = mul(b, reshape_to(b, in[0], &way.view), over_channels(b, in[2], &way));
  Entry part = mul(b, x, mean_along(b, mul(b, g, x), way.axis));
  l->out[0] = reshape_to(b, mul(b, sub(b, sub(b, g, mean_along(b, g, way.axis)), part), inverse), shape);
}

static void backward_gamma_lower(Lowering *l) {
  Builder *b = l->b;
  const Entry *in = l->node->in;
  const Shape *shape = &l->node->type[0].shape;
  NormLayout way;
  if (!pays(l, (const LayerNormParams *)l->node->params->fields, shape, &way)) return;
  Entry inverse = inverse_of(b, over_lines(b, in[3], &way)), mean = over_lines(b, in[2], &way);
  Entry x = mul(b, sub(b, reshape_to(b, in[1], &way.view), mean), inverse);
  l->out[0] = reshape_to(b, mul(b, reshape_to(b, in[0], &way.view), x), shape);
}

/* ---- L2Normalization ------------------------------------------------------------------------------------------- */

NormLayout l2_layout(const L2Params *p, const Shape *data) {
  int64_t rest = shape_size_range(data, 2, data->ndim), first = data->dim[0];
  if (p->mode == L2_INSTANCE)
    return (NormLayout){ .view = shape_of(2, (int64_t[]){ first, shape_size_range(data, 1, data->ndim) }), .axis = 1 };
  return (NormLayout){ .view = shape_of(3, (int64_t[]){ first, data->dim[1], rest }),
                       .axis = p->mode == L2_CHANNEL ? 1 : 2 };
}

static Status infer_l2(Infer *f) {
  const L2Params *p = f->params;
  TRY(one_float_dtype(f, 1, 1));
  TRY(least_dims(f, 0, p->mode == L2_INSTANCE ? 1 : 3));
  return one_shape(f, 0, 0);
}

static Entry l2_expand(Builder *b, Node *n) {
  const L2Params *p = (const L2Params *)n->params->fields;
  const Shape *shape = &entry_type(n->in[0])->shape;
  NormLayout l = l2_layout(p, shape);
  Entry x = reshape_to(b, n->in[0], &l.view);
  Entry squares = fold_axis(b, "sum", build_op(b, "square", NULL, 1, x), l.axis);
  Entry norm = build_op(b, "sqrt", NULL, 1, plus(b, squares, p->eps));
  return reshape_to(b, build_op(b, "broadcast_div", NULL, 2, x, norm), shape);
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

/* Per element: two for the mean and the difference from it, two for the variance, four for the output. */
static double norm_flops(const Query *q) { return 8 * (double)shape_size(&query_in(q, 0)->shape); }

#define EPS(value) "eps float " value " Added to the variance.\n"
#define MEAN_VAR \
  "output_mean_var bool False Return the mean and the standard deviation too; they have no gradient.\n"
#define NORM_PARAMS                                              \
  "kind int - The normalization.\n"                              \
  "where int - The axis, or the number of groups.\n"             \
  "eps float - Added to the variance.\n"

/* clang-format off */
Op norm_ops[] = {
  { .name = "LayerNorm",
    .doc = "(data - mean) / sqrt(variance + eps) gamma + beta along an axis; gamma and beta are vectors along it, with "
           "inferred shapes (J. Ba et al., 2016)",
    .example = "F.LayerNorm(F.array{{1, 2, 4}, {0.5, -1, 2}}, F.array{1, 2, 0.5}, F.array{0, 1, -1})\n"
               "F.LayerNorm(F.array{{{1, 2}, {4, 3}}, {{0.5, -1}, {2, 0}}}, F.array{1, 2}, F.array{0, 1}, "
               "{axis = 1, eps = 0.1})",
    .inputs = "data gamma beta", .outputs = "output mean std", .params = "axis int -1 The axis.\n" EPS("1e-5") MEAN_VAR,
    .params_size = sizeof(LayerParams), .n_visible = layer_visible, .unused = hidden_unused, .infer = infer_layer_norm,
    .grad = norm_grad, .flops = norm_flops, .lower = norm_lower },
  { .name = "InstanceNorm",
    .doc = "(data - mean) / sqrt(variance + eps) gamma + beta, with mean and variance over each channel (axis 1) of "
           "each sample (D. Ulyanov et al., 2016)",
    .example = "F.InstanceNorm(F.array{{{1, 2, 4}, {0.5, -1, 2}}}, F.array{1, 2}, F.array{0, 1}, {eps = 0.1})",
    .inputs = "data gamma beta", .outputs = "output mean std", .params = EPS("1e-3"),
    .params_size = sizeof(InstanceParams), .n_visible = one_visible, .unused = hidden_unused,
    .infer = infer_instance_norm, .flops = norm_flops, .grad = norm_grad, .lower = norm_lower },
  { .name = "GroupNorm",
    .doc = "(data - mean) / sqrt(variance + eps) gamma + beta, with mean and variance over groups of channels (axis 1) "
           "of each sample (Y. Wu, K. He, 2018). As in MXNet 1.9.1, gamma and beta have one element per group",
    .example = "F.GroupNorm(F.array{{{1, 2}, {4, 0.5}, {-1, 2}, {3, 0}}}, F.array{1, 2}, F.array{0, 1}, "
               "{num_groups = 2, eps = 0.1})",
    .inputs = "data gamma beta", .outputs = "output mean std",
    .params = "num_groups int 1 The number of groups.\n" EPS("1e-5") MEAN_VAR, .params_size = sizeof(GroupParams),
    .n_visible = group_visible, .unused = hidden_unused,
    .infer = infer_group_norm, .flops = norm_flops, .grad = norm_grad, .lower = norm_lower },
  { .name = "_backward_norm", .doc = "The gradient of data",
    .example = "F._backward_norm(F.array{{1, 2, 4}, {0.5, -1, 2}}, F.array{{2, 1, 3}, {-1, 0, 2}}, F.array{1, 2, 0.5}, "
               "F.array{{2}, {0.5}}, F.array{{1}, {1.5}}, {kind = 0, where = -1, eps = 0.1})\n"
               "F._backward_norm(F.array{{1, 2, 4}, {0.5, -1, 2}}, F.array{{2, 1, 3}, {-1, 0, 2}}, F.array{1, 2}, "
               "F.array{{2, 0.5, 1}}, F.array{{1, 1.5, 2}}, {kind = 0, where = 0, eps = 0.1})\n"
               "F._backward_norm(F.array{{{1, 2, 4}, {0.5, -1, 2}}}, F.array{{{2, 1, 3}, {-1, 0, 2}}}, F.array{1, 2}, "
               "F.array{{2, 0.5}}, F.array{{1, 1.5}}, {kind = 1, where = 0, eps = 0.1})\n"
               "F._backward_norm(F.array{{{1, 2, 4}, {0.5, -1, 2}, {3, 1, 0}, {2, 5, 1}}}, "
               "F.array{{{2, 1, 3}, {-1, 0, 2}, {1, 4, 2}, {0, 3, 1}}}, F.array{1, 2}, F.array{{2, 0.5}}, "
               "F.array{{1, 1.5}}, "
               "{kind = 2, where = 2, eps = 0.1})", .inputs = "g data gamma mean std", .params = NORM_PARAMS,
    .params_size = sizeof(LayerNormParams), .differentiable = 7, .flags = OP_INTERNAL,
    .infer = infer_backward, .expand = backward_norm_expand, .lower = backward_norm_lower },
  { .name = "_backward_norm_gamma", .doc = "g (data - mean) / std",
    .example = "F._backward_norm_gamma(F.array{{1, 2, 4}, {0.5, -1, 2}}, F.array{{2, 1, 3}, {-1, 0, 2}}, "
               "F.array{{2}, {0.5}}, F.array{{1}, {1.5}}, {kind = 0, where = -1, eps = 0.1})\n"
               "F._backward_norm_gamma(F.array{{1, 2, 4}, {0.5, -1, 2}}, F.array{{2, 1, 3}, {-1, 0, 2}}, "
               "F.array{{2, 0.5, 1}}, F.array{{1, 1.5, 2}}, {kind = 0, where = 0, eps = 0.1})\n"
               "F._backward_norm_gamma(F.array{{{1, 2, 4}, {0.5, -1, 2}}}, F.array{{{2, 1, 3}, {-1, 0, 2}}}, "
               "F.array{{2, 0.5}}, F.array{{1, 1.5}}, {kind = 1, where = 0, eps = 0.1})", .inputs = "g data mean std",
               .params = NORM_PARAMS,
    .params_size = sizeof(LayerNormParams), .differentiable = 3, .flags = OP_INTERNAL | OP_IN_PLACE,
    .infer = infer_backward, .expand = backward_gamma_expand, .lower = backward_gamma_lower },
  { .name = "L2Normalization", .aliases = "l2_normalization",
    .doc = "data / sqrt(sum of squares + eps), with the sum over each sample (instance), over the channels (axis 1) at "
           "each position (channel), or over each channel (spatial)",
    .example = "F.L2Normalization(F.array{{1, 2, 2}, {0.5, 3, 4}}, {eps = 0.5})\n"
               "F.L2Normalization(F.array{{{1, 2}, {4, 3}}, {{0.5, -1}, {2, 1}}}, {mode = \"channel\"})\n"
               "F.L2Normalization(F.array{{{1, 2}, {4, 3}}, {{0.5, -1}, {2, 1}}}, {mode = \"spatial\"})",
    .inputs = "data",
    .params = "eps float 1e-10 Added to the sum of squares.\n"
              "mode {instance,channel,spatial} instance Which elements are summed.\n",
    .params_size = sizeof(L2Params), .flags = OP_IN_PLACE | OP_NAMED_INPUT, .infer = infer_l2,
    .expand = l2_expand },
  { 0 }
};
/* clang-format on */
