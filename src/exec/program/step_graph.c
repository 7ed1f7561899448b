/* step_graph.c - see step_graph.h.
**
** Nodes of steps have effects, so they keep the script's order among each other and among draws and writes of forward.
** A gradient is computed before the node that stores it, and the update that reads it comes later in the script.
*/
#include "exec/program/step_graph.h"

#include <stdio.h>

#include "base/memory.h"
#include "exec/program/taped_values.h"
#include "ir/graph/graph_edit.h"
#include "ir/graph/written_memory.h"
#include "ir/node_builder.h"
#include "pass/differentiate.h"

bool step_graph_any(const Graph *g, Origin *backward) {
  bool any = false;
  *backward = 0;
  for (int i = 0; i < g->n_nodes; i++) {
    any = any || step_kind(g->node[i]);
    if (step_kind(g->node[i]) == STEP_BACKWARD) *backward = g->node[i]->origin;
  }
  return any;
}

int step_graph_updates(const Graph *g) {
  int n = 0;
  for (int i = 0; i < g->n_nodes; i++)
    n += step_kind(g->node[i]) == STEP_HOST_CALL && step_params(g->node[i])->update >= 0;
  return n;
}

/* ---- Dropping nodes ----------------------------------------------------------------------------- */

/* Drops the nodes marked by position. */
static Status drop(Graph *g, const bool *dropped) {
  Node **list = object_new((size_t)(g->n_nodes + 1) * sizeof *list);
  int n = 0;
  if (!list) return no_memory("training step");
  for (int i = 0; i < g->n_nodes; i++)
    if (!dropped[i]) list[n++] = node_retain(g->node[i]);
  return graph_set_nodes(g, list, n, n);
}

Status step_graph_strip(Graph *g) {
  bool *dropped FREED = object_new((size_t)g->n_nodes + 1);
  if (!dropped) return no_memory("training step");
  for (int i = 0; i < g->n_nodes; i++) dropped[i] = step_kind(g->node[i]) != STEP_NONE;
  return drop(g, dropped);
}

/* ---- The tape that eager code would have ----------------------------------------------------------- */

/* By position: is the value on the tape; has a backward freed it; does the current backward reach it? */
typedef struct StepTape { bool *on, *freed, *reached; } StepTape;

static Status tape_new(const Graph *g, const StepPlan *plan, Bump *bump, StepTape *t) {
  t->on = BUMP_ARRAY(bump, g->n_nodes, bool);
  t->freed = BUMP_ARRAY(bump, g->n_nodes, bool);
  t->reached = BUMP_ARRAY(bump, g->n_nodes, bool);
  TRY(bump->status);
  taped_values_find(g, plan->wanted, plan->n_in, t->on);
  return OK;
}

/* Marks what a backward reaches; false if it is an error in eager code. */
static bool reach(const Graph *g, StepTape *t, const Node *backward) {
  for (int i = 0; i < g->n_nodes; i++) t->reached[i] = false;
  for (int k = 0; k < backward->n_in; k++) {
    const Node *head = backward->in[k].node;
    if (!t->on[head->at] || !head->op || !dtype_is_float(entry_type(backward->in[k])->dtype)) return false;
    t->reached[head->at] = true;
  }
  for (int i = backward->at - 1; i >= 0; i--) {
    const Node *n = g->node[i];
    if (!t->reached[i] || !n->op) continue;
    if (t->freed[i]) return false;
    for (int k = 0; k < n->n_in; k++)
      if (taped_values_through(n, k) && t->on[n->in[k].node->at]) t->reached[n->in[k].node->at] = true;
  }
  return true;
}

/* Is input i the leaf of a gradient that the current backward stores? */
static bool is_leaf(const StepPlan *plan, int i) {
  return plan->wanted[i] && plan->req[i] != GRAD_NULL && (!plan->same || plan->same[i] == i);
}

static int count_leaves(const Graph *g, const StepPlan *plan, const StepTape *t) {
  int n = 0;
  for (int i = 0; i < plan->n_in; i++) n += is_leaf(plan, i) && t->reached[g->input[i]->at];
  return n;
}

/* Does a node after a backward read an input? In the script's order none does (trace_admit), but the order of a graph
** may be that of a walk (graph_with_inputs). */
static bool reads_late(const Graph *g) {
  bool late = false;
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    for (int k = 0; late && !step_kind(n) && k < n->n_in; k++)
      if (node_is_variable(n->in[k].node)) return true;
    late = late || step_kind(n) == STEP_BACKWARD;
  }
  return false;
}

