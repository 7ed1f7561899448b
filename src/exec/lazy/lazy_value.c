/* lazy_value.c - see lazy_value.h. Defers calls, materializes or frees their values, or computes them before a write
** would change them. lazy_trie.h looks calls up, lazy_segment.h runs them.
*/
#include "exec/lazy/lazy_value.h"

#include <string.h>

#include "base/settings/fault_injection.h"
#include "base/memory.h"
#include "exec/tape/freed_tape.h"
#include "state/engine.h"
#include "exec/lazy/lazy_segment.h"

/* ---- Life ------------------------------------------------------------------------------------------- */

LazySegment *lazy_segment_retain(LazySegment *d) {
  d->refs++;
  return d;
}

static int n_known(const LazySegment *d) { return __builtin_popcountll(d->known); }

void lazy_segment_release(LazySegment *d) {
  if (!d || --d->refs > 0) return;
  LazyTrie *s = d->trie;
  lazy_segment_release_inputs(d);
  if (d->among->recorded == d) d->among->recorded = NULL;
  for (int i = 0; i < n_known(d); i++) array_release(&d->value[i]);
  scope_release(d->scope);
  if (d->in != d->few_in) object_free(d->in);
  if (d->value != d->few_value) object_free(d->value);
  object_free(d);
  lazy_trie_release(s);
}

static LazySegment *segment_new(LazyTrie *s) {
  Engine *e = engine_now();
  if (e->mode.recording && lazy_before_record() != OK) return NULL;
  LazySegment *d = object_new(sizeof *d);
  if (!d) return NULL;
  d->refs = 1;
  d->trie = s;
  d->train = e->mode.train;
  d->recording = e->mode.recording;
  d->scope = scope_retain(e->scope);
  d->among = &e->lazy;
  if (d->recording) d->among->recorded = d;
  d->end = s->begin[d->train][d->recording];
  d->in = d->few_in;
  d->value = d->few_value;
  d->capacity = FEW;
  s->refs++;
  return d;
}

void lazy_value_release(LazyValue l) {
  LazySegment *d = l.of;
  d->waiting &= ~BIT(l.at);
  if (d->known & BIT(l.at)) array_release(lazy_segment_value(d, l.at));
  const bool open = d->trie->open == d && !d->ran;
  if (d->n_in > 0 && !open && lazy_segment_missing(d) == 0) lazy_segment_release_inputs(d);
  lazy_segment_release(d);
}

LazySegment *lazy_trie_open(const LazyTrie *s) {
  const Engine *e = engine_now();
  LazySegment *d = s->open;
  const bool open = d && !d->ran && d->train == e->mode.train && d->recording == e->mode.recording;
  return open && (!d->recording || d->scope == e->scope) ? d : NULL;
}

static void close_open(LazyTrie *s) {
  LazySegment *d = s->open;
  s->open = NULL;
  if (d && !d->ran && d->waiting == 0) lazy_segment_release_inputs(d);
  lazy_segment_release(d);
}

void lazy_trie_end(LazyTrie *s) {
  s->pass = 0;
  close_open(s);
}

Device lazy_value_device(LazyValue l) { return l.of->device; }

/* ---- Deferring ------------------------------------------------------------------------------------------ */

/* Only rows that fuse or return views gain from deferring. */
bool lazy_takes(const Op *op) {
  return !(op->flags & (OP_DYNAMIC | OP_CROSSES | OP_INTERNAL)) && !op->control &&
         (op->elementwise || op->choose_row || op->folding || op->view || op->lower);
}

bool lazy_expects(LazyTrie *s, const Op *op) {
  if (s->pass > 0) {
    s->pass--;
    return false;
  }
  if (lazy_trie_open(s) && s->open->end->place >= 0) return true;
  const Mode *mode = &engine_now()->mode;
  return s->begin[mode->train][mode->recording]->varying != op;
}

static bool same_array(const Array *a, const Array *b) {
  return a->t.data == b->t.data && a->t.storage == b->t.storage && a->node == b->node && a->index == b->index &&
         type_equal(&a->t.type, &b->t.type);
}

/* The operand for an input, -1 - its number; adds the input if it is new. */
static int16_t input_operand(const LazySegment *d, LazyCall *w, const Array *a) {
  for (int i = 0; i < d->n_in; i++)
    if (same_array(&d->in[i], a)) return (int16_t)(-1 - i);
  int k = 0;
  while (k < w->n_fresh && !same_array(&w->fresh[k], a)) k++;
  if (k == w->n_fresh) w->fresh[w->n_fresh++] = *a;
  return (int16_t)(-1 - d->n_in - k);
}

