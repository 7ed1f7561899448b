/* recurrence.h - y[i] = term[i] + factor[i] y[i - 1] along the axis of n elements of (outer, n, inner), from the first
** element or, reversed, from the last one. The first result of a line is its term.
**
** Floats are in double, rounded when they are stored. Integers wrap.
*/
#include "plain/common/numbers.h"

static inline void TYPED(recurrence_of_floats)(const real *term, const real *factor, real *y, int64_t n, int64_t step) {
  double run = 0;
  for (int64_t i = 0; i < n; i++) {
    const double t = (double)term[i * step];
    run = i == 0 ? t : t + (double)factor[i * step] * run;
    y[i * step] = (real)run;
  }
}

static inline void TYPED(recurrence_of_integers)(const real *term, const real *factor, real *y, int64_t n,
                                                 int64_t step) {
  uint64_t run = 0;
  for (int64_t i = 0; i < n; i++) {
    const uint64_t t = (uint64_t)term[i * step];
    run = i == 0 ? t : t + (uint64_t)factor[i * step] * run;
    y[i * step] = (real)run;
  }
}

static void TYPED(recurrence)(const real *term, const real *factor, real *out, int64_t outer, int64_t n, int64_t inner,
                              bool reverse) {
  const real half = (real)0.5;
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const int64_t first = (o * n + (reverse ? n - 1 : 0)) * inner + c, step = reverse ? -inner : inner;
      if (half != 0) TYPED(recurrence_of_floats)(term + first, factor + first, out + first, n, step);
      else TYPED(recurrence_of_integers)(term + first, factor + first, out + first, n, step);
    }
}
