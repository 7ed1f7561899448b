/* optimizer_kernels.c - optimizer steps.
**
** A formula is one scalar statement for element i, compiled for float32 and float64. In it w is the weight, g the
** rescaled gradient, BOUND(x) is x clipped to clip_gradient, and s2, s3, s4 are the states (inputs 2, 3, 4). Before it
** P(name) makes a parameter a constant of the loop, and LET(name, value) any value. The formulas are those of MXNet
** 1.9.1, including the order of operations.
**
** A step is not interrupted, since a half-updated weight would be worse than a delay of some milliseconds. Steps of
** many weights can run as one loop (the column `range`).
*/
#include <math.h>

#include "base/math/scalar_functions.h"
#include "base/threads/parallel_for.h"
#include "ir/run_op.h"
#include "kernels/kernel_registry.h"
#include "ops/train/optimizer_rows.h"
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
  UPDATE_LOOP(name, Params, double, f64, constants, __VA_ARGS__)

/* ---- The formulas --------------------------------------------------------------------------------------- */

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

/* One step of another row, in the dtype of c. */
#define RUN_STEP(name, c) run_ranges((c)->out[0]->type.dtype == DT_FLOAT32 ? name##_f32 : name##_f64, c, 1)

/* LAMB, phase 2: scales the step g of phase 1 by the norms r1 of the weight and r2 of g. */
typedef struct LambStepParams { double lr, rescale_grad, clip_gradient; } LambStepParams;

UPDATE(lamb_step, LambStepParams, P(lr), out[i] = w - lr * g;)

static Status lamb_phase2(Call *c) {
  const Lamb2Params *p = c->params;
  double r1 = tensor_get(c->in[2], 0), r2 = tensor_get(c->in[3], 0);
  if (p->lower_bound >= 0 && r1 < p->lower_bound) r1 = p->lower_bound;
  if (p->upper_bound >= 0 && r1 > p->upper_bound) r1 = p->upper_bound;
  LambStepParams step = { .lr = r1 == 0 || r2 == 0 ? p->lr : p->lr * r1 / r2, .rescale_grad = 1, .clip_gradient = -1 };
  Call one = *c;
  one.params = &step;
  one.n_in = 2;
  return RUN_STEP(lamb_step, &one);
}

/* AdamW: weight decay separate from the gradient (I. Loshchilov, F. Hutter, 2017). A scale that is 0 or not finite
** means that the gradient overflowed: nothing changes. */

/* clang-format off */
UPDATE(adamw_step, AdamWStepParams,
  P(lr) P(beta1) P(beta2) P(epsilon) P(wd) P(eta),
  const real d = BOUND(g);
  s2[i] = beta1 * s2[i] + (1 - beta1) * d;
  s3[i] = beta2 * s3[i] + (1 - beta2) * d * d;
  out[i] = w - eta * (lr * s2[i] / (sqrt(s3[i]) + epsilon) + wd * w);)
/* clang-format on */

static Status adamw(Call *c) {
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
  if (isfinite(scale) && scale != 0) return RUN_STEP(adamw_step, &one);
  copy_block(c->in[0]->data, c->out[0]->data, tensor_bytes(c->in[0]));
  return OK;
}

/* ---- Several weights in one call -------------------------------------------------------------------------- */

/* The step of weight k as a separate call. */
static Call step_call(const Call *c, int k, const void *params) {
  const int group = c->n_in / c->n_out;
  return (Call){ .op = c->op, .params = params, .in = c->in + k * group, .out = c->out + k, .n_in = group, .n_out = 1 };
}

static Status multi_sgd(Call *c) {
  const MultiSgdParams *p = c->params;
  for (int k = 0; k < c->n_out; k++) {
    SgdParams step = { .lr = list_floats(&p->rates.lrs)[k],
                       .wd = list_floats(&p->rates.wds)[k],
                       .rescale_grad = p->rescale_grad,
                       .clip_gradient = p->clip_gradient };
    Call one = step_call(c, k, &step);
    TRY(RUN_STEP(sgd, &one));
  }
  return OK;
}

static Status multi_momentum(Call *c) {
  const MultiMomentumParams *p = c->params;
  for (int k = 0; k < c->n_out; k++) {
    MomentumParams step = { .lr = list_floats(&p->rates.lrs)[k],
                            .wd = list_floats(&p->rates.wds)[k],
                            .momentum = p->momentum,
                            .rescale_grad = p->rescale_grad,
                            .clip_gradient = p->clip_gradient };
    Call one = step_call(c, k, &step);
    TRY(RUN_STEP(sgd_mom, &one));
  }
  return OK;
}

/* ---- The table ------------------------------------------------------------------------------------------- */

#define STEP_KERNELS(row, stem)                                                                    \
  { .op = row, .types = ONE_TYPE(DT_FLOAT32), .run = run_by_range, .range = stem##_f32 },          \
  { .op = row, .types = ONE_TYPE(DT_FLOAT64), .run = run_by_range, .range = stem##_f64 }

/* clang-format off */
const Kernel optimizer_kernels[] = {
  STEP_KERNELS("sgd_update", sgd),
  STEP_KERNELS("sgd_mom_update", sgd_mom),
  STEP_KERNELS("nag_mom_update", nag_mom),
  STEP_KERNELS("adam_update", adam),
  STEP_KERNELS("adamw_step", adamw_step),
  STEP_KERNELS("rmsprop_update", rmsprop),
  STEP_KERNELS("rmspropalex_update", rmspropalex),
  STEP_KERNELS("ftrl_update", ftrl),
  STEP_KERNELS("ftml_update", ftml),
  STEP_KERNELS("signsgd_update", signsgd),
  STEP_KERNELS("signum_update", signum),
  STEP_KERNELS("adagrad_update", adagrad),
  STEP_KERNELS("adadelta_update", adadelta),
  STEP_KERNELS("lamb_update_phase1", lamb_phase1),
  { .op = "lamb_update_phase2", .types = FLOAT_TYPES, .run = lamb_phase2 },
  { .op = "_adamw_update", .types = FLOAT_TYPES, .run = adamw },
  { .op = "multi_sgd_update", .types = FLOAT_TYPES, .run = multi_sgd },
  { .op = "multi_sgd_mom_update", .types = FLOAT_TYPES, .run = multi_momentum },
  { 0 },
};
/* clang-format on */
