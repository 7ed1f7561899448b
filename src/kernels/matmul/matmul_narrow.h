/* matmul_narrow.h - products of many rows with one size of some hundreds, by tiles of our own in the registers.
**
** OpenBLAS 0.3.21 writes zeros to a result before it adds to it, and packs both operands. Here the first terms are
** written directly, and a is read in place unless it is transposed. An element is a sum of chains
** (fma_chain.h), one for each NARROW_TERMS terms of k, added one after another to c (beta = 1) or to the first of them.
** Its bits do not depend on the other rows and columns, nor on threads.
*/
#ifndef HL_KERNELS_MATMUL_MATMUL_NARROW_H
#define HL_KERNELS_MATMUL_MATMUL_NARROW_H

#include "tensor/blas.h"

enum { NARROW_TERMS = 256 };

/* Is there a kernel in this build for elements of this type, and for these factors? */
bool narrow_product_fits(const Product *p);

/* Of a product that fits, with all of lda, ldb, ldc. */
void narrow_product(const Product *p);

#endif
