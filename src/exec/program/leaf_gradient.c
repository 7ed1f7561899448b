/* leaf_gradient.c - see leaf_gradient.h. */
#include "exec/program/leaf_gradient.h"

#include "base/threads/parallel_for.h"
#include "ir/op.h"
#include "ir/run_op.h"
#include "state/engine.h"
#include "tensor/cast_copy.h"

void leaf_reached(Leaf *leaf) {
  static _Atomic uint64_t commits;
  leaf->fresh = ++commits;
}

/* A kernel with a range cannot fail, and tape_attach_grad saw that there is one. */
static void add_to(const Tensor *grad, Tensor *to) {
  Call call = {
    .op = op_with_role(ROLE_SUM), .in = (const Tensor *[]){ to, grad }, .out = (Tensor *[]){ to }, .n_in = 2, .n_out = 1
  };
  call.kernel = call_kernel(&call);
  run_ranges(call.kernel->range, &call, 1);
}

void leaf_store(GradReq req, const Tensor *grad, Tensor *to) {
  if (!grad && req == GRAD_ADD) return;
  if (!grad) tensor_clear(to);
  else if (req == GRAD_ADD) add_to(grad, to);
  else tensor_copy_to(grad, to);
  tensor_written(to, engine_now()->mode.origin);
}
