/* activation.c - activation functions: Activation, LeakyReLU.
**
** They use the expressions and gradient expressions of other elementwise rows: Activation those of unary.c, LeakyReLU
** those of internal rows below. The kernel of LeakyReLU: kernels/nn/activation_kernels.c.
*/
#include "ops/nn/activation.h"

#include "ops/common/elementwise_rule.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- Activation -------------------------------------------------------------------------------------- */

typedef struct ActivationParams { int64_t act_type; } ActivationParams;

static const Op *activation_row(const void *params) {
  static const char *const rows[] = { "relu", "sigmoid", "_softrelu", "softsign", "tanh" };
  return op_find(rows[((const ActivationParams *)params)->act_type]);
}

static const Op *choose_activation(const Query *q) { return activation_row(q->params); }

static Status activation_grad(Gradient *d) { return elementwise_grad_of(d, activation_row(gradient_params(d)), NULL); }

/* ---- LeakyReLU ----------------------------------------------------------------------------------------- */

#define LEAKY_OF(name, n, expr, grad) \
  ELEMENTWISE(name##_y, "a", n, FLOAT_TYPES, #expr) ELEMENTWISE(name##_dy, "", n, FLOAT_TYPES, #grad)
#define PRELU_OF(name, expr, da, db) \
  ELEMENTWISE(name##_y, "ab", 0, FLOAT_TYPES, #expr) ELEMENTWISE(name##_da, "", 0, FLOAT_TYPES, #da) \
  ELEMENTWISE(name##_db, "", 0, FLOAT_TYPES, #db)
EACH_LEAKY(LEAKY_OF)
EACH_PRELU(PRELU_OF)

static int leaky_kind(const void *params) { return (int)((const LeakyParams *)params)->act_type; }
static int leaky_inputs(const Query *q) { return leaky_kind(q->params) == PRELU ? 2 : 1; }
static unsigned leaky_effects(const Query *q) { return q->train && leaky_kind(q->params) == RRELU ? DRAWS : 0; }
static int leaky_outputs(const Query *q) { return leaky_kind(q->params) == RRELU ? 2 : 1; }

/* The internal row with the expression; NULL for rrelu. */
static const Op *leaky_row(const void *params) {
  static const char *const rows[] = { "_leaky", "_prelu", "_elu", "_selu", "_gelu", NULL };
  const char *name = rows[leaky_kind(params)];
  return name ? op_find(name) : NULL;
}

static const Op *choose_leaky(const Query *q) {
  int kind = leaky_kind(q->params);
  return kind == PRELU || kind == RRELU ? NULL : leaky_row(q->params);
}

/* All except rrelu and prelu are single expressions. */
static void leaky_lower(Lowering *l) {
  const void *p = l->node->params->fields;
  const Op *row = leaky_row(p);
  if (op_elementwise(l->node->op, p)) l->out[0] = build_op(l->b, row->name, row->params ? p : NULL, 1, l->node->in[0]);
}

Shape leaky_gamma_shape(const Shape *data, const Shape *gamma) {
  Shape s = { .ndim = data->ndim };
  if (shape_equal(data, gamma)) return *data;
  for (int i = 0; i < s.ndim; i++) s.dim[i] = 1;
  if (s.ndim > 0) s.dim[s.ndim > 1 ? 1 : 0] = shape_size(gamma);
  return s;
}

static Status infer_gamma(Infer *f) {
  const Shape *data = &f->in[0].shape;
  Shape *gamma = &f->in[1].shape;
  if (data->ndim < 0) return OK;
  TRY(least_dims(f, 0, 1));
  Shape one = { 1, { 1 } }, channels = { 1, { data->dim[data->ndim > 1 ? 1 : 0] } };
  if (shape_equal(gamma, &one) || (shape_known(data) && shape_equal(gamma, data))) return OK;
  return input_shape(f, 1, &channels);
}

static Status infer_leaky(Infer *f) {
  const LeakyParams *p = f->params;
  if (p->act_type == RRELU && !(p->lower_bound <= p->upper_bound))
    return fail("upper_bound: expected lower_bound (%g) or more, got %g", p->lower_bound, p->upper_bound);
  TRY(one_float_dtype(f, f->n_in, f->n_out));
  for (int i = 0; i < f->n_out; i++) TRY(one_shape(f, 0, i));
  return p->act_type == PRELU ? infer_gamma(f) : OK;
}

/* ---- LeakyReLU: gradient -------------------------------------------------------------------------------- */

static Status prelu_grad(Gradient *d) {
  const Entry x = d->node->in[0], gamma = d->node->in[1], g = d->out_grad[0];
  const Op *row = op_find("_prelu");
  Type spread = *entry_type(gamma);
  spread.shape = leaky_gamma_shape(&entry_type(x)->shape, &spread.shape);
  if (d->wanted[0])
    d->in_grad[0] = build_op(d->b, row->info->gradient[0]->name, NULL, 3, g, x, reshape_to(d->b, gamma, &spread.shape));
  if (d->wanted[1]) {
    Entry each = build_op(d->b, row->info->gradient[1]->name, NULL, 2, g, x);
    d->in_grad[1] = reshape_to(d->b, sum_to(d->b, each, &spread), &entry_type(gamma)->shape);
  }
  return d->b->status;
}

/* rrelu has no gradient through its mask. */
static Status leaky_grad(Gradient *d) {
  const void *params = gradient_params(d);
  int kind = leaky_kind(params);
  if (kind == PRELU) return prelu_grad(d);
  if (kind != RRELU) return elementwise_grad_of(d, leaky_row(params), params);
  if (d->out_grad[0].node)
    d->in_grad[0] = build_op(d->b, "elemwise_mul", NULL, 2, d->out_grad[0], (Entry){ d->node, 1 });
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

#define LEAKY_PARAMS                                                                                               \
  "act_type {leaky,prelu,elu,selu,gelu,rrelu} leaky The function.\n"                                               \
  "slope float 0.25 leaky: the slope below 0; elu: minus the limit at -infinity.\n"                                \
  "lower_bound float 0.125 rrelu: the lowest slope.\n"                                                             \
  "upper_bound float 0.334 rrelu: the highest slope.\n"

#define LEAKY_ROW(title, operands, parameters, size, text, ...)                                                    \
  { .name = "_" #title, .doc = text, .inputs = operands, .params = parameters, .params_size = size,                \
    .flags = OP_INTERNAL | OP_IN_PLACE, .infer = infer_elementwise, .elementwise = &title##_y,                     \
    .grad = elementwise_grad,                                                                                      \
    .gradient = { __VA_ARGS__ } }

/* clang-format off */
Op activation_ops[] = {
  { .name = "Activation",
    .doc = "An elementwise activation function: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + |x|)) or "
           "tanh",
    .example = "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"relu\"})\n"
               "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"sigmoid\"})\n"
               "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"softrelu\"})\n"
               "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"softsign\"})\n"
               "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"tanh\"})",
    .inputs = "data", .params = "act_type {relu,sigmoid,softrelu,softsign,tanh} - The function.\n",
    .params_size = sizeof(ActivationParams), .flags = OP_IN_PLACE,
    .infer = infer_elementwise, .choose_row = choose_activation, .grad = activation_grad },
  { .name = "LeakyReLU", .aliases = "leaky_relu",
    .doc = "x where x > 0. Elsewhere leaky: slope x; prelu: gamma x, where gamma has one element, one per channel "
           "(axis 1), or data's shape; elu: slope (e^x - 1) (D. Clevert et al., 2015); selu: 1.7581 (e^x - 1), and "
           "1.0507 x where x > 0 (G. Klambauer et al., 2017); rrelu: x times a slope, drawn between the bounds in "
           "training and their mean in prediction. gelu is x Phi(x) everywhere (D. Hendrycks, K. Gimpel, 2016). The "
           "gradient of selu is its derivative; that of MXNet 1.9.1 for x < 0, lambda (alpha + y), is not",
    .example = "F.LeakyReLU(F.array{-2, 0.5, 1.5}, {act_type = \"leaky\", slope = 0.1})\n"
               "F.LeakyReLU(F.array{-2, 0.5, 1.5}, {act_type = \"elu\", slope = 0.5})\n"
               "F.LeakyReLU(F.array{-2, 0.5, 1.5}, {act_type = \"selu\"})\n"
               "F.LeakyReLU(F.array{-2, 0.5, 1.5}, {act_type = \"gelu\"})\n"
               "F.LeakyReLU(F.array{{{-2, 0.5}, {1.5, -3}, {-1, -0.5}}}, F.array{0.2, 0.3, 0.1}, "
               "{act_type = \"prelu\"})\n"
               "F.LeakyReLU(F.array{{-2, 0.5}, {1.5, -3}}, F.array{0.2}, {act_type = \"prelu\"})\n"
               "F.LeakyReLU(F.array{{-2, 0.5}, {1.5, -3}}, F.array{{0.1, 0.2}, {0.3, 0.4}}, {act_type = \"prelu\"})\n"
               "F.LeakyReLU(F.array{-2, 0.5, 1.5}, {act_type = \"rrelu\"})[1]",
    .inputs = "data gamma", .outputs = "output mask", .params = LEAKY_PARAMS, .params_size = sizeof(LeakyParams),
    .n_inputs = leaky_inputs, .n_outputs = leaky_outputs, .initializers = "gamma [\"Constant\", {\"value\": 0.25}]",
    .effects = leaky_effects, .flags = OP_TRAIN | OP_IN_PLACE,
    .infer = infer_leaky, .choose_row = choose_leaky, .grad = leaky_grad,
    .lower = leaky_lower },
  LEAKY_ROW(leaky, "data", LEAKY_PARAMS, sizeof(LeakyParams), "LeakyReLU: leaky", &leaky_dy),
  LEAKY_ROW(elu, "data", LEAKY_PARAMS, sizeof(LeakyParams), "LeakyReLU: elu", &elu_dy),
  LEAKY_ROW(selu, "data", NULL, 0, "LeakyReLU: selu", &selu_dy),
  LEAKY_ROW(gelu, "data", NULL, 0, "LeakyReLU: gelu", &gelu_dy),
  LEAKY_ROW(prelu, "data gamma", NULL, 0, "LeakyReLU: prelu", &prelu_da, &prelu_db),
  { 0 }
};
/* clang-format on */
