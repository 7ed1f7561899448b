/* iterations.c - see iterations.h. */
#include "exec/tape/iterations.h"

#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "exec/eager/eager_call.h"
#include "state/engine.h"
#include "exec/tape/call_compiled.h"

/* ---- Compiled subgraphs -------------------------------------------------------------------------- */

static void body_free(void *body) {
  Body *b = body;
  if (b) compiled_release(b->c);
  object_free(b);
}

/* Lists the outputs that are not inputs, each value once, as outputs of the compiled function. */
static Status find_outputs(const Graph *g, Body *b, Entry *computed, int *n) {
  int *input;
  TRY(graph_number_inputs(g, &input));
  for (int i = 0; i < g->n_out; i++) {
    int from = input[g->out[i].node->at], at = entry_find(computed, *n, g->out[i]);
    b->output[i] = from >= 0 ? -1 - from : at;
    if (from >= 0) continue;
    computed[at] = g->out[i];
    if (at == *n) ++*n;
  }
  object_free(input);
  return OK;
}

static bool has_gradient(const Node *n, int input) {
  return n->record_requested != MODE_OFF && op_differentiable(n->op, input);
}

static Status find_dependents(Body *b) {
  const Graph *g = &b->c->graph;
  uint64_t *leads;
  TRY(graph_leads(g, has_gradient, &leads));
  for (int i = 0; i < g->n_input; i++) b->dependents[i] = leads[g->input[i]->at];
  object_free(leads);
  return OK;
}

static Status list_effects(const Graph *g, NodeList *out) {
  for (int i = 0; i < g->n_nodes; i++)
    if (g->node[i]->op && node_effects_ever(g->node[i])) TRY(node_list_add(out, g->node[i]));
  return OK;
}

static Status compile_body(const Subgraph *s, Body *b) {
  enum { MOST_SPECIALIZATIONS = 64 };
  const Graph *g = &s->graph;
  Scope *scope = engine_now()->scope;
  BUMP(memory, "subgraph");
  NodeList effects FREED_BY(node_list_free) = { 0 };
  Entry *computed = BUMP_ARRAY(&memory, g->n_out, Entry);
  int n = 0;
  TRY(memory.status);
  TRY(list_effects(g, &effects));
  TRY(find_outputs(g, b, computed, &n));
  b->idle = n == 0 && effects.n == 0;
  engine_now()->scope = s->outer;
  const Status status = compiled_new(s->name, computed, n, g->input, g->n_input, &effects, MOST_SPECIALIZATIONS, &b->c);
  engine_now()->scope = scope;
  return status == OK ? find_dependents(b) : status;
}

static Status body_new(Subgraph *s) {
  const size_t inputs = (size_t)s->graph.n_input, outputs = (size_t)s->graph.n_out;
  Body *b = object_new(sizeof *b + inputs * sizeof *b->dependents + outputs * sizeof *b->output);
  if (!b) return no_memory("subgraph");
  b->dependents = (uint64_t *)(b + 1);
  b->output = (int *)(b->dependents + inputs);
  const Status status = compile_body(s, b);
  s->compiled = status == OK ? b : NULL;
  s->free_compiled = body_free;
  if (status != OK) body_free(b);
  return status;
}

/* Returns the Body of g, which the first caller compiles. */
static Status body_of(Subgraph *g, Body **out) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  const Status s = g->compiled ? OK : body_new(g);
  *out = g->compiled;
  pthread_mutex_unlock(&lock);
  return s;
}

/* ---- Life ------------------------------------------------------------------------------------------ */

Status iterations_new(Iterations *l, const Control *c, Array *const *in) {
  const int64_t length = c->kind == CONTROL_FOREACH ? in[0]->t.type.shape.dim[0]
                         : c->kind == CONTROL_WHILE ? c->most
                                                    : 1;
  int inputs = 0, outputs = 0;
  *l = (Iterations){ .c = c, .in = in, .length = length, .memory = { .purpose = "loop" } };
  for (int g = 0; g < c->n_graphs; g++) {
    const Graph *graph = &c->graph[g]->graph;
    TRY(body_of(c->graph[g], &l->body[g]));
    inputs = graph->n_input > inputs ? graph->n_input : inputs;
    outputs = graph->n_out > outputs ? graph->n_out : outputs;
  }
  l->state = BUMP_ARRAY(&l->memory, c->n_states, Array);
  l->next = BUMP_ARRAY(&l->memory, c->n_states, Array);
  l->views = BUMP_ARRAY(&l->memory, c->n_data, Array);
  l->made = BUMP_ARRAY(&l->memory, outputs, Array);
  l->arg = BUMP_ARRAY(&l->memory, inputs, Array *);
  TRY(l->memory.status);
  for (int s = 0; s < c->n_states && c->kind != CONTROL_CHOICE; s++) l->state[s] = array_share(in[c->initial[s]]);
  return OK;
}

void iterations_free(Iterations *l) {
  array_release_all(l->state, l->c->n_states);
  array_release_all(l->views, l->c->n_data);
  array_release_all(l->item, l->c->n_data * l->length);
  array_release_all(l->row, l->c->n_stacked * l->length);
  bump_free(&l->memory);
}

/* ---- Iterations ------------------------------------------------------------------------------------ */

Status iterations_scope_begin(const Iterations *l, const char *path, Scope **outer) {
  Engine *e = engine_now();
  Scope *s = scope_new(e->scope, path);
  if (!s) return no_memory("block call");
  if (l->order) s->order = l->order + (uint64_t)l->c->n_data;
  *outer = e->scope;
  e->scope = s;
  return OK;
}

