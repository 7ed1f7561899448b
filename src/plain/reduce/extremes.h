/* extremes.h - the index of the greatest or least element along the axis of n elements of data (outer, n, inner): the
** first of equal ones, or that of the first NaN.
*/
#include "plain/common/numbers.h"

static void TYPED(extremes)(const real *data, real *out, int64_t outer, int64_t n, int64_t inner, bool least) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const real *x = data + o * n * inner + c;
      int64_t place = 0;
      for (int64_t i = 1; i < n; i++) {
        const real v = x[i * inner], best = x[place * inner];
        if (!TYPED(is_nan)(best) && (TYPED(is_nan)(v) || (least ? v < best : v > best))) place = i;
      }
      out[o * inner + c] = (real)place;
    }
}
