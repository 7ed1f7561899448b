/* inline_loop.c - see inline_loop.h.
**
** The outputs are stacked in a block call after those of the iterations. An output that depends on an input in the
** graphs, but not through an iteration that ran, is tied to this input (ROLE_ALSO_FROM). So inlining changes neither
** which arrays are on the tape nor which get gradients.
*/
#include "exec/tape/inline_loop.h"

#include "base/settings/fault_injection.h"
#include "state/engine.h"

/* Splits data on the tape into items, by one operator for up to UINT16_MAX of them. */
static Status unstack(Iterations *l, int data) {
  for (int64_t t = 0; t < l->length;) {
    int64_t n = l->length - t < UINT16_MAX ? l->length - t : UINT16_MAX;
    Array *in = l->in[data], *rows = &l->item[data * l->length + t];
    TRY(iterations_call(ROLE_UNSTACK, &(UnstackParams){ t, n }, &in, 1, rows));
    if (l->order && rows->node) rows->node->order = l->order + (uint64_t)data;
    t += n;
  }
  return OK;
}

Status inline_loop_data(Iterations *l) {
  l->item = BUMP_ARRAY(&l->memory, l->c->n_data * l->length, Array);
  l->row = BUMP_ARRAY(&l->memory, l->c->n_stacked * l->length, Array);
  TRY(l->memory.status);
  for (int i = 0; i < l->c->n_data; i++)
    if (l->in[i]->node) TRY(unstack(l, i));
  return OK;
}

Status inline_loop_stack(Iterations *l, int i, const Type *type, Array *out) {
  Scope *outer = NULL;
  *out = (Array){ 0 };
  if (l->steps == 0) return tensor_zeros(type, tensor_device(&l->in[0]->t), &out->t);
  Array **row = BUMP_ARRAY(&l->memory, l->steps, Array *);
  TRY(l->memory.status);
  for (int64_t t = 0; t < l->steps; t++) row[t] = &l->row[i * l->length + t];
  const PutRowsParams p = { .num_args = l->steps, .length = l->length, .rows.count = -1 };
  TRY(iterations_scope_begin(l, "stack", &outer));
  const Status s = iterations_call(ROLE_PUT_ROWS, &p, row, (int)l->steps, out);
  iterations_scope_end(outer);
  return s;
}

static Status make_all(Iterations *l, const Type *type, Array *out) {
  const Control *c = l->c;
  TRY(inline_loop_data(l));
  TRY(iterations_run(l));
  int made = 0;
  Status s = OK;
  for (; made < c->n_stacked && s == OK; made++) s = inline_loop_stack(l, made, &type[made], &out[made]);
  if (s != OK) {
    array_release_all(out, made);
    return s;
  }
  for (int i = 0; i < c->n_states; i++) out[c->n_stacked + i] = array_share(&l->state[i]);
  return OK;
}

/* ---- Inputs that were not read ------------------------------------------------------------------------- */

static bool is_inlined(const Node *n, void *loop) {
  const Iterations *l = loop;
  for (int i = 0; i < l->c->n_in; i++)
    if (l->in[i]->node == n) return false;
  return true;
}

/* Lists the inputs on the tape that an output depends on in the graphs, but not through an iteration that ran. */
static Status list_unread(Iterations *l, const Array *out, Array **unread, int *n) {
  NodeList reached FREED_BY(node_list_free) = { 0 };
  const Entry e = array_entry(out);
  TRY(nodes_reached(&e, 1, is_inlined, l, &reached));
  *n = 0;
  for (int i = 0; i < l->c->n_in; i++)
    if (l->c->carried[i] && l->in[i]->node && (!out->node || node_list_find(&reached, l->in[i]->node) < 0))
      unread[(*n)++] = l->in[i];
  return OK;
}

/* Ties an output to its unread inputs, with a sequence number after those of the iterations. */
static Status tie(Iterations *l, uint64_t order, Array *out) {
  Array **in = BUMP_ARRAY(&l->memory, l->c->n_in + 1, Array *), tied;
  int n;
  TRY(l->memory.status);
  in[0] = out;
  TRY(list_unread(l, out, in + 1, &n));
  if (n == 0) return OK;
  TRY(iterations_call(ROLE_ALSO_FROM, &(int64_t){ n + 1 }, in, n + 1, &tied));
  if (tied.node) tied.node->order = order;
  array_release(out);
  *out = tied;
  return OK;
}

static Status tie_all(Iterations *l, uint64_t order, Array *out) {
  const int n = control_outputs(l->c);
  Status s = OK;
  for (int i = 0; i < n && s == OK; i++) s = tie(l, order, &out[i]);
  if (s != OK) array_release_all(out, n);
  return s;
}

Status inline_loop_run(const Control *how, Array *const *in, const Type *type, uint64_t order, Array *out) {
  Iterations l;
  Status s = iterations_new(&l, how, in);
  l.order = order;
  if (s == OK) s = make_all(&l, type, out);
  if (s == OK && engine_now()->mode.recording && !HL_FAULT_IS(untied))
    s = tie_all(&l, order + (uint64_t)how->n_in, out);
  iterations_free(&l);
  return s;
}
