/* graph.c - walking, copying and printing graphs. Type inference is in infer.c.
** Invariant: every walk is a loop over a stack of its own; Node.mark tells the walk
** which nodes it has met, and belongs to the latest walk of the thread.
*/
#include "ir/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

int64_t node_fresh_mark(void) {
  static _Thread_local int64_t next = INT64_C(1) << 32;     /* above every position that is kept in a mark */
  return next++;
}

Status node_list_add(NodeList *list, Node *n) {
  if (list->n == list->capacity) {
    int capacity = list->capacity ? list->capacity * 2 : 64;
    Node **at = object_resize(list->at, (size_t)capacity * sizeof *at);
    if (!at) return no_memory("list of nodes");
    list->at = at;
    list->capacity = capacity;
  }
  list->at[list->n++] = n;
  return OK;
}

void node_list_free(NodeList *list) {
  object_free(list->at);
  *list = (NodeList){ 0 };
}

typedef struct Visit { Node *node; int next_input; } Visit;
typedef struct VisitStack { Visit *at; int n, capacity; } VisitStack;

static Status push(VisitStack *s, Node *n) {
  if (s->n == s->capacity) {
    int capacity = s->capacity ? s->capacity * 2 : 64;
    Visit *at = object_resize(s->at, (size_t)capacity * sizeof *at);
    if (!at) return no_memory("graph walk");
    s->at = at;
    s->capacity = capacity;
  }
  s->at[s->n++] = (Visit){ n, 0 };
  return OK;
}

/* Depth first, post-order. `seen` is the mark of nodes met, unique to this walk. */
static Status walk(Node *root, int64_t seen, VisitStack *stack, EnterNode *enter, void *context, NodeList *out) {
  if (root->mark == seen) return OK;
  root->mark = seen;
  TRY(push(stack, root));
  while (stack->n > 0) {
    Visit *top = &stack->at[stack->n - 1];
    bool inside = top->next_input > 0 || !enter || enter(top->node, context);
    if (!inside || top->next_input == top->node->n_in) {
      TRY(node_list_add(out, top->node));
      stack->n--;
      continue;
    }
    Node *input = top->node->in[top->next_input++].node;
    if (input->mark == seen) continue;
    input->mark = seen;
    TRY(push(stack, input));
  }
  return OK;
}

Status nodes_reached(const Entry *from, int n, EnterNode *enter, void *context, NodeList *out) {
  int64_t seen = node_fresh_mark();
  VisitStack stack = { 0 };
  Status s = OK;
  for (int i = 0; i < n && s == OK; i++)
    if (from[i].node) s = walk(from[i].node, seen, &stack, enter, context, out);
  object_free(stack.at);
  return s;
}

/* Orders side by side, for nodes lie scattered in memory. */
typedef struct Placed { uint64_t order; int at; } Placed;

static int by_order(const void *x, const void *y) {
  const Placed *a = x, *b = y;
  if (a->order != b->order) return a->order < b->order ? -1 : 1;
  return a->at - b->at;
}

/* By script order; nodes of one order stay as they stand. */
static Status sort_by_order(NodeList *list) {
  bool sorted = true;
  for (int i = 1; i < list->n && sorted; i++) sorted = list->at[i - 1]->order <= list->at[i]->order;
  if (sorted) return OK;
  size_t n = (size_t)list->n;
  Placed *placed = object_new(n * (sizeof *placed + sizeof(Node *)));
  Node **before = (Node **)(placed + n);
  if (!placed) return no_memory("graph");
  for (int i = 0; i < list->n; i++) {
    before[i] = list->at[i];
    placed[i] = (Placed){ before[i]->order, i };
  }
  qsort(placed, n, sizeof *placed, by_order);
  for (int i = 0; i < list->n; i++) list->at[i] = before[placed[i].at];
  object_free(placed);
  return OK;
}

static Status take_nodes(Graph *g, NodeList *list) {
  for (int i = 0; i < list->n; i++) node_retain(list->at[i]);
  g->node = list->at;
  g->n_nodes = list->n;
  return OK;
}

static Status collect_inputs(Graph *g) {
  int n = 0;
  for (int i = 0; i < g->n_nodes; i++) n += node_is_variable(g->node[i]);
  g->input = object_new((size_t)(n + 1) * sizeof *g->input);
  if (!g->input) return no_memory("graph");
  for (int i = 0; i < g->n_nodes; i++)
    if (node_is_variable(g->node[i])) g->input[g->n_input++] = g->node[i];
  return OK;
}

