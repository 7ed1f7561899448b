/* attention_kernel.h - softmax attention without its matrix of scores: the kernels of attention.
**
** Query i of a head sees the first seen(i) keys, except those that the mask takes away. Keys are taken in blocks of
** ATTEND_KEYS, counted from key 0. Of one query, in this order, all in the element type:
**   a score is a product over the width (kernels/matmul/product_order.h), times scale;
**   top becomes the greater of itself and the block's greatest score; c = exp(old top - top);
**   a weight is exp(score - top), 0 of a key that is not seen;
**   each of 16 totals is multiplied by c, and gets the weights of keys with its number modulo 16, in order;
** each element of the output is multiplied by c, and continues as a chain over the block's keys, of weight and value;
** and at the end it is divided by the total of totals, folded by halves: 0 where no key is seen. The logarithm of the
** sum is top + log total. Backwards, weights are exp(score - that logarithm). Let dot be the sum of g times the output
** over the width, in double in the order of base/math/tree_sum.h; the gradient of a score is weight (g value - dot)
** scale, where g value is such a product. The gradient of a query is the product of those of its scores and the keys
** that it sees; those of keys and values are products over the queries, each head's apart, with the chains of heads
** that share the keys added head by head. So nothing depends on other queries, on threads, or on how loops are cut.
** Float64 has the same order.
*/
#ifndef HL_KERNELS_SEQUENCE_ATTENTION_KERNEL_H
#define HL_KERNELS_SEQUENCE_ATTENTION_KERNEL_H

#include "ir/op.h"

enum { ATTEND_KEYS = 64, ATTEND_ROWS = 48 };

typedef struct Attend {
  DType dtype;
  int64_t batch, heads, shared;          /* shared: heads of query for one of keys */
  int64_t queries, keys, width, out;     /* out: the width of values */
  double scale;
  bool causal;
  int64_t lanes;                       /* 0; or, forwards, keys are (width, lanes) in memory, with this many lanes */
  const Tensor *mask, *length, *offset;  /* NULL: none */
  int64_t mask_step[4];                  /* of mask, in elements, from a batch, head, query, key to the next; or 0 */
  const void *q, *k, *v;
  void *result, *logsum;                 /* forward writes them (logsum may be NULL), backward reads them */
  const void *g;
  void *dq, *dk, *dv;
} Attend;

/* Fills in mask_step for a mask of this shape. */
void attend_lay_mask(Attend *a, const Shape *mask);

/* Bytes of a thread's workspace; lowers *most to the number of threads that can have work. */
size_t attend_workspace(const Attend *a, bool back, int *most);

/* How many keys a query sees, mask apart. */
int64_t attend_seen(const Attend *a, int64_t batch, int64_t query);

/* Which of n keys from `key` on the mask leaves to a query: 1 or 0 each. */
void attend_masked(const Attend *a, int64_t batch, int64_t head, int64_t query, int64_t key, int64_t n, uint8_t *to);

Status attend_forward(const Attend *a, const Call *c);
Status attend_backward(const Attend *a, const Call *c);

#endif
