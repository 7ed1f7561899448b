/* optimizer_kernels.c - optimizer steps.
**
** The rules of ops/train/update_rules.h, compiled for float32 and float64. One pass changes the states and gives the
** new weight.
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
#include "ops/train/update_rules.h"

/* ---- Update rules as loops -------------------------------------------------------------------------- */

/* A rule's words. Operands are declared in the loop, those that SET changes with their address. Other names
** are declared before it. */
#define RESULT(name) real *const name##_ = &out[i]; real name = in0[i];
#define READ(name, input) const real name = in##input[i];
#define STATE(name, input) real *const name##_ = &in##input[i]; real name = *name##_;
#define ONE(name, input) const double name = tensor_get(c->in[input], 0);
#define NUMBER(name) const real name = (real)p->name;
#define EXACT(name) const double name = p->name;
#define LET(name, value) const real name = value;
#define DOUBLE(name, value) const double name = value;
#define SET(name, value) *name##_ = name = value;

#define UPDATE_LOOP(function, T, Params, operands, numbers, constants, ...)                       \
  static void function(const Call *c, int64_t from, int64_t end) {                                \
    typedef T real;                                                                               \
    const Params *p = c->params;                                                                  \
    const real *in0 = c->in[0]->data, *in1 = c->in[1]->data;                                      \
    real *out = c->out[0]->data, *in2 = INPUT(2), *in3 = INPUT(3), *in4 = INPUT(4);               \
    (void)in2, (void)in3, (void)in4;                                                              \
    numbers constants                                                                             \
    IVDEP                                                                                         \
    for (int64_t i = from; i < end; i++) {                                                        \
      operands                                                                                    \
      __VA_ARGS__                                                                                 \
    }                                                                                             \
  }
#define INPUT(k) (c->n_in > (k) ? c->in[k]->data : NULL)
#define LOOPS(stem, row, Params, ...)                                                             \
  UPDATE_LOOP(stem##_f32, float, Params, __VA_ARGS__) UPDATE_LOOP(stem##_f64, double, Params, __VA_ARGS__)
EACH_UPDATE_RULE(LOOPS)

/* ---- Several weights in one call -------------------------------------------------------------------------- */

/* One step of another row, in the dtype of c. */
#define RUN_STEP(stem, c) run_ranges((c)->out[0]->type.dtype == DT_FLOAT32 ? stem##_f32 : stem##_f64, c, 1)

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

#define STEP_KERNELS(stem, row, ...)                                                               \
  { .op = row, .types = ONE_TYPE(DT_FLOAT32), .run = run_by_range, .range = stem##_f32 },          \
  { .op = row, .types = ONE_TYPE(DT_FLOAT64), .run = run_by_range, .range = stem##_f64 },

const Kernel optimizer_kernels[] = {
  EACH_UPDATE_RULE(STEP_KERNELS){ .op = "multi_sgd_update", .types = FLOAT_TYPES, .run = multi_sgd },
  { .op = "multi_sgd_mom_update", .types = FLOAT_TYPES, .run = multi_momentum },
  { 0 },
};
