/* step_call.h - calls of a compiled function with training steps (exec/program/step_rows.h). */
#ifndef HL_EXEC_TAPE_STEP_CALL_H
#define HL_EXEC_TAPE_STEP_CALL_H

#include "exec/program/compiled_function.h"
#include "exec/program/step_rows.h"

/* May an executable perform the steps of a call with these inputs? Every array on the tape must be a leaf, since
** gradients flow no further; gradients must be in memory of their own; results must not be watched. Fills in req. */
bool step_call_fits(Array *const *in, int n_in, const bool *wanted, unsigned mode, uint8_t *req);

/* Performs the steps before autograd.record. The host performs the others after the call. */
Status step_call_first(const Compiled *c, StepHost *host);

/* A call whose executable performs the steps. */
typedef struct StepCall {
  StepRun run, *before;
  Tensor *gradient;        /* by gradient of the specialization: its memory, held during the call */
  Tensor *held;            /* all inputs, since the host's functions may free them */
  int n_held;
  Node *freed;             /* the node of outputs that eager code would have on a freed tape; NULL: there are none */
} StepCall;

/* Binds the gradients: tensors[] gets one for each. All memory that the call needs, except that of its executable, is
** taken here. */
Status step_call_begin(Compiled *c, const Specialization *spec, Array *const *in, StepHost *host,
                       const Tensor **tensors, StepCall *call);

/* Ends it; `out`: the outputs, NULL after a failure. */
void step_call_end(StepCall *call, const Compiled *c, const Specialization *spec, Array *out);

#endif
