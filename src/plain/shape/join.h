/* join.h - arrays joined and split along an axis, and added. Each of `outer` rows of the whole array consists of the
** rows of `count` parts; run[part] is the length of a part's rows.
*/

/* Out is the parts of data side by side. */
static void TYPED(join)(const real *const *data, real *out, int64_t count, const int64_t run[], int64_t outer) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t part = 0; part < count; part++)
      for (int64_t i = 0; i < run[part]; i++) *out++ = data[part][o * run[part] + i];
}

/* Out is the parts of data. */
static void TYPED(split)(const real *data, real *const *out, int64_t count, const int64_t run[], int64_t outer) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t part = 0; part < count; part++)
      for (int64_t i = 0; i < run[part]; i++) out[part][o * run[part] + i] = *data++;
}

/* Out is the sum of arrays of n elements, from left to right. */
static void TYPED(add_arrays)(const real *const *data, real *out, int64_t count, int64_t n) {
  const bool whole = (real)0.5 == 0;
  for (int64_t i = 0; i < n; i++) {
    real sum = data[0][i];
    for (int64_t k = 1; k < count; k++)
      sum = whole ? (real)((uint64_t)(int64_t)sum + (uint64_t)(int64_t)data[k][i]) : sum + data[k][i];
    out[i] = sum;
  }
}
