/* run_op.h - runs one operator on tensors.
**
** A kernel allocates nothing. Its row requests a workspace, per-thread workspaces and prepared data (op.h). They come
** from run_kernel in an eager call, and from the run state in a compiled one (exec/program/executable.h). Unused
** outputs (column `unused`) have no memory and are not computed.
*/
#ifndef HL_IR_RUN_OP_H
#define HL_IR_RUN_OP_H

#include "ir/op.h"
#include "ir/kernel_hook.h"

/* Runs the kernel. Types must be known and outputs allocated. Provides the workspaces of the call and prepares it. */
Status run_kernel(const Op *op, const Params *params, const Tensor *const *in, int n_in, Tensor *const *out, int n_out,
                  bool train);

/* The workspaces of a call, in bytes, each a multiple of 64, and the number of threads that can use theirs. */
typedef struct CallWorkspace { size_t prepared, workspace, thread; int most_threads; } CallWorkspace;
static inline bool run_needs_workspace(const Op *op) { return op->workspace || op->thread_workspace || op->prepared; }
CallWorkspace run_workspace(const Query *q);

/* Runs forward of a call that has its workspaces, for at most n threads. */
Status run_limited(Call *call, int n_threads);

/* The device of a node's outputs: that of its inputs, if any. */
static inline Device run_device(const Node *n, const Tensor *const *in) {
  return n->n_in > 0 && !(n->op->flags & OP_CROSSES) ? tensor_device(in[0]) : n->device;
}

/* `told`: the outputs' types, inferred in a graph, which operators without inputs may need; or NULL. */
typedef struct RunMode { bool train, no_gradient; const Type *told; } RunMode;

/* Infers types, allocates outputs on the device (or makes a view) and runs. out[] are new tensors; on failure there are
** none. Unused outputs have no data. */
Status run_op(const Op *op, const Params *params, const Tensor *const *in, int n_in, Device device, Tensor *out,
              int n_out, RunMode mode);

/* Runs calls of one row with the column `run_range` as one loop over all their elements. */
Status run_ranges(OpRange *range, const Call *call, int n);

/* Begins (1) or ends (-1) a recomputation, in which operators that print or check are silent. May be nested. */
void run_repeat(int step);
bool run_repeats(void);

/* Begins (at 0) or ends counting the arithmetic of run_kernel by op_flops; run_flops is the sum so far. */
void run_count_flops(bool on);
double run_flops(void);

#endif
