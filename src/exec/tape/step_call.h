/* step_call.h - calls of a compiled function with training steps (exec/program/step_rows.h). */
#ifndef HL_EXEC_TAPE_STEP_CALL_H
#define HL_EXEC_TAPE_STEP_CALL_H

#include "exec/program/compiled_function.h"
#include "exec/program/step_rows.h"

/* May an executable perform the steps of a call with these inputs? Every array on the tape must be a leaf, since
** gradients flow no further; gradients must be in memory of their own; results must not be watched. Fills in req. */
bool step_call_fits(Array *const *in, int n_in, const bool *wanted, unsigned mode, uint8_t *req);

/* Finds what the steps of a call will update, for its CallKind. Fills in update[c->n_updates]. */
Status step_call_updates(const Compiled *c, StepHost *host, Array *const *in, StepUpdate *update);

/* Performs the steps before autograd.record. The host performs the others after the call. */
Status step_call_first(const Compiled *c, StepHost *host);

/* A call whose executable performs the steps. */
typedef struct StepCall {
  StepRun run, *before;
  const Tensor **in;       /* the executable's inputs: those of the compiled function, then those added for steps */
  Tensor *held;            /* all of these, since the host's functions may free arrays */
  BoundUpdate *update;     /* by number */
  int n_held;
  double *numbers;         /* memory for the numbers of updates that are not bound yet */
  void *memory;            /* for these lists */
  Node *freed;             /* the node of outputs that eager code would have on a freed tape; NULL: there are none */
} StepCall;

/* Binds the inputs. All memory that the call needs, except that of its executable, is taken here. */
Status step_call_begin(const Compiled *c, const Specialization *spec, Array *const *in, StepHost *host,
                       const StepUpdate *update, StepCall *call);

/* Ends it; `out`: the outputs, NULL after a failure. */
void step_call_end(StepCall *call, const Compiled *c, const Specialization *spec, Array *out);

#endif
