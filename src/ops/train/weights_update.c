/* weights_update.c - an optimizer step for several weights in place, whose numbers are an input.
**
** The rule is another row (op_is_step), such as adam_update. Its parameters (learning rate, weight decay, count) are a
** row of the input `numbers` for each weight, so that a compiled training step computes with other numbers in each call.
** The first number of a row says whether the weight takes part. The kernel is in kernels/train/weights_update_kernels.c.
*/
#include "ops/train/weights_update.h"

#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

Status weights_update_rule(const WeightsUpdateParams *p, const Op **rule) {
  const Op *row = *rule = p->rule ? op_find(p->rule) : NULL;
  if (!row || !op_is_step(row))
    return fail("rule: expected the name of an operator that updates a weight, such as 'sgd_update', got '%s'",
                p->rule ? p->rule : "None");
  if (p->num_weights < 1 || p->num_weights > MOST_UPDATED)
    return fail("num_weights: expected 1 to %d, got %lld", MOST_UPDATED, (long long)p->num_weights);
  if (row->info->n_inputs == 2 + p->states) return OK;
  return fail("states: expected %d for %s, got %lld", row->info->n_inputs - 2, row->name, (long long)p->states);
}

/* Inference rejects numbers outside the limits. */
static int count_inputs(const Query *q) {
  const WeightsUpdateParams *p = q->params;
  const int64_t n = p->num_weights < 1 ? 1 : p->num_weights > MOST_UPDATED ? MOST_UPDATED : p->num_weights;
  return (int)n * weights_update_group(p) + 1;
}

/* All but gradients and numbers. */
static bool is_written(const Query *q, int input) {
  return input < count_inputs(q) - 1 && input % weights_update_group(q->params) != 1;
}

static bool is_update_state(const Query *q, int input) {
  return is_written(q, input) && input % weights_update_group(q->params) > 1;
}

static Status infer_weights_update(Infer *f) {
  const WeightsUpdateParams *p = f->params;
  const Op *rule;
  TRY(weights_update_rule(p, &rule));
  const int group = weights_update_group(p), numbers = (int)p->num_weights * group;
  if (f->n_in != numbers + 1) return fail("expected %d inputs, got %d", numbers + 1, f->n_in);
  for (int k = 0; k < p->num_weights; k++) {
    Type out = TYPE_UNKNOWN;
    TRY(op_infer(rule, rule->info->defaults, f->in + k * group, group, &out, 1));
  }
  Type *type = &f->in[numbers];
  if (type->dtype == DT_UNKNOWN) type->dtype = DT_FLOAT64;
  if (type->dtype != DT_FLOAT64) return fail("numbers: expected float64, got %s", dtype_name(type->dtype));
  TRY(input_shape(f, numbers, &(Shape){ 2, { p->num_weights, 1 + rule->info->n_params } }));
  f->out[0] = (Type){ .dtype = DT_BOOL, .shape = { 1, { 1 } } };
  return OK;
}

/* clang-format off */
Op weights_update_ops[] = {
  { .name = "_contrib_update_weights", .aliases = "contrib.update_weights",
    .doc = "An optimizer's step for several weights, in place, by another operator: inputs weight, gradient, states, "
           "weight, ..., then numbers, a float64 array with a row for each weight: 1 if the weight takes part (else "
           "0), then the operator's parameters in order, -1 for no clipping. True if a weight takes part",
    .example = "F.contrib.update_weights(F.array{1, -1}, F.array{0.5, -2}, F.array{3}, F.array{1}, F.cast(F.array{"
               "{1, 0.1, 0.01, 1, -1, 1}, {1, 0.2, 0, 1, -1, 1}}, {dtype = 'float64'}), "
               "{rule = 'sgd_update', num_weights = 2})",
    .inputs = "data...",
    .params = "rule string - The update operator.\n"
              "num_weights int 1 Number of weights.\n"
              "states int 0 Number of states of each weight.\n",
    .params_size = sizeof(WeightsUpdateParams), .role = ROLE_UPDATE, .n_inputs = count_inputs,
    .flags = OP_NO_GRAD | OP_VARIADIC, .effects = op_writes_always, .writes = is_written,
    .state = is_update_state, .infer = infer_weights_update },
  { 0 }
};
/* clang-format on */
