/* written_memory.c - see written_memory.h. Marks the values written and the bases of views, then all views of these. */
#include "ir/graph/written_memory.h"

static bool any_writes(const Graph *g) {
  for (int i = 0; i < g->n_nodes; i++)
    if (node_effects(g->node[i]) & WRITES) return true;
  return false;
}

static bool may_be_view(Entry e) { return e.node->op && e.node->op->view && e.node->n_in > 0 && e.index == 0; }

static void mark_bases(const Graph *g, bool *written) {
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    for (int k = 0; node_effects(n) & WRITES && k < n->n_in; k++) {
      if (!node_writes(n, k)) continue;
      Entry e = n->in[k];
      written[e.node->at] = true;
      for (; may_be_view(e); written[e.node->at] = true) e = e.node->in[0];
    }
  }
}

Status graph_written(const Graph *g, Bump *bump, bool **written) {
  *written = NULL;
  if (!any_writes(g)) return OK;
  bool *list = *written = BUMP_ARRAY(bump, g->n_nodes, bool);
  TRY(bump->status);
  mark_bases(g, list);
  for (int i = 0; i < g->n_nodes; i++) {
    const Entry e = { g->node[i], 0 };
    if (may_be_view(e) && list[g->node[i]->in[0].node->at]) list[i] = true;
  }
  return OK;
}

bool written_read(const bool *written, const Node *n) {
  for (int k = 0; written && k < n->n_in; k++)
    if (written[n->in[k].node->at]) return true;
  return false;
}
