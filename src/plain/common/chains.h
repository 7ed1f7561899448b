/* chains.h - the order of products' sums (kernels/matmul/product_order.h). */

/* The sum of k products of elements a[i * a_step] and b[i * b_step]: chains of 256 multiply-adds, each from 0 and each
** step rounded once; the chains are added in order. */
static inline real TYPED(sum_of_products)(const real *a, int64_t a_step, const real *b, int64_t b_step, int64_t k) {
  real sum = 0;
  for (int64_t at = 0; at < k; at += 256) {
    real chain = 0;
    for (int64_t i = at; i < k && i < at + 256; i++) chain = FMA(a[i * a_step], b[i * b_step], chain);
    sum = at == 0 ? chain : sum + chain;
  }
  return sum;
}
