/* fresh_outputs.c - adds a copy after each output of a graph that could not be a fresh buffer: an input, a constant,
** part of another value, or the same value again.
*/
#include "ir/node_builder.h"
#include "ir/graph/graph_edit.h"
#include "pass/pass.h"

/* Is it a whole value computed by an operator, and different from the outputs before it? */
static bool can_be_fresh(const Graph *g, int i) {
  Entry e = g->out[i];
  if (!e.node->op) return false;
  if (entry_find(g->out, i, e) < i) return false;
  size_t offset;
  return e.index > 0 || !memory_plan_is_alias(e.node, &offset);
}

/* Adds the copy at the end of its part. */
static Status copy_output(Edit *e, const Op *copy, int i) {
  Graph *g = e->g;
  const bool forward = i < g->n_forward_out;
  Builder b FREED_BY(builder_free) = { .origin = g->out[i].node->origin };
  Entry made = build(&b, copy, NULL, &g->out[i], 1);
  TRY(b.status);
  TRY(edit_insert(e, node_retain(made.node), forward ? PART_FORWARD : PART_BACKWARD,
                  forward ? g->n_forward : g->n_nodes));
  g->out[i] = made;
  return OK;
}

Status pass_outputs(Graph *g) {
  const Op *copy = op_with_role(ROLE_COPY);
  EDIT(e);
  TRY(edit_begin(&e, g));
  for (int i = 0; i < g->n_out; i++)
    if (!can_be_fresh(g, i)) TRY(copy_output(&e, copy, i));
  return edit_end(&e);
}
