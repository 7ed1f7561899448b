/* softmax.c - softmax, log_softmax, softmin, SoftmaxActivation and their gradients.
**
** Along the last axis kernels read a row three times in the cache: for its maximum; for e^(x - maximum) and the sum of
** these; for the division. Along another axis they do the same with a block of columns (axis_blocks.h). Sums are tree
** sums (base/math/tree_sum.h) or sums over blocks of rows, so their order depends only on the shape.
**
** The gradients are separate rows, one pass each. Differentiated again, they expand into simple operators.
*/
#include "ops/common/shape_rules.h"
#include "ops/nn/softmax.h"

#include <string.h>

#include "base/math/scalar_functions.h"
#include "base/math/tree_sum.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/common/elementwise_rule.h"
#include "ops/common/gradient_rules.h"
#include "kernels/loops/kernel_calls.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

/* ---- Kernels ------------------------------------------------------------------------------------ */

static int64_t valid_length(const SoftmaxRun *r, int64_t outer, int64_t inner) {
  if (!r->length) return r->along.n;
  int64_t n = tensor_get_int(r->length, outer * r->along.inner + inner);
  return n < 0 ? 0 : n > r->along.n ? r->along.n : n;
}

/* Most rows are `plain`: full length, neither negated nor scaled. Their loops use constants. */
#define SOFTMAX_ROW(code, T, suffix)                                                          \
  HL_INLINE void softmax_one_row_##suffix(const SoftmaxRun *r, int64_t outer, const bool plain) { \
    const int64_t whole = r->along.n, n = plain ? whole : valid_length(r, outer, 0);          \
    const T sign = !plain && r->negate ? -1 : 1, factor = plain ? 1 : (T)r->factor;           \
    const T *x = (const T *)r->x + outer * whole;                                             \
    T *y = (T *)r->y + outer * whole, top;                                                    \
    double sum;                                                                               \
    TREE_FOLD(top, T, T, n, -HUGE_VAL, TREE_MAX, sign * x[i]);                                \
    if (r->log) {                                                                             \
      TREE_FOLD(sum, T, double, n, 0, TREE_ADD, exp_nonpositive((sign * x[i] - top) * factor)); \
      const T whole_sum = (T)sum, less = log(whole_sum);                                      \
      for (int64_t i = 0; i < n; i++) y[i] = (sign * x[i] - top) * factor - less;             \
    } else {                                                                                  \
      for (int64_t i = 0; i < n; i++) y[i] = exp_nonpositive((sign * x[i] - top) * factor);   \
      TREE_FOLD(sum, T, double, n, 0, TREE_ADD, y[i]);                                        \
      const T total = (T)sum;                                                                 \
      for (int64_t i = 0; i < n; i++) y[i] /= total;                                          \
    }                                                                                         \
    for (int64_t i = n; i < whole; i++) y[i] = 0;                                             \
  }                                                                                           \
  static void softmax_row_##suffix(const void *context, int64_t outer) {                      \
    const SoftmaxRun *r = context;                                                            \
    if (!r->length && !r->negate && r->factor == 1) softmax_one_row_##suffix(r, outer, true); \
    else softmax_one_row_##suffix(r, outer, false);                                           \
  }
EACH_FLOAT(SOFTMAX_ROW)

