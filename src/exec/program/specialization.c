/* specialization.c - see specialization.h. Makes a copy of the compiled function's graph, infers types, finds what is
** on the tape, and adds gradients. Then passes run, and memory is planned.
*/
#include "exec/program/specialization.h"

#include <string.h>

#include "base/settings/fault_injection.h"
#include "base/settings/machine.h"
#include "base/memory.h"
#include "exec/program/compiled_function.h"
#include "exec/program/taped_values.h"
#include "ir/graph/graph_edit.h"
#include "ir/graph/written_memory.h"
#include "pass/differentiate.h"
#include "pass/pipeline.h"

/* ---- The graph for these types ---------------------------------------------------------------------- */

/* Puts variables before the nodes that read them. */
static Status put_inputs_first(Graph *g) {
  int n = 0;
  Node **list = object_new((size_t)(g->n_nodes + 1) * sizeof *list);
  if (!list) return no_memory("specialization");
  for (int i = 0; i < g->n_nodes; i++)
    if (node_is_variable(g->node[i])) list[n++] = node_retain(g->node[i]);
  for (int i = 0; i < g->n_nodes; i++)
    if (!node_is_variable(g->node[i])) list[n++] = node_retain(g->node[i]);
  return graph_set_nodes(g, list, n, n);
}

/* An array passed as two inputs is one value, as in eager code: its gradient is one sum, in the order of its users.
** Replaces the later inputs by the first. */
static Status merge_repeated(Graph *g, const int *same) {
  EDIT(e);
  if (!same) return OK;
  TRY(put_inputs_first(g));
  TRY(edit_begin(&e, g));
  for (int i = 0; i < g->n_input; i++)
    if (same[i] != i) edit_replace(&e, (Entry){ g->input[i], 0 }, (Entry){ g->input[same[i]], 0 });
  for (int i = 0; i < g->n_nodes; i++) edit_inputs(&e, g->node[i]);
  return edit_end(&e);
}

/* Copies the graph for the given input types, and infers the other types. */
static Status instantiate(const Compiled *c, const Specialization *p, Graph *g) {
  TRY(graph_clone(&c->graph, g));
  g->device = p->device;
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    n->train = requested_mode_or(n->train_requested, p->mode & CALL_TRAINS);
    n->paused = !requested_mode_or(n->record_requested, p->mode & CALL_RECORDING);
    for (int k = 0; n->op && k < n->n_out; k++) n->type[k] = TYPE_UNKNOWN;
  }
  for (int i = 0; i < g->n_input; i++) g->input[i]->type[0] = p->type[i];
  TRY(merge_repeated(g, p->same));
  TRY(graph_infer_guessing(g));
  const Node *unknown = graph_unknown(g);
  if (!unknown) return OK;
  return fail("%s: cannot infer the type of %s from the inputs", c->name,
              unknown->name ? unknown->name : unknown->op->name);
}

/* The number of inputs of the compiled function; those that training steps add follow them. */
static int own_inputs(const Graph *g, const Specialization *p) { return g->n_input - p->n_added; }

/* Finds the outputs that eager code would have on the tape. */
static Status find_taped(const Graph *g, Specialization *p) {
  bool *on FREED = object_new((size_t)g->n_nodes + 1);
  if (!on) return no_memory("specialization");
  taped_values_find(g, p->wanted, own_inputs(g, p), on);
  for (int i = 0; i < g->n_out; i++) {
    p->output[i].taped = on[g->out[i].node->at];
    p->taped = p->taped || p->output[i].taped;
    if (i < 64 && p->output[i].taped && dtype_is_float(entry_type(g->out[i])->dtype)) p->possible_heads |= 1ull << i;
  }
  return OK;
}

/* Finds the outputs that depend, on the tape, on each input and on each output. */
static Status find_dependents(const Graph *g, Specialization *p) {
  uint64_t *leads FREED = NULL;
  TRY(graph_leads(g, taped_values_through, &leads));
  for (int i = 0; i < g->n_out; i++) p->output[i].tape_ancestors = leads[g->out[i].node->at];
  for (int i = 0; i < own_inputs(g, p); i++) p->dependents[i] = g->n_out > 64 ? UINT64_MAX : leads[g->input[i]->at];
  return OK;
}

/* The outermost block call inside the trace that contains a scope, or NULL. */
static const Scope *branch_of(const Compiled *c, const Scope *s) {
  while (s && s != c->outer && s->parent != c->outer) s = s->parent;
  return s == c->outer ? NULL : s;
}

