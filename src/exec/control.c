/* control.c - the engine under loops and conditions: subgraphs run as compiled graphs.
**
** A subgraph becomes a Compiled of its own, so each way in which it runs (types, modes, gradients) has a plan,
** and it is fused and planned as any compiled graph. An iteration is one call of it.
**
** The gradient runs the iterations again, recorded, from what forward found, and goes back over this tape.
** It hands out the terms of each gradient unsummed: those who build gradients add them to what comes before
** (pass/grad.c), and so the sums are the ones that eager code makes, where each iteration is a block call.
** Stacking the outputs is a block call of its own too, since it stands behind all iterations.
*/
#include "exec/control.h"

#include <pthread.h>
#include <string.h>

#include "base/memory.h"
#include "exec/apart.h"
#include "exec/eager.h"
#include "exec/tape.h"
#include "pass/grad.h"

/* ---- A subgraph, compiled ------------------------------------------------------------------------ */

typedef struct Body {
  Compiled *c;
  int *output;               /* by output of the subgraph: which of c's; -1 - i: the subgraph's input i as it is */
  uint64_t *reach;           /* by input: which outputs of c its gradient comes from */
  bool idle;                 /* computes nothing and has no effect */
} Body;

static void body_free(void *body) {
  Body *b = body;
  if (!b) return;
  compiled_release(b->c);
  object_free(b->output);
  object_free(b->reach);
  object_free(b);
}

/* The values that are computed, each once. */
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
  return n->record_asked != ASKED_OFF && op_differentiable(n->op, input);
}

/* What each input leads to by nodes that have gradients. */
static Status find_reach(Body *b) {
  const Graph *g = &b->c->graph;
  uint64_t *leads;
  TRY(graph_leads(g, has_gradient, &leads));
  for (int i = 0; i < g->n_input; i++) b->reach[i] = leads[g->input[i]->at];
  object_free(leads);
  return OK;
}

static Status list_effects(const Graph *g, NodeList *out) {
  for (int i = 0; i < g->n_nodes; i++)
    if (g->node[i]->op && node_effects_ever(g->node[i])) TRY(node_list_add(out, g->node[i]));
  return OK;
}

static Status compile_body(const Subgraph *s, Body *b) {
  enum { MOST_PLANS = 64 };
  const Graph *g = &s->graph;
  NodeList effects = { 0 };
  Scope *scope = scope_now;
  b->output = object_new((size_t)(g->n_out + 1) * sizeof *b->output);
  b->reach = object_new((size_t)(g->n_input + 1) * sizeof *b->reach);
  Entry *computed = object_new((size_t)(g->n_out + 1) * sizeof *computed);
  Status status = b->output && b->reach && computed ? list_effects(g, &effects) : no_memory("subgraph");
  int n = 0;
  if (status == OK) status = find_outputs(g, b, computed, &n);
  if (status == OK) {
    b->idle = n == 0 && effects.n == 0;
    scope_now = s->outer;
    status = compiled_new(s->name, computed, n, g->input, g->n_input, &effects, MOST_PLANS, &b->c);
    scope_now = scope;
  }
  if (status == OK) status = find_reach(b);
  node_list_free(&effects);
  object_free(computed);
  return status;
}

/* Made once, whoever runs it first. */
static Status body_of(Subgraph *g, Body **out) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Status s = OK;
  pthread_mutex_lock(&lock);
  if (!g->compiled) {
    Body *b = object_new(sizeof *b);
    s = b ? compile_body(g, b) : no_memory("subgraph");
    if (s == OK) {
      g->compiled = b;
      g->let_go = body_free;
    } else {
      body_free(b);
    }
  }
  *out = g->compiled;
  pthread_mutex_unlock(&lock);
  return s;
}

/* ---- Iterations ------------------------------------------------------------------------------------ */

static Array array_share(const Array *a) { return (Array){ tensor_share(&a->t), node_retain(a->node), a->index }; }

