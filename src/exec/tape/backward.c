/* backward.c - backward over the tape (tape.h): gradients as nodes, their evaluation, and leaving them in leaves.
**
** The part of the tape that the heads reach is listed, with compiled calls inlined if needed
** (exec/tape/reached_tape.c). It is differentiated (pass/differentiate.c), and the nodes that this makes are evaluated.
** Invariant: gradients are left in all leaves or in none, so that a backward that failed can be tried again.
*/
#include "exec/tape/tape.h"

#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "exec/tape/inline_call.h"
#include "exec/tape/reached_tape.h"
#include "exec/tape/freed_tape.h"
#include "exec/lazy_port.h"
#include "state/engine.h"
#include "ir/graph.h"
#include "ir/run_op.h"
#include "pass/differentiate.h"
#include "tensor/cast_copy.h"

/* ---- Evaluation --------------------------------------------------------------------------- */

static bool enter_unvalued(const Node *n, void *context) {
  (void)context;
  return n->value == NULL;
}

static Status evaluate_node(Node *n) {
  const Tensor *few[FEW_ARRAYS], **in = few;
  if (n->freed)
    return fail("autograd.grad: an array (%s%s%s) whose tape was freed by an earlier backward; "
                "pass retain_graph=true to the first",
                n->op->name, n->origin ? " of " : "", origin_text(n->origin));
  if (n->n_in > FEW_ARRAYS && !(in = object_new((size_t)n->n_in * sizeof *in))) return no_memory("evaluation");
  Status s = OK;
  for (int i = 0; i < n->n_in && s == OK; i++) {
    Node *from = n->in[i].node;
    if (from->value) in[i] = &from->value[n->in[i].index];
    else s = fail("%s: input %s has no value", n->op->name, op_input_name(n->op, i));
  }
  Tensor *value = s == OK ? object_new(n->n_out * sizeof *value) : NULL;
  if (s == OK && !value) s = no_memory("evaluation");
  for (int i = 0; i < n->n_in && s == OK; i++)
    if (node_writes(n, i)) s = lazy_before_write(in[i]);
  hook_node = n;
  if (s == OK)
    s = run_op(n->op, n->params, in, n->n_in, run_device(n, in), value, n->n_out,
               (RunMode){ .train = n->train, .told = n->type });
  hook_node = NULL;
  for (int i = 0; i < n->n_in && s == OK; i++)
    if (node_writes(n, i)) tensor_written((Tensor *)in[i], n->origin);
  if (s == OK) n->value = value;
  else object_free(value);
  if (in != few) object_free(in);
  return s;
}

/* The walk's nodes, and how often each is still to be used; wanted ones once more. */
typedef struct NodeUses { NodeList list; int *left; } NodeUses;

static Status count_uses(NodeUses *u, const Entry *want, int n) {
  u->left = object_new((size_t)(u->list.n + 1) * sizeof *u->left);
  if (!u->left) return no_memory("evaluation");
  for (int i = 0; i < u->list.n; i++) {
    Node *node = u->list.at[i];
    if (node->value) u->left[i] = 1 << 30;      /* not ours to free */
    else
      for (int k = 0; k < node->n_in; k++) u->left[map_at(&u->list.place, node->in[k].node)]++;
  }
  for (int i = 0; i < n; i++)
    if (want[i].node) u->left[map_at(&u->list.place, want[i].node)]++;
  return OK;
}

Status tape_evaluate(const Entry *want, int n, bool keep) {
  NodeUses u = { 0 };
  Status s = nodes_reached(want, n, enter_unvalued, NULL, &u.list);
  if (s == OK && !keep) s = count_uses(&u, want, n);
  for (int i = 0; i < u.list.n && s == OK; i++) {
    Node *node = u.list.at[i];
    if (node->value || !node->op) continue;
    s = evaluate_node(node);
    for (int k = 0; k < node->n_in && s == OK && !keep; k++) {
      int from = map_at(&u.list.place, node->in[k].node);
      if (--u.left[from] == 0) node_free_values(u.list.at[from]);
    }
  }
  object_free(u.left);
  node_list_free(&u.list);
  return s;
}

/* ---- Backward ------------------------------------------------------------------------------ */