/* In `masked` calls each column has a length. */
#define SOFTMAX_COLUMNS(code, T, suffix)                                                      \
  HL_INLINE void softmax_block_##suffix(const SoftmaxRun *r, int64_t outer, int64_t column, int64_t count, \
                                        const bool masked) {                                  \
    const int64_t n = r->along.n, inner = r->along.inner, from = outer * n * inner + column;  \
    const T *x = (const T *)r->x + from, sign = r->negate ? -1 : 1, factor = (T)r->factor;    \
    T *y = (T *)r->y + from, top[ALONG_COLUMNS], block[ALONG_COLUMNS];                        \
    double total[ALONG_COLUMNS], group[ALONG_COLUMNS];                                        \
    int64_t length[ALONG_COLUMNS];                                                            \
    for (int64_t k = 0; k < count; k++) {                                                     \
      top[k] = -HUGE_VAL;                                                                     \
      total[k] = 0;                                                                           \
      length[k] = masked ? valid_length(r, outer, column + k) : n;                            \
    }                                                                                         \
    for (int64_t i = 0; i < n; i++)                                                           \
      for (int64_t k = 0; k < count; k++) {                                                   \
        const T v = !masked || i < length[k] ? sign * x[i * inner + k] : -HUGE_VAL;           \
        top[k] = TREE_MAX(top[k], v);                                                         \
      }                                                                                       \
    for (int64_t at = 0; at < n; at += TREE_ROWS) {                                           \
      const int64_t end = at + TREE_ROWS < n ? at + TREE_ROWS : n;                            \
      for (int64_t k = 0; k < count; k++) block[k] = 0;                                       \
      for (int64_t i = at; i < end; i++)                                                      \
        for (int64_t k = 0; k < count; k++) {                                                 \
          const T d = (sign * x[i * inner + k] - top[k]) * factor, e = exp_nonpositive(d);    \
          block[k] += !masked || i < length[k] ? e : 0;                                       \
          y[i * inner + k] = r->log ? d : e;                                                  \
        }                                                                                     \
      TREE_JOIN_PARTS(total, group, block, count, at, end, n, 0, TREE_ADD);                   \
    }                                                                                         \
    for (int64_t k = 0; k < count; k++) {                                                     \
      const T whole_sum = (T)total[k];                                                        \
      block[k] = r->log ? log(whole_sum) : whole_sum;                                         \
    }                                                                                         \
    for (int64_t i = 0; i < n; i++)                                                           \
      for (int64_t k = 0; k < count; k++) {                                                   \
        const T v = y[i * inner + k];                                                         \
        y[i * inner + k] = masked && i >= length[k] ? 0 : r->log ? v - block[k] : v / block[k]; \
      }                                                                                       \
  }                                                                                           \
  static void softmax_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const SoftmaxRun *r = context;                                                            \
    if (r->length) softmax_block_##suffix(r, outer, column, count, true);                     \
    else softmax_block_##suffix(r, outer, column, count, false);                              \
  }
EACH_FLOAT(SOFTMAX_COLUMNS)

Status softmax_run(const SoftmaxRun *r) {
  if (r->dtype == DT_FLOAT32) return along_run(&r->along, softmax_row_f32, softmax_columns_f32, r);
  return along_run(&r->along, softmax_row_f64, softmax_columns_f64, r);
}

/* dx = factor y (g - sum of g y); for log_softmax, factor (g - e^y sum of g). */
typedef struct SoftmaxGradRun {
  const void *g, *y;
  void *dx;
  Along along;
  bool log;
  double factor;
} SoftmaxGradRun;

