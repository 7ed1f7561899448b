/* variance.h - variances or standard deviations over some axes of data, by two passes as in moments.h, which describes
** axes and sums. Sums of floats within a block are rounded to float if `single`, else nothing is rounded but the
** output.
*/
#include "plain/reduce/folded_place.h"

/* A float result of two floats, computed in double, is rounded twice to the same bits. */
static inline double TYPED(spread_rounded)(double x, bool single) { return single ? (double)(float)x : x; }

/* x, or its deviation from the mean to a power of 1 or 2. */
static inline double TYPED(spread_term)(other x, double mean, int power, bool single) {
  if (power == 0) return TYPED(spread_rounded)((double)x, single);
  const double d = TYPED(spread_rounded)((double)x - mean, single);
  return power == 1 ? d : TYPED(spread_rounded)(d * d, single);
}

/* The sum of n terms of neighbouring elements, added to `total` block by block; those of a longer run in groups. */
static inline double TYPED(spread_of_run)(const other *x, int64_t n, double mean, int power, bool single,
                                          double total) {
  for (int64_t group = 0; group < n; group += 1048576) {
    double part = n > 1048576 ? 0 : total;
    for (int64_t at = group; at < n && at < group + 1048576; at += 1024) {
      double lane[16] = { 0 };
      for (int64_t i = at; i < n && i < at + 1024; i++)
        lane[i % 16] = TYPED(spread_rounded)(lane[i % 16] + TYPED(spread_term)(x[i], mean, power, single), single);
      for (int half = 8; half > 0; half /= 2)
        for (int l = 0; l < half; l++) lane[l] = TYPED(spread_rounded)(lane[l] + lane[l + half], single);
      part += lane[0];
    }
    total = n > 1048576 ? total + part : part;
  }
  return total;
}

/* The sum of terms over rows: 64 at a time, these parts in order in double, in groups. */
static inline double TYPED(spread_of_rows)(const other *x, int64_t rows, const int64_t folded[8],
                                           const int64_t fold_step[8], double mean, int power, bool single) {
  double total = 0;
  for (int64_t group = 0; group < rows; group += 1048576) {
    double all = 0;
    for (int64_t at = group; at < rows && at < group + 1048576; at += 64) {
      double part = 0;
      for (int64_t r = at; r < rows && r < at + 64; r++) {
        const other v = x[TYPED(folded_place)(r, folded, fold_step)];
        part = TYPED(spread_rounded)(part + TYPED(spread_term)(v, mean, power, single), single);
      }
      all += part;
    }
    total = group == 0 ? all : total + all;
  }
  return total;
}

/* The variance, from the sums of deviations and of their squares. */
static inline double TYPED(spread_of)(double deviations, double squares, int64_t n, int64_t ddof) {
  const double corrected = squares - (n > 0 ? deviations * deviations / (double)n : 0);
  return (corrected < 0 ? 0 : corrected) / (double)(n > ddof ? n - ddof : 0);
}

static inline double TYPED(spread_in_double)(const other *x, int64_t runs, const int64_t folded[8],
                                             const int64_t fold_step[8], int64_t inner, int64_t ddof) {
  const int64_t n = runs * inner;
  double sum = 0, deviations = 0, squares = 0;
  for (int64_t i = 0; i < n; i++) sum += (double)x[TYPED(folded_place)(i / inner, folded, fold_step) + i % inner];
  for (int64_t i = 0; i < n; i++) {
    const double d = (double)x[TYPED(folded_place)(i / inner, folded, fold_step) + i % inner] - sum / (double)n;
    deviations += d;
    squares += d * d;
  }
  return TYPED(spread_of)(deviations, squares, n, ddof);
}

static void TYPED(variance)(const other *data, real *out, int64_t outputs, const int64_t kept[8],
                            const int64_t kept_step[8], int64_t runs, const int64_t folded[8],
                            const int64_t fold_step[8], int64_t inner, bool contiguous, int64_t ddof, bool single,
                            bool root) {
  const int64_t n = runs * inner;
  for (int64_t o = 0; o < outputs; o++) {
    const other *x = data + TYPED(folded_place)(o, kept, kept_step);
    double sum[3] = { 0, 0, 0 }, mean = 0;
    for (int power = 0; power <= 2; power++) {
      for (int64_t r = 0; contiguous && r < runs; r++) {
        const other *run = x + TYPED(folded_place)(r, folded, fold_step);
        const double before = power == 0 ? 0 : sum[power];
        const double after = TYPED(spread_of_run)(run, inner, mean, power, single, before);
        sum[power] = power == 0 ? sum[0] + after : after;
      }
      if (!contiguous) sum[power] = TYPED(spread_of_rows)(x, runs, folded, fold_step, mean, power, single);
      if (power == 0) mean = TYPED(spread_rounded)(sum[0] / (double)n, single);
    }
    double spread = TYPED(spread_of)(sum[1], sum[2], n, ddof);
    if (single && !(sum[2] > 1e-28 && sum[2] <= 1.7976931348623157e308))
      spread = TYPED(spread_in_double)(x, runs, folded, fold_step, inner, ddof);
    out[o] = (real)(root ? sqrt(spread) : spread);
  }
}
