/* differentiate.c - reverse-mode differentiation of a graph, by building nodes.
**
** Nodes are visited in reverse order. The terms that the users of a node left for its outputs are summed and passed
** to the operator's grad, which builds the terms for the inputs. Gradients are ordinary nodes, so they can be
** differentiated again.
**
** The order of summation. Floating-point addition is not associative, and a compiled block returns its part of a
** gradient as one term. So eager and compiled code both sum the terms of a value's gradient along the tree of block
** calls. For a value made in the call p1 > p2 > .. > pk, the terms of its users inside pk come first, then, as one
** sum, those of its users in p(k-1) outside pk, and so on outwards:
**     G(k) = inside(pk) + G(k-1).
** `inside` folds from left to right, in the order of calls and nodes. The users inside one further call count as one
** term, folded by the same rule.
**
** Variables are outside all block calls, regardless of which call used them first. An array passed as two inputs of a
** compiled function is one value (exec/program/specialization.h). A function given to hl.compile is not a block call:
** if its part of a sum is not one term of the eager sum, its call is inlined (exec/tape/inline_call.c).
*/
#include "pass/differentiate.h"

#include <stdlib.h>
#include <string.h>

#include "base/bump.h"
#include "base/memory.h"
#include "ir/graph/graph.h"

/* One user's part of the gradient of a value. */
typedef struct GradTerm {
  Entry grad;
  Entry count;               /* if set, `grad` is a run of terms, and this says how many rows count */
  bool none;                 /* a run of no terms: zeros */
  const Scope *scope;        /* the block call of the user; NULL: the script */
  uint64_t order;            /* the user's sequence number; highest for head gradients */
  int input;                 /* index among the user's inputs */
  struct GradTerm *next;
} GradTerm;

typedef struct GradState {
  Builder *b;
  NodeList nodes;
  Bump bump;
  bool *needed;              /* by position: the node depends on a value of wrt */
  GradTerm ***terms;         /* [position][output]: the terms so far */
  /* of the current node, as in Gradient: */
  Entry *out_grad, *in_grad, *in_count;
  bool *wanted, *in_none;
} GradState;

static int position(const GradState *s, const Node *n) { return node_list_find(&s->nodes, n); }

static int depth(const Scope *s) {
  int n = 0;
  for (; s; s = s->parent) n++;
  return n;
}

/* The ancestor of s, or s itself, at the given depth; NULL for depth 0. */
static const Scope *ancestor(const Scope *s, int at_depth) {
  for (int d = depth(s); d > at_depth; d--) s = s->parent;
  return s;
}

/* The call of depth level + 1 that contains a term's user, or NULL. */
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

/* The end of the terms from the same call as terms[i], sorted at this level. */
static int end_of_call(GradTerm **terms, int n, int i, int level) {
  const Scope *call = call_at(terms[i], level);
  int end = i + 1;
  while (call && end < n && call_at(terms[end], level) == call) end++;
  return end;
}

/* Is it a run of terms at this level, not inside a call that is one term here? */
static bool is_run(const GradTerm *t, int level) { return t->count.node && depth(t->scope) <= level; }
static bool is_none(const GradTerm *t, int level) { return t->none && depth(t->scope) <= level; }

/* Adds the terms of one call or user to the sum; a run of terms is added term by term. */
static Entry add(Builder *b, Entry sum, GradTerm **terms, int n, int level) {
  if (n == 1 && is_none(terms[0], level) && sum.node) return sum;
  if (n == 1 && is_run(terms[0], level)) {
    const int64_t has_before = sum.node != NULL;
    const Entry in[] = { terms[0]->grad, terms[0]->count, sum };
    return build_from(b, op_with_role(ROLE_SUM_TERMS), &has_before, in, sum.node ? 3 : 2);
  }
  Entry term = n > 1 || terms[0]->count.node ? fold(b, terms, n, level + 1) : terms[0]->grad;
  return sum.node ? build_sum(b, sum, term) : term;
}

static void sort_terms(GradTerm **terms, int n, int level) {
  sort_level = level;
  qsort(terms, (size_t)n, sizeof *terms, by_place);
}

