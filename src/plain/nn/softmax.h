/* softmax.h - e^(x - maximum) divided by its sum, along the axis of n elements of data (outer, n, inner); with
** `logarithm` the logarithm of that. x is first multiplied by `sign`, the difference by `factor`.
**
** length (outer, inner), or NULL: how many elements count; results of the others are 0. The maximum is NaN if an element
** is. Exponentials are added in the order of rows if inner is 1, else of columns (plain/common/sums.h).
*/
#include "plain/common/sums.h"

static void TYPED(softmax)(const other *data, const third *length, real *out, int64_t outer, int64_t n, int64_t inner,
                           bool logarithm, real sign, real factor) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const other *x = data + o * n * inner + c;
      real *y = out + o * n * inner + c, most = -(real)HUGE_VAL;
      const int64_t given = length ? (int64_t)length[o * inner + c] : n, m = given < 0 ? 0 : given > n ? n : given;
      for (int64_t i = 0; i < m; i++) {
        const real v = sign * (real)x[i * inner];
        most = most != most ? most : v > most || v != v ? v : most;
      }
      for (int64_t i = 0; i < m; i++) y[i * inner] = EXP_NONPOSITIVE((sign * (real)x[i * inner] - most) * factor);
      const real sum = (real)(inner == 1 ? TYPED(sum_of_row)(y, m) : TYPED(sum_of_column)(y, m, inner));
      for (int64_t i = 0; i < m; i++)
        y[i * inner] = logarithm ? (sign * (real)x[i * inner] - most) * factor - LOG(sum) : y[i * inner] / sum;
      for (int64_t i = m; i < n; i++) y[i * inner] = 0;
    }
}

/* The same for output layers, which have labels; predictions ignore these. */
static void TYPED(softmax_output)(const other *data, const third *label, real *out, int64_t outer, int64_t n,
                                  int64_t inner) {
  (void)label;
  TYPED(softmax)(data, NULL, out, outer, n, inner, false, 1, 1);
}
