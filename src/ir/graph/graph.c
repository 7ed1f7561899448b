/* graph.c - walks over graphs, and copying and printing them. Types are inferred in infer_types.c.
**
** Invariant: every walk is a loop with its own stack and its own table of nodes.
*/
#include "ir/graph/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/bump.h"
#include "base/memory.h"

Status node_list_add(NodeList *list, Node *n) {
  Node **at = object_widen(list->at, list->n + 1, &list->capacity, sizeof *at);
  if (!at) return no_memory("list of nodes");
  list->at = at;
  list->at[list->n++] = n;
  return OK;
}

void node_list_free(NodeList *list) {
  object_free(list->at);
  map_free(&list->place);
  *list = (NodeList){ 0 };
}

/* `place` points to the node's value in the table while the table has that many `slots`. That number is compared too,
** since a larger table may be at an earlier one's address. */
typedef struct NodeVisit { Node *node; int next_input; int *place; uint32_t slots; } NodeVisit;
typedef struct VisitStack { NodeVisit *at; int n, capacity; } VisitStack;

static Status push(VisitStack *s, Node *n, int *place, uint32_t slots) {
  NodeVisit *at = object_widen(s->at, s->n + 1, &s->capacity, sizeof *at);
  if (!at) return no_memory("graph walk");
  s->at = at;
  s->at[s->n++] = (NodeVisit){ n, 0, place, slots };
  return OK;
}

enum { MET = 1 << 30 };      /* the value of a node that is not listed yet */

static Status meet(NodeList *out, VisitStack *stack, Node *n) {
  int *place;
  bool is_new;
  TRY(map_slot(&out->place, n, &place, &is_new));
  if (!is_new) return OK;
  *place = MET;
  return push(stack, n, place, out->place.slots);
}

/* Depth first, post-order. */
static Status walk(Node *root, VisitStack *stack, EnterNode *enter, void *context, NodeList *out) {
  TRY(meet(out, stack, root));
  while (stack->n > 0) {
    NodeVisit *top = &stack->at[stack->n - 1];
    Node *n = top->node;
    bool inside = top->next_input > 0 || !enter || enter(n, context);
    if (inside && top->next_input < n->n_in) {
      TRY(meet(out, stack, n->in[top->next_input++].node));
      continue;
    }
    if (top->slots == out->place.slots) *top->place = out->n;
    else TRY(map_put(&out->place, n, out->n));
    TRY(node_list_add(out, n));
    stack->n--;
  }
  return OK;
}

Status nodes_reached(const Entry *from, int n, EnterNode *enter, void *context, NodeList *out) {
  VisitStack stack = { 0 };
  Status s = OK;
  for (int i = 0; i < n && s == OK; i++)
    if (from[i].node) s = walk(from[i].node, &stack, enter, context, out);
  object_free(stack.at);
  return s;
}

/* Sequence numbers in one array, since nodes are scattered in memory. */
typedef struct OrderedNode { uint64_t order; int at; } OrderedNode;

static int by_order(const void *x, const void *y) {
  const OrderedNode *a = x, *b = y;
  if (a->order != b->order) return a->order < b->order ? -1 : 1;
  return a->at - b->at;
}

static bool is_sorted(const NodeList *list) {
  for (int i = 1; i < list->n; i++)
    if (list->at[i - 1]->order > list->at[i]->order) return false;
  return true;
}

/* Moves the nodes of the list into g; `place` stays in the list. */
static void take_nodes(Graph *g, NodeList *list) {
  for (int i = 0; i < list->n; i++) node_retain(list->at[i]);
  g->node = list->at;
  g->n_nodes = g->n_forward = list->n;
  list->at = NULL;
  list->n = list->capacity = 0;
}

static Status collect_inputs(Graph *g) {
  int n = 0;
  for (int i = 0; i < g->n_nodes; i++) n += node_is_variable(g->node[i]);
  g->input = object_new((size_t)(n + 1) * sizeof *g->input);
  if (!g->input) return no_memory("graph");
  for (int i = 0; i < g->n_nodes; i++)
    if (node_is_variable(g->node[i])) g->input[g->n_input++] = g->node[i];
  g->n_forward_in = g->n_input;
  return OK;
}

Status graph_new(const Entry *out, int n_out, Graph *g) {
  NodeList list FREED_BY(node_list_free) = { 0 };
  *g = (Graph){ .n_out = n_out, .n_forward_out = n_out };
  TRY(nodes_reached(out, n_out, NULL, NULL, &list));
  take_nodes(g, &list);
  g->out = object_new((size_t)(n_out + 1) * sizeof *g->out);
  for (int i = 0; g->out && i < n_out; i++) g->out[i] = out[i];
  Status s = g->out ? collect_inputs(g) : no_memory("graph");
  if (s != OK) graph_free(g);
  return s;
}

