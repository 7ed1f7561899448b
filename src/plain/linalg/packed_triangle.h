/* packed_triangle.h - triangles of square matrices with n rows, as vectors: a lower one row by row, an upper one column
** by column. Line i has i + 1 + offset elements, none if that is negative.
*/
static inline int64_t TYPED(line_length)(int64_t i, int64_t offset) { return i + 1 + offset > 0 ? i + 1 + offset : 0; }

static void TYPED(pack_triangle)(const real *data, real *out, int64_t matrices, int64_t n, int64_t offset, bool lower) {
  for (int64_t m = 0; m < matrices; m++)
    for (int64_t i = 0; i < n; i++)
      for (int64_t k = 0; k < TYPED(line_length)(i, offset); k++)
        *out++ = data[m * n * n + (lower ? i * n + k : k * n + i)];
}

/* The matrices with these triangles, and zeros. */
static void TYPED(unpack_triangle)(const real *data, real *out, int64_t matrices, int64_t n, int64_t offset,
                                   bool lower) {
  for (int64_t i = 0; i < matrices * n * n; i++) out[i] = 0;
  for (int64_t m = 0; m < matrices; m++)
    for (int64_t i = 0; i < n; i++)
      for (int64_t k = 0; k < TYPED(line_length)(i, offset); k++)
        out[m * n * n + (lower ? i * n + k : k * n + i)] = *data++;
}
