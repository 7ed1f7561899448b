/* sums.h - the two orders of sums (base/math/tree_sum.h), of elements in memory. */

/* The sum of n consecutive elements: in blocks of 1,024, where element i belongs to lane i % 16 and the lanes are added
** by halves; the blocks in order in double, in groups of 1,048,576 elements; the groups in order. */
static inline double TYPED(sum_of_row)(const real *x, int64_t n) {
  double total = 0;
  for (int64_t group = 0; group < n; group += 1048576) {
    double part = 0;
    for (int64_t at = group; at < n && at < group + 1048576; at += 1024) {
      real lane[16] = { 0 };
      for (int64_t i = at; i < n && i < at + 1024; i++) lane[i % 16] += x[i];
      for (int half = 8; half > 0; half /= 2)
        for (int l = 0; l < half; l++) lane[l] += lane[l + half];
      part += (double)lane[0];
    }
    total = n > 1048576 ? total + part : part;
  }
  return total;
}

/* The sum of n elements that are `step` apart: 64 at a time in their own type, these parts in order in double, in groups
** of 1,048,576 elements; the groups in order. */
static inline double TYPED(sum_of_column)(const real *x, int64_t n, int64_t step) {
  double total = 0;
  for (int64_t group = 0; group < n; group += 1048576) {
    double all = 0;
    for (int64_t at = group; at < n && at < group + 1048576; at += 64) {
      real part = 0;
      for (int64_t i = at; i < n && i < at + 64; i++) part += x[i * step];
      all += (double)part;
    }
    total = group == 0 ? all : total + all;
  }
  return total;
}
