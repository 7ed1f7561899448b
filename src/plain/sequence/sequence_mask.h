/* sequence_mask.h - steps of sequences of different lengths, in data (steps, batch, row) or, if `axis` is 1, (batch,
** steps, row). length (batch), or NULL: all steps. */

/* The first element of a step of a sequence. */
static inline int64_t TYPED(sequence_place)(int64_t step, int64_t sequence, int64_t steps, int64_t batch, int64_t row,
                                            int64_t axis) {
  return (axis == 1 ? sequence * steps + step : step * batch + sequence) * row;
}

/* Data with `value` past the lengths. */
static void TYPED(sequence_mask)(const real *data, const other *length, real *out, int64_t steps, int64_t batch,
                                 int64_t row, int64_t axis, real value) {
  for (int64_t t = 0; t < steps; t++)
    for (int64_t b = 0; b < batch; b++) {
      const int64_t at = TYPED(sequence_place)(t, b, steps, batch, row, axis);
      const bool kept = !length || t < (int64_t)length[b];
      for (int64_t i = at; i < at + row; i++) out[i] = kept ? data[i] : value;
    }
}

/* The last step of each sequence. */
static void TYPED(sequence_last)(const real *data, const other *length, real *out, int64_t steps, int64_t batch,
                                 int64_t row, int64_t axis) {
  for (int64_t b = 0; b < batch; b++) {
    const int64_t last = (length ? (int64_t)length[b] : steps) - 1;
    const int64_t at = TYPED(sequence_place)(last, b, steps, batch, row, axis);
    for (int64_t i = 0; i < row; i++) out[b * row + i] = data[at + i];
  }
}

/* Data (steps, batch, row) with the steps of each sequence reversed, up to its length. */
static void TYPED(sequence_reverse)(const real *data, const other *length, real *out, int64_t steps, int64_t batch,
                                    int64_t row) {
  for (int64_t t = 0; t < steps; t++)
    for (int64_t b = 0; b < batch; b++) {
      const int64_t n = length ? (int64_t)length[b] : steps, from = t < n ? n - 1 - t : t;
      for (int64_t i = 0; i < row; i++) out[(t * batch + b) * row + i] = data[(from * batch + b) * row + i];
    }
}
