/* dense_dropout.c - the layers without convolution: FullyConnected, Activation, LeakyReLU, Dropout.
**
** Activations run the expressions of other elementwise rows: Activation those of
** unary.c, LeakyReLU those of internal rows below, whose gradient expressions they also
** use. The random ones draw a block of the stream only when they need it, a counter for
** each element, of which four elements share one.
*/
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/random_stream.h"
#include "base/size_math.h"
#include "kernels/loops/elementwise_loops.h"
#include "ops/common/elementwise_rule.h"
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "kernels/matmul/matmul_kernel.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

/* ---- FullyConnected ------------------------------------------------------------------------------- */

typedef struct DenseParams { int64_t num_hidden, no_bias, flatten; const char *check; } DenseParams;

static int dense_inputs(const Query *q) { return ((const DenseParams *)q->params)->no_bias ? 2 : 3; }

/* Where the features begin: data[.., features]. */
static int first_feature(const Shape *data, bool flatten) { return flatten ? 1 : data->ndim - 1; }

/* How many features a row of data has; UNKNOWN if a dimension is. */
static Status count_features(const Shape *data, int from, int64_t *count) {
  *count = 1;
  for (int i = from; i < data->ndim; i++) {
    if (data->dim[i] < 0) { *count = UNKNOWN; return OK; }
    if (__builtin_mul_overflow(*count, data->dim[i], count))
      return fail("data: expected fewer features, got shape %s", shape_text(data));
  }
  return OK;
}

/* data, whose number of dimensions is known, and the output tell each other the rows. */
static Status infer_dense_rows(Infer *f, const DenseParams *p) {
  Shape *data = &f->in[0].shape, out = { .ndim = p->flatten ? 2 : data->ndim };
  for (int i = 0; i < out.ndim - 1; i++) out.dim[i] = data->dim[i];
  out.dim[out.ndim - 1] = p->num_hidden;
  TRY(output_shape(f, 0, &out));
  for (int i = 0; i < out.ndim - 1; i++) data->dim[i] = f->out[0].shape.dim[i];
  return OK;
}

static double dense_flops(const Query *q) {
  const DenseParams *p = q->params;
  double values = (double)shape_size(&query_out(q, 0)->shape);
  return values * (2 * (double)query_in(q, 1)->shape.dim[1] + !p->no_bias);
}

static Status infer_dense_types(Infer *f) {
  const DenseParams *p = f->params;
  Shape *data = &f->in[0].shape, weight = { 2, { p->num_hidden, UNKNOWN } }, bias = { 1, { p->num_hidden } };
  if (p->num_hidden < 1) return fail("num_hidden: expected 1 or more, got %lld", (long long)p->num_hidden);
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(least_dims(f, 0, 1));
  if (data->ndim < 0) return OK;
  if (f->n_in > 2) TRY(input_shape(f, 2, &bias));
  int from = first_feature(data, p->flatten);
  TRY(infer_dense_rows(f, p));
  TRY(count_features(data, from, &weight.dim[1]));
  TRY(input_shape(f, 1, &weight));
  if (from == data->ndim - 1) data->dim[from] = f->in[1].shape.dim[1];
  return OK;
}

/* A layer's error is about the data that it got, for its weight is there already. */
static Status about_data(const Infer *f, Status s) {
  const DenseParams *p = f->params;
  const Type *data = &f->in[0], *weight = &f->in[1];
  int64_t features = UNKNOWN, wanted = weight->shape.ndim == 2 ? weight->shape.dim[1] : UNKNOWN;
  fail_within(s, "%s", f->op->name);
  if (data->dtype != weight->dtype && data->dtype != DT_UNKNOWN && weight->dtype != DT_UNKNOWN)
    return fail_because(s, "%s: expected dtype %s, got %s; convert with astype", p->check, dtype_name(weight->dtype),
                        dtype_name(data->dtype));
  if (data->shape.ndim > 0 && count_features(&data->shape, first_feature(&data->shape, p->flatten), &features) == OK &&
      features >= 0 && wanted >= 0 && features != wanted)
    return fail_because(s, "%s: expected %lld features, got %lld", p->check, (long long)wanted, (long long)features);
  return fail_within(s, "%.*s", (int)strcspn(p->check, ":"), p->check);
}

