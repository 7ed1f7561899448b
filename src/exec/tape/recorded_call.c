/* recorded_call.c - recorded calls: their contents, their nodes on the tape, and the rows of both directions.
**
** Backward over a recorded call runs the backward part of its executable. If other heads have gradients than expected,
** the call is inlined for this backward only (exec/tape/inline_call.c).
*/
#include "exec/tape/recorded_call.h"

#include <string.h>

#include "base/bump.h"
#include "base/memory.h"
#include "state/engine.h"
#include "exec/tape/inline_call.h"
#include "exec/tape_port.h"
#include "ir/graph/graph.h"
#include "ir/kernel_hook.h"
#include "pass/differentiate.h"

/* ---- Mutated inputs ------------------------------------------------------------------------------------ */

Status recorded_call_copy_states(const MutatedInputs *w, Array *const *in, Tensor **out) {
  *out = NULL;
  if (w->n == 0) return OK;
  *out = object_new((size_t)w->n * sizeof **out);
  if (!*out) return no_memory("tape");
  Status s = OK;
  for (int k = 0; k < w->n && s == OK; k++)
    s = tensor_copy(&in[w->input[k]]->t, tensor_device(&in[w->input[k]]->t), &(*out)[k]);
  return s;
}

void recorded_call_put_states_back(const MutatedInputs *w, Array *const *in, const Tensor *state) {
  for (int k = 0; k < w->n; k++) memcpy(in[w->input[k]]->t.data, state[k].data, tensor_bytes(&state[k]));
}

void recorded_call_free_states(const MutatedInputs *w, Tensor *state) {
  for (int k = 0; state && k < w->n; k++) tensor_release(&state[k]);
  object_free(state);
}

/* ---- Life ---------------------------------------------------------------------------------------------- */

static void *retain_call(void *call) {
  RecordedCall *r = call;
  __atomic_fetch_add(&r->refs, 1, __ATOMIC_RELAXED);
  return r;
}

