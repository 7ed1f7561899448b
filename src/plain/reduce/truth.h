/* truth.h - tests of elements: how many are not 0 over some axes (axes as in moments.h); NaN and infinities; equal
** arrays. NaN is not 0; integers are finite.
*/
#include "plain/common/numbers.h"
#include "plain/reduce/folded_place.h"

static inline int64_t TYPED(true_elements)(const real *x, int64_t runs, const int64_t folded[8],
                                           const int64_t fold_step[8], int64_t inner) {
  int64_t count = 0;
  for (int64_t i = 0; i < runs * inner; i++)
    count += x[TYPED(folded_place)(i / inner, folded, fold_step) + i % inner] != 0;
  return count;
}

static void TYPED(count_true)(const real *data, int64_t *out, int64_t outputs, const int64_t kept[8],
                              const int64_t kept_step[8], int64_t runs, const int64_t folded[8],
                              const int64_t fold_step[8], int64_t inner) {
  for (int64_t o = 0; o < outputs; o++)
    out[o] = TYPED(true_elements)(data + TYPED(folded_place)(o, kept, kept_step), runs, folded, fold_step, inner);
}

static void TYPED(any_true)(const real *data, bool *out, int64_t outputs, const int64_t kept[8],
                            const int64_t kept_step[8], int64_t runs, const int64_t folded[8],
                            const int64_t fold_step[8], int64_t inner) {
  for (int64_t o = 0; o < outputs; o++)
    out[o] = TYPED(true_elements)(data + TYPED(folded_place)(o, kept, kept_step), runs, folded, fold_step, inner) > 0;
}

static void TYPED(all_true)(const real *data, bool *out, int64_t outputs, const int64_t kept[8],
                            const int64_t kept_step[8], int64_t runs, const int64_t folded[8],
                            const int64_t fold_step[8], int64_t inner) {
  for (int64_t o = 0; o < outputs; o++) {
    const real *x = data + TYPED(folded_place)(o, kept, kept_step);
    out[o] = TYPED(true_elements)(x, runs, folded, fold_step, inner) == runs * inner;
  }
}

static void TYPED(test_nan)(const real *data, bool *out, int64_t n) {
  for (int64_t i = 0; i < n; i++) out[i] = TYPED(is_nan)(data[i]);
}

/* x - x is 0 for all finite numbers. */
static void TYPED(test_finite)(const real *data, bool *out, int64_t n) {
  for (int64_t i = 0; i < n; i++) out[i] = (double)data[i] - (double)data[i] == 0;
}

/* Infinite elements of either sign, or only those of one. */
static void TYPED(test_infinite)(const real *data, bool *out, int64_t n, bool plus, bool minus) {
  for (int64_t i = 0; i < n; i++) {
    const double x = (double)data[i];
    out[i] = (plus && x > 1.7976931348623157e308) || (minus && x < -1.7976931348623157e308);
  }
}

/* Are all pairs of elements equal? NaNs are, if `nan`. */
static void TYPED(all_equal)(const real *a, const real *b, bool *out, int64_t n, bool same_shape, bool nan) {
  *out = same_shape;
  for (int64_t i = 0; i < n && same_shape; i++)
    if (!(a[i] == b[i] || (nan && TYPED(is_nan)(a[i]) && TYPED(is_nan)(b[i])))) *out = false;
}

static inline bool TYPED(is_close)(real a, real b, bool nan, double rtol, double atol) {
  if (TYPED(is_nan)(a) || TYPED(is_nan)(b)) return nan && TYPED(is_nan)(a) && TYPED(is_nan)(b);
  if (a == b) return true;
  double apart = fabs((double)a - (double)b);
  if ((real)0.5 == 0 && sizeof(real) == 8)        /* the difference of 64-bit integers is exact */
    apart = (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
  return (double)b - (double)b == 0 && apart <= atol + rtol * fabs((double)b);
}

/* Do all pairs of elements differ by at most atol + rtol |b|? */
static void TYPED(all_close)(const real *a, const real *b, other *out, int64_t n, bool nan, double rtol, double atol) {
  *out = 1;
  for (int64_t i = 0; i < n; i++)
    if (!TYPED(is_close)(a[i], b[i], nan, rtol, atol)) *out = 0;
}
