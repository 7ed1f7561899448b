/* recurrent.c - see recurrent.h.
**
** The order of sums. For each layer and direction the products of all steps' inputs with i2h are one call of
** tensor/blas.h, those of a step's states with h2h one call a step. A gate is the function of (x + its bias) + (h + its
** bias), x and h being these products, in the element type. The gradients of weights are one product each over all steps
** and sequences, those of biases sums in double over the rows in their order; that of a layer's input is the product of
** its first direction plus that of its second. What loops compute is row by row, so no bit depends on threads but where
** those of the library's products do.
** Invariant: forward leaves in `reserve`, for each layer and direction, the gates of all steps, the cells (lstm), the
** new gate's share of the state (gru), and the outputs before the projection; for each layer but the last the outputs,
** and what dropout multiplied them by. The last layer's outputs are the call's.
*/
#include "ops/machinery/recurrent.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/random.h"
#include "base/scalar.h"
#include "tensor/blas.h"

int64_t rnn_gates(const RnnParams *p) { return p->mode == RNN_LSTM ? 4 : p->mode == RNN_GRU ? 3 : 1; }
int64_t rnn_ways(const RnnParams *p) { return p->bidirectional ? 2 : 1; }
int64_t rnn_out(const RnnParams *p) { return p->projection_size == NONE ? p->state_size : p->projection_size; }

RnnSizes rnn_sizes(const RnnParams *p, const Shape *data) {
  return (RnnSizes){ .steps = data->dim[0], .batch = data->dim[1], .features = data->dim[2], .hidden = p->state_size,
                     .out = rnn_out(p), .gates = rnn_gates(p), .layers = p->num_layers, .ways = rnn_ways(p),
                     .mode = (int)p->mode, .projected = p->projection_size != NONE,
                     .clips = p->clip_min == p->clip_min, .drops = p->p > 0 && p->num_layers > 1 };
}

/* ---- Where things lie ---------------------------------------------------------------------------------------- */

static int64_t features_of(const RnnSizes *s, int64_t layer) { return layer == 0 ? s->features : s->ways * s->out; }

/* Of all matrices of one layer and direction. */
static int64_t matrices(const RnnSizes *s, int64_t layer) {
  return s->gates * s->hidden * (features_of(s, layer) + s->out) + (s->projected ? s->out * s->hidden : 0);
}

int64_t rnn_weights(const RnnParams *p, int64_t features) {
  RnnSizes s = rnn_sizes(p, &(Shape){ 3, { 1, 1, features } });
  const double most = (double)(s.layers * s.ways) * ((double)s.gates * (double)s.hidden + (double)s.out) *
                      ((double)features + (double)(s.ways * s.out) + (double)s.out + (double)s.hidden + 2);
  if (most > 0x1p52) return -1;
  return s.ways * (matrices(&s, 0) + (s.layers > 1 ? (s.layers - 1) * matrices(&s, 1) : 0)) +
         2 * s.layers * s.ways * s.gates * s.hidden;
}

/* Where the weights of a layer and direction begin. */
typedef struct Weights { int64_t i2h, h2h, h2r, i2h_bias, h2h_bias; } Weights;

static Weights weights_of(const RnnSizes *s, int64_t layer, int64_t way) {
  const int64_t rows = s->gates * s->hidden, each = matrices(s, 1);
  const int64_t all = s->ways * (matrices(s, 0) + (s->layers - 1) * each);
  Weights w;
  w.i2h = layer == 0 ? way * matrices(s, 0) : s->ways * (matrices(s, 0) + (layer - 1) * each) + way * each;
  w.h2h = w.i2h + rows * features_of(s, layer);
  w.h2r = w.h2h + rows * s->out;
  w.i2h_bias = all + (layer * s->ways + way) * 2 * rows;
  w.h2h_bias = w.i2h_bias + rows;
  return w;
}

/* Pieces of memory, in elements, one after the other; `stride` from a step to the next. */
typedef struct Kept { int64_t gates, cells, shares, raw, step; } Kept;

