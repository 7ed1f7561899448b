/* call.c - calling a compiled graph, and such calls on the tape.
**
** On the tape a call is one node whose inputs are those with gradients. Going back over
** it runs the backward part of its program; where that does not fit (gradients of
** gradients, heads for other outputs than foreseen) the call is taken apart again into
** the nodes of its graph, which are evaluated like any others.
*/
#include <string.h>

#include "base/map.h"
#include "base/memory.h"
#include "base/random.h"
#include "exec/compiled.h"
#include "exec/tape.h"
#include "ir/graph.h"
#include "pass/grad.h"

/* What backward needs of one recorded call. */
typedef struct Run {
  int refs;
  Compiled *compiled;
  Workspace *workspace;
  int *grad_output;          /* by input on the tape: which of backward's outputs, or -1 */
  int *input;                /* by input on the tape: which of the graph's inputs */
  int n_taped;
  uint64_t heads;
  Tensor *in;                /* all inputs, and the versions they had */
  uint32_t *version;
  Tensor *state;             /* copies of the inputs that the graph writes to, as they were before */
  RandomState random;        /* the stream before forward ran */
  bool train;
} Run;

/* Copies of the states that the graph writes to, for a call that is recorded; NULL if there are none. */
static Status copy_states(const Compiled *c, Array *const *in, Tensor **out) {
  *out = NULL;
  if (c->n_written == 0) return OK;
  *out = object_new((size_t)c->n_written * sizeof **out);
  if (!*out) return no_memory("tape");
  Status s = OK;
  for (int k = 0; k < c->n_written && s == OK; k++) s = tensor_copy(&in[c->written[k]]->t, &(*out)[k]);
  return s;
}

static void states_free(const Compiled *c, Tensor *state) {
  for (int k = 0; state && k < c->n_written; k++) tensor_release(&state[k]);
  object_free(state);
}