Status step_graph_fits(const Graph *g, const StepPlan *plan, bool *fits) {
  BUMP(bump, "training step");
  StepTape t;
  *fits = false;
  if (g->remat || reads_late(g)) return OK;      /* values are recomputed for backward parts */
  TRY(tape_new(g, plan, &bump, &t));
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    if (step_kind(n) != STEP_BACKWARD) continue;
    if (step_params(n)->on_tape || !reach(g, &t, n) || count_leaves(g, plan, &t) == 0) return OK;
    for (int j = 0; j < i && !step_params(n)->retain; j++) t.freed[j] = t.freed[j] || (t.reached[j] && g->node[j]->op);
  }
  for (int i = 0; i < plan->n_results; i++) {
    const Node *n = g->out[i].node;
    if (t.on[n->at] && !t.freed[n->at]) return OK;       /* a later backward may begin there */
  }
  *fits = true;
  return OK;
}

/* ---- The nodes ----------------------------------------------------------------------------------- */

typedef struct Expansion {
  Graph *g;
  StepPlan *plan;
  StepTape tape;
  Builder b;
  Edit edit;
  Entry *variable;           /* by input: the graph's input for its gradient, or NO_ENTRY */
  bool *written;             /* from graph_written, before the steps */
} Expansion;

/* Adds an input to the graph. */
static Status add_input(Expansion *x, StepInput what, const Type *type, const char *stem, const char *of, Entry *out) {
  Node *n;
  char name[160];
  TRY(node_variable(NULL, type, &n));
  Status s = builder_hold(&x->b, n);
  node_release(n);
  TRY(s);
  snprintf(name, sizeof name, "%s of %.140s", stem, of ? of : "?");
  TRY(node_set_name(n, name));
  *out = (Entry){ n, 0 };
  x->plan->added[x->plan->n_added++] = what;
  x->g->input[x->g->n_input++] = n;
  return OK;
}

/* The graph's input for the gradient of input i. */
static Status gradient_variable(Expansion *x, int i) {
  const Node *of = x->g->input[i];
  if (x->variable[i].node) return OK;
  return add_input(x, (StepInput){ STEP_GRADIENT, i, 0 }, &of->type[0], "gradient", of->name, &x->variable[i]);
}

/* Builds the node that stores the gradients of these leaves; `grad` NULL: zeros, for zero_grad. */
static Status store(Expansion *x, const int *leaf, const Entry *grad, int n) {
  Entry *in = BUMP_ARRAY(&x->edit.bump, 2 * n, Entry);
  const Op *row;
  Params *params;
  GradientStores *stores;
  int n_in = n;
  TRY(x->edit.bump.status);
  TRY(step_stores_new(n, &row, &params, &stores));
  stores->zeros = !grad;
  for (int k = 0; k < n; k++) {
    const GradReq req = grad ? (GradReq)x->plan->req[leaf[k]] : GRAD_WRITE;
    stores->at[k] = (GradientStore){ .input = leaf[k], .req = req, .value = -1 };
    in[k] = x->variable[leaf[k]];
    if (!grad || !grad[k].node) continue;
    stores->at[k].value = n_in;
    in[n_in++] = grad[k];
  }
  const Entry made = build(&x->b, row, params, in, n_in);
  params_release(params);
  TRY(x->b.status);
  return grad ? OK : node_set_name(made.node, "zero_grad");
}

/* Do the nodes made since `first` read memory that the graph writes? Eager code detects that by version counters. */
static bool reads_written(const Expansion *x, int first) {
  for (int m = first; x->written && m < x->b.n_made; m++)
    for (int k = 0; k < x->b.made[m]->n_in; k++) {
      const Node *in = x->b.made[m]->in[k].node;
      if (in->at >= 0 && x->written[in->at]) return true;
    }
  return false;
}

