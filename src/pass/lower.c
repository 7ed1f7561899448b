/* lower.c - decomposes kernels that are not expressions into operators that fuse.
**
** The row decides whether that pays (column `lower`), and must ensure that the bits are the same. The nodes built
** replace the original one. Tests (base/settings/debug_switches.h, `decompose`) force every `lower`, or every
** expansion, which also computes the same operator, and compare the bits.
**
** Invariant: a replaced output is still a separate buffer, as the kernel's output was. So the outputs of the graph stay
** as pass_outputs made them, and no node overwrites an input through them. If a row returns an input or a view, a copy
** is added after it.
**
** Composite operators keep their own kernels in addition to a lowering. Without these kernels softmax.c and
** layer_norm.c would lose only their macros, a quarter of the files. The kernel generator would have to support rows
** with lengths, rows larger than a buffer, and folded columns that are read again.
*/
#include "base/settings/debug_switches.h"
#include "ir/node_builder.h"
#include "ir/graph/graph_edit.h"
#include "pass/pass.h"

static Status put_in(Edit *e, Node *n, const Builder *b, const Entry *out) {
  for (int i = 0; i < b->n_made; i++) {
    b->made[i]->caller = n->caller;
    TRY(edit_insert(e, node_retain(b->made[i]), graph_part(e->g, n->at), n->at));
  }
  for (int k = 0; k < n->n_out; k++)
    if (out[k].node) edit_replace(e, (Entry){ n, k }, out[k]);
  return OK;
}

/* The value whose memory contains this one, *offset bytes into it. */
static Entry root_of(Entry e, size_t *offset) {
  size_t more;
  for (*offset = 0; e.index == 0 && memory_plan_is_alias(e.node, &more); e = e.node->in[0]) *offset += more;
  return e;
}

/* Is output k the only value in memory that was allocated for it, and does it fill that memory? */
static bool is_own(const Builder *b, const Entry *out, int k) {
  size_t offset, other;
  const Entry root = root_of(out[k], &offset);
  bool made = false;
  for (int i = 0; i < b->n_made; i++) made = made || b->made[i] == root.node;
  for (int i = 0; i < k; i++)
    if (out[i].node && entry_equal(root_of(out[i], &other), root)) return false;
  return made && offset == 0 && type_bytes(entry_type(root)) == type_bytes(entry_type(out[k]));
}

static void give_own_memory(Builder *b, Entry *out, int n) {
  for (int k = 0; k < n; k++)
    if (out[k].node && !is_own(b, out, k)) out[k] = build(b, op_with_role(ROLE_COPY), NULL, &out[k], 1);
}

static Status lower_node(Edit *e, Node *n, bool followed) {
  Entry out[MOST_DECOMPOSED] = { 0 };
  Builder b FREED_BY(builder_free) = { .origin = n->origin, .scope = n->scope, .train = n->train };
  if (n->n_out > MOST_DECOMPOSED) return OK;
  if (debug.decompose == DECOMPOSE_EXPANDED) op_expand(&b, n, out);
  else n->op->lower(&(Lowering){ &b, n, out, followed, .forced = debug.decompose == DECOMPOSE_LOWERED });
  if (b.status == OK) give_own_memory(&b, out, n->n_out);
  TRY(b.status);
  bool all = true;                    /* except outputs that no call of the row uses */
  const Query q = query_of_node(n);
  for (int k = 0; k < n->n_out; k++) all = all && (out[k].node || op_unused(&q, k));
  if (all && debug.decompose) debug.n_decomposed++;
  return all ? put_in(e, n, &b, out) : OK;
}

static void find_followed(const Graph *g, bool *followed) {
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    bool elementwise = n->op && op_elementwise(n->op, n->params->fields);
    for (int k = 0; k < n->n_in && elementwise; k++)
      if (n->in[k].index == 0) followed[n->in[k].node->at] = true;
  }
}

static bool can_be_taken_apart(const Op *op) {
  if (!op) return false;
  return debug.decompose == DECOMPOSE_EXPANDED ? op_expands(op) : op->lower != NULL;
}

Status pass_lower(Graph *g) {
  EDIT(e);
  TRY(edit_begin(&e, g));
  bool *followed = BUMP_ARRAY(&e.bump, g->n_nodes, bool);
  TRY(e.bump.status);
  find_followed(g, followed);
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    edit_inputs(&e, n);
    if (can_be_taken_apart(n->op) && !node_effects(n)) TRY(lower_node(&e, n, followed[i]));
  }
  return edit_end(&e);
}
