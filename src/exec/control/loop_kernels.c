/* loop_kernels.c - the kernels of loops and conditions, called by their rows through control_engine.
**
** Forward runs the iterations (exec/tape/iterations.h) and writes their results into the outputs.
**
** The gradient first runs the iterations again, recorded, from the same inputs and random state as forward, and then
** backward over them (exec/tape/loop_backward.h). A gradient of gradients first inlines the iterations and builds the
** earlier gradients. The terms of each gradient are returned unsummed. pass/differentiate.c adds them to the earlier
** terms, so the sums are those of eager code, where each iteration is a block call.
*/
#include "exec/control/loop_kernels.h"

#include <string.h>

#include "exec/tape/inline_call.h"
#include "exec/tape/reached_tape.h"
#include "exec/tape/loop_backward.h"
#include "state/engine.h"
#include "exec/tape/tape.h"
#include "exec/tape/inline_loop.h"
#include "ir/run_op.h"
#include "pass/differentiate.h"

/* ---- Operands ------------------------------------------------------------------------------------------ */

enum { NEVER_FREED = 1 << 30 };      /* refs of a Storage whose memory other code owns */

/* The operands of a kernel as arrays. Each has a storage that is never freed, because the executable's arena or an
** array of the script owns the memory. */
static Array **operands_new(const Tensor *const *in, int n, Bump *memory) {
  Array **list = BUMP_ARRAY(memory, n, Array *), *array = BUMP_ARRAY(memory, n, Array);
  Storage *storage = BUMP_ARRAY(memory, n, Storage);
  for (int i = 0; storage && i < n; i++) {
    storage[i] = (Storage){ .refs = NEVER_FREED };
    array[i].t = (Tensor){ &storage[i], in[i]->data, in[i]->type };
    list[i] = &array[i];
  }
  return list;
}

/* ---- Forward ------------------------------------------------------------------------------------------- */

/* Copies the mutated inputs into the hidden outputs; `back`: restores them, after a failed call. */
static void copy_mutated(Call *call, const Control *c, bool back) {
  int at = control_outputs(c) + c->draws;
  for (int i = 0; i < c->n_in; i++) {
    if (!c->writes[i]) continue;
    const Tensor *input = call->in[i], *kept = call->out[at++];
    memcpy(back ? input->data : kept->data, back ? kept->data : input->data, tensor_bytes(input));
  }
}

