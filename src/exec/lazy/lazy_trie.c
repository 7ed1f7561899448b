/* lazy_trie.c - see lazy_trie.h. */
#include "exec/lazy/lazy_trie.h"

#include <string.h>

#include "base/memory.h"

enum {
  MOST_TRIE = 4096,                      /* lazy ops of a block */
  MOST_VARIANTS = 8,  /* siblings that differ only in numbers: with more, the number probably varies at every call */
  MOST_BRANCHES = 64,
  LEAST_OPS = 3,
  LEAST_SMALL = 5, /* fewest operators for which deferring pays off: LEAST_OPS or, for small values, LEAST_SMALL */
  SMALL = 2048, /* elements */
  MOST_SHORT = 4, /* consecutive short segments after which calls run eagerly... */
  TRY_EACH = 64 /* ...except once in this many calls, since the code may have changed course */
};

/* ---- Life ------------------------------------------------------------------------------------------- */

static void lazy_op_free(LazyOp *s) {
  params_release(s->params);
  compiled_release(s->compiled);
  object_free(s);
}

/* Frees leaves until none is left, without recursion. */
static void trie_free(LazyOp *root) {
  LazyOp *s = root;
  while (s) {
    if (s->first) {
      s = s->first;
      continue;
    }
    LazyOp *up = s == root ? NULL : s->parent;
    if (up) up->first = s->next;
    lazy_op_free(s);
    s = up;
  }
}

void lazy_trie_release(LazyTrie *s) {
  if (!s || --s->refs > 0) return;
  for (int i = 0; i < 4; i++) trie_free(s->begin[i / 2][i % 2]);
  object_free(s->segment);
  object_free(s->name);
  object_free(s);
}

static LazyOp *lazy_op_new(int n_fresh) {
  LazyOp *s = object_new(sizeof *s + (size_t)n_fresh * sizeof *s->fresh);
  if (s) s->place = -1;
  return s;
}

Status lazy_trie_new(const char *name, LazyTrie **out) {
  LazyTrie *s = object_new(sizeof *s);
  if (!s) return no_memory("lazy trie");
  *s = (LazyTrie){ .refs = 1,
                   .begin = { { lazy_op_new(0), lazy_op_new(0) }, { lazy_op_new(0), lazy_op_new(0) } },
                   .name = object_text(name) };
  bool all = s->name != NULL;
  for (int i = 0; i < 4; i++) all = all && s->begin[i / 2][i % 2];
  if (!all) {
    lazy_trie_release(s);
    return no_memory("lazy trie");
  }
  *out = s;
  return OK;
}

/* ---- Finding and adding ----------------------------------------------------------------------------- */

static bool same_call(const LazyOp *s, const Op *op, const LazyCall *w) {
  return s->op == op && s->n_in == w->n_in && memcmp(s->operand, w->operand, (size_t)w->n_in * sizeof *w->operand) == 0;
}

static bool same_types(const LazyOp *s, const LazyCall *w) {
  for (int i = 0; i < w->n_fresh; i++)
    if (!type_equal(&s->fresh[i], &w->fresh[i].t.type)) return false;
  return true;
}

LazyOp *lazy_op_find(LazyOp *from, const Op *op, const Params *params, const LazyCall *w) {
  for (LazyOp **at = &from->first; *at; at = &(*at)->next) {
    LazyOp *s = *at;
    if (!same_call(s, op, w) || !same_types(s, w) || !params_equal(s->params, params)) continue;
    *at = s->next;
    s->next = from->first;
    from->first = s;
    return s;
  }
  return NULL;
}

/* Is there room for the call? Numbers that vary at every call would add a lazy op each. */
static bool has_capacity(const LazyTrie *t, const LazyOp *from, const Op *op, const LazyCall *w) {
  int branches = 0, variants = 0;
  for (const LazyOp *s = from->first; s; s = s->next) {
    branches++;
    if (same_call(s, op, w) && same_types(s, w)) variants++;
  }
  return t->n_ops < MOST_TRIE && branches < MOST_BRANCHES && variants < MOST_VARIANTS;
}

void lazy_op_list(const LazyOp *end, const LazyOp **list) {
  for (const LazyOp *s = end; s->place >= 0; s = s->parent) list[s->place] = s;
}