/* Sums, from left to right, terms whose users are inside one call of depth `level`. */
static Entry fold(Builder *b, GradTerm **terms, int n, int level) {
  Entry sum = NO_ENTRY;
  sort_terms(terms, n, level);
  for (int i = 0, end; i < n; i = end) {
    end = end_of_call(terms, n, i, level);
    sum = add(b, sum, terms + i, end - i, level);
  }
  return sum;
}

/* Number of outermost calls that contain both a and b. */
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

/* Sums the terms whose users share at most `last` calls with `made_in`, outermost calls first. */
static Entry fold_levels(GradState *s, GradTerm **all, int n, const Scope *made_in, int last) {
  GradTerm **at_level = BUMP_ARRAY(&s->bump, n, GradTerm *);
  Entry outer = NO_ENTRY;
  for (int level = 0; at_level && level <= last; level++) {
    int m = 0;
    for (int k = 0; k < n; k++)
      if (shared_depth(all[k]->scope, made_in) == level) at_level[m++] = all[k];
    if (m == 0) continue;
    Entry inside = fold(s->b, at_level, m, level);
    outer = outer.node ? build_sum(s->b, inside, outer) : inside;
  }
  return outer;
}

static int count_terms(const GradTerm *list) {
  int n = 0;
  for (; list; list = list->next) n++;
  return n;
}

/* A list of terms as an array; NULL if memory ran out. */
static GradTerm **array_of(GradState *s, GradTerm *list, int n) {
  GradTerm **all = BUMP_ARRAY(&s->bump, n, GradTerm *);
  for (int i = 0; all && i < n; i++, list = list->next) all[i] = list;
  return all;
}

static Status sum_terms(GradState *s, GradTerm *list, const Scope *made_in, Entry *out) {
  const int n = count_terms(list);
  *out = n ? list->grad : NO_ENTRY;
  if (n == 0 || (n == 1 && !list->count.node)) return OK;
  GradTerm **all = array_of(s, list, n);
  TRY(s->bump.status);
  *out = fold_levels(s, all, n, made_in, depth(made_in));
  TRY(s->bump.status);
  return s->b->status;
}

/* Lists the terms of a value in the order in which sum_terms adds them: one per call, and runs as they are. `room` has
** two entries per term, and two more. */
static Status list_terms(GradState *s, GradTerm *list, const Scope *made_in, Entry *room, GradTerms *out) {
  const int n = count_terms(list), level = depth(made_in);
  int inside = 0;
  GradTerm **all = array_of(s, list, n), **here = BUMP_ARRAY(&s->bump, n, GradTerm *);
  *out = (GradTerms){ .at = room, .count = room + n + 1 };
  TRY(s->bump.status);
  for (int i = 0; i < n; i++)
    if (shared_depth(all[i]->scope, made_in) == level) here[inside++] = all[i];
  sort_terms(here, inside, level);
  for (int i = 0, end; i < inside; i = end) {
    end = end_of_call(here, inside, i, level);
    if (end == i + 1 && is_none(here[i], level)) continue;
    const bool run = end == i + 1 && is_run(here[i], level);
    out->at[out->n] = run ? here[i]->grad : add(s->b, NO_ENTRY, here + i, end - i, level);
    out->count[out->n++] = run ? here[i]->count : NO_ENTRY;
  }
  const Entry outer = fold_levels(s, all, n, made_in, level - 1);
  if (outer.node) out->at[out->n++] = outer;
  TRY(s->bump.status);
  return s->b->status;
}

void differentiate_free_terms(GradTerms *terms, int n) {
  for (int i = 0; i < n; i++) {
    object_free(terms[i].at);
    terms[i] = (GradTerms){ 0 };
  }
}

/* Adds a term. Integers and booleans have no gradient, since they are step functions. */
static Status add_term(GradState *s, Entry value, GradTerm term) {
  const int at = position(s, value.node);
  if (at < 0 || !s->needed[at] || !dtype_is_float(entry_type(value)->dtype)) return OK;
  GradTerm *t = bump_new(&s->bump, sizeof *t), **list = &s->terms[at][value.index];
  TRY(s->bump.status);
  *t = term;
  t->next = *list;
  *list = t;
  return OK;
}

