/* rnn_loops.h - stacks of recurrent layers over sequences, forwards and backwards: the kernels of RNN.
**
** Data is (steps, batch, features). A layer has one direction or two, each with its own weights; the next layer gets
** the outputs of both, side by side. One vector holds all weights: for each layer and direction i2h (gates x hidden,
** features), h2h (gates x hidden, out) and, if outputs are projected, h2r (out, hidden); then both biases of each. This
** is MXNet's order, with MXNet's gates: lstm in, forget, cell, out; gru reset, update, new. If sequences have lengths,
** steps past the end give 0, change no state and have no gradient; the reverse direction starts at the last step.
*/
#ifndef HL_KERNELS_SEQUENCE_RNN_LOOPS_H
#define HL_KERNELS_SEQUENCE_RNN_LOOPS_H

#include "ops/sequence/rnn_layout.h"

/* Elements of the workspaces. */
int64_t rnn_forward_workspace(const RnnSizes *s);
int64_t rnn_backward_workspace(const RnnSizes *s);

/* Operands; NULL for absent ones. */
typedef struct RnnForward {
  RnnSizes s;
  const RnnParams *p;
  DType dtype;
  const void *data, *weights, *state, *cell;
  const Tensor *lengths;
  bool train;
  void *out, *state_out, *cell_out, *reserve, *workspace;
} RnnForward;

typedef struct RnnBackward {
  RnnSizes s;
  const RnnParams *p;
  DType dtype;
  const void *data, *weights, *state, *cell, *out, *reserve;
  const Tensor *lengths;
  const void *g_out, *g_state, *g_cell;
  void *dx, *dweights, *dstate, *dcell, *workspace;
} RnnBackward;

Status rnn_forward(const RnnForward *r);
Status rnn_backward(const RnnBackward *r);

#endif