static Status heads_entries(Array *const *heads, Array *const *head_grads, int n, Builder *b, Entry *head,
                            Entry *grad) {
  for (int i = 0; i < n; i++) {
    Node *node = heads[i]->node;
    if (!node)
      return fail("backward: head: expected an array computed inside autograd.record from arrays with attached "
                  "gradients, got one that is not on the tape");
    head[i] = array_entry(heads[i]);
    grad[i] = NO_ENTRY;
    if (!head_grads || !head_grads[i]) continue;
    if (!type_equal(&head_grads[i]->t.type, &heads[i]->t.type))
      return fail("backward: head_grads: expected %s, got %s", type_text(&heads[i]->t.type),
                  type_text(&head_grads[i]->t.type));
    if (tensor_device(&head_grads[i]->t) != tensor_device(&heads[i]->t))
      return fail("backward: head_grads: expected an array on %s, where its head is, got one on %s; write it as "
                  "head_grad:as_in_context(head.context)",
                  device_text(tensor_device(&heads[i]->t)), device_text(tensor_device(&head_grads[i]->t)));
    grad[i] = head_grads[i]->node ? array_entry(head_grads[i]) : build_constant(b, &head_grads[i]->t);
  }
  return b->status;
}

/* Does nothing else hold this memory, and is it no larger than the tensor? */
static bool sole_holder(const Tensor *t) {
  return t->storage && atomic_load(&t->storage->refs) == 1 && t->storage->bytes == storage_bytes(&t->type);
}

/* Adds b to a, elements [first, last). */
typedef struct Adding { ElementLoop *loop; char *a; const char *b; size_t size; } Adding;

static void add_piece(void *context, int64_t first, int64_t last) {
  static const double no_scalars[MAX_SCALARS];
  const Adding *x = context;
  char *a = x->a + (size_t)first * x->size;
  const void *slots[N_SLOTS] = { a, a, x->b + (size_t)first * x->size, a, a };
  x->loop(last - first, slots, a, no_scalars);
}

/* Leaves a gradient in its leaf; NULL: zeros, because the heads depend on the leaf only through operators without one.
** With `take` the leaf takes over its memory, if no code could notice: the script does not hold the old memory, and
** nothing else holds the new. Cannot fail, nor be interrupted: backward is done with all leaves or with none, so that
** it can be tried again. */
static void commit(Node *leaf_node, const Tensor *grad, bool take) {
  static _Atomic uint64_t commits;
  Leaf *leaf = leaf_node->leaf;
  leaf->fresh = ++commits;
  if (!grad && leaf->req == GRAD_ADD) return;
  if (!grad) {
    clear_block(leaf->grad.data, tensor_bytes(&leaf->grad));
  } else if (leaf->req == GRAD_WRITE && take && sole_holder(grad) && sole_holder(&leaf->grad)) {
    tensor_release(&leaf->grad);
    leaf->grad = tensor_share(grad);
  } else if (leaf->req == GRAD_WRITE) {
    copy_block(grad->data, leaf->grad.data, tensor_bytes(grad));
  } else {
    DType dtype = grad->type.dtype;
    ElementLoop *sum = op_with_role(ROLE_SUM)->elementwise->loop[dtype];
    parallel_for(tensor_size(grad), 1 << 15, add_piece,
                 &(Adding){ sum, leaf->grad.data, grad->data, dtype_size(dtype) });
  }
  tensor_written(&leaf->grad, engine_now()->mode.origin);
}

static void free_tape(const Reached *reached) {
  const NodeList *list = &reached->nodes;
  freed_tape_backward(engine_now()->mode.origin);
  for (int i = 0; i < list->n; i++) node_retain(list->at[i]);
  for (int i = 0; i < list->n; i++) {
    if (recorded_call_of(list->at[i])) inline_free_tape(list->at[i], reached->used[i]);
    else if (list->at[i]->op) node_free_history(list->at[i]);
  }
  for (int i = 0; i < list->n; i++) node_release(list->at[i]);
}

/* The leaves with a gradient among the nodes reached. */
static Status find_leaves(const NodeList *reached, Entry **out, int *n) {
  *out = object_new((size_t)(reached->n + 1) * 2 * sizeof **out);
  *n = 0;
  if (!*out) return no_memory("backward");
  for (int i = 0; i < reached->n; i++) {
    Node *node = reached->at[i];
    if (node->leaf && node->leaf->req != GRAD_NULL) (*out)[(*n)++] = (Entry){ node, 0 };
  }
  return OK;
}