Status graph_new(const Entry *out, int n_out, Graph *g) {
  NodeList list = { 0 };
  *g = (Graph){ .n_out = n_out };
  Status s = nodes_reached(out, n_out, NULL, NULL, &list);
  if (s != OK) { node_list_free(&list); return s; }
  take_nodes(g, &list);
  g->out = object_new((size_t)(n_out + 1) * sizeof *g->out);
  if (!g->out) { graph_free(g); return no_memory("graph"); }
  for (int i = 0; i < n_out; i++) g->out[i] = out[i];
  s = collect_inputs(g);
  if (s != OK) graph_free(g);
  return s;
}

/* Sorts by script order. Where that is no order of computation (a variable was replaced
** by a younger node), the walk's order becomes the script's. */
static Status schedule(NodeList *list) {
  NodeList walk = { 0 };
  for (int i = 0; i < list->n; i++) TRY(node_list_add(&walk, list->at[i]));
  Status s = sort_by_order(list);
  if (s != OK) { node_list_free(&walk); return s; }
  for (int i = 0; i < list->n; i++) list->at[i]->mark = i;
  bool valid = true;
  for (int i = 0; i < list->n && valid; i++)
    for (int k = 0; k < list->at[i]->n_in; k++) valid = valid && list->at[i]->in[k].node->mark < i;
  for (int i = 0; i < walk.n && !valid; i++) {
    list->at[i] = walk.at[i];
    walk.at[i]->order = order_next();
  }
  node_list_free(&walk);
  return OK;
}

static Status check_listed(const Graph *g) {
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->mark = 0;
  for (int i = 0; i < g->n_input; i++) g->input[i]->mark = 1;
  for (int i = 0; i < g->n_nodes; i++)
    if (node_is_variable(g->node[i]) && g->node[i]->mark == 0)
      return fail("graph: inputs: variable '%s' is needed and not listed", g->node[i]->name ? g->node[i]->name : "?");
  return OK;
}

Status graph_with_inputs(const Entry *out, int n_out, Node *const *input, int n_input, const NodeList *also, Graph *g) {
  NodeList list = { 0 };
  int n_also = also ? also->n : 0, n = 0;
  *g = (Graph){ .n_out = n_out, .n_input = n_input };
  Entry *roots = object_new((size_t)(n_out + n_input + n_also + 1) * sizeof *roots);
  g->out = object_new((size_t)(n_out + 1) * sizeof *g->out);
  g->input = object_new((size_t)(n_input + 1) * sizeof *g->input);
  Status s = roots && g->out && g->input ? OK : no_memory("graph");
  for (int i = 0; s == OK && i < n_input; i++) roots[n++] = (Entry){ g->input[i] = input[i], 0 };
  for (int i = 0; s == OK && i < n_also; i++) roots[n++] = (Entry){ also->at[i], 0 };
  for (int i = 0; s == OK && i < n_out; i++) roots[n++] = g->out[i] = out[i];
  if (s == OK) s = nodes_reached(roots, n, NULL, NULL, &list);
  if (s == OK) s = schedule(&list);
  object_free(roots);
  if (s != OK) { node_list_free(&list); graph_free(g); return s; }
  take_nodes(g, &list);
  s = check_listed(g);
  if (s != OK) graph_free(g);
  return s;
}

void graph_free(Graph *g) {
  for (int i = 0; i < g->n_nodes; i++) node_release(g->node[i]);
  object_free(g->node);
  object_free(g->out);
  object_free(g->input);
  *g = (Graph){ 0 };
}

static Status clone_node(const Node *from, Node *const *copies, Node **out) {
  Node *n;
  TRY(node_new(from->op, from->params, from->in, from->n_in, from->n_out, &n));
  for (int i = 0; i < n->n_in; i++) {        /* from the originals to the copies */
    Node *copy = copies[from->in[i].node->mark];
    node_retain(copy);
    node_release(n->in[i].node);
    n->in[i].node = copy;
  }
  memcpy(n->type, from->type, from->n_out * sizeof *n->type);
  n->order = from->order;
  n->origin = from->origin;
  n->train = from->train;
  n->paused = from->paused;
  n->train_asked = from->train_asked;
  n->record_asked = from->record_asked;
  n->aux = from->aux;
  n->unversioned = from->unversioned;
  scope_release(n->scope);
  n->scope = scope_retain(from->scope);
  *out = n;
  if (from->name) TRY(node_set_name(n, from->name));
  for (const Attribute *a = from->attributes; a; a = a->next) TRY(node_set_attribute(n, a->key, a->value));
  if (from->value && !from->op) {
    n->value = object_new(sizeof *n->value);
    if (!n->value) return no_memory("graph");
    n->value[0] = tensor_share(&from->value[0]);
  }
  return OK;
}

