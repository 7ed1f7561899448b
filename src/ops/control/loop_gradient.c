/* loop_gradient.c - gradients of loops and conditions, of every order: _backward_control.
**
** The row is stateless. It reruns the iterations with recording, from the initial values of the control node, and
** differentiates them. The gradient of an input is a run of terms, one for each iteration that read it, because eager
** code sums this way (pass/differentiate.c): each iteration is a block call.
**
** Higher orders. The tape of eager code contains the iterations and their backward pass (B). A walk visits first B and
** then the iterations, and gradients from both are summed for a value of an iteration. So B's gradient has two parts.
** The gradients of B's heads are built when the walk visits B: they may reach the outputs of the control node. The rest
** is built when the walk visits the control node. B passes a node with the gradients of its results to the control
** node's last output, which represents the iterations. The gradient of the control node then differentiates the
** iterations and B together, from the heads of both: a _backward_control with B in `earlier`, which has several above
** the second order.
**
** Bits. Up to the second order one walk visits each value, as in eager code. From the third order the two parts are two
** walks where eager code has one, so sums may be rounded differently. The same holds if the loop returns an array that
** existed before it.
*/
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ir/node_builder.h"
#include "ir/graph/subgraph.h"
#include "ops/control/loop_gradient.h"
#include "ops/common/shape_rules.h"
#include "ops/op_registry.h"

/* ---- The object ------------------------------------------------------------------------------------------ */