static Status overwritten(const Node *n, const char *what, Origin where) {
  return fail("backward: %s%s%s: %s was overwritten in place%s%s after it was used; copy it first, or write elsewhere",
              n->op->name, n->origin ? " of " : "", origin_text(n->origin), what, where ? " at " : "",
              origin_text(where));
}

/* On the tape: fails if a value of n that the nodes made since `first` read was overwritten after n ran. */
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

static Status list_all_terms(GradState *s, const Node *n, int at, GradTerms *out) {
  for (int i = 0; i < n->n_out; i++) {
    GradTerm *list = s->terms[at][i];
    Entry *room = BUMP_ARRAY(&s->bump, 2 * (count_terms(list) + 1), Entry);
    TRY(s->bump.status);
    TRY(list_terms(s, list, n->scope, room, &out[i]));
  }
  return OK;
}

/* Builds the terms for the inputs of n, by the operator's grad or through its expansion. */
static Status call_grad(GradState *s, Node *n, int at) {
  if (n->op->grad) {
    GradTerms *terms = n->op->control ? BUMP_ARRAY(&s->bump, n->n_out, GradTerms) : NULL;
    TRY(s->bump.status);
    if (terms) TRY(list_all_terms(s, n, at, terms));
    TRY(n->op->grad(&(Gradient){ .b = s->b,
                                 .node = n,
                                 .out_grad = s->out_grad,
                                 .out_terms = terms,
                                 .in_grad = s->in_grad,
                                 .in_count = s->in_count,
                                 .in_none = s->in_none,
                                 .wanted = s->wanted }));
    return s->b->status;
  }
  Entry same[MOST_DECOMPOSED] = { 0 }, head_grad[MOST_DECOMPOSED];
  const int n_same = op_expand(s->b, n, same);
  int n_heads = 0;
  TRY(s->b->status);
  for (int i = 0; i < n_same; i++) {
    if (!same[i].node || !s->out_grad[i].node) continue;
    same[n_heads] = same[i];
    head_grad[n_heads++] = s->out_grad[i];
  }
  Differentiation d = { .head = same,
                        .head_grad = head_grad,
                        .n_heads = n_heads,
                        .wrt = n->in,
                        .n_wrt = n->n_in,
                        .grad = s->in_grad,
                        .independent = true };
  TRY(differentiate(s->b, &d));
  for (int i = 0; i < n->n_in; i++)          /* one value at two inputs: the first gets the whole gradient */
    for (int k = 0; k < i; k++)
      if (entry_equal(n->in[i], n->in[k])) s->in_grad[i] = NO_ENTRY;
  return OK;
}

/* Notes in the node, if it was made since `first`, that it computes a gradient of op. */
static void note_gradient(const Builder *b, int first, const Node *node, const Op *op) {
  for (int m = first; m < b->n_made && node; m++)
    if (b->made[m] == node && !node->of) b->made[m]->of = op;
}

static Status differentiate_node(GradState *s, Node *n, int at) {
  Builder *b = s->b;
  bool reached = false, any_wanted = false;
  b->origin = n->origin;
  b->scope = n->scope;
  b->train = n->train;
  b->train_requested = n->train_requested;
  for (int i = 0; i < n->n_out; i++) {
    TRY(sum_terms(s, s->terms[at][i], n->scope, &s->out_grad[i]));
    reached = reached || s->out_grad[i].node;
  }
  for (int i = 0; i < n->n_in; i++) {
    const int in_at = position(s, n->in[i].node);
    s->in_grad[i] = s->in_count[i] = NO_ENTRY;
    s->in_none[i] = false;
    s->wanted[i] = in_at >= 0 && s->needed[in_at] && op_differentiable(n->op, i);
    any_wanted = any_wanted || s->wanted[i];
  }
  if (!reached || !any_wanted) return OK;          /* n itself is a value of wrt */
  const int first = b->n_made;
  TRY(call_grad(s, n, at));
  TRY(check_unwritten(b, first, n));
  for (int i = 0; i < n->n_in; i++)
    if (s->wanted[i]) note_gradient(b, first, s->in_grad[i].node, n->op);
  for (int i = 0; i < n->n_in; i++)
    if (s->wanted[i] && s->in_grad[i].node)
      TRY(add_term(s, n->in[i],
                   (GradTerm){ .grad = s->in_grad[i],
                               .count = s->in_count[i],
                               .none = s->in_none[i],
                               .scope = n->scope,
                               .order = n->order,
                               .input = i }));
  return OK;
}