typedef struct Loop {
  const Control *c;
  Body *body[MOST_SUBGRAPHS];
  Array *const *in;          /* of the node */
  int64_t length;            /* items; as many iterations as there can be */
  Array *item;               /* [data][length], where they are on the tape */
  Array *state, *next;
  Array *made, **arg;        /* of the call under way: outputs, inputs */
  Array *views;              /* by data: the item, where it is not on the tape */
  Tensor *const *to;         /* where rows of the stacked outputs go, or NULL: */
  Array *row;                /* [output][length] */
  int64_t steps;             /* iterations made */
  uint64_t place;            /* in the order, of what takes each of the data to rows, and then of all scopes; 0: as they
                             ** come */
  const uint64_t *heads;     /* which outputs of the body will have gradients: in the last iteration,
                             ** the one before...; or NULL */
  int n_heads;
  void *room;
} Loop;

static Status loop_new(Loop *l, const Control *c, Array *const *in, int64_t length) {
  size_t outputs = (size_t)control_body(c)->graph.n_out, inputs = 0;
  *l = (Loop){ .c = c, .in = in, .length = length };
  for (int g = 0; g < c->n_graphs; g++) {
    TRY(body_of(c->graph[g], &l->body[g]));
    if ((size_t)c->graph[g]->graph.n_input > inputs) inputs = (size_t)c->graph[g]->graph.n_input;
    if ((size_t)c->graph[g]->graph.n_out > outputs) outputs = (size_t)c->graph[g]->graph.n_out;
  }
  size_t states = (size_t)c->n_states + 1, data = (size_t)c->n_data + 1;
  l->room = object_new((2 * states + outputs + 1 + data) * sizeof(Array) + (inputs + 1) * sizeof(Array *));
  if (!l->room) return no_memory("loop");
  l->state = l->room;
  l->next = l->state + states;
  l->made = l->next + states;
  l->views = l->made + outputs + 1;
  l->arg = (Array **)(l->views + data);
  for (int s = 0; s < c->n_states && c->kind != CONTROL_CHOICE; s++) l->state[s] = array_share(in[c->initial[s]]);
  return OK;
}

static void release_all(Array *a, int64_t n) {
  for (int64_t i = 0; a && i < n; i++) array_release(&a[i]);
}

static void loop_free(Loop *l) {
  if (l->room) release_all(l->state, l->c->n_states);
  if (l->room) release_all(l->views, l->c->n_data);
  release_all(l->item, l->c->n_data * l->length);
  release_all(l->row, l->c->n_stacked * l->length);
  object_free(l->item);
  object_free(l->row);
  object_free(l->room);
}

static Status scope_begin(const Loop *l, const char *path, Scope **outer) {
  Scope *s = scope_new(scope_now, path);
  if (!s) return no_memory("block call");
  if (l->place) s->order = l->place + (uint64_t)l->c->n_data;
  *outer = scope_now;
  scope_now = s;
  return OK;
}

static void scope_end(Scope *outer) {
  scope_release(scope_now);
  scope_now = outer;
}

/* The array that fills an input, at iteration t. */
static Array *fill(Loop *l, Source s, int64_t t) {
  if (s.kind == SOURCE_INPUT) return l->in[s.index];
  if (s.kind == SOURCE_STATE) return &l->state[s.index];
  if (l->item && l->item[s.index * l->length + t].t.data) return &l->item[s.index * l->length + t];
  const Tensor *whole = &l->in[s.index]->t;
  Type row = whole->type;
  row.shape.ndim--;
  memmove(row.shape.dim, row.shape.dim + 1, (size_t)row.shape.ndim * sizeof *row.shape.dim);
  array_release(&l->views[s.index]);
  l->views[s.index].t = tensor_view(whole, &row, (size_t)t * type_bytes(&row));
  return &l->views[s.index];
}

/* Runs graph g once; its outputs are in l->made, to be released. */
static Status run_graph(Loop *l, int g, int64_t t) {
  const Body *b = l->body[g];
  for (int i = 0; i < l->c->graph[g]->graph.n_input; i++) l->arg[i] = fill(l, l->c->source[g][i], t);
  return b->idle ? OK : compiled_call(b->c, l->arg, 0, l->made);
}

static Array output_of(const Loop *l, int g, int i) {
  int at = l->body[g]->output[i];
  return array_share(at >= 0 ? &l->made[at] : l->arg[-1 - at]);
}

static void let_made_go(Loop *l, int g) { release_all(l->made, l->body[g]->c->graph.n_out); }