#define BACKWARD(code, T, suffix)                                                             \
  static void backward_row_##suffix(const void *context, int64_t outer) {                     \
    const SoftmaxGradRun *r = context;                                                        \
    const int64_t n = r->along.n;                                                             \
    const T *g = (const T *)r->g + outer * n, *y = (const T *)r->y + outer * n, factor = (T)r->factor; \
    T *dx = (T *)r->dx + outer * n;                                                           \
    double sum;                                                                               \
    if (r->log) {                                                                             \
      TREE_FOLD(sum, T, double, n, 0, TREE_ADD, g[i]);                                        \
      for (int64_t i = 0; i < n; i++) dx[i] = (g[i] - exp_nonpositive(y[i]) * (T)sum) * factor; \
    } else {                                                                                  \
      TREE_FOLD(sum, T, double, n, 0, TREE_ADD, g[i] * y[i]);                                 \
      for (int64_t i = 0; i < n; i++) dx[i] = (g[i] - (T)sum) * y[i] * factor;                \
    }                                                                                         \
  }                                                                                           \
  static void backward_columns_##suffix(const void *context, int64_t outer, int64_t column, int64_t count) { \
    const SoftmaxGradRun *r = context;                                                        \
    const int64_t inner = r->along.inner, size = r->along.n * inner, from = outer * size + column; \
    const T *g = (const T *)r->g + from, *y = (const T *)r->y + from, factor = (T)r->factor;  \
    T *dx = (T *)r->dx + from, block[ALONG_COLUMNS];                                          \
    double total[ALONG_COLUMNS] = { 0 }, group[ALONG_COLUMNS];                                \
    for (int64_t at = 0; at < r->along.n; at += TREE_ROWS) {                                  \
      const int64_t end = at + TREE_ROWS < r->along.n ? at + TREE_ROWS : r->along.n;          \
      for (int64_t k = 0; k < count; k++) block[k] = 0;                                       \
      for (int64_t i = at * inner; i < end * inner; i += inner)                               \
        for (int64_t k = 0; k < count; k++) block[k] += r->log ? g[i + k] : g[i + k] * y[i + k]; \
      TREE_JOIN_PARTS(total, group, block, count, at, end, r->along.n, 0, TREE_ADD);          \
    }                                                                                         \
    for (int64_t k = 0; k < count; k++) block[k] = (T)total[k];                               \
    for (int64_t i = 0; i < size; i += inner)                                                 \
      for (int64_t k = 0; k < count; k++)                                                     \
        dx[i + k] = (r->log ? g[i + k] - exp_nonpositive(y[i + k]) * block[k] :               \
                     (g[i + k] - block[k]) * y[i + k]) * factor;                              \
  }
EACH_FLOAT(BACKWARD)

/* ---- softmax, log_softmax, softmin ------------------------------------------------------------------ */

typedef struct SoftmaxParams { int64_t axis; double temperature; int64_t dtype, use_length; } SoftmaxParams;

static int softmax_inputs(const Query *q) { return ((const SoftmaxParams *)q->params)->use_length == 1 ? 2 : 1; }

static double factor_of(const SoftmaxParams *p) { return p->temperature != p->temperature ? 1 : 1 / p->temperature; }

static Status infer_softmax(Infer *f) {
  const SoftmaxParams *p = f->params;
  Shape *data = &f->in[0].shape;
  DType to = (DType)p->dtype;
  if (p->temperature <= 0) return fail("temperature: expected more than 0, got %g", p->temperature);
  if (to == DT_UNKNOWN) TRY(one_float_dtype(f, 1, 1));
  else if (to != DT_FLOAT32 && to != DT_FLOAT64)
    return fail("dtype: expected float32 or float64, got %s", dtype_name(to));
  else f->out[0].dtype = to;
  TRY(one_shape(f, 0, 0));
  if (data->ndim < 0) return OK;
  int axis;
  TRY(axis_normal(f->op->name, "axis", p->axis, data->ndim, &axis));
  if (f->n_in < 2) return OK;
  Shape length = without_axis(data, axis);
  if (dtype_is_float(f->in[1].dtype))
    return fail("length: expected an integer dtype, got %s; convert with astype", dtype_name(f->in[1].dtype));
  return input_shape(f, 1, &length);
}

static Status softmax_call(Call *c, bool log, bool negate, bool use_length) {
  const SoftmaxParams *p = c->params;
  Tensor *y = c->out[0];
  SoftmaxRun r = { .dtype = y->type.dtype,
                   .x = c->in[0]->data,
                   .y = y->data,
                   .log = log,
                   .negate = negate,
                   .factor = factor_of(p),
                   .length = use_length && c->n_in > 1 ? c->in[1] : NULL };
  TRY(along_axis(c->op->name, &y->type.shape, p->axis, &r.along));
  if (c->in[0]->type.dtype != r.dtype) {
    convert_parallel(c->in[0]->type.dtype, r.x, r.dtype, r.y, tensor_size(y));
    r.x = r.y;
  }
  return softmax_run(&r);
}

