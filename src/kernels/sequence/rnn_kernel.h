/* rnn_kernel.h - stacks of recurrent layers over sequences, forwards and backwards: the kernels of RNN.
**
** Data is (steps, batch, features). A layer has one direction or two, each with its own weights; the next layer gets
** the outputs of both, side by side. All weights are one vector: for each layer and direction i2h (gates x hidden,
** features), h2h (gates x hidden, out) and, where outputs are projected, h2r (out, hidden); and then for each both
** biases. MXNet has the same order, and the same gates: lstm in, forget, cell, out; gru reset, update, new. If
** sequences have lengths, steps after their end are 0 in the outputs, change no state and have no gradient; the reverse
** direction begins at their last step.
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

/* The sizes that a call is made of. */
typedef struct RnnSizes {
  int64_t steps, batch, features;
  int64_t hidden, out, gates, layers, directions;      /* out: of one direction */
  int mode;
  bool projected, clips, drops;                        /* drops: in training; p of backward is 0 where none was */
} RnnSizes;

/* The number of gates; of directions; of values that one direction outputs. */
int64_t rnn_gates(const RnnParams *p);
int64_t rnn_directions(const RnnParams *p);
int64_t rnn_out(const RnnParams *p);

RnnSizes rnn_sizes(const RnnParams *p, const Shape *data);

/* Elements of the vector of weights, for data of this many features; -1 if they are too many. */
int64_t rnn_weights(const RnnParams *p, int64_t features);

/* Elements of the reserve, which backward needs from forward, and of the workspace of each. */
int64_t rnn_reserve(const RnnSizes *s);
int64_t rnn_forward_workspace(const RnnSizes *s);
int64_t rnn_backward_workspace(const RnnSizes *s);

/* Operands; those that a call lacks are NULL. */
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