static void run_release(void *held) {
  Run *r = held;
  if (!r || __atomic_sub_fetch(&r->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (int i = 0; r->in && i < r->compiled->graph.n_input; i++) tensor_release(&r->in[i]);
  states_free(r->compiled, r->state);
  if (r->workspace) workspace_give(r->workspace);
  compiled_release(r->compiled);
  object_free(r->in);
  object_free(r->version);
  object_free(r->input);
  object_free(r->grad_output);
  object_free(r);
}

static Status run_new(Compiled *c, const Plan *plan, Workspace *w, Array *const *in, RandomState random, Run **out) {
  int n = c->graph.n_input;
  Run *r = object_new(sizeof *r);
  if (!r) { workspace_give(w); return no_memory("tape"); }
  *r = (Run){ .refs = 1, .compiled = compiled_retain(c), .workspace = w, .heads = plan->heads, .random = random, .train = plan->train };
  r->in = object_new((size_t)(n + 1) * sizeof *r->in);
  r->version = object_new((size_t)(n + 1) * sizeof *r->version);
  r->input = object_new((size_t)(n + 1) * sizeof *r->input);
  r->grad_output = object_new((size_t)(n + 1) * sizeof *r->grad_output);
  if (!r->in || !r->version || !r->input || !r->grad_output) { run_release(r); return no_memory("tape"); }
  for (int i = 0; i < n; i++) {
    r->in[i] = tensor_share(&in[i]->t);
    r->version[i] = tensor_version(&in[i]->t);
    if (!plan->wanted[i]) continue;
    r->input[r->n_taped] = i;
    r->grad_output[r->n_taped++] = plan->grad_output[i];
  }
  *out = r;
  return OK;
}

/* Both rows carry the run in their parameters, so that inference and kernel find it. */
typedef struct RunParams { Run *run; } RunParams;

static Status compiled_grad(Gradient *d);
static Status infer_backward(Infer *f);
static Status backward_forward(Call *c);

static const char *one_input[] = { "arg" };
static Param run_param[] = { { .name = "run", .type_text = "int", .default_text = "0", .doc = "The run.", .kind = P_INT } };
static const OpInfo run_info = { .n_inputs = 1, .n_outputs = 1, .n_params = 1, .variadic = true, .input = one_input, .output = one_input,
                                 .param = run_param, .count = -1, .num_args = -1 };
static const Op compiled_op = { .name = "_compiled", .inputs = "arg...", .params_size = sizeof(RunParams), .flags = OP_INTERNAL,
                                .infer = op_keep_types, .forward = op_not_called, .grad = compiled_grad, .info = &run_info };
static const Op backward_op = { .name = "_backward_compiled", .inputs = "arg...", .params_size = sizeof(RunParams), .flags = OP_INTERNAL,
                                .infer = infer_backward, .forward = backward_forward, .info = &run_info };

static Run *run_of(const void *params) { return ((const RunParams *)params)->run; }

static Status infer_backward(Infer *f) {
  const Program *p = run_of(f->params)->workspace->program;
  for (int i = 0; i < f->n_out; i++) f->out[i] = *entry_type(p->g.out[p->n_forward_out + i]);
  return OK;
}

static Status backward_forward(Call *c) { return workspace_backward(run_of(c->params)->workspace, c->in, c->out); }

static Status check_inputs_unwritten(const Run *r) {
  for (int i = 0; i < r->compiled->graph.n_input; i++) {
    if (tensor_version(&r->in[i]) == r->version[i]) continue;
    const char *name = r->compiled->graph.input[i]->name;
    Origin where = r->in[i].storage->written_at;
    return fail("backward: input %s of a compiled call was overwritten in place%s%s after it was used; copy it first, or write elsewhere",
                name ? name : "?", where ? " at " : "", origin_text(where));
  }
  return OK;
}

/* The inputs of the graph as entries: on the tape, or constants. States that the graph
** writes to are copies, as they were when the call ran. */
static Status bind_inputs(Builder *b, Node *call, const Run *r, Entry *bound) {
  const Graph *g = &r->compiled->graph;
  for (int i = 0; i < g->n_input; i++) bound[i] = build_constant(b, &r->in[i]);
  TRY(b->status);
  for (int k = 0; k < r->n_taped; k++) bound[r->input[k]] = call->in[k];
  for (int k = 0; k < r->compiled->n_written; k++) {
    Tensor copy;
    TRY(tensor_copy(&r->state[k], &copy));
    bound[r->compiled->written[k]] = build_constant(b, &copy);
    tensor_release(&copy);
  }
  return b->status;
}

/* Computes the values as the call did: what draws random numbers or writes states in the
** order of the script, then the outputs. */
static Status evaluate_again(const Run *r, const Graph *g, const Entry *made, const Entry *out) {
  RandomState now = random_state();
  Status s = OK;
  random_restore(r->random);
  for (int i = 0; i < g->n_nodes && s == OK; i++) {
    const Op *op = g->node[i]->op;
    if (op && (op->flags & OP_RANDOM || op->mutates)) s = evaluate(&made[i], 1, true);
  }
  if (s == OK) s = evaluate(out, g->n_out, true);
  random_restore(now);
  return s;
}

/* The calls of blocks inside the call, as they would stand had it run eagerly: the order of
** summation (pass/grad.c) depends on it. */
typedef struct Places {
  const Compiled *c;
  Node *call;
  Map at;                    /* the trace's scopes, by position in `scope` */
  Scope **scope;
  int n;
} Places;

static uint64_t place_again(const Places *p, uint64_t order) { return p->call->order + 1 + (order - p->c->first_order); }

static Status scope_again(Places *p, Scope *from, Scope **out) {
  if (!from || from == p->c->outer) { *out = p->call->scope; return OK; }
  int at = map_get(&p->at, from);
  if (at >= 0) { *out = p->scope[at]; return OK; }
  Scope *parent, **wider;
  TRY(scope_again(p, from->parent, &parent));
  wider = object_resize(p->scope, (size_t)(p->n + 1) * sizeof *wider);
  if (!wider) return no_memory("gradient");
  p->scope = wider;
  Scope *made = scope_new(parent, from->path);
  if (!made) return no_memory("gradient");
  made->order = place_again(p, from->order);
  p->scope[p->n] = *out = made;
  return map_put(&p->at, from, p->n++);
}

static void places_free(Places *p) {
  for (int i = 0; i < p->n; i++) scope_release(p->scope[i]);
  object_free(p->scope);
  map_free(&p->at);
}

/* One node of the call's graph on the tape; its inputs are made already. */
static Status make_again(Builder *b, Places *p, const Node *n, Entry *made) {
  Entry few[16], *in = n->n_in <= 16 ? few : object_new((size_t)n->n_in * sizeof *in);
  if (!in) return no_memory("gradient");
  for (int k = 0; k < n->n_in; k++) {
    Entry from = made[n->in[k].node->mark];
    in[k] = n->in[k].node->op ? entry_output(from, n->in[k].index) : from;
  }
  b->origin = n->origin;
  Status s = scope_again(p, n->scope, &b->scope);
  Entry e = s == OK ? build(b, n->op, n->params, in, n->n_in) : NO_ENTRY;
  if (in != few) object_free(in);
  if (!e.node) return s == OK ? b->status : s;
  e.node->order = place_again(p, n->order);
  made[n->mark] = e;
  return OK;
}

/* The call's graph on the tape: its outputs in out[], with values. */
static Status take_apart(Builder *b, Node *call, Entry *out) {
  const Run *r = call->held;
  Places places = { .c = r->compiled, .call = call };
  Graph g;
  TRY(check_inputs_unwritten(r));
  TRY(graph_clone(&r->compiled->graph, &g));
  Entry *bound = object_new((size_t)(g.n_input + g.n_nodes + 1) * sizeof *bound), *made = bound + g.n_input;
  Status s = bound ? bind_inputs(b, call, r, bound) : no_memory("gradient");
  b->train = r->train;
  for (int i = 0; i < g.n_nodes; i++) g.node[i]->mark = i;
  for (int i = 0; s == OK && i < g.n_input; i++) made[g.input[i]->mark] = bound[i];
  for (int i = 0; s == OK && i < g.n_nodes; i++) {
    const Node *n = g.node[i];
    if (!n->op) {
      if (node_is_constant(n)) made[i] = build_constant(b, &n->value[0]);
      s = b->status;
      continue;
    }
    s = make_again(b, &places, n, made);
  }
  for (int i = 0; s == OK && i < g.n_out; i++)
    out[i] = g.out[i].node->op ? entry_output(made[g.out[i].node->mark], g.out[i].index) : made[g.out[i].node->mark];
  if (s == OK) s = evaluate_again(r, &g, made, out);
  b->scope = call->scope;
  b->origin = call->origin;
  places_free(&places);
  object_free(bound);
  graph_free(&g);
  return s;
}

static Status grad_apart(Gradient *d) {
  const Node *call = d->node;
  int n = call->n_out, heads = 0;
  Entry *room = object_new((size_t)(3 * n + 1) * sizeof *room), *out = room, *head = out + n, *head_grad = head + n;
  if (!room) return no_memory("gradient");
  Status s = take_apart(d->b, d->node, out);
  for (int i = 0; i < n; i++) {
    if (!d->out_grad[i].node) continue;
    head[heads] = out[i];
    head_grad[heads++] = d->out_grad[i];
  }
  Differentiation inner = { .head = head, .head_grad = head_grad, .n_heads = heads, .wrt = call->in, .n_wrt = call->n_in,
                            .grad = d->in_grad, .independent = true };
  if (s == OK) s = grad_build(d->b, &inner);
  object_free(room);
  return s;
}

static Status compiled_grad(Gradient *d) {
  Run *r = d->node->held;
  const Program *p = r->workspace->program;
  uint64_t heads = 0;
  for (int i = 0; i < d->node->n_out && i < 64; i++) if (d->out_grad[i].node) heads |= 1ull << i;
  if (heads != r->heads) r->compiled->expected_heads = heads;
  if (d->b->again || heads != r->heads || d->node->n_out > 64) return grad_apart(d);
  int n_grads = p->g.n_out - p->n_forward_out, n_in = 0;
  if (n_grads == 0) return OK;
  Entry in[64];
  Type few[16], *types = n_grads <= 16 ? few : object_new((size_t)n_grads * sizeof *types);
  Params *params;
  if (!types) return no_memory("gradient");
  for (int i = 0; i < n_grads; i++) types[i] = *entry_type(p->g.out[p->n_forward_out + i]);
  for (int i = 0; i < d->node->n_out; i++) if (d->out_grad[i].node) in[n_in++] = d->out_grad[i];
  Status s = params_from(&backward_op, &(RunParams){ r }, &params);
  if (s == OK) {
    Entry e = build_typed(d->b, &backward_op, params, in, n_in, types, n_grads);
    params_release(params);
    s = d->b->status;
    if (e.node) {
      __atomic_fetch_add(&r->refs, 1, __ATOMIC_RELAXED);
      e.node->held = r;
      e.node->let_go = run_release;
      for (int k = 0; k < d->node->n_in; k++)
        if (r->grad_output[k] >= 0) d->in_grad[k] = entry_output(e, r->grad_output[k]);
    }
  }
  if (types != few) object_free(types);
  return s;
}

/* Puts the call onto the tape; takes the run over. */
static Status record(Compiled *c, Run *r, Array *const *in, Array *out) {
  Params *params;
  Node *n = NULL;
  Entry *entries = object_new((size_t)(r->n_taped + 1) * sizeof *entries);
  Status s = entries ? params_from(&compiled_op, &(RunParams){ r }, &params) : no_memory("tape");
  for (int k = 0; s == OK && k < r->n_taped; k++) entries[k] = array_entry(in[r->input[k]]);
  if (s == OK) {
    s = node_new(&compiled_op, params, entries, r->n_taped, c->graph.n_out, &n);
    params_release(params);
  }
  object_free(entries);
  if (s == OK) {
    n->value = object_new((size_t)c->graph.n_out * sizeof *n->value);
    if (!n->value) { node_release(n); s = no_memory("tape"); }
  }
  if (s != OK) { run_release(r); return s; }
  n->held = r;
  n->let_go = run_release;
  n->origin = mode_now.origin;
  n->train = r->train;
  n->order = order_reserve(c->n_orders + 1);      /* room for its nodes, should it be taken apart */
  for (int i = 0; i < c->graph.n_out; i++) {
    n->value[i] = tensor_share(&out[i].t);
    n->type[i] = out[i].t.type;
    out[i].node = node_retain(n);
    out[i].index = i;
  }
  node_release(n);
  return OK;
}

Status compiled_call(Compiled *c, Array *const *in, Array *out) {
  enum { FEW = 32 };
  Type few_types[FEW], *types = few_types;
  const Tensor *few_in[FEW], **tensors = few_in;
  bool few_wanted[FEW], *wanted = few_wanted, on_tape = false;
  int n_in = c->graph.n_input, n_out = c->graph.n_out;
  void *room = NULL;
  if (n_in > FEW) {
    room = object_new((size_t)n_in * (sizeof *types + sizeof *tensors + sizeof *wanted));
    if (!room) return no_memory("compiled call");
    types = room;
    tensors = (const Tensor **)(types + n_in);
    wanted = (bool *)(tensors + n_in);
  }
  for (int i = 0; i < n_in; i++) {
    tensors[i] = &in[i]->t;
    types[i] = in[i]->t.type;
    wanted[i] = in[i]->node != NULL;
    on_tape = on_tape || wanted[i];
  }
  Plan *plan;
  Workspace *w = NULL;
  Tensor few_out[FEW], *made = few_out;
  Tensor *state = NULL;
  RandomState random = random_state();
  bool recording = on_tape && mode_now.recording;
  Status s = compiled_plan(c, types, wanted, mode_now.train, recording, &plan);
  if (s == OK && n_out > FEW && !(made = object_new((size_t)n_out * sizeof *made))) s = no_memory("compiled call");
  if (s == OK) s = workspace_take(plan->program, &w);
  if (s == OK && recording) s = copy_states(c, in, &state);
  if (s == OK) s = workspace_forward(w, tensors, made, recording);
  for (int i = 0; s == OK && i < n_out; i++) out[i] = (Array){ .t = made[i] };
  if (s == OK && recording) {
    Run *r = NULL;
    s = run_new(c, plan, w, in, random, &r);
    w = NULL;
    if (r) {
      r->state = state;
      state = NULL;
    }
    if (s == OK) s = record(c, r, in, out);
    if (s != OK) for (int i = 0; i < n_out; i++) array_release(&out[i]);
  }
  states_free(c, state);
  if (w) workspace_give(w);
  if (made != few_out) object_free(made);
  object_free(room);
  return s;
}
