/* inline_call.c - recorded calls of compiled functions inlined on the tape.
**
** The call's graph is built again as nodes with values. Their block calls and sequence numbers are those of eager code,
** so sums of gradients have the same bits. Nodes that eager code would not record (recording was paused, or no input is
** on the tape) become constants.
** Invariant: a call is inlined on the tape at most once. Every later walk visits its nodes instead, so gradients of all
** orders flow over one graph.
*/
#include "exec/tape/inline_call.h"

#include "base/assert.h"
#include "base/bump.h"
#include "base/map.h"
#include "base/memory.h"
#include "state/engine.h"
#include "exec/tape/tape.h"
#include "exec/tape/inline_loop.h"
#include "exec/tape/inline_loop_grad.h"
#include "exec/program/step_rows.h"
#include "ir/graph/graph.h"
#include "ir/run_op.h"

/* ---- The nodes ------------------------------------------------------------------------------------- */

/* A value whose tape was freed: it can be read, but has no gradient. */
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

/* A call being inlined, with a copy of each block call in it, since the order of summation depends on block calls. */
typedef struct Inlining {
  Builder *b;
  Node *call;
  const RecordedCall *r;
  const Graph *g;            /* the call's graph; the next three arrays are by its nodes */
  Bump memory;
  Entry *made;               /* the new node, unless inlined[] is set */
  Entry **inlined;           /* by output of a loop, a condition or a gradient of one: the new value */
  InlinedLoop **loop;        /* loops and conditions that gradients in the graph differentiate */
  NodeList followed;         /* variables that become constants again at the end */
  Map at;                    /* from the trace's scopes to positions in `scope` */
  Scope **scope;
  int n, capacity;
} Inlining;

static Entry bind_input(const Inlining *p, int i) {
  const RecordedCall *r = p->r;
  if (r->slot[i] < 0) return build_constant(p->b, &r->in[i]);
  const Entry e = p->call->in[r->slot[i]];
  return e.node->value ? e : build_freed(p->b, e, &r->in[i]);
}

/* The inputs of the graph as entries: on the tape, or constants. Mutated inputs have their values from before the
** call. */
static Status bind_inputs(Inlining *p) {
  for (int i = 0; i < p->g->n_input; i++) p->made[p->g->input[i]->at] = bind_input(p, i);
  const MutatedInputs *mutated = compiled_mutated(p->r->compiled, p->r->mode);
  for (int k = 0; p->b->status == OK && k < mutated->n; k++) {
    const Tensor *state = &p->r->state[k];
    Tensor copy;
    TRY(tensor_copy(state, tensor_device(state), &copy));
    p->made[p->g->input[mutated->input[k]]->at] = build_constant(p->b, &copy);
    tensor_release(&copy);
  }
  return p->b->status;
}

static uint64_t order_again(const Inlining *p, uint64_t order) {
  return p->call->order + 1 + (order - p->r->compiled->first_order);
}

static Status scope_again(Inlining *p, Scope *from, Scope **out) {
  const int at = from ? map_get(&p->at, from) : -1;
  HL_ASSERT(at < p->n);
  *out = at >= 0 ? p->scope[at] : p->call->scope;
  if (at >= 0 || !from || from == p->r->compiled->outer) return OK;
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
  for (int i = 0; i < p->n; i++) scope_release(p->scope[i]);
  object_free(p->scope);
  map_free(&p->at);
  bump_free(&p->memory);
}

/* Keeps the versions of a node's inputs and outputs, as recording does, since a later node may overwrite them. */
static Status note_versions(Node *n) {
  n->version = object_new((size_t)(n->n_in + n->n_out) * sizeof *n->version);
  if (!n->version) return no_memory("tape");
  for (int k = 0; k < n->n_in; k++) n->version[k] = tensor_version(&n->in[k].node->value[n->in[k].index]);
  for (int k = 0; k < n->n_out; k++) n->version[n->n_in + k] = tensor_version(&n->value[k]);
  return OK;
}

/* The new value for a value of the graph. */
static Entry made_again(const Inlining *p, Entry e) {
  const int at = e.node->at;
  if (!e.node->op) return p->made[at];
  return p->inlined[at] ? p->inlined[at][e.index] : entry_output(p->made[at], e.index);
}

static Array array_of(Entry e) {
  Array a = { .t = tensor_share(&e.node->value[e.index]) };
  if (!node_is_constant(e.node)) a = (Array){ a.t, node_retain(e.node), e.index };
  return a;
}

/* Makes entries of the outputs, which the builder holds, and releases the arrays. */
static Status hold_outputs(Builder *b, Array *out, int n, Entry *entry) {
  for (int i = 0; i < n && b->status == OK; i++) {
    entry[i] = out[i].node ? array_entry(&out[i]) : build_constant(b, &out[i].t);
    if (out[i].node && b->status == OK) b->status = builder_hold(b, out[i].node);
  }
  array_release_all(out, n);
  return b->status;
}

