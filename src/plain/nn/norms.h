/* norms.h - data divided by its deviation, its root mean square or its length along the axis of n elements of data
** (outer, n, inner). Sums are in the order of rows if inner is 1, else of columns (plain/common/sums.h).
*/
#include "plain/common/sums.h"

/* The sum of the n elements of y that are `inner` apart. */
static inline double TYPED(sum_along)(const real *y, int64_t n, int64_t inner) {
  return inner == 1 ? TYPED(sum_of_row)(y, n) : TYPED(sum_of_column)(y, n, inner);
}

/* (x - mean) / deviation * gamma + beta, where deviation is the root of the variance + eps. gamma and beta have one
** element for each of n if `channels` is 0; else that of line o is at o % channels. */
static void TYPED(layer_norm)(const real *data, const real *gamma, const real *beta, real *out, real *means,
                              real *deviations, int64_t outer, int64_t n, int64_t inner, int64_t channels, real eps) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const real *x = data + o * n * inner + c;
      real *y = out + o * n * inner + c;
      const real mean = (real)(TYPED(sum_along)(x, n, inner) / (double)n);
      for (int64_t i = 0; i < n; i++) y[i * inner] = (x[i * inner] - mean) * (x[i * inner] - mean);
      const real variance = (real)(TYPED(sum_along)(y, n, inner) / (double)n);
      const real deviation = SQRT(variance + eps), inverse = 1 / deviation;
      for (int64_t i = 0; i < n; i++) {
        const int64_t at = channels ? o % channels : i;
        y[i * inner] = (x[i * inner] - mean) * inverse * gamma[at] + beta[at];
      }
      if (means) means[o * inner + c] = mean;
      if (deviations) deviations[o * inner + c] = deviation;
    }
}

/* x * factor * gamma, where factor is 1 / the root of the mean square + eps. */
static void TYPED(rms_norm)(const real *data, const real *gamma, real *out, real *factors, int64_t outer, int64_t n,
                            int64_t inner, real eps) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const real *x = data + o * n * inner + c;
      real *y = out + o * n * inner + c;
      for (int64_t i = 0; i < n; i++) y[i * inner] = x[i * inner] * x[i * inner];
      const real mean = (real)(TYPED(sum_along)(y, n, inner) / (double)n), root = SQRT(mean + eps), factor = 1 / root;
      for (int64_t i = 0; i < n; i++) y[i * inner] = x[i * inner] * factor * gamma[i];
      if (factors) factors[o * inner + c] = factor;
    }
}

/* x / the root of the sum of squares + eps. */
static void TYPED(l2_norm)(const real *data, real *out, int64_t outer, int64_t n, int64_t inner, real eps) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const real *x = data + o * n * inner + c;
      real *y = out + o * n * inner + c;
      for (int64_t i = 0; i < n; i++) y[i * inner] = x[i * inner] * x[i * inner];
      const real sum = (real)TYPED(sum_along)(y, n, inner), norm = SQRT(sum + eps);
      for (int64_t i = 0; i < n; i++) y[i * inner] = x[i * inner] / norm;
    }
}