static void back_release(void *object) {
  ControlBack *b = object;
  if (__atomic_sub_fetch(&b->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (int i = 0; i < b->n_earlier; i++) back_release(b->earlier[i]);
  params_release(b->params);
  object_free(b);
}

static void *back_retain(void *object) {
  __atomic_fetch_add(&((ControlBack *)object)->refs, 1, __ATOMIC_RELAXED);
  return object;
}

static const ObjectKind back_kind = { .name = "gradient", .retain = back_retain, .release = back_release };

static ControlBack *back_of(const Node *n) {
  const BackParams *p = (const void *)n->params->fields;
  return p->back;
}

/* The capacity of each list. */
typedef struct BackSize { int heads, results, earlier; } BackSize;

static Status back_new(const Op *op, Params *params, int n_in, int n_out, BackSize most, ControlBack **out) {
  static uint64_t born;
  const size_t heads = (size_t)most.heads + 1, results = (size_t)most.results + 1, earlier = (size_t)most.earlier + 1;
  ControlBack *b = object_new(sizeof *b + earlier * sizeof *b->earlier + heads * sizeof *b->head +
                              results * sizeof *b->result + ((size_t)n_in + 1) * sizeof *b->same);
  if (!b) return no_memory("gradient");
  *b = (ControlBack){ .refs = 1,
                      .op = op,
                      .params = params_retain(params),
                      .n_in = n_in,
                      .n_out = n_out,
                      .born = __atomic_add_fetch(&born, 1, __ATOMIC_RELAXED) };
  b->earlier = (ControlBack **)(b + 1);
  b->head = (BackHead *)(b->earlier + earlier);
  b->result = (BackResult *)(b->head + heads);
  b->same = (int *)(b->result + results);
  *out = b;
  return OK;
}

static void add_earlier(ControlBack *b, ControlBack *which) {
  if (control_earlier(b, which) < 0) b->earlier[b->n_earlier++] = back_retain(which);
}

static int by_birth(const void *x, const void *y) {
  const ControlBack *a = *(ControlBack *const *)x, *b = *(ControlBack *const *)y;
  return a->born < b->born ? -1 : a->born > b->born;
}

static void sort_earlier(ControlBack *b) { qsort(b->earlier, (size_t)b->n_earlier, sizeof *b->earlier, by_birth); }

/* Builds a node whose parameter is `back`. */
static Entry back_node(Builder *b, ControlBack *back, const Entry *in, int n_in) {
  return build_from(b, op_with_role(ROLE_CONTROL_BACK), &(BackParams){ back }, in, n_in);
}

/* ---- The number of terms ---------------------------------------------------------------------------------------- */

/* Does the body return one of its inputs unchanged as this output? Then *from is the input's source. */
static bool passes(const Control *c, int g, int output, Source *from) {
  const Graph *body = &c->graph[g]->graph;
  for (int i = 0; i < body->n_input; i++) {
    if (body->out[output].node != body->input[i]) continue;
    *from = c->source[g][i];
    return true;
  }
  return false;
}

/* Extends holds[], the states that may hold input `value` of the node because bodies return states unchanged. Returns
** whether it changed. */
static bool spread(const Control *c, const int *same, int value, bool *holds) {
  bool changed = false;
  for (int s = 0; s < c->n_states; s++) {
    Source from;
    if (holds[s] || !passes(c, c->kind == CONTROL_WHILE, c->n_stacked + s, &from)) continue;
    holds[s] = (from.kind == SOURCE_INPUT && same[from.index] == value) ||
               (from.kind == SOURCE_STATE && (holds[from.index] || same[c->initial[from.index]] == value));
    changed = changed || holds[s];
  }
  return changed;
}

static int64_t count_given(const GradTerms *t) {
  int64_t n = 0;
  for (int k = 0; k < t->n; k++) n += t->count[k].node ? entry_type(t->at[k])->shape.dim[0] : 1;
  return n;
}

/* The most terms that the gradient of input `value` can have: one for iterating over it, one per iteration that reads
** it, and one for each term of an output that is this input. */
static int count_loop_terms(const Control *c, const Gradient *d, const int *same, int value, int64_t length,
                            bool *holds) {
  int64_t n = 0;
  bool every = false, first = false;
  int g = c->kind == CONTROL_WHILE;
  memset(holds, 0, (size_t)c->n_states);
  while (spread(c, same, value, holds));
  for (int i = 0; i < c->graph[g]->graph.n_input; i++) {
    Source s = c->source[g][i];
    every = every || (s.kind == SOURCE_INPUT && same[s.index] == value) || (s.kind == SOURCE_STATE && holds[s.index]);
    first = first || (s.kind == SOURCE_STATE && same[c->initial[s.index]] == value);
  }
  n += every ? length : first;
  for (int i = 0; i < c->n_data; i++) n += same[i] == value;
  for (int i = 0; i < c->n_stacked; i++) {
    Source from;
    if (passes(c, g, i, &from)) n++;
  }
  for (int s = 0; s < c->n_states; s++)
    if (holds[s] || same[c->initial[s]] == value) n += count_given(&d->out_terms[c->n_stacked + s]);
  return (int)(n > INT32_MAX ? INT32_MAX : n);
}

/* A branch is one call and so gives one term. */
static int count_branch_terms(const Control *c, const int *same, int value) {
  for (int g = 1; g < 3; g++)
    for (int i = 0; i < c->graph[g]->graph.n_input; i++)
      if (same[c->source[g][i].index] == value) return 1;
  return 0;
}

/* ---- The gradient of a control node ---------------------------------------------------------------------------- */

/* Lists earlier backward passes over the iterations that have gradients: nodes without results. */
static bool enter_sum(const Node *n, void *context) {
  (void)context;
  return n->op == op_with_role(ROLE_SUM);
}

static Status list_pending(const Gradient *d, NodeList *out) {
  const GradTerms *t = &d->out_terms[d->node->n_out - 1];
  const Op *op = op_with_role(ROLE_CONTROL_BACK);
  int n = 0;
  TRY(nodes_reached(t->at, t->n, enter_sum, NULL, out));
  for (int i = 0; i < out->n; i++)
    if (out->at[i]->op == op) out->at[n++] = out->at[i];
  out->n = n;
  return OK;
}

static BackSize measure(const Gradient *d, const Control *c, const NodeList *pending) {
  BackSize most = { .results = c->n_in };
  for (int i = 0; i < control_outputs(c); i++) most.heads += d->out_terms[i].n + 1;
  for (int i = 0; i < pending->n; i++) {
    most.heads += back_of(pending->at[i])->n_heads;
    most.earlier += back_of(pending->at[i])->n_earlier;
  }
  return most;
}

/* Lists the head gradients by output: for stacked outputs the sums; for states the single terms, because in eager code
** they are terms of values that the iterations use too. */
static int list_heads(ControlBack *b, const Gradient *d, const Control *c, Entry *in) {
  int n = 0;
  for (int i = 0; i < b->n_out; i++) {
    const GradTerms *t = &d->out_terms[i];
    if (i < c->n_stacked && t->n > 0) {
      b->head[b->n_heads++] = (BackHead){ -1, i, false };
      in[n++] = d->out_grad[i];
      continue;
    }
    for (int k = 0; k < t->n; k++) {
      const bool run = t->count[k].node;
      b->head[b->n_heads++] = (BackHead){ -1, i, run };
      in[n++] = t->at[k];
      if (run) in[n++] = t->count[k];
    }
  }
  return n;
}

/* Adds the heads of pending passes, which are results of earlier passes, and then the gradients of earlier passes. */
static int take_pending(ControlBack *b, const NodeList *pending, Entry *in, int n) {
  for (int i = 0; i < pending->n; i++) {
    const ControlBack *p = back_of(pending->at[i]);
    for (int k = 0; k < p->n_earlier; k++) add_earlier(b, p->earlier[k]);
  }
  sort_earlier(b);
  for (int i = 0; i < pending->n; i++) {
    const ControlBack *p = back_of(pending->at[i]);
    for (int k = 0; k < p->n_heads; k++) {
      b->head[b->n_heads++] = (BackHead){ control_earlier(b, p->earlier[p->head[k].of]), p->head[k].output, false };
      in[n++] = pending->at[i]->in[k];
    }
  }
  for (int k = 0; k < b->n_earlier; k++) {
    const ControlBack *e = b->earlier[k];
    for (int i = 0; i < pending->n; i++) {
      const int at = control_earlier(back_of(pending->at[i]), e);
      if (at < 0) continue;
      const Entry *from = pending->at[i]->in + control_back_place(back_of(pending->at[i]), at);
      for (int h = 0; h < control_head_place(e, e->n_heads); h++) in[n++] = from[h];
      break;
    }
  }
  return n;
}

/* Lists the requested gradients, one per distinct value. */
static Status find_results(ControlBack *b, const Gradient *d, const Control *c) {
  bool *holds = object_new((size_t)c->n_states + 1);
  int64_t length = c->kind == CONTROL_FOREACH ? entry_type(d->node->in[0])->shape.dim[0] : c->most;
  if (!holds) return no_memory("gradient");
  for (int i = 0; i < c->n_in; i++) {
    b->same[i] = 0;
    while (!entry_equal(d->node->in[b->same[i]], d->node->in[i])) b->same[i]++;
  }
  for (int i = 0; i < c->n_in; i++) {
    if (!d->wanted[i] || b->same[i] != i || !dtype_is_float(entry_type(d->node->in[i])->dtype)) continue;
    const int most = c->kind == CONTROL_CHOICE ? count_branch_terms(c, b->same, i)
                                               : count_loop_terms(c, d, b->same, i, length, holds);
    if (most > 0) b->result[b->n_results++] = (BackResult){ -1, i, most };
  }
  object_free(holds);
  return OK;
}

static int count_inputs(const ControlBack *b, const Control *c) {
  return control_back_place(b, -1) + b->n_in + c->draws + 1;
}

static Status build_back(Gradient *d, ControlBack *b, const Control *c, const NodeList *pending) {
  const Node *n = d->node;
  int n_in = 2 * n->n_in + 2;
  if (b->n_results == 0) return OK;
  for (int i = 0; i < b->n_out; i++) n_in += 2 * d->out_terms[i].n + 1;
  for (int i = 0; i < pending->n; i++) n_in += pending->at[i]->n_in;
  Entry *in = object_new((size_t)n_in * sizeof *in);
  if (!in) return no_memory("gradient");
  n_in = take_pending(b, pending, in, list_heads(b, d, c, in));
  for (int i = 0, at = b->n_out + c->draws; i < n->n_in; i++)
    in[n_in++] = c->writes[i] ? (Entry){ d->node, at++ } : n->in[i];
  if (c->draws) in[n_in++] = (Entry){ d->node, b->n_out };
  in[n_in++] = (Entry){ d->node, n->n_out - 1 };
  Entry e = back_node(d->b, b, in, n_in);
  for (int r = 0; e.node && r < b->n_results; r++) {
    d->in_grad[b->result[r].at] = entry_output(e, 2 * r);
    d->in_count[b->result[r].at] = entry_output(e, 2 * r + 1);
  }
  object_free(in);
  return d->b->status;
}

/* A loop with a known length of 0 has zero gradients, like a loop that turns out to have no steps. */
static Status build_none(Gradient *d, const ControlBack *b, const Control *c) {
  for (int i = 0; i < c->n_in; i++) {
    if (!d->wanted[i] || !c->carried[i] || b->same[i] != i || d->in_grad[i].node) continue;
    if (!dtype_is_float(entry_type(d->node->in[i])->dtype)) continue;
    d->in_grad[i] = build_zeros_like(d->b, d->node->in[i]);
    d->in_none[i] = true;
  }
  return d->b->status;
}

Status control_back_build(Gradient *d) {
  Control c;
  ControlBack *b = NULL;
  NodeList pending = { 0 };
  TRY(d->node->op->control(d->node->params->fields, &c));
  Status s = list_pending(d, &pending);
  if (s == OK) s = back_new(d->node->op, d->node->params, c.n_in, control_outputs(&c), measure(d, &c, &pending), &b);
  if (s == OK) s = find_results(b, d, &c);
  if (s == OK) s = build_back(d, b, &c, &pending);
  if (s == OK) s = build_none(d, b, &c);
  if (b) back_release(b);
  node_list_free(&pending);
  control_free(&c);
  return s;
}

/* ---- The row ----------------------------------------------------------------------------------------------------- */

static int back_outputs(const Query *q) {
  const ControlBack *b = ((const BackParams *)q->params)->back;
  return b && b->n_results > 0 ? control_back_outputs(b, b->n_results) : 1;
}

static int back_inputs(const Query *q) {
  const ControlBack *b = ((const BackParams *)q->params)->back;
  Control c;
  if (!b || b->op->control(b->params->fields, &c) != OK) return 0;
  const int n = count_inputs(b, &c);
  control_free(&c);
  return n;
}

static Status infer_back(Infer *f) {
  const ControlBack *b = ((const BackParams *)f->params)->back;
  const int inputs = control_back_place(b, -1);
  int at = 0;
  for (int r = 0; r < b->n_results; r++) {
    const BackResult *result = &b->result[r];
    if (result->of >= 0) {
      f->out[at++] = f->in[control_back_place(b, result->of) + control_head_place(b->earlier[result->of], result->at)];
      continue;
    }
    TRY(rows_type(&f->in[inputs + result->at], result->most, &f->out[at++]));
    f->out[at++] = (Type){ .dtype = DT_INT64, .shape = { .ndim = 1, .dim = { 1 } } };
  }
  if (b->n_results == 0) f->out[0] = (Type){ .dtype = DT_FLOAT32, .shape = { .ndim = 1 } };
  return OK;
}

/* Requests the gradients of the node's own heads and of earlier passes' heads, as results of the node that
** differentiates it. */
static void want_heads(const Gradient *d, const ControlBack *self, ControlBack *b) {
  for (int k = 0; k < b->n_earlier; k++) {
    const ControlBack *e = b->earlier[k];
    const int at = e == self ? 0 : control_back_place(self, k);
    for (int h = 0; h < e->n_heads; h++)
      if (d->wanted[at + control_head_place(e, h)]) b->result[b->n_results++] = (BackResult){ k, h, 0 };
  }
}

/* Builds a node whose heads are the results of this one, with their gradients. */
static Entry continue_back(Gradient *d, ControlBack *self, ControlBack *b) {
  const Node *n = d->node;
  const int own = control_head_place(self, self->n_heads), rest = control_back_place(self, -1);
  Entry *in = object_new((size_t)(n->n_in + self->n_results + 1) * sizeof *in), e = NO_ENTRY;
  int n_in = 0;
  if (!in) {
    d->b->status = no_memory("gradient");
    return NO_ENTRY;
  }
  for (int r = 0; r < self->n_results; r++) {
    const Entry g = d->out_grad[control_back_outputs(self, r)];
    if (!g.node) continue;
    b->head[b->n_heads++] = (BackHead){ b->n_earlier - 1, r, false };
    in[n_in++] = g;
  }
  for (int i = own; i < rest; i++) in[n_in++] = n->in[i];
  for (int i = 0; i < own; i++) in[n_in++] = n->in[i];
  for (int i = rest; i < n->n_in; i++) in[n_in++] = n->in[i];
  if (b->n_heads > 0) e = back_node(d->b, b, in, n_in);
  object_free(in);
  return e;
}

static Status back_after(ControlBack *self, ControlBack **out) {
  const BackSize most = { self->n_results, control_back_place(self, -1), self->n_earlier + 1 };
  TRY(back_new(self->op, self->params, self->n_in, self->n_out, most, out));
  memcpy((*out)->same, self->same, (size_t)self->n_in * sizeof *self->same);
  for (int k = 0; k < self->n_earlier; k++) add_earlier(*out, self->earlier[k]);
  add_earlier(*out, self);                       /* the newest */
  return OK;
}

static Status back_grad(Gradient *d) {
  ControlBack *self = back_of(d->node), *heads, *waiting;
  TRY(back_after(self, &heads));
  want_heads(d, self, heads);
  Entry e = heads->n_results > 0 ? continue_back(d, self, heads) : NO_ENTRY;
  for (int r = 0; e.node && r < heads->n_results; r++) {
    const BackResult *result = &heads->result[r];
    const ControlBack *of = heads->earlier[result->of];
    const int at = (of == self ? 0 : control_back_place(self, result->of)) + control_head_place(of, result->at);
    d->in_grad[at] = entry_output(e, r);
  }
  back_release(heads);
  if (!d->wanted[d->node->n_in - 1]) return d->b->status;
  TRY(back_after(self, &waiting));
  d->in_grad[d->node->n_in - 1] = continue_back(d, self, waiting);
  back_release(waiting);
  return d->b->status;
}

/* clang-format off */
Op control_back_ops[] = {
  { .name = "_backward_control",
    .doc = "The gradients of a loop or a condition: for each input a run of terms and their number",
    .inputs = "data...", .params = "back object? None The control node and the requested gradients.\n",
    .params_size = sizeof(BackParams), .object = &back_kind, .n_inputs = back_inputs, .n_outputs = back_outputs,
    .flags = OP_INTERNAL, .role = ROLE_CONTROL_BACK, .infer = infer_back, .grad = back_grad },
  { .name = NULL },
};
/* clang-format on */