static int64_t rows_of_all(const RnnSizes *s) { return s->steps * s->batch; }

/* What is kept of one direction of a layer: over `steps` steps. */
static int64_t kept_of(const RnnSizes *s, int64_t steps, Kept *k) {
  const int64_t n = steps * s->batch * s->hidden;
  k->step = steps > 1 ? s->batch * s->hidden : 0;
  k->gates = 0;
  k->cells = k->gates + rows_of_all(s) * s->gates * s->hidden;
  k->shares = k->cells + (s->mode == RNN_LSTM ? n : 0);
  k->raw = k->shares + (s->mode == RNN_GRU ? n : 0);
  return k->raw + (s->projected ? n : 0);
}

static int64_t layer_outputs(const RnnSizes *s) { return rows_of_all(s) * s->ways * s->out; }

/* In the reserve: a direction's part; a layer's outputs; what dropout multiplied them by. */
static int64_t way_at(const RnnSizes *s, int64_t layer, int64_t way) {
  Kept k;
  return (layer * s->ways + way) * kept_of(s, s->steps, &k);
}

static int64_t outputs_at(const RnnSizes *s, int64_t layer) { return way_at(s, s->layers, 0) + layer * layer_outputs(s); }
static int64_t mask_at(const RnnSizes *s, int64_t layer) { return outputs_at(s, s->layers - 1 + layer); }
int64_t rnn_reserve(const RnnSizes *s) { return s->drops ? mask_at(s, s->layers - 1) : outputs_at(s, s->layers - 1); }

/* The room of forward: the states under way, a step's products; and where nothing is reserved, one direction's part,
** whose steps share what can be shared, and the outputs of two layers by turns. */
typedef struct ForwardRoom { int64_t h, c, product, raw, way, outputs, dropped, end; } ForwardRoom;

static ForwardRoom forward_room(const RnnSizes *s) {
  ForwardRoom r;
  Kept k;
  r.h = 0;
  r.c = r.h + s->batch * s->out;
  r.product = r.c + s->batch * s->hidden;
  r.raw = r.product + s->batch * (s->gates * s->hidden > s->out ? s->gates * s->hidden : s->out);
  r.way = r.raw + s->batch * s->hidden;
  r.outputs = r.way + kept_of(s, 1, &k);
  r.dropped = r.outputs + (s->layers > 2 ? 2 : s->layers - 1) * layer_outputs(s);
  r.end = r.dropped + (s->drops ? layer_outputs(s) : 0);
  return r;
}

int64_t rnn_forward_room(const RnnSizes *s) { return forward_room(s).end; }

/* The room of backward: gradients of a layer's outputs and of its inputs by turns, its inputs where something was
** dropped; gradients of all gates, by their input and by their state; states before each step, gradients of all
** projected outputs; and a step's. */
typedef struct BackwardRoom { int64_t turns, dropped, by_input, by_state, before, outs, dh, dh_new, dc, carry, raw, end; } BackwardRoom;

static BackwardRoom backward_room(const RnnSizes *s) {
  BackwardRoom r;
  const int64_t n = rows_of_all(s), small = s->batch * s->hidden, gates = n * s->gates * s->hidden;
  r.turns = 0;
  r.dropped = r.turns + (s->layers > 1 ? 2 * layer_outputs(s) : 0);
  r.by_input = r.dropped + (s->drops ? layer_outputs(s) : 0);
  r.by_state = r.by_input + gates;
  r.before = r.by_state + (s->mode == RNN_GRU ? gates : 0);
  r.outs = r.before + n * s->out;
  r.dh = r.outs + (s->projected ? n * s->out : 0);
  r.dh_new = r.dh + s->batch * s->out;
  r.dc = r.dh_new + s->batch * s->out;
  r.carry = r.dc + small;
  r.raw = r.carry + small;
  r.end = r.raw + small;
  return r;
}

int64_t rnn_backward_room(const RnnSizes *s) { return backward_room(s).end; }

