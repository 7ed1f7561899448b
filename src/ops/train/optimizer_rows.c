/* optimizer_rows.c - optimizer steps.
**
** A step reads a weight, its gradient and states; it returns the new weight and changes the states in place. With {out
** = weight} it changes the weight in place too, in the same pass.
**
** The formulas are in update_rules.h.
*/
#include "ops/train/optimizer_rows.h"

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "ops/train/update_rules.h"

/* ---- Update rules as texts -------------------------------------------------------------------------- */

/* A rule's words. Only the names of doubles are left of its numbers. */
#define RESULT(name)
#define READ(name, input)
#define STATE(name, input)
#define ONE(name, input) name
#define NUMBER(name)
#define EXACT(name) name
#define LET(name, value) name = value;
#define DOUBLE(name, value) name = (double)(value);
#define SET(name, value) name = value;
#define WORDS(...) #__VA_ARGS__
#define RULE(stem, row, Params, operands, numbers, constants, ...) \
  static UpdateRule stem##_rule = { .text = WORDS(constants __VA_ARGS__), .doubles = WORDS(numbers) };
EACH_UPDATE_RULE(RULE)

/* ---- Steps with numbers in arrays ----------------------------------------------------------------- */

static Status infer_lamb_phase2(Infer *f) {
  Shape one = { 1, { 1 } };
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(one_shape(f, 0, 0));
  TRY(one_shape(f, 1, 0));
  TRY(input_shape(f, 2, &one));
  return input_shape(f, 3, &one);
}

static Status infer_adamw(Infer *f) {
  Shape one = { 1, { 1 } };
  f->n_in = 4;
  TRY(infer_same_floats(f));
  if (f->in[4].dtype == DT_UNKNOWN) f->in[4].dtype = f->in[0].dtype;
  return input_shape(f, 4, &one);
}

/* ---- Several weights in one call -------------------------------------------------------------------------- */

static int multi_sgd_outputs(const Query *q) { return (int)((const MultiSgdParams *)q->params)->num_weights; }
static int multi_sgd_inputs(const Query *q) { return 2 * multi_sgd_outputs(q); }
static int multi_momentum_outputs(const Query *q) { return (int)((const MultiMomentumParams *)q->params)->num_weights; }
static int multi_momentum_inputs(const Query *q) { return 3 * multi_momentum_outputs(q); }
static bool is_momentum(const Query *q, int input) {
  (void)q;
  return input % 3 == 2;
}

