/* optimizer_update.c - see optimizer_update.h.
**
** Everything is checked before the first write. Weights that share memory would race in one loop, so they are updated
** one after another; the versions of memory, which count reported writes, reveal them. Gradients are read from the
** leaves. No array of the script refers to them, so the next backward may replace them (commit in
** exec/tape/backward.c).
*/
#include "exec/train/optimizer_update.h"

#include <string.h>

#include "base/bump.h"
#include "base/threads/parallel_for.h"
#include "exec/lazy_port.h"
#include "exec/program/step_rows.h"
#include "state/engine.h"
#include "ir/run_op.h"

/* The call for one weight. */
typedef struct UpdateStep {
  const Tensor *in[2 + MOST_STATES];
  Tensor *out[1];
  uint32_t version[2 + MOST_STATES];    /* of the operands, before the writes */
} UpdateStep;

static Status find_operands(const Update *u, int i, UpdateStep *step) {
  Array *w = u->weight[i];
  if (engine_now()->mode.recording && w->node)
    return fail("%s: a weight cannot be written in place while recording; update it outside autograd.record",
                u->op->name);
  const Leaf *leaf = w->node ? w->node->leaf : NULL;
  if (!u->grad && (!leaf || leaf->req == GRAD_NULL))
    return fail("%s: weight: expected an array with an attached gradient, got one without", u->op->name);
  step->in[0] = step->out[0] = &w->t;
  step->in[1] = u->grad ? &u->grad[i]->t : &leaf->grad;
  for (int k = 0; k < u->n_states; k++) step->in[2 + k] = &u->state[i * u->n_states + k]->t;
  for (int k = 1; k < 2 + u->n_states; k++)
    if (tensor_device(step->in[k]) != tensor_device(&w->t))
      return fail("%s: %s: expected an array in context %s, where the weight is, got one in %s", u->op->name,
                  op_input_name(u->op, k), device_text(tensor_device(&w->t)), device_text(tensor_device(step->in[k])));
  return OK;
}

static Status check_types(const Update *u, const UpdateStep *step) {
  Type in[2 + MOST_STATES], out[1] = { TYPE_UNKNOWN };
  for (int k = 0; k < 2 + u->n_states; k++) in[k] = step->in[k]->type;
  return op_infer(u->op, u->params, in, 2 + u->n_states, out, 1);
}

static void set_own_numbers(const Update *u, int i, char *fields) {
  for (int k = 0; k < u->n_own; k++) {
    const Param *p = &u->op->info->param[u->own[k].param];
    double value = u->own[k].value[i];
    if (p->kind == P_FLOAT) memcpy(fields + p->offset, &value, sizeof value);
    else memcpy(fields + p->offset, &(int64_t){ (int64_t)value }, sizeof(int64_t));
  }
}

static Status before_write(const Update *u, const UpdateStep *step) {
  TRY(lazy_before_write(step->in[0]));
  for (int k = 0; k < u->n_states; k++) TRY(lazy_before_write(step->in[2 + k]));
  return OK;
}

static void note_writes(const Update *u, UpdateStep *step) {
  for (int i = 0; i < u->n; i++)
    for (int k = 0; k < 2 + u->n_states; k++) step[i].version[k] = tensor_version(step[i].in[k]);
  for (int i = 0; i < u->n; i++) {
    tensor_written(&u->weight[i]->t, engine_now()->mode.origin);
    for (int k = 0; k < u->n_states; k++) tensor_written(&u->state[i * u->n_states + k]->t, engine_now()->mode.origin);
  }
}

/* Does no operand share memory? Then each weight and state had one reported write, and the gradients none. */
static bool own_memory(const Update *u, const UpdateStep *step) {
  for (int i = 0; i < u->n; i++)
    for (int k = 0; k < 2 + u->n_states; k++)
      if (tensor_version(step[i].in[k]) - step[i].version[k] != (k == 1 ? 0 : 1)) return false;
  return true;
}

/* n calls of one kernel, or one call of a kernel without ranges. */
static Status run_step(Call *call, int n) {
  return call->kernel->range ? run_ranges(call->kernel->range, call, n) : call->kernel->run(call);
}

static Status run_calls(Call *call, int n) {
  if (__builtin_expect(!engine_now()->hooks, 1)) return run_step(call, n);
  HookedCall w = { .node = NULL };
  kernel_hook->begins(&w);
  return kernel_hook->ended(&w, call, n, run_step(call, n));
}

