/* output_losses.c - losses: softmax_cross_entropy, and the output layers of MXNet's Module API.
**
** An output layer (SoftmaxOutput, the regression outputs, SVMOutput, MakeLoss, make_loss) returns predictions. Its
** gradient is that of a loss that is not computed; by design it ignores the upstream gradient. The kernels:
** kernels/nn/output_losses_kernels.c.
*/
#include "ops/nn/output_losses.h"

#include "ops/common/elementwise_rule.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

static bool always_same(const Query *q) {
  (void)q;
  return true;
}

/* Data and the output have the same type; labels may have any dtype, by default data's. */
static Status infer_prediction(Infer *f) {
  TRY(one_float_dtype(f, 1, 1));
  TRY(one_shape(f, 0, 0));
  if (f->n_in > 1 && f->in[1].dtype == DT_UNKNOWN) f->in[1].dtype = f->in[0].dtype;
  return OK;
}

/* ---- softmax_cross_entropy ------------------------------------------------------------------------- */

static Status infer_cross_entropy(Infer *f) {
  const Shape *data = &f->in[0].shape;
  Shape one = { 1, { 1 } }, matrix = { 2, { UNKNOWN, UNKNOWN } };
  TRY(one_float_dtype(f, 1, 1));
  if (f->in[1].dtype == DT_UNKNOWN) f->in[1].dtype = f->in[0].dtype;
  TRY(output_shape(f, 0, &one));
  TRY(input_shape(f, 0, &matrix));
  Shape label = { 1, { data->dim[0] } };
  TRY(input_shape(f, 1, &label));
  f->in[0].shape.dim[0] = f->in[1].shape.dim[0];
  return OK;
}

static Entry cross_entropy_expand(Builder *b, Node *n) {
  Entry chosen = build_op(b, "pick", NULL, 2, build_op(b, "log_softmax", NULL, 1, n->in[0]), n->in[1]);
  return build_op(b, "negative", NULL, 1, build_op(b, "sum", NULL, 1, chosen));
}

/* ---- SoftmaxOutput --------------------------------------------------------------------------------------- */

/* With multi_output, labels may have shape (n, rest), data's shape without the classes, or data's shape with one class;
** else they have data's shape without its last axis. Labels with data's full shape are probabilities. */
static Status infer_softmax_output(Infer *f) {
  const SoftmaxOutputParams *p = f->params;
  TRY(infer_prediction(f));
  const Shape *data = &f->in[0].shape, *label = &f->in[1].shape;
  if (data->ndim < 0) return OK;
  TRY(least_dims(f, 0, p->multi_output ? 2 : 1));
  if (label->ndim >= 0 && shape_equal(label, data)) return OK;
  if (!p->multi_output) {
    Shape rows = without_axis(data, data->ndim - 1);
    return input_shape(f, 1, &rows);
  }
  Shape flat = { 2, { data->dim[0], shape_known(data) ? shape_size_range(data, 2, data->ndim) : UNKNOWN } };
  Shape places = without_axis(data, 1), kept = *data;
  kept.dim[1] = 1;
  if (shape_equal(label, &places) || shape_equal(label, &kept)) return OK;
  return input_shape(f, 1, &flat);
}

static int output_backward_inputs(const Query *q) { return ((const SoftmaxOutputParams *)q->params)->out_grad ? 3 : 2; }

/* Converts labels that are probabilities to data's dtype. */
static Entry as_dtype(Builder *b, Entry e, DType dtype) {
  return b->status != OK || entry_type(e)->dtype == dtype ? e : build_op(b, "Cast", &(DTypeParams){ dtype }, 1, e);
}

#define EXPRESSION_OF(row, used, operands, expr) ELEMENTWISE(row##_y, used, 1, FLOAT_TYPES, #expr)
EACH_PROBABILITY_GRADIENT(EXPRESSION_OF)