/* ---- Steps ------------------------------------------------------------------------------------------------------ */

/* One direction of one layer; pointers to elements of the call's dtype. */
typedef struct Way {
  const RnnSizes *s;
  const RnnParams *p;
  const Tensor *lengths;
  bool back;
  int64_t t;                                       /* the step under way */
  Kept kept;
  char *part;                                      /* gates and so on */
  const void *i2h_bias, *h2h_bias, *h0, *c0;
  void *h, *c, *product, *raw;                     /* forward: states, products of the step, outputs to be projected */
  void *y;                                         /* the layer's outputs, this direction's first */
  const void *dy;                                  /* backward: their gradients; NULL: none */
  void *dh, *dh_new, *dc, *carry, *draw, *by_input, *by_state, *outs, *before;
} Way;

static int64_t length_of(const Way *w, int64_t b) {
  return w->lengths ? tensor_get_int(w->lengths, b) : w->s->steps;
}

/* The step before step t of a sequence; -1: it is the first. */
static int64_t step_before(const Way *w, int64_t t, int64_t b) {
  return w->back ? (t + 1 < length_of(w, b) ? t + 1 : -1) : t - 1;
}

static double clipped(const Way *w, double c) {
  const double low = w->p->clip_min, high = w->p->clip_max;
  if (c != c) return w->p->clip_nan ? low : c;
  return c < low ? low : c > high ? high : c;
}

#define ROW(T, base, row, width) ((T *)(base) + (row) * (width))

