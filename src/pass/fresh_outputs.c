/* fresh_outputs.c - puts a copy behind each output of a graph that could not be a fresh buffer of its own: an
** input, a constant, part of another value, the same value again.
*/
#include "ir/node_builder.h"
#include "ir/graph_edit.h"
#include "pass/pass.h"

/* A value computed by an operator, whole, in memory that no other output is. */
static bool can_be_fresh(const Graph *g, int i) {
  Entry e = g->out[i];
  if (!e.node->op) return false;
  if (entry_find(g->out, i, e) < i) return false;
  size_t offset;
  return e.index > 0 || !memory_plan_is_alias(e.node, &offset);
}

/* Behind all that its part computes. */
static Status copy_output(Edit *e, const Op *copy, int i) {
  Graph *g = e->g;
  Builder b = { .origin = g->out[i].node->origin };
  Entry made = build(&b, copy, NULL, &g->out[i], 1);
  Status s = b.status;
  if (s == OK)
    s = edit_insert(e, node_retain(made.node), i < g->n_forward_out ? PART_FORWARD : PART_BACKWARD,
                    i < g->n_forward_out ? g->n_forward : g->n_nodes);
  if (s == OK) g->out[i] = made;
  builder_free(&b);
  return s;
}

Status pass_outputs(Graph *g) {
  const Op *copy = op_with_role(ROLE_COPY);
  Edit e;
  TRY(edit_begin(&e, g));
  Status s = OK;
  for (int i = 0; i < g->n_out && s == OK; i++)
    if (!can_be_fresh(g, i)) s = copy_output(&e, copy, i);
  return edit_end(&e, s);
}
