/* compiled_function.c - see compiled_function.h. Calls are in exec/tape/call_compiled.c. */
#include "exec/program/compiled_function.h"

#include <string.h>

#include "base/settings/debug_switches.h"
#include "base/memory.h"
#include "exec/program/step_graph.h"
#include "ir/graph/written_memory.h"
#include "state/engine.h"

/* ---- Life ------------------------------------------------------------------------------------ */

/* Finds the inputs that calls in a mode write to. */
static Status find_mutated(Compiled *c, bool train) {
  const Graph *g = &c->graph;
  MutatedInputs *w = &c->mutated[train];
  bool *written;
  BUMP(bump, "compiled function");
  w->input = object_new((size_t)(g->n_input + 1) * sizeof *w->input);
  if (!w->input) return no_memory("compiled function");
  /* specializations set the mode of their own copies */
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->train = requested_mode_or(g->node[i]->train_requested, train);
  TRY(graph_written(g, &bump, &written));
  for (int i = 0; written && i < g->n_input; i++)
    if (written[g->input[i]->at]) w->input[w->n++] = i;
  return OK;
}

static bool records_itself(const Graph *g) {
  for (int i = 0; i < g->n_nodes; i++)
    if (g->node[i]->op && g->node[i]->record_requested == MODE_ON) return true;
  return false;
}

/* Finds the range of sequence numbers that the trace used for calls and nodes. */
static void find_orders(Compiled *c) {
  uint64_t first = UINT64_MAX, last = 0;
  c->outer = scope_retain(engine_now()->scope);
  for (int i = 0; i < c->graph.n_nodes; i++) {
    const Node *n = c->graph.node[i];
    if (!n->op) continue;
    if (n->order < first) first = n->order;
    const uint64_t end = n->order + node_places(n->op, n->n_in) - 1;
    if (end > last) last = end;
    for (const Scope *s = n->scope; s && s != c->outer; s = s->parent)
      if (s->order < first) first = s->order;
  }
  c->first_order = first;
  c->n_orders = last >= first ? last - first + 1 : 0;
}

/* Finds what calls need to know about the graph. */
static Status examine(Compiled *c) {
  c->records = records_itself(&c->graph);
  c->n_results = c->graph.n_out;
  c->has_steps = step_graph_any(&c->graph, &c->backward);
  c->n_updates = step_graph_updates(&c->graph);
  find_orders(c);
  TRY(find_mutated(c, false));
  return find_mutated(c, true);
}

Status compiled_new(const char *name, const Entry *out, int n_out, Node *const *input, int n_input,
                    const NodeList *also, int most_specializations, Compiled **result) {
  Compiled *c = object_new(sizeof *c);
  if (!c) return no_memory("compiled function");
  *c = (Compiled){
    .refs = 1, .name = object_text(name), .most_specializations = most_specializations, .expected_heads = UINT64_MAX
  };
  Status s = c->name ? graph_with_inputs(out, n_out, input, n_input, also, &c->graph) : no_memory("compiled function");
  if (s == OK) s = examine(c);
  if (s != OK) compiled_release(c);
  else *result = c;
  return s;
}

Status compiled_mark(Compiled *c, int output) {
  if (!c->marks) c->marks = object_new((size_t)c->graph.n_out * sizeof *c->marks);
  if (!c->marks) return no_memory("compiled function");
  c->marks[output] = true;
  return OK;
}

Compiled *compiled_retain(Compiled *c) {
  __atomic_fetch_add(&c->refs, 1, __ATOMIC_RELAXED);
  return c;
}