#define STEPS(code, T, suffix)                                                                              \
  /* Sequences [first, last) of a step: gates of products, and states of gates. */                          \
  static void step_##suffix(void *context, int64_t first, int64_t last) {                                   \
    const Way *w = context;                                                                                 \
    const RnnSizes *s = w->s;                                                                               \
    const int64_t n = s->hidden, wide = s->gates * n, t = w->t;                                             \
    const T *bx = w->i2h_bias, *bh = w->h2h_bias;                                                           \
    T *part = (T *)(void *)w->part;                                                                         \
    for (int64_t b = first; b < last; b++) {                                                                \
      T *y = (T *)w->y + (t * s->batch + b) * s->ways * s->out, *h = ROW(T, w->h, b, s->out);               \
      T *x = ROW(T, part + w->kept.gates, t * s->batch + b, wide), *c = ROW(T, w->c, b, n);                 \
      const T *g = ROW(const T, w->product, b, wide);                                                       \
      T *raw = s->projected ? ROW(T, w->raw, b, n) : h;                                                     \
      const int64_t at = w->kept.step * t + b * n;                                                          \
      if (t >= length_of(w, b)) {                                                                           \
        memset(y, 0, (size_t)s->out * sizeof(T));                                                           \
        if (s->projected) memset(raw, 0, (size_t)n * sizeof(T));                                            \
        continue;                                                                                           \
      }                                                                                                     \
      switch (s->mode) {                                                                                    \
        case RNN_LSTM:                                                                                      \
          IVDEP for (int64_t k = 0; k < n; k++) {                                                           \
            const T in = sigmoid((x[k] + bx[k]) + (g[k] + bh[k]));                                          \
            const T keep = sigmoid((x[n + k] + bx[n + k]) + (g[n + k] + bh[n + k]));                        \
            const T fresh = tanh((x[2 * n + k] + bx[2 * n + k]) + (g[2 * n + k] + bh[2 * n + k]));          \
            const T let = sigmoid((x[3 * n + k] + bx[3 * n + k]) + (g[3 * n + k] + bh[3 * n + k]));         \
            T cell = keep * c[k] + in * fresh;                                                              \
            if (s->clips) cell = (T)clipped(w, (double)cell);                                               \
            x[k] = in;                                                                                      \
            x[n + k] = keep;                                                                                \
            x[2 * n + k] = fresh;                                                                           \
            x[3 * n + k] = let;                                                                             \
            c[k] = cell;                                                                                    \
            part[w->kept.cells + at + k] = cell;                                                            \
            raw[k] = let * tanh(cell);                                                                      \
          }                                                                                                 \
          break;                                                                                            \
        case RNN_GRU:                                                                                       \
          IVDEP for (int64_t k = 0; k < n; k++) {                                                           \
            const T reset = sigmoid((x[k] + bx[k]) + (g[k] + bh[k]));                                       \
            const T update = sigmoid((x[n + k] + bx[n + k]) + (g[n + k] + bh[n + k]));                      \
            const T share = g[2 * n + k] + bh[2 * n + k];                                                   \
            const T fresh = tanh((x[2 * n + k] + bx[2 * n + k]) + reset * share);                           \
            x[k] = reset;                                                                                   \
            x[n + k] = update;                                                                              \
            x[2 * n + k] = fresh;                                                                           \
            part[w->kept.shares + at + k] = share;                                                          \
            h[k] = (1 - update) * fresh + update * h[k];                                                    \
          }                                                                                                 \
          break;                                                                                            \
        default:                                                                                            \
          IVDEP for (int64_t k = 0; k < n; k++) {                                                           \
            const T a = (x[k] + bx[k]) + (g[k] + bh[k]);                                                    \
            x[k] = h[k] = s->mode == RNN_TANH ? tanh(a) : a < 0 ? 0 : a;                                    \
          }                                                                                                 \
      }                                                                                                     \
      if (s->projected) memcpy(part + w->kept.raw + at, raw, (size_t)n * sizeof(T));                        \
      else memcpy(y, h, (size_t)n * sizeof(T));                                                             \
    }                                                                                                       \
  }                                                                                                         \
  /* The projected outputs, in dh_new, become the states. */                                                \
  static void take_##suffix(const Way *w) {                                                                 \
    const RnnSizes *s = w->s;                                                                               \
    for (int64_t b = 0; b < s->batch; b++) {                                                                \
      if (w->t >= length_of(w, b)) continue;                                                                \
      const T *from = ROW(const T, w->dh_new, b, s->out);                                                   \
      memcpy(ROW(T, w->h, b, s->out), from, (size_t)s->out * sizeof(T));                                    \
      memcpy((T *)w->y + (w->t * s->batch + b) * s->ways * s->out, from, (size_t)s->out * sizeof(T));       \
    }                                                                                                       \
  }                                                                                                         \
  /* Backwards: the gradient of a step's outputs is what comes from above and from the step after it. */    \
  static void gather_##suffix(const Way *w) {                                                               \
    const RnnSizes *s = w->s;                                                                               \
    for (int64_t b = 0; b < s->batch; b++) {                                                                \
      const int64_t row = w->t * s->batch + b;                                                              \
      T *dh = ROW(T, w->dh, b, s->out), *out = s->projected ? ROW(T, w->outs, row, s->out) : NULL;          \
      const bool there = w->t < length_of(w, b);                                                            \
      if (there) for (int64_t k = 0; k < s->out; k++) dh[k] += ((const T *)w->dy + row * s->ways * s->out)[k]; \
      if (out && there) memcpy(out, dh, (size_t)s->out * sizeof(T));                                        \
      else if (out) memset(out, 0, (size_t)s->out * sizeof(T));                                             \
    }                                                                                                       \
  }                                                                                                         \
  /* Sequences [first, last) of a step: the gradients of its gates, and of the cells before it. */          \
  static void back_##suffix(void *context, int64_t first, int64_t last) {                                   \
    const Way *w = context;                                                                                 \
    const RnnSizes *s = w->s;                                                                               \
    const int64_t n = s->hidden, wide = s->gates * n, t = w->t;                                             \
    const T *part = (const T *)(const void *)w->part;                                                       \
    for (int64_t b = first; b < last; b++) {                                                                \
      const int64_t row = t * s->batch + b, before = step_before(w, t, b), at = w->kept.step * t + b * n;   \
      const T *x = ROW(const T, part + w->kept.gates, row, wide);                                           \
      const T *dr = s->projected ? ROW(const T, w->draw, b, n) : ROW(const T, w->dh, b, n);                 \
      const T *was = ROW(const T, w->before, row, s->out);                                                  \
      T *dx = ROW(T, w->by_input, row, wide), *dg = ROW(T, w->by_state, row, wide), *dc = ROW(T, w->dc, b, n); \
      T *carry = ROW(T, w->carry, b, n);                                                                    \
      if (t >= length_of(w, b)) {                                                                           \
        memset(dx, 0, (size_t)wide * sizeof(T));                                                            \
        if (dg != dx) memset(dg, 0, (size_t)wide * sizeof(T));                                              \
        continue;                                                                                           \
      }                                                                                                     \
      if (s->mode == RNN_LSTM) {                                                                            \
        const T *c = part + w->kept.cells + at;                                                             \
        const T *c_was = before < 0 ? ROW(const T, w->c0, b, n) : part + w->kept.cells + w->kept.step * before + b * n; \
        const T low = (T)w->p->clip_min, high = (T)w->p->clip_max;                                          \
        IVDEP for (int64_t k = 0; k < n; k++) {                                                             \
          const T in = x[k], keep = x[n + k], fresh = x[2 * n + k], let = x[3 * n + k], lit = tanh(c[k]);   \
          T d = dc[k] + dr[k] * let * (1 - lit * lit);                                                      \
          if (s->clips && !(c[k] > low && c[k] < high)) d = 0;                                              \
          dx[k] = d * fresh * in * (1 - in);                                                                \
          dx[n + k] = d * c_was[k] * keep * (1 - keep);                                                     \
          dx[2 * n + k] = d * in * (1 - fresh * fresh);                                                     \
          dx[3 * n + k] = dr[k] * lit * let * (1 - let);                                                    \
          dc[k] = d * keep;                                                                                 \
        }                                                                                                   \
      } else if (s->mode == RNN_GRU) {                                                                      \
        const T *share = part + w->kept.shares + at;                                                        \
        IVDEP for (int64_t k = 0; k < n; k++) {                                                             \
          const T reset = x[k], update = x[n + k], fresh = x[2 * n + k];                                    \
          const T d = dr[k] * (1 - update) * (1 - fresh * fresh);                                           \
          dx[k] = dg[k] = d * share[k] * reset * (1 - reset);                                               \
          dx[n + k] = dg[n + k] = dr[k] * (was[k] - fresh) * update * (1 - update);                         \
          dx[2 * n + k] = d;                                                                                \
          dg[2 * n + k] = d * reset;                                                                        \
          carry[k] = dr[k] * update;                                                                        \
        }                                                                                                   \
      } else {                                                                                              \
        for (int64_t k = 0; k < n; k++) dx[k] = s->mode == RNN_TANH ? dr[k] * (1 - x[k] * x[k]) : x[k] > 0 ? dr[k] : 0; \
      }                                                                                                     \
    }                                                                                                       \
  }                                                                                                         \
  /* The product in dh_new is the gradient of the states before the step. */                                \
  static void pass_##suffix(const Way *w) {                                                                 \
    const RnnSizes *s = w->s;                                                                               \
    for (int64_t b = 0; b < s->batch; b++) {                                                                \
      T *dh = ROW(T, w->dh, b, s->out);                                                                     \
      const T *from = ROW(const T, w->dh_new, b, s->out), *carry = ROW(const T, w->carry, b, s->hidden);    \
      if (w->t >= length_of(w, b)) continue;                                                                \
      for (int64_t k = 0; k < s->out; k++) dh[k] = s->mode == RNN_GRU ? from[k] + carry[k] : from[k];       \
    }                                                                                                       \
  }                                                                                                         \
  /* before = the states before each step */                                                                \
  static void look_back_##suffix(const Way *w) {                                                            \
    const RnnSizes *s = w->s;                                                                               \
    for (int64_t row = 0; row < s->steps * s->batch; row++) {                                               \
      const int64_t b = row % s->batch, before = step_before(w, row / s->batch, b);                         \
      const T *from = before < 0 ? ROW(const T, w->h0, b, s->out)                                           \
                                 : (const T *)w->y + (before * s->batch + b) * s->ways * s->out;            \
      memcpy(ROW(T, w->before, row, s->out), from, (size_t)s->out * sizeof(T));                             \
    }                                                                                                       \
  }                                                                                                         \
  static void sum_rows_##suffix(const void *x, int64_t rows, int64_t columns, void *to) {                   \
    for (int64_t k = 0; k < columns; k++) {                                                                 \
      double sum = 0;                                                                                       \
      for (int64_t i = 0; i < rows; i++) sum += (double)((const T *)x)[i * columns + k];                    \
      ((T *)to)[k] = (T)sum;                                                                                \
    }                                                                                                       \
  }                                                                                                         \
  static void multiply_##suffix(const void *x, const void *mask, void *to, int64_t n) {                     \
    for (int64_t i = 0; i < n; i++) ((T *)to)[i] = ((const T *)x)[i] * ((const T *)mask)[i];                \
  }                                                                                                         \
  static void draw_##suffix(double p, void *mask, int64_t n) {                                              \
    enum { PIECE = 256 };                                                                                   \
    const uint32_t threshold = p < 1 ? (uint32_t)(p * 0x1p32) : 0;                                          \
    const T scale = (T)(p < 1 ? 1 / (1 - p) : 0);                                                           \
    const RandomBlock block = random_take((uint64_t)(n + 3) / 4);                                           \
    uint32_t bits[PIECE];                                                                                   \
    for (int64_t at = 0; at < n; at += PIECE) {                                                             \
      random_fours(block, (uint64_t)(at / 4), PIECE / 4, bits);                                             \
      for (int64_t i = 0; i < PIECE && at + i < n; i++) ((T *)mask)[at + i] = bits[i] >= threshold ? scale : 0; \
    }                                                                                                       \
  }
