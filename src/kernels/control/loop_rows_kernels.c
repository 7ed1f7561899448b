/* loop_rows_kernels.c - kernels of loops, conditions and their gradients, which src/exec runs (ir/graph/subgraph.h). */
#include "ir/graph/subgraph.h"
#include "kernels/kernel_registry.h"
#include "ops/control/loop_gradient.h"

static Status run_control(Call *call) {
  Control c;
  TRY(call->op->control(call->params, &c));
  Status s = control_engine->forward(call, &c);
  control_free(&c);
  return s;
}

static Status run_back(Call *call) {
  const ControlBack *b = ((const BackParams *)call->params)->back;
  Control c;
  TRY(b->op->control(b->params->fields, &c));
  Status s = control_engine->backward(call, &c, b);
  control_free(&c);
  return s;
}

const Kernel loop_rows_kernels[] = {
  { .op = "_foreach", .types = ALL_TYPES, .run = run_control },
  { .op = "_while_loop", .types = ALL_TYPES, .run = run_control },
  { .op = "_cond", .types = ALL_TYPES, .run = run_control },
  { .op = "_backward_control", .types = ALL_TYPES, .run = run_back },
  { 0 },
};
