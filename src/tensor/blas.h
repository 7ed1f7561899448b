/* blas.h - matrix products by OpenBLAS: float64, and float32 on processors without fused multiply-adds
** (kernels/matmul/matrix_product.h chooses).
**
** The library is not linked but loaded with dlopen at the first product. Several builds of it can be installed, and its
** constructor runs before main. Only dlopen allows choosing the build, the kernels (the core type) and the time of
** loading, even under plain lua5.4.
*/
#ifndef HL_TENSOR_BLAS_H
#define HL_TENSOR_BLAS_H

#include "tensor/tensor.h"

/* c (m, n) = alpha * op(a) (m, k) * op(b) (k, n) + beta * c, row-major; op transposes on request. float32 and float64.
** Shapes and transposes alone determine the library calls, whatever the number of threads, so eager and compiled
** products have the same bits. If m and n are 1, the products are summed in the order of base/math/tree_sum.h, like
** other sums. */
typedef struct Product {
  DType dtype;
  bool transpose_a, transpose_b;
  int64_t m, n, k;
  double alpha, beta;
  const void *a, *b;
  void *c;
  int64_t lda, ldb, ldc;   /* elements from one row to the next; 0: densely packed */
} Product;
Status blas_product(const Product *p);

/* `count` products of one shape, with operands `stride_*` elements apart; each has the bits of blas_product. */
Status blas_products(const Product *first, int64_t count, int64_t stride_a, int64_t stride_b, int64_t stride_c);

/* Requests the library's kernels in the environment; called when hybridlua starts, because other threads may read it
** later. Only the first call in a process has an effect. */
void blas_prepare(void);

/* For lapack.c: the library's function with this name; NULL if there is none. */
void *blas_function(const char *name);

/* The library in use, for --info: "OpenBLAS 0.3.21, OpenMP, SkylakeX kernels". */
const char *blas_info(void);

#endif