EACH_FLOAT(STEPS)

#define BY_DTYPE(dtype, name) ((dtype) == DT_FLOAT64 ? name##_f64 : name##_f32)

/* Rows that pay for a thread. */
static int64_t grain(const RnnSizes *s) { return (1 << 12) / (s->gates * s->hidden) + 1; }

/* Element `at` of an array; NULL of none. */
static void *element(DType dtype, const void *x, int64_t at) {
  return x ? (char *)(uintptr_t)x + at * (int64_t)dtype_size(dtype) : NULL;
}

/* c (m, n) = op(a) (m, k) op(b) (k, n) + beta c */
static Status product(DType dtype, bool ta, bool tb, int64_t m, int64_t n, int64_t k, const void *a, const void *b, void *c,
                      double beta) {
  return blas_product(&(Product){ .dtype = dtype, .transpose_a = ta, .transpose_b = tb, .m = m, .n = n, .k = k, .alpha = 1,
                                  .beta = beta, .a = a, .b = b, .c = c });
}

/* ---- Forward ------------------------------------------------------------------------------------------------------ */

/* Of one direction, whose inputs are x. */
static Status run_way(const RnnForward *r, Way *w, const Weights *at, int64_t features, const void *x) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const int64_t wide = s->gates * s->hidden;
  const void *h2h = element(t, r->weights, at->h2h), *h2r = element(t, r->weights, at->h2r);
  TRY(product(t, false, true, rows_of_all(s), wide, features, x, element(t, r->weights, at->i2h), w->part, 0));
  for (int64_t i = 0; i < s->steps; i++) {
    w->t = w->back ? s->steps - 1 - i : i;
    TRY(product(t, false, true, s->batch, wide, s->out, w->h, h2h, w->product, 0));
    parallel_for(s->batch, grain(s), BY_DTYPE(t, step), w);
    if (interrupted()) return interrupt_status();
    if (!s->projected) continue;
    w->dh_new = w->product;                        /* free by now */
    TRY(product(t, false, true, s->batch, s->out, s->hidden, w->raw, h2r, w->dh_new, 0));
    BY_DTYPE(t, take)(w);
  }
  return OK;
}