static Entry scaled(Builder *b, Entry e, double factor) { return factor == 1 ? e : times(b, e, factor); }

static bool pays(const Lowering *l, int64_t given) {
  int axis;
  const Shape *s = &l->node->type[0].shape;
  return axis_normal("softmax", "axis", given, s->ndim, &axis) == OK && lowering_pays(l, s, axis);
}

DEFINE_FLOATS(exp_nonpositive_y, "a", 0, exp_nonpositive(a))
/* clang-format off */
DEFINE_FLOATS(exp_nonpositive_da, "", 0, g * y)
/* clang-format on */

static void lower_softmax(Lowering *l, bool log, bool negate) {
  Builder *b = l->b;
  const Node *n = l->node;
  const SoftmaxParams *p = (const SoftmaxParams *)n->params->fields;
  Entry x = n->in[0];
  if (n->n_in > 1 || entry_type(x)->dtype != n->type[0].dtype || !pays(l, p->axis)) return;
  if (negate) x = build_op(b, "negative", NULL, 1, x);
  Entry top = fold_axis(b, "max", x, p->axis);
  Entry d = scaled(b, build_op(b, "broadcast_sub", NULL, 2, x, top), factor_of(p)),
        e = build_op(b, "_exp_nonpositive", NULL, 1, d);
  Entry sum = fold_axis(b, "sum", e, p->axis);
  if (log) l->out[0] = build_op(b, "broadcast_sub", NULL, 2, d, build_op(b, "log", NULL, 1, sum));
  else l->out[0] = build_op(b, "broadcast_div", NULL, 2, e, sum);
}

static void softmax_lower(Lowering *l) { lower_softmax(l, false, false); }
static void log_softmax_lower(Lowering *l) { lower_softmax(l, true, false); }
static void softmin_lower(Lowering *l) { lower_softmax(l, false, true); }

static Status softmax_forward(Call *c) { return softmax_call(c, false, false, true); }
static Status log_softmax_forward(Call *c) { return softmax_call(c, true, false, false); }
static Status softmin_forward(Call *c) { return softmax_call(c, false, true, false); }

typedef struct SoftmaxGradParams { int64_t axis; double factor; } SoftmaxGradParams;

static Status softmax_gradient(Gradient *d, const char *row, double sign) {
  const SoftmaxParams *p = gradient_params(d);
  DType from = gradient_input(d, 0)->dtype;
  Entry dx = build_op(d->b, row, &(SoftmaxGradParams){ p->axis, sign * factor_of(p) }, 2, d->out_grad[0],
                      (Entry){ d->node, 0 });
  if (from != d->node->type[0].dtype) dx = build_op(d->b, "Cast", &(DTypeParams){ from }, 1, dx);
  return only_gradient(d, dx);
}

static Status softmax_grad(Gradient *d) { return softmax_gradient(d, "_backward_softmax", 1); }
static Status log_softmax_grad(Gradient *d) { return softmax_gradient(d, "_backward_log_softmax", 1); }
static Status softmin_grad(Gradient *d) { return softmax_gradient(d, "_backward_softmax", -1); }

/* ---- Rows of gradients ------------------------------------------------------------------------- */

static Status backward_call(Call *c, bool log) {
  const SoftmaxGradParams *p = c->params;
  SoftmaxGradRun r = {
    .g = c->in[0]->data, .y = c->in[1]->data, .dx = c->out[0]->data, .log = log, .factor = p->factor
  };
  TRY(along_axis(c->op->name, &c->out[0]->type.shape, p->axis, &r.along));
  return along_run(&r.along, BY_DTYPE(c, backward_row), BY_DTYPE(c, backward_columns), &r);
}

