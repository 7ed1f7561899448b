/* inline_loop_grad.h - gradients of loops and conditions on the tape: once a control node is inlined
** (exec/tape/inline_loop.h), the nodes that eager code would have there replace those that go back over its iterations.
*/
#ifndef HL_EXEC_TAPE_INLINE_LOOP_GRAD_H
#define HL_EXEC_TAPE_INLINE_LOOP_GRAD_H

#include "exec/tape/loop_backward.h"

/* A control node that was inlined. */
typedef struct InlinedLoop {
  Entry *in, *out;           /* its inputs and visible outputs on the tape */
  Entry *first_in;           /* the inputs as they were when the iterations were made */
  int n_in, n_out;
  LoopBackward backs;
} InlinedLoop;

/* The control node whose gradient a node is; NULL: of none. */
const Node *inline_loop_grad_of(const Node *n);

/* Sets wanted[] for the inputs of its control node that it differentiates by. */
void inline_loop_grad_wants(const Node *n, bool *wanted);

/* Builds the nodes, evaluated; `in`: the inputs of n on the tape, `out`: entries for its outputs, of these types.
** `order`: sequence number of the nodes that read the gradients given to n. */
Status inline_loop_grad(Builder *b, InlinedLoop *u, const Node *n, const Entry *in, const Type *type, uint64_t order,
                        Entry *out);

#endif
