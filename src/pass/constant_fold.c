/* constant_fold.c - constant folding: nodes whose inputs are all constants run now and become constants. They run by
** run_op (ir/run_op.h), with the kernels that would run them later, so the bits are the same, and always on the host.
** Large results are not folded, because a constant occupies memory as long as the executable.
*/
#include "ir/graph/graph_edit.h"
#include "ir/run_op.h"
#include "ir/graph/written_memory.h"
#include "pass/pass.h"

enum { MOST_BYTES = 1 << 16, MOST_OPERANDS = 16 };

static bool foldable(const Node *n) {
  size_t bytes = 0;
  if (!n->op || node_effects(n) || n->op->flags & OP_DYNAMIC) return false;
  if (n->n_in > MOST_OPERANDS || n->n_out > MOST_OPERANDS) return false;
  for (int i = 0; i < n->n_in; i++)
    if (!node_is_constant(n->in[i].node) || !device_is_host(tensor_device(&n->in[i].node->value[0]))) return false;
  for (int i = 0; i < n->n_out; i++) bytes += type_bytes(&n->type[i]);
  return bytes <= MOST_BYTES;
}

static Status put_constant(Edit *e, Node *n, int output, const Tensor *value) {
  Node *constant;
  TRY(node_constant(value, &constant));
  constant->origin = n->origin;
  TRY(edit_insert(e, constant, graph_part(e->g, n->at), n->at));
  edit_replace(e, (Entry){ n, output }, (Entry){ constant, 0 });
  return OK;
}

static Status fold_node(Edit *e, Node *n) {
  const Tensor *in[MOST_OPERANDS];
  Tensor out[MOST_OPERANDS];
  for (int i = 0; i < n->n_in; i++) in[i] = &n->in[i].node->value[0];
  TRY(
    run_op(n->op, n->params, in, n->n_in, DEVICE_HOST, out, n->n_out, (RunMode){ .train = n->train, .told = n->type }));
  Status s = OK;
  for (int i = 0; i < n->n_out; i++) {
    if (s == OK) s = put_constant(e, n, i, &out[i]);
    tensor_release(&out[i]);
  }
  return s;
}

Status pass_constant_fold(Graph *g) {
  EDIT(e);
  bool *written;
  TRY(edit_begin(&e, g));
  TRY(graph_written(g, &e.bump, &written));
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    const bool changes = written && (written[i] || written_read(written, n)); /* memory that is written to is not
                                                                              ** constant */
    edit_inputs(&e, n);
    if (!changes && foldable(n)) TRY(fold_node(&e, n));
  }
  return edit_end(&e);
}
