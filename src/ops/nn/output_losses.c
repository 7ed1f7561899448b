/* output_losses.c - losses: softmax_cross_entropy, and the output layers of MXNet's Module API.
**
** An output layer (SoftmaxOutput, the regression outputs, SVMOutput, MakeLoss, make_loss) returns predictions. Its
** gradient is that of a loss that is not computed; by design it ignores the upstream gradient.
*/
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/common/gradient_rules.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "ops/nn/softmax.h"
#include "tensor/cast_copy.h"

static Status copy_forward(Call *c) {
  copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
  return OK;
}

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

static size_t cross_entropy_scratch(const Query *q) {
  return (size_t)query_in(q, 0)->shape.dim[0] * dtype_size(query_in(q, 0)->dtype);
}

/* For each row, x[label] minus the log of the sum of e^x, as in log_softmax; the loss is minus their sum. */
#define ROW_ENTROPY(code, T, suffix)                                                           \
  static void row_entropies_##suffix(void *context, int64_t first, int64_t last) {             \
    const Call *c = context;                                                                   \
    const int64_t n = c->in[0]->type.shape.dim[1];                                             \
    for (int64_t row = first; row < last && !interrupted(); row++) {                           \
      const T *x = (const T *)c->in[0]->data + row * n;                                        \
      T top;                                                                                   \
      double sum;                                                                              \
      TREE_FOLD(top, T, T, n, -HUGE_VAL, TREE_MAX, x[i]);                                      \
      TREE_FOLD(sum, T, double, n, 0, TREE_ADD, exp_nonpositive(x[i] - top));                  \
      const T whole_sum = (T)sum;                                                              \
      HL_ASSERT(tensor_get_int(c->in[1], row) >= 0 && tensor_get_int(c->in[1], row) < n);      \
      ((T *)c->workspace)[row] = x[tensor_get_int(c->in[1], row)] - top - log(whole_sum);      \
    }                                                                                          \
  }                                                                                            \
  static double sum_entropy_##suffix(const Call *c) {                                          \
    const T *row = c->workspace;                                                               \
    double total;                                                                              \
    TREE_FOLD(total, T, double, c->in[0]->type.shape.dim[0], 0, TREE_ADD, row[i]);             \
    return total;                                                                              \
  }
EACH_FLOAT(ROW_ENTROPY)

static Status cross_entropy_forward(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  for (int64_t r = 0; r < data->dim[0]; r++) {
    double label = tensor_get(c->in[1], r);
    if (!(label >= 0 && label < (double)data->dim[1]))
      return fail("%s: label: expected classes from 0 to %lld, got %g", c->op->name, (long long)data->dim[1] - 1,
                  label);
  }
  parallel_for(data->dim[0], (1 << 13) / (data->dim[1] + 1) + 1, BY_DTYPE(c, row_entropies), c);
  tensor_set(c->out[0], 0, -(data->dim[0] == 0 ? 0 : BY_DTYPE(c, sum_entropy)(c)));
  return interrupt_status();
}

static Entry cross_entropy_expand(Builder *b, Node *n) {
  Entry chosen = build_op(b, "pick", NULL, 2, build_op(b, "log_softmax", NULL, 1, n->in[0]), n->in[1]);
  return build_op(b, "negative", NULL, 1, build_op(b, "sum", NULL, 1, chosen));
}

/* ---- SoftmaxOutput --------------------------------------------------------------------------------------- */

typedef struct SoftmaxOutputParams {
  double grad_scale, ignore_label;
  int64_t multi_output, use_ignore, preserve_shape, normalization, out_grad;
  double smooth_alpha;
} SoftmaxOutputParams;
enum { NORMALIZE_NULL, NORMALIZE_BATCH, NORMALIZE_VALID };

/* The axis of the classes; each (outer, inner) has one label. */
static Along classes_of(const SoftmaxOutputParams *p, const Shape *s) {
  if (p->multi_output && s->ndim > 1) return (Along){ s->dim[0], s->dim[1], shape_size_range(s, 2, s->ndim) };
  if (p->preserve_shape) return (Along){ shape_size_range(s, 0, s->ndim - 1), s->dim[s->ndim - 1], 1 };
  return s->ndim > 1 ? (Along){ s->dim[0], shape_size_range(s, 1, s->ndim), 1 } : (Along){ 1, s->dim[0], 1 };
}

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