/* One output of iteration t to its place. */
static void keep_row(Loop *l, int i, int64_t t, Array *a) {
  if (l->row) {
    l->row[i * l->length + t] = *a;
    return;
  }
  size_t bytes = tensor_bytes(&a->t);
  memcpy((char *)l->to[i]->data + (size_t)t * bytes, a->t.data, bytes);
  array_release(a);
}

/* What the backward of iteration t will be given, so that the call is planned for it. */
static void expect_heads(const Loop *l, int g, int64_t t) {
  if (!l->heads) return;
  int64_t from_last = l->c->kind == CONTROL_FOREACH ? l->length - 1 - t : l->n_heads - 1;
  l->body[g]->c->expected_heads = l->heads[from_last < l->n_heads ? from_last : l->n_heads - 1];
}

static Status call_with(const Op *op, const void *fields, Array *const *in, int n_in, Array *out) {
  Params *p;
  TRY(params_from(op, fields, &p));
  Status s = eager_call(op, p, in, n_in, 0, out);
  params_release(p);
  return s;
}

/* What a branch gives, as arrays of its own, made in its call: eager code has them so. */
static Status copy_results(Loop *l, int g) {
  const Control *c = l->c;
  Status s = OK;
  for (int i = 0; i < c->n_states && s == OK; i++) {
    Array given = output_of(l, g, i), *in = &given;
    s = call_with(op_with_role(ROLE_COPY), NULL, &in, 1, &l->next[i]);
    array_release(&given);
    if (s != OK) release_all(l->next, i);
  }
  return s;
}

static Status iterate(Loop *l, int g, int64_t t) {
  const Control *c = l->c;
  Scope *outer = NULL;
  expect_heads(l, g, t);
  TRY(scope_begin(l, c->graph[g]->name, &outer));
  bool copies = c->kind == CONTROL_CHOICE && mode_now.recording;
  Status s = run_graph(l, g, t);
  if (s == OK && copies) s = copy_results(l, g);
  scope_end(outer);
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
  let_made_go(l, g);
  l->steps = t + 1;
  return OK;
}

/* Runs graph 0 for its truth. */
static Status is_true(Loop *l, bool *truth) {
  bool recording = mode_now.recording;
  mode_now.recording = false;
  Status s = run_graph(l, 0, 0);
  mode_now.recording = recording;
  TRY(s);
  Array a = output_of(l, 0, 0);
  *truth = tensor_get(&a.t, 0) != 0;
  array_release(&a);
  let_made_go(l, 0);
  return OK;
}