static bool is_gradient_of(const Inlining *p, int at, const Node *n) {
  return inline_loop_grad_of(p->g->node[at]) == n;
}

/* Puts inputs of a loop onto the tape, as eager code does, if gradients in the graph differentiate by them. */
static Status follow_inputs(Inlining *p, const Node *n, Array *in) {
  bool *wanted = BUMP_ARRAY(&p->memory, n->n_in, bool);
  TRY(p->memory.status);
  for (int i = 0; i < p->g->n_nodes; i++)
    if (is_gradient_of(p, i, n)) inline_loop_grad_wants(p->g->node[i], wanted);
  for (int i = 0; i < n->n_in; i++) {
    const int same = entry_find(n->in, i, n->in[i]);
    if (in[i].node) continue;
    if (same < i) in[i].node = node_retain(in[same].node);
    else if (wanted[i]) TRY(tape_follow(&in[i]));
    if (!in[i].node) continue;
    TRY(builder_hold(p->b, in[i].node));
    if (same == i) TRY(node_list_add(&p->followed, in[i].node));
  }
  return OK;
}

/* Keeps the iterations for the gradients over them. */
static Status keep_loop(Inlining *p, const Node *n, const Array *in, int n_out) {
  InlinedLoop *u = BUMP_ARRAY(&p->memory, 1, InlinedLoop);
  Entry *entry = BUMP_ARRAY(&p->memory, 2 * n->n_in + n_out, Entry);
  TRY(p->memory.status);
  *u = (InlinedLoop){
    .in = entry, .first_in = entry + n->n_in, .out = entry + 2 * n->n_in, .n_in = n->n_in, .n_out = n_out
  };
  for (int i = 0; i < n->n_in; i++) u->in[i] = u->first_in[i] = array_entry(&in[i]);
  for (int i = 0; i < n_out; i++) u->out[i] = p->inlined[n->at][i];
  u->backs = (LoopBackward){
    .b = p->b, .memory = &p->memory, .in = u->in, .out = u->out, .scope = p->b->scope, .nested = true
  };
  p->loop[n->at] = u;
  return OK;
}

static bool has_gradients(const Inlining *p, const Node *n) {
  for (int i = n->at + 1; i < p->g->n_nodes; i++)
    if (is_gradient_of(p, i, n)) return true;
  return false;
}

/* The types of the node's outputs for these inputs, which may have other types than those traced. The hidden output of
** an inlined loop (ir/graph/subgraph.h) has no entry; its type is always the same. */
static Status output_types(Inlining *p, const Node *n, const Entry *in, Type **out) {
  Type *type = BUMP_ARRAY(&p->memory, n->n_in + n->n_out, Type), *of_in = type + n->n_out;
  TRY(p->memory.status);
  *out = type;
  for (int i = 0; i < n->n_in; i++) of_in[i] = *entry_type(in[i].node ? in[i] : n->in[i]);
  for (int i = 0; i < n->n_out; i++) type[i] = TYPE_UNKNOWN;
  return op_infer(n->op, n->params, of_in, n->n_in, type, n->n_out);
}

/* Runs the loop or condition on these arrays; p->inlined gets its visible outputs. */
static Status inline_on(Inlining *p, const Control *c, const Node *n, const Type *type, bool recorded, Array *array) {
  const int n_out = control_outputs(c);
  Array *out = BUMP_ARRAY(&p->memory, n_out, Array), **in = BUMP_ARRAY(&p->memory, n->n_in, Array *);
  TRY(p->memory.status);
  for (int i = 0; i < n->n_in; i++) in[i] = &array[i];
  const Surroundings before = surroundings_enter(recorded, p->b->train, n->origin, p->b->scope);
  const Status s = inline_loop_run(c, in, type, order_again(p, n->order), out);
  surroundings_restore(&before);
  TRY(s);
  TRY(hold_outputs(p->b, out, n_out, p->inlined[n->at]));
  return has_gradients(p, n) ? keep_loop(p, n, array, n_out) : OK;
}

/* Inlines a loop or condition as the iterations that eager code would have recorded. */
static Status inline_again(Inlining *p, const Node *n, const Entry *in, bool recorded) {
  Control c FREED_BY(control_free) = { 0 };
  Type *type;
  TRY(n->op->control(n->params->fields, &c));
  TRY(output_types(p, n, in, &type));
  Array *array = BUMP_ARRAY(&p->memory, n->n_in, Array);
  TRY(p->memory.status);
  for (int i = 0; i < n->n_in; i++) array[i] = array_of(in[i]);
  Status s = has_gradients(p, n) ? follow_inputs(p, n, array) : OK;
  if (s == OK) s = inline_on(p, &c, n, type, recorded, array);
  array_release_all(array, n->n_in);
  return s;
}

