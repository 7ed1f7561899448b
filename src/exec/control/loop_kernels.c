/* loop_kernels.c - running loops and conditions: the functions that their rows' kernels call.
**
** Forward runs the iterations (exec/tape/iterations.h) and writes their results into the outputs.
**
** The gradient runs the iterations again, recorded, from the same inputs and random state as forward, and then their
** backward (exec/tape/loop_backward.h); a gradient of gradients inlines the recorded iterations and builds the earlier
** gradients first. It returns the terms of each gradient unsummed: pass/differentiate.c adds them to the terms before,
** so the sums are those of eager code, where each iteration is a block call.
*/
#include "exec/control/loop_kernels.h"

#include <string.h>

#include "base/memory.h"
#include "exec/tape/inline_call.h"
#include "exec/tape/reached_tape.h"
#include "exec/tape/loop_backward.h"
#include "state/engine.h"
#include "exec/tape/tape.h"
#include "exec/tape/inline_loop.h"
#include "ir/run_op.h"
#include "pass/differentiate.h"

/* ---- Operands ------------------------------------------------------------------------------------------ */

/* Operands of a kernel as arrays. Their memory is the executable's arena or belongs to arrays of the script: a
** storage that is never freed represents it during the call. */
typedef struct LoopOperands { Array *array; Array **in; Storage *storage; void *memory; } LoopOperands;

static Status operands_new(const Tensor *const *in, int n, LoopOperands *o) {
  size_t count = (size_t)n + 1;
  *o = (LoopOperands){ .memory = object_new(count * (sizeof *o->array + sizeof *o->in + sizeof *o->storage)) };
  if (!o->memory) return no_memory("loop");
  o->array = o->memory;
  o->in = (Array **)(o->array + count);
  o->storage = (Storage *)(o->in + count);
  for (int i = 0; i < n; i++) {
    o->storage[i] = (Storage){ .refs = 1 << 30 };
    o->array[i].t = (Tensor){ &o->storage[i], in[i]->data, in[i]->type };
    o->in[i] = &o->array[i];
  }
  return OK;
}

/* ---- Forward ------------------------------------------------------------------------------------------- */

/* Fills the hidden outputs: the random state and the mutated inputs as they are before. */
static void keep_before(Call *call, const Control *c) {
  int at = control_outputs(c);
  RandomState random = engine_now()->random;
  if (c->draws) memcpy(call->out[at++]->data, &random, sizeof random);
  for (int i = 0; i < c->n_in; i++) {
    if (!c->writes[i]) continue;
    memcpy(call->out[at]->data, call->in[i]->data, tensor_bytes(call->in[i]));
    at++;
  }
}

/* Restores the mutated inputs, so that a call that failed has written nothing. */
static void put_back(Call *call, const Control *c) {
  int at = control_outputs(c) + c->draws;
  for (int i = 0; i < c->n_in; i++) {
    if (!c->writes[i]) continue;
    memcpy(call->in[i]->data, call->out[at]->data, tensor_bytes(call->in[i]));
    at++;
  }
}

static Status run_forward(Call *call, const Control *c, Iterations *l) {
  TRY(iterations_run(l));
  for (int i = 0; i < c->n_stacked; i++) {
    if (!call->out[i]->data) continue;
    size_t bytes = tensor_bytes(call->out[i]), used = l->length ? bytes / (size_t)l->length * (size_t)l->steps : 0;
    if (bytes > used) memset((char *)call->out[i]->data + used, 0, bytes - used);
  }
  for (int i = 0; i < c->n_states; i++) {
    const size_t bytes = tensor_bytes(&l->state[i].t);
    if (bytes && call->out[c->n_stacked + i]->data)
      memcpy(call->out[c->n_stacked + i]->data, l->state[i].t.data, bytes);
  }
  return OK;
}

/* No output is read, and there are no other effects. */
static bool is_idle(const Call *call, const Control *c) {
  const Query q = query_of_call(call);
  bool idle = op_effects(&q) == 0;
  for (int i = 0; i < control_outputs(c); i++) idle = idle && !call->out[i]->data;
  return idle;
}