static Status softmax_output_grad(Gradient *d) {
  const SoftmaxOutputParams *p = gradient_params(d);
  const Type *type = &d->node->type[0];
  const char *row = "_backward_SoftmaxOutput";
  Entry label = d->node->in[1];
  if (shape_equal(&entry_type(label)->shape, &type->shape)) {
    label = as_dtype(d->b, label, type->dtype);
    row = p->out_grad ? "_backward_SoftmaxOutput_probabilities_times" : "_backward_SoftmaxOutput_probabilities";
  }
  return only_gradient(d, build_op(d->b, row, p, p->out_grad ? 3 : 2, (Entry){ d->node, 0 }, label, d->out_grad[0]));
}

static Status probability_grad(Gradient *d) {
  (void)d;
  return gradient_is_last_of("SoftmaxOutput");
}

/* ---- Regression outputs ---------------------------------------------------------------------------------- */

typedef struct RegressionParams { double grad_scale; } RegressionParams;

/* Labels have data's shape, or the same first axis and number of elements. */
static Status infer_regression(Infer *f) {
  TRY(infer_prediction(f));
  const Shape *data = &f->in[0].shape, *label = &f->in[1].shape;
  if (!shape_known(data)) return OK;
  if (!shape_known(label)) {
    Shape expected = data->ndim == 2 && data->dim[1] == 1 ? without_axis(data, 1) : *data;
    return input_shape(f, 1, &expected);
  }
  bool rows = data->ndim == 0 || (label->ndim > 0 && label->dim[0] == data->dim[0]);
  return rows && shape_size(label) == shape_size(data) ? OK : input_shape(f, 1, data);
}

/* grad_scale / (labels per sample) times the error of the prediction, or its sign. */
static Status regression_gradient(Gradient *d, Entry y, bool sign) {
  const RegressionParams *p = gradient_params(d);
  const Type *type = &d->node->type[0];
  Entry label = reshape_to(d->b, as_dtype(d->b, d->node->in[1], type->dtype), &type->shape);
  Entry difference = build_op(d->b, "elemwise_sub", NULL, 2, y, label);
  const Shape *s = &gradient_input(d, 1)->shape;
  int64_t each = shape_size_range(s, s->ndim > 0 ? 1 : 0, s->ndim);
  if (sign) difference = build_op(d->b, "sign", NULL, 1, difference);
  return only_gradient(d, times(d->b, difference, each > 0 ? p->grad_scale / (double)each : 0));
}

/* The prediction is recomputed from data, because the output's gradient is not a derivative. */
static Status regression_grad(Gradient *d) { return regression_gradient(d, d->node->in[0], false); }
static Status mae_grad(Gradient *d) { return regression_gradient(d, d->node->in[0], true); }
static Status logistic_grad(Gradient *d) {
  return regression_gradient(d, build_op(d->b, "sigmoid", NULL, 1, d->node->in[0]), false);
}

/* Passes lower graphs after differentiation, so that the gradient stays that of the row. */
static void logistic_lower(Lowering *l) { l->out[0] = build_op(l->b, "sigmoid", NULL, 1, l->node->in[0]); }

/* ---- SVMOutput ---------------------------------------------------------------------------------------------- */

static Status infer_svm(Infer *f) {
  TRY(infer_prediction(f));
  const Shape *data = &f->in[0].shape;
  if (data->ndim < 0) return OK;
  TRY(least_dims(f, 0, 1));
  Shape label = without_axis(data, data->ndim - 1);
  return input_shape(f, 1, &label);
}

/* The linear gradient is a step function, with gradient 0. */
static Status svm_backward_grad(Gradient *d) {
  const SvmParams *p = gradient_params(d);
  return p->use_linear ? OK : gradient_is_last(d);
}

static Status svm_grad(Gradient *d) {
  const Entry *in = d->node->in;
  return only_gradient(d, build_op(d->b, "_backward_SVMOutput", gradient_params(d), 2, in[0], in[1]));
}