static Status expand_backward(Expansion *x, Node *n, bool *fits) {
  StepPlan *plan = x->plan;
  Bump *bump = &x->edit.bump;
  const int first = x->b.n_made;
  Entry *wrt = BUMP_ARRAY(bump, plan->n_in, Entry), *grad = BUMP_ARRAY(bump, plan->n_in, Entry);
  int *leaf = BUMP_ARRAY(bump, plan->n_in, int), n_wrt = 0;
  TRY(bump->status);
  reach(x->g, &x->tape, n);
  for (int i = 0; i < plan->n_in; i++) {
    if (!is_leaf(plan, i) || !x->tape.reached[x->g->input[i]->at]) continue;
    TRY(gradient_variable(x, i));
    wrt[n_wrt] = (Entry){ x->g->input[i], 0 };
    leaf[n_wrt++] = i;
  }
  Differentiation d = { .head = n->in, .n_heads = n->n_in, .wrt = wrt, .n_wrt = n_wrt, .grad = grad };
  TRY(differentiate(&x->b, &d));
  TRY(store(x, leaf, grad, n_wrt));
  *fits = *fits && !reads_written(x, first);
  return OK;
}

/* `numbers`: those of an update that the host fills in; NO_ENTRY: none. */
static Status host_call(Expansion *x, const Node *n, Entry numbers, const char *name) {
  const StepPlan *plan = x->plan;
  Entry *in = BUMP_ARRAY(&x->edit.bump, 2 * plan->n_in + 1, Entry);
  int n_in = 0;
  TRY(x->edit.bump.status);
  for (int i = 0; i < plan->n_in; i++)
    if (is_leaf(plan, i)) in[n_in++] = (Entry){ x->g->input[i], 0 };
  for (int i = 0; i < plan->n_in; i++)
    if (x->variable[i].node) in[n_in++] = x->variable[i];
  if (numbers.node) in[n_in++] = numbers;
  const Entry made = build(&x->b, n->op, n->params, in, n_in);
  TRY(x->b.status);
  return name ? node_set_name(made.node, name) : OK;
}

/* The update, zero_grad or clip_global_norm of a host call, if all its weights are leaves; else NULL. */
static const StepUpdate *update_of(const StepPlan *plan, const Node *n) {
  const int64_t number = step_params(n)->update;
  if (number < 0 || number >= plan->n_updates || plan->update[number].n == 0) return NULL;
  const StepUpdate *u = &plan->update[number];
  for (int k = 0; k < u->n; k++)
    if (!is_leaf(plan, u->input[k])) return NULL;
  return u;
}

/* The operands of an update's node without the numbers. */
static Status update_operands(Expansion *x, const StepUpdate *u, int number, Entry *in) {
  for (int k = 0; k < u->n; k++) {
    const int i = u->input[k];
    const Node *weight = x->g->input[i];
    Type type[2 + MOST_STATES] = { weight->type[0], weight->type[0] }, out = TYPE_UNKNOWN;
    for (int s = 0; s < u->n_states; s++) type[2 + s] = TYPE_UNKNOWN;
    TRY(op_infer(u->rule, u->rule->info->defaults, type, 2 + u->n_states, &out, 1));
    *in++ = (Entry){ x->g->input[i], 0 };
    TRY(gradient_variable(x, i));
    *in++ = x->variable[i];
    for (int s = 0; s < u->n_states; s++)
      TRY(add_input(x, (StepInput){ STEP_STATE, number, k * u->n_states + s }, &type[2 + s],
                    op_input_name(u->rule, 2 + s), weight->name, in++));
  }
  return OK;
}

static Status expand_update(Expansion *x, const Node *n, const StepUpdate *u) {
  const int n_in = u->n * (2 + u->n_states) + 1, number = (int)step_params(n)->update;
  const Type type = step_numbers_type(u);
  const char *step = n->name ? n->name : "step";
  Entry *in = BUMP_ARRAY(&x->edit.bump, n_in, Entry);
  Params *params;
  char name[160];
  TRY(x->edit.bump.status);
  TRY(update_operands(x, u, number, in));
  TRY(add_input(x, (StepInput){ STEP_NUMBERS, number, 0 }, &type, "numbers", step, &in[n_in - 1]));
  snprintf(name, sizeof name, "numbers of %.140s", step);
  TRY(host_call(x, n, in[n_in - 1], name));
  TRY(step_update_params(u, &params));
  const Entry made = build(&x->b, op_with_role(ROLE_UPDATE), params, in, n_in);
  params_release(params);
  TRY(x->b.status);
  snprintf(name, sizeof name, "%.60s of %.60s", u->rule->name, step);
  return node_set_name(made.node, name);
}

static Status expand_zeros(Expansion *x, const StepUpdate *u) {
  for (int k = 0; k < u->n; k++) TRY(gradient_variable(x, u->input[k]));
  return store(x, u->input, NULL, u->n);
}

