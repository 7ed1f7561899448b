/* step_updates.h - updates of parameters in training steps, as nodes of a specialization.
**
** If Trainer.step is one update operator for all its weights, the executable performs it as a node ROLE_UPDATE, whose
** operands are inputs of the graph: weights, gradients, states and numbers (ops/train/weights_update.c). A host call
** before it lets the optimizer, in Lua, count the update and fill in the numbers (exec/train/optimizer_update.c). So
** another learning rate, batch size, count or schedule needs no new specialization.
**
** zero_grad is a node (_store_gradients) without a host call. clip_global_norm is a node ROLE_CLIP that scales the
** gradients in place; a host call after it warns if the norm is not finite.
**
** If the optimizer then updates other arrays than those bound, because the script replaced some in the call, the host
** performs the update, and the node changes nothing.
*/
#ifndef HL_EXEC_PROGRAM_STEP_UPDATES_H
#define HL_EXEC_PROGRAM_STEP_UPDATES_H

#include "base/bump.h"
#include "exec/array.h"
#include "ir/op.h"

enum { MOST_STATES = 8 };    /* of a weight */

/* What a step of a call is expected to update. */
typedef struct StepUpdate {
  const Op *rule;            /* NULL: the host performs the step, or it is one of these: */
  bool zeros;                /* zero_grad: the weights' gradients become zeros */
  bool clips;                /* clip_global_norm: the norm of the weights' gradients becomes at most max_norm */
  bool warns;                /* clip_global_norm: if the norm is not finite */
  double max_norm;
  int n, n_states;           /* number of weights, and of states of each */
  const int *input;          /* by weight: the input of the compiled function */
  Array *const *weight;
  Array *const *state;       /* those of the first weight, of the second, ... */
  int *missed;               /* number of runs in succession whose update was another one; the host's */
} StepUpdate;

/* Are they nodes with the same operands? The arrays may differ. */
bool step_updates_equal(const StepUpdate *a, const StepUpdate *b, int n);

/* Copies what step_updates_equal compares. */
Status step_updates_copy(const StepUpdate *from, int n, Bump *bump, StepUpdate **to);

/* The type of an update's numbers. */
Type step_numbers_type(const StepUpdate *u);

/* The parameters of its node. */
Status step_update_params(const StepUpdate *u, Params **out);
Status step_clip_params(const StepUpdate *u, Params **out);

/* The operands of an update in a run. */
typedef struct BoundUpdate {
  const StepUpdate *update;
  Tensor *numbers;           /* NULL: it is not a node of this executable */
  const void **data;         /* of each weight, its gradient and its states, weight by weight */
} BoundUpdate;

/* For the host call before an update: the row of numbers for a weight, its gradient and its states; NULL if they are
** not the next of those bound. *at: where to begin, then the next one. */
double *bound_update_row(const BoundUpdate *b, const Op *rule, const Array *weight, Array *const *state, int n_states,
                         int *at);

#endif