static Status softmax_output_forward(Call *c) {
  Along k = classes_of(c->params, &c->in[0]->type.shape);
  return softmax_run(
    &(SoftmaxRun){ .dtype = c->in[0]->type.dtype, .x = c->in[0]->data, .y = c->out[0]->data, .along = k, .factor = 1 });
}

typedef struct OutputGradient {
  const SoftmaxOutputParams *p;
  const Tensor *y, *label, *g;       /* g: the upstream gradient if out_grad is set, else NULL */
  Tensor *dx;
  Along k;
  bool probabilities;
  double factor;
} OutputGradient;

/* The factor times y - 1 for the label's class and times y for the others; 0 if the label is ignored. smooth_alpha is
** the part of the 1 that is divided among the other classes. */
#define OUTPUT_GRADIENT(code, T, suffix)                                                       \
  static void output_gradient_##suffix(const OutputGradient *o, int64_t outer) {               \
    const SoftmaxOutputParams *p = o->p;                                                       \
    const int64_t n = o->k.n, inner = o->k.inner, from = outer * n * inner;                    \
    const T *y = (const T *)o->y->data + from, factor = (T)o->factor;                          \
    const T alpha = p->multi_output ? 0 : (T)p->smooth_alpha, others = n > 1 ? alpha / (T)(n - 1) : 0; \
    T *dx = (T *)o->dx->data + from;                                                           \
    for (int64_t i = 0; i < n * inner; i++) dx[i] = (y[i] - others) * factor;                  \
    for (int64_t i = 0; i < inner; i++) {                                                      \
      const int64_t label = tensor_get_int(o->label, outer * inner + i);                       \
      if (p->use_ignore && label == (int64_t)p->ignore_label)                                  \
        for (int64_t k = 0; k < n; k++) dx[k * inner + i] = 0;                                 \
      else if (label >= 0 && label < n) dx[label * inner + i] = (y[label * inner + i] - 1 + alpha) * factor; \
    }                                                                                          \
  }                                                                                            \
  static void probability_gradient_##suffix(const OutputGradient *o, int64_t outer) {          \
    const int64_t n = o->k.n * o->k.inner, from = outer * n;                                   \
    const T *y = (const T *)o->y->data + from, *label = (const T *)o->label->data + from, factor = (T)o->factor; \
    T *dx = (T *)o->dx->data + from;                                                           \
    for (int64_t i = 0; i < n; i++) dx[i] = (y[i] - label[i]) * factor;                        \
  }                                                                                            \
  static void times_above_##suffix(const OutputGradient *o, int64_t outer) {                   \
    const int64_t n = o->k.n * o->k.inner, from = outer * n;                                   \
    const T *g = (const T *)o->g->data + from;                                                 \
    T *dx = (T *)o->dx->data + from;                                                           \
    for (int64_t i = 0; i < n; i++) dx[i] *= g[i];                                             \
  }                                                                                            \
  static void output_piece_##suffix(void *context, int64_t first, int64_t last) {              \
    const OutputGradient *o = context;                                                         \
    for (int64_t r = first; r < last && !interrupted(); r++) {                                 \
      if (o->probabilities) probability_gradient_##suffix(o, r);                               \
      else output_gradient_##suffix(o, r);                                                     \
      if (o->g) times_above_##suffix(o, r);                                                    \
    }                                                                                          \
  }
EACH_FLOAT(OUTPUT_GRADIENT)

/* grad_scale divided by the number of labels that the normalization counts. */
static double output_factor(const SoftmaxOutputParams *p, const Tensor *label, const Along *k) {
  int64_t count = 1, n = tensor_size(label);
  if (p->normalization == NORMALIZE_BATCH) count = p->multi_output ? k->outer : n;
  if (p->normalization == NORMALIZE_VALID) {
    count = 0;
    for (int64_t i = 0; i < n; i++) count += tensor_get_int(label, i) != (int64_t)p->ignore_label;
  }
  double each = p->multi_output && p->normalization != NORMALIZE_VALID ? (double)k->inner : 1;
  return p->grad_scale / each / (double)(count > 0 ? count : 1);
}

