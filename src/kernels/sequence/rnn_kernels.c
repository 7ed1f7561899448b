/* rnn_kernels.c - kernels of RNN and its gradient: operands for rnn_loops.h. */
#include "kernels/kernel_registry.h"
#include "kernels/loops/kernel_calls.h"
#include "kernels/sequence/rnn_loops.h"

static Status workspace_of(const Query *q, int64_t (*elements)(const RnnSizes *), Workspace *w) {
  const RnnSizes s = rnn_sizes(q->params, &query_in(q, DATA)->shape);
  w->bytes = (size_t)elements(&s) * dtype_size(query_in(q, DATA)->dtype);
  return OK;
}

static Status forward_workspace(const Query *q, Workspace *w) { return workspace_of(q, rnn_forward_workspace, w); }
static Status backward_workspace(const Query *q, Workspace *w) { return workspace_of(q, rnn_backward_workspace, w); }

/* The elements of the input with this name, or NULL. */
static const void *data_of(const Call *c, int name) {
  const Tensor *t = named_input(c, name);
  return t ? t->data : NULL;
}

static Status check_lengths(const Tensor *lengths, const RnnSizes *s) {
  return check_numbers_within("RNN: sequence_length", lengths, 0, s->steps, ", the steps of data");
}

static Status forward(Call *c) {
  const RnnParams *p = c->params;
  const RnnForward r = { .s = rnn_sizes(p, &c->in[DATA]->type.shape),
                         .p = p,
                         .dtype = c->in[DATA]->type.dtype,
                         .data = c->in[DATA]->data,
                         .weights = c->in[WEIGHTS]->data,
                         .state = c->in[STATE]->data,
                         .cell = data_of(c, CELL),
                         .lengths = named_input(c, LENGTHS),
                         .train = c->train,
                         .out = c->out[0]->data,
                         .state_out = p->state_outputs ? c->out[1]->data : NULL,
                         .cell_out = p->state_outputs && has_cell(p) ? c->out[2]->data : NULL,
                         .reserve = c->out[c->n_out - 1]->data,
                         .workspace = c->workspace };
  TRY(check_lengths(r.lengths, &r.s));
  return rnn_forward(&r);
}

static Status backward(Call *c) {
  const RnnParams *p = c->params;
  const RnnBackward r = { .s = rnn_sizes(p, &c->in[DATA]->type.shape),
                          .p = p,
                          .dtype = c->in[DATA]->type.dtype,
                          .data = c->in[DATA]->data,
                          .weights = c->in[WEIGHTS]->data,
                          .state = c->in[STATE]->data,
                          .cell = data_of(c, CELL),
                          .lengths = named_input(c, LENGTHS),
                          .out = data_of(c, OUT),
                          .reserve = data_of(c, RESERVE),
                          .g_out = data_of(c, G_OUT),
                          .g_state = data_of(c, G_STATE),
                          .g_cell = data_of(c, G_CELL),
                          .dx = c->out[DATA]->data,
                          .dweights = c->out[WEIGHTS]->data,
                          .dstate = c->out[STATE]->data,
                          .dcell = has_cell(p) ? c->out[CELL]->data : NULL,
                          .workspace = c->workspace };
  TRY(check_lengths(r.lengths, &r.s));
  return rnn_backward(&r);
}

const Kernel rnn_kernels[] = {
  { .op = "RNN", .types = FLOAT_TYPES, .run = forward, .workspace = forward_workspace },
  { .op = "_backward_RNN", .types = FLOAT_TYPES, .run = backward, .workspace = backward_workspace },
  { 0 },
};
