/* output_losses_kernels.c - softmax_cross_entropy, and the output layers of MXNet's Module API with their gradients. */
#include <math.h>

#include "base/assert.h"
#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "base/threads/parallel_for.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/elementwise_loops.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/nn/softmax_loops.h"
#include "ops/nn/output_losses.h"
#include "tensor/cast_copy.h"

/* ---- softmax_cross_entropy --------------------------------------------------------------------- */

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

/* The column `own`. */
typedef struct EntropySum { double (*sum)(const Call *c); } EntropySum;

static Status cross_entropy_workspace(const Query *q, Workspace *w) {
  w->bytes = (size_t)query_in(q, 0)->shape.dim[0] * dtype_size(query_in(q, 0)->dtype);
  return OK;
}

static Status cross_entropy(Call *c) {
  const Shape *data = &c->in[0]->type.shape;
  for (int64_t r = 0; r < data->dim[0]; r++) {
    double label = tensor_get(c->in[1], r);
    if (!(label >= 0 && label < (double)data->dim[1]))
      return fail("%s: label: expected classes from 0 to %lld, got %g", c->op->name, (long long)data->dim[1] - 1,
                  label);
  }
  parallel_for(data->dim[0], (1 << 13) / (data->dim[1] + 1) + 1, c->kernel->body, c);
  tensor_set(c->out[0], 0, -(data->dim[0] == 0 ? 0 : ((const EntropySum *)c->kernel->own)->sum(c)));
  return interrupt_status();
}

/* ---- SoftmaxOutput ----------------------------------------------------------------------------- */

static Along classes_of(const SoftmaxOutputParams *p, const Shape *s) {
  const ClassAxis a = softmax_output_axis(p, s);
  return (Along){ a.outer, a.n, a.inner };
}

static Status softmax_output(Call *c) {
  const SoftmaxRun r = {
    .x = c->in[0]->data, .y = c->out[0]->data, .along = classes_of(c->params, &c->in[0]->type.shape), .factor = 1
  };
  return along_call(c, &r.along, &r);
}

