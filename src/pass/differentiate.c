/* differentiate.c - reverse-mode differentiation of a graph, by building nodes.
**
** Nodes are met in reverse order; for each the gradients that its users left for its
** outputs are summed and handed to the operator's grad, which builds what it passes on
** to the inputs. Gradients are ordinary nodes, so they can be differentiated again.
**
** The order of summation. Floating-point addition is not associative, and a compiled
** block hands its part of a gradient back as one term. So the terms of a value's gradient are
** summed along the tree of block calls, in eager and in compiled code alike: with the
** value made in the call p1 > p2 > .. > pk, first what its users inside pk contribute,
** then (as one sum) what those in p(k-1) outside pk do, and so on outwards:
**     G(k) = inside(pk) + G(k-1).
** `inside` folds from left to right, in the order of calls and nodes; the users inside
** one further call count as one term, folded by the same rule.
**
** Variables belong to no block call, whichever used them first. An array that enters a compiled function in two places
** is one value (exec/program/specialization.h). A function given to hl.compile is not a block call; if its part of a
** sum is not one term of the sum that eager code makes, its call is inlined (exec/tape/inline_call.c).
*/
#include "pass/differentiate.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/graph.h"

/* One user's part of the gradient of a value. */
typedef struct GradTerm {
  Entry grad;
  Entry count;               /* where set, `grad` is a run of terms: that many of its rows */
  bool none;                 /* it is a run of no terms: zeros */
  const Scope *scope;        /* the user's call; NULL: the script */
  uint64_t order;            /* the user's sequence number; head gradients come last */
  int input;                 /* which of the user's inputs */
  struct GradTerm *next;
} GradTerm;

typedef struct GradState {
  Builder *b;
  NodeList nodes;
  bool *needed;              /* the node depends on one of wrt */
  GradTerm ***terms;             /* [position][output]: the terms so far */
} GradState;

static int position(const GradState *s, const Node *n) { return node_list_find(&s->nodes, n); }

static int depth(const Scope *s) {
  int n = 0;
  for (; s; s = s->parent) n++;
  return n;
}

/* The ancestor of s (or s itself) at the given depth; NULL for 0. */
static const Scope *ancestor(const Scope *s, int at_depth) {
  for (int d = depth(s); d > at_depth; d--) s = s->parent;
  return s;
}

/* The call of depth level + 1 that a term's user is in, or NULL. */
static const Scope *call_at(const GradTerm *t, int level) {
  return depth(t->scope) > level ? ancestor(t->scope, level + 1) : NULL;
}

static _Thread_local int sort_level;
static int by_place(const void *x, const void *y) {
  const GradTerm *a = *(GradTerm *const *)x, *b = *(GradTerm *const *)y;
  const Scope *x_call = call_at(a, sort_level), *y_call = call_at(b, sort_level);
  uint64_t p = x_call ? x_call->order : a->order, q = y_call ? y_call->order : b->order;
  if (p != q) return p < q ? -1 : 1;
  if (x_call && y_call && x_call != y_call) return x_call->born < y_call->born ? -1 : 1;
  if (a->order != b->order) return a->order < b->order ? -1 : 1;
  return a->input - b->input;
}

static Entry fold(Builder *b, GradTerm **terms, int n, int level);

/* Where the terms of the call that terms[i] is in, of those sorted at this level, end. */
static int end_of_call(GradTerm **terms, int n, int i, int level) {
  if (depth(terms[i]->scope) <= level) return i + 1;
  const Scope *call = ancestor(terms[i]->scope, level + 1);
  int end = i + 1;
  while (end < n && depth(terms[end]->scope) > level && ancestor(terms[end]->scope, level + 1) == call) end++;
  return end;
}

/* A run of terms that stand at this level themselves, not in a call that is one term here. */
static bool is_run(const GradTerm *t, int level) { return t->count.node && depth(t->scope) <= level; }
static bool is_none(const GradTerm *t, int level) { return t->none && depth(t->scope) <= level; }

