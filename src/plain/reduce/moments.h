/* moments.h - mean and variance over some axes of data.
**
** The output's axes have sizes `kept` and steps kept_step in data; for each output, `runs` runs or rows are folded,
** whose beginnings are an array of sizes `folded` and steps fold_step (missing axes come first and have size 1). With
** `contiguous` a run is `inner` neighbouring elements, summed in the order of rows (plain/common/sums.h); otherwise
** each row has one element, and sums have the order of columns.
**
** The sums are of d = x - mean and of d^2. Sums of floats that over- or underflow are computed again in double, element
** by element.
*/
#include "plain/common/sums.h"
#include "plain/reduce/folded_place.h"

/* The sum of (x - mean)^power over at most 1,024 neighbouring elements, in 16 lanes. */
static inline real TYPED(moments_block)(const real *x, int64_t n, real mean, int power) {
  real lane[16] = { 0 };
  for (int64_t i = 0; i < n; i++) lane[i % 16] += power == 1 ? x[i] - mean : (x[i] - mean) * (x[i] - mean);
  for (int half = 8; half > 0; half /= 2)
    for (int l = 0; l < half; l++) lane[l] += lane[l + half];
  return lane[0];
}

/* The same over runs: all blocks in order in double; those of a longer run in groups of 1,048,576 elements. */
static inline double TYPED(moments_of_runs)(const real *x, int64_t runs, const int64_t folded[8],
                                            const int64_t fold_step[8], int64_t inner, real mean, int power) {
  double total = 0;
  for (int64_t r = 0; r < runs; r++) {
    const real *run = x + TYPED(folded_place)(r, folded, fold_step);
    for (int64_t group = 0; group < inner; group += 1048576) {
      double part = inner > 1048576 ? 0 : total;
      for (int64_t at = group; at < inner && at < group + 1048576; at += 1024)
        part += (double)TYPED(moments_block)(run + at, inner - at < 1024 ? inner - at : 1024, mean, power);
      total = inner > 1048576 ? total + part : part;
    }
  }
  return total;
}

/* The sum of (x - mean)^power, or of x, over rows: 64 at a time, these parts in order in double, in groups. */
static inline double TYPED(moments_of_rows)(const real *x, int64_t rows, const int64_t folded[8],
                                            const int64_t fold_step[8], real mean, int power) {
  double total = 0;
  for (int64_t group = 0; group < rows; group += 1048576) {
    double all = 0;
    for (int64_t at = group; at < rows && at < group + 1048576; at += 64) {
      real part = 0;
      for (int64_t r = at; r < rows && r < at + 64; r++) {
        const real v = x[TYPED(folded_place)(r, folded, fold_step)], d = power == 0 ? v : v - mean;
        part += power == 2 ? d * d : d;
      }
      all += (double)part;
    }
    total = group == 0 ? all : total + all;
  }
  return total;
}

/* The variance of n elements from the sums of deviations and of their squares. */
static inline real TYPED(variance_of)(double deviations, double squares, int64_t n) {
  const double corrected = squares - (n > 0 ? deviations * deviations / (double)n : 0);
  return (real)((corrected < 0 ? 0 : corrected) / (double)n);
}

static inline void TYPED(moments_in_double)(const real *x, int64_t runs, const int64_t folded[8],
                                            const int64_t fold_step[8], int64_t inner, real *mean, real *var) {
  const int64_t n = runs * inner;
  double sum = 0, deviations = 0, squares = 0;
  for (int64_t i = 0; i < n; i++) sum += (double)x[TYPED(folded_place)(i / inner, folded, fold_step) + i % inner];
  for (int64_t i = 0; i < n; i++) {
    const double d = (double)x[TYPED(folded_place)(i / inner, folded, fold_step) + i % inner] - sum / (double)n;
    deviations += d;
    squares += d * d;
  }
  *mean = (real)(sum / (double)n);
  *var = TYPED(variance_of)(deviations, squares, n);
}

static void TYPED(moments)(const real *data, real *means, real *vars, int64_t outputs, const int64_t kept[8],
                           const int64_t kept_step[8], int64_t runs, const int64_t folded[8],
                           const int64_t fold_step[8], int64_t inner, bool contiguous) {
  const int64_t n = runs * inner;
  for (int64_t o = 0; o < outputs; o++) {
    const real *x = data + TYPED(folded_place)(o, kept, kept_step);
    double sum = 0;
    for (int64_t r = 0; contiguous && r < runs; r++)
      sum += TYPED(sum_of_row)(x + TYPED(folded_place)(r, folded, fold_step), inner);
    if (!contiguous) sum = TYPED(moments_of_rows)(x, runs, folded, fold_step, 0, 0);
    const real mean = (real)(sum / (double)n);
    double parts[3];
    for (int power = 1; power <= 2; power++)
      parts[power] = contiguous ? TYPED(moments_of_runs)(x, runs, folded, fold_step, inner, mean, power)
                                : TYPED(moments_of_rows)(x, runs, folded, fold_step, mean, power);
    means[o] = mean;
    vars[o] = TYPED(variance_of)(parts[1], parts[2], n);
    if (sizeof(real) == 4 && !(parts[2] > 1e-28 && parts[2] <= 1.7976931348623157e308))
      TYPED(moments_in_double)(x, runs, folded, fold_step, inner, means + o, vars + o);
  }
}
