/* optimizer_rows.c - optimizer steps.
**
** A step reads a weight, its gradient and states; it returns the new weight and changes the states in place. With {out
** = weight} it changes the weight in place too, in the same pass.
**
** A formula is one scalar statement for element i, compiled for float32 and float64. In it w is the weight, g the
** rescaled gradient, BOUND(x) is x clipped to clip_gradient, and s2, s3, s4 are the states (inputs 2, 3, 4). Before it
** P(name) makes a parameter a constant of the loop, and LET(name, value) any value. The formulas are those of MXNet
** 1.9.1, including the order of operations.
**
** A step is not interrupted, since a half-updated weight would be worse than a delay of some milliseconds. Steps of
** many weights can run as one loop (the column `run_range`).
*/
#include <math.h>
#include <string.h>

#include "base/threads/parallel_for.h"
#include "base/math/scalar_functions.h"
#include "ir/run_op.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"
#include "tensor/cast_copy.h"

/* ---- Shared by the updates -------------------------------------------------------------------------- */

#define R(name) ((real)p->name)
#define LET(name, value) const real name = value;
#define P(name) LET(name, R(name))
#define BOUND(x) ({ const real x_ = (x); x_ > most ? most : x_ < -most ? -most : x_; })
#define STATE(k) (c->n_in > (k) ? c->in[k]->data : NULL)

/* The loop of a formula; `constants` are computed before it. A negative clip_gradient disables clipping. */
#define UPDATE_LOOP(name, Params, T, suffix, constants, ...)                                      \
  static void name##_##suffix(const Call *c, int64_t from, int64_t end) {                         \
    typedef T real;                                                                               \
    const Params *p = c->params;                                                                  \
    const real rescale = R(rescale_grad), most = p->clip_gradient >= 0 ? R(clip_gradient) : (real)HUGE_VAL; \
    const real *weight = c->in[0]->data, *grad = c->in[1]->data;                                  \
    real *out = c->out[0]->data, *s2 = STATE(2), *s3 = STATE(3), *s4 = STATE(4);                  \
    (void)s2, (void)s3, (void)s4, (void)most;                                                     \
    constants                                                                                     \
    IVDEP                                                                                         \
    for (int64_t i = from; i < end; i++) {                                                        \
      const real w = weight[i], g = rescale * grad[i];                                            \
      (void)g;                                                                                    \
      __VA_ARGS__                                                                                 \
    }                                                                                             \
  }

#define UPDATE(name, Params, constants, ...)                                                      \
  UPDATE_LOOP(name, Params, float, f32, constants, __VA_ARGS__)                                   \
  UPDATE_LOOP(name, Params, double, f64, constants, __VA_ARGS__)                                  \
  static void name##_range(const Call *c, int64_t from, int64_t end) {                            \
    (c->out[0]->type.dtype == DT_FLOAT32 ? name##_f32 : name##_f64)(c, from, end);                \
  }                                                                                               \
  static Status name##_forward(Call *c) { return run_ranges(name##_range, c, 1); }

/* ---- The formulas --------------------------------------------------------------------------------------- */

typedef struct SgdParams { double lr, wd, rescale_grad, clip_gradient; int64_t lazy_update; } SgdParams;
typedef struct MomentumParams { double lr, momentum, wd, rescale_grad, clip_gradient;
  int64_t lazy_update;
} MomentumParams;
typedef struct NagParams { double lr, momentum, wd, rescale_grad, clip_gradient; } NagParams;
typedef struct SignSgdParams { double lr, wd, rescale_grad, clip_gradient; } SignSgdParams;
typedef struct SignumParams { double lr, momentum, wd, rescale_grad, clip_gradient, wd_lh; } SignumParams;
typedef struct AdamParams { double lr, beta1, beta2, epsilon, wd, rescale_grad, clip_gradient;
  int64_t lazy_update;
} AdamParams;
typedef struct RmsPropParams { double lr, gamma1, epsilon, wd, rescale_grad, clip_gradient, clip_weights; } RmsPropParams;
typedef struct AlexParams { double lr, gamma1, gamma2, epsilon, wd, rescale_grad, clip_gradient, clip_weights; } AlexParams;
typedef struct FtrlParams { double lr, lamda1, beta, wd, rescale_grad, clip_gradient; } FtrlParams;
typedef struct FtmlParams { double lr, beta1, beta2, epsilon; int64_t t; double wd, rescale_grad, clip_gradient;
} FtmlParams;
typedef struct AdaGradParams { double lr, epsilon, wd, rescale_grad, clip_gradient; } AdaGradParams;
typedef struct AdaDeltaParams { double rho, epsilon, wd, rescale_grad, clip_gradient; } AdaDeltaParams;
typedef struct LambParams { double beta1, beta2, epsilon; int64_t t, bias_correction; double wd, rescale_grad, clip_gradient;
} LambParams;

