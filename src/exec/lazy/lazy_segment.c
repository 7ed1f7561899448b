/* lazy_segment.c - see lazy_segment.h. */
#include "exec/lazy/lazy_segment.h"

#include <stdio.h>
#include <string.h>

#include "base/settings/fault_injection.h"
#include "base/linked_list.h"
#include "base/memory.h"
#include "exec/eager/eager_call.h"
#include "state/engine.h"
#include "exec/tape/call_compiled.h"

enum { LEAST_COMPILED = 2 };             /* least operators of a compiled segment */

/* ---- Inputs ----------------------------------------------------------------------------------------- */

static bool widen_inputs(LazySegment *d) {
  Array *wide = object_new(MOST_INPUTS * sizeof *wide);
  if (!wide) return false;
  memcpy(wide, d->in, (size_t)d->n_in * sizeof *wide);
  d->in = wide;
  d->capacity = MOST_INPUTS;
  return true;
}

bool lazy_segment_take_inputs(LazySegment *d, const LazyCall *w) {
  if (d->n_in + w->n_fresh > d->capacity && !widen_inputs(d)) return false;
  if (d->n_in == 0 && w->n_fresh > 0) LIST_ADD(d->among->first, d);
  for (int i = 0; i < w->n_fresh; i++) {
    const Array *a = &w->fresh[i];
    d->in[d->n_in++] = array_share(a);
    a->t.storage->waiting++;
    d->taped = d->taped || a->node;
  }
  return true;
}

void lazy_segment_release_inputs(LazySegment *d) {
  if (d->n_in > 0) LIST_REMOVE(d);
  for (int i = 0; i < d->n_in; i++) {
    d->in[i].t.storage->waiting--;
    array_release(&d->in[i]);
  }
  d->n_in = 0;
}

/* ---- Operator by operator ---------------------------------------------------------------------------- */

/* `want`, and the values that these depend on. */
static uint64_t needed(const LazyOp *const *list, int n, uint64_t want) {
  for (int i = n - 1; i >= 0; i--)
    for (int k = 0; want & BIT(i) && k < list[i]->n_in; k++)
      if (list[i]->operand[k] >= 0) want |= BIT(list[i]->operand[k]);
  return want;
}

/* Enters the modes and the block call of the deferred calls; returns the previous ones, which the caller must
** restore. */
static Surroundings enter_modes(const LazySegment *d) {
  const Surroundings before = surroundings_now();
  Engine *e = engine_now();
  e->mode.recording = d->recording;
  e->mode.train = d->train;
  e->mode.operator_log = NULL;
  e->mode.origin = d->end->origin;
  e->scope = d->scope;
  return before;
}

static Status run_lazy_op(const LazySegment *d, const LazyOp *s, Array *value) {
  Array *in[MOST_LAZY_OPERANDS];
  for (int k = 0; k < s->n_in; k++) in[k] = s->operand[k] >= 0 ? &value[s->operand[k]] : &d->in[-1 - s->operand[k]];
  engine_now()->mode.origin = s->origin;
  return eager_call(s->op, s->params, in, s->n_in, d->device, &value[s->place]);
}

/* Computes the values of `want` eagerly, into out[] in order; on failure none. */
static Status run_lazy_ops(const LazySegment *d, uint64_t want, Array *out) {
  const LazyOp *list[MOST_LAZY_OPS];
  const int n = d->end->place + 1;
  Array value[MOST_LAZY_OPS];
  int last[MOST_LAZY_OPS];
  Status s = OK;
  lazy_op_list(d->end, list);
  const uint64_t need = needed(list, n, want);
  for (int i = 0; i < n; i++) {
    value[i].t.storage = NULL;
    value[i].node = NULL;
    for (int k = 0; need & BIT(i) && k < list[i]->n_in; k++)
      if (list[i]->operand[k] >= 0) last[list[i]->operand[k]] = i;
  }
  for (int i = 0; i < n && s == OK; i++) {
    if (!(need & BIT(i))) continue;
    s = run_lazy_op(d, list[i], value);
    for (int k = 0; k < list[i]->n_in && s == OK; k++) {
      const int from = list[i]->operand[k];
      if (from >= 0 && last[from] == i && !(want & BIT(from))) array_release(&value[from]);
    }
  }
  for (int i = 0, k = 0; i < n; i++) {
    if (s != OK) array_release(&value[i]);
    else if (want & BIT(i)) out[k++] = value[i];
  }
  return s;
}

/* ---- Compiled ---------------------------------------------------------------------------------------- */

/* `want`, and all values that share memory with these. */
static uint64_t with_families(const LazyOp *end, uint64_t want) {
  uint64_t families = 0, all = 0;
  if (HL_FAULT_IS(views)) return want;
  for (const LazyOp *s = end; s->place >= 0; s = s->parent)
    if (want & BIT(s->place)) families |= BIT(s->family);
  for (const LazyOp *s = end; s->place >= 0; s = s->parent)
    if (families & BIT(s->family)) all |= BIT(s->place);
  return all;
}

