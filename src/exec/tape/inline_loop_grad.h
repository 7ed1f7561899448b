/* inline_loop_grad.h - inlined gradients of loops and conditions: once a control node is inlined
** (exec/tape/inline_loop.h), the nodes of eager code replace its gradient nodes.
*/
#ifndef HL_EXEC_TAPE_INLINE_LOOP_GRAD_H
#define HL_EXEC_TAPE_INLINE_LOOP_GRAD_H

#include "exec/tape/loop_backward.h"

/* An inlined control node. */
typedef struct InlinedLoop {
  Entry *in, *out;           /* its inputs and visible outputs on the tape */
  Entry *first_in;           /* the inputs when the iterations ran, before calls below them were inlined */
  int n_in, n_out;
  LoopBackward backs;
} InlinedLoop;

/* The control node, if n is a gradient of one; else NULL. */
const Node *inline_loop_grad_of(const Node *n);

/* Sets wanted[] for the control node's inputs by which the gradient n differentiates. */
void inline_loop_grad_wants(const Node *n, bool *wanted);

/* Builds and evaluates the nodes that replace n. `in`: the inputs of n on the tape; `type`, `out`: by output of n.
** `order`: sequence number of the nodes that read the gradients given to n. */
Status inline_loop_grad(Builder *b, InlinedLoop *u, const Node *n, const Entry *in, const Type *type, uint64_t order,
                        Entry *out);

#endif
