/* record.c - recording: operators and leaves on the tape (tape.h).
**
** A recorded node keeps its inputs, its values and their versions, from which backward detects later writes in place.
*/
#include "exec/tape/tape.h"

#include "base/memory.h"
#include "exec/tape/inline_call.h"
#include "exec/lazy_port.h"
#include "state/engine.h"
#include "ir/graph/graph.h"

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
  Node *n;
  *out = NULL;
  TRY(lazy_before_record());
  TRY(node_new(op, params, NULL, n_in, n_out, &n));
  n->value = object_new((size_t)n_out * sizeof *n->value);
  n->version = object_new((size_t)(n_in + n_out) * sizeof *n->version);
  Status s = n->value && n->version ? OK : no_memory("tape");
  for (int i = 0; i < n_in && s == OK; i++) s = tape_entry(in[i], &n->in[i]);
  if (s != OK) {
    node_release(n);
    return s;
  }
  const Mode *mode = &engine_now()->mode;
  n->origin = mode->origin;
  n->train = mode->train;
  *out = n;
  return OK;
}

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

/* A variable with the value of `a`, and with a Leaf, which has no gradient yet. */
static Status leaf_new(const Array *a, GradReq req, Node **out) {
  Node *n;
  TRY(node_variable(NULL, &a->t.type, &n));
  n->value = object_new(sizeof *n->value);
  n->leaf = object_new(sizeof *n->leaf);
  if (!n->value || !n->leaf) {
    node_release(n);
    return no_memory("gradient");
  }
  n->value[0] = tensor_share(&a->t);
  n->leaf->req = req;
  *out = n;
  return OK;
}

/* Replaces the array's node; takes the reference to the new one over. */
static void set_node(Array *a, Node *n) {
  node_release(a->node);
  a->node = n;
  a->index = 0;
}

/* Can gradients be added in this dtype and place? */
static bool is_added(DType dtype, KernelPlace place) {
  const Kernel *k = op_with_role(ROLE_SUM)->kernel[place][dtype];
  return k && k->range;
}

Status tape_attach_grad(Array *a, GradReq req) {
  Node *n = NULL;
  if (req != GRAD_NULL) {
    const DType dtype = a->t.type.dtype;
    if (req == GRAD_ADD && dtype_is_float(dtype) && !is_added(dtype, device_place(tensor_device(&a->t))))
      return fail("attach_grad: grad_req: expected 'write' or 'null' for %s, which is not added, got 'add'",
                  dtype_name(dtype));
    TRY(leaf_new(a, req, &n));
    Status s = tensor_zeros(&a->t.type, tensor_device(&a->t), &n->leaf->grad);
    if (s != OK) {
      node_release(n);
      return s;
    }
  }
  set_node(a, n);
  return OK;
}

Status tape_follow(Array *a) {
  Node *n = NULL;
  TRY(leaf_new(a, GRAD_NULL, &n));
  set_node(a, n);
  return OK;
}

void tape_unfollow(Array *a) {
  if (!a->node || !a->node->leaf || a->node->leaf->req != GRAD_NULL) return;
  object_free(a->node->leaf);
  a->node->leaf = NULL;
}

Status tape_has_leaf(const Array *a, bool *has) {
  NodeList list FREED_BY(node_list_free) = { 0 };
  const Entry e = array_entry(a);
  *has = false;
  TRY(nodes_reached(&e, 1, NULL, NULL, &list));
  for (int i = 0; i < list.n; i++) *has = *has || list.at[i]->leaf;
  return OK;
}
