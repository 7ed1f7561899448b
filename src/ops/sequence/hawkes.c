/* hawkes.c - hawkesll: the log likelihood of marked events under self-exciting Hawkes processes.
**
** Each mark k has a process of its own with the intensity lda + alpha beta state e^(-beta d), where d is the time since
** the mark's last event, and each event adds 1 to the decayed state. The likelihood of a sequence is the sum of log
** intensities at its events minus the integral of all intensities up to max_time.
**
** The gradient row runs over the events once more, with the derivatives of each state. It returns them for each
** sequence; those of alpha and beta are then summed. The kernels are in kernels/sequence/hawkes_kernels.c.
*/
#include "ops/common/gradient_rules.h"
#include "ops/common/shape_rules.h"
#include "ops/common/shared_params.h"
#include "ops/op_registry.h"

enum { LDA, ALPHA, BETA, STATE, LAGS, MARKS, VALID_LENGTH, MAX_TIME, N_INPUTS };

/* The inputs from `first` on are those of hawkesll. */
static Status infer_inputs(Infer *f, int first, int64_t *batch, int64_t *marks) {
  Infer own = {
    .op = f->op, .params = f->params, .in = f->in + first, .n_in = N_INPUTS, .out = f->out, .n_out = f->n_out
  };
  TRY(input_dtype(&own, MARKS, DT_INT32));
  DType dtype = DT_UNKNOWN;
  for (int i = 0; i < N_INPUTS; i++)
    if (i != MARKS && dtype == DT_UNKNOWN) dtype = own.in[i].dtype;
  for (int i = 0; i < N_INPUTS && dtype != DT_UNKNOWN; i++)
    if (i != MARKS) TRY(input_dtype(&own, i, dtype));
  TRY(float_inputs(&own, MARKS));
  TRY(input_shape(&own, LDA, &(Shape){ 2, { UNKNOWN, UNKNOWN } }));
  TRY(input_shape(&own, STATE, &own.in[LDA].shape));
  TRY(input_shape(&own, LDA, &own.in[STATE].shape));
  *batch = own.in[LDA].shape.dim[0];
  *marks = own.in[LDA].shape.dim[1];
  for (int i = ALPHA; i <= BETA; i++) TRY(input_shape(&own, i, &(Shape){ 1, { *marks } }));
  TRY(input_shape(&own, LAGS, &(Shape){ 2, { *batch, UNKNOWN } }));
  TRY(input_shape(&own, MARKS, &own.in[LAGS].shape));
  for (int i = VALID_LENGTH; i <= MAX_TIME; i++) TRY(input_shape(&own, i, &(Shape){ 1, { *batch } }));
  for (int i = 0; i < f->n_out; i++) TRY(output_dtype(f, i, dtype));
  return OK;
}

static Status infer_hawkes(Infer *f) {
  int64_t batch, marks;
  TRY(infer_inputs(f, 0, &batch, &marks));
  TRY(output_shape(f, 0, &(Shape){ 1, { batch } }));
  return output_shape(f, 1, &(Shape){ 2, { batch, marks } });
}

static Status infer_backward(Infer *f) {
  int64_t batch, marks;
  TRY(infer_inputs(f, 2, &batch, &marks));
  for (int i = 0; i < 2; i++) TRY(input_dtype(f, i, f->in[2].dtype));
  for (int i = 0; i < f->n_out; i++) TRY(output_shape(f, i, &(Shape){ 2, { batch, marks } }));
  return OK;
}

static Status hawkes_grad(Gradient *d) {
  const ReduceParams sequences = { .axis = { .count = 1, .u.i = { 0 } } };
  Entry in[2 + N_INPUTS] = { out_grad_or_zeros(d, 0), out_grad_or_zeros(d, 1) };
  for (int i = 0; i < N_INPUTS; i++) in[2 + i] = d->node->in[i];
  const Entry all = build_op_list(d->b, "_backward_hawkesll", NULL, 2 + N_INPUTS, in);
  for (int i = LDA; i <= STATE; i++) {
    if (!d->wanted[i]) continue;
    const Entry each = entry_output(all, i);
    d->in_grad[i] = i == ALPHA || i == BETA ? build_op(d->b, "sum", &sequences, 1, each) : each;
  }
  return d->b->status;
}

/* clang-format off */
Op hawkes_ops[] = {
  { .name = "_contrib_hawkesll", .aliases = "contrib.hawkesll",
    .doc = "The log likelihood, (N), of N sequences of marked events under a Hawkes process for each of K marks, and "
           "the states at max_time, (N, K). lda (N, K) has the background intensities, alpha and beta (K) the "
           "branching ratios and the rates of decay, state (N, K) the states at time 0, lags (N, T) the times "
           "between events, marks (N, T) their int32 marks, valid_length (N) the number of events, max_time (N) the "
           "end of the observation. The gradient cannot be differentiated again; MXNet's has zeros for state (P. "
           "Laub et al., 2015)",
    .example = "F.contrib.hawkesll(F.array{{1.5, 0.7}, {0.9, 1.2}}, F.array{0.2, 0.4}, F.array{1, 0.5}, "
               "F.array{{0.3, 0.1}, {0, 0.6}}, F.rint(F.array{{1, 2, 1}, {3, 1, 0}}), "
               "F.array({{0, 1, 0}, {1, 1, 0}}, {dtype = \"int32\"}), F.rint(F.array{3, 2}), F.rint(F.array{6, 5}))",
    .inputs = "lda alpha beta state lags marks valid_length max_time", .outputs = "loglike out_state",
    .differentiable = 1 << LDA | 1 << ALPHA | 1 << BETA | 1 << STATE, .effects = op_fails_always,
    .infer = infer_hawkes, .grad = hawkes_grad },
  { .name = "_backward_hawkesll", .doc = "The gradients of lda, alpha, beta and state for each sequence",
    .inputs = "g g_state lda alpha beta state lags marks valid_length max_time", .outputs = "lda alpha beta state",
    .flags = OP_INTERNAL, .effects = op_fails_always, .infer = infer_backward, .grad = gradient_is_last },
  { 0 }
};
/* clang-format on */
