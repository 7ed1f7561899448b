/* rnn_cells.c - see rnn_cells.h. */
#include "kernels/sequence/rnn_cells.h"

#include <math.h>
#include <string.h>

#include "base/math/random_stream.h"
#include "base/math/scalar_functions.h"
#include "state/engine.h"

static int64_t length_of(const CellDirection *w, int64_t b) {
  return w->lengths ? tensor_get_int(w->lengths, b) : w->s->steps;
}

/* The step before step t of a sequence; -1 for the first. */
static int64_t step_before(const CellDirection *w, int64_t t, int64_t b) {
  return w->back ? (t + 1 < length_of(w, b) ? t + 1 : -1) : t - 1;
}

static double clipped(const CellDirection *w, double c) {
  const double low = w->p->clip_min, high = w->p->clip_max;
  if (c != c) return w->p->clip_nan ? low : c;
  return c < low ? low : c > high ? high : c;
}

#define ROW(T, base, row, width) ((T *)(base) + (row) * (width))

/* ---- Forward ---- */

#define FORWARD(code, T, suffix)                                                                                       \
  /* The gates of one sequence replace the inputs' products, x; bx and bh are biases, g the states' products. All      \
  ** start at the range's first unit; gates are n apart or, in g, `apart`. */                                          \
  static void lstm_##suffix(const CellDirection *w, int64_t units, T *x, const T *bx, const T *g, int64_t apart,       \
                            const T *bh,                                                                               \
                            T *c, T *kept, T *raw, T *y) {                                                             \
    const int64_t n = w->s->hidden;                                                                                    \
    IVDEP for (int64_t k = 0; k < units; k++) {                                                                        \
      const T in = sigmoid((x[k] + bx[k]) + (g[k] + bh[k]));                                                           \
      const T keep = sigmoid((x[n + k] + bx[n + k]) + (g[apart + k] + bh[n + k]));                                     \
      const T fresh = tanh((x[2 * n + k] + bx[2 * n + k]) + (g[2 * apart + k] + bh[2 * n + k]));                       \
      x[3 * n + k] = sigmoid((x[3 * n + k] + bx[3 * n + k]) + (g[3 * apart + k] + bh[3 * n + k]));                     \
      x[k] = in;                                                                                                       \
      x[n + k] = keep;                                                                                                 \
      x[2 * n + k] = fresh;                                                                                            \
      c[k] = kept[k] = keep * c[k] + in * fresh;                                                                       \
    }                                                                                                                  \
    if (w->s->clips) for (int64_t k = 0; k < units; k++) c[k] = kept[k] = (T)clipped(w, (double)c[k]);                 \
    IVDEP for (int64_t k = 0; k < units; k++) raw[k] = y[k] = x[3 * n + k] * tanh(c[k]);                               \
  }                                                                                                                    \
  static void gru_##suffix(const CellDirection *w, int64_t units, T *x, const T *bx, const T *g, int64_t apart,        \
                           const T *bh,                                                                                \
                           const T *h, T *shares, T *next, T *y) {                                                     \
    const int64_t n = w->s->hidden;                                                                                    \
    IVDEP for (int64_t k = 0; k < units; k++) {                                                                        \
      const T reset = sigmoid((x[k] + bx[k]) + (g[k] + bh[k]));                                                        \
      const T update = sigmoid((x[n + k] + bx[n + k]) + (g[apart + k] + bh[n + k]));                                   \
      const T share = g[2 * apart + k] + bh[2 * n + k];                                                                \
      const T fresh = tanh((x[2 * n + k] + bx[2 * n + k]) + reset * share);                                            \
      x[k] = reset;                                                                                                    \
      x[n + k] = update;                                                                                               \
      x[2 * n + k] = fresh;                                                                                            \
      shares[k] = share;                                                                                               \
      next[k] = y[k] = (1 - update) * fresh + update * h[k];                                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  static void plain_##suffix(bool is_tanh, int64_t units, T *x, const T *bx, const T *g, const T *bh, T *next, T *y) { \
    if (is_tanh) {                                                                                                     \
      IVDEP for (int64_t k = 0; k < units; k++) x[k] = next[k] = y[k] = tanh((x[k] + bx[k]) + (g[k] + bh[k]));         \
      return;                                                                                                          \
    }                                                                                                                  \
    IVDEP for (int64_t k = 0; k < units; k++) {                                                                        \
      const T a = (x[k] + bx[k]) + (g[k] + bh[k]);                                                                     \
      x[k] = next[k] = y[k] = a < 0 ? 0 : a;                                                                           \
    }                                                                                                                  \
  }                                                                                                                    \
  static void step_##suffix(const CellDirection *w, const UnitRange *p) {                                              \
    const RnnSizes *s = w->s;                                                                                          \
    const int64_t n = s->hidden, wide = s->gates * n, u = p->u0, units = p->u1 - u, t = w->t;                          \
    const T *bx = (const T *)w->i2h_bias + u, *bh = (const T *)w->h2h_bias + u;                                        \
    T *part = (T *)(void *)w->part;                                                                                    \
    for (int64_t b = p->b0; b < p->b1; b++) {                                                                          \
      const int64_t at = w->kept.step * t + b * n + u;                                                                 \
      const T *g = ROW(const T, p->products, b - p->b0, p->row_step);                                                  \
      const T *h = s->projected ? NULL : ROW(T, w->h, b, n) + u;                                                       \
      T *x = ROW(T, part + w->kept.gates, t * s->batch + b, wide) + u;                                                 \
      T *raw = ROW(T, s->projected ? w->raw : w->h_next, b, n) + u;                                                    \
      T *y = s->projected ? part + w->kept.raw + at : (T *)w->y + (t * s->batch + b) * s->directions * n + u;          \
      if (t >= length_of(w, b)) {                                                                                      \
        memset(y, 0, (size_t)units * sizeof(T));                                                                       \
        if (s->projected) memset(raw, 0, (size_t)units * sizeof(T));                                                   \
        else if (raw != h) memcpy(raw, h, (size_t)units * sizeof(T));                                                  \
        continue;                                                                                                      \
      }                                                                                                                \
      switch (s->mode) {                                                                                               \
        case RNN_LSTM:                                                                                                 \
          lstm_##suffix(w, units, x, bx, g, p->gate_step, bh, ROW(T, w->c, b, n) + u, part + w->kept.cells + at,       \
                        raw, y);                                                                                       \
          break;                                                                                                       \
        case RNN_GRU:                                                                                                  \
          gru_##suffix(w, units, x, bx, g, p->gate_step, bh, h, part + w->kept.shares + at, raw, y);                   \
          break;                                                                                                       \
        default: plain_##suffix(s->mode == RNN_TANH, units, x, bx, g, bh, raw, y);                                     \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  static void take_##suffix(const CellDirection *w, const UnitRange *p) {                                              \
    const RnnSizes *s = w->s;                                                                                          \
    for (int64_t b = p->b0; b < p->b1; b++) {                                                                          \
      T *y = (T *)w->y + (w->t * s->batch + b) * s->directions * s->out;                                               \
      const T *from = ROW(const T, p->products, b - p->b0, p->row_step);                                               \
      if (w->t >= length_of(w, b)) {                                                                                   \
        memset(y, 0, (size_t)s->out * sizeof(T));                                                                      \
        continue;                                                                                                      \
      }                                                                                                                \
      memcpy(ROW(T, w->h, b, s->out), from, (size_t)s->out * sizeof(T));                                               \
      memcpy(y, from, (size_t)s->out * sizeof(T));                                                                     \
    }                                                                                                                  \
  }

/* ---- Backward ---- */

#define BACKWARD(code, T, suffix)                                                                                      \
  /* For one sequence: from gradients dr of a cell's output and dc of the cell after the step, computes dx of gates    \
  ** x, and replaces dc by that of the cell before the step. */                                                        \
  static void lstm_back_##suffix(const CellDirection *w, int64_t units, const T *x, const T *c, const T *c_was,        \
                                 const T *dr, T *dc, T *dx) {                                                          \
    const int64_t n = w->s->hidden;                                                                                    \
    const T low = (T)w->p->clip_min, high = (T)w->p->clip_max;                                                         \
    const bool clips = w->s->clips;                                                                                    \
    IVDEP for (int64_t k = 0; k < units; k++) {                                                                        \
      const T in = x[k], keep = x[n + k], fresh = x[2 * n + k], let = x[3 * n + k], lit = tanh(c[k]);                  \
      T d = dc[k] + dr[k] * let * (1 - lit * lit);                                                                     \
      if (clips && !(c[k] > low && c[k] < high)) d = 0;                                                                \
      dx[k] = d * fresh * in * (1 - in);                                                                               \
      dx[n + k] = d * c_was[k] * keep * (1 - keep);                                                                    \
      dx[2 * n + k] = d * in * (1 - fresh * fresh);                                                                    \
      dx[3 * n + k] = dr[k] * lit * let * (1 - let);                                                                   \
      dc[k] = d * keep;                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  static void gru_back_##suffix(const CellDirection *w, int64_t units, const T *x, const T *share, const T *was,       \
                                const T *dr,                                                                           \
                                T *carry, T *dx, T *dg) {                                                              \
    const int64_t n = w->s->hidden;                                                                                    \
    IVDEP for (int64_t k = 0; k < units; k++) {                                                                        \
      const T reset = x[k], update = x[n + k], fresh = x[2 * n + k];                                                   \
      const T d = dr[k] * (1 - update) * (1 - fresh * fresh);                                                          \
      dx[k] = dg[k] = d * share[k] * reset * (1 - reset);                                                              \
      dx[n + k] = dg[n + k] = dr[k] * (was[k] - fresh) * update * (1 - update);                                        \
      dx[2 * n + k] = d;                                                                                               \
      dg[2 * n + k] = d * reset;                                                                                       \
      carry[k] = dr[k] * update;                                                                                       \
    }                                                                                                                  \
  }                                                                                                                    \
  static void back_##suffix(const CellDirection *w, const UnitRange *p) {                                              \
    const RnnSizes *s = w->s;                                                                                          \
    const int64_t n = s->hidden, wide = s->gates * n, u = p->u0, units = p->u1 - u, t = w->t;                          \
    const T *part = (const T *)(const void *)w->part;                                                                  \
    for (int64_t b = p->b0; b < p->b1; b++) {                                                                          \
      const int64_t row = t * s->batch + b, before = step_before(w, t, b), at = w->kept.step * t + b * n + u;          \
      const T *x = ROW(const T, part + w->kept.gates, row, wide) + u;                                                  \
      const T *dr = ROW(const T, s->projected ? w->draw : w->dh, b, n) + u;                                            \
      T *dx = ROW(T, w->by_input, row, wide) + u, *dg = ROW(T, w->by_state, row, wide) + u;                            \
      if (t >= length_of(w, b)) {                                                                                      \
        for (int64_t g = 0; g < s->gates; g++) {                                                                       \
          memset(dx + g * n, 0, (size_t)units * sizeof(T));                                                            \
          if (dg != dx) memset(dg + g * n, 0, (size_t)units * sizeof(T));                                              \
        }                                                                                                              \
        continue;                                                                                                      \
      }                                                                                                                \
      if (s->mode == RNN_LSTM) {                                                                                       \
        const T *c_was = before < 0 ? ROW(const T, w->c0, b, n) + u                                                    \
                                    : part + w->kept.cells + w->kept.step * before + b * n + u;                        \
        lstm_back_##suffix(w, units, x, part + w->kept.cells + at, c_was, dr, ROW(T, w->dc, b, n) + u, dx);            \
      } else if (s->mode == RNN_GRU) {                                                                                 \
        gru_back_##suffix(w, units, x, part + w->kept.shares + at, ROW(const T, w->before, row, n) + u, dr,            \
                          ROW(T, w->carry, b, n) + u, dx, dg);                                                         \
      } else if (s->mode == RNN_TANH) {                                                                                \
        for (int64_t k = 0; k < units; k++) dx[k] = dr[k] * (1 - x[k] * x[k]);                                         \
      } else {                                                                                                         \
        for (int64_t k = 0; k < units; k++) dx[k] = x[k] > 0 ? dr[k] : 0;                                              \
      }                                                                                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  static void gather_##suffix(const CellDirection *w, const UnitRange *p) {                                            \
    const RnnSizes *s = w->s;                                                                                          \
    const int64_t u = p->u0, units = p->u1 - u;                                                                        \
    for (int64_t b = p->b0; b < p->b1; b++) {                                                                          \
      const int64_t row = w->t * s->batch + b;                                                                         \
      const T *dy = (const T *)w->dy + row * s->directions * s->out + u;                                               \
      T *dh = ROW(T, w->dh, b, s->out) + u, *out = s->projected ? ROW(T, w->outs, row, s->out) + u : NULL;             \
      const bool there = w->t < length_of(w, b);                                                                       \
      if (there) for (int64_t k = 0; k < units; k++) dh[k] += dy[k];                                                   \
      if (out && there) memcpy(out, dh, (size_t)units * sizeof(T));                                                    \
      else if (out) memset(out, 0, (size_t)units * sizeof(T));                                                         \
    }                                                                                                                  \
  }                                                                                                                    \
  static void pass_##suffix(const CellDirection *w, const UnitRange *p) {                                              \
    const RnnSizes *s = w->s;                                                                                          \
    const int64_t u = p->u0, units = p->u1 - u;                                                                        \
    for (int64_t b = p->b0; b < p->b1; b++) {                                                                          \
      T *dh = ROW(T, w->dh, b, s->out) + u;                                                                            \
      const T *from = ROW(const T, p->products, b - p->b0, p->row_step);                                               \
      if (w->t >= length_of(w, b)) continue;                                                                           \
      if (s->mode != RNN_GRU) {                                                                                        \
        memcpy(dh, from, (size_t)units * sizeof(T));                                                                   \
        continue;                                                                                                      \
      }                                                                                                                \
      const T *carry = ROW(const T, w->carry, b, s->hidden) + u;                                                       \
      for (int64_t k = 0; k < units; k++) dh[k] = from[k] + carry[k];                                                  \
    }                                                                                                                  \
  }                                                                                                                    \
  static void look_back_##suffix(const CellDirection *w, int64_t first, int64_t last) {                                \
    const RnnSizes *s = w->s;                                                                                          \
    for (int64_t row = first; row < last; row++) {                                                                     \
      const int64_t b = row % s->batch, before = step_before(w, row / s->batch, b);                                    \
      const T *from = before < 0 ? ROW(const T, w->h0, b, s->out)                                                      \
                                 : (const T *)w->y + (before * s->batch + b) * s->directions * s->out;                 \
      memcpy(ROW(T, w->before, row, s->out), from, (size_t)s->out * sizeof(T));                                        \
    }                                                                                                                  \
  }