static Status backward_softmax_forward(Call *c) { return backward_call(c, false); }
static Status backward_log_softmax_forward(Call *c) { return backward_call(c, true); }

static Entry backward_softmax_expand(Builder *b, Node *n) {
  const SoftmaxGradParams *p = (const SoftmaxGradParams *)n->params->fields;
  Entry g = n->in[0], y = n->in[1], sum = fold_axis(b, "sum", build_op(b, "elemwise_mul", NULL, 2, g, y), p->axis);
  return scaled(b, build_op(b, "elemwise_mul", NULL, 2, build_op(b, "broadcast_sub", NULL, 2, g, sum), y), p->factor);
}

static Entry backward_log_softmax_expand(Builder *b, Node *n) {
  const SoftmaxGradParams *p = (const SoftmaxGradParams *)n->params->fields;
  Entry g = n->in[0], e = build_op(b, "_exp_nonpositive", NULL, 1, n->in[1]);
  Entry part = build_op(b, "broadcast_mul", NULL, 2, e, fold_axis(b, "sum", g, p->axis));
  return scaled(b, build_op(b, "elemwise_sub", NULL, 2, g, part), p->factor);
}

/* The operators to which the row expands can fuse. */
static void backward_lower(Lowering *l) {
  Node *n = l->node;
  if (pays(l, ((const SoftmaxGradParams *)n->params->fields)->axis)) l->out[0] = n->op->expand(l->b, n);
}

/* ---- SoftmaxActivation ---------------------------------------------------------------------------------- */

typedef struct SoftmaxActivationParams { int64_t mode; } SoftmaxActivationParams;
enum { MODE_INSTANCE, MODE_CHANNEL };

static int64_t activation_axis(const void *params) {
  return ((const SoftmaxActivationParams *)params)->mode == MODE_CHANNEL ? 1 : -1;
}

static Status infer_activation(Infer *f) {
  TRY(one_float_dtype(f, 1, 1));
  TRY(least_dims(f, 0, activation_axis(f->params) == 1 ? 3 : 1));
  return one_shape(f, 0, 0);
}

static Status activation_forward(Call *c) {
  SoftmaxRun r = { .dtype = c->out[0]->type.dtype, .x = c->in[0]->data, .y = c->out[0]->data, .factor = 1 };
  TRY(along_axis(c->op->name, &c->out[0]->type.shape, activation_axis(c->params), &r.along));
  return softmax_run(&r);
}

