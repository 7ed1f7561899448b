/* record.c - recording: operators and leaves on the tape (tape.h).
**
** A recorded node keeps its inputs, its values and the versions that all of these had, by which backward notices what
** was written in place since. Going back over the tape is in backward.c.
*/
#include "exec/tape/tape.h"

#include "base/memory.h"
#include "exec/tape/inline_call.h"
#include "exec/lazy_port.h"
#include "state/engine.h"
#include "ir/graph.h"

Status tape_entry(Array *a, Entry *out) {
  if (tape_holds(a)) {
    *out = inline_value(array_entry(a));
    node_retain(out->node);
    return OK;
  }
  out->index = 0;
  return node_constant(&a->t, &out->node);
}

Status tape_prepare(const Op *op, Params *params, Array *const *in, int n_in, int n_out, Node **out) {
  Entry few[FEW_ARRAYS] = { { 0 } }, *entries = few;
  Node *n = NULL;
  *out = NULL;
  TRY(lazy_before_record());
  if (n_in > FEW_ARRAYS && !(entries = object_new((size_t)n_in * sizeof *entries))) return no_memory("tape");
  Status s = OK;
  int held = 0;
  for (; held < n_in && s == OK; held++) s = tape_entry(in[held], &entries[held]);
  if (s != OK) held--;
  if (s == OK) s = node_new(op, params, entries, n_in, n_out, &n);
  for (int i = 0; i < held; i++) node_release(entries[i].node);
  if (entries != few) object_free(entries);
  if (s != OK) return s;
  n->value = object_new(n->n_out * sizeof *n->value);
  n->version = object_new((size_t)(n->n_in + n->n_out) * sizeof *n->version);
  if (!n->value || !n->version) {
    node_release(n);
    return no_memory("tape");
  }
  const Mode *mode = &engine_now()->mode;
  n->origin = mode->origin;
  n->train = mode->train;
  *out = n;
  return OK;
}

/* Keeps what backward may need: the values, and the versions of everything that was used. */
void tape_record(Node *n, Array *const *in, Array *out) {
  for (int i = 0; i < n->n_in; i++) n->version[i] = tensor_version(&in[i]->t);
  for (int i = 0; i < n->n_out; i++) {
    n->value[i] = tensor_share(&out[i].t);
    n->type[i] = out[i].t.type;
    n->version[n->n_in + i] = tensor_version(&out[i].t);
    out[i].node = node_retain(n);
    out[i].index = i;
  }
  node_release(n);
}

Status tape_attach_grad(Array *a, GradReq req) {
  Node *n = NULL;
  if (req != GRAD_NULL) {
    const DType dtype = a->t.type.dtype;
    if (req == GRAD_ADD && dtype_is_float(dtype) && !op_with_role(ROLE_SUM)->elementwise->loop[dtype])
      return fail("attach_grad: grad_req: expected 'write' or 'null' for %s, which is not added, got 'add'",
                  dtype_name(dtype));
    TRY(node_variable(NULL, &a->t.type, &n));
    n->value = object_new(sizeof *n->value);
    n->leaf = object_new(sizeof *n->leaf);
    Status s = n->value && n->leaf ? tensor_zeros(&a->t.type, tensor_device(&a->t), &n->leaf->grad)
                                   : no_memory("gradient");
    if (s != OK) {
      node_release(n);
      return s;
    }
    n->value[0] = tensor_share(&a->t);
    n->leaf->req = req;
  }
  node_release(a->node);
  a->node = n;
  a->index = 0;
  return OK;
}

Status tape_follow(Array *a) {
  Node *n;
  TRY(node_variable(NULL, &a->t.type, &n));
  n->value = object_new(sizeof *n->value);
  n->leaf = object_new(sizeof *n->leaf);           /* GRAD_NULL */
  if (!n->value || !n->leaf) {
    node_release(n);
    return no_memory("tape");
  }
  n->value[0] = tensor_share(&a->t);
  node_release(a->node);
  a->node = n;
  a->index = 0;
  return OK;
}

void tape_unfollow(Array *a) {
  if (!a->node || !a->node->leaf || a->node->leaf->req != GRAD_NULL) return;
  object_free(a->node->leaf);
  a->node->leaf = NULL;
}

static bool enter_all(const Node *n, void *context) {
  (void)n, (void)context;
  return true;
}

Status tape_has_leaf(const Array *a, bool *has) {
  NodeList list = { 0 };
  Entry e = array_entry(a);
  *has = false;
  Status s = e.node ? nodes_reached(&e, 1, enter_all, NULL, &list) : OK;
  for (int i = 0; i < list.n; i++) *has = *has || list.at[i]->leaf;
  node_list_free(&list);
  return s;
}