/* clang-format off */
UPDATE(sgd, SgdParams,
  P(lr) LET(keep, 1 - lr * R(wd)),
  out[i] = keep * w - lr * BOUND(g);)

UPDATE(sgd_mom, MomentumParams,
  P(lr) P(momentum) LET(decay, lr * R(wd)),
  s2[i] = momentum * s2[i] - decay * w - lr * BOUND(g);
  out[i] = w + s2[i];)

UPDATE(nag_mom, NagParams,
  P(lr) P(momentum) P(wd),
  const real before = momentum * s2[i], mom = before - lr * (BOUND(g) + wd * w);
  out[i] = w - before + (momentum + 1) * mom;
  s2[i] = mom;)

UPDATE(signsgd, SignSgdParams,
  P(lr) LET(keep, 1 - lr * R(wd)),
  out[i] = keep * w - lr * sign(grad[i]);)

UPDATE(signum, SignumParams,
  P(lr) P(momentum) LET(decay, (1 - momentum) * R(wd)) LET(keep, 1 - lr * R(wd_lh)),
  s2[i] = momentum * s2[i] - decay * w - (1 - momentum) * BOUND(g);
  out[i] = keep * w + lr * sign(s2[i]);)

UPDATE(adam, AdamParams,
  P(lr) P(beta1) P(beta2) P(epsilon) P(wd),
  const real d = BOUND(g + wd * w);
  s2[i] = beta1 * s2[i] + (1 - beta1) * d;
  s3[i] = beta2 * s3[i] + (1 - beta2) * d * d;
  out[i] = w - lr * s2[i] / (sqrt(s3[i]) + epsilon);)
/* clang-format on */

#define BOUND_WEIGHT(x) \
  ({ const real y_ = (x); y_ > weight_most ? weight_most : y_ < -weight_most ? -weight_most : y_; })
#define WEIGHT_MOST const real weight_most = p->clip_weights >= 0 ? R(clip_weights) : (real)HUGE_VAL;

/* clang-format off */
UPDATE(rmsprop, RmsPropParams,
  P(lr) P(gamma1) P(epsilon) P(wd) WEIGHT_MOST,
  const real d = BOUND(g + wd * w);
  s2[i] = (1 - gamma1) * (d * d) + gamma1 * s2[i];
  out[i] = BOUND_WEIGHT(w - lr * (d / sqrt(s2[i] + epsilon)));)

UPDATE(rmspropalex, AlexParams,
  P(lr) P(gamma1) P(gamma2) P(epsilon) P(wd) WEIGHT_MOST,
  const real d = BOUND(g + wd * w);
  s2[i] = (1 - gamma1) * (d * d) + gamma1 * s2[i];
  s3[i] = (1 - gamma1) * d + gamma1 * s3[i];
  s4[i] = gamma2 * s4[i] - lr * (d / sqrt(s2[i] - s3[i] * s3[i] + epsilon));
  out[i] = BOUND_WEIGHT(w + s4[i]);)

UPDATE(ftrl, FtrlParams,
  P(lr) P(lamda1) P(beta) P(wd),
  const real d = BOUND(g), n = s3[i] + d * d;
  const real z = s2[i] + d - (sqrt(n) - sqrt(s3[i])) * w / lr;
  s2[i] = z;
  s3[i] = n;
  out[i] = abs(z) > lamda1 ? (sign(z) * lamda1 - z) / ((beta + sqrt(n)) / lr + wd) : 0;)

