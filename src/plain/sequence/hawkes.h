/* hawkes.h - the log likelihood of marked self-exciting processes with exponential decay (A. Hawkes, 1971), for
** sequences of events. Each has a mark and the time since the one before. Events are visited in order; a mark's state
** decays with rate beta, and increases by 1 with each of its events.
**
** lda and state are (sequences, marks), lags and marks (sequences, events). Workspace: the time of each mark's last
** event.
*/
static void TYPED(hawkes_likelihood)(const real *lda, const real *alpha, const real *beta, const real *state,
                                     const real *lags, const int32_t *marks, const real *valid_length,
                                     const real *max_time, real *out, real *states, real *workspace, int64_t sequences,
                                     int64_t n_marks, int64_t events) {
  for (int64_t row = 0; row < sequences; row++) {
    real t = 0, sum = 0, *s = states + row * n_marks, *last = workspace;
    for (int64_t k = 0; k < n_marks; k++) {
      s[k] = state[row * n_marks + k];
      last[k] = 0;
    }
    for (int64_t i = 0; i < (int64_t)valid_length[row]; i++) {
      const int64_t k = marks[row * events + i];
      t += lags[row * events + i];
      const real base = lda[row * n_marks + k], d = t - last[k], decay = EXP(-beta[k] * d);
      const real intensity = base + alpha[k] * beta[k] * s[k] * decay;
      sum += LOG(intensity) - (base * d + alpha[k] * s[k] * (1 - decay));
      s[k] = s[k] * decay + 1;
      last[k] = t;
    }
    for (int64_t k = 0; k < n_marks; k++) {
      const real d = max_time[row] - last[k], decay = EXP(-beta[k] * d);
      sum -= lda[row * n_marks + k] * d + alpha[k] * s[k] * (1 - decay);
      s[k] *= decay;
    }
    out[row] = sum;
  }
}