/* Finds gradients with several terms that eager code would not sum separately (see needs_inlining in
** exec/tape/reached_tape.c): of inputs used more than once, and of outputs that the graph uses itself. A block's graph
** has none of these, since its single call contains all terms. */
static Status find_multiple_terms(const Compiled *c, const Graph *g, Specialization *p) {
  const Scope **last FREED = object_new((size_t)(g->n_input + 1) * sizeof *last);
  bool *used FREED = object_new((size_t)g->n_input + 1);
  int *input FREED = NULL;
  if (!last || !used) return no_memory("specialization");
  TRY(graph_number_inputs(g, &input));
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    const Scope *branch = branch_of(c, n->scope);
    for (int k = 0; k < n->n_in && !n->paused; k++) {
      int at = input[n->in[k].node->at];
      if (at >= 0) {
        bool loop = n->op && n->op->control && !branch;         /* one term per iteration */
        p->multiple_terms[at] = p->multiple_terms[at] || loop || (used[at] && (!branch || branch != last[at]));
        used[at] = true;
        last[at] = branch;
      }
      for (int o = 0; at < 0 && o < g->n_out; o++)
        if (entry_equal(g->out[o], n->in[k]) && (!branch || branch != branch_of(c, n->in[k].node->scope)))
          p->output[o].used_inside = true;
    }
  }
  return OK;
}

/* The base of an output that is a view in eager code, and the output's offset in it. */
static Entry base_of(Entry e, size_t *offset) {
  size_t more;
  *offset = 0;
  while (e.node->op && e.node->op->view && e.index == 0 && memory_plan_is_alias(e.node, &more)) {
    *offset += more;
    e = e.node->in[0];
  }
  return e;
}

/* Finds the memory of each output; root[] gets the values that the executable must compute. */
static Status find_outputs(const Graph *g, Specialization *p, Entry *root) {
  int *input FREED = NULL;
  TRY(graph_number_inputs(g, &input));
  p->direct = true;
  for (int i = 0; i < g->n_out; i++) {
    Output *o = &p->output[i];
    Entry base = base_of(g->out[i], &o->offset);
    int r = 0;
    o->type = *entry_type(g->out[i]);
    o->input = input[base.node->at];
    if (o->input < 0) {
      r = entry_find(root, p->n_roots, base);
      root[r] = base;
      if (r == p->n_roots) p->n_roots++;
    }
    o->root = r;
    p->direct = p->direct && o->input < 0 && r == i && entry_equal(base, g->out[i]);
  }
  return OK;
}

static void measure_eager(const Graph *g, Specialization *spec) {
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    if (!n->op) continue;
    spec->eager_nodes++;
    Query q = query_of_node(n);
    q.no_gradient = !spec->taped;
    for (int k = 0; k < n->n_out && !n->op->view; k++)
      if (n->op->control || !op_unused(&q, k)) spec->eager_bytes += type_bytes(&n->type[k]);
  }
}

static Status grow_graph(Graph *g, int more_out, int more_in) {
  Entry *out = object_resize(g->out, (size_t)(g->n_out + more_out + 1) * sizeof *out);
  if (out) g->out = out;
  Node **input = object_resize(g->input, (size_t)(g->n_input + more_in + 1) * sizeof *input);
  if (input) g->input = input;
  return out && input ? OK : no_memory("compiled function");
}

/* Adds a variable for the head gradient of each output in spec->heads after the inputs. The builder owns it. */
static Status add_heads(Graph *g, Specialization *spec, Builder *b, Entry *heads, Entry *head_grads, int *n) {
  int outputs = g->n_out;
  *n = 0;
  for (int i = 0; i < outputs && i < 64; i++) {
    if (!(spec->heads >> i & 1)) continue;
    Node *head;
    TRY(node_variable("head", entry_type(g->out[i]), &head));
    Status s = builder_hold(b, head);
    node_release(head);
    TRY(s);
    heads[*n] = g->out[i];
    head_grads[*n] = (Entry){ head, 0 };
    g->input[g->n_input++] = head;
    (*n)++;
  }
  return OK;
}

/* For tests (base/settings/fault_injection.h): moves each input into the block call of its first user. */
static void put_inputs_in_calls(const Graph *g) {
  for (int i = 0; i < g->n_nodes; i++) {
    for (int k = 0; k < g->node[i]->n_in; k++) {
      Node *from = g->node[i]->in[k].node;
      if (from->op || from->scope) continue;
      from->scope = scope_retain(g->node[i]->scope);
    }
  }
}

/* Is it on the tape, and the first of the inputs that are the same value? */
static bool has_gradient(const Specialization *p, int input) {
  return p->wanted[input] && (!p->same || p->same[input] == input);
}

/* Adds the nodes of differentiation as the backward part, in order of creation. */
static Status add_backward(Graph *g, const Builder *b) {
  EDIT(e);
  TRY(edit_begin(&e, g));
  for (int i = 0; i < b->n_made; i++) TRY(edit_insert(&e, node_retain(b->made[i]), PART_BACKWARD, g->n_nodes));
  return edit_end(&e);
}

