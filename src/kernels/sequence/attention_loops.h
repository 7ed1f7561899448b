/* attention_loops.h - softmax attention without the full score matrix.
**
** Query i of a head sees the first seen(i) keys, except masked ones. Keys are processed in blocks of ATTEND_KEYS,
** counted from key 0. For one query and block, in this order and in the element type:
**   - a score is a product over the width (kernels/matmul/product_order.h), times scale;
**   - top becomes the maximum of itself and the block's scores; c = exp(old top - top);
**   - a weight is exp(score - top), 0 for an unseen key;
**   - each of 16 totals is multiplied by c; then the weights are added in order, that of key k to total k modulo 16;
**   - each element of the output is multiplied by c, then continues as a chain: + weight * value, key by key.
** Finally the totals are folded by halves into one, which divides each element; without a seen key, elements are 0.
** logsum is top + log total.
**
** Backwards, weights are exp(score - logsum). Let dot be the sum of g times the output over the width, in
** double in the order of base/math/tree_sum.h. The gradient of a score is weight (g value - dot) scale, where g value
** is a product as above. The gradient of a query is the product of its scores' gradients and the keys that it sees.
** Those of keys and values are products over the queries, separate for each head; for heads that share keys, their
** chains are added head by head. So nothing depends on other queries, on threads, or on the division of loops. Float64
** has the same order.
*/
#ifndef HL_KERNELS_SEQUENCE_ATTENTION_LOOPS_H
#define HL_KERNELS_SEQUENCE_ATTENTION_LOOPS_H

#include "ir/op.h"

enum { ATTEND_KEYS = 64, ATTEND_ROWS = 48 };

typedef struct Attend {
  DType dtype;
  int64_t batch, heads, shared;          /* shared: query heads per key head */
  int64_t queries, keys, width, out;     /* out: the width of values */
  double scale;
  bool causal;
  int64_t lanes;                       /* 0; or, forwards, keys are (width, lanes) in memory */
  const Tensor *mask, *length, *offset;  /* NULL if none */
  int64_t mask_step[4];                  /* of mask, in elements, from one batch, head, query, key to the next; 0 if
                                         ** broadcast */
  const void *q, *k, *v;
  void *result, *logsum;                 /* written by forward (logsum may be NULL), read by backward */
  const void *g;
  void *dq, *dk, *dv;
} Attend;

/* Sets mask_step for a mask of this shape. */
void attend_lay_mask(Attend *a, const Shape *mask);

/* Bytes of workspace per thread; lowers *most to the number of threads that can have work. */
size_t attend_workspace(const Attend *a, bool back, int *most);

/* The number of keys that a query sees, without regard to the mask. */
int64_t attend_seen(const Attend *a, int64_t batch, int64_t query);

/* Whether the mask lets a query see each of n keys starting at `key`: 1 or 0. */
void attend_masked(const Attend *a, int64_t batch, int64_t head, int64_t query, int64_t key, int64_t n, uint8_t *to);

Status attend_forward(const Attend *a, const Call *c);
Status attend_backward(const Attend *a, const Call *c);

#endif
