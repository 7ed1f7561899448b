/* step_call.c - see step_call.h.
**
** Invariant: a call fails for lack of memory only before its first step, so it can be repeated.
*/
#include "exec/tape/step_call.h"

#include "base/memory.h"
#include "exec/lazy_port.h"
#include "exec/tape/freed_tape.h"
#include "exec/tape/recorded_call.h"
#include "state/engine.h"

static const Leaf *leaf_of(const Array *a) { return a->node ? a->node->leaf : NULL; }

/* Is the gradient's memory that of an input, or of an earlier gradient? */
static bool shares(Array *const *in, int n_in, int at) {
  const Storage *storage = leaf_of(in[at])->grad.storage;
  for (int i = 0; i < n_in; i++) {
    if (in[i]->t.storage == storage) return true;
    const Leaf *leaf = i < at && in[i] != in[at] ? leaf_of(in[i]) : NULL;
    if (leaf && leaf != leaf_of(in[at]) && leaf->grad.storage == storage) return true;
  }
  return false;
}

bool step_call_fits(Array *const *in, int n_in, const bool *wanted, unsigned mode, uint8_t *req) {
  if (!(mode & CALL_RECORDED) || mode & (CALL_HOOKED | CALL_ELSEWHERE)) return false;
  for (int i = 0; i < n_in; i++) {
    const Leaf *leaf = leaf_of(in[i]);
    req[i] = leaf ? (uint8_t)leaf->req : GRAD_NULL;
    if (in[i]->node && (!wanted[i] || !leaf || leaf->req == GRAD_NULL)) return false;
  }
  for (int i = 0; i < n_in; i++)
    if (req[i] != GRAD_NULL && shares(in, n_in, i)) return false;
  return true;
}

Status step_call_updates(const Compiled *c, StepHost *host, Array *const *in, StepUpdate *update) {
  for (int i = c->graph.n_nodes - 1, left = c->n_updates; left > 0; i--) {
    const Node *n = c->graph.node[i];
    if (step_kind(n) != STEP_HOST_CALL || step_params(n)->update < 0) continue;
    left--;
    StepUpdate *to = &update[step_params(n)->update];
    *to = (StepUpdate){ .rule = NULL };
    if (host && host->find_update) TRY(host->find_update(host, step_params(n), in, c->graph.n_input, to));
  }
  return OK;
}

Status step_call_first(const Compiled *c, StepHost *host) {
  for (int i = 0; i < c->graph.n_nodes; i++) {
    const Node *n = c->graph.node[i];
    if (step_kind(n) && step_params(n)->first) TRY(host->perform(host, step_params(n)));
  }
  if (host) host->left = true;
  return OK;
}

/* Makes the node of a tape that is freed at once, if an output was on one. */
static Status make_freed(const Specialization *spec, int n_out, Node **out) {
  bool any = false;
  *out = NULL;
  for (int i = 0; i < n_out; i++) any = any || spec->output[i].taped;
  return any ? recorded_call_freed_node(n_out, out) : OK;
}

/* The number of pointers that an update's BoundUpdate.data has, and that of its numbers. */
static size_t n_data(const StepUpdate *u) { return (size_t)u->n * (2 + (size_t)u->n_states); }
static size_t n_numbers(const StepUpdate *u) {
  return u->rule ? (size_t)u->n * (1 + (size_t)u->rule->info->n_params) : 0;
}

/* Takes the memory of a call's lists. */
static Status take_lists(const Compiled *c, const Specialization *spec, const StepUpdate *update, StepCall *call) {
  const size_t n_in = (size_t)c->graph.n_input + (size_t)spec->n_added, n_updates = (size_t)c->n_updates;
  size_t pointers = 0, numbers = 0;
  for (int u = 0; u < c->n_updates; u++) {
    pointers += n_data(&update[u]);
    numbers += n_numbers(&update[u]);
  }
  char *memory = call->memory = object_resize(NULL, (n_in + 1) * (sizeof *call->held + sizeof *call->in) +
                                                      n_updates * sizeof *call->update + pointers * sizeof(void *) +
                                                      numbers * sizeof(double));
  if (!memory) return no_memory("training step");
  call->held = (Tensor *)memory;
  call->update = (BoundUpdate *)(call->held + n_in);
  call->in = (const Tensor **)(call->update + n_updates);
  const void **data = (const void **)(call->in + n_in);
  call->numbers = (double *)(data + pointers);
  for (int u = 0; u < c->n_updates; data += n_data(&update[u++]))
    call->update[u] = (BoundUpdate){ .update = &update[u], .data = data };
  return OK;
}