static bool is_iteration(const Node *n, void *inlined) {
  const InlinedLoop *u = inlined;
  for (int i = 0; i < u->n_in; i++)
    if (n == u->in[i].node || n == u->first_in[i].node) return false;
  return true;
}

/* Inlines the iterations' calls, since their gradients will be differentiated. */
static Status inline_iterations(Inlining *p, InlinedLoop *u) {
  Entry *head = BUMP_ARRAY(&p->memory, u->n_out, Entry);
  TRY(p->memory.status);
  for (bool any = true; any;) {
    NodeList list FREED_BY(node_list_free) = { 0 };
    int n = 0;
    any = false;
    for (int i = 0; i < u->n_in; i++) u->in[i] = inline_value(u->in[i]);
    for (int i = 0; i < u->n_out; i++) {
      u->out[i] = inline_value(u->out[i]);
      if (is_iteration(u->out[i].node, u)) head[n++] = u->out[i];
    }
    TRY(nodes_reached(head, n, is_iteration, u, &list));
    for (int i = 0; i < list.n; i++) {
      const RecordedCall *r = recorded_call_of(list.at[i]);
      if (!r || r->inlined || !is_iteration(list.at[i], u)) continue;
      TRY(inline_on_tape(list.at[i]));
      any = true;
    }
    if (inline_replace_inputs(&list)) any = true;
  }
  return OK;
}

/* Inlines a gradient of a loop or condition as the backward over its iterations. */
static Status inline_gradient(Inlining *p, const Node *n, const Entry *in) {
  Builder *b = p->b;
  const int first = b->n_made;
  InlinedLoop *loop = p->loop[inline_loop_grad_of(n)->at];
  Type *type;
  TRY(inline_iterations(p, loop));
  TRY(output_types(p, n, in, &type));
  TRY(inline_loop_grad(b, loop, n, in, type, order_again(p, n->order), p->inlined[n->at]));
  for (int i = first; i < b->n_made; i++)
    if (b->made[i]->op && b->made[i]->value && !b->made[i]->version) TRY(note_versions(b->made[i]));
  return OK;
}

static bool is_inlined(const Inlining *p, const Node *n, bool recorded) {
  const Node *loop = inline_loop_grad_of(n);
  return loop ? p->loop[loop->at] != NULL : n->op->control && (recorded || !has_gradients(p, n));
}

/* Makes one node of the call's graph again, with its values; its inputs exist already. */
static Status make_again(Inlining *p, const Node *n) {
  Builder *b = p->b;
  Entry *in = BUMP_ARRAY(&p->memory, n->n_in, Entry);
  bool recorded = false;
  TRY(p->memory.status);
  for (int k = 0; k < n->n_in; k++) {
    in[k] = made_again(p, n->in[k]);
    if (in[k].node && !node_is_constant(in[k].node)) recorded = true;
  }
  recorded = recorded && requested_mode_or(n->record_requested, p->r->mode & CALL_RECORDING);
  b->origin = n->origin;
  b->train = requested_mode_or(n->train_requested, p->r->mode & CALL_TRAINS);
  TRY(scope_again(p, n->scope, &b->scope));
  if (is_inlined(p, n, recorded)) {
    p->inlined[n->at] = BUMP_ARRAY(&p->memory, n->n_out, Entry);
    TRY(p->memory.status);
    return n->op->control ? inline_again(p, n, in, recorded) : inline_gradient(p, n, in);
  }
  Entry e = build(b, n->op, n->params, in, n->n_in);
  TRY(b->status);
  e.node->order = order_again(p, n->order);
  p->made[n->at] = e;
  TRY(tape_evaluate(&e, 1, true));
  if (recorded) return note_versions(e.node);
  node_make_constant(e.node);
  return OK;
}

static Status make_all(Inlining *p, Entry *out) {
  for (int i = 0; i < p->g->n_nodes; i++) {
    const Node *n = p->g->node[i];
    if (node_is_constant(n)) p->made[i] = build_constant(p->b, &n->value[0]);
    else if (n->op && !step_kind(n)) TRY(make_again(p, n));
    TRY(p->b->status);
  }
  for (int i = 0; i < p->g->n_out; i++) out[i] = made_again(p, p->g->out[i]);
  return OK;
}

