/* sort.h - the first `most` elements in ascending or descending order along the axis of n elements of data (outer, n,
** inner). Equal elements keep their order, among them zeros of both signs; NaNs come last, and have no order.
**
** Workspace: 2 * n integers.
*/
#include "plain/common/numbers.h"

/* Must the element v come before u? */
static inline bool TYPED(comes_before)(real v, real u, bool descending) {
  if (TYPED(is_nan)(v)) return false;
  return TYPED(is_nan)(u) || (descending ? v > u : v < u);
}

/* The places of the n elements of x, `inner` apart, in order: neighbouring parts of 1, 2, 4, ... places are merged. */
static inline const int64_t *TYPED(sorted_places)(const real *x, int64_t *workspace, int64_t n, int64_t inner,
                                                  bool descending) {
  int64_t *from = workspace, *to = workspace + n;
  for (int64_t i = 0; i < n; i++) from[i] = i;
  for (int64_t length = 1; length < n; length *= 2) {
    for (int64_t at = 0; at < n; at += 2 * length) {
      const int64_t middle = at + length < n ? at + length : n, end = at + 2 * length < n ? at + 2 * length : n;
      int64_t left = at, right = middle;
      for (int64_t i = at; i < end; i++) {
        const bool use_right = left == middle ||
                               (right < end &&
                                TYPED(comes_before)(x[from[right] * inner], x[from[left] * inner], descending));
        to[i] = use_right ? from[right++] : from[left++];
      }
    }
    int64_t *const sorted = to;
    to = from;
    from = sorted;
  }
  return from;
}

/* The elements and, unless NULL, their places along the axis. */
static void TYPED(sort)(const real *data, real *out, other *places, int64_t *workspace, int64_t outer, int64_t n,
                        int64_t inner, int64_t most, bool descending) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const real *x = data + o * n * inner + c;
      const int64_t *place = TYPED(sorted_places)(x, workspace, n, inner, descending);
      for (int64_t i = 0; i < most; i++) {
        const int64_t at = (o * most + i) * inner + c;
        out[at] = x[place[i] * inner];
        if (places) places[at] = (other)place[i];
      }
    }
}

/* The elements alone. */
static void TYPED(sort_values)(const real *data, real *out, int64_t *workspace, int64_t outer, int64_t n, int64_t inner,
                               int64_t most, bool descending) {
  TYPED(sort)(data, out, NULL, workspace, outer, n, inner, most, descending);
}

/* The places alone. */
static void TYPED(sort_places)(const real *data, other *places, int64_t *workspace, int64_t outer, int64_t n,
                               int64_t inner, int64_t most, bool descending) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      const int64_t *place = TYPED(sorted_places)(data + o * n * inner + c, workspace, n, inner, descending);
      for (int64_t i = 0; i < most; i++) places[(o * most + i) * inner + c] = (other)place[i];
    }
}

/* 1 at their places in an array of data's shape, 0 elsewhere. */
static void TYPED(sort_mask)(const real *data, real *out, int64_t *workspace, int64_t outer, int64_t n, int64_t inner,
                             int64_t most, bool descending) {
  for (int64_t o = 0; o < outer; o++)
    for (int64_t c = 0; c < inner; c++) {
      real *y = out + o * n * inner + c;
      const int64_t *place = TYPED(sorted_places)(data + o * n * inner + c, workspace, n, inner, descending);
      for (int64_t i = 0; i < n; i++) y[i * inner] = 0;
      for (int64_t i = 0; i < most; i++) y[place[i] * inner] = 1;
    }
}