/* Gives the calls a workspace, which they share: they run one after another. */
static Status take_workspace(const Update *u, Call *call, Bump *memory) {
  size_t most = 0;
  for (int i = 0; i < u->n; i++) {
    const Query q = query_of_call(&call[i]);
    Workspace w = { .sizes_only = true };
    if (!call[i].kernel->workspace) continue;
    TRY(kernel_workspace(call[i].kernel, &q, &w));
    if (w.bytes > most) most = w.bytes;
  }
  if (most == 0) return OK;
  char *workspace = bump_new(memory, most + 63);
  TRY(memory->status);
  for (int i = 0; i < u->n; i++) call[i].workspace = workspace + (-(uintptr_t)workspace & 63);
  return OK;
}

static Status update_now(const Update *u) {
  const size_t size = u->op->params_size;
  BUMP(memory, "update");
  Call *call = BUMP_ARRAY(&memory, u->n, Call);
  UpdateStep *step = BUMP_ARRAY(&memory, u->n, UpdateStep);
  char *fields = bump_new(&memory, (size_t)u->n * size);
  TRY(memory.status);
  if (interrupted()) return interrupt_status();
  TRY(run_instruction_may_fail());
  TRY(run_memory_may_fail());
  for (int i = 0; i < u->n; i++, fields += size) {
    TRY(find_operands(u, i, &step[i]));
    TRY(check_types(u, &step[i]));
    memcpy(fields, u->params->fields, size);
    set_own_numbers(u, i, fields);
    call[i] = (Call){
      .op = u->op, .params = fields, .in = step[i].in, .out = step[i].out, .n_in = 2 + u->n_states, .n_out = 1
    };
    call[i].kernel = call_kernel(&call[i]);
    if (!call[i].kernel) return call_no_kernel(&call[i]);
  }
  TRY(take_workspace(u, call, &memory));
  for (int i = 0; i < u->n; i++) TRY(before_write(u, &step[i]));
  note_writes(u, step);
  const bool together = own_memory(u, step);
  for (int i = 0, next; i < u->n; i = next) {
    next = i + 1;
    while (together && call[i].kernel->range && next < u->n && call[next].kernel == call[i].kernel) next++;
    TRY(run_calls(call + i, next - i));
  }
  return OK;
}

/* ---- In a compiled step ---------------------------------------------------------------------------- */

/* The numbers of weight i, after the one that says that it takes part. */
static void write_numbers(const Update *u, int i, double *number) {
  *number++ = 1;
  for (int k = 0; k < u->op->info->n_params; k++) {
    const Param *p = &u->op->info->param[k];
    const char *field = (const char *)u->params->fields + p->offset;
    number[k] = p->kind == P_FLOAT ? *(const double *)field : (double)*(const int64_t *)field;
  }
  for (int k = 0; k < u->n_own; k++) number[u->own[k].param] = u->own[k].value[i];
}

Type update_numbers_type(const Update *u) { return step_numbers_type(&(StepUpdate){ .rule = u->op, .n = u->n }); }

void update_numbers(const Update *u, Tensor *to) {
  double *number = to->data;
  for (int i = 0; i < u->n; i++, number += 1 + u->op->info->n_params) write_numbers(u, i, number);
}

/* If a node of the running step performs this update, fills in its numbers; *filled tells. */
static Status fill_in_numbers(const Update *u, StepRun *run, bool *filled) {
  const BoundUpdate *b = run->filling;
  int at = 0;
  *filled = false;
  if (u->grad || run->filled) return OK;
  for (int i = 0; i < u->n; i++) {
    UpdateStep step;
    Array *const *state = u->state + i * u->n_states;
    double *number = bound_update_row(b, u->op, u->weight[i], state, u->n_states, &at);
    if (!number) {
      tensor_clear(b->numbers);
      return OK;
    }
    TRY(find_operands(u, i, &step));
    write_numbers(u, i, number);
  }
  *filled = run->filled = true;
  return OK;
}

Status update_weights(const Update *u) {
  StepRun *run = step_run();
  bool filled = false;
  if (run && run->filling) TRY(fill_in_numbers(u, run, &filled));
  return filled ? OK : update_now(u);
}
