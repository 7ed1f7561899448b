/* graph_edit.c - see graph_edit.h.
** Places: forward's are 0 to n_forward, before each of its nodes and behind the last; backward's follow,
** before each of its nodes and behind the last.
*/
#include "ir/graph_edit.h"

#include "base/assert.h"
#include "base/memory.h"

static int n_places(const Graph *g) { return g->n_nodes + 2; }

static int place_of(Part part, int before) { return part == PART_FORWARD ? before : before + 1; }

Status edit_begin(Edit *e, Graph *g) {
  int values = 0, places = n_places(g);
  *e = (Edit){ .g = g };
  for (int i = 0; i < g->n_nodes; i++) values += g->node[i]->n_out;
  e->first = object_new((size_t)(g->n_nodes + 1) * sizeof *e->first);
  e->to = object_new((size_t)(values + 1) * sizeof *e->to);
  e->head = object_new((size_t)places * sizeof *e->head);
  e->tail = object_new((size_t)places * sizeof *e->tail);
  if (!e->first || !e->to || !e->head || !e->tail) return edit_end(e, no_memory("graph pass"));
  for (int i = 0, at = 0; i < g->n_nodes; i++) {
    e->first[i] = at;
    for (int k = 0; k < g->node[i]->n_out; k++) e->to[at++] = (Entry){ g->node[i], k };
  }
  for (int i = 0; i < places; i++) e->head[i] = e->tail[i] = -1;
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

static Status make_room(Edit *e) {
  Insertion *wider = object_widen(e->insertion, e->n_insertions + 1, &e->capacity, sizeof *wider);
  if (!wider) return no_memory("graph pass");
  e->insertion = wider;
  return OK;
}

Status edit_insert(Edit *e, Node *made, Part part, int before) {
  Status s = make_room(e);
  if (s != OK) {
    node_release(made);
    return s;
  }
  int place = place_of(part, before), i = e->n_insertions++;
  HL_ASSERT(before >= 0 && place < n_places(e->g));
  e->insertion[i] = (Insertion){ made, -1 };
  if (e->tail[place] >= 0) e->insertion[e->tail[place]].next = i;
  else e->head[place] = i;
  e->tail[place] = i;
  e->changed = true;
  return OK;
}

/* The new list, holding its nodes; the insertions' references go over to it. */
static Status commit(Edit *e) {
  Graph *g = e->g;
  Node **list = object_new((size_t)(g->n_nodes + e->n_insertions + 1) * sizeof *list);
  if (!list) return no_memory("graph pass");
  int n = 0, n_forward = 0;
  for (int place = 0; place < n_places(g); place++) {
    for (int i = e->head[place]; i >= 0; i = e->insertion[i].next) list[n++] = e->insertion[i].node;
    if (place == g->n_forward) n_forward = n;
    int node = place < g->n_forward ? place : place - 1;
    if (place != g->n_forward && node < g->n_nodes) list[n++] = node_retain(g->node[node]);
  }
  HL_ASSERT(n == g->n_nodes + e->n_insertions);
  e->n_insertions = 0;
  return graph_set_nodes(g, list, n, n_forward);
}

Status edit_end(Edit *e, Status s) {
  for (int i = 0; s == OK && i < e->g->n_out; i++) e->g->out[i] = edit_current(e, e->g->out[i]);
  if (s == OK && e->changed) s = commit(e);
  for (int i = 0; i < e->n_insertions; i++) node_release(e->insertion[i].node);
  object_free(e->insertion);
  object_free(e->first);
  object_free(e->to);
  object_free(e->head);
  object_free(e->tail);
  return s;
}
