/* update_rules.h - the update rules of optimizers, for the rows of optimizer_rows.c and their kernels.
**
** A rule is what happens to one element of the weight and its states:
**     RESULT(x)      the operand x is input 0, the weight; its new value is the output
**     READ(x, i)     the operand x is input i;  STATE(x, i)  so is x, and the rule changes it
**     NUMBER(x)      a parameter, in the type of the loop;  EXACT(x)  a parameter as a double
**     ONE(x, i)      the number in input i, which has one element, as a double
**     LET(x, value)  a new name;  DOUBLE(x, value)  a new name for a double
**     SET(x, value)  the new value of a state or of the weight, which is the output
** In a row the rule is a text of assignments (ir/expression/assignments.h); in a kernel it is C. The words have the
** names of the row's inputs and parameters. The formulas are those of MXNet 1.9.1, including the order of operations.
*/
#ifndef HL_OPS_TRAIN_UPDATE_RULES_H
#define HL_OPS_TRAIN_UPDATE_RULES_H

#define GRAD RESULT(weight) READ(grad, 1)
#define RESCALED NUMBER(rescale_grad)

/* Clips the gradient to [-most, most]. */
#define CLIPPED RESCALED EXACT(clip_gradient)
#define LET_MOST LET(most, K(clip_gradient >= 0 ? clip_gradient : HUGE_VAL))

/* The same, and for the weight. */
#define WEIGHT_CLIPPED CLIPPED EXACT(clip_weights)
#define LET_BOTH LET_MOST LET(weight_most, K(clip_weights >= 0 ? clip_weights : HUGE_VAL))

/* AdamW's step; CHANGED(new, old) is the new value, or the old one if nothing changes. */
#define ADAMW_STEP(scale, CHANGED)                                                                           \
  LET(d, bounded(scale * grad, most))                                                                        \
  SET(mean, CHANGED(beta1 * mean + (1 - beta1) * d, mean))                                                   \
  SET(var, CHANGED(beta2 * var + (1 - beta2) * d * d, var))                                                  \
  SET(weight, CHANGED(weight - eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight), weight))
#define ALWAYS(new, old) new
#define IF_SOUND(new, old) sound ? new : old

