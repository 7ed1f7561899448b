/* inline_call.c - recorded calls of compiled functions inlined on the tape.
**
** The call's graph is built again as nodes with values, in the block calls and with the sequence numbers that they
** would have had, had the code run eagerly: so sums of gradients are the same. What eager code would not have on the
** tape (nodes made while recording was paused, or from no input on the tape) becomes constants.
** Invariant: a call is inlined on the tape at most once; from then on every walk finds its nodes instead of it, so that
** gradients of all orders flow over one graph.
*/
#include "exec/tape/inline_call.h"

#include <string.h>

#include "base/assert.h"
#include "base/map.h"
#include "base/memory.h"
#include "state/engine.h"
#include "exec/tape/tape.h"
#include "exec/tape/inline_loop.h"
#include "exec/tape/inline_loop_grad.h"
#include "ir/graph.h"
#include "ir/run_op.h"

/* ---- The nodes ------------------------------------------------------------------------------------- */

/* A value whose tape an earlier backward freed: it can be read, but has no gradient. */
static Entry build_freed(Builder *b, Entry from, const Tensor *value) {
  Node *n;
  if (b->status == OK) b->status = node_new(from.node->op, from.node->params, NULL, 0, 1, &n);
  if (b->status != OK) return NO_ENTRY;
  n->freed = true;
  n->origin = from.node->origin;
  n->type[0] = value->type;
  n->value = object_new(sizeof *n->value);
  if (n->value) n->value[0] = tensor_share(value);
  b->status = n->value ? builder_hold(b, n) : no_memory("gradient");
  node_release(n);
  return b->status == OK ? (Entry){ n, 0 } : NO_ENTRY;
}

static Entry bind_input(Builder *b, const Node *call, const RecordedCall *r, int i) {
  if (r->slot[i] < 0) return build_constant(b, &r->in[i]);
  Entry e = call->in[r->slot[i]];
  return e.node->value ? e : build_freed(b, e, &r->in[i]);
}

/* The inputs of the graph as entries: on the tape, or constants. Mutated inputs are copies, as they were when the call
** ran. */
static Status bind_inputs(Builder *b, Node *call, const RecordedCall *r, Entry *bound) {
  const Graph *g = &r->compiled->graph;
  for (int i = 0; i < g->n_input && b->status == OK; i++) bound[i] = bind_input(b, call, r, i);
  const MutatedInputs *mutated = compiled_mutated(r->compiled, r->mode);
  for (int k = 0; b->status == OK && k < mutated->n; k++) {
    Tensor copy;
    TRY(tensor_copy(&r->state[k], tensor_device(&r->state[k]), &copy));
    bound[mutated->input[k]] = build_constant(b, &copy);
    tensor_release(&copy);
  }
  return b->status;
}

/* A call being inlined. Its block calls are made as if it had run eagerly, since the order of summation
** (pass/differentiate.c) depends on them. */
typedef struct Inlining {
  const Compiled *c;
  Node *call;
  Map at;                    /* the trace's scopes, by position in `scope` */
  Scope **scope;
  int n, capacity;
  Entry **inlined;           /* by position of a loop or condition, or of a gradient of one: the replacement of each
                             ** output */
  NodeList followed;         /* the nodes on the tape while gradients in the graph are built */
  InlinedLoop **loop;        /* by position of a loop or condition that gradients in the graph go back over */
} Inlining;

static uint64_t order_again(const Inlining *p, uint64_t order) {
  return p->call->order + 1 + (order - p->c->first_order);
}

static Status scope_again(Inlining *p, Scope *from, Scope **out) {
  if (!from || from == p->c->outer) {
    *out = p->call->scope;
    return OK;
  }
  int at = map_get(&p->at, from);
  HL_ASSERT(at < p->n);
  if (at >= 0) {
    *out = p->scope[at];
    return OK;
  }
  Scope *parent, **wider;
  TRY(scope_again(p, from->parent, &parent));
  wider = object_widen(p->scope, p->n + 1, &p->capacity, sizeof *wider);
  if (!wider) return no_memory("gradient");
  p->scope = wider;
  Scope *made = scope_new(parent, from->path);
  if (!made) return no_memory("gradient");
  made->order = order_again(p, from->order);
  p->scope[p->n] = *out = made;
  return map_put(&p->at, from, p->n++);
}