/* Marks the nodes that depend on wrt through inputs with gradients. */
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

static Status allocate_tables(GradState *s) {
  int outputs = 0, most = 0;
  for (int i = 0; i < s->nodes.n; i++) {
    const Node *n = s->nodes.at[i];
    outputs += n->n_out;
    if (n->n_in > most) most = n->n_in;
    if (n->n_out > most) most = n->n_out;
  }
  s->needed = BUMP_ARRAY(&s->bump, s->nodes.n, bool);
  s->terms = BUMP_ARRAY(&s->bump, s->nodes.n, GradTerm **);
  s->out_grad = BUMP_ARRAY(&s->bump, 3 * most, Entry);
  s->wanted = BUMP_ARRAY(&s->bump, 2 * most, bool);
  GradTerm **rows = BUMP_ARRAY(&s->bump, outputs, GradTerm *);
  TRY(s->bump.status);
  s->in_grad = s->out_grad + most;
  s->in_count = s->in_grad + most;
  s->in_none = s->wanted + most;
  for (int i = 0; i < s->nodes.n; i++) {
    s->terms[i] = rows;
    rows += s->nodes.at[i]->n_out;
  }
  return OK;
}

static Status prepare(GradState *s, const Differentiation *d) {
  TRY(nodes_reached(d->head, d->n_heads, enter_dependent, (void *)d, &s->nodes));
  TRY(allocate_tables(s));
  find_needed(s, d);
  for (int i = 0; i < d->n_heads; i++) {
    Entry g = d->head_grad ? d->head_grad[i] : NO_ENTRY;
    if (!g.node) g = build_ones_like(s->b, d->head[i]);
    TRY(s->b->status);
    TRY(add_term(s, d->head[i], (GradTerm){ .grad = g, .order = UINT64_MAX, .input = i }));
  }
  return OK;
}

/* Stores the terms of wrt[i] if they are requested, otherwise their sum. */
static Status put_gradient(GradState *s, const Differentiation *d, int i) {
  const int at = position(s, d->wrt[i].node);
  if (d->grad) d->grad[i] = NO_ENTRY;
  if (at < 0) return OK;
  GradTerm *list = s->terms[at][d->wrt[i].index];
  if (!d->terms) return sum_terms(s, list, d->wrt[i].node->scope, &d->grad[i]);
  Entry *room = object_new(2 * (size_t)(count_terms(list) + 1) * sizeof *room);
  d->terms[i].at = room;
  return room ? list_terms(s, list, d->terms_in, room, &d->terms[i]) : no_memory("gradient");
}

static Status run(GradState *s, const Differentiation *d) {
  TRY(prepare(s, d));
  for (int i = s->nodes.n - 1; i >= 0; i--)
    if (s->needed[i] && s->nodes.at[i]->op && enter_dependent(s->nodes.at[i], (void *)d))
      TRY(differentiate_node(s, s->nodes.at[i], i));
  for (int i = 0; i < d->n_wrt; i++) TRY(put_gradient(s, d, i));
  return OK;
}

Status differentiate(Builder *b, Differentiation *d) {
  GradState s = { .b = b, .bump.purpose = "gradient" };
  const Builder before = *b;
  Status status = run(&s, d);
  bump_free(&s.bump);
  node_list_free(&s.nodes);
  b->origin = before.origin;
  b->scope = before.scope;
  b->train = before.train;
  b->train_requested = before.train_requested;
  return status;
}