/* sum + the terms of one call or user; a run of terms is added term by term. */
static Entry add(Builder *b, Entry sum, GradTerm **terms, int n, int level) {
  if (n == 1 && is_none(terms[0], level) && sum.node) return sum;
  if (n == 1 && is_run(terms[0], level)) {
    const int64_t has_before = sum.node != NULL;
    Params *params;
    Entry in[] = { terms[0]->grad, terms[0]->count, sum }, e = NO_ENTRY;
    if (b->status == OK) b->status = params_from(op_with_role(ROLE_SUM_TERMS), &has_before, &params);
    if (b->status != OK) return NO_ENTRY;
    e = build(b, op_with_role(ROLE_SUM_TERMS), params, in, sum.node ? 3 : 2);
    params_release(params);
    return e;
  }
  Entry term = n > 1 || terms[0]->count.node ? fold(b, terms, n, level + 1) : terms[0]->grad;
  return sum.node ? build_sum(b, sum, term) : term;
}

static void sort_terms(GradTerm **terms, int n, int level) {
  sort_level = level;
  qsort(terms, (size_t)n, sizeof *terms, by_place);
}

/* Left to right over terms whose users are inside one call of depth `level`. */
static Entry fold(Builder *b, GradTerm **terms, int n, int level) {
  Entry sum = NO_ENTRY;
  sort_terms(terms, n, level);
  for (int i = 0, end; i < n; i = end) {
    end = end_of_call(terms, n, i, level);
    sum = add(b, sum, terms + i, end - i, level);
  }
  return sum;
}

/* How many of the outermost calls a and b are both in. */
static int shared_depth(const Scope *a, const Scope *b) {
  int da = depth(a), db = depth(b), d = da < db ? da : db;
  a = ancestor(a, d);
  b = ancestor(b, d);
  while (a != b) {
    a = a->parent;
    b = b->parent;
    d--;
  }
  return d;
}

static Status sum_terms(Builder *b, GradTerm *list, const Scope *made_in, Entry *out) {
  int n = 0;
  for (GradTerm *t = list; t; t = t->next) n++;
  *out = n ? list->grad : NO_ENTRY;
  if (n == 0 || (n == 1 && !list->count.node)) return OK;
  GradTerm **all = object_new(2 * (size_t)n * sizeof *all), **level_terms = all + n;
  if (!all) return no_memory("gradient");
  int i = 0;
  for (GradTerm *t = list; t; t = t->next) all[i++] = t;
  Entry outer = NO_ENTRY;
  for (int level = 0; level <= depth(made_in); level++) {   /* from the script inwards */
    int m = 0;
    for (int k = 0; k < n; k++)
      if (shared_depth(all[k]->scope, made_in) == level) level_terms[m++] = all[k];
    if (m == 0) continue;
    Entry inside = fold(b, level_terms, m, level);
    outer = outer.node ? build_sum(b, inside, outer) : inside;
  }
  object_free(all);
  *out = outer;
  return b->status;
}

/* Those of the calls that `made_in` is in, but the innermost, as one term. */
static Status sum_outer(Builder *b, GradTerm **all, int n, const Scope *made_in, Entry *out) {
  GradTerm **level_terms = object_new((size_t)(n + 1) * sizeof *level_terms);
  *out = NO_ENTRY;
  if (!level_terms) return no_memory("gradient");
  for (int level = 0; level < depth(made_in); level++) {
    int m = 0;
    for (int k = 0; k < n; k++)
      if (shared_depth(all[k]->scope, made_in) == level) level_terms[m++] = all[k];
    if (m == 0) continue;
    Entry inside = fold(b, level_terms, m, level);
    *out = out->node ? build_sum(b, inside, *out) : inside;
  }
  object_free(level_terms);
  return b->status;
}

