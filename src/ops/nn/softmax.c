/* softmax.c - softmax, log_softmax, softmin, SoftmaxActivation and their gradients.
**
** The gradients are separate rows, one pass each. Differentiated again, they expand into simple operators. The kernels:
** kernels/nn/softmax_kernels.c.
*/
#include "ops/nn/softmax.h"

#include "ops/common/elementwise_rule.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

/* ---- softmax, log_softmax, softmin ------------------------------------------------------------------ */

static int softmax_inputs(const Query *q) { return ((const SoftmaxParams *)q->params)->use_length == 1 ? 2 : 1; }

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

static Entry scaled(Builder *b, Entry e, double factor) { return factor == 1 ? e : times(b, e, factor); }

static bool pays(const Lowering *l, int64_t given) {
  int axis;
  const Shape *s = &l->node->type[0].shape;
  return axis_normal("softmax", "axis", given, s->ndim, &axis) == OK && lowering_pays(l, s, axis);
}

#define EXPONENTIAL_OF(name, expr, grad) \
  ELEMENTWISE(name##_y, "a", 0, FLOAT_TYPES, #expr) ELEMENTWISE(name##_da, "", 0, FLOAT_TYPES, #grad)
EACH_EXPONENTIAL(EXPONENTIAL_OF)

static void lower_softmax(Lowering *l, bool log, bool negate) {
  Builder *b = l->b;
  const Node *n = l->node;
  const SoftmaxParams *p = (const SoftmaxParams *)n->params->fields;
  Entry x = n->in[0];
  if (n->n_in > 1 || entry_type(x)->dtype != n->type[0].dtype || !pays(l, p->axis)) return;
  if (negate) x = build_op(b, "negative", NULL, 1, x);
  Entry top = fold_axis(b, "max", x, p->axis);
  Entry d = scaled(b, build_op(b, "broadcast_sub", NULL, 2, x, top), softmax_factor(p)),
        e = build_op(b, "_exp_nonpositive", NULL, 1, d);
  Entry sum = fold_axis(b, "sum", e, p->axis);
  if (log) l->out[0] = build_op(b, "broadcast_sub", NULL, 2, d, build_op(b, "log", NULL, 1, sum));
  else l->out[0] = build_op(b, "broadcast_div", NULL, 2, e, sum);
}

static void softmax_lower(Lowering *l) { lower_softmax(l, false, false); }
static void log_softmax_lower(Lowering *l) { lower_softmax(l, true, false); }
static void softmin_lower(Lowering *l) { lower_softmax(l, false, true); }

static Status softmax_gradient(Gradient *d, const char *row, double sign) {
  const SoftmaxParams *p = gradient_params(d);
  DType from = gradient_input(d, 0)->dtype;
  Entry dx = build_op(d->b, row, &(SoftmaxGradParams){ p->axis, sign * softmax_factor(p) }, 2, d->out_grad[0],
                      (Entry){ d->node, 0 });
  if (from != d->node->type[0].dtype) dx = build_op(d->b, "Cast", &(DTypeParams){ from }, 1, dx);
  return only_gradient(d, dx);
}

static Status softmax_grad(Gradient *d) { return softmax_gradient(d, "_backward_softmax", 1); }
static Status log_softmax_grad(Gradient *d) { return softmax_gradient(d, "_backward_log_softmax", 1); }
static Status softmin_grad(Gradient *d) { return softmax_gradient(d, "_backward_softmax", -1); }

/* ---- Rows of gradients ------------------------------------------------------------------------- */

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

static Status infer_activation(Infer *f) {
  TRY(one_float_dtype(f, 1, 1));
  TRY(least_dims(f, 0, softmax_activation_axis(f->params) == 1 ? 3 : 1));
  return one_shape(f, 0, 0);
}

static Status activation_grad(Gradient *d) {
  const SoftmaxGradParams p = { softmax_activation_axis(gradient_params(d)), 1 };
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
    .infer = infer_softmax, .grad = title##_grad, .flops = softmax_flops, \
    .lower = title##_lower }

#define EXAMPLES(name)                                                                           \
  "F." name "(F.array{{1, 2, 3}, {0.5, -1, 2}})\n"                                               \
  "F." name "(F.array{{{1, 2}, {0, 3}}, {{0.5, -1}, {2, 1}}}, {axis = 1, temperature = 2})"

#define BACKWARD_PARAMS "axis int - The axis.\nfactor float - Multiplies the result.\n"

static Entry exp_nonpositive_portable(Builder *b, const Node *n) { return build_op(b, "exp", NULL, 1, n->in[0]); }

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
    .infer = infer_activation, .flops = softmax_flops, .grad = activation_grad },
  { .name = "_backward_softmax", .doc = "factor y (g - sum of g y)",
    .example = "F._backward_softmax(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{{0.25, 0.25, 0.5}, {0.5, 0.25, 0.25}}, "
               "{axis = -1, factor = 2})\n"
               "F._backward_softmax(F.array{{{1, 2}, {0.5, -1}}}, F.array{{{0.25, 0.5}, {0.75, 0.5}}}, "
               "{axis = 1, factor = 1})",
    .inputs = "g y", .params = BACKWARD_PARAMS,
    .params_size = sizeof(SoftmaxGradParams), .flags = OP_INTERNAL | OP_IN_PLACE, .infer = infer_same_floats,
    .expand = backward_softmax_expand, .lower = backward_lower },
  { .name = "_backward_log_softmax", .doc = "factor (g - e^y sum of g)",
    .example = "F._backward_log_softmax(F.array{{1, 2, 3}, {0.5, -1, 2}}, F.array{{-1, -2, -0.5}, {-3, -0.25, -1}}, "
               "{axis = -1, factor = 2})\n"
               "F._backward_log_softmax(F.array{{{1, 2}, {0.5, -1}}}, F.array{{{-1, -2}, {-0.5, -3}}}, "
               "{axis = 1, factor = 1})",
    .inputs = "g y", .params = BACKWARD_PARAMS,
    .params_size = sizeof(SoftmaxGradParams), .flags = OP_INTERNAL | OP_IN_PLACE, .infer = infer_same_floats,
    .expand = backward_log_softmax_expand, .lower = backward_lower },
  { .name = "_exp_nonpositive", .doc = "e^x for x <= 0: faster than exp, with the same bits", .inputs = "data",
    .flags = OP_INTERNAL | OP_IN_PLACE, .infer = infer_elementwise, .elementwise = &exp_nonpositive_y,
    .portable = exp_nonpositive_portable,
    .grad = elementwise_grad, .gradient = { &exp_nonpositive_da } },
  { 0 }
};
/* clang-format on */
