/* whole_product.h - products of matrices of integers, which wrap around: linalg/product.h without an order of sums. */

static void TYPED(whole_product)(const real *a, const real *b, real *out, int64_t size, const int64_t shape[8],
                                 const int64_t a_step[8], const int64_t b_step[8], int64_t k, int64_t a_term,
                                 int64_t b_term) {
  for (int64_t i = 0; i < size; i++) {
    int64_t x = 0, y = 0, at = i;
    for (int d = 7; d >= 0; at /= shape[d], d--) {
      x += at % shape[d] * a_step[d];
      y += at % shape[d] * b_step[d];
    }
    uint64_t sum = 0;
    for (int64_t t = 0; t < k; t++) sum += (uint64_t)a[x + t * a_term] * (uint64_t)b[y + t * b_term];
    out[i] = (real)sum;
  }
}