static Status run_loop(Loop *l) {
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

static int64_t length_of(const Control *c, const Type *data) {
  return c->kind == CONTROL_FOREACH ? data->shape.dim[0] : c->kind == CONTROL_WHILE ? c->most : 1;
}

/* ---- Recorded ----------------------------------------------------------------------------------------- */

/* Data on the tape are taken to rows by one operator. */
static Status unstack(Loop *l, int data) {
  for (int64_t t = 0; t < l->length; ) {
    int64_t n = l->length - t < UINT16_MAX ? l->length - t : UINT16_MAX;
    Array *in = l->in[data], *rows = &l->item[data * l->length + t];
    TRY(call_with(op_with_role(ROLE_UNSTACK), &(UnstackParams){ t, n }, &in, 1, rows));
    if (l->place && rows->node) rows->node->order = l->place + (uint64_t)data;
    t += n;
  }
  return OK;
}

static Status unstack_all(Loop *l) {
  size_t n = (size_t)l->c->n_data * (size_t)l->length;
  l->item = object_new((n + 1) * sizeof *l->item);
  l->row = object_new(((size_t)l->c->n_stacked * (size_t)l->length + 1) * sizeof *l->row);
  if (!l->item || !l->row) return no_memory("loop");
  for (int i = 0; i < l->c->n_data; i++) if (l->in[i]->node) TRY(unstack(l, i));
  return OK;
}

/* The rows of output i, one on top of the other. */
static Status stack(Loop *l, int i, const Type *type, Array *out) {
  Scope *outer = NULL;
  *out = (Array){ 0 };
  if (l->steps == 0) return tensor_zeros(type, 0, &out->t);
  Array **row = object_new((size_t)l->steps * sizeof *row);
  if (!row) return no_memory("loop");
  for (int64_t t = 0; t < l->steps; t++) row[t] = &l->row[i * l->length + t];
  PutRowsParams p = { .num_args = l->steps, .length = l->length, .rows.count = -1 };
  Status s = scope_begin(l, "stack", &outer);
  if (s == OK) {
    s = call_with(op_with_role(ROLE_PUT_ROWS), &p, row, (int)l->steps, out);
    scope_end(outer);
  }
  object_free(row);
  return s;
}

static Status unroll(Loop *l, const Type *type, Array *out) {
  const Control *c = l->c;
  TRY(unstack_all(l));
  TRY(run_loop(l));
  int made = 0;
  Status s = OK;
  for (; made < c->n_stacked && s == OK; made++) s = stack(l, made, &type[made], &out[made]);
  if (s != OK) { release_all(out, made); return s; }
  for (int i = 0; i < c->n_states; i++) out[c->n_stacked + i] = array_share(&l->state[i]);
  return OK;
}

static bool is_unrolled(const Node *n, void *loop) {
  const Loop *l = loop;
  for (int i = 0; i < l->c->n_in; i++) if (l->in[i]->node == n) return false;
  return true;
}

/* The inputs on the tape that an output comes from by the graphs, but by no iteration that was made; their number. */
static Status list_unread(Loop *l, const Array *out, Array **unread, int *n) {
  NodeList reached = { 0 };
  Entry e = array_entry(out);
  Status s = out->node ? nodes_reached(&e, 1, is_unrolled, l, &reached) : OK;
  *n = 0;
  for (int i = 0; s == OK && i < l->c->n_in; i++)
    if (l->c->carried[i] && l->in[i]->node && (!out->node || node_list_find(&reached, l->in[i]->node) < 0))
      unread[(*n)++] = l->in[i];
  node_list_free(&reached);
  return s;
}

/* An output is on the tape, and gives gradients, whatever steps were made: so it was when the loop was one node. In
** the order this comes behind the iterations. */
static Status tie(Loop *l, uint64_t order, Array *out) {
  Array **in = object_new((size_t)(l->c->n_in + 1) * sizeof *in), tied;
  int n;
  if (!in) return no_memory("loop");
  in[0] = out;
  Status s = list_unread(l, out, in + 1, &n);
  if (s == OK && n > 0) {
    s = call_with(op_with_role(ROLE_ALSO_FROM), &(int64_t){ n + 1 }, in, n + 1, &tied);
    if (s == OK) {
      tied.node->order = order;
      array_release(out);
      *out = tied;
    }
  }
  object_free(in);
  return s;
}

static Status tie_all(Loop *l, uint64_t order, Array *out) {
  const int n = control_outputs(l->c);
  Status s = OK;
  for (int i = 0; i < n && s == OK; i++) s = tie(l, order, &out[i]);
  if (s != OK) release_all(out, n);
  return s;
}

Status control_unroll(const Control *how, Array *const *in, const Type *type, uint64_t place, Array *out) {
  Loop l;
  Status s = loop_new(&l, how, in, length_of(how, how->n_data ? &in[0]->t.type : NULL));
  l.place = place;
  if (s == OK) s = unroll(&l, type, out);
  if (s == OK && mode_now.recording) s = tie_all(&l, place + (uint64_t)how->n_in, out);
  loop_free(&l);
  return s;
}

/* ---- The kernels' surroundings ------------------------------------------------------------------------- */

/* Operands of a kernel as arrays. They lie where the program has them, in its arena or in arrays of the
** script: a storage that nobody frees stands for that memory during the call. */
typedef struct Operands { Array *array; Array **in; Storage *storage; void *room; } Operands;

static Status operands_new(const Tensor *const *in, int n, Operands *o) {
  size_t count = (size_t)n + 1;
  *o = (Operands){ .room = object_new(count * (sizeof *o->array + sizeof *o->in + sizeof *o->storage)) };
  if (!o->room) return no_memory("loop");
  o->array = o->room;
  o->in = (Array **)(o->array + count);
  o->storage = (Storage *)(o->in + count);
  for (int i = 0; i < n; i++) {
    o->storage[i] = (Storage){ .refs = 1 << 30 };
    o->array[i].t = (Tensor){ &o->storage[i], in[i]->data, in[i]->type };
    o->in[i] = &o->array[i];
  }
  return OK;
}

/* The modes in which subgraphs run, and those of the thread around. */
typedef struct Surroundings { Mode mode; Scope *scope; } Surroundings;

static Surroundings surroundings_enter(bool recording, bool train) {
  Surroundings around = { mode_now, scope_now };
  mode_now = (Mode){ .recording = recording, .train = train, .carried = CARRIED_CUT, .origin = around.mode.origin };
  scope_now = NULL;
  return around;
}

static void surroundings_leave(const Surroundings *around) {
  mode_now = around->mode;
  scope_now = around->scope;
}

/* ---- Forward ------------------------------------------------------------------------------------------- */

/* Hidden outputs, from how things are before. */
static void keep_before(Call *call, const Control *c) {
  int at = control_outputs(c);
  RandomState random = random_state();
  if (c->draws) memcpy(call->out[at++]->data, &random, sizeof random);
  for (int i = 0; i < c->n_in; i++) {
    if (!c->writes[i]) continue;
    memcpy(call->out[at]->data, call->in[i]->data, tensor_bytes(call->in[i]));
    at++;
  }
}

/* A call that failed has written nothing. */
static void put_back(Call *call, const Control *c) {
  int at = control_outputs(c) + c->draws;
  for (int i = 0; i < c->n_in; i++) {
    if (!c->writes[i]) continue;
    memcpy(call->in[i]->data, call->out[at]->data, tensor_bytes(call->in[i]));
    at++;
  }
}

static Status run_forward(Call *call, const Control *c, Loop *l) {
  TRY(run_loop(l));
  for (int i = 0; i < c->n_stacked; i++) {
    size_t bytes = tensor_bytes(call->out[i]), used = l->length ? bytes / (size_t)l->length * (size_t)l->steps : 0;
    if (bytes > used) memset((char *)call->out[i]->data + used, 0, bytes - used);
  }
  for (int i = 0; i < c->n_states; i++) {
    const size_t bytes = tensor_bytes(&l->state[i].t);
    if (bytes) memcpy(call->out[c->n_stacked + i]->data, l->state[i].t.data, bytes);
  }
  return OK;
}

static Status control_forward(Call *call, const Control *c) {
  Operands o;
  Loop l;
  TRY(operands_new(call->in, call->n_in, &o));
  Surroundings around = surroundings_enter(false, call->train);
  keep_before(call, c);
  Status s = loop_new(&l, c, o.in, length_of(c, c->n_data ? &call->in[0]->type : NULL));
  l.to = call->out;
  if (s == OK) s = run_forward(call, c, &l);
  if (s != OK) put_back(call, c);
  loop_free(&l);
  surroundings_leave(&around);
  object_free(o.room);
  return s;
}

/* ---- Backward ------------------------------------------------------------------------------------------- */

/* An output of the subgraph as a bit among those that are computed; calls foresee 64 of these. */
static uint64_t head_bit(const Body *b, int output) {
  int at = b->output[output];
  return at >= 0 && at < 64 ? 1ull << at : 0;
}

/* Which outputs of the body have a gradient in the last iteration, the one before, and so on until nothing changes. */
static int foresee_heads(const Control *c, const Loop *l, const ControlBack *back, int g, uint64_t *heads, int most) {
  const Body *b = l->body[g];
  const Graph *graph = &c->graph[g]->graph;
  uint64_t stacked = 0;
  for (int i = 0; i < c->n_stacked; i++) if (back->heads[i]) stacked |= head_bit(b, i);
  heads[0] = stacked;
  for (int i = 0; i < c->n_states; i++)
    if (back->heads[c->n_stacked + i]) heads[0] |= head_bit(b, c->n_stacked + i);
  int n = 1;
  for (; n < most; n++) {
    heads[n] = stacked;
    for (int i = 0; i < graph->n_input; i++) {
      Source s = c->source[g][i];
      if (s.kind == SOURCE_STATE && b->reach[i] & heads[n - 1]) heads[n] |= head_bit(b, c->n_stacked + s.index);
    }
    if (n > 1 && heads[n] == heads[n - 1]) break;
  }
  return n;
}

typedef struct Back {
  const Control *c;
  const ControlBack *back;
  Call *call;
  Operands o;                /* the node's inputs */
  int n_heads;               /* inputs of the call that are head gradients, or their counts: the first */
  Array *out;                /* of the loop, run again */
  Entry *head, *head_grad;
  int n, most;               /* of these: those on the tape; room for so many */
  Entry *wrt;
  int *input;                /* by wrt: of the node */
  int n_wrt;
  GradTerms *terms;
  void *room;
} Back;

/* Terms of head gradients, those of runs one by one. */
static int count_heads(const Call *call, const ControlBack *back) {
  int n = 0, at = 0, term = 0;
  for (int i = 0; i < back->n_out; i++) {
    for (int k = 0; k < back->heads[i]; k++, at++) {
      if (!back->run[term++]) n++;
      else n += (int)*(const int64_t *)call->in[++at]->data;
    }
  }
  return n;
}

static Status back_new(Back *k, Call *call, const Control *c, const ControlBack *back) {
  size_t in = (size_t)c->n_in + 1, out = (size_t)control_outputs(c) + 1;
  *k = (Back){ .c = c, .back = back, .call = call };
  k->n_heads = control_heads(back);
  k->most = count_heads(call, back);
  size_t heads = (size_t)k->most + 1;
  k->room = object_new(out * sizeof *k->out + 2 * heads * sizeof(Entry) +
                       in * (sizeof(Entry) + sizeof *k->terms + sizeof(int)));
  if (!k->room) return no_memory("gradient");
  k->out = k->room;
  k->head = (Entry *)(k->out + out);
  k->head_grad = k->head + heads;
  k->wrt = k->head_grad + heads;
  k->terms = (GradTerms *)(k->wrt + in);
  k->input = (int *)(k->terms + in);
  return operands_new(call->in + k->n_heads, c->n_in, &k->o);
}

static void back_free(Back *k) {
  grad_terms_free(k->terms, k->n_wrt);
  release_all(k->out, control_outputs(k->c));
  for (int i = 0; k->o.room && i < k->c->n_in; i++) array_release(&k->o.array[i]);
  object_free(k->o.room);
  object_free(k->room);
}

/* Inputs whose gradients are wanted are on the tape; what is written to is a copy. */
static Status prepare_inputs(Back *k) {
  for (int i = 0; i < k->c->n_in; i++) {
    Array *a = &k->o.array[i];
    int first = k->back->same[i];
    if (k->c->writes[i]) {
      Tensor copy;
      TRY(tensor_copy(&a->t, 0, &copy));
      a->t = copy;
    }
    if (first < i && k->back->wanted[first]) {
      a->node = node_retain(k->o.array[first].node);
    } else if (k->back->wanted[i]) {
      TRY(tape_follow(a));
      k->input[k->n_wrt] = i;
      k->wrt[k->n_wrt++] = array_entry(a);
    }
  }
  return OK;
}

static Status run_again(Back *k, uint64_t *heads, int most) {
  Loop l;
  const Control *c = k->c;
  int g = c->kind != CONTROL_FOREACH, stacked = 0;
  Type *type = object_new((size_t)(control_outputs(c) + 1) * sizeof *type);
  Status s = type ? loop_new(&l, c, k->o.in, length_of(c, c->n_data ? &k->o.array[0].t.type : NULL))
                  : no_memory("gradient");
  if (!type) return s;
  for (int i = 0; i < c->n_stacked; i++) {           /* of these heads are no runs: they come first, one each */
    type[i] = TYPE_UNKNOWN;
    if (k->back->heads[i]) type[i] = k->call->in[stacked++]->type;
  }
  if (s == OK && c->kind != CONTROL_CHOICE && c->graph[g]->graph.n_out <= 64) {
    l.n_heads = foresee_heads(c, &l, k->back, g, heads, most);
    l.heads = heads;
  }
  if (s == OK) s = unstack_all(&l);
  if (s == OK) s = run_loop(&l);
  for (int i = 0; i < c->n_stacked && s == OK; i++) if (k->back->heads[i]) s = stack(&l, i, &type[i], &k->out[i]);
  for (int i = 0; i < c->n_states && s == OK; i++) k->out[c->n_stacked + i] = array_share(&l.state[i]);
  loop_free(&l);
  object_free(type);
  return s;
}

static void add_head(Back *k, Builder *b, int output, const void *data) {
  const Array *out = &k->out[output];
  if (!out->node) return;
  k->head[k->n] = array_entry(out);
  k->head_grad[k->n++] = build_constant(b, &(Tensor){ NULL, (void *)data, out->t.type });
}

static Status list_heads(Back *k, Builder *b) {
  int at = 0, term = 0;
  for (int i = 0; i < k->back->n_out; i++) {
    for (int h = 0; h < k->back->heads[i]; h++, at++) {
      const char *data = k->call->in[at]->data;
      int64_t n = k->back->run[term++] ? *(const int64_t *)k->call->in[++at]->data : 1;
      for (int64_t row = 0; row < n; row++) add_head(k, b, i, data + (size_t)row * tensor_bytes(&k->out[i].t));
    }
  }
  return b->status;
}

/* The terms, which are evaluated, to the outputs. */
static Status hand_out(Back *k) {
  int at = 0;
  for (int i = 0; i < k->n_wrt; i++, at += 2) {
    const GradTerms *t = &k->terms[i];
    Tensor *run = k->call->out[at];
    if (t->n > k->back->most[k->input[i]])
      return fail("gradient of input %d: expected at most %d terms, got %d", k->input[i], k->back->most[k->input[i]],
                  t->n);
    size_t bytes = run->type.shape.dim[0] ? tensor_bytes(run) / (size_t)run->type.shape.dim[0] : 0;
    for (int n = 0; n < t->n; n++)
      memcpy((char *)run->data + (size_t)n * bytes, t->at[n].node->value[t->at[n].index].data, bytes);
    *(int64_t *)k->call->out[at + 1]->data = t->n;
  }
  return OK;
}

static Status evaluate_terms(Back *k) {
  int n = 0;
  for (int i = 0; i < k->n_wrt; i++) n += k->terms[i].n;
  Entry *all = object_new((size_t)(n + 1) * sizeof *all);
  if (!all) return no_memory("gradient");
  n = 0;
  for (int i = 0; i < k->n_wrt; i++) for (int t = 0; t < k->terms[i].n; t++) all[n++] = k->terms[i].at[t];
  Status s = tape_evaluate(all, n, false);
  object_free(all);
  return s;
}

static Status go_back(Back *k, Builder *b) {
  Reached reached = { 0 };
  TRY(list_heads(k, b));
  if (k->n == 0) return hand_out(k);
  Status s = apart_reached(k->head, k->n, false, &reached);
  for (int i = 0; i < k->n_wrt; i++) k->wrt[i] = apart_place(k->wrt[i]);
  Differentiation d = { .head = k->head, .head_grad = k->head_grad, .n_heads = k->n, .wrt = k->wrt, .n_wrt = k->n_wrt,
                        .terms = k->terms };
  if (s == OK) s = grad_build(b, &d);
  if (s == OK) s = evaluate_terms(k);
  if (s == OK) s = hand_out(k);
  reached_free(&reached);
  return s;
}

static Status control_backward(Call *call, const Control *c, const ControlBack *back) {
  enum { MOST_FORESEEN = 8 };
  uint64_t heads[MOST_FORESEEN];
  Back k;
  Builder b = { 0 };
  RandomState random = random_state(), before;
  Surroundings around = surroundings_enter(true, call->train);
  Status s = back_new(&k, call, c, back);
  if (c->draws) {
    memcpy(&before, call->in[call->n_in - 1]->data, sizeof before);
    random_restore(before);
  }
  if (s == OK) s = prepare_inputs(&k);
  run_repeat(1);
  if (s == OK) s = run_again(&k, heads, MOST_FORESEEN);
  run_repeat(-1);
  if (s == OK) s = go_back(&k, &b);
  builder_free(&b);
  if (k.room) back_free(&k);
  random_restore(random);
  surroundings_leave(&around);
  return s;
}

static const ControlEngine engine = { .forward = control_forward, .backward = control_backward };

void control_open(void) { control_engine = &engine; }
