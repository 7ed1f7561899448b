/* taped_values.c - see taped_values.h. */
#include "exec/program/taped_values.h"

#include "ir/graph/subgraph.h"

bool taped_values_through(const Node *n, int input) { return !n->paused && control_carries(n, input); }

void taped_values_find(const Graph *g, const bool *wanted, int n_in, bool *on) {
  for (int i = 0; i < n_in; i++) on[g->input[i]->at] = wanted[i];
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    for (int k = 0; k < n->n_in; k++) on[i] = on[i] || (on[n->in[k].node->at] && taped_values_through(n, k));
  }
}