/* ---- Whole arrays ---- */

#define WHOLE(code, T, suffix)                                                                                         \
  static void sum_rows_##suffix(const void *x, int64_t rows, int64_t columns, int64_t first, int64_t last, void *to) { \
    enum { SUMS = 256 };                                                                                               \
    double sum[SUMS];                                                                                                  \
    for (; first < last; first += SUMS) {                                                                              \
      const int64_t n = last - first < SUMS ? last - first : SUMS;                                                     \
      for (int64_t k = 0; k < n; k++) sum[k] = 0;                                                                      \
      for (int64_t i = 0; i < rows; i++) {                                                                             \
        const T *row = (const T *)x + i * columns + first;                                                             \
        for (int64_t k = 0; k < n; k++) sum[k] += (double)row[k];                                                      \
      }                                                                                                                \
      for (int64_t k = 0; k < n; k++) ((T *)to)[first + k] = (T)sum[k];                                                \
    }                                                                                                                  \
  }                                                                                                                    \
  static void multiply_##suffix(const void *x, const void *mask, void *to, int64_t n) {                                \
    for (int64_t i = 0; i < n; i++) ((T *)to)[i] = ((const T *)x)[i] * ((const T *)mask)[i];                           \
  }                                                                                                                    \
  static void draw_##suffix(double p, void *mask, int64_t n) {                                                         \
    enum { PIECE = 256 };                                                                                              \
    const uint32_t threshold = p < 1 ? (uint32_t)(p * 0x1p32) : 0;                                                     \
    const T scale = (T)(p < 1 ? 1 / (1 - p) : 0);                                                                      \
    const RandomBlock block = random_take(&engine_now()->random, (uint64_t)(n + 3) / 4);                                                      \
    uint32_t bits[PIECE];                                                                                              \
    for (int64_t at = 0; at < n; at += PIECE) {                                                                        \
      random_fours(block, (uint64_t)(at / 4), PIECE / 4, bits);                                                        \
      for (int64_t i = 0; i < PIECE && at + i < n; i++) ((T *)mask)[at + i] = bits[i] >= threshold ? scale : 0;        \
    }                                                                                                                  \
  }

EACH_FLOAT(FORWARD)
EACH_FLOAT(BACKWARD)
EACH_FLOAT(WHOLE)

#define CELLS(suffix)                                                                                                  \
  { step_##suffix, take_##suffix, gather_##suffix, back_##suffix, pass_##suffix,                                       \
    look_back_##suffix, sum_rows_##suffix, multiply_##suffix, draw_##suffix }

const Cells *cells_of(DType dtype) {
  static const Cells f32 = CELLS(f32), f64 = CELLS(f64);
  return dtype == DT_FLOAT64 ? &f64 : &f32;
}