/* The terms of a value in the order in which sum_terms adds them, each call's as one, runs as they are. */
static Status list_terms(Builder *b, GradTerm *list, const Scope *made_in, GradTerms *out) {
  int n = 0, inside = 0, level = depth(made_in);
  for (GradTerm *t = list; t; t = t->next) n++;
  GradTerm **all = object_new(2 * (size_t)(n + 1) * sizeof *all), **here = all + n;
  out->at = object_new(2 * (size_t)(n + 1) * sizeof *out->at);
  out->count = out->at + n + 1;
  Status s = all && out->at ? OK : no_memory("gradient");
  n = 0;
  for (GradTerm *t = s == OK ? list : NULL; t; t = t->next) all[n++] = t;
  for (int i = 0; s == OK && i < n; i++)
    if (shared_depth(all[i]->scope, made_in) == level) here[inside++] = all[i];
  if (s == OK) sort_terms(here, inside, level);
  for (int i = 0, end; s == OK && i < inside; i = end) {
    end = end_of_call(here, inside, i, level);
    if (end == i + 1 && is_none(here[i], level)) continue;
    bool run = end == i + 1 && is_run(here[i], level);
    out->at[out->n] = run ? here[i]->grad : add(b, NO_ENTRY, here + i, end - i, level);
    out->count[out->n++] = run ? here[i]->count : NO_ENTRY;
    s = b->status;
  }
  Entry outer = NO_ENTRY;
  if (s == OK) s = sum_outer(b, all, n, made_in, &outer);
  if (s == OK && outer.node) out->at[out->n++] = outer;
  object_free(all);
  return s;
}

void differentiate_free_terms(GradTerms *terms, int n) {
  for (int i = 0; i < n; i++) {
    object_free(terms[i].at);
    terms[i] = (GradTerms){ 0 };
  }
}

/* Integers and truth values have no gradient: what passes through them is a step function. */
static Status add_term(GradState *s, Entry value, Entry grad, Entry count, bool none, const Node *user, int input) {
  int at = position(s, value.node);
  if (at < 0 || !s->needed[at] || !dtype_is_float(entry_type(value)->dtype)) return OK;
  GradTerm *t = object_new(sizeof *t);
  if (!t) return no_memory("gradient");
  *t = (GradTerm){ .grad = grad,
                   .count = count,
                   .none = none,
                   .scope = user ? user->scope : NULL,
                   .order = user ? user->order : UINT64_MAX,
                   .input = input,
                   .next = s->terms[at][value.index] };
  s->terms[at][value.index] = t;
  return OK;
}

static Status overwritten(const Node *n, const char *what, Origin where) {
  return fail("backward: %s%s%s: %s was overwritten in place%s%s after it was used; copy it first, or write elsewhere",
              n->op->name, n->origin ? " of " : "", origin_text(n->origin), what, where ? " at " : "",
              origin_text(where));
}

/* On the tape: the values that the nodes made since `first` take from n must be as they were when n ran. */
static Status check_unwritten(const Builder *b, int first, const Node *n) {
  if (!n->version) return OK;
  for (int m = first; m < b->n_made; m++) {
    for (int k = 0; k < b->made[m]->n_in; k++) {
      Entry e = b->made[m]->in[k];
      if (!e.node->value) continue;
      for (int i = 0; i < n->n_in; i++)
        if (entry_equal(e, n->in[i]) && tensor_version(&e.node->value[e.index]) != n->version[i])
          return overwritten(n, op_input_name(n->op, i), e.node->value[e.index].storage->written_at);
      if (e.node == n && tensor_version(&n->value[e.index]) != n->version[n->n_in + e.index])
        return overwritten(n, "its output", n->value[e.index].storage->written_at);
    }
  }
  return OK;
}

static Status list_all_terms(GradState *s, const Node *n, int at, GradTerms **out) {
  *out = object_new(n->n_out * sizeof **out);
  if (!*out) return no_memory("gradient");
  for (int i = 0; i < n->n_out; i++) TRY(list_terms(s->b, s->terms[at][i], n->scope, &(*out)[i]));
  return OK;
}

