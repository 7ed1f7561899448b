/* rnn.c - RNN: layers of recurrent cells over sequences, in one operator.
**
** kernels/sequence/rnn_loops.h and rnn_loops.c define the results and the order of sums. A hidden output, `reserve`,
** keeps the forward values for the gradient; calls without a gradient do not fill it. Its shape depends only on the
** parameters and data's shape. The gradient is one row, which cannot be differentiated again.
*/
#include "ops/sequence/rnn_layout.h"

#include "ops/common/gradient_rules.h"
#include "ops/common/hidden_outputs.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

static bool rnn_takes(const Query *q, int name) {
  const RnnParams *p = q->params;
  switch (name) {
    case CELL: return has_cell(p);
    case LENGTHS: return p->use_sequence_length;
    case G_STATE: return p->state_outputs;
    case G_CELL: return p->state_outputs && has_cell(p);
    default: return true;
  }
}

static int place_of(const RnnParams *p, int name) { return input_place(rnn_takes, p, name); }

static int rnn_inputs(const Query *q) { return place_of(q->params, OUT); }
static int backward_inputs(const Query *q) {
  return place_of(q->params, G_OUT) + 1 + rnn_takes(q, G_STATE) + rnn_takes(q, G_CELL);
}
static int backward_outputs(const Query *q) { return has_cell(q->params) ? 4 : 3; }

static int rnn_visible(const Query *q) {
  const RnnParams *p = q->params;
  return !p->state_outputs ? 1 : has_cell(p) ? 3 : 2;
}

static int rnn_outputs(const Query *q) { return rnn_visible(q) + 1; }

static unsigned rnn_effects(const Query *q) {
  const RnnParams *p = q->params;
  return (q->train && p->p > 0 && p->num_layers > 1 ? DRAWS : 0) | (p->use_sequence_length ? FAILS : 0);
}

static unsigned backward_effects(const Query *q) {
  const RnnParams *p = q->params;
  return p->use_sequence_length ? FAILS : 0;
}

/* ---- Inference ------------------------------------------------------------------------------------------------ */

static Status check_params(const RnnParams *p) {
  const bool low = p->clip_min == p->clip_min, high = p->clip_max == p->clip_max;
  if (p->state_size < 1 || p->state_size > INT32_MAX)
    return fail("state_size: expected 1 or more, got %lld", (long long)p->state_size);
  if (p->num_layers < 1 || p->num_layers > 1 << 16)
    return fail("num_layers: expected 1 or more, got %lld", (long long)p->num_layers);
  if (!(p->p >= 0 && p->p <= 1)) return fail("p: expected a probability, got %g", p->p);
  if (p->projection_size != NONE && (p->projection_size < 1 || p->projection_size > INT32_MAX))
    return fail("projection_size: expected 1 or more, got %lld", (long long)p->projection_size);
  if (p->projection_size != NONE && !has_cell(p))
    return fail("projection_size: expected nothing, because only lstm has it");
  if (low != high)
    return fail("%s: expected a number, like the other bound", low ? "lstm_state_clip_max" : "lstm_state_clip_min");
  if (low && !has_cell(p)) return fail("lstm_state_clip_min: expected nothing, because only lstm has it");
  if (low && !(p->clip_min <= p->clip_max))
    return fail("lstm_state_clip_max: expected at least lstm_state_clip_min, %g, got %g", p->clip_min, p->clip_max);
  return OK;
}

