/* channel_norms.h - data (outer, channels, inner) normalized by statistics of its channels that are given, or by its
** neighbouring channels.
*/

/* (x - mean) * scale + beta, where scale is gamma / the root of the variance + eps; gamma counts as 1 if `fixed`. With
** `relu`, negative results are 0. `means` and `inverses` are the statistics as they were used. */
static void TYPED(batch_norm)(const real *data, const real *gamma, const real *beta, const real *mean,
                              const real *variance, real *out, real *means, real *inverses, int64_t outer,
                              int64_t channels, int64_t inner, bool fixed, bool relu, real eps) {
  for (int64_t c = 0; c < channels; c++) {
    const real inverse = 1 / SQRT(variance[c] + eps), scale = (fixed ? 1 : gamma[c]) * inverse;
    for (int64_t o = 0; o < outer; o++)
      for (int64_t i = 0; i < inner; i++) {
        const int64_t at = (o * channels + c) * inner + i;
        const real y = (data[at] - mean[c]) * scale + beta[c];
        out[at] = relu ? (real)(y > 0 || y != y ? y : 0) : y;
      }
    if (means) means[c] = mean[c];
    if (inverses) inverses[c] = inverse;
  }
}

/* x * (scale * the sum of squares over the channels up to `reach` away + knorm) to the power `exponent`. */
static void TYPED(lrn)(const real *data, real *out, int64_t outer, int64_t channels, int64_t inner, int64_t reach,
                       real scale, real knorm, real exponent) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < channels; c++)
      for (int64_t i = 0; i < inner; i++) {
        const real *x = data + o * channels * inner + i;
        real sum = 0;
        for (int64_t k = c < reach ? 0 : c - reach; k < channels && k <= c + reach; k++)
          sum += x[k * inner] * x[k * inner];
        out[(o * channels + c) * inner + i] = x[c * inner] * POWER(sum * scale + knorm, exponent);
      }
}