static Status activation_grad(Gradient *d) {
  const SoftmaxGradParams p = { activation_axis(gradient_params(d)), 1 };
  return only_gradient(d, build_op(d->b, "_backward_softmax", &p, 2, d->out_grad[0], (Entry){ d->node, 0 }));
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

/* For each element: the maximum, a difference, an exponential, the sum, a quotient. */
static double softmax_flops(const Query *q) { return 5 * (double)shape_size(&query_in(q, 0)->shape); }

#define SOFTMAX_PARAMS(length)                                                                   \
  "axis int -1 The axis along which the results sum to 1.\n"                                     \
  "temperature float? None The divisor of data; None: 1.\n"                                     \
  "dtype dtype? None The result's dtype, float32 or float64; None: data's.\n"                     \
  "use_length bool? False " length "\n"

#define ROW(title, operands, counted, more_flags, length, examples, text)                        \
  { .name = #title, .doc = text, .example = examples, .inputs = operands, .n_inputs = counted, .differentiable = 1, \
    .params = SOFTMAX_PARAMS(length), .params_size = sizeof(SoftmaxParams), .flags = OP_IN_PLACE | more_flags, \
    .infer = infer_softmax, .forward = title##_forward, .grad = title##_grad, .flops = softmax_flops, \
    .lower = title##_lower }

#define EXAMPLES(name)                                                                           \
  "F." name "(F.array{{1, 2, 3}, {0.5, -1, 2}})\n"                                               \
  "F." name "(F.array{{{1, 2}, {0, 3}}, {{0.5, -1}, {2, 1}}}, {axis = 1, temperature = 2})"

#define BACKWARD_PARAMS "axis int - The axis.\nfactor float - Multiplies the result.\n"

/* clang-format off */
Op softmax_ops[] = {
  ROW(softmax, "data length", softmax_inputs, 0,
      "Use only the first `length` elements of each row; the others become 0. length has data's shape without `axis`.",
      EXAMPLES("softmax") "\n"
      "F.softmax(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array({2, 1}, {dtype = \"int32\"}), {use_length = true})\n"
      "F.softmax(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array({2, 1, 0}, {dtype = \"int32\"}), "
      "{use_length = true, axis = 0})",
      "e^x / sum of e^x along an axis"),
  ROW(log_softmax, "data", NULL, OP_NAMED_INPUT, "Accepted for MXNet's sake.", EXAMPLES("log_softmax"),
      "The logarithm of softmax, computed accurately: x - log of the sum of e^x"),
  ROW(softmin, "data", NULL, 0, "Accepted for MXNet's sake.", EXAMPLES("softmin"), "softmax of -x"),
  { .name = "SoftmaxActivation", .doc = "softmax along the last axis (instance) or along axis 1 (channel)",
    .example = "F.SoftmaxActivation(F.array{{1, 2, 3}, {0.5, -1, 2}})\n"
               "F.SoftmaxActivation(F.array{{{1, 2}, {0, 3}}, {{0.5, -1}, {2, 1}}}, {mode = \"channel\"})",
    .inputs = "data", .params = "mode {instance,channel} instance The axis.\n",
    .params_size = sizeof(SoftmaxActivationParams), .flags = OP_IN_PLACE,
    .infer = infer_activation, .forward = activation_forward, .flops = softmax_flops, .grad = activation_grad },
  { .name = "_backward_softmax", .doc = "factor y (g - sum of g y)",
    .example = "F._backward_softmax(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{{0.25, 0.25, 0.5}, {0.5, 0.25, 0.25}}, "
               "{axis = -1, factor = 2})\n"
               "F._backward_softmax(F.array{{{1, 2}, {0.5, -1}}}, F.array{{{0.25, 0.5}, {0.75, 0.5}}}, "
               "{axis = 1, factor = 1})",
    .inputs = "g y", .params = BACKWARD_PARAMS,
    .params_size = sizeof(SoftmaxGradParams), .flags = OP_INTERNAL | OP_IN_PLACE, .infer = infer_same_floats,
    .forward = backward_softmax_forward, .expand = backward_softmax_expand, .lower = backward_lower },
  { .name = "_backward_log_softmax", .doc = "factor (g - e^y sum of g)",
    .example = "F._backward_log_softmax(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{{-1, -2, -0.5}, {-3, -0.25, -1}}, "
               "{axis = -1, factor = 2})\n"
               "F._backward_log_softmax(F.array{{{1, 2}, {0.5, -1}}}, F.array{{{-1, -2}, {-0.5, -3}}}, "
               "{axis = 1, factor = 1})",
    .inputs = "g y", .params = BACKWARD_PARAMS,
    .params_size = sizeof(SoftmaxGradParams), .flags = OP_INTERNAL | OP_IN_PLACE, .infer = infer_same_floats,
    .forward = backward_log_softmax_forward, .expand = backward_log_softmax_expand,
    .lower = backward_lower },
  { .name = "_exp_nonpositive", .doc = "e^x for x <= 0: faster than exp, with the same bits", .inputs = "data",
    .flags = OP_INTERNAL | OP_IN_PLACE, .infer = infer_elementwise, .elementwise = &exp_nonpositive_y,
    .grad = elementwise_grad, .gradient = { &exp_nonpositive_da } },
  { 0 }
};
/* clang-format on */
