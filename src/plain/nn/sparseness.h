/* sparseness.h - data (rows, columns), and the state of each column, both unchanged: only training moves the state. */
static void TYPED(sparseness)(const real *data, const real *moving_avg, real *out, real *mean, int64_t rows,
                              int64_t columns) {
  for (int64_t i = 0; i < rows * columns; i++) out[i] = data[i];
  for (int64_t k = 0; k < columns; k++) mean[k] = moving_avg[k];
}
