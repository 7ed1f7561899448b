/* recorded_call.h - a call of a compiled function that was recorded.
**
** On the tape it is one node, whose inputs are those of the call that are on the tape (each value once)
** and whose outputs are the graph's. Its object parameter is a RecordedCall: what backward over the call needs.
** If the backward part of its executable is not enough (gradients of gradients, backward from an output after
** the tape of another was freed), the call is inlined once: the nodes that eager code would have recorded replace it
** from then on (exec/tape/inline_call.c).
*/
#ifndef HL_EXEC_TAPE_RECORDED_CALL_H
#define HL_EXEC_TAPE_RECORDED_CALL_H

#include "base/math/random_stream.h"
#include "exec/program/compiled_function.h"

typedef struct RecordedCall {
  int refs;
  Compiled *compiled;
  RunState *run_state;       /* of forward; NULL once its backward will not be wanted */
  int n_taped;               /* inputs of the node */
  uint64_t heads;            /* outputs that have a head gradient in backward */
  uint64_t taped;            /* outputs on the tape, of the first 64 */
  uint64_t used_inside;      /* outputs that the graph uses itself (see Output) */
  bool any_multiple_terms;   /* of an input of the node */
  uint64_t freed;            /* outputs whose tape an earlier backward freed */
  Tensor *in;                /* all inputs, then all outputs (this and what follows are after the struct)... */
  uint32_t *version;         /* ...and the versions they had */
  uint64_t *dependents;      /* by input of the node: which outputs depend on it */
  uint64_t *tape_ancestors;  /* by output: see Output */
  int *slot;                 /* by input of the graph: which input of the node, or -1 */
  int *grad_output;          /* by input of the node: which of backward's outputs, or -1 */
  bool *multiple_terms;      /* by input of the node: see Specialization */
  Tensor *state;             /* copies of the inputs that the graph writes to, as they were before */
  RandomState random;        /* the stream before forward ran */
  unsigned mode;             /* as in CallKind */
  Device device;             /* that the call was on */
  Entry *inlined;            /* the outputs on the tape once it was inlined */
} RecordedCall;

/* Of a node that is a recorded call; NULL of any other. */
RecordedCall *recorded_call_of(const Node *n);

/* Did an earlier backward free the tape of these outputs of the node (bit i)? */
static inline bool recorded_call_is_freed(const Node *n, uint64_t outputs) {
  const RecordedCall *call = recorded_call_of(n);
  return n->freed || (call && call->freed & outputs);
}

/* Puts a call that ran onto the tape, and its outputs with it. The record takes *w and *state over, which are NULL then;
** if it fails, the caller keeps them. `random`: the stream before the call. */
Status recorded_call_put_on_tape(Compiled *c, const Specialization *spec, Array *const *in, Device device,
                                 RandomState random, RunState **w, Tensor **state, Array *out);

/* Copies of the mutated inputs, made before the call runs; NULL if there are none. They are put back if the call
** failed, so that it can run again. */
Status recorded_call_copy_states(const MutatedInputs *w, Array *const *in, Tensor **out);
void recorded_call_put_states_back(const MutatedInputs *w, Array *const *in, const Tensor *state);
void recorded_call_free_states(const MutatedInputs *w, Tensor *state);

#endif
