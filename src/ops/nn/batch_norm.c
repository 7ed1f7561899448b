/* batch_norm.c - BatchNorm and related operators: normalization by each channel's mean and variance over a batch.
**
** In training the statistics come from the batch, and each call moves the two states (moving averages) towards them.
** Otherwise the states are the statistics, and nothing is written. The kernels: kernels/nn/batch_norm_kernels.c.
**
** One row computes the gradients of data, gamma and beta from the mean and the inverse deviation of forward.
** Differentiated again, it becomes simple operators that compute both from data.
*/
#include "ops/nn/batch_norm.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_params.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static unsigned batch_norm_effects(const Query *q) { return batch_norm_of_batch(q->params, q->train) ? WRITES : 0; }
static bool is_moving(const Query *q, int input) {
  (void)q;
  return input >= MOVING_MEAN;
}
static int batch_norm_visible(const Query *q) { return ((const BatchNormParams *)q->params)->output_mean_var ? 3 : 1; }

/* ---- Inference ------------------------------------------------------------------------------------------ */

static Status infer_batch_norm(Infer *f) {
  const BatchNormParams *p = f->params;
  const Shape *data = &f->in[DATA].shape;
  int axis;
  if (!(p->eps >= 0)) return fail("eps: expected 0 or more, got %g", p->eps);
  TRY(one_float_dtype(f, N_INPUTS, 3));
  TRY(least_dims(f, DATA, 1));
  TRY(one_shape(f, DATA, 0));
  if (data->ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "axis", batch_norm_axis(f->op, p), data->ndim, &axis));
  Shape channels = { 1, { data->dim[axis] } };
  for (int i = GAMMA; i < N_INPUTS; i++) TRY(input_shape(f, i, &channels));
  for (int i = 1; i < 3; i++) TRY(output_shape(f, i, &channels));
  return OK;
}

/* Inputs (g, data, one number per channel, ...): g has data's shape. */
static Status infer_backward_inputs(Infer *f, Shape *channels) {
  const Shape *data = &f->in[1].shape;
  int axis;
  TRY(least_dims(f, 1, 1));
  TRY(input_shape(f, 0, data));
  TRY(input_shape(f, 1, &f->in[0].shape));
  *channels = SHAPE_UNKNOWN;
  if (data->ndim < 0) return OK;
  TRY(axis_normal(f->op->name, "axis", ((const BatchNormGradParams *)f->params)->axis, data->ndim, &axis));
  *channels = (Shape){ 1, { data->dim[axis] } };
  for (int i = 2; i < f->n_in; i++) TRY(input_shape(f, i, channels));
  return OK;
}

/* Results are data's gradient and two numbers per channel. */
static Status infer_backward(Infer *f) {
  Shape channels;
  TRY(one_float_dtype(f, f->n_in, 3));
  TRY(infer_backward_inputs(f, &channels));
  TRY(one_shape(f, 1, 0));
  for (int i = 1; i < 3; i++) TRY(output_shape(f, i, &channels));
  return OK;
}

static Status infer_backward_gamma(Infer *f) {
  Shape channels;
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(infer_backward_inputs(f, &channels));
  return output_shape(f, 0, &channels);
}

/* ---- Arithmetic ------------------------------------------------------------------------------------------- */

/* Per element: two for the mean and the difference from it, two for the variance, two for the output. */
static double batch_norm_flops(const Query *q) {
  return (batch_norm_of_batch(q->params, q->train) ? 6 : 3) * (double)shape_size(&query_in(q, DATA)->shape);
}

static double backward_flops(const Query *q) { return 10 * (double)shape_size(&query_in(q, 1)->shape); }
static double backward_gamma_flops(const Query *q) { return 4 * (double)shape_size(&query_in(q, 1)->shape); }

/* ---- Gradients -------------------------------------------------------------------------------------------------- */