static void inlining_free(Inlining *p) {
  for (int i = 0; i < p->followed.n; i++) tape_unfollow(&(Array){ .node = p->followed.at[i] });
  node_list_free(&p->followed);
  for (int i = 0; p->inlined && i < p->c->graph.n_nodes; i++) {
    object_free(p->inlined[i]);
    if (!p->loop[i]) continue;
    loop_backward_free(&p->loop[i]->backs);
    object_free(p->loop[i]);
  }
  object_free(p->inlined);
  for (int i = 0; i < p->n; i++) scope_release(p->scope[i]);
  object_free(p->scope);
  map_free(&p->at);
}

/* Keeps the versions of what a node has just read and made, as recording does: a later node may write over it. */
static Status note_versions(Node *n) {
  n->version = object_new((size_t)(n->n_in + n->n_out) * sizeof *n->version);
  if (!n->version) return no_memory("tape");
  for (int k = 0; k < n->n_in; k++) n->version[k] = tensor_version(&n->in[k].node->value[n->in[k].index]);
  for (int k = 0; k < n->n_out; k++) n->version[n->n_in + k] = tensor_version(&n->value[k]);
  return OK;
}

/* What replaces a value of the graph. */
static Entry made_again(const Inlining *p, const Entry *made, Entry e) {
  if (!e.node->op) return made[e.node->at];
  return p->inlined[e.node->at] ? p->inlined[e.node->at][e.index] : entry_output(made[e.node->at], e.index);
}

static Array array_of(Entry e) {
  Array a = { .t = tensor_share(&e.node->value[e.index]) };
  if (!node_is_constant(e.node)) a = (Array){ a.t, node_retain(e.node), e.index };
  return a;
}

/* The outputs of an inlined node as entries that the builder holds. */
static Status hold_outputs(Builder *b, Array *out, int n, Entry *entry) {
  for (int i = 0; i < n && b->status == OK; i++) {
    entry[i] = out[i].node ? array_entry(&out[i]) : build_constant(b, &out[i].t);
    if (out[i].node && b->status == OK) b->status = builder_hold(b, out[i].node);
  }
  for (int i = 0; i < n; i++) array_release(&out[i]);
  return b->status;
}

/* Puts what gradients in the graph are differentiated by onto the tape meanwhile, as eager code does. */
static Status follow_inputs(Builder *b, Inlining *p, const Node *n, Array *in) {
  bool *wanted = object_new((size_t)n->n_in + 1);
  Status s = wanted ? OK : no_memory("gradient");
  for (int i = 0; s == OK && i < p->c->graph.n_nodes; i++)
    if (inline_loop_grad_of(p->c->graph.node[i]) == n) inline_loop_grad_wants(p->c->graph.node[i], wanted);
  for (int i = 0; s == OK && i < n->n_in; i++) {
    int same = 0;
    while (!entry_equal(n->in[same], n->in[i])) same++;
    if (in[i].node) continue;
    if (same < i) in[i].node = node_retain(in[same].node);
    else if (wanted[i]) s = tape_follow(&in[i]);
    if (s == OK && in[i].node) s = builder_hold(b, in[i].node);
    if (s == OK && same == i && in[i].node) s = node_list_add(&p->followed, in[i].node);
  }
  object_free(wanted);
  return s;
}

/* Keeps the iterations that gradients go back over. */
static Status keep_loop(Builder *b, Inlining *p, const Node *n, const Array *in, int n_out) {
  InlinedLoop *u = object_new(sizeof *u + (size_t)(2 * n->n_in + n_out + 1) * sizeof(Entry));
  if (!u) return no_memory("gradient");
  u->in = (Entry *)(u + 1);
  u->first_in = u->in + n->n_in;
  u->out = u->first_in + n->n_in;
  u->n_in = n->n_in;
  u->n_out = n_out;
  for (int i = 0; i < n->n_in; i++) u->in[i] = u->first_in[i] = array_entry(&in[i]);
  for (int i = 0; i < n_out; i++) u->out[i] = p->inlined[n->at][i];
  u->backs = (LoopBackward){ .b = b, .in = u->in, .out = u->out, .scope = b->scope, .nested = true };
  p->loop[n->at] = u;
  return OK;
}

static bool has_gradients(const Inlining *p, const Node *n) {
  for (int i = n->at + 1; i < p->c->graph.n_nodes; i++)
    if (inline_loop_grad_of(p->c->graph.node[i]) == n) return true;
  return false;
}

/* The types of the node's outputs for these inputs: a graph is traced for inputs of one type, and called with others.
** The hidden output of an inlined loop (see ir/subgraph.h) has no entry; its type is always the same. */
static Status output_types(const Node *n, const Entry *in, TypeList *list) {
  TRY(types_new(list, n->n_in + n->n_out));
  for (int i = 0; i < n->n_in; i++) list->at[n->n_out + i] = *entry_type(in[i].node ? in[i] : n->in[i]);
  for (int i = 0; i < n->n_out; i++) list->at[i] = TYPE_UNKNOWN;
  return op_infer(n->op, n->params, list->at + n->n_out, n->n_in, list->at, n->n_out);
}

