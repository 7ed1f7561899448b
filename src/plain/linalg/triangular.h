/* triangular.h - products of a triangular matrix a (n, n) and a matrix b (rows, columns), for a number of pairs: alpha
** times a b or, on the right side, b a. The elements of a that are not in its triangle count as 0. Sums have the order
** of plain/common/chains.h.
*/
#include "plain/common/chains.h"

static void TYPED(triangular)(const real *a, const real *b, real *out, real *workspace, int64_t pairs, int64_t n,
                              int64_t rows, int64_t columns, bool transpose, bool rightside, bool lower, real alpha) {
  const int64_t a_line = transpose ? 1 : n, a_column = transpose ? n : 1;      /* elements between lines of op(a) */
  for (int64_t pair = 0; pair < pairs; pair++, a += n * n, b += rows * columns) {
    for (int64_t i = 0; i < n * n; i++) workspace[i] = lower == (i % n <= i / n) || i % n == i / n ? a[i] : 0;
    for (int64_t r = 0; r < rows; r++)
      for (int64_t c = 0; c < columns; c++) {
        const real sum = rightside ? TYPED(sum_of_products)(b + r * columns, 1, workspace + c * a_column, a_line, n)
                                   : TYPED(sum_of_products)(workspace + r * a_line, a_column, b + c, columns, n);
        *out++ = alpha == 1 ? sum : alpha * sum;
      }
  }
}
