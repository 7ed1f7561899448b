/* group_updates.c - optimizer steps for groups: a rate for each row of a weight, and AdamW for several weights at once.
**
** As in optimizer_rows.c, a step returns the new weight and changes the states in place. The kernels are in
** kernels/train/group_updates_kernels.c.
*/
#include "ops/train/group_updates.h"

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- GroupAdaGrad --------------------------------------------------------------------------------------- */

static bool is_history(const Query *q, int input) {
  (void)q;
  return input == 2;
}

static Status infer_group_adagrad(Infer *f) {
  const Shape *weight = &f->in[0].shape;
  TRY(one_float_dtype(f, 3, 1));
  TRY(one_shape(f, 0, 0));
  TRY(one_shape(f, 1, 0));
  if (weight->ndim < 0) return OK;
  TRY(least_dims(f, 0, 1));
  const Shape rows = only_axis(weight, 0);
  return input_shape(f, 2, &rows);
}

/* ---- AdamW of several weights ------------------------------------------------------------------------------- */

/* The inputs are groups of weight, grad, mean and var, then rescale_grad. */
enum { ADAMW_GROUP = 4 };

static int multi_adamw_outputs(const Query *q) { return (int)((const MultiAdamWParams *)q->params)->num_weights; }
static int multi_adamw_inputs(const Query *q) { return ADAMW_GROUP * multi_adamw_outputs(q) + 1; }
static bool is_mean_or_var(const Query *q, int input) {
  return input < ADAMW_GROUP * multi_adamw_outputs(q) && input % ADAMW_GROUP >= 2;
}

static Status check_count(const char *name, const List *list, int weights) {
  if (list->count == weights) return OK;
  return fail("%s: expected %d numbers, one for each weight, got %lld", name, weights, (long long)list->count);
}

static Status infer_multi_adamw(Infer *f) {
  const MultiAdamWParams *p = f->params;
  const int scale = f->n_in - 1;
  TRY(check_count("lrs", &p->lrs, f->n_out));
  TRY(check_count("wds", &p->wds, f->n_out));
  TRY(check_count("etas", &p->etas, f->n_out));
  for (int k = 0; k < f->n_out; k++) {
    Infer one = { .op = f->op,
                  .params = f->params,
                  .in = f->in + k * ADAMW_GROUP,
                  .out = f->out + k,
                  .n_in = ADAMW_GROUP,
                  .n_out = 1 };
    TRY(infer_same_floats(&one));
  }
  if (f->in[scale].dtype == DT_UNKNOWN) f->in[scale].dtype = f->in[0].dtype;
  return input_shape(f, scale, &(Shape){ 1, { 1 } });
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

#define CLIP "clip_gradient float -1 Clips the gradient to [-clip_gradient, clip_gradient]; below 0: no clipping.\n"

/* clang-format off */
Op group_update_ops[] = {
  { .name = "_contrib_group_adagrad_update", .aliases = "contrib.group_adagrad_update",
    .doc = "AdaGrad with one rate for each row of the weight: history += mean(grad^2) over the row; "
           "weight - lr grad / sqrt(history + epsilon). history has the weight's shape with all axes but the first 1 "
           "(J. Duchi et al., 2011)",
    .example = "F.contrib.group_adagrad_update(F.array{{1, -1}, {2, 0.5}}, F.array{{0.5, -2}, {1, 0}}, "
               "F.array{{0.1}, {0.2}}, {lr = 0.1})\n"
               "F.contrib.group_adagrad_update(F.array{1, -1}, F.array{0.5, -2}, F.array{0.1, 0.2}, "
               "{lr = 0.1, rescale_grad = 0.5, clip_gradient = 0.3})",
    .inputs = "weight grad history", .effects = op_writes_always, .writes = is_history, .state = is_history,
    .params = "lr float - The learning rate.\nrescale_grad float 1 Multiplies the gradient.\n" CLIP
              "epsilon float 1e-5 Keeps the divisor above 0.\n",
    .params_size = sizeof(GroupAdaGradParams), .flags = OP_NO_GRAD | OP_IN_PLACE | OP_STEP, .infer = infer_group_adagrad },
  { .name = "_multi_adamw_update",
    .doc = "adamw_update of several weights: inputs weight, grad, mean, var, weight, ..., then rescale_grad. If "
           "rescale_grad is 0 or not finite, nothing changes",
    .example = "F.multi_adamw_update(F.array{1, -1}, F.array{0.5, -2}, F.array{0.1, 0.2}, F.array{0.3, 0.1}, "
               "F.array{3}, F.array{1}, F.array{0.1}, F.array{0.2}, F.array{0.5}, "
               "{lrs = {0.1, 0.2}, wds = {0, 0.01}, etas = {1, 0.5}, num_weights = 2})",
    .inputs = "data...", .effects = op_writes_always, .writes = is_mean_or_var, .state = is_mean_or_var,
    .params = "lrs floats - The learning rates.\n"
              "beta1 float 0.9 The decay rate of the mean.\nbeta2 float 0.999 The decay rate of the mean square.\n"
              "epsilon float 1e-8 Keeps the divisor above 0.\n"
              "wds floats - The weight decays.\netas floats - The factors of the schedules.\n" CLIP
              "num_weights int 1 Number of weights.\n",
    .params_size = sizeof(MultiAdamWParams), .n_inputs = multi_adamw_inputs, .n_outputs = multi_adamw_outputs,
    .flags = OP_NO_GRAD | OP_VARIADIC | OP_IN_PLACE_EACH, .infer = infer_multi_adamw },
  { 0 }
};
/* clang-format on */