static Entry mul(Builder *b, Entry x, Entry y) { return build_op(b, "broadcast_mul", NULL, 2, x, y); }
static Entry sub(Builder *b, Entry x, Entry y) { return build_op(b, "broadcast_sub", NULL, 2, x, y); }

/* Reshapes a vector with one element per channel so that it broadcasts to data. */
static Entry spread(Builder *b, Entry e, int64_t axis, const Shape *data) {
  const Shape s = only_axis(data, axis_at(axis, data->ndim));
  return reshape_to(b, e, &s);
}

/* Reduces each channel by `op`, sum or mean. */
static Entry over_channels(Builder *b, const char *op, Entry e, int64_t axis, bool keepdims) {
  ReduceParams p = { .axis = { .count = 1, .u.i = { axis } }, .keepdims = keepdims, .exclude = true };
  return build_op(b, op, &p, 1, e);
}

static Status batch_norm_grad(Gradient *d) {
  const BatchNormParams *p = gradient_params(d);
  const Entry *in = d->node->in, g = d->out_grad[0], mean = { d->node, 1 }, inverse = { d->node, 2 };
  const Shape *data = &entry_type(in[DATA])->shape;
  BatchNormGradParams q = { batch_norm_axis(d->node->op, p), p->eps, batch_norm_of_batch(p, d->node->train) };
  Builder *b = d->b;
  if (!g.node) return OK;                                /* gradients of the statistics are ignored */
  Entry gamma = p->fix_gamma ? build_ones_like(b, in[GAMMA]) : in[GAMMA];
  Entry for_gamma = NO_ENTRY, for_beta = NO_ENTRY;
  if (d->wanted[DATA] && q.batch) {
    const Entry all = build_op(b, "_backward_batch_norm", &q, 5, g, in[DATA], gamma, mean, inverse);
    d->in_grad[DATA] = all;
    for_gamma = entry_output(all, 1);
    for_beta = entry_output(all, 2);
  } else {
    if (d->wanted[DATA]) d->in_grad[DATA] = mul(b, g, spread(b, mul(b, gamma, inverse), q.axis, data));
    if (d->wanted[GAMMA] && !p->fix_gamma)
      for_gamma = build_op(b, "_backward_batch_norm_gamma", &q, 4, g, in[DATA], mean, inverse);
    if (d->wanted[BETA]) for_beta = over_channels(b, "sum", g, q.axis, false);
  }
  if (d->wanted[GAMMA]) d->in_grad[GAMMA] = p->fix_gamma ? build_zeros_like(b, in[GAMMA]) : for_gamma;
  if (d->wanted[BETA]) d->in_grad[BETA] = for_beta;
  return b->status;
}

/* Normalizes x by simple operators; *inverse becomes 1 / deviation. */
static Entry normalized(Builder *b, const BatchNormGradParams *p, Entry x, Entry *inverse) {
  Entry centred = sub(b, x, over_channels(b, "mean", x, p->axis, true));
  Entry variance = over_channels(b, "mean", build_op(b, "square", NULL, 1, centred), p->axis, true);
  *inverse = build_op(b, "rsqrt", NULL, 1, plus(b, variance, p->eps));
  return mul(b, centred, *inverse);
}

static Entry backward_gamma_expand(Builder *b, Node *n) {
  const BatchNormGradParams *p = (const BatchNormGradParams *)n->params->fields;
  const Shape *data = &entry_type(n->in[1])->shape;
  Entry inverse, x;
  if (p->batch) x = normalized(b, p, n->in[1], &inverse);
  else x = mul(b, sub(b, n->in[1], spread(b, n->in[2], p->axis, data)), spread(b, n->in[3], p->axis, data));
  return over_channels(b, "sum", mul(b, n->in[0], x), p->axis, false);
}

