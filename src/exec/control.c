/* control.c - the engine under loops and conditions: what their rows' kernels call.
**
** Forward makes the iterations (exec/loop.h) and lays what they give into the outputs.
**
** The gradient runs the iterations again, recorded, from what forward found, and goes back over this tape.
** It hands out the terms of each gradient unsummed: those who build gradients add them to what comes before
** (pass/grad.c), and so the sums are the ones that eager code makes, where each iteration is a block call.
*/
#include "exec/control.h"

#include <string.h>

#include "base/memory.h"
#include "exec/apart.h"
#include "exec/eager.h"
#include "exec/tape.h"
#include "exec/unroll.h"
#include "pass/grad.h"

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
  TRY(loop_run(l));
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
  Status s = loop_new(&l, c, o.in, loop_length(c, c->n_data ? &call->in[0]->type : NULL));
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
  array_release_all(k->out, control_outputs(k->c));
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
  Status s = type ? loop_new(&l, c, k->o.in, loop_length(c, c->n_data ? &k->o.array[0].t.type : NULL))
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
  if (s == OK) s = unroll_data(&l);
  if (s == OK) s = loop_run(&l);
  for (int i = 0; i < c->n_stacked && s == OK; i++)
    if (k->back->heads[i]) s = unroll_stack(&l, i, &type[i], &k->out[i]);
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