static Status infer_rnn(Infer *f) {
  const RnnParams *p = f->params;
  const Shape *data = &f->in[DATA].shape;
  const int64_t states = p->num_layers * rnn_directions(p), out = rnn_out(p), cell = place_of(p, CELL);
  const int n_out = f->n_out, reserve = n_out - 1;
  TRY(check_params(p));
  TRY(one_float_dtype(f, has_cell(p) ? 4 : 3, n_out));
  if (data->ndim >= 0 && data->ndim != 3)
    return fail("data: expected 3 dimensions (steps, batch, features), got shape %s", shape_text(data));
  if (data->ndim < 0) return OK;
  const int64_t batch = data->dim[1];
  const Shape state = { 3, { states, batch, out } }, cells = { 3, { states, batch, p->state_size } };
  TRY(input_shape(f, STATE, &state));
  if (cell >= 0) TRY(input_shape(f, (int)cell, &cells));
  if (p->use_sequence_length) TRY(input_shape(f, place_of(p, LENGTHS), &(Shape){ 1, { batch } }));
  for (int i = 0; i < 3; i++)
    if (data->dim[i] == 0) return fail("data: expected no dimension of size 0, got shape %s", shape_text(data));
  TRY(output_shape(f, 0, &(Shape){ 3, { data->dim[0], batch, rnn_directions(p) * out } }));
  if (p->state_outputs) TRY(output_shape(f, 1, &state));
  if (p->state_outputs && cell >= 0) TRY(output_shape(f, 2, &cells));
  if (data->dim[2] < 0) return OK;
  const int64_t weights = rnn_weights(p, data->dim[2]);
  if (weights < 0) return fail("state_size: expected fewer weights, got %lld", (long long)p->state_size);
  TRY(input_shape(f, WEIGHTS, &(Shape){ 1, { weights } }));
  if (!shape_known(data)) return OK;
  const RnnSizes s = rnn_sizes(p, data);
  return output_shape(f, reserve, &(Shape){ 1, { rnn_reserve(&s) } });
}

static Status infer_backward(Infer *f) {
  TRY(one_float_dtype(f, has_cell(f->params) ? 4 : 3, f->n_out));
  for (int i = 0; i < f->n_out; i++) TRY(one_shape(f, i, i));
  return OK;
}

/* Counts two operations per multiply-add. */
static double rnn_flops(const Query *q) {
  const RnnSizes s = rnn_sizes(q->params, &query_in(q, DATA)->shape);
  return 2 * (double)(s.steps * s.batch) * (double)shape_size(&query_in(q, WEIGHTS)->shape);
}

static double backward_flops(const Query *q) { return 2 * rnn_flops(q); }

/* ---- Gradient --------------------------------------------------------------------------------------------------- */