static Status control_forward(Call *call, const Control *c) {
  LoopOperands o;
  Iterations l;
  if (is_idle(call, c)) return OK;
  TRY(operands_new(call->in, call->n_in, &o));
  const Surroundings around = surroundings_enter(false, call->train, engine_now()->mode.origin, NULL);
  keep_before(call, c);
  Status s = iterations_new(&l, c, o.in, iterations_length(c, c->n_data ? &call->in[0]->type : NULL));
  l.to = call->out;
  if (s == OK) s = run_forward(call, c, &l);
  if (s != OK) put_back(call, c);
  iterations_free(&l);
  surroundings_restore(&around);
  object_free(o.memory);
  return s;
}

/* ---- Backward ------------------------------------------------------------------------------------------- */

/* An output of the subgraph as a bit among those that are computed; calls predict heads for 64 of these. */
static uint64_t head_bit(const Body *b, int output) {
  int at = b->output[output];
  return at >= 0 && at < 64 ? 1ull << at : 0;
}

/* The input of the call that is the gradient of an output; NULL: the output has none. */
static const Tensor *given_to(const Call *call, const ControlBack *back, int output) {
  for (int e = 0; e <= back->n_earlier; e++) {
    const ControlBack *of = e < back->n_earlier ? back->earlier[e] : back;
    for (int h = 0; h < of->n_heads; h++)
      if (of->head[h].of < 0 && of->head[h].output == output)
        return call->in[control_back_place(back, e) + control_head_place(of, h)];
  }
  return NULL;
}

/* Which outputs of the body have a gradient in the last iteration, the one before, and so on until nothing changes. */
static int foresee_heads(const Control *c, const Iterations *l, const Call *call, const ControlBack *back, int g,
                         uint64_t *heads, int most) {
  const Body *b = l->body[g];
  const Graph *graph = &c->graph[g]->graph;
  uint64_t stacked = 0;
  for (int i = 0; i < c->n_stacked; i++)
    if (given_to(call, back, i)) stacked |= head_bit(b, i);
  heads[0] = stacked;
  for (int i = 0; i < c->n_states; i++)
    if (given_to(call, back, c->n_stacked + i)) heads[0] |= head_bit(b, c->n_stacked + i);
  int n = 1;
  for (; n < most; n++) {
    heads[n] = stacked;
    for (int i = 0; i < graph->n_input; i++) {
      Source s = c->source[g][i];
      if (s.kind == SOURCE_STATE && b->dependents[i] & heads[n - 1]) heads[n] |= head_bit(b, c->n_stacked + s.index);
    }
    if (n > 1 && heads[n] == heads[n - 1]) break;
  }
  return n;
}

typedef struct Back {
  const Control *c;
  const ControlBack *back;
  Call *call;
  LoopOperands o;                /* the node's inputs */
  Storage borrowed;          /* of the inputs of the call, as in LoopOperands */
  Array *out;                /* outputs of the loop, run again */
  Entry *in_entry, *out_entry;
  LoopBackward made;
} Back;

static Status back_begin(Back *k, Call *call, const Control *c, const ControlBack *back, Builder *b) {
  const size_t in = (size_t)c->n_in + 1, out = (size_t)control_outputs(c) + 1;
  *k = (Back){ .c = c, .back = back, .call = call, .borrowed = { .refs = 1 << 30 } };
  k->out = object_new(out * sizeof *k->out + (in + out) * sizeof(Entry));
  if (!k->out) return no_memory("gradient");
  k->in_entry = (Entry *)(k->out + out);
  k->out_entry = k->in_entry + in;
  k->made = (LoopBackward){ .b = b, .in = k->in_entry, .out = k->out_entry };
  return operands_new(call->in + control_back_place(back, -1), c->n_in, &k->o);
}

static void back_end(Back *k) {
  loop_backward_free(&k->made);
  if (k->out) array_release_all(k->out, control_outputs(k->c));
  for (int i = 0; k->o.memory && i < k->c->n_in; i++) array_release(&k->o.array[i]);
  object_free(k->o.memory);
  object_free(k->out);
}