/* ---- MakeLoss, make_loss --------------------------------------------------------------------------------------- */

typedef struct MakeLossParams { double grad_scale, valid_thresh; int64_t normalization; } MakeLossParams;

static Status makeloss_grad(Gradient *d) {
  const MakeLossParams *p = gradient_params(d);
  Entry x = d->node->in[0], ones = build_ones_like(d->b, x);
  const Shape *s = &d->node->type[0].shape;
  if (p->normalization == NORMALIZE_VALID) {
    Entry valid = build_op(d->b, "sum", NULL, 1,
                           build_op(d->b, "_greater_scalar", &(ScalarParams){ p->valid_thresh }, 1, x));
    Entry count = build_op(d->b, "_maximum_scalar", &(ScalarParams){ 1 }, 1, valid);
    Entry factor = build_op(d->b, "_rdiv_scalar", &(ScalarParams){ p->grad_scale }, 1, count);
    return only_gradient(d, reshape_to(d->b, build_op(d->b, "broadcast_mul", NULL, 2, ones, factor), s));
  }
  /* MXNet counts the rows: all axes but the last */
  int64_t rows = p->normalization == NORMALIZE_BATCH && s->ndim > 0 ? shape_size_range(s, 0, s->ndim - 1) : 1;
  return only_gradient(d, times(d->b, ones, p->grad_scale / (double)(rows > 0 ? rows : 1)));
}

static Status make_loss_grad(Gradient *d) { return only_gradient(d, build_ones_like(d->b, d->node->in[0])); }

/* ---- IdentityAttachKLSparseReg ----------------------------------------------------------------------------- */

/* The state is the moving mean of each column; the hidden output is its value after this call. */
static Status infer_sparseness(Infer *f) {
  const SparsenessParams *p = f->params;
  const Shape *data = &f->in[0].shape;
  if (!(p->sparseness_target > 0 && p->sparseness_target < 1))
    return fail("sparseness_target: expected a number between 0 and 1, got %g", p->sparseness_target);
  if (!(p->momentum >= 0 && p->momentum < 1))
    return fail("momentum: expected a number from 0 to less than 1, got %g", p->momentum);
  TRY(one_float_dtype(f, 2, 2));
  TRY(one_shape(f, 0, 0));
  TRY(input_shape(f, 0, &(Shape){ 2, { UNKNOWN, UNKNOWN } }));
  const Shape columns = { 1, { data->dim[1] } };
  TRY(input_shape(f, 1, &columns));
  return output_shape(f, 1, &columns);
}

static unsigned sparseness_effects(const Query *q) { return q->train ? WRITES : 0; }
static bool is_moving_avg(const Query *q, int input) {
  (void)q;
  return input == 1;
}

/* g + penalty ((1 - target) / (1 - mean) - target / mean): the derivative of the divergence of the two Bernoulli
** distributions. */
static Status sparseness_grad(Gradient *d) {
  const SparsenessParams *p = gradient_params(d);
  Builder *b = d->b;
  const Entry mean = { d->node, 1 };
  if (!d->out_grad[0].node) return OK;
  Entry rest = build_op(b, "_rminus_scalar", &(ScalarParams){ 1 }, 1, mean);
  Entry above = build_op(b, "_rdiv_scalar", &(ScalarParams){ 1 - p->sparseness_target }, 1, rest);
  Entry below = build_op(b, "_rdiv_scalar", &(ScalarParams){ p->sparseness_target }, 1, mean);
  Entry term = times(b, build_difference(b, above, below), p->penalty);
  return only_gradient(d, build_op(b, "broadcast_add", NULL, 2, d->out_grad[0], term));
}

/* ---- Rows --------------------------------------------------------------------------------------------------- */

#define SCALE "grad_scale float 1 Multiplies the gradient.\n"
#define NORMALIZATION(what)                                                                                   \
  "normalization {null,batch,valid} null The divisor of the gradient: 1, the number of samples, or of " what ".\n"