/* If backward reads memory that forward overwrites, it is left to eager code, whose version counters detect whether the
** write came in between. */
static Status check_backward(const Graph *g) {
  bool *written;
  BUMP(bump, "specialization");
  TRY(graph_written(g, &bump, &written));
  for (int i = g->n_forward; i < g->n_nodes; i++)
    if (written_read(written, g->node[i])) return fail("backward reads memory that the graph overwrites");
  return OK;
}

static Status add_gradients(Graph *g, Specialization *spec, int n_in) {
  int n_out = g->n_out, n_heads, n_wanted = 0;
  Builder b FREED_BY(builder_free) = { 0 };
  BUMP(bump, "compiled function");
  if (HL_FAULT_IS(heads) && spec->heads != spec->possible_heads) put_inputs_in_calls(g);
  TRY(grow_graph(g, n_in, n_out));
  Entry *heads = BUMP_ARRAY(&bump, n_out, Entry), *head_grads = BUMP_ARRAY(&bump, n_out, Entry);
  Entry *wrt = BUMP_ARRAY(&bump, n_in, Entry), *grads = BUMP_ARRAY(&bump, n_in, Entry);
  TRY(bump.status);
  TRY(add_heads(g, spec, &b, heads, head_grads, &n_heads));
  for (int i = 0; i < n_in; i++)
    if (has_gradient(spec, i)) wrt[n_wanted++] = (Entry){ g->input[i], 0 };
  Differentiation d = {
    .head = heads, .head_grad = head_grads, .n_heads = n_heads, .wrt = wrt, .n_wrt = n_wanted, .grad = grads
  };
  TRY(differentiate(&b, &d));
  for (int i = 0, k = 0; i < n_in; i++) {
    spec->grad_output[i] = -1;
    if (!has_gradient(spec, i)) continue;
    if (grads[k].node) {
      spec->grad_output[i] = g->n_out - n_out;
      g->out[g->n_out++] = grads[k];
    }
    k++;
  }
  return add_backward(g, &b);
}

/* Replaces the forward outputs by their roots; gradients follow. */
static void set_roots(Graph *g, const Specialization *p, const Entry *root, int n_out) {
  memmove(g->out + p->n_roots, g->out + n_out, (size_t)(g->n_out - n_out) * sizeof *g->out);
  memcpy(g->out, root, (size_t)p->n_roots * sizeof *root);
  g->n_out -= n_out - p->n_roots;
  g->n_forward_out = p->n_roots;
}

/* Lets the executable perform the training steps if it can; otherwise drops them, for the host. *again: neither,
** because the gradients cannot be computed here. Then the host's backward raises the error, if it is one. */
static Status place_steps(const Compiled *c, Graph *g, Specialization *spec, bool *again) {
  StepPlan plan = { .wanted = spec->wanted,
                    .req = spec->req,
                    .same = spec->same,
                    .n_in = c->graph.n_input,
                    .n_results = c->n_results,
                    .update = spec->update,
                    .n_updates = spec->update ? c->n_updates : 0,
                    .bump = &spec->bump };
  *again = false;
  if (spec->steps) TRY(step_graph_fits(g, &plan, &spec->steps));
  if (!spec->steps) return step_graph_strip(g);
  TRY(put_inputs_first(g));            /* host calls have parameters as inputs */
  const Status s = step_graph_expand(g, &plan, &spec->steps);
  *again = s == E_INPUT || (s == OK && !spec->steps);
  spec->steps = spec->steps && !*again;
  spec->added = plan.added;
  spec->n_added = *again ? 0 : plan.n_added;
  return *again ? OK : s;
}

static Status instantiate_with_steps(const Compiled *c, Specialization *spec, Graph *g) {
  bool again = false;
  TRY(instantiate(c, spec, g));
  if (c->has_steps) TRY(place_steps(c, g, spec, &again));
  if (!again) return OK;
  graph_free(g);
  TRY(instantiate(c, spec, g));
  return step_graph_strip(g);
}

/* Nothing can begin a backward over a call that performed its own. Its outputs on the tape are freed there. */
static void forget_tape(Specialization *spec, int n_in) {
  spec->taped = false;
  spec->heads = spec->possible_heads = 0;
  memset(spec->grad_output, -1, (size_t)n_in * sizeof *spec->grad_output);
}