/* A mean as in the kernel: the sum divided by the size. */
static Entry sum_over_size(Builder *b, Entry e, int64_t axis) {
  if (b->status != OK) return NO_ENTRY;
  const Shape *s = &entry_type(e)->shape;
  Entry sum = over_channels(b, "sum", e, axis, true);
  if (b->status != OK) return NO_ENTRY;
  const double size = (double)shape_size(s) / (double)shape_size(&entry_type(sum)->shape);
  return build_op(b, "_div_scalar", &(ScalarParams){ size }, 1, sum);
}

static void backward_expand(Builder *b, Node *n, Entry *out) {
  const BatchNormGradParams *p = (const BatchNormGradParams *)n->params->fields;
  const Entry g = n->in[0];
  Entry inverse, x = normalized(b, p, n->in[1], &inverse), product = mul(b, g, x);
  Entry part = mul(b, x, sum_over_size(b, product, p->axis));
  Entry inner = sub(b, sub(b, g, sum_over_size(b, g, p->axis)), part);
  out[0] = mul(b, inner, mul(b, inverse, spread(b, n->in[2], p->axis, &entry_type(n->in[1])->shape)));
  out[1] = over_channels(b, "sum", product, p->axis, false);
  out[2] = over_channels(b, "sum", g, p->axis, false);
}

/* ---- Decomposition for fusion ----------------------------------------------------------------------------------- */

/* Builds the kernel's last step from operators. */
static Entry apply(Builder *b, const Node *n, Entry mean, Entry inverse) {
  const BatchNormParams *p = (const BatchNormParams *)n->params->fields;
  const Shape *data = &n->type[0].shape;
  const int64_t axis = batch_norm_axis(n->op, p);
  Entry scale = p->fix_gamma ? inverse : mul(b, n->in[GAMMA], inverse);
  Entry centred = sub(b, n->in[DATA], spread(b, mean, axis, data));
  Entry scaled = mul(b, centred, spread(b, scale, axis, data));
  return build_op(b, "broadcast_add", NULL, 2, scaled, spread(b, n->in[BETA], axis, data));
}

/* If the states are the statistics, operators replace the whole kernel. */
static void batch_norm_lower(Lowering *l) {
  const BatchNormParams *p = (const BatchNormParams *)l->node->params->fields;
  const Entry *in = l->node->in;
  Builder *b = l->b;
  if (batch_norm_of_batch(p, l->node->train) || !(l->followed || l->forced)) return;
  l->out[2] = build_op(b, "reciprocal", NULL, 1, build_op(b, "sqrt", NULL, 1, plus(b, in[MOVING_VAR], p->eps)));
  l->out[1] = in[MOVING_MEAN];
  l->out[0] = apply(b, l->node, l->out[1], l->out[2]);
}

/* The statistics are the node's other outputs. */
static Entry batch_norm_again(Builder *b, Node *n) { return apply(b, n, (Entry){ n, 1 }, (Entry){ n, 2 }); }

/* ---- Followed by relu ---------------------------------------------------------------------------------------- */

static Status batch_norm_relu_grad(Gradient *d) {
  if (!d->out_grad[0].node) return OK;
  const Entry g[] = { build_op(d->b, "_backward_relu", NULL, 2, d->out_grad[0], (Entry){ d->node, 0 }), NO_ENTRY,
                      NO_ENTRY };
  Gradient inner = *d;
  inner.out_grad = g;
  return batch_norm_grad(&inner);
}

static Entry batch_norm_relu_again(Builder *b, Node *n) { return build_op(b, "relu", NULL, 1, batch_norm_again(b, n)); }

static void batch_norm_relu_lower(Lowering *l) {
  batch_norm_lower(l);
  if (l->out[0].node) l->out[0] = build_op(l->b, "relu", NULL, 1, l->out[0]);
}