static Status backward_over(const Reached *reached, Builder *b, const Entry *head, const Entry *grad, int n,
                            BackwardOptions options) {
  Entry *leaves = NULL;
  int n_leaves;
  Status s = find_leaves(&reached->nodes, &leaves, &n_leaves);
  Differentiation d = {
    .head = head, .head_grad = grad, .n_heads = n, .wrt = leaves, .n_wrt = n_leaves, .grad = leaves + n_leaves
  };
  if (s == OK && n_leaves == 0)
    s = fail("backward: head: expected an array that depends on arrays with attached gradients, got one that does not");
  uint64_t begun = order_next();           /* nodes made from here on are the builder's, and are freed with it */
  if (s == OK) s = differentiate(b, &d);
  if (s == OK) s = tape_evaluate(d.grad, n_leaves, options.create_graph);
  for (int i = 0; i < n_leaves && s == OK; i++) s = lazy_before_write(&leaves[i].node->leaf->grad);
  if (s == OK && interrupted()) s = interrupt_status();
  for (int i = 0; i < n_leaves && s == OK; i++) {
    const Node *from = d.grad[i].node;
    commit(leaves[i].node, from ? &from->value[d.grad[i].index] : NULL,
           from && from->order > begun && !options.create_graph);
  }
  object_free(leaves);
  return s;
}

Status tape_backward(Array *const *heads, Array *const *head_grads, int n, BackwardOptions options) {
  TRY(lazy_before_record());
  Builder b = { .origin = engine_now()->mode.origin, .again = options.create_graph };
  Reached reached = { 0 };
  Entry *entries = object_new((size_t)n * 2 * sizeof *entries);
  Status s = entries ? heads_entries(heads, head_grads, n, &b, entries, entries + n) : no_memory("backward");
  if (s == OK) s = reached_find(entries, n, options.create_graph, &reached);
  if (s == OK) s = backward_over(&reached, &b, entries, entries + n, n, options);
  if (s == OK) freed_tape_warn(&reached.nodes);
  if (s == OK && !options.retain && !options.create_graph) free_tape(&reached);
  builder_free(&b);
  reached_free(&reached);
  object_free(entries);
  return s;
}

static Status grad_over(Builder *b, const Entry *head, const Entry *head_grad, int n, Array *const *variables,
                        int n_variables, BackwardOptions options, Array *out) {
  Entry *wrt = object_new((size_t)n_variables * 2 * sizeof *wrt);
  if (!wrt) return no_memory("autograd.grad");
  Status s = OK;
  for (int i = 0; i < n_variables && s == OK; i++) {
    wrt[i] = inline_value(array_entry(variables[i]));
    if (!wrt[i].node)
      s = fail("autograd.grad: variables[%d]: expected an array with an attached gradient, or computed from one", i);
  }
  Differentiation d = {
    .head = head, .head_grad = head_grad, .n_heads = n, .wrt = wrt, .n_wrt = n_variables, .grad = wrt + n_variables
  };
  if (s == OK) s = differentiate(b, &d);
  for (int i = 0; i < n_variables && s == OK; i++) {
    if (!d.grad[i].node) d.grad[i] = build_zeros_like(b, wrt[i]);
    s = b->status;
  }
  if (s == OK) s = tape_evaluate(d.grad, n_variables, options.create_graph);
  for (int i = 0; i < n_variables && s == OK; i++) {
    Entry g = d.grad[i];
    out[i] = (Array){ .t = tensor_share(&g.node->value[g.index]) };
    if (options.create_graph) {
      out[i].node = node_retain(g.node);
      out[i].index = g.index;
    }
  }
  object_free(wrt);
  return s;
}

Status tape_grad(Array *const *heads, Array *const *head_grads, int n, Array *const *variables, int n_variables,
                 BackwardOptions options, Array *out) {
  TRY(lazy_before_record());
  Builder b = { .origin = engine_now()->mode.origin, .again = options.create_graph };
  Reached reached = { 0 };
  Entry *entries = object_new((size_t)n * 2 * sizeof *entries);
  Status s = entries ? heads_entries(heads, head_grads, n, &b, entries, entries + n) : no_memory("autograd.grad");
  if (s == OK) s = reached_find(entries, n, options.create_graph, &reached);
  if (s == OK) s = grad_over(&b, entries, entries + n, n, variables, n_variables, options, out);
  if (s == OK) freed_tape_warn(&reached.nodes);
  if (s == OK && !options.retain && !options.create_graph) free_tape(&reached);
  builder_free(&b);
  reached_free(&reached);
  object_free(entries);
  return s;
}