static Status infer_dense(Infer *f) {
  Status s = infer_dense_types(f);
  return s == E_INPUT && ((const DenseParams *)f->params)->check ? about_data(f, s) : s;
}

typedef struct Biased { const void *bias; void *out; int64_t columns; bool wide; } Biased;

#define ADD_BIAS(code, T, suffix)                                                              \
  static void add_bias_##suffix(const Biased *x, int64_t first, int64_t last) {                \
    const T *bias = x->bias;                                                                   \
    for (int64_t r = first; r < last; r++) {                                                   \
      T *row = (T *)x->out + r * x->columns;                                                   \
      for (int64_t i = 0; i < x->columns; i++) row[i] += bias[i];                              \
    }                                                                                          \
  }
EACH_FLOAT(ADD_BIAS)

static void add_bias(void *context, int64_t first, int64_t last) {
  const Biased *x = context;
  if (x->wide) add_bias_f64(x, first, last);
  else add_bias_f32(x, first, last);
}

/* data (rows, features) times the transpose of weight (hidden, features), plus bias (hidden). */
static Status dense_forward(Call *c) {
  const Type *weight = &c->in[1]->type, *out = &c->out[0]->type;
  int64_t hidden = weight->shape.dim[0], rows = shape_size(&out->shape) / hidden;
  TRY(product(&(Product){ .dtype = out->dtype, .transpose_b = true, .m = rows, .n = hidden,
                               .k = weight->shape.dim[1], .alpha = 1, .a = c->in[0]->data, .b = c->in[1]->data,
                               .c = c->out[0]->data }));
  if (c->n_in < 3) return OK;
  Biased x = { c->in[2]->data, c->out[0]->data, hidden, out->dtype == DT_FLOAT64 };
  parallel_chunks(rows, (1 << 15) / hidden + 1, add_bias, &x);
  return interrupt_status();
}

/* The bias fuses with what follows; the product stays one call. */
static void dense_lower(Lowering *l) {
  const Entry *in = l->node->in;
  DenseParams p = *(const DenseParams *)l->node->params->fields;
  if (l->node->n_in < 3 || !(l->followed || l->forced)) return;
  p.no_bias = true;
  l->out[0] = build_op(l->b, "broadcast_add", NULL, 2, build_op(l->b, "FullyConnected", &p, 2, in[0], in[1]), in[2]);
}

/* With data and g as matrices: data' = g weight, weight' = (g transposed) data, bias' = the sum of g's rows. */
static Status dense_grad(Gradient *d) {
  const Entry *in = d->node->in;
  const Shape *data = &entry_type(in[0])->shape, *weight = &entry_type(in[1])->shape;
  int64_t rows = shape_size(&d->node->type[0].shape) / weight->dim[0];
  Shape g_matrix = shape_of(2, (int64_t[]){ rows, weight->dim[0] }),
      x_matrix = shape_of(2, (int64_t[]){ rows, weight->dim[1] });
  Entry g = reshape_to(d->b, d->out_grad[0], &g_matrix);
  if (d->wanted[0]) d->in_grad[0] = reshape_to(d->b, build_op(d->b, "dot", NULL, 2, g, in[1]), data);
  if (d->wanted[1])
    d->in_grad[1] = build_op(d->b, "dot", &(DotParams){ .transpose_a = true, .forward_stype = NONE }, 2, g,
                             reshape_to(d->b, in[0], &x_matrix));
  if (d->node->n_in > 2 && d->wanted[2]) d->in_grad[2] = sum_to(d->b, g, entry_type(in[2]));
  return d->b->status;
}

/* ---- Activation -------------------------------------------------------------------------------------- */

typedef struct ActivationParams { int64_t act_type; } ActivationParams;

static const Op *activation_row(const void *params) {
  static const char *const rows[] = { "relu", "sigmoid", "_softrelu", "softsign", "tanh" };
  return op_find(rows[((const ActivationParams *)params)->act_type]);
}

static const Elementwise *pick_activation(const Query *q) { return activation_row(q->params)->elementwise; }

static Status activation_grad(Gradient *d) {
  return elementwise_grad_of(d, activation_row(d->node->params->fields), NULL);
}

/* ---- LeakyReLU ----------------------------------------------------------------------------------------- */

typedef struct LeakyParams { int64_t act_type; double slope, lower_bound, upper_bound; } LeakyParams;
enum { LEAKY, PRELU, ELU, SELU, GELU, RRELU };     /* places of act_type */