/* Is every input before its users? */
static bool is_computing_order(const NodeList *list) {
  for (int i = 0; i < list->n; i++)
    for (int k = 0; k < list->at[i]->n_in; k++)
      if (node_list_find(list, list->at[i]->in[k].node) >= i) return false;
  return true;
}

/* Reorders the list as in `at`. */
static Status put_in_order(NodeList *list, Node *const *at) {
  for (int i = 0; i < list->n; i++) {
    list->at[i] = at[i];
    TRY(map_put(&list->place, at[i], i));
  }
  return OK;
}

/* Sorts by sequence number; equal ones keep their order. If a variable was replaced by a younger node, that is not an
** execution order: then the nodes keep the order of the walk, and *as_walked is set. */
static Status schedule(NodeList *list, bool *as_walked) {
  *as_walked = false;
  if (is_sorted(list)) return OK;          /* the usual case */
  BUMP(bump, "graph");
  Node **walked = BUMP_ARRAY(&bump, list->n, Node *), **sorted = BUMP_ARRAY(&bump, list->n, Node *);
  OrderedNode *ordered = BUMP_ARRAY(&bump, list->n, OrderedNode);
  TRY(bump.status);
  for (int i = 0; i < list->n; i++) {
    walked[i] = list->at[i];
    ordered[i] = (OrderedNode){ walked[i]->order, i };
  }
  qsort(ordered, (size_t)list->n, sizeof *ordered, by_order);
  for (int i = 0; i < list->n; i++) sorted[i] = walked[ordered[i].at];
  TRY(put_in_order(list, sorted));
  *as_walked = !is_computing_order(list);
  return *as_walked ? put_in_order(list, walked) : OK;
}

static Status check_listed(const Graph *g) {
  Map listed FREED_BY(map_free) = { 0 };
  for (int i = 0; i < g->n_input; i++) TRY(map_put(&listed, g->input[i], i));
  for (int i = 0; i < g->n_nodes; i++)
    if (node_is_variable(g->node[i]) && map_get(&listed, g->node[i]) < 0)
      return fail("graph: inputs: variable '%s' is missing", g->node[i]->name ? g->node[i]->name : "?");
  return OK;
}

static Status allocate_ends(Graph *g) {
  g->out = object_new((size_t)(g->n_out + 1) * sizeof *g->out);
  g->input = object_new((size_t)(g->n_input + 1) * sizeof *g->input);
  return g->out && g->input ? OK : no_memory("graph");
}

/* The graph for graph_with_inputs before it is copied, and the position of each node. */
static Status list_with_inputs(const Entry *out, int n_out, Node *const *input, int n_input, const NodeList *also,
                               Graph *g, NodeList *list, bool *as_walked) {
  int n_also = also ? also->n : 0, n = 0;
  *g = (Graph){ .n_out = n_out, .n_forward_out = n_out, .n_input = n_input, .n_forward_in = n_input };
  BUMP(bump, "graph");
  Entry *roots = BUMP_ARRAY(&bump, n_out + n_input + n_also, Entry);
  TRY(bump.status);
  TRY(allocate_ends(g));
  for (int i = 0; i < n_input; i++) roots[n++] = (Entry){ g->input[i] = input[i], 0 };
  for (int i = 0; i < n_also; i++) roots[n++] = (Entry){ also->at[i], 0 };
  for (int i = 0; i < n_out; i++) roots[n++] = g->out[i] = out[i];
  TRY(nodes_reached(roots, n, NULL, NULL, list));
  TRY(schedule(list, as_walked));
  take_nodes(g, list);
  return check_listed(g);
}

static Status clone(const Graph *g, const Map *place, Graph *out);

Status graph_with_inputs(const Entry *out, int n_out, Node *const *input, int n_input, const NodeList *also, Graph *g) {
  Graph listed FREED_BY(graph_free) = { 0 };
  NodeList list FREED_BY(node_list_free) = { 0 };
  bool as_walked;
  *g = (Graph){ 0 };
  TRY(list_with_inputs(out, n_out, input, n_input, also, &listed, &list, &as_walked));
  TRY(clone(&listed, &list.place, g));
  for (int i = 0; as_walked && i < g->n_nodes; i++)
    g->node[i]->order = order_reserve(node_places(g->node[i]->op, g->node[i]->n_in));
  return OK;
}

void graph_free(Graph *g) {
  for (int i = 0; i < g->n_nodes; i++) node_release(g->node[i]);
  object_free(g->node);
  object_free(g->out);
  object_free(g->input);
  *g = (Graph){ 0 };
}

