/* optimizer_update.h - one step of an optimizer for many weights.
**
** The optimizer's rule (optimizer/rules.lua) names the operator and the numbers of each parameter. Rules of several
** operators, and a script's own, update one parameter after another instead.
*/
#ifndef HL_EXEC_TRAIN_OPTIMIZER_UPDATE_H
#define HL_EXEC_TRAIN_OPTIMIZER_UPDATE_H

#include "exec/array.h"
#include "ir/op.h"

enum { MOST_STATES = 8 };

/* A parameter of the row that has its own number for each weight. */
typedef struct OwnNumbers { int param; const double *value; } OwnNumbers;

/* A row whose inputs are a weight, its gradient and `n_states` states, applied to `n` weights. */
typedef struct Update {
  const Op *op;                    /* has the column `run_range` */
  const Params *params;            /* all except the own numbers */
  const OwnNumbers *own;
  int n_own;
  Array *const *weight;
  Array *const *grad;              /* NULL: the gradients that backward left */
  Array *const *state;             /* those of the first weight, of the second, ... */
  int n, n_states;
} Update;

/* Updates the weights and states in place, in one loop over all of them. If it fails, nothing has changed: it
** rejects a weight without gradient, types that the row refuses, and an array of a computation that is being
** recorded. */
Status update_weights(const Update *u);

#endif