/* What the operator's grad leaves for each input, by its own grad or through its expansion. */
static Status call_grad(GradState *s, Node *n, int at, const Entry *out_grad, Entry *in_grad, Entry *in_count,
                        bool *in_none, const bool *wanted) {
  if (n->op->grad) {
    Gradient g = { .b = s->b,
                   .node = n,
                   .out_grad = out_grad,
                   .in_grad = in_grad,
                   .in_count = in_count,
                   .in_none = in_none,
                   .wanted = wanted };
    GradTerms *terms = NULL;
    Status status = n->op->control ? list_all_terms(s, n, at, &terms) : OK;
    g.out_terms = terms;
    if (status == OK) status = n->op->grad(&g);
    if (terms) differentiate_free_terms(terms, n->n_out);
    object_free(terms);
    TRY(status);
    return s->b->status;
  }
  Entry same[MOST_DECOMPOSED] = { 0 }, head_grad[MOST_DECOMPOSED];
  const int n_same = op_expand(s->b, n, same);
  int n_heads = 0;
  TRY(s->b->status);
  for (int i = 0; i < n_same; i++) {
    if (!same[i].node || !out_grad[i].node) continue;
    same[n_heads] = same[i];
    head_grad[n_heads++] = out_grad[i];
  }
  Differentiation d = { .head = same,
                        .head_grad = head_grad,
                        .n_heads = n_heads,
                        .wrt = n->in,
                        .n_wrt = n->n_in,
                        .grad = in_grad,
                        .independent = true };
  TRY(differentiate(s->b, &d));
  for (int i = 0; i < n->n_in; i++)          /* one value at two inputs: its whole gradient goes with the first */
    for (int k = 0; k < i; k++)
      if (entry_equal(n->in[i], n->in[k])) in_grad[i] = NO_ENTRY;
  return OK;
}

/* A node made since `first` gives a gradient of op. */
static void note_gradient(const Builder *b, int first, const Node *node, const Op *op) {
  for (int m = first; m < b->n_made && node; m++)
    if (b->made[m] == node && !node->of) b->made[m]->of = op;
}

static Status differentiate_node(GradState *s, Node *n, int at) {
  enum { FEW = 16 };
  Entry few_out[FEW], few_in[FEW], few_count[FEW], *out_grad = few_out, *in_grad = few_in, *in_count = few_count;
  bool few_wanted[FEW], few_none[FEW], *wanted = few_wanted, *in_none = few_none;
  size_t most = (size_t)(n->n_in > n->n_out ? n->n_in : n->n_out);
  void *memory = NULL;
  if (most > FEW) {
    memory = object_new(most * (3 * sizeof(Entry) + 2 * sizeof(bool)));
    if (!memory) return no_memory("gradient");
    out_grad = memory;
    in_grad = out_grad + most;
    in_count = in_grad + most;
    wanted = (bool *)(in_count + most);
    in_none = wanted + most;
  }
  bool reached = false, any_wanted = false;
  Status status = OK;
  s->b->origin = n->origin;
  s->b->scope = n->scope;
  s->b->train = n->train;
  s->b->train_requested = n->train_requested;
  for (int i = 0; i < n->n_out && status == OK; i++) {
    status = sum_terms(s->b, s->terms[at][i], n->scope, &out_grad[i]);
    reached = reached || out_grad[i].node;
  }
  for (int i = 0; i < n->n_in; i++) {
    int in_at = position(s, n->in[i].node);
    in_grad[i] = in_count[i] = NO_ENTRY;
    in_none[i] = false;
    wanted[i] = in_at >= 0 && s->needed[in_at] && op_differentiable(n->op, i);
    any_wanted = any_wanted || wanted[i];
  }
  if (status == OK && reached && any_wanted) {     /* not where n itself is what is differentiated by, and no more */
    int first = s->b->n_made;
    status = call_grad(s, n, at, out_grad, in_grad, in_count, in_none, wanted);
    if (status == OK) status = check_unwritten(s->b, first, n);
    for (int i = 0; i < n->n_in && status == OK; i++)
      if (wanted[i]) note_gradient(s->b, first, in_grad[i].node, n->op);
    for (int i = 0; i < n->n_in && status == OK; i++)
      if (wanted[i] && in_grad[i].node) status = add_term(s, n->in[i], in_grad[i], in_count[i], in_none[i], n, i);
  }
  object_free(memory);
  return status;
}

