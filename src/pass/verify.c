/* verify.c - what is true of a graph between passes. A failure here is a mistake of ours. */
#include "pass/pass.h"

static Status broken(const char *after, const Node *n, const char *what) {
  return fail("after pass %s: node %s: %s", after, n->name ? n->name : n->op ? n->op->name : "without operator", what);
}

Status verify_graph(const Graph *g, const char *after) {
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->mark = i;
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    if (n->refs < 1) return broken(after, n, "no one holds it");
    if (i > 0 && n->order < g->node[i - 1]->order) return broken(after, n, "it is out of order");
    for (int k = 0; k < n->n_in; k++) {
      const Node *in = n->in[k].node;
      if (in->mark < 0 || in->mark >= g->n_nodes || g->node[in->mark] != in) return broken(after, n, "an input is not in the graph");
      if (in->op && in->mark >= i) return broken(after, n, "an input comes after it");
      if (n->in[k].index < 0 || n->in[k].index >= in->n_out) return broken(after, n, "an input's index is out of range");
    }
    for (int k = 0; k < n->n_out; k++) if (!type_known(&n->type[k])) return broken(after, n, "an output's type is unknown");
    if (n->op && n->n_in != op_inputs(n->op, n->params) && !n->held) return broken(after, n, "the number of inputs is wrong");
  }
  for (int i = 0; i < g->n_out; i++)
    if (g->out[i].index >= g->out[i].node->n_out) return broken(after, g->out[i].node, "an output's index is out of range");
  return OK;
}
