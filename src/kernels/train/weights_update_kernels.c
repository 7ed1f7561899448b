/* weights_update_kernels.c - an optimizer step for several weights in place, as one loop over all their elements.
**
** As in optimizer_kernels.c, a step is not interrupted, and it cannot fail. Weights that share memory would race in one
** loop, so they are updated one after another, as by rules whose kernels have no ranges (OP_STEP).
*/
#include "ops/train/weights_update.h"

#include <string.h>

#include "base/math/typed_functions.h"
#include "base/size_math.h"
#include "ir/run_op.h"
#include "kernels/kernel_registry.h"

/* The set of storages seen, an open hash table of a power of two. */
typedef struct Storages { const Storage **slot; size_t mask; } Storages;

static size_t slots_for(int n) {
  size_t slots = 16;
  while (slots < 2 * (size_t)n) slots *= 2;
  return slots;
}

/* Finds the slot of a storage, or a free one. */
static const Storage **storage_slot(const Storages *s, const Storage *of) {
  size_t at = (uint64_t)(uintptr_t)of * 0x9E3779B97F4A7C15u >> 40;
  while (s->slot[at & s->mask] && s->slot[at & s->mask] != of) at++;
  return &s->slot[at & s->mask];
}

/* The memory of a run: the calls, one per weight, their parameters, the set, and the workspace of one call. */
typedef struct WeightsRun { Call *call; char *fields; Storages seen; void *workspace; } WeightsRun;

typedef struct WeightsPlan { const Op *rule; } WeightsPlan;

/* The largest workspace of the rule for a weight. */
static Status rule_workspace(const Query *q, const Op *rule, size_t *bytes) {
  const WeightsUpdateParams *p = q->params;
  const int group = weights_update_group(p);
  *bytes = 0;
  for (int k = 0; k < p->num_weights; k++) {
    const Type *weight = query_in(q, k * group);
    const Kernel *kernel = rule->kernel[ON_HOST][weight->dtype];
    Workspace w = { .sizes_only = true };
    Query one = *q;
    if (!kernel || !kernel->workspace) continue;
    one.op = rule;
    one.params = rule->info->defaults->fields;
    one.n_in = group;
    one.n_out = 1;
    if (q->in_type) one.in_type += k * group;
    else if (q->in) one.in += k * group;
    else one.entry += k * group;
    one.out = NULL;
    one.out_type = weight;
    TRY(kernel_workspace(kernel, &one, &w));
    if (w.bytes > *bytes) *bytes = w.bytes;
  }
  return OK;
}

static size_t storages_bytes(int n) { return whole_lines(slots_for(n) * sizeof(Storage *)); }

static Status workspace(const Query *q, Workspace *w) {
  const WeightsUpdateParams *p = q->params;
  const Op *rule;
  TRY(weights_update_rule(p, &rule));
  const size_t n = (size_t)p->num_weights;
  size_t of_rule;
  TRY(rule_workspace(q, rule, &of_rule));
  w->bytes = whole_lines(n * sizeof(Call)) + whole_lines(n * rule->params_size) + storages_bytes(q->n_in) + of_rule;
  WeightsPlan *plan = kernel_plan(w, sizeof *plan);
  if (!plan) return w->status;
  plan->rule = rule;
  return OK;
}

static WeightsRun run_in(const Call *c, const Op *rule) {
  const WeightsUpdateParams *p = c->params;
  const size_t n = (size_t)p->num_weights, slots = slots_for(c->n_in);
  char *memory = c->workspace;
  WeightsRun r = { .call = (Call *)memory };
  r.fields = memory += whole_lines(n * sizeof(Call));
  r.seen = (Storages){ (const Storage **)(memory += whole_lines(n * rule->params_size)), slots - 1 };
  r.workspace = memory + storages_bytes(c->n_in);
  memset(r.seen.slot, 0, slots * sizeof *r.seen.slot);
  return r;
}

/* Fills in the rule's parameters from a row of numbers. */
static void set_parameters(const Op *rule, const double *number, char *fields) {
  for (int k = 0; k < rule->info->n_params; k++) {
    const Param *p = &rule->info->param[k];
    if (p->kind == P_FLOAT) memcpy(fields + p->offset, &number[k], sizeof number[k]);
    else memcpy(fields + p->offset, &(int64_t){ hl_to_int64(number[k]) }, sizeof(int64_t));
  }
}

/* Makes the calls of the weights that take part; returns their number. */
static int make_calls(const Call *c, const Op *rule, WeightsRun *r) {
  const WeightsUpdateParams *p = c->params;
  const int group = weights_update_group(p), n_numbers = 1 + rule->info->n_params;
  const double *number = c->in[c->n_in - 1]->data;
  int n = 0;
  for (int k = 0; k < p->num_weights; k++, number += n_numbers) {
    if (number[0] == 0) continue;
    char *fields = r->fields + (size_t)n * rule->params_size;
    set_parameters(rule, number + 1, fields);
    const Tensor *const *in = c->in + k * group;
    r->call[n++] = (Call){ .op = rule,
                           .kernel = rule->kernel[ON_HOST][in[0]->type.dtype],
                           .params = fields,
                           .in = in,
                           .out = (Tensor *const *)in,
                           .n_in = group,
                           .n_out = 1,
                           .workspace = r->workspace };
  }
  return n;
}

/* Is memory that a call writes used by another operand? */
static bool share_memory(const WeightsRun *r, int n) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < r->call[i].n_in; k++) {
      const Storage *storage = r->call[i].in[k]->storage;
      if (k == 1 || !storage) continue;
      const Storage **slot = storage_slot(&r->seen, storage);
      if (*slot) return true;
      *slot = storage;
    }
  for (int i = 0; i < n; i++) {
    const Storage *gradient = r->call[i].in[1]->storage;
    if (gradient && *storage_slot(&r->seen, gradient)) return true;
  }
  return false;
}

static Status update_weights_in_place(Call *c) {
  const Op *rule = ((const WeightsPlan *)c->plan)->rule;
  WeightsRun r = run_in(c, rule);
  const int n = make_calls(c, rule, &r);
  const bool shared = share_memory(&r, n);
  for (int i = 0, next; i < n; i = next) {
    next = i + 1;
    const Kernel *kernel = r.call[i].kernel;
    while (!shared && kernel->range && next < n && r.call[next].kernel == kernel) next++;
    if (kernel->range) run_ranges(kernel->range, r.call + i, next - i);
    else kernel->run(&r.call[i]);
  }
  *(bool *)c->out[0]->data = n > 0;
  return OK;
}

const Kernel weights_update_kernels[] = {
  { .op = "_contrib_update_weights",
    .types = ONE_TYPE(DT_BOOL),
    .run = update_weights_in_place,
    .workspace = workspace },
  { 0 },
};
