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

/* Numbers of a parameter that each weight has its own of. */
typedef struct OwnNumbers { int param; const double *value; } OwnNumbers;

/* A row whose inputs are a weight, its gradient and `n_states` states, applied to `n` weights. */
typedef struct Update {
  const Op *op;                    /* has the column `run_range` */
  const Params *params;            /* all but the own numbers */
  const OwnNumbers *own;
  int n_own;
  Array *const *weight;
  Array *const *grad;              /* NULL: what backward left for each */
  Array *const *state;             /* those of the first weight, of the second, ... */
  int n, n_states;
} Update;

/* The weights and states change in place, in one loop over all of them. Nothing has changed if it
** fails: a weight without gradient, types that the row refuses, an array of a computation that is
** being recorded. */
Status update_weights(const Update *u);

#endif