#define SOFTMAX_OUTPUT_PARAMS SCALE                                                                           \
  "ignore_label float -1 The label that use_ignore ignores.\n"                                                \
  "multi_output bool False Classes are along axis 1, with a label for each position of the others.\n"         \
  "use_ignore bool False Set the gradient to 0 where the label is ignore_label.\n"                            \
  "preserve_shape bool False Classes are along the last axis, not along all except the first.\n"              \
  NORMALIZATION("labels other than ignore_label")                                                         \
  "out_grad bool False Multiply by the upstream gradient.\n"                                                  \
  "smooth_alpha float 0 The part of the label's 1 that is divided among the other classes.\n"

#define PROBABILITY_ROW(row, used, operands, expr)                                                            \
  { .name = #row, .doc = "SoftmaxOutput: the gradient if labels are probabilities", .inputs = operands,       \
    .params = SOFTMAX_OUTPUT_PARAMS, .params_size = sizeof(SoftmaxOutputParams),                              \
    .flags = OP_INTERNAL | OP_IN_PLACE, .infer = infer_same_shape, .elementwise = &row##_y,                   \
    .grad = probability_grad },

#define SVM_PARAMS                                                                                            \
  "margin float 1 The required distance of scores from 0.\n"                                                  \
  "regularization_coefficient float 1 Multiplies the gradient.\n"                                            \
  "use_linear bool False Use the linear hinge loss, not its square.\n"

#define REGRESSION(title, grad_, text, ...)                                                                   \
  { .name = title, .doc = text ". By design it ignores the upstream gradient", .inputs = "data label",        \
    .example = "F." title "(F.array{{1, 2}, {3, 4}}, F.array{{0, 1}, {2, 6}})\n"                              \
               "F." title "(F.array{{1}, {2}}, F.array{0, 1}, {grad_scale = 2})",                             \
    .params = SCALE, .params_size = sizeof(RegressionParams), .differentiable = 1,                            \
    .flags = OP_BY_DESIGN | OP_IN_PLACE,                                                                      \
    .infer = infer_regression, .grad = grad_, __VA_ARGS__ }