/* The scalars are the beginning of LeakyParams: s is the act_type, t the slope. */
DEFINE_FLOATS(leaky_y, "a", 2, a > 0 ? a : t * a)
DEFINE_FLOATS(leaky_dy, "", 2, a > 0 ? g : t * g)
DEFINE_FLOATS(elu_y, "a", 2, a > 0 ? a : t * expm1(a))
DEFINE_FLOATS(elu_dy, "", 2, a > 0 ? g : g * (y + t))
DEFINE_FLOATS(selu_y, "a", 0, a > 0 ? K(1.0507009873554805) * a : K(1.7580993408473766) * expm1(a))
DEFINE_FLOATS(selu_dy, "", 0, a > 0 ? K(1.0507009873554805) * g : g * (y + K(1.7580993408473766)))
DEFINE_FLOATS(gelu_y, "a", 0, K(0.5) * maximum(a, K(-1e4)) * (1 + erf(a * K(0.70710678118654752))))
DEFINE_FLOATS(gelu_dy, "", 0,
              g * (K(0.5) * (1 + erf(a * K(0.70710678118654752))) +
                   minimum(maximum(a, K(-1e4)), K(1e4)) * K(0.39894228040143268) * exp(K(-0.5) * a * a)))
DEFINE_FLOATS(prelu_y, "ab", 0, a > 0 ? a : b * a)
DEFINE_FLOATS(prelu_da, "", 0, a > 0 ? g : b * g)
DEFINE_FLOATS(prelu_db, "", 0, a > 0 ? 0 : a * g)

static int leaky_kind(const void *params) { return (int)((const LeakyParams *)params)->act_type; }
static int leaky_inputs(const Query *q) { return leaky_kind(q->params) == PRELU ? 2 : 1; }
static unsigned leaky_effects(const Query *q) { return q->train && leaky_kind(q->params) == RRELU ? DRAWS : 0; }
static int leaky_outputs(const Query *q) { return leaky_kind(q->params) == RRELU ? 2 : 1; }

/* The internal row that computes it; NULL for rrelu. */
static const Op *leaky_row(const void *params) {
  static const char *const rows[] = { "_leaky", "_prelu", "_elu", "_selu", "_gelu", NULL };
  const char *name = rows[leaky_kind(params)];
  return name ? op_find(name) : NULL;
}

static const Elementwise *pick_leaky(const Query *q) {
  int kind = leaky_kind(q->params);
  return kind == PRELU || kind == RRELU ? NULL : leaky_row(q->params)->elementwise;
}

/* All but rrelu and prelu are the expressions that they pick. */
static void leaky_lower(Lowering *l) {
  const void *p = l->node->params->fields;
  const Op *row = leaky_row(p);
  if (op_elementwise(l->node->op, p)) l->out[0] = build_op(l->b, row->name, row->params ? p : NULL, 1, l->node->in[0]);
}

/* gamma (channels) or (1) as a shape that broadcasts along data's axis 1; data's own shape stays. */
static Shape gamma_shape(const Shape *data, const Shape *gamma) {
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

/* ---- Random masks: what rrelu and Dropout share --------------------------------------------------- */

enum { PIECE = 512 };        /* elements whose random numbers are made at once; a multiple of four */

typedef struct Masking Masking;
struct Masking {
  void (*piece)(const Masking *m, int64_t at, int64_t n, const uint32_t *bits);
  RandomBlock block;
  bool draws;                /* bits are needed */
  int64_t size;
  const void *x;             /* out = x mask; NULL: only the mask is made */
  void *out, *mask;          /* Dropout: the mask may be NULL */
  double low, range;         /* rrelu: slopes from low on */
  uint32_t threshold;        /* Dropout: numbers below it drop the element, */
  double scale;              /* the others scale it */
};

static void masking_pieces(void *context, int64_t first, int64_t last) {
  const Masking *m = context;
  uint32_t bits[PIECE] = { 0 };
  for (int64_t k = first; k < last && !interrupted(); k++) {
    int64_t at = k * PIECE, n = m->size - at < PIECE ? m->size - at : PIECE;
    if (m->draws) random_fours(m->block, (uint64_t)(at / 4), PIECE / 4, bits);
    m->piece(m, at, n, bits);
  }
}

static Status run_masking(Masking *m) {
  if (m->draws) m->block = random_take((uint64_t)m->size);
  parallel_for(parts(m->size, PIECE), 32, masking_pieces, m);
  return interrupt_status();
}

/* ---- LeakyReLU: kernels and gradient ------------------------------------------------------------------ */

#define LEAK(code, T, suffix)                                                                           \
  static void leak_##suffix(const Masking *m, int64_t at, int64_t n, const uint32_t *bits) {            \
    const T *x = (const T *)m->x + at, low = (T)m->low, range = (T)m->range;                            \
    T *out = (T *)m->out + at, *mask = (T *)m->mask + at;                                               \
    for (int64_t i = 0; i < n; i++) {                                                                   \
      const T slope = x[i] > 0 ? 1 : low + range * (T)(m->draws ? random_unit32(bits[i]) : 0.5f);       \
      out[i] = x[i] * slope;                                                                            \
      mask[i] = slope;                                                                                  \
    }                                                                                                   \
  }
