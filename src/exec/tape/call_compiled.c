/* call_compiled.c - calling a compiled graph, and such calls on the tape.
**
** Going back over a recorded call runs the backward part of its program; where the head gradients are
** others than foreseen, the call is taken apart for this once (exec/tape/inline_call.c).
*/
#include <string.h>

#include "base/settings/fault_injection.h"
#include "base/memory.h"
#include "exec/tape/inline_call.h"
#include "exec/tape/freed_tape.h"
#include "exec/lazy_port.h"
#include "exec/mode.h"
#include "exec/tape/tape.h"
#include "exec/eager/kernel_watchers.h"
#include "ir/graph.h"
#include "pass/differentiate.h"

/* ---- The life of a recorded call ----------------------------------------------------------------- */

/* Copies of the states that the graph writes to, for a call that is recorded; NULL if there are none. */
static Status copy_states(const MutatedInputs *w, Array *const *in, Tensor **out) {
  *out = NULL;
  if (w->n == 0) return OK;
  *out = object_new((size_t)w->n * sizeof **out);
  if (!*out) return no_memory("tape");
  Status s = OK;
  for (int k = 0; k < w->n && s == OK; k++)
    s = tensor_copy(&in[w->input[k]]->t, tensor_device(&in[w->input[k]]->t), &(*out)[k]);
  return s;
}

/* Nothing was called after all: it may be called again. */
static void put_states_back(const MutatedInputs *w, Array *const *in, const Tensor *state) {
  for (int k = 0; state && k < w->n; k++) memcpy(in[w->input[k]]->t.data, state[k].data, tensor_bytes(&state[k]));
}

static void states_free(const MutatedInputs *w, Tensor *state) {
  for (int k = 0; state && k < w->n; k++) tensor_release(&state[k]);
  object_free(state);
}

RecordedCall *recorded_call_retain(RecordedCall *r) {
  __atomic_fetch_add(&r->refs, 1, __ATOMIC_RELAXED);
  return r;
}