static Status rnn_grad(Gradient *d) {
  RnnParams p = *(const RnnParams *)gradient_params(d);
  const int visible = d->node->n_out - 1;
  Entry in[N_NAMES];
  int n = 0;
  if (!d->node->train) p.p = 0;                                  /* dropout was off */
  for (; n < d->node->n_in; n++) in[n] = d->node->in[n];
  in[n++] = (Entry){ d->node, 0 };
  in[n++] = (Entry){ d->node, visible };
  for (int i = 0; i < visible; i++) in[n++] = out_grad_or_zeros(d, i);
  const Entry all = build_op_list(d->b, "_backward_RNN", &p, n, in);
  for (int i = 0; i < (has_cell(&p) ? 4 : 3); i++)
    if (d->wanted[i]) d->in_grad[i] = entry_output(all, i);
  return d->b->status;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------- */

#define PARAMS                                                                                                    \
  "state_size int - The size of a state.\n"                                                                       \
  "num_layers int - Number of stacked layers.\n"                                                                  \
  "bidirectional bool False Also run from the last step to the first, and concatenate the outputs.\n"             \
  "mode {rnn_relu,rnn_tanh,lstm,gru} - The cell.\n"                                                               \
  "p float 0 The dropout probability between layers in training; kept values are divided by 1 - p.\n"             \
  "state_outputs bool False Return the last states too.\n"                                                        \
  "projection_size int? None lstm: project outputs to this size (H. Sak et al., 2014).\n"                         \
  "lstm_state_clip_min float? None lstm: the lower bound of cells.\n"                                             \
  "lstm_state_clip_max float? None lstm: the upper bound of cells.\n"                                             \
  "lstm_state_clip_nan bool False lstm: replace NaN in cells by the lower bound.\n"                               \
  "use_sequence_length bool False Is there a length for each sequence? Later steps are 0 in the output and do not " \
  "change states.\n"

/* clang-format off */
Op rnn_ops[] = {
  { .name = "RNN",
    .doc = "Layers of recurrent cells over data, (steps, batch, features), with initial states (layers x directions, "
           "batch, values). The results are (steps, batch, directions x values) and, with state_outputs, the last "
           "states. Let x be a step's input and h the previous state; Wx and Rh include biases. rnn_tanh: h' = tanh(Wx "
           "+ Rh); rnn_relu: h' = max(0, Wx + Rh); lstm: c' = f c + i g, h' = o tanh(c'), where i, f, o are sigmoids "
           "and g a tanh of such sums (S. Hochreiter, J. Schmidhuber, 1997); gru: h' = (1 - z) n + z h, where n = "
           "tanh(Wx + r Rh) and r, z are sigmoids (K. Cho et al., 2014). parameters contains W, R and lstm's "
           "projection for each layer and direction, then the biases of W and R in the same order, with gates in the "
           "order i f g o, or r z n. MXNet on CPU accepts but ignores sequence lengths and bounds of cells. The "
           "gradient cannot be differentiated again",
    .example = "F.RNN(F.array{{{1, 2}}, {{0.5, -1}}}, F.array{0.5, -0.25, 0.75, 0.1, -0.2}, F.array{{{0.3}}}, "
               "{state_size = 1, num_layers = 1, mode = \"rnn_tanh\", state_outputs = true})\n"
               "F.RNN(F.array{{{1}}, {{-0.5}}}, F.array{0.5, -0.25, 0.75, 1, -0.2, 0.4, 0.6, -0.5, 0.1, 0.2, 0.3, "
               "-0.1, 0, "
               "0.1, 0.2, 0.3}, F.array{{{0.3}}}, F.array{{{-0.2}}}, "
               "{state_size = 1, num_layers = 1, mode = \"lstm\"})\n"
               "F.RNN(F.array{{{1}, {2}}, {{-0.5}, {1}}}, "
               "F.array{0.5, -0.25, 0.75, 1, -0.2, 0.4, 0.1, 0.2, 0.3, -0.1, 0, "
               "0.1}, F.array{{{0.3}, {0.1}}}, F.array({1, 2}, {dtype = \"int32\"}), {state_size = 1, num_layers = 1, "
               "mode = \"gru\", use_sequence_length = true})\n"
               "F.RNN(F.array{{{1}}, {{-0.5}}}, F.array{0.5, -0.25, 0.75, 0.6, 0.1, -0.2, 0.3, 0.1}, "
               "F.array{{{0.3}}, {{0.1}}}, "
               "{state_size = 1, num_layers = 2, mode = \"rnn_relu\", p = 0.5})",
    .inputs = "data parameters state state_cell sequence_length",
    .outputs = "output state_output statecell_output reserve",
    .params = PARAMS, .params_size = sizeof(RnnParams), .n_inputs = rnn_inputs, .takes = rnn_takes,
    .n_outputs = rnn_outputs, .n_visible = rnn_visible, .unused = hidden_unused, .effects = rnn_effects,
    .differentiable = 1 << DATA | 1 << WEIGHTS | 1 << STATE | 1 << CELL, .flags = OP_TRAIN, .infer = infer_rnn,
    .flops = rnn_flops, .grad = rnn_grad },
  { .name = "_backward_RNN", .effects = backward_effects, .doc = "The gradients of data, parameters and states",
    .inputs = "data parameters state state_cell sequence_length output reserve g_output g_state g_cell",
    .outputs = "data parameters state state_cell", .params = PARAMS, .params_size = sizeof(RnnParams),
    .n_inputs = backward_inputs, .takes = rnn_takes, .n_outputs = backward_outputs, .flags = OP_INTERNAL,
    .infer = infer_backward, .flops = backward_flops,
    .grad = gradient_is_last },
  { 0 }
};
/* clang-format on */