EACH_FLOAT(LEAK)

static Status rrelu_forward(Call *c) {
  const LeakyParams *p = c->params;
  Masking m = { .piece = c->in[0]->type.dtype == DT_FLOAT64 ? leak_f64 : leak_f32, .draws = c->train,
                .size = tensor_size(c->in[0]), .x = c->in[0]->data, .out = c->out[0]->data, .mask = c->out[1]->data,
                .low = p->lower_bound, .range = p->upper_bound - p->lower_bound };
  return run_masking(&m);
}

static Status prelu_forward(Call *c) {
  Tensor gamma = *c->in[1];              /* the same memory in another shape */
  gamma.type.shape = gamma_shape(&c->in[0]->type.shape, &c->in[1]->type.shape);
  return elementwise_run(&prelu_y, (const Tensor *[]){ c->in[0], &gamma }, 2, c->out[0], NULL);
}

static Status leaky_forward(Call *c) {
  int kind = leaky_kind(c->params);
  return kind == RRELU ? rrelu_forward(c) : kind == PRELU ? prelu_forward(c) : elementwise_forward(c);
}

static Status prelu_grad(Gradient *d) {
  const Entry x = d->node->in[0], gamma = d->node->in[1], g = d->out_grad[0];
  const Op *row = op_find("_prelu");
  Type spread = *entry_type(gamma);
  spread.shape = gamma_shape(&entry_type(x)->shape, &spread.shape);
  if (d->wanted[0])
    d->in_grad[0] = build_op(d->b, row->info->gradient[0]->name, NULL, 3, g, x, reshape_to(d->b, gamma, &spread.shape));
  if (d->wanted[1]) {
    Entry each = build_op(d->b, row->info->gradient[1]->name, NULL, 2, g, x);
    d->in_grad[1] = reshape_to(d->b, sum_to(d->b, each, &spread), &entry_type(gamma)->shape);
  }
  return d->b->status;
}

/* rrelu passes no gradient through its mask. */
static Status leaky_grad(Gradient *d) {
  const void *params = d->node->params->fields;
  int kind = leaky_kind(params);
  if (kind == PRELU) return prelu_grad(d);
  if (kind != RRELU) return elementwise_grad_of(d, leaky_row(params), params);
  if (d->out_grad[0].node)
    d->in_grad[0] = build_op(d->b, "elemwise_mul", NULL, 2, d->out_grad[0], (Entry){ d->node, 1 });
  return d->b->status;
}

/* ---- Dropout ------------------------------------------------------------------------------------------- */

typedef struct DropoutParams { double p; int64_t mode; List axes; int64_t cudnn_off; } DropoutParams;
enum { DROP_TRAINING, DROP_ALWAYS };

static int one_visible(const Query *q) { (void)q; return 1; }

static bool drops(const DropoutParams *p, bool train) { return p->p > 0 && (train || p->mode == DROP_ALWAYS); }
static bool dropout_same(const Query *q) { return !drops(q->params, q->train); }
static unsigned dropout_effects(const Query *q) { return drops(q->params, q->train) ? DRAWS : 0; }