/* The host call that warns of a norm that is not finite. */
static Status warning(Expansion *x, const Node *n, Entry norm, const char *step) {
  StepParams params = *step_params(n);
  char name[160];
  params.update = -1;
  params.warns = true;
  const Entry made = build_from(&x->b, n->op, &params, &norm, 1);
  TRY(x->b.status);
  snprintf(name, sizeof name, "warning of %.140s", step);
  return node_set_name(made.node, name);
}

static Status expand_clip(Expansion *x, const Node *n, const StepUpdate *u) {
  const char *step = n->name ? n->name : "clip_global_norm";
  Entry *in = BUMP_ARRAY(&x->edit.bump, u->n, Entry);
  Params *params;
  TRY(x->edit.bump.status);
  for (int k = 0; k < u->n; k++) {
    TRY(gradient_variable(x, u->input[k]));
    in[k] = x->variable[u->input[k]];
  }
  TRY(step_clip_params(u, &params));
  const Entry norm = build(&x->b, op_with_role(ROLE_CLIP), params, in, u->n);
  params_release(params);
  TRY(x->b.status);
  TRY(node_set_name(norm.node, step));
  return u->warns ? warning(x, n, norm, step) : OK;
}

static Status expand_host_call(Expansion *x, const Node *n) {
  const StepUpdate *u = update_of(x->plan, n);
  if (!u) return host_call(x, n, NO_ENTRY, n->name);
  if (u->clips) return expand_clip(x, n, u);
  return u->zeros ? expand_zeros(x, u) : expand_update(x, n, u);
}

static Status expand(Expansion *x, Node *n, bool *fits) {
  const int first = x->b.n_made;
  x->b.origin = n->origin;
  x->b.train = n->train;
  TRY(step_kind(n) == STEP_BACKWARD ? expand_backward(x, n, fits) : expand_host_call(x, n));
  for (int m = first; m < x->b.n_made; m++) {
    x->b.made[m]->caller = n->origin;
    TRY(edit_insert(&x->edit, node_retain(x->b.made[m]), PART_FORWARD, n->at));
  }
  return OK;
}

/* Drops the traced nodes after the edit that inserted the new ones. */
static Status drop_traced(Graph *g, Node *const *traced, int n) {
  bool *dropped FREED = object_new((size_t)g->n_nodes + 1);
  if (!dropped) return no_memory("training step");
  for (int i = 0; i < n; i++) dropped[traced[i]->at] = true;
  return drop(g, dropped);
}

/* The most inputs that steps add. */
static int most_added(const StepPlan *plan) {
  int n = plan->n_in;
  for (int u = 0; u < plan->n_updates; u++)
    if (plan->update[u].rule) n += plan->update[u].n * plan->update[u].n_states + 1;
  return n;
}

static Status make_room(Graph *g, const StepPlan *plan) {
  Node **input = object_resize(g->input, (size_t)(g->n_input + most_added(plan) + 1) * sizeof *input);
  if (!input) return no_memory("training step");
  g->input = input;
  return OK;
}

static Status expand_all(Expansion *x, bool *fits) {
  Graph *g = x->g;
  const int n = g->n_nodes;
  TRY(edit_begin(&x->edit, g));
  Bump *bump = &x->edit.bump;
  Node **traced = BUMP_ARRAY(bump, n, Node *);
  int n_traced = 0;
  x->variable = BUMP_ARRAY(bump, x->plan->n_in, Entry);
  TRY(bump->status);
  TRY(tape_new(g, x->plan, bump, &x->tape));
  TRY(graph_written(g, bump, &x->written));
  TRY(make_room(g, x->plan));
  for (int i = 0; i < n; i++) {
    if (!step_kind(g->node[i])) continue;
    traced[n_traced++] = g->node[i];
    TRY(expand(x, g->node[i], fits));
  }
  TRY(edit_end(&x->edit));
  g->n_forward_in = g->n_input;
  return drop_traced(g, traced, n_traced);
}

static void expansion_free(Expansion *x) {
  edit_free(&x->edit);
  builder_free(&x->b);
}

Status step_graph_expand(Graph *g, StepPlan *plan, bool *fits) {
  Expansion x FREED_BY(expansion_free) = { .g = g, .plan = plan };
  plan->added = BUMP_ARRAY(plan->bump, most_added(plan), StepInput);
  TRY(plan->bump->status);
  plan->n_added = 0;
  *fits = true;
  return expand_all(&x, fits);
}