void recorded_call_release(RecordedCall *r) {
  if (!r || __atomic_sub_fetch(&r->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  const Graph *g = &r->compiled->graph;
  for (int i = 0; i < g->n_input + g->n_out; i++) tensor_release(&r->in[i]);
  for (int i = 0; r->inlined && i < g->n_out; i++) node_release(r->inlined[i].node);
  states_free(compiled_mutated(r->compiled, r->mode), r->state);
  if (r->run_state) run_state_give_back(r->run_state);
  compiled_release(r->compiled);
  object_free(r->inlined);
  object_free(r);
}

/* The inputs that are on the tape, each value once. */
static void list_taped(RecordedCall *r, const Specialization *plan, int n_in) {
  for (int i = 0; i < n_in; i++) {
    int first = plan->same ? plan->same[i] : i;
    r->slot[i] = -1;
    if (!plan->wanted[i]) continue;
    if (first < i) { r->slot[i] = r->slot[first]; continue; }
    r->grad_output[r->n_taped] = plan->grad_output[i];
    r->dependents[r->n_taped] = plan->dependents[i];
    r->multiple_terms[r->n_taped] = plan->multiple_terms[i];
    r->any_multiple_terms = r->any_multiple_terms || plan->multiple_terms[i];
    r->slot[i] = r->n_taped++;
  }
}

static Status recorded_new(Compiled *c, const Specialization *plan, Array *const *in, Device device, const Array *out,
                           RandomState random, RecordedCall **result) {
  int n_in = c->graph.n_input, n_out = c->graph.n_out;
  size_t n = (size_t)n_in, all = (size_t)(n_in + n_out);
  RecordedCall *r = object_new(sizeof *r + all * (sizeof *r->in + sizeof *r->version) +
                           (size_t)n_out * sizeof *r->tape_ancestors +
                           n * (sizeof *r->dependents + sizeof *r->slot + sizeof *r->grad_output + sizeof *r->multiple_terms));
  if (!r) return no_memory("tape");
  *r = (RecordedCall){ .refs = 1, .compiled = compiled_retain(c), .heads = plan->heads, .random = random,
                   .mode = plan->mode, .device = device };
  r->in = (Tensor *)(r + 1);
  r->dependents = (uint64_t *)(r->in + all);
  r->tape_ancestors = r->dependents + n;
  r->version = (uint32_t *)(r->tape_ancestors + n_out);
  r->slot = (int *)(r->version + all);
  r->grad_output = r->slot + n;
  r->multiple_terms = (bool *)(r->grad_output + n);
  list_taped(r, plan, n_in);
  for (int i = 0; i < n_in + n_out; i++) {
    const Tensor *t = i < n_in ? &in[i]->t : &out[i - n_in].t;
    r->in[i] = tensor_share(t);
    r->version[i] = tensor_version(t);
  }
  for (int i = 0; i < n_out; i++) r->tape_ancestors[i] = plan->output[i].tape_ancestors;
  for (int i = 0; i < n_out && i < 64; i++) {
    if (plan->output[i].taped) r->taped |= 1ull << i;
    if (plan->output[i].used_inside) r->used_inside |= 1ull << i;
  }
  *result = r;
  return OK;
}

/* ---- Its operators --------------------------------------------------------------------------------- */

/* Both rows carry the call in their parameters, so that inference and kernel find it. */
typedef struct CallParams { RecordedCall *call; } CallParams;

static Status compiled_grad(Gradient *d);
static Status infer_backward(Infer *f);
static Status backward_forward(Call *c);

static void *retain_recorded(void *r) { return recorded_call_retain(r); }
static void release_recorded(void *r) { recorded_call_release(r); }

static const ObjectKind call_kind = { .name = "call", .retain = retain_recorded, .release = release_recorded };
static Op compiled_op = { .name = "_compiled", .inputs = "arg...", .params = "call object? None The call.\n",
                          .params_size = sizeof(CallParams), .object = &call_kind, .flags = OP_INTERNAL,
                          .infer = op_keep_types, .forward = op_not_called, .grad = compiled_grad };
static Op backward_op = { .name = "_backward_compiled", .inputs = "arg...", .params = "call object? None The call.\n",
                          .params_size = sizeof(CallParams), .object = &call_kind, .flags = OP_INTERNAL,
                          .infer = infer_backward, .forward = backward_forward };

static RecordedCall *call_of(const void *params) { return ((const CallParams *)params)->call; }

RecordedCall *recorded_call_of(const Node *n) { return n->op == &compiled_op ? call_of(n->params->fields) : NULL; }

static Status infer_backward(Infer *f) {
  const Executable *p = call_of(f->params)->run_state->program;
  for (int i = 0; i < f->n_out; i++) f->out[i] = *entry_type(p->g.out[p->g.n_forward_out + i]);
  return OK;
}

static Status backward_forward(Call *c) { return run_state_backward(call_of(c->params)->run_state, c->in, c->out); }

static Status grad_apart(Gradient *d) {
  const Node *call = d->node;
  int n = call->n_out, heads = 0;
  Entry *memory = object_new((size_t)(3 * n + 1) * sizeof *memory), *out = memory, *head = out + n, *head_grad = head + n;
  if (!memory) return no_memory("gradient");
  Status s = inline_nodes(d->b, d->node, out);
  for (int i = 0; i < n; i++) {
    if (!d->out_grad[i].node) continue;
    head[heads] = out[i];
    head_grad[heads++] = d->out_grad[i];
  }
  Differentiation inner = { .head = head, .head_grad = head_grad, .n_heads = heads, .wrt = call->in,
                            .n_wrt = call->n_in, .grad = d->in_grad, .independent = true };
  if (s == OK) s = differentiate(d->b, &inner);
  object_free(memory);
  return s;
}

/* The backward part of the program as one node: heads in, gradients out. */
static Status grad_whole(Gradient *d, RecordedCall *r) {
  const Executable *p = r->run_state->program;
  int n_grads = p->g.n_out - p->g.n_forward_out, n_in = 0;
  if (n_grads == 0) return OK;
  Entry in[64];
  Type few[16], *types = n_grads <= 16 ? few : object_new((size_t)n_grads * sizeof *types);
  Params *params;
  if (!types) return no_memory("gradient");
  for (int i = 0; i < n_grads; i++) types[i] = *entry_type(p->g.out[p->g.n_forward_out + i]);
  for (int i = 0; i < d->node->n_out; i++) if (d->out_grad[i].node) in[n_in++] = d->out_grad[i];
  Status s = op_declare(&backward_op);
  if (s == OK) s = params_from(&backward_op, &(CallParams){ r }, &params);
  if (s == OK) {
    Entry e = build_typed(d->b, &backward_op, params, in, n_in, types, n_grads);
    params_release(params);
    s = d->b->status;
    for (int k = 0; e.node && k < d->node->n_in; k++)
      if (r->grad_output[k] >= 0) d->in_grad[k] = entry_output(e, r->grad_output[k]);
  }
  if (types != few) object_free(types);
  return s;
}

static Status compiled_grad(Gradient *d) {
  RecordedCall *r = recorded_call_of(d->node);
  uint64_t heads = 0;
  for (int i = 0; i < d->node->n_out && i < 64; i++) if (d->out_grad[i].node) heads |= 1ull << i;
  if (heads != r->heads) compiled_expect_heads(r->compiled, heads);
  const bool looked_at = hook_now & HOOK_FINITE && !(r->mode & CALL_HOOKED);
  if (heads != r->heads || d->node->n_out > 64 || !r->run_state || looked_at) return grad_apart(d);
  return grad_whole(d, r);
}

/* ---- Calling ------------------------------------------------------------------------------------------ */

/* Puts the call onto the tape; takes r over. */
static Status record(Compiled *c, const Specialization *plan, RecordedCall *r, Array *const *in, Array *out) {
  Params *params;
  Node *n = NULL;
  int n_out = c->graph.n_out;
  Entry *entries = object_new((size_t)(r->n_taped + 1) * sizeof *entries);
  Status s = entries ? op_declare(&compiled_op) : no_memory("tape");
  if (s == OK) s = params_from(&compiled_op, &(CallParams){ r }, &params);
  for (int i = 0; s == OK && i < c->graph.n_input; i++)
    if (r->slot[i] >= 0) entries[r->slot[i]] = inline_value(array_entry(in[i]));
  if (s == OK) {
    s = node_new(&compiled_op, params, entries, r->n_taped, n_out, &n);
    params_release(params);
  }
  object_free(entries);
  if (s == OK) {
    n->value = object_new((size_t)n_out * sizeof *n->value);
    if (!n->value) { node_release(n); s = no_memory("tape"); }
  }
  unsigned mode = r->mode;
  recorded_call_release(r);
  if (s != OK) return s;
  n->origin = mode_now.origin;
  n->train = mode & CALL_TRAINS;
  n->order = order_reserve(c->n_orders + 1);      /* room for its nodes, should it be taken apart */
  for (int i = 0; i < c->graph.n_input; i++)
    if (!plan->wanted[i] && in[i]->node) { tape_note_freed(in, c->graph.n_input, n->order, c->n_orders + 1); break; }
  for (int i = 0; i < n_out; i++) {
    n->value[i] = tensor_share(&out[i].t);
    n->type[i] = out[i].t.type;
    if (!plan->output[i].taped) continue;
    out[i].node = node_retain(n);
    out[i].index = i;
  }
  node_release(n);
  return OK;
}

/* Runs the program: the outputs that it computes, and views of these and of the inputs. */
static Status run(const Specialization *plan, RunState *w, const Tensor *const *in, Device device, int n_out, Array *out) {
  enum { FEW = 32 };
  Tensor few[FEW], *root = few;
  if (plan->n_roots > FEW && !(root = object_new((size_t)plan->n_roots * sizeof *root)))
    return no_memory("compiled call");
  Status s = run_state_forward(w, in, device, root, plan->taped);
  for (int i = 0; s == OK && i < n_out; i++) {
    const Output *o = &plan->output[i];
    if (plan->direct) out[i] = (Array){ .t = root[i] };
    else out[i] = (Array){ .t = tensor_view(o->input >= 0 ? in[o->input] : &root[o->root], &o->type, o->offset) };
  }
  for (int i = 0; s == OK && !plan->direct && i < plan->n_roots; i++) tensor_release(&root[i]);
  if (root != few) object_free(root);
  return s;
}

static bool same_value(const Array *a, const Array *b) {
  return entry_equal(inline_value(array_entry(a)), inline_value(array_entry(b)));
}

/* Does a node of the tape stand at two inputs? Asked at every recorded call, so without allocation for few. */
static Status any_repeated(Array *const *in, const bool *wanted, int n, bool *repeated) {
  enum { FEW = 128 };
  const Node *few[FEW] = { NULL }, **slot = few;
  uint32_t slots = FEW;
  while (slots < 2 * (uint32_t)n) slots *= 2;
  if (slots > FEW && !(slot = object_new(slots * sizeof *slot))) return no_memory("compiled call");
  *repeated = false;
  for (int i = 0; i < n && !*repeated; i++) {
    if (!wanted[i]) continue;
    const Node *node = inline_value(array_entry(in[i])).node;
    uint32_t at = (uint32_t)((uint64_t)(uintptr_t)node * 0x9E3779B97F4A7C15u >> 32) & (slots - 1);
    while (slot[at] && slot[at] != node) at = (at + 1) & (slots - 1);
    *repeated = slot[at] == node;
    slot[at] = node;
  }
  if (slot != few) object_free(slot);
  return OK;
}

/* Which inputs are the same value of the tape; *same stays NULL where none are. */
static Status find_repeated(Array *const *in, const bool *wanted, int n, int **same) {
  bool repeated = false;
  *same = NULL;
  TRY(any_repeated(in, wanted, n, &repeated));
  if (!repeated || HL_FAULT_IS(twice)) return OK;
  int *list = object_new((size_t)n * sizeof *list);
  if (!list) return no_memory("compiled call");
  repeated = false;                     /* two outputs of one node are two values */
  for (int i = 0; i < n; i++) {
    int first = 0;
    while (first < i && !(wanted[i] && wanted[first] && same_value(in[first], in[i]))) first++;
    list[i] = first;
    repeated = repeated || first < i;
  }
  if (repeated) *same = list;
  else object_free(list);
  return OK;
}

static Status call_with(Compiled *c, const CallKind *kind, const Tensor *const *tensors, Array *const *in,
                        Device device, Array *out) {
  Specialization *plan;
  RunState *w;
  Tensor *state = NULL;
  const MutatedInputs *written = compiled_mutated(c, kind->mode);
  RandomState random = random_state();
  int n_out = c->graph.n_out;
  for (int k = 0; k < written->n; k++) TRY(lazy_before_write(&in[written->input[k]]->t));
  TRY(compiled_begin(c, kind, &plan, &w));
  Status s = plan->taped ? copy_states(written, in, &state) : OK;
  if (s == OK) s = run(plan, w, tensors, device, n_out, out);
  if (s == OK && plan->taped) {
    RecordedCall *r = NULL;
    s = recorded_new(c, plan, in, device, out, random, &r);
    if (s == OK) {
      r->run_state = w;
      w = NULL;
      s = record(c, plan, r, in, out);
    }
    if (s == OK) {
      r->state = state;
      state = NULL;
    } else {
      put_states_back(written, in, state);
      for (int i = 0; i < n_out; i++) array_release(&out[i]);
    }
  }
  states_free(written, state);
  compiled_end(c, plan, w);
  return s;
}

static __attribute__((cold, noinline)) Status call_profiled(Compiled *c, const CallKind *kind,
                                                            const Tensor *const *tensors, Array *const *in,
                                                            Device device, Array *out) {
  HookedCall w = { .compiled = true };
  profile_call_begins(&w);
  Status s = call_with(c, kind, tensors, in, device, out);
  profile_call_ended(&w, c->name);
  return s;
}

/* All inputs are on one device. */
static __attribute__((cold, noinline)) Status elsewhere(const Compiled *c, Array *const *in, int at) {
  const char *first = c->graph.input[0]->name, *other = c->graph.input[at]->name;
  return fail("%s: expected all arrays, parameters and captured ones too, in one context, got %s in %s and %s in %s; "
              "write x:as_in_context(ctx) before the call",
              c->name, first ? first : "the first", device_text(tensor_device(&in[0]->t)),
              other ? other : "another", device_text(tensor_device(&in[at]->t)));
}

/* Inputs whose tape was let go are not on it any more; *any: others are. */
static Status cut_carried(Array *const *in, int n, bool *wanted, bool *any) {
  bool any_freed = false;
  *any = false;
  for (int i = 0; i < n; i++) {
    if (!wanted[i]) continue;
    wanted[i] = tape_holds(in[i]);
    *any = *any || wanted[i];
    any_freed = any_freed || !wanted[i];
  }
  return *any && any_freed ? tape_allows_freed(in, n) : OK;
}

Status compiled_call(Compiled *c, Array *const *in, Device device, Array *out) {
  enum { FEW = 32 };
  Type few_types[FEW], *types = few_types;
  const Tensor *few_in[FEW], **tensors = few_in;
  bool few_wanted[FEW], *wanted = few_wanted, on_tape = false;
  int n_in = c->graph.n_input, other = 0, *same = NULL;
  if (n_in > 0) device = tensor_device(&in[0]->t);
  void *memory = NULL;
  if (n_in > FEW) {
    memory = object_new((size_t)n_in * (sizeof *types + sizeof *tensors + sizeof *wanted));
    if (!memory) return no_memory("compiled call");
    types = memory;
    tensors = (const Tensor **)(types + n_in);
    wanted = (bool *)(tensors + n_in);
  }
  for (int i = 0; i < n_in; i++) {
    tensors[i] = &in[i]->t;
    types[i] = in[i]->t.type;
    wanted[i] = in[i]->node != NULL;
    on_tape = on_tape || wanted[i];
    if (tensor_device(tensors[i]) != device) other = i;
  }
  bool record = on_tape && (mode_now.recording || c->records);
  Status s = other ? elsewhere(c, in, other) : record ? lazy_before_record() : OK;
  if (s == OK && record) s = cut_carried(in, n_in, wanted, &record);
  if (s == OK && record) s = find_repeated(in, wanted, n_in, &same);
  unsigned mode = (mode_now.train ? CALL_TRAINS : 0) | (record ? CALL_RECORDED : 0) |
                  (record && mode_now.recording ? CALL_RECORDING : 0) | (hook_now & HOOK_FINITE ? CALL_HOOKED : 0);
  CallKind kind = { .type = types, .wanted = wanted, .same = same, .mode = mode };
  if (s == OK) s = profile_wanted() ? call_profiled(c, &kind, tensors, in, device, out)
                                    : call_with(c, &kind, tensors, in, device, out);
  object_free(same);
  object_free(memory);
  return s;
}