static Status infer_dropout(Infer *f) {
  const DropoutParams *p = f->params;
  if (!(p->p >= 0 && p->p <= 1)) return fail("p: expected a probability, got %g", p->p);
  TRY(one_float_dtype(f, 1, 2));
  TRY(one_shape(f, 0, 0));
  Shape mask = f->in[0].shape;
  for (int64_t i = 0; mask.ndim >= 0 && i < p->axes.count; i++) {
    int axis;
    TRY(axis_normal(f->op->name, "axes", list_ints(&p->axes)[i], mask.ndim, &axis));
    mask.dim[axis] = 1;
  }
  return output_shape(f, 1, &mask);
}

#define DROP(code, T, suffix)                                                                           \
  static void drop_##suffix(const Masking *m, int64_t at, int64_t n, const uint32_t *bits) {            \
    const T *x = (const T *)m->x + at, scale = (T)m->scale;                                             \
    const uint32_t threshold = m->threshold;                                                            \
    T *out = (T *)m->out + at, *mask = m->mask ? (T *)m->mask + at : NULL;                              \
    for (int64_t i = 0; mask && i < n; i++) mask[i] = bits[i] >= threshold ? scale : 0;                 \
    for (int64_t i = 0; m->x && i < n; i++) out[i] = x[i] * (bits[i] >= threshold ? scale : 0);         \
  }
EACH_FLOAT(DROP)

/* Has the mask an element for each of data's? */
static bool is_whole(const Type *mask, const Type *data) { return shape_equal(&mask->shape, &data->shape); }

/* Where nothing is dropped there is no mask; where elements share their fate, the output is made of it. */
static bool dropout_unused(const Query *q, int output) {
  if (output == 0) return false;
  return !drops(q->params, q->train) || (q->no_gradient && is_whole(query_out(q, 1), query_out(q, 0)));
}

static Status dropout_forward(Call *c) {
  const DropoutParams *p = c->params;
  const bool whole = is_whole(&c->out[1]->type, &c->out[0]->type);
  if (!drops(p, c->train)) {
    copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
    return interrupt_status();
  }
  Masking m = { .piece = c->in[0]->type.dtype == DT_FLOAT64 ? drop_f64 : drop_f32, .draws = true,
                .size = tensor_size(c->out[1]), .x = whole ? c->in[0]->data : NULL, .out = c->out[0]->data,
                .mask = c->out[1]->data, .threshold = p->p < 1 ? (uint32_t)(p->p * 0x1p32) : 0,
                .scale = p->p < 1 ? 1 / (1 - p->p) : 0 };
  TRY(run_masking(&m));
  if (whole) return OK;
  return elementwise_run(op_find("broadcast_mul")->elementwise, (const Tensor *[]){ c->in[0], c->out[1] }, 2,
                         c->out[0], NULL);
}

