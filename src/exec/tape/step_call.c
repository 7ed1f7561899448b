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

Status step_call_begin(Compiled *c, const Specialization *spec, Array *const *in, StepHost *host,
                       const Tensor **tensors, StepCall *call) {
  const int n_in = c->graph.n_input;
  *call = (StepCall){ .run = { .host = host, .in = in } };
  for (int k = 0; k < spec->n_gradients; k++) TRY(lazy_before_write(&leaf_of(in[spec->gradient[k]])->grad));
  TRY(make_freed(spec, c->graph.n_out, &call->freed));
  call->gradient = object_new((size_t)(spec->n_gradients + n_in + 1) * sizeof *call->gradient);
  call->held = call->gradient + spec->n_gradients;
  call->n_held = n_in;
  if (!call->gradient) {
    node_release(call->freed);
    return no_memory("training step");
  }
  for (int i = 0; i < n_in; i++) call->held[i] = tensor_share(&in[i]->t);
  for (int k = 0; k < spec->n_gradients; k++) {
    call->gradient[k] = tensor_share(&leaf_of(in[spec->gradient[k]])->grad);
    tensors[k] = &call->gradient[k];
  }
  call->before = step_run_set(&call->run);
  return OK;
}

void step_call_end(StepCall *call, const Compiled *c, const Specialization *spec, Array *out) {
  const int n_out = c->graph.n_out;
  step_run_set(call->before);
  for (int k = 0; k < spec->n_gradients; k++) tensor_release(&call->gradient[k]);
  for (int i = 0; i < call->n_held; i++) tensor_release(&call->held[i]);
  object_free(call->gradient);
  for (int i = 0; out && i < n_out; i++) {
    if (!spec->output[i].taped) continue;
    out[i].node = node_retain(call->freed);
    out[i].index = i;
  }
  if (out && call->freed) engine_now()->freed.latest_backward = c->backward;
  node_release(call->freed);
}