/* Makes the tensor of an input that steps added. */
static void bind_added(const StepInput *what, Array *const *in, StepCall *call, Tensor *to) {
  BoundUpdate *b = &call->update[what->of];
  switch (what->kind) {
    case STEP_GRADIENT: *to = tensor_share(&leaf_of(in[what->of])->grad); break;
    case STEP_STATE: *to = tensor_share(&b->update->state[what->index]->t); break;
    case STEP_NUMBERS:
      *to = (Tensor){ .type = step_numbers_type(b->update), .data = call->numbers };
      call->numbers += n_numbers(b->update);
      b->numbers = to;
  }
}

/* Notes the data of an update's operands, by which the host knows them. */
static void note_data(const BoundUpdate *b, Array *const *in) {
  const StepUpdate *u = b->update;
  const void **data = b->data;
  for (int k = 0; k < u->n; k++) {
    *data++ = in[u->input[k]]->t.data;
    *data++ = leaf_of(in[u->input[k]])->grad.data;
    for (int s = 0; s < u->n_states; s++) *data++ = u->state[k * u->n_states + s]->t.data;
  }
}

/* Before writes: the memory of weights and states; that of gradients is an input of the graph, too. */
static Status before_writes(const Compiled *c, const Specialization *spec, const StepCall *call) {
  for (int u = 0; u < c->n_updates; u++) {
    const BoundUpdate *b = &call->update[u];
    for (int k = 0; b->numbers && k < b->update->n; k++) TRY(lazy_before_write(call->in[b->update->input[k]]));
  }
  for (int k = 0; k < spec->n_added; k++) TRY(lazy_before_write(call->in[c->graph.n_input + k]));
  return OK;
}

static Status bind_inputs(const Compiled *c, const Specialization *spec, Array *const *in, StepCall *call) {
  const int n_in = c->graph.n_input;
  for (int i = 0; i < n_in; i++) call->held[call->n_held++] = tensor_share(&in[i]->t);
  for (int k = 0; k < spec->n_added; k++) bind_added(&spec->added[k], in, call, &call->held[call->n_held++]);
  for (int i = 0; i < call->n_held; i++) call->in[i] = &call->held[i];
  for (int u = 0; u < c->n_updates; u++)
    if (call->update[u].numbers) note_data(&call->update[u], in);
  return before_writes(c, spec, call);
}

static void free_call(StepCall *call) {
  for (int i = 0; i < call->n_held; i++) tensor_release(&call->held[i]);
  object_free(call->memory);
  node_release(call->freed);
}

Status step_call_begin(const Compiled *c, const Specialization *spec, Array *const *in, StepHost *host,
                       const StepUpdate *update, StepCall *call) {
  *call = (StepCall){ .run = { .host = host, .in = in } };
  Status s = make_freed(spec, c->graph.n_out, &call->freed);
  if (s == OK) s = take_lists(c, spec, update, call);
  if (s == OK) s = bind_inputs(c, spec, in, call);
  if (s != OK) {
    free_call(call);
    return s;
  }
  call->run.update = call->update;
  call->before = step_run_set(&call->run);
  return OK;
}

void step_call_end(StepCall *call, const Compiled *c, const Specialization *spec, Array *out) {
  const int n_out = c->graph.n_out;
  step_run_set(call->before);
  for (int i = 0; out && i < n_out; i++) {
    if (!spec->output[i].taped) continue;
    out[i].node = node_retain(call->freed);
    out[i].index = i;
  }
  if (out && call->freed) engine_now()->freed.latest_backward = c->backward;
  free_call(call);
}