void iterations_scope_end(Scope *outer) {
  Engine *e = engine_now();
  scope_release(e->scope);
  e->scope = outer;
}

Status iterations_call(Role role, const void *fields, Array *const *in, int n_in, Array *out) {
  const Op *op = op_with_role(role);
  Params *p;
  TRY(params_from(op, fields, &p));
  Status s = eager_call(op, p, in, n_in, 0, out);
  params_release(p);
  return s;
}

Type iterations_row_type(const Type *whole) {
  Type row = *whole;
  row.shape.ndim--;
  memmove(row.shape.dim, row.shape.dim + 1, (size_t)row.shape.ndim * sizeof *row.shape.dim);
  return row;
}

/* The array for an input of iteration t. */
static Array *fill(Iterations *l, Source s, int64_t t) {
  if (s.kind == SOURCE_INPUT) return l->in[s.index];
  if (s.kind == SOURCE_STATE) return &l->state[s.index];
  if (l->item && l->item[s.index * l->length + t].t.data) return &l->item[s.index * l->length + t];
  const Tensor *whole = &l->in[s.index]->t;
  const Type row = iterations_row_type(&whole->type);
  array_release(&l->views[s.index]);
  l->views[s.index].t = tensor_view(whole, &row, (size_t)t * type_bytes(&row));
  return &l->views[s.index];
}

/* Runs graph g once; l->made are its outputs, for the caller to release. */
static Status run_graph(Iterations *l, int g, int64_t t) {
  const Body *b = l->body[g];
  for (int i = 0; i < l->c->graph[g]->graph.n_input; i++) l->arg[i] = fill(l, l->c->source[g][i], t);
  return b->idle ? OK : call_compiled(b->c, l->arg, 0, NULL, l->made);
}

static Array output_of(const Iterations *l, int g, int i) {
  int at = l->body[g]->output[i];
  return array_share(at >= 0 ? &l->made[at] : l->arg[-1 - at]);
}

static void free_made(Iterations *l, int g) { array_release_all(l->made, l->body[g]->c->graph.n_out); }

/* Stores an output of iteration t as row t. */
static void keep_row(Iterations *l, int i, int64_t t, Array *a) {
  if (l->row) {
    l->row[i * l->length + t] = *a;
    return;
  }
  size_t bytes = tensor_bytes(&a->t);
  if (l->to[i]->data) memcpy((char *)l->to[i]->data + (size_t)t * bytes, a->t.data, bytes);
  array_release(a);
}

/* Announces the head gradients of iteration t in backward, so that the call has a specialization for them. */
static void expect_heads(const Iterations *l, int g, int64_t t) {
  if (!l->heads) return;
  int64_t from_last = l->c->kind == CONTROL_FOREACH ? l->length - 1 - t : l->n_heads - 1;
  l->body[g]->c->expected_heads = l->heads[from_last < l->n_heads ? from_last : l->n_heads - 1];
}

/* Copies the results of a branch inside its call, as eager code does, so that they are new arrays. */
static Status copy_results(Iterations *l, int g) {
  const Control *c = l->c;
  Status s = OK;
  for (int i = 0; i < c->n_states && s == OK; i++) {
    Array given = output_of(l, g, i), *in = &given;
    s = iterations_call(ROLE_COPY, NULL, &in, 1, &l->next[i]);
    array_release(&given);
    if (s != OK) array_release_all(l->next, i);
  }
  return s;
}

static Status iterate(Iterations *l, int g, int64_t t) {
  const Control *c = l->c;
  Scope *outer = NULL;
  expect_heads(l, g, t);
  TRY(iterations_scope_begin(l, c->graph[g]->name, &outer));
  bool copies = c->kind == CONTROL_CHOICE && engine_now()->mode.recording;
  Status s = run_graph(l, g, t);
  if (s == OK && copies) s = copy_results(l, g);
  iterations_scope_end(outer);
  TRY(s);
  for (int i = 0; i < c->n_stacked; i++) {
    Array row = output_of(l, g, i);
    keep_row(l, i, t, &row);
  }
  for (int i = 0; i < c->n_states && !copies; i++) l->next[i] = output_of(l, g, c->n_stacked + i);
  for (int i = 0; i < c->n_states; i++) {
    array_release(&l->state[i]);
    l->state[i] = l->next[i];
  }
  free_made(l, g);
  l->steps = t + 1;
  return OK;
}

/* Runs graph 0, a condition. */
static Status is_true(Iterations *l, bool *truth) {
  bool recording = engine_now()->mode.recording;
  engine_now()->mode.recording = false;
  Status s = run_graph(l, 0, 0);
  engine_now()->mode.recording = recording;
  TRY(s);
  Array a = output_of(l, 0, 0);
  *truth = tensor_get(&a.t, 0) != 0;
  array_release(&a);
  free_made(l, 0);
  return OK;
}

Status iterations_run(Iterations *l) {
  bool goes_on = true;
  if (l->c->kind == CONTROL_CHOICE) {
    TRY(is_true(l, &goes_on));
    return iterate(l, goes_on ? 1 : 2, 0);
  }
  for (int64_t t = 0; t < l->length; t++) {
    if (l->c->kind == CONTROL_WHILE) TRY(is_true(l, &goes_on));
    if (!goes_on) return OK;
    TRY(iterate(l, l->c->kind == CONTROL_WHILE, t));
  }
  return OK;
}