/* Which nodes depend on wrt, through inputs that have gradients. */
static void find_needed(GradState *s, const Differentiation *d) {
  for (int i = 0; i < d->n_wrt; i++) {
    int at = position(s, d->wrt[i].node);
    if (at >= 0) s->needed[at] = true;
  }
  for (int i = 0; i < s->nodes.n; i++) {
    Node *n = s->nodes.at[i];
    for (int k = 0; k < n->n_in && !n->paused && !s->needed[i]; k++) {
      int from = position(s, n->in[k].node);
      s->needed[i] = from >= 0 && s->needed[from] && op_differentiable(n->op, k);
    }
  }
}

static bool enter_dependent(const Node *n, void *context) {
  const Differentiation *d = context;
  for (int i = 0; d->independent && i < d->n_wrt; i++)
    if (d->wrt[i].node == n) return false;
  return true;
}

static Status prepare(GradState *s, const Differentiation *d) {
  TRY(nodes_reached(d->head, d->n_heads, enter_dependent, (void *)d, &s->nodes));
  int outputs = 0;
  for (int i = 0; i < s->nodes.n; i++) outputs += s->nodes.at[i]->n_out;
  s->needed = object_new((size_t)(s->nodes.n + 1));
  s->terms = object_new((size_t)(s->nodes.n + 1) * sizeof *s->terms + (size_t)outputs * sizeof **s->terms);
  if (!s->needed || !s->terms) return no_memory("gradient");
  GradTerm **rows = (GradTerm **)(s->terms + s->nodes.n + 1);
  for (int i = 0; i < s->nodes.n; i++) {
    s->terms[i] = rows;
    rows += s->nodes.at[i]->n_out;
  }
  find_needed(s, d);
  for (int i = 0; i < d->n_heads; i++) {
    Entry g = d->head_grad ? d->head_grad[i] : NO_ENTRY;
    if (!g.node) g = build_ones_like(s->b, d->head[i]);
    TRY(s->b->status);
    TRY(add_term(s, d->head[i], g, NO_ENTRY, false, NULL, i));
  }
  return OK;
}

static Status run(GradState *s, const Differentiation *d) {
  TRY(prepare(s, d));
  for (int i = s->nodes.n - 1; i >= 0; i--)
    if (s->needed[i] && s->nodes.at[i]->op && enter_dependent(s->nodes.at[i], (void *)d))
      TRY(differentiate_node(s, s->nodes.at[i], i));
  for (int i = 0; i < d->n_wrt; i++) {
    int at = position(s, d->wrt[i].node);
    if (d->terms) {
      if (at >= 0) TRY(list_terms(s->b, s->terms[at][d->wrt[i].index], d->terms_in, &d->terms[i]));
      continue;
    }
    d->grad[i] = NO_ENTRY;
    if (at >= 0) TRY(sum_terms(s->b, s->terms[at][d->wrt[i].index], d->wrt[i].node->scope, &d->grad[i]));
  }
  return OK;
}

static void finish(GradState *s) {
  for (int i = 0; s->terms && i < s->nodes.n; i++) {
    for (int k = 0; s->terms[i] && k < s->nodes.at[i]->n_out; k++) {
      for (GradTerm *t = s->terms[i][k], *next; t; t = next) {
        next = t->next;
        object_free(t);
      }
    }
  }
  object_free(s->terms);
  object_free(s->needed);
  node_list_free(&s->nodes);
}

Status differentiate(Builder *b, Differentiation *d) {
  GradState s = { .b = b };
  Origin origin = b->origin;
  Scope *scope = b->scope;
  bool train = b->train;
  uint8_t train_requested = b->train_requested;
  Status status = run(&s, d);
  finish(&s);
  b->origin = origin;
  b->scope = scope;
  b->train = train;
  b->train_requested = train_requested;
  return status;
}
