/* loop_params.h - the parameters of _foreach, _while_loop and _cond.
**
** They are MXNet's: subgraphs, and lists that map inputs of a subgraph to inputs of the node.
*/
#ifndef HL_OPS_CONTROL_LOOP_PARAMS_H
#define HL_OPS_CONTROL_LOOP_PARAMS_H

#include "ir/graph/subgraph.h"

/* The first parameters of all three. */
typedef struct LoopCounts { int64_t num_args, num_outputs; } LoopCounts;

typedef struct ForeachParams {
  int64_t num_args, num_outputs, num_out_data;
  List in_state_locs, in_data_locs, remain_locs;
  Subgraph *body;
} ForeachParams;

typedef struct WhileParams {
  int64_t num_args, num_outputs, num_out_data, max_iterations;
  List cond_input_locs, func_input_locs, func_var_locs;
  Subgraph *cond, *func;
} WhileParams;

typedef struct CondParams {
  int64_t num_args, num_outputs;
  List cond_input_locs, then_input_locs, else_input_locs;
  Subgraph *pred, *then_branch, *else_branch;
} CondParams;

/* The column `control`: converts the parameters to *c, which control_free frees. Fails if lists and subgraphs
** contradict; then there is nothing to free. */
Status control_foreach(const void *params, Control *c);
Status control_while(const void *params, Control *c);
Status control_cond(const void *params, Control *c);

#endif