static bool wants(const ControlBack *back, int input) {
  for (int r = 0; r < back->n_results; r++)
    if (back->result[r].of < 0 && back->result[r].at == input) return true;
  for (int e = 0; e < back->n_earlier; e++)
    if (wants(back->earlier[e], input)) return true;
  return false;
}

/* Puts the inputs whose gradients are wanted on the tape; mutated inputs are copied. */
static Status prepare_inputs(Back *k) {
  for (int i = 0; i < k->c->n_in; i++) {
    Array *a = &k->o.array[i];
    int first = k->back->same[i];
    if (k->c->writes[i]) {
      Tensor copy;
      TRY(tensor_copy(&a->t, 0, &copy));
      a->t = copy;
    }
    if (first < i) a->node = node_retain(k->o.array[first].node);
    else if (wants(k->back, i)) TRY(tape_follow(a));
    k->in_entry[i] = array_entry(a);
  }
  return OK;
}

static Status run_again(Back *k, uint64_t *heads, int most) {
  Iterations l;
  const Control *c = k->c;
  int g = c->kind != CONTROL_FOREACH;
  Status s = iterations_new(&l, c, k->o.in, iterations_length(c, c->n_data ? &k->o.array[0].t.type : NULL));
  if (s == OK && k->back->n_earlier == 0 && c->kind != CONTROL_CHOICE && c->graph[g]->graph.n_out <= 64) {
    l.n_heads = foresee_heads(c, &l, k->call, k->back, g, heads, most);
    l.heads = heads;
  }
  if (s == OK) s = inline_loop_data(&l);
  if (s == OK) s = iterations_run(&l);
  for (int i = 0; i < c->n_stacked && s == OK; i++) {
    const Tensor *given = given_to(k->call, k->back, i);
    if (given) s = inline_loop_stack(&l, i, &given->type, &k->out[i]);
  }
  for (int i = 0; i < c->n_states && s == OK; i++) k->out[c->n_stacked + i] = array_share(&l.state[i]);
  iterations_free(&l);
  return s;
}

/* Makes the iterations ready for backward: inlined, if gradients are differentiated. */
static Status prepare_iterations(Back *k, Reached *reached) {
  const ControlBack *back = k->back;
  const bool again = back->n_earlier > 0;
  const int n_out = control_outputs(k->c), most = again ? n_out : back->n_heads;
  Entry *head = object_new((size_t)(most + 1) * sizeof *head);
  int n = 0;
  if (!head) return no_memory("gradient");
  for (int i = 0; i < n_out; i++) k->out_entry[i] = array_entry(&k->out[i]);
  for (int i = 0; i < most; i++) {
    head[n] = k->out_entry[again ? i : back->head[i].output];
    n += head[n].node != NULL;
  }
  Status s = n > 0 ? reached_find(head, n, again, reached) : OK;
  for (int i = 0; s == OK && i < n_out; i++) k->out_entry[i] = inline_value(k->out_entry[i]);
  object_free(head);
  return s;
}

/* An input of the call as an entry: on the tape if it will be differentiated. */
static Entry input_entry(Back *k, const Type *type, const char *data, bool followed) {
  Builder *b = k->made.b;
  Array a = { .t = { &k->borrowed, (void *)data, *type } };
  if (!followed) return build_constant(b, &a.t);
  if (b->status == OK) b->status = tape_follow(&a);
  if (b->status == OK) b->status = builder_hold(b, a.node);
  Entry e = b->status == OK ? array_entry(&a) : NO_ENTRY;
  array_release(&a);
  return e;
}

/* The gradients of the heads of one backward, from input `at` of the call on. */
static Status list_given(Back *k, const ControlBack *of, int at, GradTerms *given) {
  for (int h = 0; h < of->n_heads; h++) {
    const Tensor *t = k->call->in[at + control_head_place(of, h)];
    const int64_t count = of->head[h].run ? *(const int64_t *)k->call->in[at + control_head_place(of, h) + 1]->data : 1;
    const Type type = loop_backward_is_run(of, h) ? iterations_row_type(&t->type) : t->type;
    TRY(loop_backward_terms_widen(&given[h], loop_backward_terms(&k->made, of, h, count)));
    for (int i = 0; i < given[h].n; i++)
      given[h].at[i] = input_entry(k, &type, (const char *)t->data + (size_t)i * type_bytes(&type), of != k->back);
  }
  return k->made.b->status;
}

