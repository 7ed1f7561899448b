/* backward.c - backward over the tape (tape.h).
**
** Backward lists the part of the tape that the heads reach, with compiled calls inlined if needed
** (exec/tape/reached_tape.c), differentiates it (pass/differentiate.c) and evaluates the new nodes.
** Invariant: either all leaves get their gradients or none, so a failed backward can be repeated.
*/
#include "exec/tape/tape.h"

#include "base/bump.h"
#include "base/memory.h"
#include "exec/program/leaf_gradient.h"
#include "exec/tape/inline_call.h"
#include "exec/tape/reached_tape.h"
#include "exec/tape/freed_tape.h"
#include "exec/lazy_port.h"
#include "state/engine.h"
#include "ir/graph/graph.h"
#include "ir/run_op.h"
#include "pass/differentiate.h"

/* ---- Evaluation --------------------------------------------------------------------------- */

static bool enter_unvalued(const Node *n, void *context) {
  (void)context;
  return n->value == NULL;
}

/* `in`: room for pointers to the inputs. */
static Status evaluate_node(Node *n, const Tensor **in) {
  if (n->freed)
    return fail("autograd.grad: an array (%s%s%s) whose tape was freed by an earlier backward; "
                "pass retain_graph=true to that one",
                n->op->name, n->origin ? " of " : "", origin_text(n->origin));
  for (int i = 0; i < n->n_in; i++) {
    const Entry from = n->in[i];
    if (!from.node->value) return fail("%s: input %s has no value", n->op->name, op_input_name(n->op, i));
    in[i] = &from.node->value[from.index];
    if (node_writes(n, i)) TRY(lazy_before_write(in[i]));
  }
  TRY(run_instruction_may_fail());
  Tensor *value = object_new(n->n_out * sizeof *value);
  if (!value) return no_memory("evaluation");
  hook_node = n;
  const RunMode mode = { .train = n->train, .told = n->type };
  const Status s = run_op(n->op, n->params, in, n->n_in, run_device(n, in), value, n->n_out, mode);
  hook_node = NULL;
  if (s != OK) {
    object_free(value);
    return s;
  }
  for (int i = 0; i < n->n_in; i++)
    if (node_writes(n, i)) tensor_written((Tensor *)in[i], n->origin);
  n->value = value;
  return OK;
}

/* Counts the remaining uses of each node; an entry of want[] is a use, too. */
static void count_uses(const NodeList *list, const Entry *want, int n, int *left) {
  for (int i = 0; i < list->n; i++) {
    const Node *node = list->at[i];
    if (node->value) left[i] = 1 << 30;         /* owned by the tape, not freed here */
    else
      for (int k = 0; k < node->n_in; k++) left[map_at(&list->place, node->in[k].node)]++;
  }
  for (int i = 0; i < n; i++)
    if (want[i].node) left[map_at(&list->place, want[i].node)]++;
}