static void release_call(void *call) {
  RecordedCall *r = call;
  if (!r || __atomic_sub_fetch(&r->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  const Graph *g = &r->compiled->graph;
  for (int i = 0; i < g->n_input + g->n_out; i++) tensor_release(&r->in[i]);
  for (int i = 0; r->inlined && i < g->n_out; i++) node_release(r->inlined[i].node);
  recorded_call_free_states(compiled_mutated(r->compiled, r->mode), r->state);
  if (r->run_state) run_state_give_back(r->run_state);
  compiled_release(r->compiled);
  object_free(r->inlined);
  object_free(r);
}

/* The inputs that are on the tape, each value once. */
static void list_taped(RecordedCall *r, const Specialization *spec, int n_in) {
  for (int i = 0; i < n_in; i++) {
    int first = spec->same ? spec->same[i] : i;
    r->slot[i] = -1;
    if (!spec->wanted[i]) continue;
    if (first < i) {
      r->slot[i] = r->slot[first];
      continue;
    }
    r->grad_output[r->n_taped] = spec->grad_output[i];
    r->dependents[r->n_taped] = spec->dependents[i];
    r->multiple_terms[r->n_taped] = spec->multiple_terms[i];
    r->any_multiple_terms = r->any_multiple_terms || spec->multiple_terms[i];
    r->slot[i] = r->n_taped++;
  }
}

static Status call_new(Compiled *c, const Specialization *spec, Array *const *in, Device device, RandomState random,
                       const Array *out, RecordedCall **result) {
  int n_in = c->graph.n_input, n_out = c->graph.n_out;
  size_t n = (size_t)n_in, all = (size_t)(n_in + n_out);
  RecordedCall *r = object_new(
    sizeof *r + all * (sizeof *r->in + sizeof *r->version) + (size_t)n_out * sizeof *r->tape_ancestors +
    n * (sizeof *r->dependents + sizeof *r->slot + sizeof *r->grad_output + sizeof *r->multiple_terms));
  if (!r) return no_memory("tape");
  *r = (RecordedCall){ .refs = 1,
                       .compiled = compiled_retain(c),
                       .heads = spec->heads,
                       .random = random,
                       .mode = spec->mode,
                       .device = device };
  r->in = (Tensor *)(r + 1);
  r->dependents = (uint64_t *)(r->in + all);
  r->tape_ancestors = r->dependents + n;
  r->version = (uint32_t *)(r->tape_ancestors + n_out);
  r->slot = (int *)(r->version + all);
  r->grad_output = r->slot + n;
  r->multiple_terms = (bool *)(r->grad_output + n);
  list_taped(r, spec, n_in);
  for (int i = 0; i < n_in + n_out; i++) {
    const Tensor *t = i < n_in ? &in[i]->t : &out[i - n_in].t;
    r->in[i] = tensor_share(t);
    r->version[i] = tensor_version(t);
  }
  for (int i = 0; i < n_out; i++) r->tape_ancestors[i] = spec->output[i].tape_ancestors;
  for (int i = 0; i < n_out && i < 64; i++) {
    if (spec->output[i].taped) r->taped |= 1ull << i;
    if (spec->output[i].used_inside) r->used_inside |= 1ull << i;
  }
  *result = r;
  return OK;
}

/* ---- The rows of calls and their backward -------------------------------------------------------------- */

/* The parameters of both rows. */
typedef struct CallParams { RecordedCall *call; } CallParams;

static Status compiled_grad(Gradient *d);
static Status infer_backward(Infer *f);
static Status run_backward(Call *c);

static const ObjectKind call_kind = { .name = "call", .retain = retain_call, .release = release_call };
static Op compiled_op = { .name = "_compiled",
                          .inputs = "arg...",
                          .params = "call object? None The call.\n",
                          .params_size = sizeof(CallParams),
                          .object = &call_kind,
                          .flags = OP_INTERNAL,
                          .infer = op_keep_types,
                          .grad = compiled_grad };
static const Kernel backward_kernels[] = {
  { .op = "_backward_compiled", .place = EVERYWHERE, .types = ALL_TYPES, .run = run_backward }, { 0 }
};
static Op backward_op = { .name = "_backward_compiled",
                          .inputs = "arg...",
                          .params = "call object? None The call.\n",
                          .params_size = sizeof(CallParams),
                          .object = &call_kind,
                          .flags = OP_INTERNAL,
                          .infer = infer_backward,
                          .own_kernels = backward_kernels };

static RecordedCall *call_of(const void *params) { return ((const CallParams *)params)->call; }

RecordedCall *recorded_call_of(const Node *n) { return n->op == &compiled_op ? call_of(n->params->fields) : NULL; }

static Status infer_backward(Infer *f) {
  const Executable *p = call_of(f->params)->run_state->executable;
  for (int i = 0; i < f->n_out; i++) f->out[i] = *entry_type(p->g.out[p->g.n_forward_out + i]);
  return OK;
}

static Status run_backward(Call *c) { return run_state_backward(call_of(c->params)->run_state, c->in, c->out); }

static Status grad_inlined(Gradient *d) {
  const Node *call = d->node;
  int n = call->n_out, heads = 0;
  BUMP(memory, "gradient");
  Entry *out = BUMP_ARRAY(&memory, 3 * n, Entry), *head = out + n, *head_grad = head + n;
  TRY(memory.status);
  TRY(inline_nodes(d->b, d->node, out));
  for (int i = 0; i < n; i++) {
    if (!d->out_grad[i].node) continue;
    head[heads] = out[i];
    head_grad[heads++] = d->out_grad[i];
  }
  Differentiation inner = { .head = head,
                            .head_grad = head_grad,
                            .n_heads = heads,
                            .wrt = call->in,
                            .n_wrt = call->n_in,
                            .grad = d->in_grad,
                            .independent = true };
  return differentiate(d->b, &inner);
}

/* The backward part of the executable as one node, from head gradients to gradients. */
static Status grad_whole(Gradient *d, RecordedCall *r) {
  const Executable *p = r->run_state->executable;
  int n_grads = p->g.n_out - p->g.n_forward_out, n_in = 0;
  if (n_grads == 0) return OK;
  Entry in[64];
  BUMP(memory, "gradient");
  Type *types = BUMP_ARRAY(&memory, n_grads, Type);
  Params *params;
  TRY(memory.status);
  for (int i = 0; i < n_grads; i++) types[i] = *entry_type(p->g.out[p->g.n_forward_out + i]);
  for (int i = 0; i < d->node->n_out; i++)
    if (d->out_grad[i].node) in[n_in++] = d->out_grad[i];
  TRY(op_declare(&backward_op));
  TRY(params_from(&backward_op, &(CallParams){ r }, &params));
  Entry e = build_typed(d->b, &backward_op, params, in, n_in, types, n_grads);
  params_release(params);
  for (int k = 0; e.node && k < d->node->n_in; k++)
    if (r->grad_output[k] >= 0) d->in_grad[k] = entry_output(e, r->grad_output[k]);
  return d->b->status;
}

static Status compiled_grad(Gradient *d) {
  RecordedCall *r = recorded_call_of(d->node);
  uint64_t heads = 0;
  for (int i = 0; i < d->node->n_out && i < 64; i++)
    if (d->out_grad[i].node) heads |= 1ull << i;
  if (heads != r->heads) compiled_expect_heads(r->compiled, heads);
  const bool looked_at = engine_now()->hooks & HOOK_FINITE && !(r->mode & CALL_HOOKED);
  if (heads != r->heads || d->node->n_out > 64 || !r->run_state || looked_at) return grad_inlined(d);
  return grad_whole(d, r);
}

/* ---- On the tape --------------------------------------------------------------------------------------- */

/* The node of a call, its values still empty. */
static Status make_node(RecordedCall *r, Array *const *in, Node **out) {
  const Graph *g = &r->compiled->graph;
  Params *params;
  TRY(op_declare(&compiled_op));
  TRY(params_from(&compiled_op, &(CallParams){ r }, &params));
  const Status s = node_new(&compiled_op, params, NULL, r->n_taped, g->n_out, out);
  params_release(params);
  TRY(s);
  Node *n = *out;
  for (int i = 0; i < g->n_input; i++) {
    if (r->slot[i] < 0 || n->in[r->slot[i]].node) continue;
    n->in[r->slot[i]] = inline_value(array_entry(in[i]));
    node_retain(n->in[r->slot[i]].node);
  }
  n->value = object_new((size_t)g->n_out * sizeof *n->value);
  if (n->value) return OK;
  node_release(n);
  return no_memory("tape");
}

Status recorded_call_put_on_tape(Compiled *c, const Specialization *spec, Array *const *in, Device device,
                                 RandomState random, RunState **w, Tensor **state, Array *out) {
  RecordedCall *r = NULL;
  Node *n;
  TRY(call_new(c, spec, in, device, random, out, &r));
  const Status s = make_node(r, in, &n);
  if (s == OK) {
    r->run_state = *w;
    r->state = *state;
    *w = NULL;
    *state = NULL;
  }
  release_call(r);
  TRY(s);
  n->origin = engine_now()->mode.origin;
  n->train = spec->mode & CALL_TRAINS;
  n->order = order_reserve(c->n_orders + 1);      /* the others are for its nodes, if it is inlined */
  for (int i = 0; i < c->graph.n_input; i++)
    if (!spec->wanted[i] && in[i]->node) {
      tape_note_freed(in, c->graph.n_input, n->order, c->n_orders + 1);
      break;
    }
  for (int i = 0; i < c->graph.n_out; i++) {
    n->value[i] = tensor_share(&out[i].t);
    n->type[i] = out[i].t.type;
    if (!spec->output[i].taped) continue;
    out[i].node = node_retain(n);
    out[i].index = i;
  }
  node_release(n);
  return OK;
}

Status recorded_call_freed_node(int n, Node **out) {
  TRY(op_declare(&compiled_op));
  TRY(node_new(&compiled_op, compiled_op.info->defaults, NULL, 0, n, out));
  (*out)->freed = true;
  (*out)->origin = engine_now()->mode.origin;
  return OK;
}
