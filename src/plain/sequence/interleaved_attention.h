/* interleaved_attention.h - products of the vectors of `heads` (sequences x heads), each a sum in the order of
** plain/common/chains.h.
**
** Vectors of an array begin `first` elements into it, those of the next head `head` elements later, and those of the
** next position `row` elements later.
*/
#include "plain/common/chains.h"

/* factor times the product of each vector of a with each of b, which is a if NULL: (heads, m, n). Vectors of no elements
** give 0. */
static void TYPED(interleaved_scores)(const real *a, const real *b, real *out, int64_t heads, int64_t m, int64_t n,
                                      int64_t size, int64_t a_first, int64_t a_head, int64_t a_row, int64_t b_first,
                                      int64_t b_head, int64_t b_row, real factor) {
  for (int64_t h = 0; h < heads; h++)
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++) {
        const real *x = a + a_first + h * a_head + i * a_row, *y = (b ? b : a) + b_first + h * b_head + j * b_row;
        out[(h * m + i) * n + j] = size == 0 ? 0 : TYPED(sum_of_products)(x, 1, y, 1, size) * factor;
      }
}

/* The sums of n vectors of x weighted by the rows of weights (heads, m, n): (m, heads, size). */
static void TYPED(interleaved_mix)(const real *x, const real *weights, real *out, int64_t heads, int64_t m, int64_t n,
                                   int64_t size, int64_t first, int64_t head, int64_t row) {
  for (int64_t i = 0; i < m; i++)
    for (int64_t h = 0; h < heads; h++)
      for (int64_t j = 0; j < size; j++)
        out[(i * heads + h) * size + j] = TYPED(sum_of_products)(weights + (h * m + i) * n, 1, x + first + h * head + j,
                                                                 row, n);
}