Status node_copy(const Node *from, const Entry *in, Node **out) {
  Node *n;
  TRY(node_new(from->op, from->params, in, from->n_in, from->n_out, &n));
  memcpy(n->type, from->type, from->n_out * sizeof *n->type);
  n->order = from->order;
  n->origin = from->origin;
  n->caller = from->caller;
  n->of = from->of;
  n->train = from->train;
  n->paused = from->paused;
  n->train_requested = from->train_requested;
  n->record_requested = from->record_requested;
  n->aux = from->aux;
  n->written = from->written;
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

/* The position of a node, from `place` if the graph does not own its nodes. */
static int place_in(const Graph *g, const Map *place, const Node *n) { return g->own ? n->at : map_get(place, n); }

/* Maps each node to its position, if the graph does not own its nodes. */
static Status find_places(const Graph *g, Map *place) {
  for (int i = 0; !g->own && i < g->n_nodes; i++) TRY(map_put(place, g->node[i], i));
  return OK;
}

static Status clone_nodes(const Graph *g, const Map *place, Graph *out) {
  int most = 0;
  for (int i = 0; i < g->n_nodes; i++)
    if (g->node[i]->n_in > most) most = g->node[i]->n_in;
  BUMP(bump, "graph");
  Entry *in = BUMP_ARRAY(&bump, most, Entry);
  TRY(bump.status);
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    for (int k = 0; k < n->n_in; k++) in[k] = (Entry){ out->node[place_in(g, place, n->in[k].node)], n->in[k].index };
    Status s = node_copy(n, in, &out->node[i]);
    if (out->node[i]) out->n_nodes = i + 1;
    TRY(s);
    out->node[i]->at = i;
  }
  for (int i = 0; i < g->n_out; i++)
    out->out[i] = (Entry){ out->node[place_in(g, place, g->out[i].node)], g->out[i].index };
  for (int i = 0; i < g->n_input; i++) out->input[i] = out->node[place_in(g, place, g->input[i])];
  return OK;
}

static Status clone(const Graph *g, const Map *place, Graph *out) {
  *out = (Graph){ .n_forward = g->n_forward,
                  .n_out = g->n_out,
                  .n_forward_out = g->n_forward_out,
                  .n_input = g->n_input,
                  .n_forward_in = g->n_forward_in,
                  .own = true,
                  .remat = g->remat,
                  .device = g->device };
  out->node = object_new((size_t)(g->n_nodes + 1) * sizeof *out->node);
  Status s = out->node ? allocate_ends(out) : no_memory("graph");
  if (s == OK) s = clone_nodes(g, place, out);
  if (s != OK) graph_free(out);
  return s;
}

Status graph_clone(const Graph *g, Graph *out) {
  Map place FREED_BY(map_free) = { 0 };
  *out = (Graph){ 0 };
  TRY(find_places(g, &place));
  return clone(g, &place, out);
}

/* ---- Changing the list ---------------------------------------------------------------------------- */

/* Must it stay in the graph even if no output needs it? */
static bool must_stay(const Node *n) { return node_effects(n) != 0; }

static bool stands_before(Node *const *list, const Node *n, int at) {
  return n->at >= 0 && n->at < at && list[n->at] == n;
}

static Status refuse(const Node *n, const char *what) {
  return fail_as(E_INTERNAL, "graph: node %s: %s", n->name ? n->name : n->op ? n->op->name : "without operator", what);
}

/* Checks that each node comes after its inputs, and that all inputs and outputs of the graph are in the list. Positions
** must have been set. */
static Status check_list(const Graph *g, Node *const *list, int n) {
  for (int i = 0; i < n; i++) {
    if (list[i]->at != i) return refuse(list[i], "it is listed twice");
    for (int k = 0; k < list[i]->n_in; k++)
      if (!stands_before(list, list[i]->in[k].node, i)) return refuse(list[i], "an input does not come before it");
  }
  for (int i = 0; i < g->n_out; i++)
    if (!stands_before(list, g->out[i].node, n)) return refuse(g->out[i].node, "an output that is not in the graph");
  for (int i = 0; i < g->n_input; i++)
    if (!stands_before(list, g->input[i], n)) return refuse(g->input[i], "an input that is not in the graph");
  return OK;
}

static void release_list(Node **list, int n) {
  for (int i = 0; i < n; i++) node_release(list[i]);
  object_free(list);
}

/* Marks the needed nodes of a checked list. */
static void find_needed(const Graph *g, Node *const *list, int n, bool *needed) {
  for (int i = 0; i < g->n_out; i++) needed[g->out[i].node->at] = true;
  for (int i = 0; i < g->n_input; i++) needed[g->input[i]->at] = true;
  for (int i = n - 1; i >= 0; i--) {
    needed[i] = needed[i] || must_stay(list[i]);
    for (int k = 0; needed[i] && k < list[i]->n_in; k++) needed[list[i]->in[k].node->at] = true;
  }
}

