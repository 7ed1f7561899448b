/* cse.c - common subexpression elimination: the first of several pure nodes with the same operator, parameters, mode
** and inputs replaces the others. It runs after differentiation, since g*d + g*d differs from 2 g d in floating point.
*/
#include "ir/graph/graph_edit.h"
#include "ir/graph/written_memory.h"
#include "pass/pass.h"

static uint64_t hash_node(const Node *n) {
  uint64_t h = (uint64_t)(uintptr_t)n->op ^ params_hash(n->params) * 0x9E3779B97F4A7C15u ^ n->train;
  for (int i = 0; i < n->n_in; i++) {
    h = (h ^ (uint64_t)(uintptr_t)n->in[i].node) * 0xBF58476D1CE4E5B9u;
    h = (h ^ (uint64_t)n->in[i].index) * 0x94D049BB133111EBu;
  }
  return h ^ h >> 31;
}

static bool same(const Node *a, const Node *b) {
  if (a->op != b->op || a->n_in != b->n_in || a->n_out != b->n_out || a->train != b->train) return false;
  for (int i = 0; i < a->n_in; i++)
    if (!entry_equal(a->in[i], b->in[i])) return false;
  for (int i = 0; i < a->n_out; i++)
    if (!type_equal(&a->type[i], &b->type[i])) return false;
  return params_equal(a->params, b->params);
}

/* Does the value depend on when it is computed, or on aliasing? In a graph that writes, that includes users of
** variables, since two variables may be the same array. */
static bool has_its_time(const bool *written, const Node *n) {
  if (!written) return false;
  for (int i = 0; i < n->n_in; i++)
    if (node_is_variable(n->in[i].node)) return true;
  return written[n->at] || written_read(written, n);
}

Status pass_cse(Graph *g) {
  EDIT(e);
  uint32_t slots = 64;
  bool *written;
  while (slots < 2 * (uint32_t)g->n_nodes) slots *= 2;
  TRY(edit_begin(&e, g));
  TRY(graph_written(g, &e.bump, &written));
  Node **table = BUMP_ARRAY(&e.bump, slots, Node *);
  TRY(e.bump.status);
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    edit_inputs(&e, n);
    if (!n->op || node_effects(n) || has_its_time(written, n)) continue;
    uint32_t at = (uint32_t)hash_node(n) & (slots - 1);
    while (table[at] && !same(table[at], n)) at = (at + 1) & (slots - 1);
    if (!table[at]) {
      table[at] = n;
      continue;
    }
    for (int k = 0; k < n->n_out; k++) edit_replace(&e, (Entry){ n, k }, (Entry){ table[at], k });
  }
  return edit_end(&e);
}
