/* rnn_layout.h - parameters and inputs of RNN, and the layout of its weights and of the reserve. */
#ifndef HL_OPS_SEQUENCE_RNN_LAYOUT_H
#define HL_OPS_SEQUENCE_RNN_LAYOUT_H

#include "ir/op.h"

/* Names of inputs; a call omits those that its parameters do not request. The gradient has more inputs. */
enum { DATA, WEIGHTS, STATE, CELL, LENGTHS, OUT, RESERVE, G_OUT, G_STATE, G_CELL, N_NAMES };

enum { RNN_RELU, RNN_TANH, RNN_LSTM, RNN_GRU };

typedef struct RnnParams {
  int64_t state_size, num_layers, bidirectional, mode;
  double p;
  int64_t state_outputs, projection_size;              /* NONE: outputs are not projected */
  double clip_min, clip_max;                           /* NaN: none */
  int64_t clip_nan, use_sequence_length;
} RnnParams;

static inline bool has_cell(const RnnParams *p) { return p->mode == RNN_LSTM; }

/* The sizes of a call. */
typedef struct RnnSizes {
  int64_t steps, batch, features;
  int64_t hidden, out, gates, layers, directions;      /* out: outputs per direction */
  int mode;
  bool projected, clips, drops; /* drops: in training; backward's p is 0 if nothing was dropped */
} RnnSizes;

/* Offsets in a direction's part of the reserve, in elements: gates, cells, the new gate's shares of the state, outputs
** before the projection; `step`: from one step's cells to the next. */
typedef struct Kept { int64_t gates, cells, shares, raw, step; } Kept;

/* The number of gates; of directions; of outputs per direction. */
static inline int64_t rnn_gates(const RnnParams *p) { return p->mode == RNN_LSTM ? 4 : p->mode == RNN_GRU ? 3 : 1; }
static inline int64_t rnn_directions(const RnnParams *p) { return p->bidirectional ? 2 : 1; }
static inline int64_t rnn_out(const RnnParams *p) {
  return p->projection_size == NONE ? p->state_size : p->projection_size;
}

static inline RnnSizes rnn_sizes(const RnnParams *p, const Shape *data) {
  return (RnnSizes){ .steps = data->dim[0],
                     .batch = data->dim[1],
                     .features = data->dim[2],
                     .hidden = p->state_size,
                     .out = rnn_out(p),
                     .gates = rnn_gates(p),
                     .layers = p->num_layers,
                     .directions = rnn_directions(p),
                     .mode = (int)p->mode,
                     .projected = p->projection_size != NONE,
                     .clips = p->clip_min == p->clip_min,
                     .drops = p->p > 0 && p->num_layers > 1 };
}

static inline int64_t features_of(const RnnSizes *s, int64_t layer) {
  return layer == 0 ? s->features : s->directions * s->out;
}

/* Elements of all matrices of one layer and direction. */
static inline int64_t matrices(const RnnSizes *s, int64_t layer) {
  return s->gates * s->hidden * (features_of(s, layer) + s->out) + (s->projected ? s->out * s->hidden : 0);
}

/* Elements of the vector of weights for this number of features; -1 if there are too many. */
static inline int64_t rnn_weights(const RnnParams *p, int64_t features) {
  RnnSizes s = rnn_sizes(p, &(Shape){ 3, { 1, 1, features } });
  const double most = (double)(s.layers * s.directions) * ((double)s.gates * (double)s.hidden + (double)s.out) *
                      ((double)features + (double)(s.directions * s.out) + (double)s.out + (double)s.hidden + 2);
  if (most > 0x1p52) return -1;
  return s.directions * (matrices(&s, 0) + (s.layers > 1 ? (s.layers - 1) * matrices(&s, 1) : 0)) +
         2 * s.layers * s.directions * s.gates * s.hidden;
}

/* Offsets of a layer's and direction's weights in the vector. */
typedef struct Weights { int64_t i2h, h2h, h2r, i2h_bias, h2h_bias; } Weights;

static inline Weights weights_of(const RnnSizes *s, int64_t layer, int64_t direction) {
  const int64_t rows = s->gates * s->hidden, each = matrices(s, 1);
  const int64_t all = s->directions * (matrices(s, 0) + (s->layers - 1) * each);
  Weights w;
  w.i2h = layer == 0 ? direction * matrices(s, 0)
                     : s->directions * (matrices(s, 0) + (layer - 1) * each) + direction * each;
  w.h2h = w.i2h + rows * features_of(s, layer);
  w.h2r = w.h2h + rows * s->out;
  w.i2h_bias = all + (layer * s->directions + direction) * 2 * rows;
  w.h2h_bias = w.i2h_bias + rows;
  return w;
}

static inline int64_t rows_of_all(const RnnSizes *s) { return s->steps * s->batch; }

/* Sets the offsets of one direction's kept parts over `steps` steps; returns their elements. */
static inline int64_t kept_of(const RnnSizes *s, int64_t steps, Kept *k) {
  const int64_t n = steps * s->batch * s->hidden;
  k->step = steps > 1 ? s->batch * s->hidden : 0;
  k->gates = 0;
  k->cells = k->gates + rows_of_all(s) * s->gates * s->hidden;
  k->shares = k->cells + (s->mode == RNN_LSTM ? n : 0);
  k->raw = k->shares + (s->mode == RNN_GRU ? n : 0);
  return k->raw + (s->projected ? n : 0);
}

static inline int64_t layer_outputs(const RnnSizes *s) { return rows_of_all(s) * s->directions * s->out; }

/* Offsets in the reserve: a direction's part; a layer's outputs; its factors of dropout. */
static inline int64_t direction_at(const RnnSizes *s, int64_t layer, int64_t direction) {
  Kept k;
  return (layer * s->directions + direction) * kept_of(s, s->steps, &k);
}

static inline int64_t outputs_at(const RnnSizes *s, int64_t layer) {
  return direction_at(s, s->layers, 0) + layer * layer_outputs(s);
}
static inline int64_t mask_at(const RnnSizes *s, int64_t layer) { return outputs_at(s, s->layers - 1 + layer); }
/* Elements of the reserve, which forward fills for backward. */
static inline int64_t rnn_reserve(const RnnSizes *s) {
  return s->drops ? mask_at(s, s->layers - 1) : outputs_at(s, s->layers - 1);
}

#endif