void compiled_release(Compiled *c) {
  if (!c || __atomic_sub_fetch(&c->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  for (int i = 0; i < SPECIALIZATION_BUCKETS; i++) {
    while (c->bucket[i]) {
      Specialization *p = c->bucket[i];
      c->bucket[i] = p->next;
      specialization_release(p);
    }
  }
  graph_free(&c->graph);
  scope_release(c->outer);
  object_free(c->mutated[0].input);
  object_free(c->mutated[1].input);
  object_free(c->marks);
  object_free(c->name);
  object_free(c);
}

/* ---- Finding a specialization -------------------------------------------------------------------- */

static void log_specialization(const Compiled *c, const Specialization *p) {
  Text inputs FREED_BY(text_free) = { 0 };
  if (!log_wanted(LOG_PLAN)) return;
  for (int i = 0; i < c->graph.n_input; i++) text_format(&inputs, "%s%s", i ? ", " : "", type_text(&p->type[i]));
  log_line(LOG_PLAN, "%s for %.512s, %s%s: %d operators became %d instructions, %zu bytes of workspace, in %.2f ms",
           c->name, inputs.at ? inputs.at : "no inputs", p->mode & CALL_TRAINS ? "training" : "predicting",
           p->mode & CALL_RECORDED ? ", with backward" : "", p->eager_nodes, p->executable->n_code,
           memory_plan_bytes(&p->executable->plan), p->seconds * 1e3);
}

static bool specialization_fits(const Compiled *c, const Specialization *p, const CallKind *k) {
  size_t n = (size_t)c->graph.n_input;
  if (p->mode != k->mode || !p->same != !k->same) return false;
  if (k->mode & CALL_ELSEWHERE && p->device != k->device) return false;
  if (p->same && memcmp(p->same, k->same, n * sizeof *p->same) != 0) return false;
  for (size_t i = 0; i < n; i++)
    if (!type_equal(&p->type[i], &k->type[i]) || (k->mode & CALL_RECORDED && p->wanted[i] != k->wanted[i]))
      return false;
  if (!(k->mode & CALL_STEPS)) return true;
  return memcmp(p->req, k->req, n * sizeof *p->req) == 0 && step_updates_equal(p->update, k->update, c->n_updates);
}

static bool heads_as_expected(const Compiled *c, const Specialization *p) {
  uint64_t expected = compiled_expected_heads(c);
  return !p->taped || expected == UINT64_MAX || (expected & p->possible_heads) == p->heads || p->heads == 0;
}

/* The bucket for calls of a kind. Hashing a few inputs is enough: these are the arguments, while the shapes of
** parameters do not change. */
static Specialization **bucket_of(Compiled *c, const CallKind *k) {
  enum { FIRST = 4 };
  uint64_t h = k->mode;
  for (int i = 0; i < c->graph.n_input && i < FIRST; i++) {
    const Shape *s = &k->type[i].shape;
    for (int d = 0; d < s->ndim; d++) h = (h ^ (uint64_t)s->dim[d]) * 0x9E3779B97F4A7C15u;
  }
  return &c->bucket[(h ^ h >> 32) % SPECIALIZATION_BUCKETS];
}

/* Drops the least recently used specialization, except those used by a call in progress. */
static void drop_oldest(Compiled *c) {
  Specialization **oldest = NULL;
  for (int i = 0; i < SPECIALIZATION_BUCKETS; i++)
    for (Specialization **at = &c->bucket[i]; *at; at = &(*at)->next)
      if ((*at)->calls == 0 && (!oldest || (*at)->used < (*oldest)->used)) oldest = at;
  if (!oldest) return;
  Specialization *p = *oldest;
  *oldest = p->next;
  specialization_release(p);
  c->n_specializations--;
  c->dropped++;
}

const Specialization *compiled_specialization_before(const Compiled *c, const Specialization *p) {
  const Specialization *found = NULL;
  for (int i = 0; i < SPECIALIZATION_BUCKETS; i++)
    for (const Specialization *at = c->bucket[i]; at; at = at->next)
      if ((!p || at->used < p->used) && (!found || at->used > found->used)) found = at;
  return found;
}

/* Puts a specialization at the front of its bucket. */
static void put_in_front(Compiled *c, Specialization **bucket, Specialization *p) {
  p->used = ++c->clock;
  p->next = *bucket;
  *bucket = p;
}

static Status find_specialization(Compiled *c, const CallKind *kind, Specialization **out) {
  Specialization **bucket = bucket_of(c, kind);
  for (Specialization **at = bucket; *at; at = &(*at)->next) {
    Specialization *p = *at;
    if (!specialization_fits(c, p, kind) || !heads_as_expected(c, p)) continue;
    *at = p->next;
    put_in_front(c, bucket, p);
    p->hits++;
    c->hits++;
    *out = p;
    return p->fused ? OK : specialization_take_fused(p, c->name, &c->lock);
  }
  TRY(specialization_new(c, kind, out));
  log_specialization(c, *out);
  c->made++;
  if (c->n_specializations >= c->most_specializations) drop_oldest(c);
  put_in_front(c, bucket, *out);
  c->n_specializations++;
  return OK;
}

Status compiled_specialize(Compiled *c, const CallKind *kind) {
  Specialization *p;
  lock_take(&c->lock);
  Status s = find_specialization(c, kind, &p);
  lock_give(&c->lock);
  return s;
}

Status compiled_begin(Compiled *c, const CallKind *kind, Specialization **spec, RunState **w) {
  lock_take(&c->lock);
  Status s = find_specialization(c, kind, spec);
  if (s == OK) s = run_state_take((*spec)->executable, w);
  if (s == OK) (*spec)->calls++;
  lock_give(&c->lock);
  return s;
}

void compiled_end(Compiled *c, Specialization *spec, RunState *w) {
  lock_take(&c->lock);
  spec->calls--;
  if (w) run_state_put_back(w);
  lock_give(&c->lock);
}
