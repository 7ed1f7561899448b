/* rewrite.c - see rewrite.h. Invariant: Node.mark is the node's position in g->node from
** begin to end; no other walk may run in between. */
#include "pass/rewrite.h"

#include "base/memory.h"

Status rewrite_begin(Rewrite *r, Graph *g) {
  int values = 0;
  *r = (Rewrite){ .g = g };
  for (int i = 0; i < g->n_nodes; i++) values += g->node[i]->n_out;
  r->first = object_new((size_t)(g->n_nodes + 1) * sizeof *r->first);
  r->to = object_new((size_t)(values + 1) * sizeof *r->to);
  if (!r->first || !r->to) return rewrite_end(r, no_memory("graph pass"));
  for (int i = 0, at = 0; i < g->n_nodes; i++) {
    g->node[i]->mark = i;
    r->first[i] = at;
    for (int k = 0; k < g->node[i]->n_out; k++) r->to[at++] = (Entry){ g->node[i], k };
  }
  return OK;
}

static Entry *slot(Rewrite *r, Entry e) { return &r->to[r->first[e.node->mark] + e.index]; }

void rewrite_inputs(Rewrite *r, Node *n) {
  for (int i = 0; i < n->n_in; i++) {
    Entry to = *slot(r, n->in[i]);
    if (entry_equal(to, n->in[i])) continue;
    node_retain(to.node);
    node_release(n->in[i].node);
    n->in[i] = to;
  }
}

void rewrite_set(Rewrite *r, Entry value, Entry by) {
  *slot(r, value) = by;
  r->changed = true;
}

Status rewrite_hold(Rewrite *r, Node *made) {
  Status s = node_list_add(&r->made, made);
  if (s != OK) node_release(made);
  return s;
}

Status rewrite_end(Rewrite *r, Status s) {
  Graph *g = r->g;
  for (int i = 0; s == OK && i < g->n_out; i++) g->out[i] = *slot(r, g->out[i]);
  if (s == OK && r->changed) s = graph_refresh(g);
  for (int i = 0; i < r->made.n; i++) node_release(r->made.at[i]);
  node_list_free(&r->made);
  object_free(r->first);
  object_free(r->to);
  return s;
}