/* What the next layer gets, or what it is to get where the layers' outputs are. */
static const void *drop(const RnnForward *r, int64_t layer, const void *y, void *room) {
  const int64_t n = layer_outputs(&r->s);
  void *mask = r->reserve ? element(r->dtype, r->reserve, mask_at(&r->s, layer)) : room;
  BY_DTYPE(r->dtype, draw)(r->p->p, mask, n);
  BY_DTYPE(r->dtype, multiply)(y, mask, room, n);
  return room;
}

Status rnn_forward(const RnnForward *r) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const size_t size = dtype_size(t);
  const ForwardRoom room = forward_room(s);
  const void *x = r->data;
  for (int64_t layer = 0; layer < s->layers; layer++) {
    void *y = layer == s->layers - 1 ? r->out
              : r->reserve ? element(t, r->reserve, outputs_at(s, layer))
                           : element(t, r->room, room.outputs + layer % 2 * layer_outputs(s));
    for (int64_t way = 0; way < s->ways; way++) {
      const Weights at = weights_of(s, layer, way);
      const int64_t state = (layer * s->ways + way) * s->batch;
      Way w = { .s = s, .p = r->p, .lengths = r->lengths, .back = way == 1,
                .part = r->reserve ? element(t, r->reserve, way_at(s, layer, way)) : element(t, r->room, room.way),
                .i2h_bias = element(t, r->weights, at.i2h_bias), .h2h_bias = element(t, r->weights, at.h2h_bias),
                .h = element(t, r->room, room.h), .c = element(t, r->room, room.c),
                .product = element(t, r->room, room.product), .raw = element(t, r->room, room.raw),
                .y = element(t, y, way * s->out) };
      kept_of(s, r->reserve ? s->steps : 1, &w.kept);
      memcpy(w.h, element(t, r->state, state * s->out), (size_t)(s->batch * s->out) * size);
      if (r->cell) memcpy(w.c, element(t, r->cell, state * s->hidden), (size_t)(s->batch * s->hidden) * size);
      TRY(run_way(r, &w, &at, features_of(s, layer), x));
      if (r->state_out) memcpy(element(t, r->state_out, state * s->out), w.h, (size_t)(s->batch * s->out) * size);
      if (r->cell_out) memcpy(element(t, r->cell_out, state * s->hidden), w.c, (size_t)(s->batch * s->hidden) * size);
    }
    x = y;
    if (s->drops && r->train && layer < s->layers - 1) x = drop(r, layer, y, element(t, r->room, room.dropped));
  }
  return OK;
}