/* The segment's graph, with these outputs in order. */
static Status make_graph(const LazyOp *end, uint64_t outputs, Node **input, Node **node, Entry *out, int *n_out) {
  const LazyOp *list[MOST_LAZY_OPS];
  int n_inputs = 0;
  lazy_op_list(end, list);
  *n_out = 0;
  for (int i = 0; i <= end->place; i++) {
    const LazyOp *step = list[i];
    Entry in[MOST_LAZY_OPERANDS];
    for (int k = 0; k < step->n_fresh; k++, n_inputs++) {
      char name[16];
      snprintf(name, sizeof name, "in%d", n_inputs);
      TRY(node_variable(name, &step->fresh[k], &input[n_inputs]));
    }
    for (int k = 0; k < step->n_in; k++)
      in[k] = (Entry){ step->operand[k] >= 0 ? node[step->operand[k]] : input[-1 - step->operand[k]], 0 };
    TRY(node_new(step->op, step->params, in, step->n_in, 1, &node[i]));
    node[i]->origin = step->origin;
    if (outputs & BIT(i)) out[(*n_out)++] = (Entry){ node[i], 0 };
  }
  return OK;
}

/* Compiles the segment. Its nodes are in no block call; if a call of it is inlined, they join that call's. */
static Status compile_segment(const LazyTrie *t, LazyOp *end, uint64_t outputs) {
  Node *input[MOST_INPUTS] = { NULL }, *node[MOST_LAZY_OPS] = { NULL };
  Entry out[MOST_LAZY_OPS];
  Compiled *c = NULL;
  int n_out;
  enum { MOST_SPECIALIZATIONS = 8 };     /* types are fixed; modes and taped inputs differ */
  Scope *scope = engine_now()->scope;
  engine_now()->scope = NULL;
  Status s = make_graph(end, outputs, input, node, out, &n_out);
  if (s == OK) s = compiled_new(t->name, out, n_out, input, end->n_inputs, NULL, MOST_SPECIALIZATIONS, &c);
  engine_now()->scope = scope;
  for (int i = 0; i < MOST_INPUTS; i++) node_release(input[i]);
  for (int i = 0; i < MOST_LAZY_OPS; i++) node_release(node[i]);
  TRY(s);
  compiled_release(end->compiled);
  end->compiled = c;
  end->outputs = outputs;
  return OK;
}

static Status run_compiled(LazySegment *d, Array *value) {
  Array *in[MOST_INPUTS];
  for (int i = 0; i < d->n_in; i++) in[i] = &d->in[i];
  return call_compiled(d->end->compiled, in, d->device, NULL, value);
}

/* ---- Either way --------------------------------------------------------------------------------------- */

/* Allocates an array for the values at these indices. */
static Array *new_values(LazySegment *d, uint64_t places) {
  const int n = __builtin_popcountll(places);
  return n <= FEW ? d->few_value : object_new((size_t)n * sizeof *d->value);
}

/* Takes over value[], the values at these indices in order, and frees those no longer needed. */
static void take_values(LazySegment *d, uint64_t places, Array *value) {
  int k = 0;
  d->value = value;
  d->known = places;
  d->ran = true;
  for (int i = 0; i <= d->end->place; i++) {
    if (!(places & BIT(i))) continue;
    if (!(d->waiting & BIT(i))) array_release(&value[k]);
    k++;
  }
  if (lazy_segment_missing(d) == 0) lazy_segment_release_inputs(d);
}

/* Runs the whole segment, compiled or operator by operator. */
static Status run_by(LazySegment *d, bool compiled) {
  const uint64_t places = compiled ? d->end->outputs : d->waiting;
  Array *value = new_values(d, places);
  if (!value) return no_memory("segment");
  const bool recorded = d->among->recorded == d;
  if (recorded) d->among->recorded = NULL;
  const Surroundings before = enter_modes(d);
  Status s = compiled ? run_compiled(d, value) : run_lazy_ops(d, places, value);
  surroundings_restore(&before);
  if (recorded && s != OK) d->among->recorded = d;
  if (s == OK) take_values(d, places, value);
  else if (value != d->few_value) object_free(value);
  return s;
}

/* Computes nothing now; values requested later are computed then. */
static void run_nothing(LazySegment *d) {
  if (d->among->recorded == d) d->among->recorded = NULL;
  d->ran = true;
}

Status lazy_segment_run(LazySegment *d) {
  LazyOp *end = d->end;
  const bool compiled = end->runs > 0 && end->place + 1 >= LEAST_COMPILED;
  const uint64_t all = ~0ull >> (63 - end->place), outputs = d->taped ? all : with_families(end, end->used);
  if (compiled && outputs == 0) {
    run_nothing(d);
    return OK;
  }
  if (compiled && (!end->compiled || outputs & ~end->outputs))
    TRY(compile_segment(d->trie, end, outputs | end->outputs));
  TRY(lazy_op_list_segment(d->trie, end));
  TRY(run_by(d, compiled));
  end->runs++;
  lazy_op_note_length(end);
  return OK;
}

Status lazy_segment_run_missing(LazySegment *d) {
  Array more[MOST_LAZY_OPS];
  const uint64_t want = lazy_segment_missing(d), all = d->known | want;
  Array *value = object_new((size_t)__builtin_popcountll(all) * sizeof *value);
  if (!value) return no_memory("segment");
  const Surroundings before = enter_modes(d);
  Status s = run_lazy_ops(d, want, more);
  surroundings_restore(&before);
  if (s != OK) {
    object_free(value);
    return s;
  }
  for (int i = 0, k = 0, m = 0; i <= d->end->place; i++)
    if (all & BIT(i)) value[k++] = want & BIT(i) ? more[m++] : *lazy_segment_value(d, i);
  if (d->value != d->few_value) object_free(d->value);
  take_values(d, all, value);
  return OK;
}