/* The inputs are groups of weight, grad and perhaps mom. */
static Status infer_multi(Infer *f) {
  const MultiRates *r = f->params;
  const int group = f->n_in / f->n_out;
  if (r->lrs.count != f->n_out)
    return fail("lrs: expected %d numbers, one for each weight, got %lld", f->n_out, (long long)r->lrs.count);
  if (r->wds.count != f->n_out)
    return fail("wds: expected %d numbers, one for each weight, got %lld", f->n_out, (long long)r->wds.count);
  for (int k = 0; k < f->n_out; k++) {
    Infer one = {
      .op = f->op, .params = f->params, .in = f->in + k * group, .out = f->out + k, .n_in = group, .n_out = 1
    };
    TRY(infer_same_floats(&one));
  }
  return OK;
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define LR "lr float - The learning rate.\n"
#define WD "wd float 0 The weight decay: times the weight, it is added to the gradient.\n"
#define RESCALE "rescale_grad float 1 Multiplies the gradient.\n"
#define CLIP "clip_gradient float -1 Clips the gradient to [-clip_gradient, clip_gradient]; below 0: no clipping.\n"
#define LAZY "lazy_update bool True Has no effect, since gradients are dense.\n"
#define COMMON WD RESCALE CLIP
#define EPSILON(value) "epsilon float " value " Keeps the divisor above 0.\n"
#define BETAS(first, second) \
  "beta1 float " first " The decay rate of the mean.\nbeta2 float " second " The decay rate of the mean square.\n"
#define CLIP_WEIGHTS "clip_weights float -1 Clips the weight to [-clip_weights, clip_weights]; below 0: no clipping.\n"

/* The mutated inputs: those to which the rule assigns. */
static bool is_step_state(const Query *q, int input) { return q->op->update->written >> input & 1; }
#define STATES .effects = op_writes_always, .writes = is_step_state, .state = is_step_state,

/* The example is two calls: with few parameters, and with all that change the formula. */
#define UPDATE_ROW(title, rule, names, operands, states, Params, parameters, few, more, explained)         \
  { .name = title, .aliases = names, .doc = explained, .inputs = operands, states .params = parameters,    \
    .update = &rule,                                                      \
    .example = "F." title "(F.array{1, -1}, F.array{0.5, -2}, " few ")\n" \
               "F." title "(F.array{1, -1}, F.array{0.5, -2}, " more ")", \
    .params_size = sizeof(Params), .flags = OP_NO_GRAD | OP_IN_PLACE, .infer = infer_same_floats }

#define MULTI "rescale_grad = 0.5, num_weights = 2})"

/* clang-format off */
Op update_ops[] = {
  UPDATE_ROW("sgd_update", sgd_rule, NULL, "weight grad", , SgdParams, LR COMMON LAZY, "{lr = 0.1}",
             "{lr = 0.1, wd = 0.01, rescale_grad = 0.5, clip_gradient = 0.3}", "weight - lr (grad + wd weight)"),
  UPDATE_ROW("sgd_mom_update", sgd_mom_rule, NULL, "weight grad mom", STATES, MomentumParams,
             LR "momentum float 0 The decay rate of mom.\n" COMMON LAZY,
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9}",
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1}",
             "mom = momentum mom - lr (grad + wd weight); weight + mom"),
  UPDATE_ROW("nag_mom_update", nag_mom_rule, NULL, "weight grad mom", STATES, NagParams,
             LR "momentum float 0 The decay rate of mom.\n" COMMON,
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9}",
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1}",
             "Nesterov's momentum: d = grad + wd weight; mom = momentum mom - lr d; weight + momentum mom - lr d"),
  UPDATE_ROW("nag_step", nag_step_rule, NULL, "weight grad mom", STATES, NagParams,
             LR "momentum float 0 The decay rate of mom.\n" COMMON,
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9}",
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1}",
             "nag_mom_update as the optimizer NAG uses it: afterwards mom also loses lr wd (new weight - weight), as in "
             "MXNet, whose optimizer reads the weight after its change"),
  UPDATE_ROW("adam_update", adam_rule, NULL, "weight grad mean var", STATES, AdamParams,
             LR BETAS("0.9", "0.999") EPSILON("1e-8") COMMON LAZY, "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1, wd = 0.01, clip_gradient = 1}",
             "d = grad + wd weight; mean and var are the decaying means of d and d^2; weight - lr mean / (sqrt(var) + "
             "epsilon) (D. Kingma, J. Ba, 2014). The caller corrects their bias through lr"),
  UPDATE_ROW("adamw_step", adamw_step_rule, NULL, "weight grad mean var", STATES, AdamWStepParams,
             LR BETAS("0.9", "0.999") EPSILON("1e-8") COMMON "eta float 1 The factor of the schedule.\n",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1, wd = 0.01, clip_gradient = 1}",
             "mean and var are the decaying means of grad and grad^2; weight - eta (lr mean / (sqrt(var) + epsilon) + "
             "wd weight) (I. Loshchilov, F. Hutter, 2017). adamw_update is the same with rescale_grad as an array"),
  UPDATE_ROW("rmsprop_update", rmsprop_rule, NULL, "weight grad n", STATES, RmsPropParams,
             LR "gamma1 float 0.95 The decay rate of n.\n" EPSILON("1e-8") COMMON CLIP_WEIGHTS,
                 "F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.3, 0.1}, {lr = 0.1, gamma1 = 0.9, wd = 0.01, clip_weights = 0.9}",
             "d = grad + wd weight; n is the decaying mean of d^2; weight - lr d / sqrt(n + epsilon) "
             "(T. Tieleman, G. Hinton, 2012)"),
  UPDATE_ROW("rmspropalex_update", rmspropalex_rule, NULL, "weight grad n g delta", STATES, AlexParams,
             LR "gamma1 float 0.95 The decay rate of n and g.\ngamma2 float 0.9 The decay rate of delta.\n"
             EPSILON("1e-8") COMMON CLIP_WEIGHTS,
             "F.array{3, 2}, F.array{0.3, 0.1}, F.array{0.1, 0.2}, {lr = 0.1}",
             "F.array{3, 2}, F.array{0.3, 0.1}, F.array{0.1, 0.2}, {lr = 0.1, gamma1 = 0.9, gamma2 = 0.8, wd = 0.01}",
             "n and g are the decaying means of d^2 and d = grad + wd weight; delta = gamma2 delta - lr d / sqrt(n - "
             "g^2 + epsilon); weight + delta (A. Graves, 2013)"),
  UPDATE_ROW("ftrl_update", ftrl_rule, NULL, "weight grad z n", STATES, FtrlParams,
             LR "lamda1 float 0.01 The L1 penalty.\nbeta float 1 The learning rate's beta.\n" COMMON,
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1, lamda1 = 0.5, beta = 2, wd = 0.01}",
             "Follow the regularized leader: z += grad - (sqrt(n + grad^2) - sqrt(n)) weight / lr; n += grad^2; "
             "(sign(z) lamda1 - z) / ((beta + sqrt(n)) / lr + wd) where |z| > lamda1, else 0 "
             "(H. McMahan et al., 2013)"),
  UPDATE_ROW("ftml_update", ftml_rule, NULL, "weight grad d v z", STATES, FtmlParams,
             LR BETAS("0.6", "0.999") EPSILON("1e-8") "t int - The step number, counted from 1.\n" WD RESCALE
             "clip_grad float -1 Clips the gradient to [-clip_grad, clip_grad]; below 0: no clipping.\n",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, F.array{0.1, 0.4}, {lr = 0.1, t = 1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, F.array{0.1, 0.4}, {lr = 0.1, t = 3, wd = 0.01, clip_grad = 1}",
             "Follow the moving leader (S. Zheng, J. Kwok, 2017)"),
  UPDATE_ROW("signsgd_update", signsgd_rule, NULL, "weight grad", , SignSgdParams, LR COMMON,
             "{lr = 0.1}", "{lr = 0.1, wd = 0.01}", "(1 - lr wd) weight - lr sign(grad)"),
  UPDATE_ROW("signum_update", signum_rule, NULL, "weight grad mom", STATES, SignumParams,
             LR "momentum float 0 The decay rate of mom.\n" COMMON
             "wd_lh float 0 Weight decay that is separate from the gradient.\n",
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9}",
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9, wd = 0.01, wd_lh = 0.1}",
             "mom = momentum mom - (1 - momentum) (grad + wd weight); "
             "(1 - lr wd_lh) weight + lr sign(mom) (J. Bernstein et al., 2018)"),
  UPDATE_ROW("adagrad_update", adagrad_rule, "_sparse_adagrad_update", "weight grad history", STATES, AdaGradParams,
             LR EPSILON("1e-7") COMMON, "F.array{0.1, 0.2}, {lr = 0.1}",
             "F.array{0.1, 0.2}, {lr = 0.1, wd = 0.01, clip_gradient = 1}",
             "history += grad^2; weight - lr (grad / sqrt(history + epsilon) + wd weight) (J. Duchi et al., 2011)"),
  UPDATE_ROW("adadelta_update", adadelta_rule, NULL, "weight grad acc_g acc_delta", STATES, AdaDeltaParams,
             "rho float 0.9 The decay rate of both means.\n" EPSILON("1e-5") COMMON,
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {rho = 0.9}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {rho = 0.8, epsilon = 0.001, wd = 0.01}",
             "acc_g is the decaying mean of grad^2; delta = sqrt(acc_delta + epsilon) / sqrt(acc_g + epsilon) grad; "
             "acc_delta is the decaying mean of delta^2; weight - delta - wd weight (M. Zeiler, 2012)"),
  UPDATE_ROW("adamax_step", adamax_step_rule, NULL, "weight grad mean largest", STATES, AdamaxParams,
             LR BETAS("0.9", "0.999") COMMON, "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1, wd = 0.01, clip_gradient = 1}",
             "d = grad + wd weight; mean is the decaying mean of d, largest = max(beta2 largest, |d|); weight - lr mean "
             "/ largest (D. Kingma, J. Ba, 2014). The caller corrects the bias of the mean through lr"),
  UPDATE_ROW("nadam_step", nadam_step_rule, NULL, "weight grad mean var", STATES, NadamParams,
             LR BETAS("0.9", "0.999") EPSILON("1e-8") "grad_factor float 1 Multiplies d in the step.\n"
             "mean_factor float 1 Multiplies mean in the step.\nvar_divisor float 1 Divides var in the step.\n" COMMON,
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1, grad_factor = 0.2, mean_factor = 0.7, var_divisor = 0.1, "
             "wd = 0.01, clip_gradient = 1}",
             "d = grad + wd weight; mean and var are the decaying means of d and d^2; weight - lr (grad_factor d + "
             "mean_factor mean) / (sqrt(var / var_divisor) + epsilon) (T. Dozat, 2016)"),
  UPDATE_ROW("dcasgd_step", dcasgd_step_rule, NULL, "weight grad previous", STATES, DcasgdParams,
             LR "lamda float 0.04 The factor of the compensation.\n" COMMON,
             "F.array{0.9, -0.9}, {lr = 0.1}", "F.array{0.9, -0.9}, {lr = 0.1, wd = 0.01, clip_gradient = 1}",
             "SGD that compensates for delayed gradients: weight - lr (grad + wd weight + lamda grad^2 (weight - "
             "previous)); previous = weight before that (S. Zheng et al., 2016)"),
  UPDATE_ROW("dcasgd_mom_step", dcasgd_mom_step_rule, NULL, "weight grad previous mom", STATES, DcasgdMomentumParams,
             LR "momentum float 0 The decay rate of mom.\nlamda float 0.04 The factor of the compensation.\n" COMMON,
             "F.array{0.9, -0.9}, F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9}",
             "F.array{0.9, -0.9}, F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1}",
             "dcasgd_step with momentum: mom = momentum mom - lr (grad + wd weight + lamda grad^2 (weight - previous)); "
             "weight + mom"),
  UPDATE_ROW("lamb_update_phase1", lamb_phase1_rule, NULL, "weight grad mean var", STATES, LambParams,
             BETAS("0.9", "0.999") EPSILON("1e-6") "t int - The step number, counted from 1.\n"
             "bias_correction bool True Correct the bias of the means.\n"
             "wd float - The weight decay.\n" RESCALE CLIP, "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {t = 1, wd = 0}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {t = 2, wd = 0.01, bias_correction = false, clip_gradient = 1}",
             "LAMB, phase 1: the step mean / (sqrt(var) + epsilon) + wd weight (Y. You et al., 2019)"),
  { .name = "lamb_update_phase2",
    .doc = "LAMB, phase 2: weight - lr (r1 / r2) g, where g is the step of phase 1, r1 the norm of the weight and r2 "
           "that of g; weight - lr g if either norm is 0",
    .example = "F.lamb_update_phase2(F.array{1, -1}, F.array{0.5, 0.25}, F.array{1.4}, F.array{0.5}, "
               "{lr = 0.1, upper_bound = 1})",
    .inputs = "weight g r1 r2",
    .params = LR "lower_bound float -1 r1 is at least this; below 0: no bound.\n"
              "upper_bound float -1 r1 is at most this; below 0: no bound.\n",
    .params_size = sizeof(Lamb2Params), .flags = OP_NO_GRAD | OP_IN_PLACE,
    .infer = infer_lamb_phase2, .update = &lamb_phase2_rule },
  { .name = "_adamw_update", .aliases = "adamw_update contrib.adamw_update",
    .doc = "AdamW: adam_update with weight decay that is separate from the gradient: weight - eta (lr mean / "
           "(sqrt(var) + epsilon) + wd weight). rescale_grad is an array; if it is 0 or not finite, nothing changes",
    .example = "F.adamw_update(F.array{1, -1}, F.array{0.5, -2}, F.array{0.1, 0.2}, F.array{0.3, 0.1}, F.array{0.5}, "
               "{lr = 0.1, eta = 1, wd = 0.01})",
    .inputs = "weight grad mean var rescale_grad", STATES
    .params = LR BETAS("0.9", "0.999") EPSILON("1e-8")
              "wd float 0 The weight decay.\neta float - The factor of the schedule.\n" CLIP,
    .params_size = sizeof(AdamWParams), .flags = OP_NO_GRAD | OP_IN_PLACE, .infer = infer_adamw,
    .update = &adamw_rule },
  { .name = "multi_lars",
    .doc = "The learning rates of LARS: lr eta |w| / (rescale_grad |g| + wd |w| + eps), or lr if a norm is 0 (Y. You "
           "et al., 2017)",
    .example = "F.multi_lars(F.array{0.1, 0.2}, F.array{4, 9}, F.array{1, 4}, F.array{0.01, 0}, "
               "{eta = 0.001, eps = 0.0001})",
    .inputs = "lrs weights_sum_sq grads_sum_sq wds",
    .params = "eta float - The trust coefficient.\neps float - Added to the divisor.\n" RESCALE,
    .params_size = sizeof(LarsParams), .flags = OP_NO_GRAD | OP_IN_PLACE, .infer = infer_same_floats,
    .update = &lars_rule },
  { .name = "multi_sgd_update", .doc = "sgd_update of several weights: inputs weight, grad, weight, grad, ...",
    .example = "F.multi_sgd_update(F.array{1, -1}, F.array{0.5, -2}, F.array{3}, F.array{1}, "
               "{lrs = {0.1, 0.2}, wds = {0, 0.01}, " MULTI,
    .inputs = "data...",
    .params = "lrs floats - The learning rates.\n"
              "wds floats - The weight decays.\n" RESCALE CLIP "num_weights int 1 Number of weights.\n",
    .params_size = sizeof(MultiSgdParams), .n_inputs = multi_sgd_inputs, .n_outputs = multi_sgd_outputs,
    .flags = OP_NO_GRAD | OP_VARIADIC | OP_IN_PLACE_EACH,
    .infer = infer_multi },
  { .name = "multi_sgd_mom_update",
    .doc = "sgd_mom_update of several weights: inputs weight, grad, mom, weight, grad, mom, ...",
    .example = "F.multi_sgd_mom_update(F.array{1, -1}, F.array{0.5, -2}, F.array{0, 1}, F.array{3}, F.array{1}, "
               "F.array{0}, "
               "{lrs = {0.1, 0.2}, wds = {0, 0.01}, momentum = 0.9, " MULTI,
    .inputs = "data...", .effects = op_writes_always, .writes = is_momentum, .state = is_momentum,
    .params = "lrs floats - The learning rates.\n"
              "wds floats - The weight decays.\n"
              "momentum float 0 The decay rate of mom.\n" RESCALE CLIP "num_weights int 1 Number of weights.\n",
    .params_size = sizeof(MultiMomentumParams), .n_inputs = multi_momentum_inputs, .n_outputs = multi_momentum_outputs,
    .flags = OP_NO_GRAD | OP_VARIADIC | OP_IN_PLACE_EACH, .infer = infer_multi },
  { 0 }
};
/* clang-format on */
