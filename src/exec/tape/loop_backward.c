/* loop_backward.c - see loop_backward.h.
**
** A gradient is built by the one code that differentiates (pass/differentiate.c), from heads that are outputs of the
** iterations or results of an earlier gradient, with respect to inputs or to the gradients given for an earlier head.
*/
#include "exec/tape/loop_backward.h"

#include "base/memory.h"
#include "pass/differentiate.h"

const BackStep *loop_backward_step(const LoopBackward *k, const ControlBack *b) {
  for (int i = 0; i < k->n; i++)
    if (k->made[i].back == b) return &k->made[i];
  return NULL;
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

int64_t loop_backward_terms(const LoopBackward *k, const ControlBack *b, int head, int64_t count) {
  const BackHead *h = &b->head[head];
  return h->of < 0 ? (h->run ? count : 1) : loop_backward_step(k, b->earlier[h->of])->result[h->output].n;
}

GradTerms *loop_backward_terms_new(int n) { return object_new((size_t)(n + 1) * sizeof(GradTerms)); }

Status loop_backward_terms_widen(GradTerms *t, int64_t n) {
  t->at = object_new((size_t)(n + 1) * sizeof *t->at);
  if (!t->at) return no_memory("gradient");
  t->n = (int)n;
  return OK;
}

static void step_free(BackStep *s) {
  if (s->head) differentiate_free_terms(s->head, s->back->n_heads);
  if (s->result) differentiate_free_terms(s->result, s->back->n_results);
  object_free(s->head);
  object_free(s->result);
}

void loop_backward_free(LoopBackward *k) {
  for (int i = 0; i < k->n; i++) step_free(&k->made[i]);
  object_free(k->made);
  k->made = NULL;
  k->n = k->capacity = 0;
}

/* ---- What is differentiated, with respect to what ------------------------------------------------------------ */

typedef struct Walk {
  Entry *head, *grad, *wrt;
  GradTerms *terms;          /* by wrt */
  int n, n_wrt;
} Walk;

static bool on_tape(Entry e) { return e.node && !node_is_constant(e.node); }

/* The ends of a walk over nested iterations, other than the entries that it differentiates by. */
static int list_ends(const LoopBackward *k, const ControlBack *b, Entry *to) {
  int n = 0;
  for (int i = 0; k->nested && i < b->n_in; i++)
    if (on_tape(k->in[i])) to[n++] = k->in[i];
  for (int s = 0; k->nested && s < k->n; s++)
    for (int h = 0; h < k->made[s].back->n_heads; h++)
      for (int t = 0; t < k->made[s].head[h].n; t++)
        if (on_tape(k->made[s].head[h].at[t])) to[n++] = k->made[s].head[h].at[t];
  return n;
}

static Status walk_new(const LoopBackward *k, const ControlBack *b, const BackStep *s, Walk *w) {
  size_t heads = 1, wrt = (size_t)b->n_results + (size_t)b->n_in + 1;
  for (int h = 0; h < b->n_heads; h++) heads += (size_t)s->head[h].n;
  for (int m = 0; m < k->n; m++)
    for (int h = 0; h < k->made[m].back->n_heads; h++) wrt += 2 * (size_t)k->made[m].head[h].n;
  *w = (Walk){ .head = object_new((2 * heads + wrt) * sizeof *w->head), .terms = object_new(wrt * sizeof *w->terms) };
  if (!w->head || !w->terms) return no_memory("gradient");
  w->grad = w->head + heads;
  w->wrt = w->grad + heads;
  return OK;
}

static void list_heads(const LoopBackward *k, const ControlBack *b, const BackStep *s, Walk *w) {
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

static Status take_results(const LoopBackward *k, const ControlBack *b, Walk *w, BackStep *s) {
  int at = 0;
  for (int r = 0; r < b->n_results; r++) {
    const BackResult *result = &b->result[r];
    if (result->of < 0) {
      s->result[r] = w->terms[at];
      w->terms[at++] = (GradTerms){ 0 };
      continue;
    }
    const int n = loop_backward_step(k, b->earlier[result->of])->head[result->at].n;
    TRY(loop_backward_terms_widen(&s->result[r], n));
    for (int t = 0; t < n; t++) s->result[r].at[t] = add_up(k->b, &w->terms[at++]);
  }
  return k->b->status;
}

static Status go(const LoopBackward *k, const ControlBack *b, BackStep *s) {
  Walk w;
  Status status = walk_new(k, b, s, &w);
  if (status == OK) {
    list_heads(k, b, s, &w);
    list_wrt(k, b, &w);
    const int more = list_ends(k, b, w.wrt + w.n_wrt);
    Differentiation d = { .head = w.head,
                          .head_grad = w.grad,
                          .n_heads = w.n,
                          .wrt = w.wrt,
                          .n_wrt = w.n_wrt + more,
                          .independent = k->nested,
                          .terms = w.terms,
                          .terms_in = k->scope };
    if (w.n > 0) status = differentiate(k->b, &d);
    if (status == OK) status = take_results(k, b, &w, s);
    differentiate_free_terms(w.terms, d.n_wrt);
  }
  object_free(w.head);
  object_free(w.terms);
  return status;
}

Status loop_backward_make(LoopBackward *k, const ControlBack *b, GradTerms *given) {
  BackStep *made = object_widen(k->made, k->n + 1, &k->capacity, sizeof *made);
  BackStep s = { .back = b, .head = given, .result = loop_backward_terms_new(b->n_results) };
  Status status = made && s.result ? OK : no_memory("gradient");
  if (made) k->made = made;
  if (status == OK) status = go(k, b, &s);
  if (status == OK) k->made[k->n++] = s;
  else step_free(&s);
  return status;
}
