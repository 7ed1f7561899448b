/* inline_loop_grad.c - see inline_loop_grad.h.
**
** The gradients given to a node are copied: a walk ends at the copies, which nothing else uses. A run of terms is a
** stack of rows, from which the terms are taken again where they are used.
*/
#include "exec/tape/inline_loop_grad.h"

#include "base/memory.h"
#include "exec/tape/iterations.h"
#include "exec/tape/tape.h"
#include "pass/differentiate.h"

static const ControlBack *back_of(const Node *n) {
  const BackParams *p = (const void *)n->params->fields;
  return p->back;
}

const Node *inline_loop_grad_of(const Node *n) {
  return n->op && n->op->role == ROLE_CONTROL_BACK ? n->in[n->n_in - 1].node : NULL;
}

static void want(const ControlBack *back, bool *wanted) {
  for (int r = 0; r < back->n_results; r++)
    if (back->result[r].of < 0) wanted[back->result[r].at] = true;
  for (int e = 0; e < back->n_earlier; e++) want(back->earlier[e], wanted);
}

void inline_loop_grad_wants(const Node *n, bool *wanted) { want(back_of(n), wanted); }

static const Tensor *value_of(Entry e) { return &e.node->value[e.index]; }

/* ---- Rows of a run ------------------------------------------------------------------------------------------ */

/* The first rows of a run: the entries that it was stacked from, if it was; else they are taken out of it. */
static Status list_rows(Builder *b, Entry run, GradTerms *to) {
  const Node *n = run.node;
  if (n->op && n->op->role == ROLE_SPREAD_TERMS) {
    for (int i = 0; i < to->n; i++) to->at[i] = n->in[0];
    return OK;
  }
  if (n->op && n->op->role == ROLE_PUT_ROWS && n->n_in >= to->n) {
    for (int i = 0; i < to->n; i++) to->at[i] = n->in[i];
    return OK;
  }
  for (int i = 0; i < to->n; i++) {
    Params *p;
    TRY(params_from(op_with_role(ROLE_UNSTACK), &(UnstackParams){ i, 1 }, &p));
    to->at[i] = build(b, op_with_role(ROLE_UNSTACK), p, &run, 1);
    params_release(p);
    TRY(b->status);
    TRY(tape_evaluate(&to->at[i], 1, true));
  }
  return OK;
}

/* Rows as a run of this type, with zeros after them and for a row that is NO_ENTRY. */
static Status put_rows(Builder *b, const GradTerms *rows, const Type *type, Entry *to) {
  Tensor zeros;
  Params *p;
  const Type row = iterations_row_type(type);
  Entry *in = object_new((size_t)(rows->n + 1) * sizeof *in), none = NO_ENTRY;
  Status s = in ? tensor_zeros(rows->n > 0 ? &row : type, b->device, &zeros) : no_memory("gradient");
  if (s == OK) {
    none = build_constant(b, &zeros);
    tensor_release(&zeros);
  }
  for (int i = 0; s == OK && i < rows->n; i++) in[i] = rows->at[i].node ? rows->at[i] : none;
  const PutRowsParams put = { .num_args = rows->n, .length = type->shape.dim[0], .rows.count = -1 };
  *to = none;
  if (s == OK && rows->n > 0) s = params_from(op_with_role(ROLE_PUT_ROWS), &put, &p);
  if (s == OK && rows->n > 0) {
    *to = build(b, op_with_role(ROLE_PUT_ROWS), p, in, rows->n);
    params_release(p);
  }
  object_free(in);
  return s == OK ? b->status : s;
}

/* ---- Given gradients, and results --------------------------------------------------------------------------- */

static Status list_given(Builder *b, InlinedLoop *u, const ControlBack *of, const Entry *in, uint64_t order,
                         GradTerms *given) {
  for (int h = 0; h < of->n_heads; h++) {
    const Entry e = in[control_head_place(of, h)];
    const int64_t count = of->head[h].run ? *(const int64_t *)value_of(in[control_head_place(of, h) + 1])->data : 1;
    TRY(loop_backward_terms_widen(&given[h], loop_backward_terms(&u->backs, of, h, count)));
    if (loop_backward_is_run(of, h)) TRY(list_rows(b, e, &given[h]));
    else given[h].at[0] = e;
    for (int t = 0; t < given[h].n; t++) {
      if (node_is_constant(given[h].at[t].node)) continue;
      given[h].at[t] = build(b, op_with_role(ROLE_COPY), NULL, &given[h].at[t], 1);
      TRY(b->status);
      given[h].at[t].node->order = order;
    }
    TRY(tape_evaluate(given[h].at, given[h].n, true));
  }
  return OK;
}

static Status make(Builder *b, InlinedLoop *u, const ControlBack *of, const Entry *in, uint64_t order) {
  if (loop_backward_step(&u->backs, of)) return OK;
  GradTerms *given = loop_backward_terms_new(of->n_heads);
  if (!given) return no_memory("gradient");
  Status s = list_given(b, u, of, in, order, given);
  if (s != OK) {
    differentiate_free_terms(given, of->n_heads);
    object_free(given);
    return s;
  }
  return loop_backward_make(&u->backs, of, given);
}

static Status put_result(Builder *b, InlinedLoop *u, const Node *n, const Type *type, int result, Entry *out) {
  const ControlBack *back = back_of(n);
  const BackResult *r = &back->result[result];
  const GradTerms *t = &loop_backward_step(&u->backs, back)->result[result];
  const int at = control_back_outputs(back, result);
  if (r->of < 0) {
    Tensor count;
    if (t->n > r->most) return fail("gradient of input %d: expected at most %d terms, got %d", r->at, r->most, t->n);
    TRY(put_rows(b, t, &type[at], &out[at]));
    TRY(tensor_zeros(&type[at + 1], b->device, &count));
    *(int64_t *)count.data = t->n;
    out[at + 1] = build_constant(b, &count);
    tensor_release(&count);
    return b->status;
  }
  if (loop_backward_is_run(back->earlier[r->of], r->at)) return put_rows(b, t, &type[at], &out[at]);
  Tensor zeros;
  out[at] = t->at[0];
  if (out[at].node) return OK;
  TRY(tensor_zeros(&type[at], b->device, &zeros));
  out[at] = build_constant(b, &zeros);
  tensor_release(&zeros);
  return b->status;
}

Status inline_loop_grad(Builder *b, InlinedLoop *u, const Node *n, const Entry *in, const Type *type, uint64_t order,
                        Entry *out) {
  const ControlBack *back = back_of(n);
  const bool again = b->again;
  Status s = OK;
  b->again = true;
  for (int e = 0; e < back->n_earlier && s == OK; e++)
    s = make(b, u, back->earlier[e], in + control_back_place(back, e), order);
  if (s == OK) s = make(b, u, back, in, order);
  for (int r = 0; r < back->n_results && s == OK; r++) s = put_result(b, u, n, type, r, out);
  b->again = again;
  return s == OK ? tape_evaluate(out, control_back_outputs(back, back->n_results), true) : s;
}
