/* rnn.h - layers of recurrent cells over data (steps, batch, features).
**
** Layer after layer, direction after direction, sequence after sequence, step after step. A gate's unit is the function
** of (Wx + bias) + (Rh + bias), where both products have the order of plain/common/chains.h. weights has, for each layer
** and direction, W (gates x hidden, features), R (gates x hidden, size) and, if outputs are projected, P (size, hidden);
** then both biases of each. A layer's inputs are the outputs of the layer before, both directions side by side; `size`
** is the number of outputs per direction. The second direction runs from the last step. Steps past a sequence's length
** give 0 and change no state.
**
** mode: 0 relu, 1 tanh, 2 lstm, 3 gru. cell and cell_out are lstm's. The workspace has a sequence's states and cells,
** and the outputs of two layers.
*/
#include "plain/common/chains.h"

static inline real TYPED(rnn_sum)(const real *v, const real *weights, const real *bias, int64_t row, int64_t n) {
  return TYPED(sum_of_products)(v, 1, weights + row * n, 1, n) + bias[row];
}

/* One step of one sequence: from inputs x and states h, the outputs before a projection. c changes. */
static inline void TYPED(rnn_step)(const real *x, const real *h, real *c, real *next, const real *w, const real *r,
                                   const real *w_bias, const real *r_bias, int64_t features, int64_t size,
                                   int64_t hidden, int64_t mode, bool clips, bool clips_nan, double low, double high) {
  for (int64_t u = 0; u < hidden; u++) {
    real given[4] = { 0 }, kept[4] = { 0 };
    for (int64_t g = 0; g < (mode == 2 ? 4 : mode == 3 ? 3 : 1); g++) {
      given[g] = TYPED(rnn_sum)(x, w, w_bias, g * hidden + u, features);
      kept[g] = TYPED(rnn_sum)(h, r, r_bias, g * hidden + u, size);
    }
    if (mode == 2) {
      const real in = SIGMOID(given[0] + kept[0]), keep = SIGMOID(given[1] + kept[1]);
      const real fresh = TANH(given[2] + kept[2]), let = SIGMOID(given[3] + kept[3]);
      real cell = keep * c[u] + in * fresh;
      if (clips && cell != cell && clips_nan) cell = (real)low;
      if (clips) cell = (double)cell < low ? (real)low : (double)cell > high ? (real)high : cell;
      c[u] = cell;
      next[u] = let * TANH(cell);
    } else if (mode == 3) {
      const real reset = SIGMOID(given[0] + kept[0]), update = SIGMOID(given[1] + kept[1]);
      const real fresh = TANH(given[2] + reset * kept[2]);
      next[u] = (1 - update) * fresh + update * h[u];
    } else {
      const real a = given[0] + kept[0];
      next[u] = mode == 1 ? TANH(a) : a < 0 ? 0 : a;
    }
  }
}

static void TYPED(rnn)(const real *data, const real *weights, const real *state, const real *cell, const other *length,
                       real *out, real *state_out, real *cell_out, real *workspace, int64_t steps, int64_t batch,
                       int64_t features, int64_t hidden, int64_t size, int64_t layers, int64_t directions, int64_t mode,
                       bool projected, bool clips, bool clips_nan, double low, double high) {
  const int64_t rows = (mode == 2 ? 4 : mode == 3 ? 3 : 1) * hidden, wide = directions * size;
  const real *w = weights, *x = data, *bias = weights;
  real *h = workspace, *next = h + size, *c = next + hidden, *turns = c + hidden;
  for (int64_t l = 0; l < layers; l++)
    bias += directions * (rows * ((l == 0 ? features : wide) + size) + (projected ? size * hidden : 0));
  for (int64_t l = 0; l < layers; l++) {
    const int64_t n = l == 0 ? features : wide;
    real *y = l == layers - 1 ? out : turns + l % 2 * steps * batch * wide;
    for (int64_t d = 0; d < directions; d++) {
      const real *r = w + rows * n, *p = r + rows * size;
      for (int64_t b = 0; b < batch; b++) {
        const int64_t first = (l * directions + d) * batch + b, m = length ? (int64_t)length[b] : steps;
        for (int64_t u = 0; u < size; u++) h[u] = state[first * size + u];
        for (int64_t u = 0; u < hidden; u++) c[u] = mode == 2 ? cell[first * hidden + u] : 0;
        for (int64_t i = 0; i < steps; i++) {
          const int64_t t = d == 0 ? i : steps - 1 - i;
          real *to = y + (t * batch + b) * wide + d * size;
          if (t < m) {
            TYPED(rnn_step)(x + (t * batch + b) * n, h, c, next, w, r, bias, bias + rows, n, size, hidden, mode, clips,
                            clips_nan, low, high);
            for (int64_t u = 0; u < size; u++)
              h[u] = projected ? TYPED(sum_of_products)(next, 1, p + u * hidden, 1, hidden) : next[u];
          }
          for (int64_t u = 0; u < size; u++) to[u] = t < m ? h[u] : 0;
        }
        for (int64_t u = 0; state_out && u < size; u++) state_out[first * size + u] = h[u];
        for (int64_t u = 0; cell_out && u < hidden; u++) cell_out[first * hidden + u] = c[u];
      }
      w = p + (projected ? size * hidden : 0);
      bias += 2 * rows;
    }
    x = y;
  }
}