UPDATE(ftml, FtmlParams,
  P(beta1) P(beta2) P(epsilon) P(wd)
  LET(first, (1 - power(beta1, R(t))) / R(lr)) LET(second, 1 - power(beta2, R(t))),
  const real d = BOUND(g + wd * w), v = beta2 * s3[i] + (1 - beta2) * d * d;
  const real e = first * (sqrt(v / second) + epsilon), z = beta1 * s4[i] + (1 - beta1) * d - (e - beta1 * s2[i]) * w;
  s2[i] = e;
  s3[i] = v;
  s4[i] = z;
  out[i] = -z / e;)

UPDATE(adagrad, AdaGradParams,
  P(lr) P(epsilon) P(wd),
  const real d = BOUND(g);
  s2[i] += d * d;
  out[i] = w - lr * (d / sqrt(s2[i] + epsilon) + wd * w);)

UPDATE(adadelta, AdaDeltaParams,
  P(rho) P(epsilon) P(wd),
  const real d = BOUND(g), square_g = rho * s2[i] + (1 - rho) * d * d,
      delta = sqrt(s3[i] + epsilon) / sqrt(square_g + epsilon) * d;
  s2[i] = square_g;
  s3[i] = rho * s3[i] + (1 - rho) * delta * delta;
  out[i] = w - (delta + wd * w);)

UPDATE(lamb_phase1, LambParams,
  P(beta1) P(beta2) P(epsilon) P(wd)
  LET(first, p->bias_correction ? 1 - power(beta1, R(t)) : 1)
  LET(second, p->bias_correction ? 1 - power(beta2, R(t)) : 1),
  const real d = BOUND(g);
  s2[i] = beta1 * s2[i] + (1 - beta1) * d;
  s3[i] = beta2 * s3[i] + (1 - beta2) * d * d;
  out[i] = s2[i] / first / (sqrt(s3[i] / second) + epsilon) + wd * w;)
/* clang-format on */

/* ---- Steps with numbers in arrays ----------------------------------------------------------------- */

/* LAMB, phase 2: scales the step g of phase 1 by the norms r1 of the weight and r2 of g. */
typedef struct Lamb2Params { double lr, lower_bound, upper_bound; } Lamb2Params;
typedef struct LambStepParams { double lr, rescale_grad, clip_gradient; } LambStepParams;

UPDATE(lamb_step, LambStepParams, P(lr), out[i] = w - lr * g;)

static Status infer_lamb_phase2(Infer *f) {
  Shape one = { 1, { 1 } };
  TRY(one_float_dtype(f, f->n_in, 1));
  TRY(one_shape(f, 0, 0));
  TRY(one_shape(f, 1, 0));
  TRY(input_shape(f, 2, &one));
  return input_shape(f, 3, &one);
}

static Status lamb_phase2_forward(Call *c) {
  const Lamb2Params *p = c->params;
  double r1 = tensor_get(c->in[2], 0), r2 = tensor_get(c->in[3], 0);
  if (p->lower_bound >= 0 && r1 < p->lower_bound) r1 = p->lower_bound;
  if (p->upper_bound >= 0 && r1 > p->upper_bound) r1 = p->upper_bound;
  LambStepParams step = { .lr = r1 == 0 || r2 == 0 ? p->lr : p->lr * r1 / r2, .rescale_grad = 1, .clip_gradient = -1 };
  Call one = *c;
  one.params = &step;
  one.n_in = 2;
  return lamb_step_forward(&one);
}

/* AdamW: weight decay separate from the gradient (I. Loshchilov, F. Hutter, 2017). A scale that is 0 or not finite
** means that the gradient overflowed: nothing changes. */
typedef struct AdamWParams { double lr, beta1, beta2, epsilon, wd, eta, clip_gradient; } AdamWParams;
typedef struct AdamWStepParams { double lr, beta1, beta2, epsilon, wd, rescale_grad, clip_gradient, eta; } AdamWStepParams;

/* clang-format off */
UPDATE(adamw_step, AdamWStepParams,
  P(lr) P(beta1) P(beta2) P(epsilon) P(wd) P(eta),
  const real d = BOUND(g);
  s2[i] = beta1 * s2[i] + (1 - beta1) * d;
  s3[i] = beta2 * s3[i] + (1 - beta2) * d * d;
  out[i] = w - eta * (lr * s2[i] / (sqrt(s3[i]) + epsilon) + wd * w);)
/* clang-format on */

