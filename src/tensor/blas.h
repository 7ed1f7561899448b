/* blas.h - matrix products, by OpenBLAS: float64 ones, and float32 ones where the processor has no fused
** multiply-adds (kernels/matmul/matmul_kernel.h chooses).
**
** The library is loaded at the first product, with dlopen, and not linked: several
** builds of it can be installed and its constructor runs before main, so only so
** can the build, the kernels (the core type) and the time of loading be chosen, under
** plain lua5.4 too.
*/
#ifndef HL_TENSOR_BLAS_H
#define HL_TENSOR_BLAS_H

#include "tensor/tensor.h"

/* c (m, n) = alpha * op(a) (m, k) * op(b) (k, n) + beta * c, row-major; op is the
** transpose where asked. float32 and float64. The same shape and transposes always
** make the same library calls, with any number of threads, so eager and compiled products have the same bits.
** Where m and n are 1 the products are added up in the order of base/math/tree_sum.h, as other sums are. */
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

/* `count` products of one shape, operands `stride_*` elements apart, each to the bits of
** blas_product. */
Status blas_products(const Product *first, int64_t count, int64_t stride_a, int64_t stride_b, int64_t stride_c);

/* Asks for the library's kernels in the environment; when hybridlua starts, for other threads may read that later. The
** first time in a process counts. */
void blas_prepare(void);

/* For lapack.c: the library's function of this name, NULL if it has none or there is no library. */
void *blas_function(const char *name);

/* What was chosen, for --info: "OpenBLAS 0.3.21, OpenMP, SkylakeX kernels". */
const char *blas_info(void);

#endif
