/* infer_types.c - type inference, for one operator and for a whole graph.
**
** An operator's infer derives outputs from inputs, and completes inputs from parameters and outputs (a weight's shape
** from num_hidden and the data's shape). In a graph it is applied forwards, and backwards while types are unknown,
** until a round learns nothing new. Guesses, if requested, come after that.
*/
#include <stdbool.h>
#include <string.h>

#include "ir/graph/graph.h"

/* Does the error text begin with this name, up to the name's first colon? */
static bool begins_with(const char *name) {
  size_t length = name ? strcspn(name, ":") : 0;
  return name && strncmp(status_text(), name, length) == 0 && status_text()[length] == ':';
}

/* Does it begin with one of these words? */
static bool begins_with_one(const char *names) {
  size_t length = strcspn(status_text(), ":"), n;
  for (const char *at = names ? names : ""; *at; at += n + (at[n] == ' ')) {
    n = strcspn(at, " ");
    if (n == length && strncmp(status_text(), at, n) == 0) return true;
  }
  return false;
}

static Status infer_call(const Op *op, const Params *p, Type *in, int n_in, Type *out, int n_out, bool guess) {
  Infer call = { .op = op, .params = p->fields, .in = in, .out = out, .n_in = n_in, .n_out = n_out, .guess = guess };
  Status s = op->infer(&call);
  bool named = s == E_INPUT &&
               (begins_with(op->name) || begins_with(op_check(op, p->fields)) || begins_with_one(op->error_name));
  if (s == E_INPUT && !named) return fail_within(s, "%s", op->name);
  if (s != OK) return s;
  for (int i = 0; i < n_out; i++)
    if (shape_known(&out[i].shape)) TRY(shape_check(&out[i].shape, op->name));
  return OK;
}

Status op_infer(const Op *op, const Params *p, Type *in, int n_in, Type *out, int n_out) {
  return infer_call(op, p, in, n_in, out, n_out, false);
}

/* Lists the types of the inputs, then the known types of the outputs. */
static Status types_around(const Node *n, TypeList *list) {
  TRY(types_new(list, n->n_in + n->n_out));
  for (int i = 0; i < n->n_in; i++) list->at[i] = *entry_type(n->in[i]);
  memcpy(list->at + n->n_in, n->type, n->n_out * sizeof *n->type);
  return OK;
}

Status node_infer(Node *n) {
  TypeList types FREED_BY(types_free);
  TRY(types_around(n, &types));
  return op_infer(n->op, n->params, types.at, n->n_in, n->type, n->n_out);
}

/* Applies one node's inference. *learned is set if a type changed. */
static Status infer_around(Node *n, bool guess, bool *learned) {
  TypeList types FREED_BY(types_free);
  TRY(types_around(n, &types));
  const Type *before = types.at + n->n_in;
  Status s = infer_call(n->op, n->params, types.at, n->n_in, n->type, n->n_out, guess);
  for (int i = 0; i < n->n_in && s == OK; i++) {
    Type *known = entry_type(n->in[i]);
    if (type_equal(known, &types.at[i])) continue;
    *known = types.at[i];
    *learned = true;
  }
  for (int i = 0; i < n->n_out; i++)
    if (!type_equal(&before[i], &n->type[i])) *learned = true;
  if (s == E_INPUT)
    fail_append(s, n->origin ? " (node %s of %s)" : " (node %s)", n->name ? n->name : n->op->name,
                origin_text(n->origin));
  return s;
}

Status graph_infer(Graph *g) {
  enum { MOST_ROUNDS = 64 };
  for (int round = 0; round < MOST_ROUNDS; round++) {
    bool learned = false;
    for (int i = 0; i < g->n_nodes; i++)
      if (g->node[i]->op) TRY(infer_around(g->node[i], false, &learned));
    if (!graph_unknown(g)) return OK;
    if (round > 0 && !learned) return OK;
    learned = false;
    for (int i = g->n_nodes - 1; i >= 0; i--)
      if (g->node[i]->op) TRY(infer_around(g->node[i], false, &learned));
    if (!learned) return OK;
  }
  return OK;
}

/* ---- Guesses ---------------------------------------------------------------------------------- */

/* Fills in unknown dimensions of a shape from another, aligned at the last axis; true if any was filled in. */
static bool fill_in(Shape *s, const Shape *from) {
  bool filled = false;
  if (from->ndim < 0) return false;
  if (s->ndim < 0) {
    *s = *from;
    return true;
  }
  for (int i = s->ndim - 1, k = from->ndim - 1; i >= 0 && k >= 0; i--, k--) {
    if (s->dim[i] >= 0 || from->dim[k] < 0) continue;
    s->dim[i] = from->dim[k];
    filled = true;
  }
  return filled;
}

/* Operands of a Lua operator such as a + b usually broadcast; here their unknown dimensions come from the result, else
** from the other operand. */
static bool guess_operands(Node *n) {
  if (!n->op || n->n_in != 2 || !n->op->metamethod) return false;
  Shape *a = &entry_type(n->in[0])->shape, *b = &entry_type(n->in[1])->shape, *out = &n->type[0].shape;
  const bool from_result = fill_in(a, out) | fill_in(b, out);
  return (fill_in(a, b) | fill_in(b, a)) || from_result;
}

Status graph_infer_guessing(Graph *g) {
  for (;;) {
    bool guessed = false;
    TRY(graph_infer(g));
    if (!graph_unknown(g)) return OK;
    for (int i = 0; i < g->n_nodes && !guessed; i++) {
      Node *n = g->node[i];
      guessed = guess_operands(n);
      if (n->op && n->op->control) TRY(infer_around(n, true, &guessed));
    }
    if (!guessed) return OK;
  }
}

const Node *graph_unknown(const Graph *g) {
  for (int i = 0; i < g->n_nodes; i++)
    for (int k = 0; k < g->node[i]->n_out; k++)
      if (!type_known(&g->node[i]->type[k])) return g->node[i];
  return NULL;
}