Status graph_clone(const Graph *g, Graph *out) {
  *out = (Graph){ .n_out = g->n_out, .n_input = g->n_input };
  out->node = object_new((size_t)(g->n_nodes + 1) * sizeof *out->node);
  out->out = object_new((size_t)(g->n_out + 1) * sizeof *out->out);
  out->input = object_new((size_t)(g->n_input + 1) * sizeof *out->input);
  Status s = out->node && out->out && out->input ? OK : no_memory("graph");
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->mark = i;
  for (int i = 0; i < g->n_nodes && s == OK; i++) {
    s = clone_node(g->node[i], out->node, &out->node[i]);
    if (out->node[i]) out->n_nodes = i + 1;
  }
  if (s != OK) { graph_free(out); return s; }
  for (int i = 0; i < g->n_out; i++)
    out->out[i] = (Entry){ out->node[g->out[i].node->mark], g->out[i].index };
  for (int i = 0; i < g->n_input; i++) out->input[i] = out->node[g->input[i]->mark];
  return OK;
}

/* What a walk from the outputs alone would lose: writing in place and random draws. */
static bool must_stay(const Node *n) { return n->op && (n->op->flags & OP_RANDOM || n->op->mutates); }

/* The nodes that a walk has just listed, those of the graph first, in its order: then little is
** left to be sorted. */
static Status old_before_new(const Graph *g, NodeList *list) {
  int n = 0;
  if (list->n == 0) return OK;
  Node **at = object_new((size_t)list->n * sizeof *at);
  if (!at) return no_memory("graph");
  int64_t listed = list->at[0]->mark, placed = node_fresh_mark();
  for (int i = 0; i < g->n_nodes; i++) {
    if (g->node[i]->mark != listed) continue;
    g->node[i]->mark = placed;
    at[n++] = g->node[i];
  }
  for (int i = 0; i < list->n; i++) if (list->at[i]->mark == listed) at[n++] = list->at[i];
  object_free(list->at);
  *list = (NodeList){ at, n, n };
  return OK;
}

int graph_nodes_up_to(const Graph *g, uint64_t order) {
  int n = 0;
  while (n < g->n_nodes && g->node[n]->order <= order) n++;
  return n;
}

Status graph_refresh(Graph *g) {
  NodeList list = { 0 };
  int kept = 0;
  Entry *roots = object_new((size_t)(g->n_nodes + g->n_out + g->n_input + 1) * sizeof *roots);
  if (!roots) return no_memory("graph");
  for (int i = 0; i < g->n_nodes; i++) if (must_stay(g->node[i])) roots[kept++] = (Entry){ g->node[i], 0 };
  for (int i = 0; i < g->n_input; i++) roots[kept++] = (Entry){ g->input[i], 0 };
  for (int i = 0; i < g->n_out; i++) roots[kept++] = g->out[i];
  Status s = nodes_reached(roots, kept, NULL, NULL, &list);
  object_free(roots);
  if (s == OK) s = old_before_new(g, &list);
  if (s == OK) s = sort_by_order(&list);
  if (s != OK) { node_list_free(&list); return s; }
  Node **old = g->node;
  int n_old = g->n_nodes;
  take_nodes(g, &list);
  for (int i = 0; i < n_old; i++) node_release(old[i]);
  object_free(old);
  return OK;
}

static Status print_node(const Node *n, int number, Text *out) {
  text_format(out, "%%%d = ", number);
  if (!n->op) text_format(out, "%s", n->value ? "constant" : "variable");
  else text_put(out, n->op->name);
  if (n->n_in > 0) {
    text_put(out, "(");
    for (int i = 0; i < n->n_in; i++) {
      text_format(out, "%s%%%lld", i ? ", " : "", (long long)n->in[i].node->mark);
      if (n->in[i].node->n_out > 1) text_format(out, ".%d", n->in[i].index);
    }
    text_put(out, ")");
  }
  for (int i = 0; n->op && i < n->op->info->n_params; i++) {
    if (!(n->params->given >> i & 1)) continue;
    text_format(out, " %s=", n->op->info->param[i].name);
    TRY(params_print(n->params, i, out));
  }
  for (int i = 0; i < n->n_out; i++) text_format(out, "%s%s", i ? ", " : " -> ", type_text(&n->type[i]));
  if (n->name) text_format(out, "  # %s", n->name);
  if (n->origin) text_format(out, "%s%s", n->name ? " " : "  # ", origin_text(n->origin));
  text_put(out, "\n");
  return OK;
}

Status graph_print(const Graph *g, Text *out) {
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->mark = i;
  for (int i = 0; i < g->n_nodes; i++) TRY(print_node(g->node[i], i, out));
  text_put(out, "return");
  for (int i = 0; i < g->n_out; i++) {
    text_format(out, "%s %%%lld", i ? "," : "", (long long)g->out[i].node->mark);
    if (g->out[i].node->n_out > 1) text_format(out, ".%d", g->out[i].index);
  }
  text_put(out, "\n");
  return text_status(out);
}
