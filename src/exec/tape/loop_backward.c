/* loop_backward.c - see loop_backward.h.
**
** Each gradient is built by pass/differentiate.c. Its heads are outputs of the iterations or results of an earlier
** gradient; it is with respect to inputs or to the gradients given for an earlier head.
*/
#include "exec/tape/loop_backward.h"

#include "pass/differentiate.h"

const BackStep *loop_backward_step(const LoopBackward *k, const ControlBack *b) {
  const BackStep *s = k->first;
  while (s && s->back != b) s = s->next;
  return s;
}

void loop_backward_wants(const ControlBack *b, bool *wanted) {
  for (int r = 0; r < b->n_results; r++)
    if (b->result[r].of < 0) wanted[b->result[r].at] = true;
  for (int e = 0; e < b->n_earlier; e++) loop_backward_wants(b->earlier[e], wanted);
}

bool loop_backward_is_run(const ControlBack *b, int head) {
  while (b->head[head].of >= 0) {
    const ControlBack *e = b->earlier[b->head[head].of];
    const BackResult *r = &e->result[b->head[head].output];
    if (r->of < 0) return true;
    b = e->earlier[r->of];
    head = r->at;
  }
  return b->head[head].run;
}

static Status widen(const LoopBackward *k, GradTerms *t, int64_t n) {
  t->at = BUMP_ARRAY(k->memory, n, Entry);
  t->n = (int)n;
  return k->memory->status;
}

BackStep *loop_backward_begin(LoopBackward *k, const ControlBack *b) {
  BackStep *s = BUMP_ARRAY(k->memory, 1, BackStep);
  GradTerms *terms = BUMP_ARRAY(k->memory, b->n_heads + b->n_results, GradTerms);
  if (s && terms) *s = (BackStep){ .back = b, .head = terms, .result = terms + b->n_heads };
  return terms ? s : NULL;
}

Status loop_backward_give(LoopBackward *k, BackStep *s, int head, int64_t count) {
  const BackHead *h = &s->back->head[head];
  int64_t n = h->run ? count : 1;
  if (h->of >= 0) n = loop_backward_step(k, s->back->earlier[h->of])->result[h->output].n;
  return widen(k, &s->head[head], n);
}

/* ---- Heads and variables of a gradient ----------------------------------------------------------------------- */

typedef struct Walk {
  Entry *head, *grad, *wrt;
  GradTerms *terms;          /* by entry of wrt */
  int n, n_wrt;
} Walk;

static bool on_tape(Entry e) { return e.node && !node_is_constant(e.node); }

/* Lists the entries other than `wrt` where a walk over nested iterations must end. */
static int list_ends(const LoopBackward *k, const ControlBack *b, Entry *to) {
  int n = 0;
  if (!k->nested) return 0;
  for (int i = 0; i < b->n_in; i++)
    if (on_tape(k->in[i])) to[n++] = k->in[i];
  for (const BackStep *s = k->first; s; s = s->next)
    for (int h = 0; h < s->back->n_heads; h++)
      for (int t = 0; t < s->head[h].n; t++)
        if (on_tape(s->head[h].at[t])) to[n++] = s->head[h].at[t];
  return n;
}

static int64_t count_heads(const BackStep *s) {
  int64_t n = 0;
  for (int h = 0; h < s->back->n_heads; h++) n += s->head[h].n;
  return n;
}

static Status walk_new(const LoopBackward *k, const BackStep *s, Walk *w) {
  const int64_t heads = count_heads(s);
  int64_t wrt = s->back->n_results + s->back->n_in;
  for (const BackStep *made = k->first; made; made = made->next) wrt += 2 * count_heads(made);
  *w = (Walk){ .head = BUMP_ARRAY(k->memory, heads, Entry),
               .grad = BUMP_ARRAY(k->memory, heads, Entry),
               .wrt = BUMP_ARRAY(k->memory, wrt, Entry),
               .terms = BUMP_ARRAY(k->memory, wrt, GradTerms) };
  return k->memory->status;
}

static void list_heads(const LoopBackward *k, const BackStep *s, Walk *w) {
  const ControlBack *b = s->back;
  for (int h = 0; h < b->n_heads; h++) {
    const BackHead *head = &b->head[h];
    for (int t = 0; t < s->head[h].n; t++) {
      const Entry e = head->of < 0 ? k->out[head->output]
                                   : loop_backward_step(k, b->earlier[head->of])->result[head->output].at[t];
      if (!on_tape(e)) continue;
      w->head[w->n] = e;
      w->grad[w->n++] = s->head[h].at[t];
    }
  }
}

static void list_wrt(const LoopBackward *k, const ControlBack *b, Walk *w) {
  for (int r = 0; r < b->n_results; r++) {
    const BackResult *result = &b->result[r];
    if (result->of < 0) {
      w->wrt[w->n_wrt++] = k->in[result->at];
      continue;
    }
    const GradTerms *given = &loop_backward_step(k, b->earlier[result->of])->head[result->at];
    for (int t = 0; t < given->n; t++) w->wrt[w->n_wrt++] = given->at[t];
  }
}

static Entry add_up(Builder *b, const GradTerms *t) {
  Entry sum = t->n > 0 ? t->at[0] : NO_ENTRY;
  for (int i = 1; i < t->n; i++) sum = build_sum(b, sum, t->at[i]);
  return sum;
}

static Status take_results(const LoopBackward *k, const Walk *w, BackStep *s) {
  const GradTerms *terms = w->terms;
  for (int r = 0; r < s->back->n_results; r++) {
    const BackResult *result = &s->back->result[r];
    if (result->of < 0) {
      TRY(widen(k, &s->result[r], terms->n));
      for (int t = 0; t < terms->n; t++) s->result[r].at[t] = terms->at[t];
      terms++;
      continue;
    }
    const int n = loop_backward_step(k, s->back->earlier[result->of])->head[result->at].n;
    TRY(widen(k, &s->result[r], n));
    for (int t = 0; t < n; t++) s->result[r].at[t] = add_up(k->b, terms++);
  }
  return k->b->status;
}

Status loop_backward_make(LoopBackward *k, BackStep *s) {
  Walk w;
  TRY(walk_new(k, s, &w));
  list_heads(k, s, &w);
  list_wrt(k, s->back, &w);
  Differentiation d = { .head = w.head,
                        .head_grad = w.grad,
                        .n_heads = w.n,
                        .wrt = w.wrt,
                        .n_wrt = w.n_wrt + list_ends(k, s->back, w.wrt + w.n_wrt),
                        .independent = k->nested,
                        .terms = w.terms,
                        .terms_in = k->scope };
  Status status = w.n > 0 ? differentiate(k->b, &d) : OK;
  if (status == OK) status = take_results(k, &w, s);
  differentiate_free_terms(w.terms, d.n_wrt);
  TRY(status);
  *(k->latest ? &k->latest->next : &k->first) = s;
  k->latest = s;
  return OK;
}
