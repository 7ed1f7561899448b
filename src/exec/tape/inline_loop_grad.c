/* inline_loop_grad.c - see inline_loop_grad.h.
**
** The gradients given to a node are copied, so that a walk can end at the copies, which no other node uses. A run of
** terms is an array with a row for each term; here each row becomes an entry again.
*/
#include "exec/tape/inline_loop_grad.h"

#include "exec/tape/iterations.h"
#include "exec/tape/tape.h"

static const ControlBack *back_of(const Node *n) {
  const BackParams *p = (const void *)n->params->fields;
  return p->back;
}

const Node *inline_loop_grad_of(const Node *n) {
  return n->op && n->op->role == ROLE_CONTROL_BACK ? n->in[n->n_in - 1].node : NULL;
}

void inline_loop_grad_wants(const Node *n, bool *wanted) { loop_backward_wants(back_of(n), wanted); }

static const Tensor *value_of(Entry e) { return &e.node->value[e.index]; }

/* ---- Rows of a run ------------------------------------------------------------------------------------------ */

/* Lists the first rows of a run: the entries from which it was stacked, or else slices of it. */
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
    to->at[i] = build_from(b, op_with_role(ROLE_UNSTACK), &(UnstackParams){ i, 1 }, &run, 1);
    TRY(b->status);
    TRY(tape_evaluate(&to->at[i], 1, true));
  }
  return OK;
}

/* A constant of zeros. */
static Status build_zeros(Builder *b, const Type *type, Entry *out) {
  Tensor zeros;
  TRY(tensor_zeros(type, b->device, &zeros));
  *out = build_constant(b, &zeros);
  tensor_release(&zeros);
  return b->status;
}

/* Stacks rows as a run of this type. Rows that are NO_ENTRY, and those after the last, become zeros. */
static Status put_rows(Builder *b, const GradTerms *rows, const Type *type, Entry *to) {
  const Type row = iterations_row_type(type);
  TRY(build_zeros(b, rows->n > 0 ? &row : type, to));
  if (rows->n == 0) return OK;
  BUMP(memory, "gradient");
  Entry *in = BUMP_ARRAY(&memory, rows->n, Entry);
  TRY(memory.status);
  for (int i = 0; i < rows->n; i++) in[i] = rows->at[i].node ? rows->at[i] : *to;
  const PutRowsParams put = { .num_args = rows->n, .length = type->shape.dim[0], .rows.count = -1 };
  *to = build_from(b, op_with_role(ROLE_PUT_ROWS), &put, in, rows->n);
  return b->status;
}

/* ---- Head gradients and results ----------------------------------------------------------------------------- */

static Status list_given(Builder *b, InlinedLoop *u, BackStep *step, const Entry *in, uint64_t order) {
  const ControlBack *of = step->back;
  GradTerms *given = step->head;
  for (int h = 0; h < of->n_heads; h++) {
    const Entry e = in[control_head_place(of, h)];
    const int64_t count = of->head[h].run ? *(const int64_t *)value_of(in[control_head_place(of, h) + 1])->data : 1;
    TRY(loop_backward_give(&u->backs, step, h, count));
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
  BackStep *step = loop_backward_begin(&u->backs, of);
  TRY(u->backs.memory->status);
  TRY(list_given(b, u, step, in, order));
  return loop_backward_make(&u->backs, step);
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
  out[at] = t->at[0];
  return out[at].node ? OK : build_zeros(b, &type[at], &out[at]);
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
