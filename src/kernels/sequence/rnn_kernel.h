/* rnn_kernel.h - stacks of recurrent layers over sequences, forwards and backwards: the kernels of RNN.
**
** Data is (steps, batch, features). A layer has one direction or two, each with its own weights; the next layer gets
** the outputs of both, side by side. One vector holds all weights: for each layer and direction i2h (gates x hidden,
** features), h2h (gates x hidden, out) and, if outputs are projected, h2r (out, hidden); then both biases of each. This
** is MXNet's order, with MXNet's gates: lstm in, forget, cell, out; gru reset, update, new. If sequences have lengths,
** steps past the end give 0, change no state and have no gradient; the reverse direction starts at the last step.
*/
#ifndef HL_KERNELS_SEQUENCE_RNN_KERNEL_H
#define HL_KERNELS_SEQUENCE_RNN_KERNEL_H

#include "ir/op.h"

enum { RNN_RELU, RNN_TANH, RNN_LSTM, RNN_GRU };

typedef struct RnnParams {
  int64_t state_size, num_layers, bidirectional, mode;
  double p;
  int64_t state_outputs, projection_size;              /* NONE: outputs are not projected */
  double clip_min, clip_max;                           /* NaN: none */
  int64_t clip_nan, use_sequence_length;
} RnnParams;

/* The sizes of a call. */
typedef struct RnnSizes {
  int64_t steps, batch, features;
  int64_t hidden, out, gates, layers, directions;      /* out: outputs per direction */
  int mode;
  bool projected, clips, drops; /* drops: in training; backward's p is 0 if nothing was dropped */
} RnnSizes;

/* The number of gates; of directions; of outputs per direction. */
int64_t rnn_gates(const RnnParams *p);
int64_t rnn_directions(const RnnParams *p);
int64_t rnn_out(const RnnParams *p);

RnnSizes rnn_sizes(const RnnParams *p, const Shape *data);

/* Elements of the vector of weights for this number of features; -1 if there are too many. */
int64_t rnn_weights(const RnnParams *p, int64_t features);

/* Elements of the reserve, which forward fills for backward, and of each one's workspace. */
int64_t rnn_reserve(const RnnSizes *s);
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