static Status build_graph(const Compiled *c, Specialization *spec, Graph *g) {
  int n_in = c->graph.n_input, n_out = c->graph.n_out;
  Entry *root FREED = object_new((size_t)(n_out + 1) * sizeof *root);
  if (!root) return no_memory("specialization");
  TRY(instantiate_with_steps(c, spec, g));
  TRY(find_taped(g, spec));
  TRY(find_dependents(g, spec));
  if (spec->steps) forget_tape(spec, n_in);
  spec->n_roots = 0;
  spec->eager_nodes = 0;
  spec->eager_bytes = 0;
  if (spec->taped) TRY(find_multiple_terms(c, g, spec));
  TRY(find_outputs(g, spec, root));
  measure_eager(g, spec);
  spec->heads &= spec->possible_heads;
  if (spec->heads) TRY(add_gradients(g, spec, n_in));
  if (spec->heads) TRY(check_backward(g));
  set_roots(g, spec, root, n_out);
  return graph_prune(g);
}

/* ---- The executable ------------------------------------------------------------------------------------ */

Status specialization_take_fused(Specialization *spec, const char *name, Lock *lock) {
  Executable *fused;
  TRY(tier_executable(spec->tier, name, lock, &fused));
  if (!fused) return OK;
  executable_release(spec->executable);
  spec->executable = fused;
  spec->fused = true;
  spec->fused_after = spec->hits;
  return OK;
}

static Status make_tiers(Compiled *c, Specialization *spec, Graph *g) {
  TRY(pipeline_run(g, STAGE_SHARED, NULL));
  TRY(tier_begin(g, &spec->tier));
  return specialization_take_fused(spec, c->name, &c->lock);
}

static Status make_executable(Compiled *c, Specialization *spec) {
  Graph g FREED_BY(graph_free) = { 0 };
  MemoryPlan memory FREED_BY(memory_plan_free) = { 0 };
  Status s = build_graph(c, spec, &g);
  if (s == E_INPUT && spec->heads) {      /* not differentiable: a later backward raises the error */
    spec->heads = 0;
    memset(spec->grad_output, -1, (size_t)c->graph.n_input * sizeof *spec->grad_output);
    graph_free(&g);
    s = build_graph(c, spec, &g);
  }
  TRY(s);
  const bool as_traced = spec->mode & CALL_HOOKED;
  TRY(as_traced ? tier_none("operator by operator, because results are checked", &spec->tier)
                : make_tiers(c, spec, &g));
  if (spec->executable) return OK;
  TRY(pipeline_run(&g, as_traced ? STAGE_TRACED : STAGE_OPERATORS, &memory));
  return executable_build(&g, &memory, c->name, &c->lock, &spec->executable);
}

/* ---- Life ------------------------------------------------------------------------------------------- */

void specialization_release(Specialization *p) {
  executable_release(p->executable);
  tier_release(p->tier);
  bump_free(&p->bump);
  object_free(p);
}

static Status keep_kind(Specialization *p, const CallKind *kind, int n_in, int n_out, int n_updates) {
  const size_t n = (size_t)n_in;
  p->type = BUMP_ARRAY(&p->bump, n, Type);
  p->wanted = BUMP_ARRAY(&p->bump, n, bool);
  p->same = kind->same ? BUMP_ARRAY(&p->bump, n, int) : NULL;
  p->grad_output = BUMP_ARRAY(&p->bump, n, int);
  p->multiple_terms = BUMP_ARRAY(&p->bump, n, bool);
  p->dependents = BUMP_ARRAY(&p->bump, n, uint64_t);
  p->output = BUMP_ARRAY(&p->bump, n_out, Output);
  TRY(p->bump.status);
  memcpy(p->type, kind->type, n * sizeof *p->type);
  if (kind->mode & CALL_RECORDED) memcpy(p->wanted, kind->wanted, n * sizeof *p->wanted);
  if (kind->same) memcpy(p->same, kind->same, n * sizeof *p->same);
  memset(p->grad_output, -1, n * sizeof *p->grad_output);
  p->mode = kind->mode;
  p->steps = (kind->mode & CALL_STEPS) != 0;
  p->req = BUMP_ARRAY(&p->bump, n, uint8_t);
  TRY(p->bump.status);
  if (p->steps) memcpy(p->req, kind->req, n * sizeof *p->req);
  if (p->steps) TRY(step_updates_copy(kind->update, n_updates, &p->bump, &p->update));
  p->device = kind->mode & CALL_ELSEWHERE ? kind->device : DEVICE_HOST;
  return OK;
}

Status specialization_new(Compiled *c, const CallKind *kind, Specialization **out) {
  double start = machine_seconds();
  Specialization *p = object_new(sizeof *p);
  if (!p) return no_memory("specialization");
  p->bump.purpose = "specialization";
  p->heads = compiled_expected_heads(c);
  Status s = keep_kind(p, kind, c->graph.n_input, c->graph.n_out, c->n_updates);
  if (s == OK) s = make_executable(c, p);
  if (s != OK) {
    specialization_release(p);
    return s;
  }
  p->seconds = machine_seconds() - start;
  *out = p;
  return OK;
}