/* Finds the operands; false if one is on another device, its memory is not counted, or its tape was freed. */
static bool find_operands(LazySegment *d, const LazyOperand *in, int n_in, LazyCall *w) {
  w->train = d->train;
  w->recording = d->recording;
  w->known = d->in;
  w->n_known = d->n_in;
  w->n_in = n_in;
  w->n_fresh = 0;
  for (int i = 0; i < n_in; i++) {
    const Array *a = in[i].array;
    if (!a) {
      w->operand[i] = (int16_t)in[i].later.at;
      continue;
    }
    if (!a->t.storage) return false;
    if (d->n_in == 0 && w->n_fresh == 0) d->device = tensor_device(&a->t);
    if (tensor_device(&a->t) != d->device) return false;
    const bool taped = d->recording && a->node;
    if (taped && !tape_holds(a)) return false;       /* freed_tape.h handles it when it is recorded */
    w->operand[i] = input_operand(d, w,
                                  &(Array){ .t = a->t, .node = taped ? a->node : NULL, .index = taped ? a->index : 0 });
  }
  return d->n_in + w->n_fresh <= MOST_INPUTS;
}

void lazy_add(LazyTrie *t, const Op *op, Params *params, const LazyOperand *in, int n_in, LazyValue *out, Type *type) {
  LazyCall w;
  out->of = NULL;
  if (!params) params = op->info->defaults;
  if (n_in < 1 || n_in > MOST_LAZY_OPERANDS || (op->view && in[0].array)) return;
  if (!lazy_trie_open(t)) close_open(t);
  if (!t->open && !(t->open = segment_new(t))) return;
  LazySegment *d = t->open;
  if (d->end->place + 1 == MOST_LAZY_OPS || !find_operands(d, in, n_in, &w)) return;
  LazyOp *s = lazy_op_find(d->end, op, params, &w);
  if (!s && !(s = lazy_op_add(t, d->end, op, params, &w))) return;
  if (lazy_op_is_short(t, s) || !lazy_segment_take_inputs(d, &w)) return;
  d->end = s;
  d->waiting |= BIT(s->place);
  *out = (LazyValue){ lazy_segment_retain(d), s->place };
  *type = s->type;
}

Origin *lazy_value_origin(LazyValue l) {
  LazyOp *s = l.of->end;
  while (s->place > l.at) s = s->parent;
  return &s->origin;
}

/* ---- Materializing values ------------------------------------------------------------------------------- */

Status lazy_value_materialize(LazyValue l, Array *out) {
  LazySegment *d = l.of;
  d->end->used |= BIT(l.at);
  if (!d->ran) TRY(lazy_segment_run(d));
  if (!(d->known & BIT(l.at))) TRY(lazy_segment_run_missing(d));
  const Array *a = lazy_segment_value(d, l.at);
  *out = array_share(a);
  return OK;
}

void lazy_value_returned(LazyValue l) { l.of->end->used |= BIT(l.at); }

Status lazy_trie_run(LazyTrie *s) {
  LazySegment *d = s->open;
  if (d && !d->ran && d->waiting && (d->taped || d->end->runs == 0 || d->end->used & d->waiting)) {
    lazy_segment_retain(d);
    Status status = lazy_segment_run(d);
    lazy_segment_release(d);
    TRY(status);
  }
  lazy_trie_end(s);
  return OK;
}

/* ---- Before something changes --------------------------------------------------------------------------- */

/* Before a write into an input: copies it for values that are unlikely to be requested, since most are garbage. */
static Status materialize_readers(LazySegment *d, const Storage *storage) {
  if (!d->ran) TRY(lazy_segment_run(d));
  for (int i = 0; i < d->n_in; i++) {
    Tensor *in = &d->in[i].t, copy;
    if (in->storage != storage) continue;
    TRY(tensor_copy(in, tensor_device(in), &copy));
    in->storage->waiting--;
    tensor_release(in);
    *in = copy;
    copy.storage->waiting++;
  }
  return OK;
}

Status lazy_before_record_now(void) {
  LazySegment *d = engine_now()->lazy.recorded;
  if (HL_FAULT_IS(order)) return OK;
  if (d->waiting == 0) {                   /* a call added now would be recorded out of order */
    d->among->recorded = NULL;
    if (d->trie->open == d) close_open(d->trie);
    return OK;
  }
  lazy_segment_retain(d);
  Status s = lazy_segment_run(d);
  lazy_segment_release(d);
  return s;
}

Status lazy_before_write_now(const Storage *storage) {
  if (HL_FAULT_IS(written)) return OK;
  for (LazySegment *d = engine_now()->lazy.first, *next; d; d = next) {
    next = d->next;
    bool reads = false;
    for (int i = 0; i < d->n_in; i++) reads = reads || d->in[i].t.storage == storage;
    if (reads) TRY(materialize_readers(d, storage));
  }
  return OK;
}
