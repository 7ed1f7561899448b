/* run_op.h - runs one operator on tensors.
**
** A kernel allocates nothing. The workspaces that it requests (kernel.h) come from run_kernel in an eager call, and from
** the executable and its run states in a compiled one (exec/program/executable.h). Unused outputs (column `unused`)
** have no memory and are not computed.
*/
#ifndef HL_IR_RUN_OP_H
#define HL_IR_RUN_OP_H

#include "base/settings/debug_switches.h"
#include "ir/op.h"
#include "ir/kernel_hook.h"

/* Chooses the kernel and runs it. Types must be known and outputs allocated. Provides the workspaces of the call. */
Status run_kernel(const Op *op, const Params *params, const Tensor *const *in, int n_in, Tensor *const *out, int n_out,
                  bool train);

/* Runs a call whose kernel and workspaces are set, for at most n threads. */
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

/* Runs calls of one kernel as one loop over all their elements. */
Status run_ranges(OpRange *range, const Call *call, int n);
Status run_by_range(Call *call);         /* the column `run` of kernels with `range` */

/* For tests (base/settings/debug_switches.h): fails if it is this instruction's turn, or this run's. */
Status run_made_to_fail(void) __attribute__((cold));
static inline Status run_instruction_may_fail(void) {
  return __builtin_expect(debug.fail_in == 0 || debug.failure == FAILURE_MEMORY, 1) ? OK : run_made_to_fail();
}
static inline Status run_memory_may_fail(void) {
  return __builtin_expect(debug.fail_in == 0 || debug.failure != FAILURE_MEMORY, 1) ? OK : run_made_to_fail();
}

/* Begins (1) or ends (-1) a recomputation, in which operators that print or check are silent. May be nested. */
void run_repeat(int step);
bool run_repeats(void);

/* Begins (at 0) or ends counting the arithmetic of run_kernel by op_flops; run_flops is the sum so far. */
void run_count_flops(bool on);
double run_flops(void);

#endif
