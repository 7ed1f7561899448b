/* product_order.h - the order of operations that fixes the bits of a float32 matrix product and of everything built
** from such products.
**
** An element is a sum of chains. Chain t has the terms PRODUCT_CHAIN t to PRODUCT_CHAIN (t + 1) - 1 of the k terms; the
** last chain has the remaining ones, without padding. A chain starts with +0 and adds one term after another, acc = a *
** b + acc, rounded once. The sum is chain 0, to which chains 1, 2, ... are added one after another, each addition
** rounded. For k = 0 it is +0. The following steps are elementwise, each rounded once, and skipped if they change
** nothing: alpha * sum (alpha not 1); + bias; c + that (beta = 1), or beta * c + that, which rounds twice. If beta = 0,
** c is not read. An alpha of 0 multiplies, too, so NaN stays.
**
** So an element depends on its row of a, its column of b and k alone: not on m, n, other rows, threads, vectors,
** transposes, batches, packed weights, or mode. NaN equals NaN: its sign and payload are unspecified. Everything else
** may be chosen freely. On processors without fused multiply-adds, float32 products are OpenBLAS's, like float64 ones
** everywhere, and none of this is guaranteed.
*/
#ifndef HL_KERNELS_MATMUL_PRODUCT_ORDER_H
#define HL_KERNELS_MATMUL_PRODUCT_ORDER_H

enum { PRODUCT_CHAIN = 256 };

#endif