/* Infers the type of the output, and finds the lazy op whose memory it shares. */
static bool infer_lazy_op(LazyOp *s, const LazyCall *w) {
  const LazyOp *list[MOST_LAZY_OPS];
  Type in[MOST_LAZY_OPERANDS], kept[MOST_LAZY_OPERANDS];
  size_t offset;
  lazy_op_list(s->parent, list);
  for (int i = 0; i < w->n_in; i++) {
    const int at = w->operand[i], input = -1 - at;
    kept[i] = in[i] = at >= 0              ? list[at]->type
                      : input < w->n_known ? w->known[input].t.type
                                           : w->fresh[input - w->n_known].t.type;
  }
  s->type = TYPE_UNKNOWN;
  if (op_infer(s->op, s->params, in, w->n_in, &s->type, 1) != OK || !type_known(&s->type)) return false;
  for (int i = 0; i < w->n_in; i++)
    if (!type_equal(&in[i], &kept[i])) return false;
  const Query q = { .op = s->op,
                    .params = s->params->fields,
                    .n_in = w->n_in,
                    .n_out = 1,
                    .train = w->train,
                    .no_gradient = !w->recording,
                    .in_type = in,
                    .out_type = &s->type };
  if (op_effects(&q) || op_unused(&q, 0)) return false;
  const bool view = s->op->view && s->op->view(&q, &offset);
  if (view && w->operand[0] < 0) return false;
  s->family = view ? list[w->operand[0]]->family : s->place;
  return true;
}

LazyOp *lazy_op_add(LazyTrie *t, LazyOp *from, const Op *op, Params *params, const LazyCall *w) {
  if (op_outputs(op, params) != 1 || op_visible(op, params) != 1) return NULL;
  if (!has_capacity(t, from, op, w)) {
    if (from->place < 0) from->varying = op;
    return NULL;
  }
  LazyOp *s = lazy_op_new(w->n_fresh);
  if (!s) return NULL;
  s->parent = from;
  s->op = op;
  s->place = from->place + 1;
  s->n_in = w->n_in;
  s->n_fresh = w->n_fresh;
  s->n_inputs = w->n_known + w->n_fresh;
  memcpy(s->operand, w->operand, (size_t)w->n_in * sizeof *w->operand);
  for (int i = 0; i < w->n_fresh; i++) s->fresh[i] = w->fresh[i].t.type;
  if (params_copy(params, &s->params) != OK || !infer_lazy_op(s, w)) {
    lazy_op_free(s);
    return NULL;
  }
  s->next = from->first;
  from->first = s;
  t->n_ops++;
  return s;
}

/* ---- Whether deferring pays off ---------------------------------------------------------------------- */

bool lazy_op_is_short(LazyTrie *t, LazyOp *s) {
  if (s->place > 0 || s->n_short < MOST_SHORT) return false;
  s->n_skipped = (s->n_skipped + 1) % TRY_EACH;
  if (s->n_skipped > 0) t->pass = s->length - 1;
  return s->n_skipped > 0;
}

void lazy_op_note_length(LazyOp *end) {
  LazyOp *s = end;
  while (s->place > 0) s = s->parent;
  const int least = shape_size(&s->fresh[0].shape) < SMALL ? LEAST_SMALL : LEAST_OPS;
  s->length = (uint16_t)(end->place + 1);
  s->n_short = end->place + 1 >= least ? 0 : s->n_short < MOST_SHORT ? s->n_short + 1 : MOST_SHORT;
}

/* ---- For explain ------------------------------------------------------------------------------------ */

Status lazy_op_list_segment(LazyTrie *t, LazyOp *end) {
  if (end->listed) return OK;
  LazyOp **wide = object_widen(t->segment, t->n_segments + 1, &t->capacity, sizeof *wide);
  if (!wide) return no_memory("segment");
  t->segment = wide;
  t->segment[t->n_segments++] = end;
  end->listed = true;
  return OK;
}

int lazy_trie_segments(const LazyTrie *s) { return s->n_segments; }

void lazy_trie_segment(const LazyTrie *s, int i, SegmentView *out) {
  const LazyOp *end = s->segment[i], *list[MOST_LAZY_OPS];
  lazy_op_list(end, list);
  *out = (SegmentView){ .n = end->place + 1, .runs = end->runs, .compiled = end->compiled };
  for (int k = 0; k < out->n; k++) {
    out->op[k] = list[k]->op;
    out->origin[k] = list[k]->origin;
  }
}
