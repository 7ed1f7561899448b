/* fourier.h - discrete Fourier transforms of rows of n numbers, in double, without a factor.
**
** If n is a power of 2: numbers in the order of their places' bits reversed, then steps that combine halves (J. Cooley,
** J. Tukey, 1965). Otherwise each result is the sum of its n terms in order. Workspace: 5 * n numbers, the factors
** e^(-+2 pi i k / n), each with its imaginary part negated as well, and a row of complex numbers.
*/

/* a + b c. Sums alone: some compilers fuse the multiplications of a difference and a sum. */
static inline void TYPED(add_product)(const double *a, double b_re, double b_im, double minus_b_im, const double *c,
                                      double *to) {
  const double re = a[0] + (b_re * c[0] + minus_b_im * c[1]), im = a[1] + (b_re * c[1] + b_im * c[0]);
  to[0] = re;
  to[1] = im;
}

static inline void TYPED(transform_by_halves)(const double *turn, double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    int64_t reversed = 0;
    for (int64_t bit = 1; bit < n; bit *= 2) reversed = 2 * reversed + (i / bit) % 2;
    for (int c = 0; c < 2 && i < reversed; c++) {
      const double kept = x[2 * i + c];
      x[2 * i + c] = x[2 * reversed + c];
      x[2 * reversed + c] = kept;
    }
  }
  for (int64_t half = 1; half < n; half *= 2)
    for (int64_t first = 0; first < n; first += 2 * half)
      for (int64_t k = first; k < first + half; k++) {
        const double *t = turn + 3 * (k - first) * (n / (2 * half));
        double low[2], *high = x + 2 * (k + half);
        low[0] = x[2 * k];
        low[1] = x[2 * k + 1];
        TYPED(add_product)(low, t[0], t[1], t[2], high, x + 2 * k);
        TYPED(add_product)(low, -t[0], t[2], t[1], high, high);
      }
}

static inline void TYPED(transform_rows)(const real *data, real *out, double *workspace, int64_t rows, int64_t n,
                                         bool inverse) {
  double *turn = workspace, *x = workspace + 3 * n;
  for (int64_t k = 0; k < n; k++) {
    const double part = (double)k / (double)n, sine = hl_cos_turns64(part - 0.25);
    turn[3 * k] = hl_cos_turns64(part);
    turn[3 * k + 1] = inverse ? sine : -sine;
    turn[3 * k + 2] = -turn[3 * k + 1];
  }
  for (int64_t row = 0; row < rows; row++) {
    const bool power = (n & (n - 1)) == 0;
    for (int64_t i = 0; i < n; i++) {
      x[2 * i] = inverse ? (double)data[2 * (row * n + i)] : (double)data[row * n + i];
      x[2 * i + 1] = inverse ? (double)data[2 * (row * n + i) + 1] : 0;
    }
    if (power) TYPED(transform_by_halves)(turn, x, n);
    for (int64_t k = 0; k < n; k++) {
      double sum[2] = { 0, 0 };
      for (int64_t i = 0; i < n && !power; i++) {
        const double *t = turn + 3 * (i * k % n);
        TYPED(add_product)(sum, t[0], t[1], t[2], x + 2 * i, sum);
      }
      const double *y = power ? x + 2 * k : sum;
      if (inverse) out[row * n + k] = (real)y[0];
      if (!inverse) out[2 * (row * n + k)] = (real)y[0];
      if (!inverse) out[2 * (row * n + k) + 1] = (real)y[1];
    }
  }
}

/* Of real numbers; results are pairs, the real part first. */
static void TYPED(fourier)(const real *data, real *out, double *workspace, int64_t rows, int64_t n) {
  TYPED(transform_rows)(data, out, workspace, rows, n, false);
}

/* The real parts of inverse transforms of such pairs. */
static void TYPED(inverse_fourier)(const real *data, real *out, double *workspace, int64_t rows, int64_t n) {
  TYPED(transform_rows)(data, out, workspace, rows, n, true);
}