/* A loop or condition as the iterations that eager code would have recorded. */
static Status inline_again(Builder *b, Inlining *p, const Node *n, const Entry *in, bool recorded) {
  Control c;
  TypeList types = { 0 };
  const bool gradients = has_gradients(p, n);
  TRY(n->op->control(n->params->fields, &c));
  int n_out = control_outputs(&c);
  Array *array = object_new((size_t)(n->n_in + n_out + 1) * (sizeof *array + sizeof(Array *))), *out = array + n->n_in;
  Array **each = (Array **)(out + n_out + 1);
  p->inlined[n->at] = object_new((size_t)(n->n_out + 1) * sizeof(Entry));
  Status s = array && p->inlined[n->at] ? OK : no_memory("gradient");
  for (int i = 0; s == OK && i < n->n_in; i++) {
    array[i] = array_of(in[i]);
    each[i] = &array[i];
  }
  if (s == OK) s = output_types(n, in, &types);
  if (s == OK && gradients) s = follow_inputs(b, p, n, array);
  const Surroundings before = surroundings_enter(recorded, b->train, n->origin, b->scope);
  if (s == OK) s = inline_loop_run(&c, each, types.at, order_again(p, n->order), out);
  surroundings_restore(&before);
  if (s == OK) s = hold_outputs(b, out, n_out, p->inlined[n->at]);
  if (s == OK && gradients) s = keep_loop(b, p, n, array, n_out);
  for (int i = 0; array && i < n->n_in; i++) array_release(&array[i]);
  object_free(array);
  types_free(&types);
  control_free(&c);
  return s;
}

static bool is_iteration(const Node *n, void *inlined) {
  const InlinedLoop *u = inlined;
  for (int i = 0; i < u->n_in; i++)
    if (n == u->in[i].node || n == u->first_in[i].node) return false;
  return true;
}

/* The iterations are calls. They are inlined, since gradients that go back over them will be differentiated. */
static Status inline_iterations(InlinedLoop *u) {
  Status s = OK;
  for (bool any = true; any && s == OK;) {
    NodeList list = { 0 };
    Entry *head = object_new((size_t)(u->n_out + 1) * sizeof *head);
    int n = 0;
    if (!head) return no_memory("gradient");
    any = false;
    for (int i = 0; i < u->n_in; i++) u->in[i] = inline_value(u->in[i]);
    for (int i = 0; i < u->n_out; i++) {
      u->out[i] = inline_value(u->out[i]);
      if (is_iteration(u->out[i].node, u)) head[n++] = u->out[i];
    }
    s = nodes_reached(head, n, is_iteration, u, &list);
    for (int i = 0; i < list.n && s == OK; i++) {
      const RecordedCall *r = recorded_call_of(list.at[i]);
      if (!r || r->inlined || !is_iteration(list.at[i], u)) continue;
      s = inline_on_tape(list.at[i]);
      any = true;
    }
    if (s == OK) any = inline_replace_inputs(&list) || any;
    node_list_free(&list);
    object_free(head);
  }
  return s;
}

/* Inlines a gradient: as the nodes that go back over these iterations. */
static Status inline_gradient(Builder *b, Inlining *p, const Node *n, const Entry *in) {
  const int first = b->n_made;
  TypeList types = { 0 };
  p->inlined[n->at] = object_new((size_t)(n->n_out + 1) * sizeof(Entry));
  if (!p->inlined[n->at]) return no_memory("gradient");
  TRY(inline_iterations(p->loop[inline_loop_grad_of(n)->at]));
  Status s = output_types(n, in, &types);
  if (s == OK)
    s = inline_loop_grad(b, p->loop[inline_loop_grad_of(n)->at], n, in, types.at, order_again(p, n->order),
                         p->inlined[n->at]);
  types_free(&types);
  TRY(s);
  for (int i = first; i < b->n_made; i++)
    if (b->made[i]->op && b->made[i]->value && !b->made[i]->version) TRY(note_versions(b->made[i]));
  return OK;
}

/* Loops and conditions are inlined if they are recorded, and so are their gradients. */
static bool is_inlined(const Inlining *p, const Node *n, bool recorded) {
  const Node *loop = inline_loop_grad_of(n);
  return loop ? p->loop[loop->at] != NULL : n->op->control && (recorded || !has_gradients(p, n));
}

