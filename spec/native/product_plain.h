/* product_plain.h - the definition of product_order.h as a plain loop, to compare with the kernels' bits. */
#ifndef HL_SPEC_NATIVE_PRODUCT_PLAIN_H
#define HL_SPEC_NATIVE_PRODUCT_PLAIN_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/matmul/product_order.h"

/* c (m, n) = alpha op(a) (m, k) op(b) (k, n) + beta c, all contiguous. */
static inline void product_plain(int64_t m, int64_t n, int64_t k, bool transpose_a, bool transpose_b, float alpha,
                                 const float *a, const float *b, float beta, float *c) {
  for (int64_t i = 0; i < m; i++)
    for (int64_t j = 0; j < n; j++) {
      float sum = 0;
      for (int64_t first = 0; first < k; first += PRODUCT_CHAIN) {
        float acc = 0;
        for (int64_t s = first; s < first + PRODUCT_CHAIN && s < k; s++)
          acc = fmaf(transpose_a ? a[s * m + i] : a[i * k + s], transpose_b ? b[j * k + s] : b[s * n + j], acc);
        sum = first == 0 ? acc : sum + acc;
      }
      if (alpha != 1) sum = alpha * sum;
      float *to = c + i * n + j;
      *to = beta == 0 ? sum : beta == 1 ? *to + sum : beta * *to + sum;
    }
}

#endif
