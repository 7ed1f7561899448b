/* pooling.h - the maximum, sum, mean or p-norm of each window over up to three axes of data.
**
** Data is planes of depth, height and width, `step` elements apart; plane p begins p / channels * batch_step + p %
** channels * channel_step elements into data, and likewise in the output. Missing axes have length 1.
*/

/* The maximum: the first of equal ones; a NaN wins. A window that reads no data gives minus the largest number. */
static void TYPED(pooling_max)(const real *data, real *out, int64_t planes, int64_t channels, const int64_t in_steps[3],
                               const int64_t out_steps[3], const int64_t in[3], const int64_t to[3],
                               const int64_t kernel[3], const int64_t stride[3], const int64_t pad[3]) {
  for (int64_t p = 0; p < planes; p++) {
    const real *from = data + p / channels * in_steps[0] + p % channels * in_steps[1];
    real *y = out + p / channels * out_steps[0] + p % channels * out_steps[1];
    for (int64_t d = 0; d < to[0]; d++)
      for (int64_t h = 0; h < to[1]; h++)
        for (int64_t w = 0; w < to[2]; w++, y += out_steps[2]) {
          real most = -(real)HUGE_VAL;
          bool reads = false;
          for (int64_t i = 0; i < kernel[0]; i++)
            for (int64_t j = 0; j < kernel[1]; j++)
              for (int64_t k = 0; k < kernel[2]; k++) {
                const int64_t z = d * stride[0] - pad[0] + i, u = h * stride[1] - pad[1] + j,
                              x = w * stride[2] - pad[2] + k;
                if (z < 0 || z >= in[0] || u < 0 || u >= in[1] || x < 0 || x >= in[2]) continue;
                const real v = from[((z * in[1] + u) * in[2] + x) * in_steps[2]];
                most = v > most || v != v ? v : most;
                reads = true;
              }
          *y = reads ? most : -LARGEST;
        }
  }
}

/* The number of places of a window that count in a mean: those in data and, if `padded`, in its padding, which on the
** far side ends after `pad` places. */
static inline int64_t TYPED(pooling_counted)(int64_t at, int64_t in, int64_t kernel, int64_t stride, int64_t pad,
                                             bool padded) {
  const int64_t first = at * stride - pad, end = first + kernel, most = padded ? in + pad : in;
  return (end < most ? end : most) - (padded || first > 0 ? first : 0);
}

/* The sum in double, in the order of places, of elements to the power `power`; then divided by the number of places if
** `mean`, or its root. */
static void TYPED(pooling_sum)(const real *data, real *out, int64_t planes, int64_t channels, const int64_t in_steps[3],
                               const int64_t out_steps[3], const int64_t in[3], const int64_t to[3],
                               const int64_t kernel[3], const int64_t stride[3], const int64_t pad[3], int64_t power,
                               bool mean, bool padded) {
  for (int64_t p = 0; p < planes; p++) {
    const real *from = data + p / channels * in_steps[0] + p % channels * in_steps[1];
    real *y = out + p / channels * out_steps[0] + p % channels * out_steps[1];
    for (int64_t d = 0; d < to[0]; d++)
      for (int64_t h = 0; h < to[1]; h++)
        for (int64_t w = 0; w < to[2]; w++, y += out_steps[2]) {
          double sum = 0;
          for (int64_t i = 0; i < kernel[0]; i++)
            for (int64_t j = 0; j < kernel[1]; j++)
              for (int64_t k = 0; k < kernel[2]; k++) {
                const int64_t z = d * stride[0] - pad[0] + i, u = h * stride[1] - pad[1] + j,
                              x = w * stride[2] - pad[2] + k;
                if (z < 0 || z >= in[0] || u < 0 || u >= in[1] || x < 0 || x >= in[2]) continue;
                const double v = (double)from[((z * in[1] + u) * in[2] + x) * in_steps[2]];
                sum += power == 1 ? v : power == 2 ? v * v : v * v * v;
              }
          if (mean) {
            const int64_t n = TYPED(pooling_counted)(d, in[0], kernel[0], stride[0], pad[0], padded) *
                              TYPED(pooling_counted)(h, in[1], kernel[1], stride[1], pad[1], padded) *
                              TYPED(pooling_counted)(w, in[2], kernel[2], stride[2], pad[2], padded);
            sum /= n > 0 ? (double)n : 1;
          }
          *y = (real)(power == 1 ? sum : power == 2 ? sqrt(sum) : CUBE_ROOT(sum));
        }
  }
}
