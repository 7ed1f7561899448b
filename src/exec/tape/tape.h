/* tape.h - the tape: the graph of recorded operators, and backward over it.
**
** Each node (ir/node.h) holds its values. Arrays own the nodes that computed them, so the tape is freed with its arrays
** (record.c). Backward builds the nodes of the gradients (pass/differentiate.c) and evaluates them (backward.c).
**
** An output of a compiled call is on the tape exactly if eager code would have it there: if recorded nodes lead to it
** from an input on the tape. Backward frees the tape of its heads and of the outputs that these depend on, each output
** separately. Later recordings treat an array with a freed tape as a constant (freed_tape.h). A leaf that the heads
** reach only through operators without a gradient gets zeros, which are not a term of any sum.
**
** Writes into an array on the tape are refused while recording. Version counters detect later writes, and backward
** reports the array and the line of the write.
*/
#ifndef HL_EXEC_TAPE_TAPE_H
#define HL_EXEC_TAPE_TAPE_H

#include "exec/array.h"
#include "exec/tape_port.h"

/* The entry of an array as the input of a new node: on the tape, or a constant. The caller releases the node. */
Status tape_entry(Array *a, Entry *out);

/* Makes `a` a leaf with a gradient, now zeros; GRAD_NULL undoes that. */
Status tape_attach_grad(Array *a, GradReq req);

/* Puts `a` on the tape as a variable without a gradient of its own: computations from it are recorded, and
** tape_backward can differentiate by it. tape_unfollow makes it a constant again. */
Status tape_follow(Array *a);
void tape_unfollow(Array *a);

/* Is there a leaf in the history of `a`, or an array that is followed? */
Status tape_has_leaf(const Array *a, bool *has);

typedef struct BackwardOptions {
  bool retain;           /* keep the tape for another backward */
  bool create_graph;     /* record the gradients too */
} BackwardOptions;

/* Computes the gradients of the heads with respect to `variables`, as new arrays in out[]; without `variables` (NULL),
** with respect to each leaf that the heads depend on, into its gradient. head_grads: one for each head (NULL: ones), or
** NULL. */
Status tape_backward(Array *const *heads, Array *const *head_grads, int n, Array *const *variables, int n_variables,
                     BackwardOptions options, Array *out);

/* Computes the missing values of the wanted nodes and of the nodes that these need. Values of the latter are freed
** after their last use, unless `keep`. */
Status tape_evaluate(const Entry *want, int n, bool keep);

#endif
