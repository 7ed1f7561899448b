/* run_op.h - running one operator on tensors.
**
** A kernel allocates nothing. It gets the memory that its row asks for (op.h: workspace, per-thread workspace,
** prepared data) from run_kernel in an eager call, from the run state in a compiled one (exec/program/executable.h). An
** output that a call has no use for (the column `unused`) has no memory and is not computed.
*/
#ifndef HL_IR_RUN_OP_H
#define HL_IR_RUN_OP_H

#include "ir/op.h"
#include "ir/kernel_hook.h"

/* The kernel alone: types known, outputs allocated. Prepares the call and provides the workspaces that it asks for. */
Status run_kernel(const Op *op, const Params *params, const Tensor *const *in, int n_in, Tensor *const *out, int n_out,
                  bool train);

/* The workspaces that a call asks for, in bytes, each a multiple of 64; and how many threads can use theirs. */
typedef struct CallWorkspace { size_t prepared, workspace, thread; int most_threads; } CallWorkspace;
static inline bool run_needs_workspace(const Op *op) { return op->workspace || op->thread_workspace || op->prepared; }
CallWorkspace run_workspace(const Query *q);

/* Runs forward of a call that has its workspaces, those of n threads among them. */
Status run_limited(Call *call, int n_threads);

/* Where a node's outputs are: where its inputs are, if any. */
static inline Device run_device(const Node *n, const Tensor *const *in) {
  return n->n_in > 0 && !(n->op->flags & OP_CROSSES) ? tensor_device(in[0]) : n->device;
}

/* What a call is made for. told: types of the outputs as a graph's inference found them, for operators without inputs,
** which may not know them alone; or NULL. */
typedef struct RunMode { bool train, no_gradient; const Type *told; } RunMode;

/* Infers, allocates on the device (or makes a view) and runs; out[] are new tensors, none on failure. Outputs that
** such a call has no use for have no data. */
Status run_op(const Op *op, const Params *params, const Tensor *const *in, int n_in, Device device, Tensor *out,
              int n_out, RunMode mode);

/* Calls of one row with the column `run_range`, as one loop over all their elements. */
Status run_ranges(OpRange *range, const Call *call, int n);

/* Recomputation of what was computed before, for its values alone: begins (1) or ends (-1), and may be nested.
** Operators that print and check are silent then. */
void run_repeat(int step);
bool run_repeats(void);

/* Counting what run_kernel computes, by op_flops: begins from 0 or ends; run_flops is the sum so far. */
void run_count_flops(bool on);
double run_flops(void);

#endif