/* clang-format off */
Op loss_ops[] = {
  { .name = "softmax_cross_entropy", .doc = "The sum over rows of -log softmax(data)[label], with shape (1,)",
    .example = "F.softmax_cross_entropy(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array({2, 0}, {dtype = \"int32\"}))",
    .inputs = "data label", .differentiable = 1, .effects = op_fails_always, .infer = infer_cross_entropy,
    .expand = cross_entropy_expand },
  { .name = "SoftmaxOutput", .aliases = "Softmax",
    .doc = "softmax of data, with the gradient of the cross entropy with label, softmax(data) - onehot(label). By "
           "design the gradient ignores the upstream gradient; it cannot be differentiated again. A label with data's "
           "shape holds probabilities",
    .example = "F.SoftmaxOutput(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{2, 0})\n"
               "F.SoftmaxOutput(F.array{{{1, 2}, {0, 3}}, {{0.5, -1}, {2, 1}}}, F.array{{0, 1}, {1, 0}}, "
               "{multi_output = true, normalization = \"valid\"})",
    .inputs = "data label", .params = SOFTMAX_OUTPUT_PARAMS, .params_size = sizeof(SoftmaxOutputParams),
    .differentiable = 1, .flags = OP_BY_DESIGN | OP_IN_PLACE,
    .infer = infer_softmax_output, .grad = softmax_output_grad },
  { .name = "_backward_SoftmaxOutput", .doc = "The gradient of data if labels are classes", .inputs = "y label g",
    .params = SOFTMAX_OUTPUT_PARAMS, .params_size = sizeof(SoftmaxOutputParams), .n_inputs = output_backward_inputs,
    .flags = OP_INTERNAL, .infer = infer_prediction, .grad = gradient_is_last },
  EACH_PROBABILITY_GRADIENT(PROBABILITY_ROW)
  REGRESSION("LinearRegressionOutput", regression_grad,
             "Returns data; the gradient is that of half the squared error, data - label", .same = always_same),
  REGRESSION("LogisticRegressionOutput", logistic_grad,
             "sigmoid(data); the gradient is that of the cross entropy, sigmoid(data) - label",
             .lower = logistic_lower),
  REGRESSION("MAERegressionOutput", mae_grad,
             "Returns data; the gradient is that of the absolute error, sign(data - label)", .same = always_same),
  { .name = "SVMOutput",
    .doc = "Returns data; the gradient is that of the hinge loss with label, squared unless use_linear. By design it "
           "ignores the upstream gradient; if squared, it cannot be differentiated again",
    .example = "F.SVMOutput(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{2, 0})\n"
               "F.SVMOutput(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{2, 0}, {use_linear = true})",
    .inputs = "data label", .params = SVM_PARAMS, .params_size = sizeof(SvmParams), .differentiable = 1,
    .flags = OP_BY_DESIGN | OP_IN_PLACE, .infer = infer_svm, .same = always_same, .grad = svm_grad },
  { .name = "_backward_SVMOutput", .doc = "The gradient of data", .inputs = "data label", .params = SVM_PARAMS,
    .params_size = sizeof(SvmParams), .flags = OP_INTERNAL, .infer = infer_prediction,
    .grad = svm_backward_grad },
  { .name = "MakeLoss",
    .doc = "Returns data as a loss: the gradient is grad_scale. By design it ignores the upstream gradient",
    .example = "F.MakeLoss(F.array{1, 2}, {grad_scale = 2})\n"
               "F.MakeLoss(F.array{1, 2}, {normalization = \"valid\", valid_thresh = 1})",
    .inputs = "data",
    .params = SCALE "valid_thresh float 0 Elements above it are valid.\n" NORMALIZATION("valid elements"),
    .params_size = sizeof(MakeLossParams), .flags = OP_BY_DESIGN | OP_IN_PLACE | OP_NAMED_INPUT,
    .infer = infer_prediction, .same = always_same, .grad = makeloss_grad },
  { .name = "make_loss", .doc = "Returns data as a loss: the gradient is 1. By design it ignores the upstream gradient",
    .example = "F.make_loss(F.array{1, 2})", .inputs = "data", .flags = OP_BY_DESIGN | OP_IN_PLACE,
    .infer = infer_prediction, .same = always_same, .grad = make_loss_grad },
  { .name = "IdentityAttachKLSparseReg",
    .doc = "Returns data, (batch, units), the outputs of sigmoids; the gradient is that of a penalty for units that "
           "are active too often, added to the upstream gradient: the Kullback-Leibler divergence of "
           "sparseness_target from each unit's moving mean. In training a call moves the state: moving_avg = "
           "momentum moving_avg + (1 - momentum) mean (A. Ng, 2011)",
    .example = "F.IdentityAttachKLSparseReg(F.array{{0.2, 0.6}, {0.4, 0.9}}, F.array{0.5, 0.3}, {penalty = 0.1})",
    .inputs = "data moving_avg", .outputs = "output mean", .initializers = "moving_avg [\"zero\", {}]\n",
    .params = "sparseness_target float 0.1 The wanted mean activity of a unit, between 0 and 1.\n"
              "penalty float 0.001 Multiplies the penalty.\n"
              "momentum float 0.9 The factor of the old state in a training step.\n",
    .params_size = sizeof(SparsenessParams), .n_visible = one_visible, .effects = sparseness_effects,
    .writes = is_moving_avg, .state = is_moving_avg, .differentiable = 1, .flags = OP_BY_DESIGN | OP_TRAIN,
    .infer = infer_sparseness, .grad = sparseness_grad },
  { 0 }
};
/* clang-format on */