static Status evaluate_step(const BackStep *step, bool keep) {
  int n = 0;
  for (int r = 0; r < step->back->n_results; r++) n += step->result[r].n;
  Entry *all = object_new((size_t)(n + 1) * sizeof *all);
  if (!all) return no_memory("gradient");
  n = 0;
  for (int r = 0; r < step->back->n_results; r++)
    for (int t = 0; t < step->result[r].n; t++)
      if (step->result[r].at[t].node) all[n++] = step->result[r].at[t];
  Status s = tape_evaluate(all, n, keep);
  object_free(all);
  return s;
}

static Status make_step(Back *k, const ControlBack *of, int at) {
  GradTerms *given = loop_backward_terms_new(of->n_heads);
  if (!given) return no_memory("gradient");
  Status s = list_given(k, of, at, given);
  if (s != OK) {
    differentiate_free_terms(given, of->n_heads);
    object_free(given);
    return s;
  }
  TRY(loop_backward_make(&k->made, of, given));
  return evaluate_step(&k->made.made[k->made.n - 1], of != k->back);
}

/* Copies the terms, which are evaluated, into the outputs. */
static Status copy_terms(const Back *k, const BackStep *step) {
  for (int r = 0; r < k->back->n_results; r++) {
    const GradTerms *t = &step->result[r];
    const BackResult *result = &k->back->result[r];
    const int at = control_back_outputs(k->back, r);
    const Tensor *to = k->call->out[at];
    if (result->of < 0 && t->n > result->most)
      return fail("gradient of input %d: expected at most %d terms, got %d", result->at, result->most, t->n);
    if (result->of >= 0) memset(to->data, 0, tensor_bytes(to));
    else *(int64_t *)k->call->out[at + 1]->data = t->n;
    char *row = to->data;
    for (int i = 0; i < t->n; i++) {
      const Entry e = result->of < 0
                        ? t->at[i]
                        : loop_backward_step(&k->made, k->back->earlier[result->of])->head[result->at].at[i];
      const Type *type = entry_type(e);
      if (t->at[i].node) memcpy(row, t->at[i].node->value[t->at[i].index].data, type_bytes(type));
      row += type_bytes(type);
    }
  }
  return OK;
}

static Status go_back(Back *k) {
  const ControlBack *back = k->back;
  Reached reached = { 0 };
  Status s = prepare_iterations(k, &reached);
  for (int e = 0; e < back->n_earlier && s == OK; e++) s = make_step(k, back->earlier[e], control_back_place(back, e));
  if (s == OK) s = make_step(k, back, 0);
  if (s == OK) s = copy_terms(k, loop_backward_step(&k->made, back));
  reached_free(&reached);
  return s;
}

static Status control_backward(Call *call, const Control *c, const ControlBack *back) {
  enum { MOST_FORESEEN = 8 };
  uint64_t heads[MOST_FORESEEN];
  Back k;
  Builder b = { .again = back->n_earlier > 0 };
  if (back->n_results == 0) return OK;
  RandomState random = engine_now()->random, before;
  const Surroundings around = surroundings_enter(true, call->train, engine_now()->mode.origin, NULL);
  Status s = back_begin(&k, call, c, back, &b);
  if (c->draws) {
    memcpy(&before, call->in[call->n_in - 2]->data, sizeof before);
    engine_now()->random = before;
  }
  if (s == OK) s = prepare_inputs(&k);
  run_repeat(1);
  if (s == OK) s = run_again(&k, heads, MOST_FORESEEN);
  run_repeat(-1);
  if (s == OK) s = go_back(&k);
  builder_free(&b);
  back_end(&k);
  engine_now()->random = random;
  surroundings_restore(&around);
  return s;
}

static const ControlEngine engine = { .forward = control_forward, .backward = control_backward };

void loop_kernels_open(void) { control_engine = &engine; }
