/* compute_order.c - chooses the execution order that needs the least memory.
**
** Script order is often poor for backward. The terms of a weight's gradient are computed from the last use to the
** first, and summed in the reverse order, so all are in memory at the same time. In depth-first order from the outputs,
** as in eager code, each term is computed just before its sum needs it. Both orders are planned for each part of the
** graph, and the smaller plan wins.
**
** The order changes no bit, since a node's result depends on its inputs alone. A part with effects (draws, writes)
** keeps its order.
**
** Fused kernels limit the number of values that wait for them for the same reason (find_fusions.c).
** spec/memory/peak_spec.lua compares the peak memory of compiled training steps with that of eager ones.
*/
#include <string.h>

#include "pass/pass.h"

enum { MOST_NODES = 20000 };

typedef struct OrderWalk {
  const Graph *g;
  int first, last;       /* range of positions of the part */
  Node **list;           /* the order found so far */
  int n;
  bool *met;             /* by position */
  int *stack, *next;     /* positions being visited; by position: the next input to visit */
} OrderWalk;

static bool in_part(const OrderWalk *w, const Node *n) { return n->at >= w->first && n->at < w->last; }

/* Lists a node after the nodes of its part that it needs. */
static void visit(OrderWalk *w, int from) {
  int top = 0;
  if (w->met[from]) return;
  w->met[w->stack[top++] = from] = true;
  while (top > 0) {
    int at = w->stack[top - 1];
    Node *n = w->g->node[at];
    if (w->next[at] == n->n_in) {
      w->list[w->n++] = n;
      top--;
      continue;
    }
    Node *in = n->in[w->next[at]++].node;
    if (in_part(w, in) && !w->met[in->at]) w->met[w->stack[top++] = in->at] = true;
  }
}

static void walk_depth_first(OrderWalk *w, Part part) {
  const Graph *g = w->g;
  int from = part == PART_FORWARD ? 0 : g->n_forward_out, to = part == PART_FORWARD ? g->n_forward_out : g->n_out;
  /* inputs and constants need no memory here */
  for (int i = w->first; i < w->last; i++)
    if (!g->node[i]->op) visit(w, i);
  for (int i = from; i < to; i++)
    if (in_part(w, g->out[i].node)) visit(w, g->out[i].node->at);
  for (int i = w->first; i < w->last; i++) visit(w, i);
}

static bool has_effects(const Graph *g, int first, int last) {
  for (int i = first; i < last; i++)
    if (node_effects(g->node[i])) return true;
  return false;
}

static void put_nodes(const Graph *g, int first, Node *const *list, int n) {
  for (int i = 0; i < n; i++) {
    g->node[first + i] = list[i];
    list[i]->at = first + i;
  }
}

/* Does the order of the operators differ from `before`? Inputs and constants need no memory here. */
static bool computes_otherwise(Node *const *list, Node *const *before, int n) {
  for (int i = 0, k = 0; i < n; i++) {
    if (!list[i]->op) continue;
    while (!before[k]->op) k++;
    if (list[i] != before[k++]) return true;
  }
  return false;
}

/* Takes the order in w->list and its plan if that saves at least a sixteenth. `before` has the capacity for the old
** order. */
static Status choose(const OrderWalk *w, Node **before, int n, MemoryPlan *plan) {
  MemoryPlan other FREED_BY(memory_plan_free) = { 0 };
  memcpy(before, w->g->node + w->first, (size_t)n * sizeof *before);
  if (!computes_otherwise(w->list, before, n)) return OK;
  put_nodes(w->g, w->first, w->list, n);
  Status s = memory_plan_make(w->g, &other);
  if (s == OK && memory_plan_bytes(&other) <= memory_plan_bytes(plan) - memory_plan_bytes(plan) / 16) {
    const MemoryPlan larger = *plan;
    *plan = other;
    other = larger;
    return OK;
  }
  put_nodes(w->g, w->first, before, n);
  return s;
}

static Status order_part(const Graph *g, Part part, MemoryPlan *plan) {
  int first = part == PART_FORWARD ? 0 : g->n_forward, last = part == PART_FORWARD ? g->n_forward : g->n_nodes;
  int n = last - first;
  if (n < 2 || has_effects(g, first, last)) return OK;
  BUMP(bump, "graph pass");
  OrderWalk w = { .g = g,
                  .first = first,
                  .last = last,
                  .list = BUMP_ARRAY(&bump, n, Node *),
                  .stack = BUMP_ARRAY(&bump, g->n_nodes, int),
                  .next = BUMP_ARRAY(&bump, g->n_nodes, int),
                  .met = BUMP_ARRAY(&bump, g->n_nodes, bool) };
  Node **before = BUMP_ARRAY(&bump, n, Node *);
  TRY(bump.status);
  walk_depth_first(&w, part);
  return choose(&w, before, n, plan);
}

Status pass_order(const Graph *g, MemoryPlan *plan) {
  TRY(memory_plan_make(g, plan));
  if (g->n_nodes > MOST_NODES) return OK;
  TRY(order_part(g, PART_FORWARD, plan));
  return order_part(g, PART_BACKWARD, plan);
}