static Status infer_adamw(Infer *f) {
  Shape one = { 1, { 1 } };
  f->n_in = 4;
  TRY(infer_same_floats(f));
  if (f->in[4].dtype == DT_UNKNOWN) f->in[4].dtype = f->in[0].dtype;
  return input_shape(f, 4, &one);
}

static Status adamw_forward(Call *c) {
  const AdamWParams *p = c->params;
  double scale = tensor_get(c->in[4], 0);
  AdamWStepParams step = { .lr = p->lr,
                           .beta1 = p->beta1,
                           .beta2 = p->beta2,
                           .epsilon = p->epsilon,
                           .wd = p->wd,
                           .rescale_grad = scale,
                           .clip_gradient = p->clip_gradient,
                           .eta = p->eta };
  Call one = *c;
  one.params = &step;
  one.n_in = 4;
  if (isfinite(scale) && scale != 0) return adamw_step_forward(&one);
  copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
  return OK;
}

/* ---- Several weights in one call -------------------------------------------------------------------------- */

/* The first parameters of both rows. */
typedef struct MultiRates { List lrs, wds; } MultiRates;
typedef struct MultiSgdParams { MultiRates rates; double rescale_grad, clip_gradient;
  int64_t num_weights;
} MultiSgdParams;
typedef struct MultiMomentumParams { MultiRates rates; double momentum, rescale_grad, clip_gradient;
  int64_t num_weights;
} MultiMomentumParams;

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

/* The step of weight k as a separate call. */
static Call step_call(const Call *c, int k, const void *params) {
  const int group = c->n_in / c->n_out;
  return (Call){ .op = c->op, .params = params, .in = c->in + k * group, .out = c->out + k, .n_in = group, .n_out = 1 };
}

static Status multi_sgd_forward(Call *c) {
  const MultiSgdParams *p = c->params;
  for (int k = 0; k < c->n_out; k++) {
    SgdParams step = { .lr = list_floats(&p->rates.lrs)[k],
                       .wd = list_floats(&p->rates.wds)[k],
                       .rescale_grad = p->rescale_grad,
                       .clip_gradient = p->clip_gradient };
    Call one = step_call(c, k, &step);
    TRY(sgd_forward(&one));
  }
  return OK;
}