/* Fails if an input was overwritten since the call, because inlining recomputes values from the inputs. */
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
  const RandomState random = engine_now()->random;
  const bool train = b->train;
  const Device device = b->device;
  Scope *scope = engine_now()->scope;
  TRY(check_inputs_unwritten(r));
  Inlining p FREED_BY(inlining_free) = { .b = b, .call = call, .r = r, .g = g, .memory.purpose = "gradient" };
  p.made = BUMP_ARRAY(&p.memory, g->n_nodes, Entry);
  p.inlined = BUMP_ARRAY(&p.memory, g->n_nodes, Entry *);
  p.loop = BUMP_ARRAY(&p.memory, g->n_nodes, InlinedLoop *);
  TRY(p.memory.status);
  TRY(bind_inputs(&p));
  engine_now()->random = r->random;
  b->device = r->device;
  run_repeat(1);
  engine_now()->scope = NULL; /* make_again sets the scope of each node */
  const Status s = make_all(&p, out);
  engine_now()->scope = scope;
  run_repeat(-1);
  engine_now()->random = random;
  b->scope = call->scope;
  b->origin = call->origin;
  b->train = train;
  b->device = device;
  return s;
}

/* ---- Replacing a call ------------------------------------------------------------------------------- */

/* Gives the nodes the arrays that the call returned, and the versions that inputs and outputs had at the call, so that
** backward detects later writes as in eager code. */
static Status keep_versions(const RecordedCall *r, Builder *b, Node *call, const Entry *out) {
  const Graph *g = &r->compiled->graph;
  Map at FREED_BY(map_free) = { 0 };
  for (int i = 0; i < g->n_out; i++) {
    Node *n = out[i].node;
    if (!n->op || n == call || !n->value || node_is_variable(n)) continue;
    tensor_release(&n->value[out[i].index]);
    n->value[out[i].index] = tensor_share(&call->value[i]);
  }
  for (int i = 0; i < g->n_input + g->n_out; i++)
    if (r->in[i].storage) TRY(map_put(&at, r->in[i].storage, i));
  for (int m = 0; m < b->n_made; m++) {
    Node *n = b->made[m];
    for (int k = 0; n->version && k < n->n_in + n->n_out; k++) {
      const Tensor *t = k < n->n_in ? &n->in[k].node->value[n->in[k].index] : &n->value[k - n->n_in];
      int known = t->storage ? map_get(&at, t->storage) : -1;
      if (known >= 0) n->version[k] = r->version[known];
    }
  }
  return OK;
}

/* Is it a node of the inlined call? These have the sequence numbers that the call reserved. */
static bool is_part(const Node *n, void *call) {
  uint64_t first = ((const Node *)call)->order;
  return n->order > first && n->order - first <= recorded_call_of(call)->compiled->n_orders + 1;
}

/* Frees the new nodes below the outputs whose tape an earlier backward freed; nodes before the call are freed
** already. */
static Status free_made(Node *call, const RecordedCall *r, const Entry *out) {
  NodeList list FREED_BY(node_list_free) = { 0 };
  for (int i = 0; i < r->compiled->graph.n_out && i < 64; i++)
    if (r->freed >> i & 1) TRY(nodes_reached(&out[i], 1, is_part, call, &list));
  for (int i = 0; i < list.n; i++) node_retain(list.at[i]);
  for (int i = 0; i < list.n; i++)
    if (list.at[i]->op && is_part(list.at[i], call)) node_free_history(list.at[i]);
  for (int i = 0; i < list.n; i++) node_release(list.at[i]);
  return OK;
}

static void free_run_state(RecordedCall *r) {
  if (r->run_state) run_state_give_back(r->run_state);
  r->run_state = NULL;
}

Status inline_on_tape(Node *call) {
  RecordedCall *r = recorded_call_of(call);
  const int n = r->compiled->graph.n_out;
  Builder b FREED_BY(builder_free) = { .origin = call->origin, .scope = call->scope };
  Entry *out = object_new((size_t)(n + 1) * sizeof *out);
  Status s = out ? inline_nodes(&b, call, out) : no_memory("gradient");
  if (s == OK) s = keep_versions(r, &b, call, out);
  if (s == OK) s = free_made(call, r, out);
  if (s != OK) {
    object_free(out);
    return s;
  }
  for (int i = 0; i < n; i++) node_retain(out[i].node);
  r->inlined = out;
  free_run_state(r);
  return OK;
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
  free_run_state(r);         /* the other outputs are inlined if a backward needs them */
}

bool inline_replace_inputs(const NodeList *list) {
  bool replaced = false;
  for (int i = 0; i < list->n; i++) {
    Node *n = list->at[i];
    for (int k = 0; k < n->n_in; k++) {
      Entry e = inline_value(n->in[k]);
      if (entry_equal(e, n->in[k])) continue;
      node_set_input(n, k, e);
      replaced = true;
    }
  }
  return replaced;
}

bool inline_is_freed(Entry e) {
  e = inline_value(e);
  return recorded_call_is_freed(e.node, e.index < 64 ? 1ull << e.index : 0);
}
