/* optimizer_update.h - one step of an optimizer for many weights.
**
** The optimizer's rule (optimizer/rules.lua) names the operator and its numbers. Rules that need several operators, and
** rules of scripts, update one weight after another instead.
*/
#ifndef HL_EXEC_TRAIN_OPTIMIZER_UPDATE_H
#define HL_EXEC_TRAIN_OPTIMIZER_UPDATE_H

#include "exec/array.h"
#include "exec/program/step_updates.h"
#include "ir/op.h"

/* A parameter of the row with a number for each weight. */
typedef struct OwnNumbers { int param; const double *value; } OwnNumbers;

/* A row (op_is_step) applied to `n` weights, each with its gradient and `n_states` states. */
typedef struct Update {
  const Op *op;
  const Params *params;            /* all except those in `own` */
  const OwnNumbers *own;
  int n_own;
  Array *const *weight;
  Array *const *grad;              /* NULL: the gradients in the leaves */
  Array *const *state;             /* those of the first weight, of the second, ... */
  int n, n_states;
} Update;

/* Updates the weights and states in place, in one loop over all of them. Rejects a weight without a gradient, types
** that the row refuses, and an array of the computation being recorded. If it fails, nothing has changed. Before the
** node of this update in a compiled step, fills in the node's numbers instead (exec/program/step_updates.h). */
Status update_weights(const Update *u);

/* The numbers of an update as the row ROLE_UPDATE reads them; weights, gradients and states may be missing. */
Type update_numbers_type(const Update *u);
void update_numbers(const Update *u, Tensor *to);

#endif