/* Fills the hidden outputs: the random state and the mutated inputs before the call. */
static void keep_before(Call *call, const Control *c) {
  const RandomState random = engine_now()->random;
  if (c->draws) memcpy(call->out[control_outputs(c)]->data, &random, sizeof random);
  copy_mutated(call, c, false);
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

/* Can the call be skipped, because it has no effects and no used output? */
static bool is_idle(const Call *call, const Control *c) {
  const Query q = query_of_call(call);
  bool idle = op_effects(&q) == 0;
  for (int i = 0; i < control_outputs(c); i++) idle = idle && !call->out[i]->data;
  return idle;
}

static Status control_forward(Call *call, const Control *c) {
  Iterations l;
  if (is_idle(call, c)) return OK;
  BUMP(memory, "loop");
  Array **in = operands_new(call->in, call->n_in, &memory);
  TRY(memory.status);
  const Surroundings around = surroundings_enter(false, call->train, engine_now()->mode.origin, NULL);
  keep_before(call, c);
  Status s = iterations_new(&l, c, in);
  l.to = call->out;
  if (s == OK) s = run_forward(call, c, &l);
  if (s != OK) copy_mutated(call, c, true);
  iterations_free(&l);
  surroundings_restore(&around);
  return s;
}

/* ---- Backward ------------------------------------------------------------------------------------------- */

/* The bit of a subgraph's output among the computed outputs; 0 if it has none. */
static uint64_t head_bit(const Body *b, int output) {
  int at = b->output[output];
  return at >= 0 && at < 64 ? 1ull << at : 0;
}

/* The input of the call that is the gradient of an output, or NULL. */
static const Tensor *given_to(const Call *call, const ControlBack *back, int output) {
  for (int e = 0; e <= back->n_earlier; e++) {
    const ControlBack *of = e < back->n_earlier ? back->earlier[e] : back;
    for (int h = 0; h < of->n_heads; h++)
      if (of->head[h].of < 0 && of->head[h].output == output)
        return call->in[control_back_place(back, e) + control_head_place(of, h)];
  }
  return NULL;
}

enum { MOST_FORESEEN = 8 };

/* Predicts the outputs of the body with a gradient in the last iteration, the one before, and so on until they stay the
** same. */
static int foresee_heads(const Iterations *l, const Call *call, const ControlBack *back, int g,
                         uint64_t heads[MOST_FORESEEN]) {
  const Control *c = l->c;
  const Body *b = l->body[g];
  const Graph *graph = &c->graph[g]->graph;
  uint64_t stacked = 0;
  for (int i = 0; i < c->n_stacked; i++)
    if (given_to(call, back, i)) stacked |= head_bit(b, i);
  heads[0] = stacked;
  for (int i = 0; i < c->n_states; i++)
    if (given_to(call, back, c->n_stacked + i)) heads[0] |= head_bit(b, c->n_stacked + i);
  int n = 1;
  for (; n < MOST_FORESEEN; n++) {
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
  Bump memory;
  Builder b;
  Array **in;                /* the node's inputs */
  Storage borrowed;          /* of the inputs of the call, as in operands_new */
  Array *out;                /* outputs of the repeated loop */
  Entry *in_entry, *out_entry;
  LoopBackward made;
} Back;

static Status back_begin(Back *k) {
  const int n_in = k->c->n_in, n_out = control_outputs(k->c);
  k->in = operands_new(k->call->in + control_back_place(k->back, -1), n_in, &k->memory);
  k->out = BUMP_ARRAY(&k->memory, n_out, Array);
  k->in_entry = BUMP_ARRAY(&k->memory, n_in, Entry);
  k->out_entry = BUMP_ARRAY(&k->memory, n_out, Entry);
  k->made = (LoopBackward){ .b = &k->b, .memory = &k->memory, .in = k->in_entry, .out = k->out_entry };
  return k->memory.status;
}

static void back_end(Back *k) {
  builder_free(&k->b);
  array_release_all(k->out, control_outputs(k->c));
  for (int i = 0; i < k->c->n_in; i++) array_release(k->in[i]);
}

/* Puts the inputs whose gradients are wanted on the tape; mutated inputs are copied. */
static Status prepare_inputs(Back *k) {
  bool *wanted = BUMP_ARRAY(&k->memory, k->c->n_in, bool);
  TRY(k->memory.status);
  loop_backward_wants(k->back, wanted);
  for (int i = 0; i < k->c->n_in; i++) {
    Array *a = k->in[i];
    const int first = k->back->same[i];
    if (k->c->writes[i]) {
      Tensor copy;
      TRY(tensor_copy(&a->t, 0, &copy));
      a->t = copy;
    }
    if (first < i) a->node = node_retain(k->in[first]->node);
    else if (wanted[i]) TRY(tape_follow(a));
    k->in_entry[i] = array_entry(a);
  }
  return OK;
}

static Status run_again(Back *k) {
  uint64_t heads[MOST_FORESEEN];
  Iterations l;
  const Control *c = k->c;
  int g = c->kind != CONTROL_FOREACH;
  Status s = iterations_new(&l, c, k->in);
  if (s == OK && k->back->n_earlier == 0 && c->kind != CONTROL_CHOICE && c->graph[g]->graph.n_out <= 64) {
    l.n_heads = foresee_heads(&l, k->call, k->back, g, heads);
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

/* Prepares the tape of the iterations for backward; inlines them if gradients are differentiated. */
static Status prepare_iterations(Back *k, Reached *reached) {
  const ControlBack *back = k->back;
  const bool again = back->n_earlier > 0;
  const int n_out = control_outputs(k->c), most = again ? n_out : back->n_heads;
  Entry *head = BUMP_ARRAY(&k->memory, most, Entry);
  int n = 0;
  TRY(k->memory.status);
  for (int i = 0; i < n_out; i++) k->out_entry[i] = array_entry(&k->out[i]);
  for (int i = 0; i < most; i++) {
    const Entry e = k->out_entry[again ? i : back->head[i].output];
    if (e.node) head[n++] = e;
  }
  if (n > 0) TRY(reached_find(head, n, again, reached));
  for (int i = 0; i < n_out; i++) k->out_entry[i] = inline_value(k->out_entry[i]);
  return OK;
}

/* An input of the call as an entry; `followed`: on the tape, because it will be differentiated. */
static Entry input_entry(Back *k, const Type *type, const char *data, bool followed) {
  Builder *b = &k->b;
  Array a = { .t = { &k->borrowed, (void *)data, *type } };
  if (!followed) return build_constant(b, &a.t);
  if (b->status == OK) b->status = tape_follow(&a);
  if (b->status == OK) b->status = builder_hold(b, a.node);
  Entry e = b->status == OK ? array_entry(&a) : NO_ENTRY;
  array_release(&a);
  return e;
}

/* Lists the head gradients of a step, which are the inputs of the call from `at` on. */
static Status list_given(Back *k, BackStep *step, int at) {
  const ControlBack *of = step->back;
  for (int h = 0; h < of->n_heads; h++) {
    const Tensor *const *in = &k->call->in[at + control_head_place(of, h)];
    const Type type = loop_backward_is_run(of, h) ? iterations_row_type(&in[0]->type) : in[0]->type;
    TRY(loop_backward_give(&k->made, step, h, of->head[h].run ? *(const int64_t *)in[1]->data : 1));
    for (int i = 0; i < step->head[h].n; i++)
      step->head[h].at[i] = input_entry(k, &type, (const char *)in[0]->data + (size_t)i * type_bytes(&type),
                                        of != k->back);
  }
  return k->b.status;
}

static Status evaluate_step(Back *k, const BackStep *step) {
  int n = 0;
  for (int r = 0; r < step->back->n_results; r++) n += step->result[r].n;
  Entry *all = BUMP_ARRAY(&k->memory, n, Entry);
  TRY(k->memory.status);
  n = 0;
  for (int r = 0; r < step->back->n_results; r++)
    for (int t = 0; t < step->result[r].n; t++)
      if (step->result[r].at[t].node) all[n++] = step->result[r].at[t];
  return tape_evaluate(all, n, step->back != k->back);
}

static Status make_step(Back *k, const ControlBack *of, int at) {
  BackStep *step = loop_backward_begin(&k->made, of);
  TRY(k->memory.status);
  TRY(list_given(k, step, at));
  TRY(loop_backward_make(&k->made, step));
  return evaluate_step(k, step);
}

/* Copies the evaluated terms into the outputs. */
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
    const bool run = result->of < 0 || loop_backward_is_run(k->back->earlier[result->of], result->at);
    const Type row = run ? iterations_row_type(&to->type) : to->type;
    const size_t bytes = type_bytes(&row);
    for (int i = 0; i < t->n; i++) {
      const Entry e = t->at[i];
      if (e.node) memcpy((char *)to->data + (size_t)i * bytes, e.node->value[e.index].data, bytes);
    }
  }
  return OK;
}

static Status go_back(Back *k) {
  const ControlBack *back = k->back;
  Reached reached FREED_BY(reached_free) = { 0 };
  TRY(prepare_iterations(k, &reached));
  for (int e = 0; e < back->n_earlier; e++) TRY(make_step(k, back->earlier[e], control_back_place(back, e)));
  TRY(make_step(k, back, 0));
  return copy_terms(k, k->made.latest);
}

static Status control_backward(Call *call, const Control *c, const ControlBack *back) {
  if (back->n_results == 0) return OK;
  Back k = { .c = c,
             .back = back,
             .call = call,
             .memory.purpose = "gradient",
             .b.again = back->n_earlier > 0,
             .borrowed.refs = NEVER_FREED };
  Status s = back_begin(&k);
  if (s == OK) {
    const RandomState random = engine_now()->random;
    const Surroundings around = surroundings_enter(true, call->train, engine_now()->mode.origin, NULL);
    if (c->draws) memcpy(&engine_now()->random, call->in[call->n_in - 2]->data, sizeof random);
    s = prepare_inputs(&k);
    run_repeat(1);
    if (s == OK) s = run_again(&k);
    run_repeat(-1);
    if (s == OK) s = go_back(&k);
    back_end(&k);
    engine_now()->random = random;
    surroundings_restore(&around);
  }
  bump_free(&k.memory);
  return s;
}

static const ControlEngine engine = { .forward = control_forward, .backward = control_backward };

void loop_kernels_open(void) { control_engine = &engine; }
