/* recorded_call.h - a recorded call of a compiled function.
**
** On the tape the call is one node. Its inputs are the call's inputs on the tape (each value once), its outputs those
** of the graph. The node's parameter is a RecordedCall, from which backward over the call runs. If the backward part of
** the executable does not suffice (gradients of gradients, backward from an output after another's tape was freed), the
** call is inlined once: the nodes of eager code replace it (exec/tape/inline_call.c).
*/
#ifndef HL_EXEC_TAPE_RECORDED_CALL_H
#define HL_EXEC_TAPE_RECORDED_CALL_H

#include "base/math/random_stream.h"
#include "exec/program/compiled_function.h"

typedef struct RecordedCall {
  int refs;
  Compiled *compiled;
  RunState *run_state;       /* of forward; NULL once no backward needs it */
  int n_taped;               /* number of the node's inputs */
  uint64_t heads;            /* outputs with a head gradient, as the executable's backward expects */
  uint64_t taped;            /* outputs on the tape, of the first 64 */
  uint64_t used_inside;      /* outputs that the graph uses itself (see Output) */
  bool any_multiple_terms;   /* is multiple_terms set for any input? */
  uint64_t freed;            /* outputs whose tape an earlier backward freed */
  Tensor *in;                /* all inputs, then all outputs; these arrays are in the memory after the struct */
  uint32_t *version;         /* versions of in[] at the call */
  uint64_t *dependents;      /* by input of the node: outputs that depend on it */
  uint64_t *tape_ancestors;  /* by output: see Output */
  int *slot;                 /* by input of the graph: index of the node's input, or -1 */
  int *grad_output;          /* by input of the node: index of its gradient in backward's outputs, or -1 */
  bool *multiple_terms;      /* by input of the node: see Specialization */
  Tensor *state;             /* copies of the mutated inputs before the call */
  RandomState random;        /* the stream before the call */
  unsigned mode;             /* as in CallKind */
  Device device;
  Entry *inlined;            /* outputs of the inlined call; NULL before inlining */
} RecordedCall;

/* The call of a node, or NULL. */
RecordedCall *recorded_call_of(const Node *n);

/* Did an earlier backward free the tape of one of these outputs (bit i)? */
static inline bool recorded_call_is_freed(const Node *n, uint64_t outputs) {
  const RecordedCall *call = recorded_call_of(n);
  return n->freed || (call && call->freed & outputs);
}

/* Records a call that ran: puts it and its outputs onto the tape. Takes *w and *state over and sets them to NULL,
** unless it fails. `random`: the stream before the call. */
Status recorded_call_put_on_tape(Compiled *c, const Specialization *spec, Array *const *in, Device device,
                                 RandomState random, RunState **w, Tensor **state, Array *out);

/* Makes a node for n outputs on a tape that was freed. */
Status recorded_call_freed_node(int n, Node **out);

/* Copies of the mutated inputs, made before the call; NULL if there are none. If the call fails, they are put back, so
** that it can be repeated. */
Status recorded_call_copy_states(const MutatedInputs *w, Array *const *in, Tensor **out);
void recorded_call_put_states_back(const MutatedInputs *w, Array *const *in, const Tensor *state);
void recorded_call_free_states(const MutatedInputs *w, Tensor *state);

#endif
