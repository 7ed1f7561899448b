/* layer_steps.c - optimizer steps with a learning rate for each layer, from the norms of its weight and its step: LAMB
** and LARS.
**
** As in optimizer_rows.c, a step returns the new weight and changes the states in place. The kernels are in
** kernels/train/layer_step_kernels.c.
*/
#include "ops/train/layer_steps.h"

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

static bool is_state(const Query *q, int input) { return (void)q, input >= 2; }

#define LR "lr float - The learning rate.\n"
#define COMMON                                                                                              \
  "wd float 0 The weight decay: times the weight, it is added to the gradient.\n"                           \
  "rescale_grad float 1 Multiplies the gradient.\n"                                                         \
  "clip_gradient float -1 Clips the gradient to [-clip_gradient, clip_gradient]; below 0: no clipping.\n"
#define LARS                                                                                                \
  LR "eta float 0.001 The trust coefficient.\nepsilon float 0 Added to the divisor.\n"                      \
  "adapts int 1 0: the layer has no rate of its own, as biases.\n" COMMON
#define STATES .effects = op_writes_always, .writes = is_state, .state = is_state
#define STEP .flags = OP_NO_GRAD | OP_IN_PLACE | OP_STEP, .infer = infer_same_floats

/* clang-format off */
Op layer_step_ops[] = {
  { .name = "lamb_step",
    .doc = "LAMB: lamb_update_phase1, and lamb_update_phase2 with the norms of the weight and of the step "
           "(Y. You et al., 2019)",
    .example = "F.lamb_step(F.array{1, -1}, F.array{0.5, -2}, F.array{0.1, 0.2}, F.array{0.3, 0.1}, "
               "{lr = 0.1, t = 1})\n"
               "F.lamb_step(F.array{1, -1}, F.array{0.5, -2}, F.array{0.1, 0.2}, F.array{0.3, 0.1}, "
               "{lr = 0.1, t = 3, wd = 0.01, clip_gradient = 1, upper_bound = 0.5, bias_correction = false})",
    .inputs = "weight grad mean var", STATES,
    .params = LR "beta1 float 0.9 The decay rate of the mean.\nbeta2 float 0.999 The decay rate of the mean square.\n"
              "epsilon float 1e-6 Keeps the divisor above 0.\nt int - The step number, counted from 1.\n"
              "bias_correction bool True Correct the bias of the means.\n"
              "lower_bound float -1 The weight's norm is at least this; below 0: no bound.\n"
              "upper_bound float -1 The weight's norm is at most this; below 0: no bound.\n" COMMON,
    .params_size = sizeof(LambStepParams), STEP },
  { .name = "lars_step",
    .doc = "LARS: sgd_update with the learning rate lr eta |weight| / (rescale_grad |grad| + wd |weight| + epsilon), "
           "or lr if a norm is 0 (Y. You et al., 2017)",
    .example = "F.lars_step(F.array{1, -1}, F.array{0.5, -2}, {lr = 0.1})\n"
               "F.lars_step(F.array{1, -1}, F.array{0.5, -2}, {lr = 0.1, eta = 0.1, wd = 0.01, clip_gradient = 1})",
    .inputs = "weight grad", .params = LARS, .params_size = sizeof(LarsStepParams), STEP },
  { .name = "lars_mom_step", .doc = "lars_step with momentum: sgd_mom_update with that learning rate",
    .example = "F.lars_mom_step(F.array{1, -1}, F.array{0.5, -2}, F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9})\n"
               "F.lars_mom_step(F.array{1, -1}, F.array{0.5, -2}, F.array{0.1, 0.2}, "
               "{lr = 0.1, momentum = 0.9, adapts = 0, wd = 0.01})",
    .inputs = "weight grad mom", STATES, .params = LARS "momentum float 0 The decay rate of mom.\n",
    .params_size = sizeof(LarsMomentumParams), STEP },
  { 0 }
};
/* clang-format on */
