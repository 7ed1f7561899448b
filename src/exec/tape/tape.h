/* tape.h - what was computed while recording, and backward over it.
**
** The tape is a graph (ir/node.h) whose nodes have their values. It belongs to the
** arrays that came out: freeing them frees it (record.c). Backward differentiates that graph
** (pass/differentiate.c) and evaluates the nodes that this makes (backward.c).
**
** What is on the tape. An output of a compiled call is on the tape exactly if it would be in eager code: if recorded
** nodes lead to it from an input on the tape. Backward frees the tape that its heads reach, output by output; with an
** output's tape it frees that of the outputs that this one depends on. A recording that starts from an array whose
** tape was freed takes it as a constant (freed_tape.h). A leaf that the heads reach only through operators without a
** gradient gets zeros: no node computes them, and no sum has them as a term.
**
** Writing into an array on the tape is refused while recording. Later writes are found by version counters: backward
** names the array and the line of the write.
*/
#ifndef HL_EXEC_TAPE_TAPE_H
#define HL_EXEC_TAPE_TAPE_H

#include "exec/array.h"
#include "exec/tape_port.h"

/* The entry of an array among a new node's inputs: on the tape or a constant. The caller releases the node. */
Status tape_entry(Array *a, Entry *out);

/* Makes `a` a leaf whose gradient is kept (zeros now). GRAD_NULL: undoes that. */
Status tape_attach_grad(Array *a, GradReq req);

/* Puts `a`, which is not on the tape, there without a gradient of its own: what is computed from it is recorded, and
** tape_backward can differentiate by it. tape_unfollow makes a constant of it again. */
Status tape_follow(Array *a);
void tape_unfollow(Array *a);

/* Is there a leaf in the history of `a`, or an array that is followed? */
Status tape_has_leaf(const Array *a, bool *has);

typedef struct BackwardOptions {
  bool retain;           /* keep the tape: a second backward may come */
  bool create_graph;     /* put the gradients onto the tape too */
} BackwardOptions;

/* Computes the gradients of the heads with respect to `variables`, as new arrays in out[]; without `variables` (NULL),
** with respect to each leaf that the heads depend on, into its gradient. head_grads: one for each head (NULL: ones), or
** NULL. */
Status tape_backward(Array *const *heads, Array *const *head_grads, int n, Array *const *variables, int n_variables,
                     BackwardOptions options, Array *out);

/* Computes the values of the nodes that `want` needs and that have none yet. Values of nodes in between are freed as
** soon as nothing needs them, unless `keep`. */
Status tape_evaluate(const Entry *want, int n, bool keep);

#endif
