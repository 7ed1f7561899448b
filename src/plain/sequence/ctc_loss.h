/* ctc_loss.h - minus the logarithm of the probability that the classes of data (steps, batch, classes), drawn by the
** softmax of each step, become a sequence's labels when equal neighbours are merged and blanks removed.
**
** Everything is computed in double, step by step, state by state, and rounded once. States are the labels and the
** blanks around and between them. The score of a state is the logarithm of the sum over all paths to it: log(e^a + e^b)
** of those through the same state, the one before and, between different labels, the one two before, added in this
** order. Labels that need more steps cost 0. Without label_lengths a row's labels end at the first `padding`. The
** workspace, of doubles, has the scores of two steps.
*/

/* log(e^a + e^b) */
static inline double TYPED(ctc_sum)(double a, double b) {
  const double top = a > b ? a : b, low = a > b ? b : a;
  return low == -HUGE_VAL ? top : top + hl_log1p64(hl_exp64(low - top));
}

/* The logarithm of the sum of e^x over the classes. */
static inline double TYPED(ctc_norm)(const real *x, int64_t classes) {
  double top = -HUGE_VAL, sum = 0;
  for (int64_t k = 0; k < classes; k++) top = (double)x[k] > top ? (double)x[k] : top;
  for (int64_t k = 0; k < classes; k++) sum += hl_exp64((double)x[k] - top);
  return top + hl_log64(sum);
}

static inline int64_t TYPED(ctc_class)(const other *label, int64_t state, int64_t blank) {
  return state % 2 ? (int64_t)label[state / 2] : blank;
}

/* May a path reach a state from the one two before it? */
static inline bool TYPED(ctc_skips)(const other *label, int64_t state, int64_t blank) {
  const int64_t k = TYPED(ctc_class)(label, state, blank);
  return state >= 2 && k != blank && k != TYPED(ctc_class)(label, state - 2, blank);
}

static void TYPED(ctc_loss)(const real *data, const other *labels, const third *data_lengths,
                            const fourth *label_lengths, real *out, double *workspace, int64_t steps, int64_t batch,
                            int64_t classes, int64_t most, int64_t blank, int64_t padding) {
  for (int64_t b = 0; b < batch; b++) {
    const other *label = labels + b * most;
    const int64_t m = data_lengths ? (int64_t)data_lengths[b] : steps;
    int64_t n = label_lengths ? (int64_t)label_lengths[b] : 0, needed = 0;
    while (!label_lengths && n < most && (int64_t)label[n] != padding) n++;
    for (int64_t s = 3; s < 2 * n + 1; s += 2) needed += !TYPED(ctc_skips)(label, s, blank);
    out[b] = 0;
    if (n + needed > m || m == 0) continue;
    double *now = workspace, *before = workspace + 2 * most + 1;
    for (int64_t t = 0; t < m; t++) {
      const real *x = data + (t * batch + b) * classes;
      const double norm = TYPED(ctc_norm)(x, classes);
      double *turn = before;
      before = now;
      now = turn;
      for (int64_t s = 0; s < 2 * n + 1; s++) {
        double from = t > 0 ? before[s] : s < 2 ? 0 : -HUGE_VAL;
        if (t > 0 && s > 0) from = TYPED(ctc_sum)(from, before[s - 1]);
        if (t > 0 && TYPED(ctc_skips)(label, s, blank)) from = TYPED(ctc_sum)(from, before[s - 2]);
        now[s] = from + ((double)x[TYPED(ctc_class)(label, s, blank)] - norm);
      }
    }
    out[b] = (real)(0 - (n > 0 ? TYPED(ctc_sum)(now[2 * n], now[2 * n - 1]) : now[0]));
  }
}