/* MXNet has this operator only in builds with oneDNN. */
static Entry batch_norm_relu_portable(Builder *b, const Node *n) {
  const BatchNormParams *p = (const void *)n->params->fields;
  if (p->output_mean_var) return NO_ENTRY;
  return build_op(b, "relu", NULL, 1, build_op_list(b, "BatchNorm", p, n->n_in, n->in));
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define BATCH_NORM_COLUMNS                                                                                          \
  .inputs = "data gamma beta moving_mean moving_var", .outputs = "output mean var",                                 \
  .n_visible = batch_norm_visible, .unused = hidden_unused,                                                          \
  .initializers = "moving_mean [\"zero\", {}]\nmoving_var [\"one\", {}]\n",                                         \
  .effects = batch_norm_effects, .writes = is_moving, .state = is_moving, .differentiable = 7, .flags = OP_TRAIN,   \
  .flops = batch_norm_flops

#define STATISTICS_PARAMS                                                                                           \
  "eps float 1e-3 Added to the variance.\n"                                                                         \
  "momentum float 0.9 The factor of the old states in a training step.\n"                                           \
  "fix_gamma bool True Use 1 for gamma; its gradient is 0.\n"                                                       \
  "use_global_stats bool False Use the states as mean and variance in training too.\n"                              \
  "output_mean_var bool False Return the mean and 1 / sqrt(variance + eps) too; they have no gradient.\n"

#define BATCH_NORM_PARAMS                                                                                           \
  STATISTICS_PARAMS                                                                                                 \
  "axis int 1 The axis of the channels.\n"                                                                          \
  "cudnn_off bool False Accepted for MXNet's sake.\n"                                                               \
  "min_calib_range float? None Accepted for MXNet's sake.\n"                                                        \
  "max_calib_range float? None Accepted for MXNet's sake.\n"

#define BACKWARD_PARAMS                                                           \
  "axis int - The axis of the channels.\n"                                        \
  "eps float - Added to the variance.\n"                                          \
  "batch bool - Are mean and deviation data's?\n"

/* clang-format off */
Op batch_norm_ops[] = {
  { .name = "BatchNorm",
    .doc = "(data - mean) / sqrt(variance + eps) gamma + beta for each channel, an index along `axis` (S. Ioffe, C. "
           "Szegedy, 2015). In training without use_global_stats, mean and (biased) variance come from the batch, and "
           "the call updates the states: moving_mean = momentum moving_mean + (1 - momentum) mean, and moving_var "
           "likewise. Otherwise the states are used as mean and variance",
    .example = "F.BatchNorm(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{1, 2}, F.array{0, 1}, F.array{0.5, 1}, "
               "F.array{2, 4}, {fix_gamma = false})\n"
               "F.BatchNorm(F.array{{{1, 2, 4}, {0.5, -1, 2}}}, F.array{3, 2}, F.array{0, 1}, F.array{0.5, 1}, "
               "F.array{2, 4}, {use_global_stats = true})",
    BATCH_NORM_COLUMNS, .params = BATCH_NORM_PARAMS, .params_size = sizeof(BatchNormParams),
    .infer = infer_batch_norm, .grad = batch_norm_grad, .lower = batch_norm_lower,
    .recompute = batch_norm_again },
  { .name = "_contrib_BatchNormWithReLU", .aliases = "contrib.BatchNormWithReLU",
    .doc = "relu(BatchNorm(...)) as one operator, with the same bits",
    .example = "F.contrib.BatchNormWithReLU(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{1, 2}, F.array{0, 1}, "
               "F.array{0.5, 1}, F.array{2, 4}, {fix_gamma = false})\n"
               "F.contrib.BatchNormWithReLU(F.array{{{1, 2, 4}, {0.5, -1, 2}}}, F.array{3, 2}, F.array{0, 1}, "
               "F.array{0.5, 1}, F.array{2, 4}, {use_global_stats = true})",
    BATCH_NORM_COLUMNS, .params = BATCH_NORM_PARAMS, .params_size = sizeof(BatchNormParams),
    .infer = infer_batch_norm, .grad = batch_norm_relu_grad,
    .lower = batch_norm_relu_lower, .recompute = batch_norm_relu_again, .portable = batch_norm_relu_portable },
  { .name = "_contrib_SyncBatchNorm", .aliases = "contrib.SyncBatchNorm",
    .doc = "BatchNorm along axis 1. In MXNet the statistics are those of all devices' batches; here each device uses "
           "its own batch, which is the same on a single device",
    .example = "F.contrib.SyncBatchNorm(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{1, 2}, F.array{0, 1}, "
               "F.array{0.5, 1}, F.array{2, 4}, {fix_gamma = false, key = \"bn\"})",
    BATCH_NORM_COLUMNS,
    .params = STATISTICS_PARAMS
              "ndev int 1 Accepted for MXNet's sake.\n"
              "key string - Accepted for MXNet's sake.\n",
    .params_size = sizeof(SyncBatchNormParams), .infer = infer_batch_norm,
    .grad = batch_norm_grad, .lower = batch_norm_lower, .recompute = batch_norm_again },
  { .name = "BatchNorm_v1",
    .doc = "BatchNorm along axis 1, MXNet's first version. With output_mean_var MXNet returns the variance, not 1 / "
           "sqrt(variance + eps)",
    .example = "F.BatchNorm_v1(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{1, 2}, F.array{0, 1}, F.array{0.5, 1}, "
               "F.array{2, 4}, {fix_gamma = false})",
    BATCH_NORM_COLUMNS, .params = STATISTICS_PARAMS, .params_size = sizeof(BatchNormV1Params),
    .infer = infer_batch_norm, .grad = batch_norm_grad, .lower = batch_norm_lower, .recompute = batch_norm_again },
  { .name = "_backward_batch_norm",
    .doc = "The gradients of data, gamma and beta for the batch's statistics: for gamma and beta each channel's sums "
           "of g (data - mean) / deviation and of g",
    .example = "F._backward_batch_norm(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{{2, 1}, {-1, 0}, {3, 2}}, "
               "F.array{1, 2}, F.array{1.5, 1}, F.array{0.5, 1}, {axis = 1, eps = 0.1, batch = true})\n"
               "F._backward_batch_norm(F.array{{{1, 2, 3}, {4, 0.5, 1}}}, F.array{{{2, 1, 0}, {-1, 0, 2}}}, "
               "F.array{1, 2}, F.array{1.5, 1}, F.array{0.5, 1}, {axis = 1, eps = 0.1, batch = true})",
    .inputs = "g data gamma mean inverse", .outputs = "data gamma beta", .params = BACKWARD_PARAMS,
    .params_size = sizeof(BatchNormGradParams), .differentiable = 7, .flags = OP_INTERNAL | OP_IN_PLACE | OP_IN_FILES,
    .infer = infer_backward, .flops = backward_flops, .expand_all = backward_expand },
  { .name = "_backward_batch_norm_gamma",
    .doc = "The gradient of gamma only: each channel's sum of g (data - mean) / deviation",
    .example = "F._backward_batch_norm_gamma(F.array{{1, 2}, {4, 0.5}, {-1, 3}}, F.array{{2, 1}, {-1, 0}, {3, 2}}, "
               "F.array{1.5, 1}, F.array{0.5, 1}, {axis = 1, eps = 0.1, batch = true})\n"
               "F._backward_batch_norm_gamma(F.array{{{1, 2, 3}, {4, 0.5, 1}}}, F.array{{{2, 1, 0}, {-1, 0, 2}}}, "
               "F.array{1.5, 1}, F.array{0.5, 1}, {axis = 1, eps = 0.1, batch = false})",
    .inputs = "g data mean inverse", .params = BACKWARD_PARAMS, .params_size = sizeof(BatchNormGradParams),
    .differentiable = 3, .flags = OP_INTERNAL | OP_IN_FILES, .infer = infer_backward_gamma,
    .flops = backward_gamma_flops, .expand = backward_gamma_expand },
  { 0 }
};
/* clang-format on */