/* ---- Backward ----------------------------------------------------------------------------------------------------- */

/* Of one direction: gradients of gates, and through all steps those of the first states. */
static Status run_back(const RnnBackward *r, Way *w, const Weights *at) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const void *h2h = element(t, r->weights, at->h2h), *h2r = element(t, r->weights, at->h2r);
  BY_DTYPE(t, look_back)(w);
  for (int64_t i = 0; i < s->steps; i++) {
    w->t = w->back ? i : s->steps - 1 - i;
    BY_DTYPE(t, gather)(w);
    if (s->projected) TRY(product(t, false, false, s->batch, s->hidden, s->out, w->dh, h2r, w->draw, 0));
    parallel_for(s->batch, grain(s), BY_DTYPE(t, back), w);
    if (interrupted()) return interrupt_status();
    TRY(product(t, false, false, s->batch, s->out, s->gates * s->hidden,
                element(t, w->by_state, w->t * s->batch * s->gates * s->hidden), h2h, w->dh_new, 0));
    BY_DTYPE(t, pass)(w);
  }
  return OK;
}

/* The gradients of one direction's weights, and its part of that of its inputs. */
static Status weigh(const RnnBackward *r, const Way *w, const Weights *at, int64_t features, const void *x, void *dx) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const int64_t n = rows_of_all(s), wide = s->gates * s->hidden;
  TRY(product(t, true, false, wide, features, n, w->by_input, x, element(t, r->dweights, at->i2h), 0));
  TRY(product(t, true, false, wide, s->out, n, w->by_state, w->before, element(t, r->dweights, at->h2h), 0));
  if (s->projected)
    TRY(product(t, true, false, s->out, s->hidden, n, w->outs, element(t, w->part, w->kept.raw),
                element(t, r->dweights, at->h2r), 0));
  BY_DTYPE(t, sum_rows)(w->by_input, n, wide, element(t, r->dweights, at->i2h_bias));
  BY_DTYPE(t, sum_rows)(w->by_state, n, wide, element(t, r->dweights, at->h2h_bias));
  return product(t, false, false, n, features, wide, w->by_input, element(t, r->weights, at->i2h), dx, w->back ? 1 : 0);
}