static Status list_made(Builder *b, Inlining *p, const RecordedCall *r, const Node *n, const Entry *made, Entry *in,
                        bool *recorded) {
  *recorded = false;
  for (int k = 0; k < n->n_in; k++) {
    in[k] = made_again(p, made, n->in[k]);
    if (in[k].node) *recorded = *recorded || !node_is_constant(in[k].node);
  }
  *recorded = *recorded && requested_mode_or(n->record_requested, r->mode & CALL_RECORDING);
  b->origin = n->origin;
  b->train = requested_mode_or(n->train_requested, r->mode & CALL_TRAINS);
  return scope_again(p, n->scope, &b->scope);
}

/* One node of the call's graph on the tape, with its value; its inputs are made already. */
static Status make_again(Builder *b, Inlining *p, const RecordedCall *r, const Node *n, Entry *made) {
  Entry few[16], *in = n->n_in <= 16 ? few : object_new((size_t)n->n_in * sizeof *in), e = NO_ENTRY;
  bool recorded;
  if (!in) return no_memory("gradient");
  Status s = list_made(b, p, r, n, made, in, &recorded);
  if (s == OK && is_inlined(p, n, recorded))
    s = n->op->control ? inline_again(b, p, n, in, recorded) : inline_gradient(b, p, n, in);
  else if (s == OK) e = build(b, n->op, n->params, in, n->n_in);
  if (in != few) object_free(in);
  if (!e.node) return s == OK ? b->status : s;
  e.node->order = order_again(p, n->order);
  made[n->at] = e;
  TRY(tape_evaluate(&e, 1, true));
  if (recorded) return note_versions(e.node);
  node_make_constant(e.node);
  return OK;
}

static Status make_all(Builder *b, Node *call, const RecordedCall *r, const Graph *g, Entry *bound, Entry *out) {
  const size_t each = sizeof(Entry *) + sizeof(InlinedLoop *);
  Inlining inlining = { .c = r->compiled, .call = call, .inlined = object_new((size_t)(g->n_nodes + 1) * each) };
  inlining.loop = (InlinedLoop **)(inlining.inlined + g->n_nodes + 1);
  Entry *made = bound + g->n_input;
  for (int i = 0; i < g->n_input; i++) made[g->input[i]->at] = bound[i];
  Status s = inlining.inlined ? OK : no_memory("gradient");
  for (int i = 0; s == OK && i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    if (node_is_constant(n)) made[i] = build_constant(b, &n->value[0]);
    else if (n->op) s = make_again(b, &inlining, r, n, made);
    if (s == OK) s = b->status;
  }
  for (int i = 0; s == OK && i < g->n_out; i++) out[i] = made_again(&inlining, made, g->out[i]);
  inlining_free(&inlining);
  return s;
}

/* Its values are computed again, from the inputs as they were. */
static Status check_inputs_unwritten(const RecordedCall *r) {
  for (int i = 0; i < r->compiled->graph.n_input; i++) {
    if (tensor_version(&r->in[i]) == r->version[i]) continue;
    const char *name = r->compiled->graph.input[i]->name;
    Origin where = r->in[i].storage->written_at;
    return fail("backward: input %s of a compiled call was overwritten in place%s%s after it was used; "
                "copy it first, or write elsewhere",
                name ? name : "?", where ? " at " : "", origin_text(where));
  }
  return OK;
}

Status inline_nodes(Builder *b, Node *call, Entry *out) {
  const RecordedCall *r = recorded_call_of(call);
  const Graph *g = &r->compiled->graph;
  RandomState now = engine_now()->random;
  bool train = b->train;
  Device device = b->device;
  Scope *scope = engine_now()->scope;
  TRY(check_inputs_unwritten(r));
  Entry *bound = object_new((size_t)(g->n_input + g->n_nodes + 1) * sizeof *bound);
  Status s = bound ? bind_inputs(b, call, r, bound) : no_memory("gradient");
  engine_now()->random = r->random;
  b->device = r->device;
  run_repeat(1);
  engine_now()->scope = NULL; /* the nodes belong where the call was, not where the script is now */
  if (s == OK) s = make_all(b, call, r, g, bound, out);
  engine_now()->scope = scope;
  run_repeat(-1);
  engine_now()->random = now;
  b->scope = call->scope;
  b->origin = call->origin;
  b->train = train;
  b->device = device;
  object_free(bound);
  return s;
}

/* ---- Replacing a call ------------------------------------------------------------------------------- */

