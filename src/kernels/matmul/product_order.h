/* product_order.h - what fixes the bits of a float32 matrix product, and of all that is made of such products.
**
** An element is a sum of chains. Chain t has the terms PRODUCT_CHAIN t to PRODUCT_CHAIN (t + 1) - 1 of the k terms,
** the last chain those that are left, never filled up. A chain begins with +0 and takes one term after another, acc =
** a * b + acc, rounded once. The sum is chain 0, to which chains 1, 2, ... are added one after another, each addition
** rounded. With k = 0 it is +0. The steps after the sum are done element by element, each step rounded once, and left
** out where it would change nothing: alpha * sum (alpha not 1); + bias; c + that (beta = 1), or beta * c + that, which
** rounds twice. With beta = 0 c is not read. An alpha of 0 multiplies: NaN stays.
**
** So an element depends on its row of a, its column of b and k alone: not on m, n, other rows, threads, vectors,
** transposes, batches, packed weights, or mode. NaN equals NaN: its sign and payload are not promised. Everything else
** may be chosen freely. Where the processor has no fused multiply-add, float32 products are OpenBLAS's, as float64 ones
** are everywhere, and nothing of this is promised.
*/
#ifndef HL_KERNELS_MATMUL_PRODUCT_ORDER_H
#define HL_KERNELS_MATMUL_PRODUCT_ORDER_H

enum { PRODUCT_CHAIN = 256 };

#endif