Status rnn_backward(const RnnBackward *r) {
  const RnnSizes *s = &r->s;
  const DType t = r->dtype;
  const size_t size = dtype_size(t);
  const BackwardRoom room = backward_room(s);
  const void *dy = r->g_out;
  for (int64_t layer = s->layers - 1; layer >= 0; layer--) {
    const void *y = layer == s->layers - 1 ? r->out : element(t, r->reserve, outputs_at(s, layer));
    const void *x = layer == 0 ? r->data : element(t, r->reserve, outputs_at(s, layer - 1));
    const void *mask = layer > 0 && s->drops ? element(t, r->reserve, mask_at(s, layer - 1)) : NULL;
    void *dx = layer == 0 ? r->dx : element(t, r->room, room.turns + layer % 2 * layer_outputs(s));
    if (mask) {
      BY_DTYPE(t, multiply)(x, mask, element(t, r->room, room.dropped), layer_outputs(s));
      x = element(t, r->room, room.dropped);
    }
    for (int64_t way = 0; way < s->ways; way++) {
      const Weights at = weights_of(s, layer, way);
      const int64_t h = (layer * s->ways + way) * s->batch * s->out, c = (layer * s->ways + way) * s->batch * s->hidden;
      Way w = { .s = s, .p = r->p, .lengths = r->lengths, .back = way == 1,
                .part = element(t, r->reserve, way_at(s, layer, way)), .h0 = element(t, r->state, h),
                .c0 = element(t, r->cell, c), .y = element(t, y, way * s->out), .dy = element(t, dy, way * s->out),
                .dh = element(t, r->room, room.dh), .dh_new = element(t, r->room, room.dh_new),
                .dc = element(t, r->room, room.dc), .carry = element(t, r->room, room.carry),
                .draw = element(t, r->room, room.raw), .by_input = element(t, r->room, room.by_input),
                .by_state = element(t, r->room, s->mode == RNN_GRU ? room.by_state : room.by_input),
                .outs = element(t, r->room, room.outs), .before = element(t, r->room, room.before) };
      kept_of(s, s->steps, &w.kept);
      memset(w.dh, 0, (size_t)(s->batch * s->out) * size);
      memset(w.dc, 0, (size_t)(s->batch * s->hidden) * size);
      if (r->g_state) memcpy(w.dh, element(t, r->g_state, h), (size_t)(s->batch * s->out) * size);
      if (r->g_cell) memcpy(w.dc, element(t, r->g_cell, c), (size_t)(s->batch * s->hidden) * size);
      TRY(run_back(r, &w, &at));
      memcpy(element(t, r->dstate, h), w.dh, (size_t)(s->batch * s->out) * size);
      if (r->dcell) memcpy(element(t, r->dcell, c), w.dc, (size_t)(s->batch * s->hidden) * size);
      TRY(weigh(r, &w, &at, features_of(s, layer), x, dx));
    }
    if (mask) BY_DTYPE(t, multiply)(dx, mask, dx, layer_outputs(s));
    dy = dx;
  }
  return OK;
}
