/* layer_step_kernels.c - optimizer steps with a learning rate for each layer: LAMB and LARS.
**
** They run the steps of optimizer_kernels.c, with norms between them. As there, a step is not interrupted.
*/
#include "base/size_math.h"
#include "ir/run_op.h"
#include "kernels/kernel_registry.h"
#include "kernels/loops/whole_norm.h"
#include "ops/train/layer_steps.h"
#include "ops/train/optimizer_rows.h"

/* Runs the step of another row, in the dtype of its weight. */
static void run_step(const char *row, const void *params, const Tensor *const *in, int n_in, Tensor *out) {
  const Op *op = op_find(row);
  const Call call = { .op = op, .params = params, .in = in, .out = (Tensor *const[]){ out }, .n_in = n_in, .n_out = 1 };
  run_ranges(op->kernel[ON_HOST][out->type.dtype]->range, &call, 1);
}

static Status norm_workspace(const Query *q, Workspace *w) {
  w->bytes = whole_norm_workspace(query_in(q, 0));
  return OK;
}

/* ---- LAMB ---------------------------------------------------------------------------------------- */

static size_t step_bytes(const Type *weight) { return whole_lines(type_bytes(weight)); }

/* The step, then the memory of whole_norm. */
static Status lamb_workspace(const Query *q, Workspace *w) {
  TRY(norm_workspace(q, w));
  w->bytes += step_bytes(query_in(q, 0));
  return OK;
}

static Status lamb_step(Call *c) {
  const LambStepParams *p = c->params;
  const Tensor *weight = c->in[0];
  const Type one = { .dtype = DT_FLOAT64, .shape = { 1, { 1 } } };
  const LambParams first = { .beta1 = p->beta1,
                             .beta2 = p->beta2,
                             .epsilon = p->epsilon,
                             .t = p->t,
                             .bias_correction = p->bias_correction,
                             .wd = p->wd,
                             .rescale_grad = p->rescale_grad,
                             .clip_gradient = p->clip_gradient };
  const Lamb2Params second = { .lr = p->lr, .lower_bound = p->lower_bound, .upper_bound = p->upper_bound };
  char *memory = c->workspace;
  Tensor step = { .type = weight->type, .data = memory };
  memory += step_bytes(&weight->type);
  double of_weight = whole_norm(weight, memory);
  run_step("lamb_update_phase1", &first, c->in, 4, &step);
  double of_step = whole_norm(&step, memory);
  const Tensor r1 = { .type = one, .data = &of_weight }, r2 = { .type = one, .data = &of_step };
  run_step("lamb_update_phase2", &second, (const Tensor *const[]){ weight, &step, &r1, &r2 }, 4, c->out[0]);
  return OK;
}

/* ---- LARS ---------------------------------------------------------------------------------------- */

static double lars_rate(const Call *c, const LarsStepParams *p) {
  if (!p->adapts) return p->lr;
  const double w = whole_norm(c->in[0], c->workspace), g = whole_norm(c->in[1], c->workspace) * p->rescale_grad;
  return w == 0 || g == 0 ? p->lr : p->lr * (p->eta * w / (g + p->wd * w + p->epsilon));
}

static Status lars_step(Call *c) {
  const LarsStepParams *p = c->params;
  const SgdParams step = {
    .lr = lars_rate(c, p), .wd = p->wd, .rescale_grad = p->rescale_grad, .clip_gradient = p->clip_gradient
  };
  run_step("sgd_update", &step, c->in, 2, c->out[0]);
  return OK;
}

static Status lars_momentum(Call *c) {
  const LarsMomentumParams *p = c->params;
  const MomentumParams step = { .lr = lars_rate(c, &p->step),
                                .momentum = p->momentum,
                                .wd = p->step.wd,
                                .rescale_grad = p->step.rescale_grad,
                                .clip_gradient = p->step.clip_gradient };
  run_step("sgd_mom_update", &step, c->in, 3, c->out[0]);
  return OK;
}

const Kernel layer_step_kernels[] = {
  { .op = "lamb_step", .types = FLOAT_TYPES, .run = lamb_step, .workspace = lamb_workspace },
  { .op = "lars_step", .types = FLOAT_TYPES, .run = lars_step, .workspace = norm_workspace },
  { .op = "lars_mom_step", .types = FLOAT_TYPES, .run = lars_momentum, .workspace = norm_workspace },
  { 0 },
};