Status graph_set_nodes(Graph *g, Node **list, int n, int n_forward) {
  for (int i = 0; i < n; i++) list[i]->at = i;
  bool *needed FREED = object_new((size_t)n + 1);
  Status s = needed ? check_list(g, list, n) : no_memory("graph");
  if (s != OK) {
    for (int i = 0; i < g->n_nodes; i++) g->node[i]->at = i;
    release_list(list, n);
    return s;
  }
  find_needed(g, list, n, needed);
  Node **before = g->node;
  const int n_before = g->n_nodes;
  int kept = 0;
  g->n_forward = 0;
  for (int i = 0; i < n; i++) {
    list[i]->at = -1;
    if (!needed[i]) {
      node_release(list[i]);
      continue;
    }
    list[i]->at = kept;
    g->n_forward += i < n_forward;
    list[kept++] = list[i];
  }
  g->node = list;
  g->n_nodes = kept;
  release_list(before, n_before);
  return OK;
}

Status graph_prune(Graph *g) {
  Node **list = object_new((size_t)(g->n_nodes + 1) * sizeof *list);
  if (!list) return no_memory("graph");
  for (int i = 0; i < g->n_nodes; i++) list[i] = node_retain(g->node[i]);
  return graph_set_nodes(g, list, g->n_nodes, g->n_forward);
}

Status graph_number_inputs(const Graph *g, int **number) {
  int *list = *number = object_new((size_t)(g->n_nodes + 1) * sizeof *list);
  if (!list) return no_memory("graph");
  for (int i = 0; i < g->n_nodes; i++) list[i] = -1;
  for (int i = 0; i < g->n_input; i++) list[g->input[i]->at] = i;
  return OK;
}

Status graph_leads(const Graph *g, ThroughInput *through, uint64_t **leads) {
  uint64_t *list = *leads = object_new((size_t)(g->n_nodes + 1) * sizeof *list);
  if (!list) return no_memory("graph");
  for (int i = 0; i < g->n_out && i < 64; i++) list[g->out[i].node->at] |= 1ull << i;
  for (int i = g->n_nodes - 1; i >= 0; i--) {
    const Node *n = g->node[i];
    for (int k = 0; k < n->n_in; k++)
      if (through(n, k)) list[n->in[k].node->at] |= list[i];
  }
  return OK;
}

/* ---- Printing ------------------------------------------------------------------------------------- */

static Status print_node(const Graph *g, const Node *n, int number, const Map *place, Text *out) {
  text_format(out, "%%%d = ", number);
  if (!n->op) text_format(out, "%s", n->value ? "constant" : "variable");
  else text_put(out, n->op->name);
  if (n->n_in > 0) {
    text_put(out, "(");
    for (int i = 0; i < n->n_in; i++) {
      text_format(out, "%s%%%d", i ? ", " : "", place_in(g, place, n->in[i].node));
      if (n->in[i].node->n_out > 1) text_format(out, ".%d", n->in[i].index);
    }
    text_put(out, ")");
  }
  for (int i = params_next_given(n->params, 0); i >= 0; i = params_next_given(n->params, i + 1)) {
    text_format(out, " %s=", n->op->info->param[i].name);
    TRY(params_print(n->params, i, out));
  }
  for (int i = 0; n->op && n->op->object && i < n->op->info->n_params; i++) {      /* subgraphs, below their node */
    if (param_given(n->params, i) || n->op->info->param[i].kind != P_OBJECT || params_is_default(n->params, i))
      continue;
    text_put(out, " ");
    TRY(params_print(n->params, i, out));
  }
  for (int i = 0; i < n->n_out; i++) text_format(out, "%s%s", i ? ", " : " -> ", type_text(&n->type[i]));
  if (n->name) text_format(out, "  # %s", n->name);
  if (n->origin) text_format(out, "%s%s", n->name ? " " : "  # ", origin_text(n->origin));
  text_put(out, "\n");
  return OK;
}

static Status print_nodes(const Graph *g, const Map *place, Text *out) {
  for (int i = 0; i < g->n_nodes; i++) TRY(print_node(g, g->node[i], i, place, out));
  text_put(out, "return");
  for (int i = 0; i < g->n_out; i++) {
    text_format(out, "%s %%%d", i ? "," : "", place_in(g, place, g->out[i].node));
    if (g->out[i].node->n_out > 1) text_format(out, ".%d", g->out[i].index);
  }
  text_put(out, "\n");
  return text_status(out);
}

Status graph_print(const Graph *g, Text *out) {
  Map place FREED_BY(map_free) = { 0 };
  TRY(find_places(g, &place));
  return print_nodes(g, &place, out);
}
