/* graph_edit.c - see graph_edit.h.
**
** Places 0 to n_forward are before each node of forward and after its last one; the others are the same for backward.
*/
#include "ir/graph/graph_edit.h"

#include "base/assert.h"
#include "base/memory.h"

static int place_of(Part part, int before) { return part == PART_FORWARD ? before : before + 1; }

Status edit_begin(Edit *e, Graph *g) {
  int values = 0;
  *e = (Edit){ .g = g, .bump.purpose = "graph pass", .n_places = g->n_nodes + 2 };
  for (int i = 0; i < g->n_nodes; i++) values += g->node[i]->n_out;
  e->first = BUMP_ARRAY(&e->bump, g->n_nodes, int);
  e->to = BUMP_ARRAY(&e->bump, values, Entry);
  e->head = BUMP_ARRAY(&e->bump, e->n_places, Insertion *);
  e->tail = BUMP_ARRAY(&e->bump, e->n_places, Insertion *);
  TRY(e->bump.status);
  for (int i = 0, at = 0; i < g->n_nodes; i++) {
    e->first[i] = at;
    for (int k = 0; k < g->node[i]->n_out; k++) e->to[at++] = (Entry){ g->node[i], k };
  }
  return OK;
}

static bool is_listed(const Graph *g, const Node *n) { return n->at >= 0 && n->at < g->n_nodes && g->node[n->at] == n; }

Entry edit_current(const Edit *e, Entry value) {
  return is_listed(e->g, value.node) ? e->to[e->first[value.node->at] + value.index] : value;
}

void edit_inputs(Edit *e, Node *n) {
  for (int i = 0; i < n->n_in; i++) {
    Entry to = edit_current(e, n->in[i]);
    if (!entry_equal(to, n->in[i])) node_set_input(n, i, to);
  }
}

void edit_replace(Edit *e, Entry value, Entry by) {
  HL_ASSERT(is_listed(e->g, value.node) && value.index < value.node->n_out);
  e->to[e->first[value.node->at] + value.index] = by;
  e->changed = true;
}

Status edit_insert(Edit *e, Node *made, Part part, int before) {
  const int place = place_of(part, before);
  HL_ASSERT(before >= 0 && place < e->n_places);
  Insertion *i = bump_new(&e->bump, sizeof *i);
  if (!i) {
    node_release(made);
    return e->bump.status;
  }
  i->node = made;
  *(e->tail[place] ? &e->tail[place]->next : &e->head[place]) = i;
  e->tail[place] = i;
  e->n_insertions++;
  e->changed = true;
  return OK;
}

/* Makes the new list and moves the references of inserted nodes to it. */
static Status commit(Edit *e) {
  Graph *g = e->g;
  Node **list = object_new((size_t)(g->n_nodes + e->n_insertions + 1) * sizeof *list);
  if (!list) return no_memory("graph pass");
  int n = 0, n_forward = 0;
  for (int place = 0; place < e->n_places; place++) {
    for (Insertion *i = e->head[place]; i; i = i->next) list[n++] = i->node;
    e->head[place] = NULL;
    if (place == g->n_forward) n_forward = n;
    int node = place < g->n_forward ? place : place - 1;
    if (place != g->n_forward && node < g->n_nodes) list[n++] = node_retain(g->node[node]);
  }
  HL_ASSERT(n == g->n_nodes + e->n_insertions);
  return graph_set_nodes(g, list, n, n_forward);
}

Status edit_end(Edit *e) {
  for (int i = 0; i < e->g->n_out; i++) e->g->out[i] = edit_current(e, e->g->out[i]);
  return e->changed ? commit(e) : OK;
}

void edit_free(Edit *e) {
  for (int place = 0; e->tail && place < e->n_places; place++)
    for (Insertion *i = e->head[place]; i; i = i->next) node_release(i->node);
  bump_free(&e->bump);
}