Status tape_evaluate(const Entry *want, int n, bool keep) {
  BUMP(memory, "evaluation");
  NodeList list FREED_BY(node_list_free) = { 0 };
  TRY(nodes_reached(want, n, enter_unvalued, NULL, &list));
  int most_in = 0;
  for (int i = 0; i < list.n; i++) most_in = list.at[i]->n_in > most_in ? list.at[i]->n_in : most_in;
  const Tensor **in = BUMP_ARRAY(&memory, most_in, const Tensor *);
  int *left = BUMP_ARRAY(&memory, list.n, int);
  TRY(memory.status);
  if (!keep) count_uses(&list, want, n, left);
  for (int i = 0; i < list.n; i++) {
    Node *node = list.at[i];
    if (node->value || !node->op) continue;
    TRY(evaluate_node(node, in));
    for (int k = 0; k < node->n_in && !keep; k++) {
      const int from = map_at(&list.place, node->in[k].node);
      if (--left[from] == 0) node_free_values(list.at[from]);
    }
  }
  return OK;
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

/* Does the tensor fill its memory, which no other tensor uses? */
static bool sole_holder(const Tensor *t) {
  return t->storage && atomic_load(&t->storage->refs) == 1 && t->storage->bytes == storage_bytes(&t->type);
}

/* Stores a gradient in its leaf (leaf_store). With `take` the leaf takes the memory over if no other code holds the old
** or the new memory. Cannot fail or be interrupted, because either all leaves get their gradients or none. */
static void commit(Node *leaf_node, const Tensor *grad, bool take) {
  Leaf *leaf = leaf_node->leaf;
  leaf_reached(leaf);
  if (grad && leaf->req == GRAD_WRITE && take && sole_holder(grad) && sole_holder(&leaf->grad)) {
    tensor_release(&leaf->grad);
    leaf->grad = tensor_share(grad);
    tensor_written(&leaf->grad, engine_now()->mode.origin);
  } else {
    leaf_store(leaf->req, grad, &leaf->grad);
  }
}

static void free_tape(const Reached *reached) {
  const NodeList *list = &reached->nodes;
  engine_now()->freed.latest_backward = engine_now()->mode.origin;
  for (int i = 0; i < list->n; i++) node_retain(list->at[i]);
  for (int i = 0; i < list->n; i++) {
    if (recorded_call_of(list->at[i])) inline_free_tape(list->at[i], reached->used[i]);
    else if (list->at[i]->op) node_free_history(list->at[i]);
  }
  for (int i = 0; i < list->n; i++) node_release(list->at[i]);
}

/* The leaves with a gradient among the nodes reached, *n of them; the array has room for n more entries. */
static Entry *list_leaves(const NodeList *reached, Bump *memory, int *n) {
  Entry *leaf = BUMP_ARRAY(memory, 2 * reached->n, Entry);
  *n = 0;
  for (int i = 0; leaf && i < reached->n; i++) {
    Node *node = reached->at[i];
    if (node->leaf && node->leaf->req != GRAD_NULL) leaf[(*n)++] = (Entry){ node, 0 };
  }
  return leaf;
}

static Status give_leaves(const Reached *reached, Builder *b, Differentiation *d, BackwardOptions options,
                          Bump *memory) {
  Entry *leaf = list_leaves(&reached->nodes, memory, &d->n_wrt);
  TRY(memory->status);
  if (d->n_wrt == 0)
    return fail("backward: head: expected an array that depends on arrays with attached gradients, got one that does "
                "not");
  d->wrt = leaf;
  d->grad = leaf + d->n_wrt;
  const uint64_t begun = order_next();     /* later nodes are freed with the builder */
  TRY(differentiate(b, d));
  TRY(tape_evaluate(d->grad, d->n_wrt, options.create_graph));
  for (int i = 0; i < d->n_wrt; i++) TRY(lazy_before_write(&leaf[i].node->leaf->grad));
  if (interrupted()) return interrupt_status();
  for (int i = 0; i < d->n_wrt; i++) {
    const Node *from = d->grad[i].node;
    commit(leaf[i].node, from ? &from->value[d->grad[i].index] : NULL,
           from && from->order > begun && !options.create_graph);
  }
  return OK;
}

/* Stores the gradients with respect to d->n_wrt variables in out[]. */
static Status give_arrays(Array *const *variables, Builder *b, Differentiation *d, BackwardOptions options, Array *out,
                          Bump *memory) {
  Entry *wrt = BUMP_ARRAY(memory, 2 * d->n_wrt, Entry);
  TRY(memory->status);
  for (int i = 0; i < d->n_wrt; i++) {
    wrt[i] = inline_value(array_entry(variables[i]));
    if (!wrt[i].node)
      return fail("autograd.grad: variables[%d]: expected an array with an attached gradient, or computed from one", i);
  }
  d->wrt = wrt;
  d->grad = wrt + d->n_wrt;
  TRY(differentiate(b, d));
  for (int i = 0; i < d->n_wrt; i++)
    if (!d->grad[i].node) d->grad[i] = build_zeros_like(b, wrt[i]);
  TRY(b->status);
  TRY(tape_evaluate(d->grad, d->n_wrt, options.create_graph));
  for (int i = 0; i < d->n_wrt; i++) {
    const Entry g = d->grad[i];
    out[i] = (Array){ .t = tensor_share(&g.node->value[g.index]) };
    if (options.create_graph) out[i] = (Array){ out[i].t, node_retain(g.node), g.index };
  }
  return OK;
}

Status tape_backward(Array *const *heads, Array *const *head_grads, int n, Array *const *variables, int n_variables,
                     BackwardOptions options, Array *out) {
  TRY(lazy_before_record());
  BUMP(memory, "backward");
  Reached reached FREED_BY(reached_free) = { 0 };
  Builder b FREED_BY(builder_free) = { .origin = engine_now()->mode.origin, .again = options.create_graph };
  Entry *head = BUMP_ARRAY(&memory, n, Entry), *grad = BUMP_ARRAY(&memory, n, Entry);
  TRY(memory.status);
  TRY(heads_entries(heads, head_grads, n, &b, head, grad));
  TRY(reached_find(head, n, options.create_graph, &reached));
  Differentiation d = { .head = head, .head_grad = grad, .n_heads = n, .n_wrt = n_variables };
  if (variables) TRY(give_arrays(variables, &b, &d, options, out, &memory));
  else TRY(give_leaves(&reached, &b, &d, options, &memory));
  freed_tape_warn(&reached.nodes);
  if (!options.retain && !options.create_graph) free_tape(&reached);
  return OK;
}