static Status softmax_output_backward(Call *c) {
  const SoftmaxOutputParams *p = c->params;
  OutputGradient o = { .p = p,
                       .y = c->in[0],
                       .label = c->in[1],
                       .g = c->n_in > 2 ? c->in[2] : NULL,
                       .dx = c->out[0],
                       .k = classes_of(p, &c->in[0]->type.shape),
                       .factor = p->grad_scale };
  o.probabilities = shape_equal(&c->in[0]->type.shape, &c->in[1]->type.shape);
  if (tensor_size(c->out[0]) == 0) return OK;
  if (!o.probabilities) o.factor = output_factor(p, c->in[1], &o.k);
  return run_parallel(o.k.outer, (1 << 14) / (o.k.n * o.k.inner) + 1, BY_DTYPE(c, output_piece), &o);
}

static int output_backward_inputs(const Query *q) { return ((const SoftmaxOutputParams *)q->params)->out_grad ? 3 : 2; }

/* Converts labels that are probabilities to data's dtype. */
static Entry as_dtype(Builder *b, Entry e, DType dtype) {
  return b->status != OK || entry_type(e)->dtype == dtype ? e : build_op(b, "Cast", &(DTypeParams){ dtype }, 1, e);
}

static Status softmax_output_grad(Gradient *d) {
  const SoftmaxOutputParams *p = gradient_params(d);
  Entry y = { d->node, 0 }, label = d->node->in[1];
  if (shape_equal(&entry_type(label)->shape, &d->node->type[0].shape))
    label = as_dtype(d->b, label, d->node->type[0].dtype);
  return only_gradient(d, build_op(d->b, "_backward_SoftmaxOutput", p, p->out_grad ? 3 : 2, y, label, d->out_grad[0]));
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

static Status logistic_forward(Call *c) {
  return elementwise_run(op_find("sigmoid")->elementwise, c->in, 1, c->out[0], NULL);
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

/* ---- SVMOutput ---------------------------------------------------------------------------------------------- */

typedef struct SvmParams { double margin, regularization_coefficient; int64_t use_linear; } SvmParams;

static Status infer_svm(Infer *f) {
  TRY(infer_prediction(f));
  const Shape *data = &f->in[0].shape;
  if (data->ndim < 0) return OK;
  TRY(least_dims(f, 0, 1));
  Shape label = without_axis(data, data->ndim - 1);
  return input_shape(f, 1, &label);
}

/* The loss is the distance of x from the right side of the margin (linear) or its square. The label's class should
** score above the margin, the others below its negative. */
#define SVM_GRADIENT(code, T, suffix)                                                          \
  static void svm_gradient_##suffix(const Call *c, int64_t rows, int64_t n) {                  \
    const SvmParams *p = c->params;                                                            \
    const T margin = (T)p->margin, factor = (T)p->regularization_coefficient;                  \
    for (int64_t r = 0; r < rows && !interrupted(); r++) {                                     \
      const int64_t label = tensor_get_int(c->in[1], r);                                       \
      const T *x = (const T *)c->in[0]->data + r * n;                                          \
      T *dx = (T *)c->out[0]->data + r * n;                                                    \
      for (int64_t i = 0; i < n; i++) {                                                        \
        const T side = i == label ? -1 : 1, lack = margin + side * x[i];                       \
        dx[i] = lack > 0 ? side * factor * (p->use_linear ? 1 : 2 * lack) : 0;                 \
      }                                                                                        \
    }                                                                                          \
  }
EACH_FLOAT(SVM_GRADIENT)

static Status svm_backward(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  int64_t n = s->dim[s->ndim - 1], rows = shape_size_range(s, 0, s->ndim - 1);
  BY_DTYPE(c, svm_gradient)(c, rows, n);
  return interrupt_status();
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

#define SVM_PARAMS                                                                                            \
  "margin float 1 The required distance of scores from 0.\n"                                                  \
  "regularization_coefficient float 1 Multiplies the gradient.\n"                                            \
  "use_linear bool False Use the linear hinge loss, not its square.\n"

#define REGRESSION(title, forward_, same_, grad_, text)                                                       \
  { .name = title, .doc = text ". By design it ignores the upstream gradient", .inputs = "data label",        \
    .example = "F." title "(F.array{{1, 2}, {3, 4}}, F.array{{0, 1}, {2, 6}})\n"                              \
               "F." title "(F.array{{1}, {2}}, F.array{0, 1}, {grad_scale = 2})",                             \
    .params = SCALE, .params_size = sizeof(RegressionParams), .differentiable = 1,                            \
    .flags = OP_BY_DESIGN | OP_IN_PLACE,                                                                      \
    .infer = infer_regression, .forward = forward_, .same = same_, .grad = grad_ }

/* clang-format off */
Op loss_ops[] = {
  { .name = "softmax_cross_entropy", .doc = "The sum over rows of -log softmax(data)[label], with shape (1,)",
    .example = "F.softmax_cross_entropy(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array({2, 0}, {dtype = \"int32\"}))",
    .inputs = "data label", .differentiable = 1, .infer = infer_cross_entropy, .forward = cross_entropy_forward,
    .workspace = cross_entropy_scratch, .expand = cross_entropy_expand },
  { .name = "SoftmaxOutput", .aliases = "Softmax",
    .doc = "softmax of data, with the gradient of the cross entropy with label, softmax(data) - onehot(label). By "
           "design the gradient ignores the upstream gradient; it cannot be differentiated again. A label with data's "
           "shape holds probabilities",
    .example = "F.SoftmaxOutput(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{2, 0})\n"
               "F.SoftmaxOutput(F.array{{{1, 2}, {0, 3}}, {{0.5, -1}, {2, 1}}}, F.array{{0, 1}, {1, 0}}, "
               "{multi_output = true, normalization = \"valid\"})",
    .inputs = "data label", .params = SOFTMAX_OUTPUT_PARAMS, .params_size = sizeof(SoftmaxOutputParams),
    .differentiable = 1, .flags = OP_BY_DESIGN | OP_IN_PLACE,
    .infer = infer_softmax_output, .forward = softmax_output_forward, .grad = softmax_output_grad },
  { .name = "_backward_SoftmaxOutput", .doc = "The gradient of data", .inputs = "y label g",
    .params = SOFTMAX_OUTPUT_PARAMS, .params_size = sizeof(SoftmaxOutputParams), .n_inputs = output_backward_inputs,
    .flags = OP_INTERNAL, .infer = infer_prediction, .forward = softmax_output_backward, .grad = gradient_is_last },
  REGRESSION("LinearRegressionOutput", copy_forward, always_same, regression_grad,
             "Returns data; the gradient is that of half the squared error, data - label"),
  REGRESSION("LogisticRegressionOutput", logistic_forward, NULL, logistic_grad,
             "sigmoid(data); the gradient is that of the cross entropy, sigmoid(data) - label"),
  REGRESSION("MAERegressionOutput", copy_forward, always_same, mae_grad,
             "Returns data; the gradient is that of the absolute error, sign(data - label)"),
  { .name = "SVMOutput",
    .doc = "Returns data; the gradient is that of the hinge loss with label, squared unless use_linear. By design it "
           "ignores the upstream gradient; if squared, it cannot be differentiated again",
    .example = "F.SVMOutput(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{2, 0})\n"
               "F.SVMOutput(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{2, 0}, {use_linear = true})",
    .inputs = "data label", .params = SVM_PARAMS, .params_size = sizeof(SvmParams), .differentiable = 1,
    .flags = OP_BY_DESIGN | OP_IN_PLACE, .infer = infer_svm, .forward = copy_forward, .same = always_same,
    .grad = svm_grad },
  { .name = "_backward_SVMOutput", .doc = "The gradient of data", .inputs = "data label", .params = SVM_PARAMS,
    .params_size = sizeof(SvmParams), .flags = OP_INTERNAL, .infer = infer_prediction, .forward = svm_backward,
    .grad = svm_backward_grad },
  { .name = "MakeLoss",
    .doc = "Returns data as a loss: the gradient is grad_scale. By design it ignores the upstream gradient",
    .example = "F.MakeLoss(F.array{1, 2}, {grad_scale = 2})\n"
               "F.MakeLoss(F.array{1, 2}, {normalization = \"valid\", valid_thresh = 1})",
    .inputs = "data",
    .params = SCALE "valid_thresh float 0 Elements above it are valid.\n" NORMALIZATION("valid elements"),
    .params_size = sizeof(MakeLossParams), .flags = OP_BY_DESIGN | OP_IN_PLACE | OP_NAMED_INPUT,
    .infer = infer_prediction,
    .forward = copy_forward, .same = always_same, .grad = makeloss_grad },
  { .name = "make_loss", .doc = "Returns data as a loss: the gradient is 1. By design it ignores the upstream gradient",
    .example = "F.make_loss(F.array{1, 2})", .inputs = "data", .flags = OP_BY_DESIGN | OP_IN_PLACE,
    .infer = infer_prediction, .forward = copy_forward, .same = always_same, .grad = make_loss_grad },
  { 0 }
};
/* clang-format on */