typedef struct OutputGradient {
  const SoftmaxOutputParams *p;
  const Tensor *y, *label, *g; /* g: the upstream gradient if out_grad is set, else NULL */
  Tensor *dx;
  Along k;
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
  static void times_above_##suffix(const OutputGradient *o, int64_t outer) {                   \
    const int64_t n = o->k.n * o->k.inner, from = outer * n;                                   \
    const T *g = (const T *)o->g->data + from;                                                 \
    T *dx = (T *)o->dx->data + from;                                                           \
    for (int64_t i = 0; i < n; i++) dx[i] *= g[i];                                             \
  }                                                                                            \
  static void output_piece_##suffix(void *context, int64_t first, int64_t last) {              \
    const OutputGradient *o = context;                                                         \
    for (int64_t r = first; r < last && !interrupted(); r++) {                                 \
      output_gradient_##suffix(o, r);                                                          \
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

static Status backward_softmax_output(Call *c) {
  const SoftmaxOutputParams *p = c->params;
  OutputGradient o = { .p = p,
                       .y = c->in[0],
                       .label = c->in[1],
                       .g = c->n_in > 2 ? c->in[2] : NULL,
                       .dx = c->out[0],
                       .k = classes_of(p, &c->in[0]->type.shape) };
  if (tensor_size(c->out[0]) == 0) return OK;
  o.factor = output_factor(p, c->in[1], &o.k);
  return run_parallel(o.k.outer, (1 << 14) / (o.k.n * o.k.inner) + 1, c->kernel->body, &o);
}

/* Labels that are probabilities. */
#define LOOP(row, used, operands, expr) LOOPS_FLOAT(row##_y, expr)
#define LOOP_ROWS(row, used, operands, expr) FLOAT_ELEMENTS(#row, row##_y)
EACH_PROBABILITY_GRADIENT(LOOP)

/* ---- Regression outputs, SVMOutput, MakeLoss, make_loss ---------------------------------------- */

static Status copy(Call *c) {
  copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
  return OK;
}

static Status logistic(Call *c) { return elementwise_run(op_find("sigmoid"), c->in, 1, c->out[0], NULL); }

/* The loss is the distance of x from the right side of the margin (linear) or its square. The label's class should
** score above the margin, the others below its negative. */
#define SVM_GRADIENT(code, T, suffix)                                                          \
  static void svm_gradient_##suffix(void *context, int64_t first, int64_t last) {              \
    const Call *c = context;                                                                   \
    const SvmParams *p = c->params;                                                            \
    const Shape *s = &c->in[0]->type.shape;                                                    \
    const int64_t n = s->dim[s->ndim - 1];                                                     \
    const T margin = (T)p->margin, factor = (T)p->regularization_coefficient;                  \
    for (int64_t r = first; r < last && !interrupted(); r++) {                                 \
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

static Status backward_svm(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  c->kernel->body(c, 0, shape_size_range(s, 0, s->ndim - 1));
  return interrupt_status();
}

#define ENTROPY(code, suffix)                                                                  \
  { .op = "softmax_cross_entropy", .types = ONE_TYPE(code), .run = cross_entropy,              \
    .workspace = cross_entropy_workspace, .body = row_entropies_##suffix,                      \
    .own = &(const EntropySum){ sum_entropy_##suffix } }

/* ---- IdentityAttachKLSparseReg ----------------------------------------------------------------- */

/* A work item is a column, whose mean is a sum in double over the rows. */
#define SPARSENESS(code, T, suffix)                                                            \
  static void sparseness_##suffix(void *context, int64_t first, int64_t last) {                \
    const Call *c = context;                                                                   \
    const Shape *s = &c->in[0]->type.shape;                                                    \
    const T *x = c->in[0]->data, keep = (T)((const SparsenessParams *)c->params)->momentum;    \
    T *state = c->in[1]->data, *mean = c->out[1]->data;                                        \
    for (int64_t k = first; k < last; k++) {                                                   \
      double sum = 0;                                                                          \
      for (int64_t row = 0; row < s->dim[0]; row++) sum += (double)x[row * s->dim[1] + k];     \
      const T now = (T)(sum / (double)s->dim[0]);                                              \
      if (c->train && s->dim[0] > 0) state[k] = keep * state[k] + (1 - keep) * now;            \
      mean[k] = state[k];                                                                      \
    }                                                                                          \
  }
EACH_FLOAT(SPARSENESS)

static Status sparseness(Call *c) {
  const Shape *s = &c->in[0]->type.shape;
  copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
  parallel_for(s->dim[1], (1 << 13) / (s->dim[0] + 1) + 1, c->kernel->body, c);
  return OK;
}

/* clang-format off */
const Kernel output_losses_kernels[] = {
  ENTROPY(DT_FLOAT32, f32),
  ENTROPY(DT_FLOAT64, f64),
  ALONG_KERNELS("SoftmaxOutput", softmax_output, softmax),
  FLOAT_KERNELS("_backward_SoftmaxOutput", backward_softmax_output, output_piece),
  EACH_PROBABILITY_GRADIENT(LOOP_ROWS)
  { .op = "LinearRegressionOutput", .types = FLOAT_TYPES, .run = copy },
  { .op = "LogisticRegressionOutput", .types = FLOAT_TYPES, .run = logistic },
  { .op = "MAERegressionOutput", .types = FLOAT_TYPES, .run = copy },
  { .op = "SVMOutput", .types = FLOAT_TYPES, .run = copy },
  FLOAT_KERNELS("_backward_SVMOutput", backward_svm, svm_gradient),
  { .op = "MakeLoss", .types = FLOAT_TYPES, .run = copy },
  { .op = "make_loss", .types = FLOAT_TYPES, .run = copy },
  FLOAT_KERNELS("IdentityAttachKLSparseReg", sparseness, sparseness),
  { 0 }
};
/* clang-format on */
