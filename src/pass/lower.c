/* lower.c - takes kernels that are no expressions apart into operators that fuse.
**
** Whether that pays is the row's to say (column `lower`); that it changes no bit is its
** duty. What is built stands in the place of its node: orders are spread out first, so that
** there is room between neighbours.
*/
#include "base/memory.h"
#include "ir/build.h"
#include "pass/fuse.h"
#include "pass/rewrite.h"

enum { ROOM = 256, MOST_OUTPUTS = 8 };      /* orders between neighbours */

static Status lower_node(Rewrite *r, Node *n, bool followed) {
  Entry out[MOST_OUTPUTS] = { 0 };
  Builder b = { .origin = n->origin, .scope = n->scope, .train = n->train };
  if (n->n_out > MOST_OUTPUTS) return OK;
  n->op->lower(&(Lowering){ &b, n, out, followed });
  Status s = b.status;
  bool all = true;
  for (int k = 0; k < n->n_out; k++) all = all && out[k].node;
  for (int i = 0; i < b.n_made && s == OK; i++) {
    b.made[i]->order = n->order - ROOM + 1 + (uint64_t)(i < ROOM - 2 ? i : ROOM - 2);
    if (all) s = rewrite_hold(r, node_retain(b.made[i]));
  }
  for (int k = 0; k < n->n_out && s == OK && all; k++) rewrite_set(r, (Entry){ n, k }, out[k]);
  builder_free(&b);
  return s;
}

Status lower_graph(Graph *g, int *n_forward) {
  uint64_t border = (uint64_t)(*n_forward + 1) * ROOM;
  bool any = false;
  for (int i = 0; i < g->n_nodes; i++) {
    g->node[i]->order = (uint64_t)(i + 1) * ROOM + (i >= *n_forward ? ROOM : 0);
    any = any || (g->node[i]->op && g->node[i]->op->lower);
  }
  if (!any) return OK;
  Rewrite r;
  bool *followed = object_new((size_t)g->n_nodes + 1);
  if (!followed) return no_memory("graph pass");
  Status s = rewrite_begin(&r, g);
  if (s != OK) { object_free(followed); return s; }
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    bool elementwise = n->op && op_elementwise(n->op, n->params->fields);
    for (int k = 0; k < n->n_in && elementwise; k++) if (n->in[k].index == 0) followed[n->in[k].node->mark] = true;
  }
  for (int i = 0; i < g->n_nodes && s == OK; i++) {
    Node *n = g->node[i];
    rewrite_inputs(&r, n);
    if (n->op && n->op->lower) s = lower_node(&r, n, followed[i]);
  }
  object_free(followed);
  TRY(rewrite_end(&r, s));
  *n_forward = graph_nodes_up_to(g, border);
  return OK;
}
