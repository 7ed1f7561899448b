/* triangle.h - matrices (rows, columns) with the elements above the k-th diagonal, or those below it, replaced by 0.
** Matrix m begins at m * matrix_step in data, and its rows are row_step apart.
*/
static void TYPED(triangle)(const real *data, real *out, int64_t matrices, int64_t rows, int64_t columns,
                            int64_t matrix_step, int64_t row_step, int64_t k, bool lower) {
  for (int64_t m = 0; m < matrices; m++)
    for (int64_t i = 0; i < rows; i++)
      for (int64_t j = 0; j < columns; j++) {
        const bool kept = lower ? j - i <= k : j - i >= k;
        out[(m * rows + i) * columns + j] = kept ? data[m * matrix_step + i * row_step + j] : 0;
      }
}