static Status multi_momentum_forward(Call *c) {
  const MultiMomentumParams *p = c->params;
  for (int k = 0; k < c->n_out; k++) {
    MomentumParams step = { .lr = list_floats(&p->rates.lrs)[k],
                            .wd = list_floats(&p->rates.wds)[k],
                            .momentum = p->momentum,
                            .rescale_grad = p->rescale_grad,
                            .clip_gradient = p->clip_gradient };
    Call one = step_call(c, k, &step);
    TRY(sgd_mom_forward(&one));
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

/* The mutated inputs: all after the gradient, except the scale in adamw_update. */
static bool is_step_state(const Query *q, int input) {
  return input >= 2 && strcmp(op_input_name(q->op, input), "rescale_grad") != 0;
}
#define STATES .effects = op_writes_always, .writes = is_step_state, .state = is_step_state,

/* The example is two calls: with few parameters, and with all that change the formula. */
#define UPDATE_ROW(title, fn, names, operands, states, Params, parameters, few, more, text)                    \
  { .name = title, .aliases = names, .doc = text, .inputs = operands, states .params = parameters, \
    .example = "F." title "(F.array{1, -1}, F.array{0.5, -2}, " few ")\n" \
               "F." title "(F.array{1, -1}, F.array{0.5, -2}, " more ")", \
    .params_size = sizeof(Params), .flags = OP_NO_GRAD | OP_IN_PLACE, .infer = infer_same_floats, \
    .forward = fn##_forward, .run_range = fn##_range }

#define MULTI "rescale_grad = 0.5, num_weights = 2})"

/* clang-format off */
Op update_ops[] = {
  UPDATE_ROW("sgd_update", sgd, NULL, "weight grad", , SgdParams, LR COMMON LAZY, "{lr = 0.1}",
             "{lr = 0.1, wd = 0.01, rescale_grad = 0.5, clip_gradient = 0.3}", "weight - lr (grad + wd weight)"),
  UPDATE_ROW("sgd_mom_update", sgd_mom, NULL, "weight grad mom", STATES, MomentumParams,
             LR "momentum float 0 The decay rate of mom.\n" COMMON LAZY,
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9}",
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1}",
             "mom = momentum mom - lr (grad + wd weight); weight + mom"),
  UPDATE_ROW("nag_mom_update", nag_mom, NULL, "weight grad mom", STATES, NagParams,
             LR "momentum float 0 The decay rate of mom.\n" COMMON,
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9}",
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9, wd = 0.01, clip_gradient = 1}",
             "Nesterov's momentum: d = grad + wd weight; mom = momentum mom - lr d; weight + momentum mom - lr d"),
  UPDATE_ROW("adam_update", adam, NULL, "weight grad mean var", STATES, AdamParams,
             LR BETAS("0.9", "0.999") EPSILON("1e-8") COMMON LAZY, "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1, wd = 0.01, clip_gradient = 1}",
             "d = grad + wd weight; mean and var are the decaying means of d and d^2; weight - lr mean / (sqrt(var) + "
             "epsilon) (D. Kingma, J. Ba, 2014). The caller corrects their bias through lr"),
  UPDATE_ROW("adamw_step", adamw_step, NULL, "weight grad mean var", STATES, AdamWStepParams,
             LR BETAS("0.9", "0.999") EPSILON("1e-8") COMMON "eta float 1 The factor of the schedule.\n",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1, wd = 0.01, clip_gradient = 1}",
             "mean and var are the decaying means of grad and grad^2; weight - eta (lr mean / (sqrt(var) + epsilon) + "
             "wd weight) (I. Loshchilov, F. Hutter, 2017). adamw_update is the same with rescale_grad as an array"),
  UPDATE_ROW("rmsprop_update", rmsprop, NULL, "weight grad n", STATES, RmsPropParams,
             LR "gamma1 float 0.95 The decay rate of n.\n" EPSILON("1e-8") COMMON CLIP_WEIGHTS,
                 "F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.3, 0.1}, {lr = 0.1, gamma1 = 0.9, wd = 0.01, clip_weights = 0.9}",
             "d = grad + wd weight; n is the decaying mean of d^2; weight - lr d / sqrt(n + epsilon) "
             "(T. Tieleman, G. Hinton, 2012)"),
  UPDATE_ROW("rmspropalex_update", rmspropalex, NULL, "weight grad n g delta", STATES, AlexParams,
             LR "gamma1 float 0.95 The decay rate of n and g.\ngamma2 float 0.9 The decay rate of delta.\n"
             EPSILON("1e-8") COMMON CLIP_WEIGHTS,
             "F.array{3, 2}, F.array{0.3, 0.1}, F.array{0.1, 0.2}, {lr = 0.1}",
             "F.array{3, 2}, F.array{0.3, 0.1}, F.array{0.1, 0.2}, {lr = 0.1, gamma1 = 0.9, gamma2 = 0.8, wd = 0.01}",
             "n and g are the decaying means of d^2 and d = grad + wd weight; delta = gamma2 delta - lr d / sqrt(n - "
             "g^2 + epsilon); weight + delta (A. Graves, 2013)"),
  UPDATE_ROW("ftrl_update", ftrl, NULL, "weight grad z n", STATES, FtrlParams,
             LR "lamda1 float 0.01 The L1 penalty.\nbeta float 1 The learning rate's beta.\n" COMMON,
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {lr = 0.1, lamda1 = 0.5, beta = 2, wd = 0.01}",
             "Follow the regularized leader: z += grad - (sqrt(n + grad^2) - sqrt(n)) weight / lr; n += grad^2; "
             "(sign(z) lamda1 - z) / ((beta + sqrt(n)) / lr + wd) where |z| > lamda1, else 0 "
             "(H. McMahan et al., 2013)"),
  UPDATE_ROW("ftml_update", ftml, NULL, "weight grad d v z", STATES, FtmlParams,
             LR BETAS("0.6", "0.999") EPSILON("1e-8") "t int - The step number, counted from 1.\n" WD RESCALE
             "clip_grad float -1 Clips the gradient to [-clip_grad, clip_grad]; below 0: no clipping.\n",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, F.array{0.1, 0.4}, {lr = 0.1, t = 1}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, F.array{0.1, 0.4}, {lr = 0.1, t = 3, wd = 0.01, clip_grad = 1}",
             "Follow the moving leader (S. Zheng, J. Kwok, 2017)"),
  UPDATE_ROW("signsgd_update", signsgd, NULL, "weight grad", , SignSgdParams, LR COMMON,
             "{lr = 0.1}", "{lr = 0.1, wd = 0.01}", "(1 - lr wd) weight - lr sign(grad)"),
  UPDATE_ROW("signum_update", signum, NULL, "weight grad mom", STATES, SignumParams,
             LR "momentum float 0 The decay rate of mom.\n" COMMON
             "wd_lh float 0 Weight decay that is separate from the gradient.\n",
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9}",
             "F.array{0.1, 0.2}, {lr = 0.1, momentum = 0.9, wd = 0.01, wd_lh = 0.1}",
             "mom = momentum mom - (1 - momentum) (grad + wd weight); "
             "(1 - lr wd_lh) weight + lr sign(mom) (J. Bernstein et al., 2018)"),
  UPDATE_ROW("adagrad_update", adagrad, "_sparse_adagrad_update", "weight grad history", STATES, AdaGradParams,
             LR EPSILON("1e-7") COMMON, "F.array{0.1, 0.2}, {lr = 0.1}",
             "F.array{0.1, 0.2}, {lr = 0.1, wd = 0.01, clip_gradient = 1}",
             "history += grad^2; weight - lr (grad / sqrt(history + epsilon) + wd weight) (J. Duchi et al., 2011)"),
  UPDATE_ROW("adadelta_update", adadelta, NULL, "weight grad acc_g acc_delta", STATES, AdaDeltaParams,
             "rho float 0.9 The decay rate of both means.\n" EPSILON("1e-5") COMMON,
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {rho = 0.9}",
             "F.array{0.1, 0.2}, F.array{0.3, 0.1}, {rho = 0.8, epsilon = 0.001, wd = 0.01}",
             "acc_g is the decaying mean of grad^2; delta = sqrt(acc_delta + epsilon) / sqrt(acc_g + epsilon) grad; "
             "acc_delta is the decaying mean of delta^2; weight - delta - wd weight (M. Zeiler, 2012)"),
  UPDATE_ROW("lamb_update_phase1", lamb_phase1, NULL, "weight grad mean var", STATES, LambParams,
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
    .infer = infer_lamb_phase2, .forward = lamb_phase2_forward },
  { .name = "_adamw_update", .aliases = "adamw_update contrib.adamw_update",
    .doc = "AdamW: adam_update with weight decay that is separate from the gradient: weight - eta (lr mean / "
           "(sqrt(var) + epsilon) + wd weight). rescale_grad is an array; if it is 0 or not finite, nothing changes",
    .example = "F.adamw_update(F.array{1, -1}, F.array{0.5, -2}, F.array{0.1, 0.2}, F.array{0.3, 0.1}, F.array{0.5}, "
               "{lr = 0.1, eta = 1, wd = 0.01})",
    .inputs = "weight grad mean var rescale_grad", STATES
    .params = LR BETAS("0.9", "0.999") EPSILON("1e-8")
              "wd float 0 The weight decay.\neta float - The factor of the schedule.\n" CLIP,
    .params_size = sizeof(AdamWParams), .flags = OP_NO_GRAD | OP_IN_PLACE, .infer = infer_adamw,
    .forward = adamw_forward },
  { .name = "multi_sgd_update", .doc = "sgd_update of several weights: inputs weight, grad, weight, grad, ...",
    .example = "F.multi_sgd_update(F.array{1, -1}, F.array{0.5, -2}, F.array{3}, F.array{1}, "
               "{lrs = {0.1, 0.2}, wds = {0, 0.01}, " MULTI,
    .inputs = "data...",
    .params = "lrs floats - The learning rates.\n"
              "wds floats - The weight decays.\n" RESCALE CLIP "num_weights int 1 Number of weights.\n",
    .params_size = sizeof(MultiSgdParams), .n_inputs = multi_sgd_inputs, .n_outputs = multi_sgd_outputs,
    .flags = OP_NO_GRAD | OP_VARIADIC | OP_IN_PLACE_EACH,
    .infer = infer_multi, .forward = multi_sgd_forward },
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
    .flags = OP_NO_GRAD | OP_VARIADIC | OP_IN_PLACE_EACH, .infer = infer_multi,
    .forward = multi_momentum_forward },
  { 0 }
};
/* clang-format on */