static Status dropout_grad(Gradient *d) {
  if (!d->out_grad[0].node) return OK;
  if (!drops((const DropoutParams *)d->node->params->fields, d->node->train)) d->in_grad[0] = d->out_grad[0];
  else d->in_grad[0] = build_op(d->b, "broadcast_mul", NULL, 2, d->out_grad[0], (Entry){ d->node, 1 });
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------- */

#define LEAKY_PARAMS                                                                                               \
  "act_type {leaky,prelu,elu,selu,gelu,rrelu} leaky Which function.\n"                                             \
  "slope float 0.25 leaky: the slope below 0; elu: what it tends to, negated.\n"                                   \
  "lower_bound float 0.125 rrelu: the least slope.\n"                                                              \
  "upper_bound float 0.334 rrelu: the greatest slope.\n"

#define LEAKY_ROW(title, operands, parameters, size, text, ...)                                                    \
  { .name = "_" #title, .doc = text, .inputs = operands, .params = parameters, .params_size = size,                \
    .flags = OP_INTERNAL | OP_IN_PLACE, .infer = infer_elementwise, .elementwise = &title##_y, \
    .grad = elementwise_grad, \
    .gradient = { __VA_ARGS__ } }

Op nn_ops[] = {
  { .name = "FullyConnected",
    .doc = "data weight' + bias: a layer of num_hidden neurons. weight is (num_hidden, features), "
           "its shape and bias's are inferred",
    .example = "F.FullyConnected(F.array{{1, 2, 3}, {4, 5, 6}}, F.array{{1, 0, -1}, {0.5, 2, 1}}, F.array{0.1, 0.2}, "
               "{num_hidden = 2})\n"
               "F.FullyConnected(F.array{{{1, 2}, {3, 4}}}, F.array{{1, 0, -1, 2}}, F.array{0.1}, {num_hidden = 1})\n"
               "F.FullyConnected(F.array{{{1, 2}, {3, 4}}}, F.array{{1, -1}, {2, 3}, {1, 1}}, "
               "{num_hidden = 3, no_bias = true, flatten = false})",
    .inputs = "data weight bias",
    .params = "num_hidden int - The number of neurons.\n"
              "no_bias bool False Leave bias out.\n"
              "flatten bool True Take all dimensions but the first as features; else only the last is.\n"
              "_check string? None Begins errors about data.\n",
    .params_size = sizeof(DenseParams), .n_inputs = dense_inputs,
    .infer = infer_dense, .forward = dense_forward, .flops = dense_flops, .grad = dense_grad, .lower = dense_lower },
  { .name = "Activation",
    .doc = "An activation function, element by element: relu, sigmoid, softrelu (log(1 + e^x)), softsign (x / (1 + "
           "|x|)) or tanh",
    .example = "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"relu\"})\n"
               "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"sigmoid\"})\n"
               "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"softrelu\"})\n"
               "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"softsign\"})\n"
               "F.Activation(F.array{-2, 0.5, 1.5}, {act_type = \"tanh\"})",
    .inputs = "data", .params = "act_type {relu,sigmoid,softrelu,softsign,tanh} - Which function.\n",
    .params_size = sizeof(ActivationParams), .flags = OP_IN_PLACE,
    .infer = infer_elementwise, .choose_expression = pick_activation, .grad = activation_grad },
  { .name = "LeakyReLU", .aliases = "leaky_relu",
    .doc = "x where x > 0; else leaky: slope x, prelu: gamma x (gamma of one element, of one for each channel, axis 1, "
           "or of data's shape), elu: slope (e^x - 1) (D. Clevert et al., 2015), "
           "selu: 1.7581 (e^x - 1), the other side times 1.0507 (G. Klambauer et al., 2017), "
           "rrelu: x times a slope drawn between the bounds in training, their mean outside. "
           "gelu is x Phi(x) (D. Hendrycks, K. Gimpel, 2016). "
           "The gradient of selu is its derivative; MXNet 1.9.1 has lambda (alpha + y) for x < 0 there, which is not",
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
    .infer = infer_leaky, .choose_expression = pick_leaky, .forward = leaky_forward, .grad = leaky_grad, .lower = leaky_lower },
  LEAKY_ROW(leaky, "data", LEAKY_PARAMS, sizeof(LeakyParams), "LeakyReLU: leaky", &leaky_dy),
  LEAKY_ROW(elu, "data", LEAKY_PARAMS, sizeof(LeakyParams), "LeakyReLU: elu", &elu_dy),
  LEAKY_ROW(selu, "data", NULL, 0, "LeakyReLU: selu", &selu_dy),
  LEAKY_ROW(gelu, "data", NULL, 0, "LeakyReLU: gelu", &gelu_dy),
  LEAKY_ROW(prelu, "data gamma", NULL, 0, "LeakyReLU: prelu", &prelu_da, &prelu_db),
  { .name = "Dropout",
    .doc = "In training each element is dropped (made 0) with probability p and the others are divided by 1 - p; "
           "elements along `axes` share their fate (G. Hinton et al., 2012). Outside training, the input. "
           "Random numbers are drawn only where something may be dropped",
    .example = "F.Dropout(F.array{{1, 2}, {3, 4}}, {p = 0.3})\n"
               "F.Dropout(F.array{{1, 2}, {3, 4}}, {p = 0.3, mode = \"always\", axes = {0}})",
    .inputs = "data", .outputs = "output mask",
    .params = "p float 0.5 The probability of dropping an element.\n"
              "mode {training,always} training When to drop.\n"
              "axes shape () Axes along which one decision serves all elements.\n"
              "cudnn_off bool? False Accepted for MXNet's sake.\n",
    .params_size = sizeof(DropoutParams), .n_visible = one_visible, .unused = dropout_unused,
    .effects = dropout_effects, .flags = OP_TRAIN | OP_IN_PLACE | OP_NAMED_INPUT, .infer = infer_dropout,
    .forward = dropout_forward,
    .same = dropout_same, .grad = dropout_grad },
  { 0 }
};