/* F(stem, row, parameters' struct, operands, numbers, names computed before the loop, steps) */
#define EACH_UPDATE_RULE(F)                                                                                  \
  F(sgd, "sgd_update", SgdParams, GRAD, NUMBER(lr) NUMBER(wd) CLIPPED,                                       \
    LET_MOST LET(keep, 1 - lr * wd),                                                                         \
    SET(weight, keep * weight - lr * bounded(rescale_grad * grad, most)))                                    \
  F(sgd_mom, "sgd_mom_update", MomentumParams, GRAD STATE(mom, 2),                                           \
    NUMBER(lr) NUMBER(momentum) NUMBER(wd) CLIPPED, LET_MOST LET(decay, lr * wd),                            \
    SET(mom, momentum * mom - decay * weight - lr * bounded(rescale_grad * grad, most))                      \
    SET(weight, weight + mom))                                                                               \
  F(nag_mom, "nag_mom_update", NagParams, GRAD STATE(mom, 2), NUMBER(lr) NUMBER(momentum) NUMBER(wd) CLIPPED, \
    LET_MOST,                                                                                                \
    LET(before, momentum * mom)                                                                              \
    SET(mom, before - lr * (bounded(rescale_grad * grad, most) + wd * weight))                               \
    SET(weight, weight - before + (momentum + 1) * mom))                                                     \
  F(nag_step, "nag_step", NagParams, GRAD STATE(mom, 2),                                                     \
    EXACT(lr) NUMBER(momentum) EXACT(wd) CLIPPED,                                                            \
    LET_MOST LET(rate, K(lr)) LET(decay, K(wd)) LET(late, K(lr * wd)),                                       \
    LET(before, momentum * mom)                                                                              \
    LET(old, weight)                                                                                         \
    SET(mom, before - rate * (bounded(rescale_grad * grad, most) + decay * weight))                          \
    SET(weight, weight - before + (momentum + 1) * mom)                                                      \
    SET(mom, wd != 0 ? mom + (old - weight) * late : mom))                                                   \
  F(signsgd, "signsgd_update", SignSgdParams, GRAD, NUMBER(lr) NUMBER(wd), LET(keep, 1 - lr * wd),           \
    SET(weight, keep * weight - lr * sign(grad)))                                                            \
  F(signum, "signum_update", SignumParams, GRAD STATE(mom, 2),                                               \
    NUMBER(lr) NUMBER(momentum) NUMBER(wd) CLIPPED NUMBER(wd_lh),                                            \
    LET_MOST LET(decay, (1 - momentum) * wd) LET(keep, 1 - lr * wd_lh),                                      \
    SET(mom, momentum * mom - decay * weight - (1 - momentum) * bounded(rescale_grad * grad, most))          \
    SET(weight, keep * weight + lr * sign(mom)))                                                             \
  F(adam, "adam_update", AdamParams, GRAD STATE(mean, 2) STATE(var, 3),                                      \
    NUMBER(lr) NUMBER(beta1) NUMBER(beta2) NUMBER(epsilon) NUMBER(wd) CLIPPED, LET_MOST,                     \
    LET(d, bounded(rescale_grad * grad + wd * weight, most))                                                 \
    SET(mean, beta1 * mean + (1 - beta1) * d)                                                                \
    SET(var, beta2 * var + (1 - beta2) * d * d)                                                              \
    SET(weight, weight - lr * mean / (sqrt(var) + epsilon)))                                                 \
  F(adamw_step, "adamw_step", AdamWStepParams, GRAD STATE(mean, 2) STATE(var, 3),                            \
    NUMBER(lr) NUMBER(beta1) NUMBER(beta2) NUMBER(epsilon) NUMBER(wd) CLIPPED NUMBER(eta), LET_MOST,         \
    ADAMW_STEP(rescale_grad, ALWAYS))                                                                        \
  F(adamw, "_adamw_update", AdamWParams, GRAD STATE(mean, 2) STATE(var, 3),                                  \
    NUMBER(lr) NUMBER(beta1) NUMBER(beta2) NUMBER(epsilon) NUMBER(wd) NUMBER(eta) EXACT(clip_gradient)       \
    ONE(rescale_grad, 4),                                                                                    \
    LET_MOST LET(scale, K(rescale_grad)) LET(sound, abs(rescale_grad) < HUGE_VAL && rescale_grad != 0),      \
    ADAMW_STEP(scale, IF_SOUND))                                                                             \
  F(rmsprop, "rmsprop_update", RmsPropParams, GRAD STATE(n, 2),                                              \
    NUMBER(lr) NUMBER(gamma1) NUMBER(epsilon) NUMBER(wd) WEIGHT_CLIPPED, LET_BOTH,                           \
    LET(d, bounded(rescale_grad * grad + wd * weight, most))                                                 \
    SET(n, (1 - gamma1) * (d * d) + gamma1 * n)                                                              \
    SET(weight, bounded(weight - lr * (d / sqrt(n + epsilon)), weight_most)))                                \
  F(rmspropalex, "rmspropalex_update", AlexParams, GRAD STATE(n, 2) STATE(g, 3) STATE(delta, 4),             \
    NUMBER(lr) NUMBER(gamma1) NUMBER(gamma2) NUMBER(epsilon) NUMBER(wd) WEIGHT_CLIPPED, LET_BOTH,            \
    LET(d, bounded(rescale_grad * grad + wd * weight, most))                                                 \
    SET(n, (1 - gamma1) * (d * d) + gamma1 * n)                                                              \
    SET(g, (1 - gamma1) * d + gamma1 * g)                                                                    \
    SET(delta, gamma2 * delta - lr * (d / sqrt(n - g * g + epsilon)))                                        \
    SET(weight, bounded(weight + delta, weight_most)))                                                       \
  F(ftrl, "ftrl_update", FtrlParams, GRAD STATE(z, 2) STATE(n, 3),                                           \
    NUMBER(lr) NUMBER(lamda1) NUMBER(beta) NUMBER(wd) CLIPPED, LET_MOST,                                     \
    LET(d, bounded(rescale_grad * grad, most))                                                               \
    LET(before, sqrt(n))                                                                                     \
    SET(n, n + d * d)                                                                                        \
    SET(z, z + d - (sqrt(n) - before) * weight / lr)                                                         \
    SET(weight, abs(z) > lamda1 ? (sign(z) * lamda1 - z) / ((beta + sqrt(n)) / lr + wd) : 0))                \
  F(ftml, "ftml_update", FtmlParams, GRAD STATE(d, 2) STATE(v, 3) STATE(z, 4),                               \
    NUMBER(lr) NUMBER(beta1) NUMBER(beta2) NUMBER(epsilon) NUMBER(t) NUMBER(wd) RESCALED EXACT(clip_grad),   \
    LET(most, K(clip_grad >= 0 ? clip_grad : HUGE_VAL))                                                      \
    LET(first, (1 - power(beta1, t)) / lr) LET(second, 1 - power(beta2, t)),                                 \
    LET(clipped, bounded(rescale_grad * grad + wd * weight, most))                                           \
    LET(before, d)                                                                                           \
    SET(v, beta2 * v + (1 - beta2) * clipped * clipped)                                                      \
    SET(d, first * (sqrt(v / second) + epsilon))                                                             \
    SET(z, beta1 * z + (1 - beta1) * clipped - (d - beta1 * before) * weight)                                \
    SET(weight, -z / d))                                                                                     \
  F(adagrad, "adagrad_update", AdaGradParams, GRAD STATE(history, 2),                                        \
    NUMBER(lr) NUMBER(epsilon) NUMBER(wd) CLIPPED, LET_MOST,                                                 \
    LET(d, bounded(rescale_grad * grad, most))                                                               \
    SET(history, history + d * d)                                                                            \
    SET(weight, weight - lr * (d / sqrt(history + epsilon) + wd * weight)))                                  \
  F(adadelta, "adadelta_update", AdaDeltaParams, GRAD STATE(acc_g, 2) STATE(acc_delta, 3),                   \
    NUMBER(rho) NUMBER(epsilon) NUMBER(wd) CLIPPED, LET_MOST,                                                \
    LET(d, bounded(rescale_grad * grad, most))                                                               \
    SET(acc_g, rho * acc_g + (1 - rho) * d * d)                                                              \
    LET(delta, sqrt(acc_delta + epsilon) / sqrt(acc_g + epsilon) * d)                                        \
    SET(acc_delta, rho * acc_delta + (1 - rho) * delta * delta)                                              \
    SET(weight, weight - (delta + wd * weight)))                                                             \
  F(adamax_step, "adamax_step", AdamaxParams, GRAD STATE(mean, 2) STATE(largest, 3),                         \
    NUMBER(lr) EXACT(beta1) NUMBER(beta2) NUMBER(wd) CLIPPED,                                                \
    LET_MOST LET(keep, K(beta1)) LET(part, K(1 - beta1)) LET(least, K(1e-37)),                               \
    LET(d, bounded(grad * rescale_grad + weight * wd, most))                                                 \
    SET(mean, mean * keep + d * part)                                                                        \
    SET(largest, maximum(largest * beta2, abs(d)))                                                           \
    SET(weight, weight - mean * lr / maximum(largest, least)))                                               \
  F(nadam_step, "nadam_step", NadamParams, GRAD STATE(mean, 2) STATE(var, 3),                                \
    NUMBER(lr) EXACT(beta1) EXACT(beta2) NUMBER(epsilon) NUMBER(grad_factor) NUMBER(mean_factor)             \
    NUMBER(var_divisor) NUMBER(wd) CLIPPED,                                                                  \
    LET_MOST LET(keep, K(beta1)) LET(part, K(1 - beta1)) LET(keep2, K(beta2)) LET(part2, K(1 - beta2)),      \
    LET(d, bounded(grad * rescale_grad + weight * wd, most))                                                 \
    SET(mean, mean * keep + d * part)                                                                        \
    SET(var, var * keep2 + d * d * part2)                                                                    \
    LET(ahead, d * grad_factor + mean * mean_factor)                                                         \
    SET(weight, weight - ahead * lr / (sqrt(var / var_divisor) + epsilon)))                                  \
  F(dcasgd_step, "dcasgd_step", DcasgdParams, GRAD STATE(previous, 2),                                       \
    NUMBER(lr) NUMBER(lamda) NUMBER(wd) CLIPPED, LET_MOST,                                                   \
    LET(d, bounded(grad * rescale_grad, most))                                                               \
    LET(change, (d + weight * wd + d * d * (weight - previous) * lamda) * -lr)                               \
    SET(previous, weight)                                                                                    \
    SET(weight, weight + change))                                                                            \
  F(dcasgd_mom_step, "dcasgd_mom_step", DcasgdMomentumParams, GRAD STATE(previous, 2) STATE(mom, 3),         \
    NUMBER(lr) NUMBER(momentum) NUMBER(lamda) NUMBER(wd) CLIPPED, LET_MOST,                                  \
    LET(d, bounded(grad * rescale_grad, most))                                                               \
    SET(mom, mom * momentum + (d + weight * wd + d * d * (weight - previous) * lamda) * -lr)                 \
    SET(previous, weight)                                                                                    \
    SET(weight, weight + mom))                                                                               \
  F(lamb_phase1, "lamb_update_phase1", LambParams, GRAD STATE(mean, 2) STATE(var, 3),                        \
    NUMBER(beta1) NUMBER(beta2) NUMBER(epsilon) NUMBER(t) NUMBER(bias_correction) NUMBER(wd) CLIPPED,        \
    LET_MOST LET(first, bias_correction ? 1 - power(beta1, t) : 1)                                           \
    LET(second, bias_correction ? 1 - power(beta2, t) : 1),                                                  \
    LET(d, bounded(rescale_grad * grad, most))                                                               \
    SET(mean, beta1 * mean + (1 - beta1) * d)                                                                \
    SET(var, beta2 * var + (1 - beta2) * d * d)                                                              \
    SET(weight, mean / first / (sqrt(var / second) + epsilon) + wd * weight))                                \
  F(lamb_phase2, "lamb_update_phase2", Lamb2Params, RESULT(weight) READ(g, 1),                                             \
    EXACT(lr) EXACT(lower_bound) EXACT(upper_bound) ONE(r1, 2) ONE(r2, 3),                                   \
    DOUBLE(raised, lower_bound >= 0 && r1 < lower_bound ? lower_bound : r1)                                  \
    DOUBLE(norm, upper_bound >= 0 && raised > upper_bound ? upper_bound : raised)                            \
    LET(rate, K(norm == 0 || r2 == 0 ? lr : lr * norm / r2)),                                                \
    SET(weight, weight - rate * g))                                                                          \
  F(lars, "multi_lars", LarsParams,                                                                          \
    RESULT(lrs) READ(weights_sum_sq, 1) READ(grads_sum_sq, 2) READ(wds, 3),                                  \
    EXACT(eta) EXACT(eps) EXACT(rescale_grad), ,                                                             \
    DOUBLE(w, sqrt((double)weights_sum_sq))                                                                  \
    DOUBLE(g, sqrt((double)grads_sum_sq))                                                                    \
    SET(lrs, w > 0 && g > 0 ? lrs * eta * w / (g * rescale_grad + wds * w + eps) : lrs))

#endif
