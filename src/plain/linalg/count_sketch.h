/* count_sketch.h - rows of n columns, each added to column h of `to` columns, times s: in the order of the columns. */
static void TYPED(count_sketch)(const real *data, const real *h, const real *s, real *out, int64_t rows, int64_t n,
                                int64_t to) {
  for (int64_t i = 0; i < rows * to; i++) out[i] = 0;
  for (int64_t row = 0; row < rows; row++)
    for (int64_t i = 0; i < n; i++) out[row * to + (int64_t)h[i]] += s[i] * data[row * n + i];
}