/* Outputs are the same arrays that the call returned; and backward must notice, as in eager code, what was written to
** them, or to inputs, since the call ran. */
static Status keep_versions(const RecordedCall *r, Builder *b, Node *call, const Entry *out) {
  const Graph *g = &r->compiled->graph;
  Map at = { 0 };
  Status s = OK;
  for (int i = 0; i < g->n_out; i++) {
    Node *n = out[i].node;
    if (!n->op || n == call || !n->value || node_is_variable(n)) continue;
    tensor_release(&n->value[out[i].index]);
    n->value[out[i].index] = tensor_share(&call->value[i]);
  }
  for (int i = 0; i < g->n_input + g->n_out && s == OK; i++)
    if (r->in[i].storage) s = map_put(&at, r->in[i].storage, i);
  for (int m = 0; m < b->n_made && s == OK; m++) {
    Node *n = b->made[m];
    for (int k = 0; n->version && k < n->n_in + n->n_out; k++) {
      const Tensor *t = k < n->n_in ? &n->in[k].node->value[n->in[k].index] : &n->value[k - n->n_in];
      int known = t->storage ? map_get(&at, t->storage) : -1;
      if (known >= 0) n->version[k] = r->version[known];
    }
  }
  map_free(&at);
  return s;
}

/* Is it one of the nodes that the call was inlined into? They have the sequence numbers that it reserved. */
static bool is_part(const Node *n, void *call) {
  uint64_t first = ((const Node *)call)->order;
  return n->order > first && n->order - first <= recorded_call_of(call)->compiled->n_orders + 1;
}

/* Frees the call's own part of the tape of outputs that an earlier backward freed; what came before the call was freed
** then. */
static Status free_made(Node *call, const RecordedCall *r, const Entry *out) {
  NodeList list = { 0 };
  Status s = OK;
  for (int i = 0; i < r->compiled->graph.n_out && i < 64 && s == OK; i++)
    if (r->freed >> i & 1) s = nodes_reached(&out[i], 1, is_part, call, &list);
  for (int i = 0; s == OK && i < list.n; i++) node_retain(list.at[i]);
  for (int i = 0; s == OK && i < list.n; i++)
    if (list.at[i]->op && is_part(list.at[i], call)) node_free_history(list.at[i]);
  for (int i = 0; s == OK && i < list.n; i++) node_release(list.at[i]);
  node_list_free(&list);
  return s;
}

Status inline_on_tape(Node *call) {
  RecordedCall *r = recorded_call_of(call);
  int n = r->compiled->graph.n_out;
  Builder b = { .origin = call->origin, .scope = call->scope };
  Entry *out = object_new((size_t)(n + 1) * sizeof *out);
  Status s = out ? inline_nodes(&b, call, out) : no_memory("gradient");
  if (s == OK) s = keep_versions(r, &b, call, out);
  if (s == OK) s = free_made(call, r, out);
  if (s == OK) {
    for (int i = 0; i < n; i++) node_retain(out[i].node);
    r->inlined = out;
    if (r->run_state) run_state_give_back(r->run_state);
    r->run_state = NULL;
  } else {
    object_free(out);
  }
  builder_free(&b);
  return s;
}

Entry inline_value(Entry e) {
  for (const RecordedCall *r; e.node && (r = recorded_call_of(e.node)) && r->inlined;) e = r->inlined[e.index];
  return e;
}

void inline_free_tape(Node *call, uint64_t outputs) {
  RecordedCall *r = recorded_call_of(call);
  if (!r) return;
  for (int i = 0; i < call->n_out && i < 64; i++)
    if (r->tape_ancestors[i] & outputs) r->freed |= 1ull << i;
  if ((r->taped & ~r->freed) == 0 || call->n_out > 64) {
    node_free_history(call);
    return;
  }
  if (r->run_state) run_state_give_back(r->run_state); /* what is left is inlined if it is needed */
  r->run_state = NULL;
}

bool inline_replace_inputs(const NodeList *list) {
  bool replaced = false;
  for (int i = 0; i < list->n; i++) {
    Node *n = list->at[i];
    for (int k = 0; k < n->n_in; k++) {
      Entry e = inline_value(n->in[k]);
      if (entry_equal(e, n->in[k])) continue;
      Node *before = n->in[k].node;
      n->in[k] = (Entry){ node_retain(e.node), e.index };
      node_release(before);
      replaced = true;
    }
  }
  return replaced;
}

bool inline_is_freed(Entry e) {
  e = inline_value(e);
  return recorded_call_is_freed(e.node, e.index < 64 ? 1ull << e.index : 0);
}
