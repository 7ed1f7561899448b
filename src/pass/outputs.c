/* outputs.c - makes every output of a graph a value that can be a fresh buffer. */
#include "ir/build.h"
#include "pass/plan.h"

/* A value computed by an operator, whole, in memory that no other output is. */
static bool can_be_fresh(const Graph *g, int i) {
  Entry e = g->out[i];
  if (!e.node->op) return false;
  for (int k = 0; k < i; k++) if (entry_equal(g->out[k], e)) return false;
  size_t offset;
  return e.index > 0 || !plan_is_alias(e.node, &offset);
}

Status pass_outputs(Graph *g, int first, int last, uint64_t order) {
  const Op *copy = op_with_role(ROLE_COPY);
  Builder b = { 0 };
  for (int i = first; i < last && b.status == OK; i++) {
    if (can_be_fresh(g, i)) continue;
    b.origin = g->out[i].node->origin;
    Entry e = build(&b, copy, NULL, &g->out[i], 1);
    if (!e.node) break;
    e.node->order = order;
    g->out[i] = e;
  }
  Status s = b.status == OK && b.n_made > 0 ? graph_refresh(g) : b.status;
  builder_free(&b);
  return s;
}
