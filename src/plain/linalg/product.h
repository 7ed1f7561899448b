/* product.h - products of matrices: an element of the output is a sum of products of elements of two operands, in the
** order of plain/common/chains.h.
**
** The output's elements are numbered as in an array of `shape` (each axis of the output, and 1 for missing ones); a
** step along axis d moves by a_step[d] elements in a, and so on. Successive terms are a_term and b_term elements apart.
*/
#include "plain/common/chains.h"

/* The element with number `at` of an array of `shape`, in an operand with these steps. */
static inline int64_t TYPED(product_place)(int64_t at, const int64_t *shape, const int64_t *step) {
  int64_t place = 0;
  for (int d = 7; d >= 0; at /= shape[d], d--) place += at % shape[d] * step[d];
  return place;
}

static void TYPED(product)(const real *a, const real *b, real *out, int64_t size, const int64_t shape[8],
                           const int64_t a_step[8], const int64_t b_step[8], int64_t k, int64_t a_term, int64_t b_term,
                           real alpha) {
  for (int64_t i = 0; i < size; i++) {
    const real sum = TYPED(sum_of_products)(a + TYPED(product_place)(i, shape, a_step), a_term,
                                            b + TYPED(product_place)(i, shape, b_step), b_term, k);
    out[i] = alpha == 1 ? sum : alpha * sum;
  }
}

/* A product of a and itself, transposed. */
static void TYPED(own_product)(const real *a, real *out, int64_t size, const int64_t shape[8], const int64_t a_step[8],
                               const int64_t b_step[8], int64_t k, int64_t a_term, int64_t b_term, real alpha) {
  TYPED(product)(a, a, out, size, shape, a_step, b_step, k, a_term, b_term, alpha);
}

/* alpha times the product, plus beta c. If beta is 0, c is not read. */
static void TYPED(product_plus)(const real *a, const real *b, const real *c, real *out, int64_t size,
                                const int64_t shape[8], const int64_t a_step[8], const int64_t b_step[8], int64_t k,
                                int64_t a_term, int64_t b_term, real alpha, real beta) {
  TYPED(product)(a, b, out, size, shape, a_step, b_step, k, a_term, b_term, alpha);
  for (int64_t i = 0; i < size; i++)
    if (beta != 0) out[i] = (beta == 1 ? c[i] : beta * c[i]) + out[i];
}

/* A dense layer: data (rows, features) times the transpose of weight (hidden, features), plus bias (hidden) or NULL. */
static void TYPED(dense)(const real *data, const real *weight, const real *bias, real *out, int64_t rows,
                         int64_t hidden, int64_t features) {
  for (int64_t r = 0; r < rows; r++)
    for (int64_t j = 0; j < hidden; j++) {
      const real sum = TYPED(sum_of_products)(data + r * features, 1, weight + j * features, 1, features);
      out[r * hidden + j] = bias ? sum + bias[j] : sum;
    }
}
