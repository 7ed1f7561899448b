/* cumsum.h - the sum of each element and all before it along the axis of n elements of data (outer, n, inner).
**
** Sums of floats are in double, one element after another. In float32, if inner is 1, whole groups of 16 elements are
** summed first: each element plus those 1, 2, 4 and 8 before it; the sum of all groups before is added in double.
*/
#include "plain/common/conversion.h"

/* The sums in a group. */
static inline void TYPED(sums_of_group)(real sum[16]) {
  for (int step = 1; step < 16; step *= 2)
    for (int i = 15; i >= 0; i--) sum[i] += i >= step ? sum[i - step] : 0;
}

static inline void TYPED(sums_of_floats)(const other *x, real *y, int64_t n, int64_t inner) {
  const int64_t groups = sizeof(real) == 4 && inner == 1 ? n / 16 : 0;
  double total = 0;
  for (int64_t g = 0; g < groups; g++) {
    real sum[16];
    for (int i = 0; i < 16; i++) sum[i] = TYPED(converted)(x[16 * g + i]);
    TYPED(sums_of_group)(sum);
    for (int i = 0; i < 16; i++) y[16 * g + i] = (real)((double)sum[i] + total);
    total += (double)sum[15];
  }
  for (int64_t i = 16 * groups; i < n; i++) {
    total += (double)TYPED(converted)(x[i * inner]);
    y[i * inner] = (real)total;
  }
}

static inline void TYPED(sums_of_integers)(const other *x, real *y, int64_t n, int64_t inner) {
  uint64_t total = 0;
  for (int64_t i = 0; i < n; i++) {
    total += (uint64_t)TYPED(converted)(x[i * inner]);
    y[i * inner] = (real)total;
  }
}

static void TYPED(cumsum)(const other *data, real *out, int64_t outer, int64_t n, int64_t inner) {
  const real half = (real)0.5;
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const int64_t first = o * n * inner + c;
      if (half != 0) TYPED(sums_of_floats)(data + first, out + first, n, inner);
      else TYPED(sums_of_integers)(data + first, out + first, n, inner);
    }
}
