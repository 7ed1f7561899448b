/* checkpoint.c - gradient checkpointing: backward recomputes forward values segment by segment instead of keeping them.
** That takes less memory and more time, with the same bits (hybridize{remat = true}).
**
** Forward is cut into about sqrt(n) segments, where n is the number of values that backward reads, as T. Chen et al.
** propose ("Training Deep Nets with Sublinear Memory Cost", 2016, section 4). The kept values are those that cross a
** cut, those of the last segment, which backward reads first, and small ones. Each cut is where the fewest bytes cross
** it, near its even share of all bytes. When backward first reads another value of a segment, the nodes between it and
** the kept values run again. So only the kept values and those of one segment are in memory at a time.
**
** A node that draws or writes runs once. If its row can rebuild output 0 from its inputs and its other outputs (column
** `recompute`), backward does that; otherwise its outputs are kept. Values computed from memory that a node overwrites
** are also kept.
*/
#include <math.h>

#include "base/settings/debug_switches.h"
#include "ir/node_builder.h"
#include "ir/graph/graph_edit.h"
#include "ir/graph/written_memory.h"
#include "pass/pass.h"

enum { MOST_NODES = 20000, LEAST_VALUES = 4, SMALL = 64 };     /* SMALL: divisor of the largest value's size */

typedef struct Remat {
  Graph *g;
  Edit *e;
  bool *written; /* by position: overwritten in place; NULL: nothing is */
  size_t *bytes; /* by position: total of its outputs */
  size_t small; /* outputs of at most this many bytes are always kept */
  int *last_read; /* by position: the last node of forward that reads it, or -1 */
  bool *kept; /* by position */
  int *segment; /* by position: the first position of its segment */
  Entry *anew; /* by position: the copy of output 0 in backward; copies of its other outputs follow */
  bool *needed; /* by position, while a value is recomputed */
} Remat;

static size_t entry_bytes(Entry e) {
  const Type *t = entry_type(e);
  return (size_t)shape_size(&t->shape) * dtype_size(t->dtype);
}

/* Can output 0 be recomputed? */
static bool repeatable(const Remat *r, const Node *n) {
  if (!n->op || n->op->control || (r->written && r->written[n->at])) return false;
  if (node_effects_ever(n) == 0) return !written_read(r->written, n);
  return n->op->recompute != NULL;
}

/* ---- What is kept -------------------------------------------------------------------------------------------- */

static void measure(Remat *r, size_t *total, int *n_values) {
  const Graph *g = r->g;
  size_t largest = 0;
  *total = 0;
  *n_values = 0;
  for (int i = 0; i < g->n_forward; i++) {
    const Node *n = g->node[i];
    size_t offset;
    const Query q = n->op ? query_of_node(n) : (Query){ 0 };
    r->last_read[i] = -1;
    for (int k = 0; k < n->n_in; k++) r->last_read[n->in[k].node->at] = i;
    if (!n->op || (n->op->view && n->op->view(&q, &offset))) continue;
    for (int k = 0; k < n->n_out; k++) r->bytes[i] += entry_bytes((Entry){ (Node *)(uintptr_t)n, k });
    *total += r->bytes[i];
    if (r->bytes[i] > largest) largest = r->bytes[i];
  }
  r->small = debug.remat ? 0 : largest / SMALL;
  bool *read = r->needed;
  for (int i = g->n_forward; i < g->n_nodes; i++)
    for (int k = 0; k < g->node[i]->n_in; k++) {
      const int at = g->node[i]->in[k].node->at;
      if (at < g->n_forward) read[at] = true;
    }
  for (int i = 0; i < g->n_forward; i++) *n_values += read[i] && r->bytes[i] > r->small;
}

/* Bytes that cross a cut before position `at`. */
static size_t crossing(const Remat *r, int at) {
  size_t sum = 0;
  for (int i = 0; i < at; i++)
    if (r->last_read[i] >= at) sum += r->bytes[i];
  return sum;
}

/* The position after `after` that the fewest bytes cross, of those at most `around` bytes from `share`; -1: none. */
static int find_cut(const Remat *r, size_t share, size_t around, int after) {
  size_t before = 0, least = SIZE_MAX;
  int best = -1;
  for (int at = 0; at < r->g->n_forward; before += r->bytes[at++]) {
    if (at <= after || before + around < share || before > share + around) continue;
    const size_t cost = crossing(r, at);
    if (cost < least) {
      least = cost;
      best = at;
    }
  }
  return best;
}

static void cut_into_segments(Remat *r, size_t total, int n_values) {
  const int n = (int)(sqrt((double)n_values) + 0.5);
  int begin = 0;
  for (int i = 1; i <= n; i++) {
    const size_t share = total / (size_t)n * (size_t)i, around = total / (size_t)(3 * n);
    const int cut = i == n ? r->g->n_forward : find_cut(r, share, around, begin);
    if (cut < 0) continue;
    for (int at = begin; at < cut; at++) {
      r->segment[at] = begin;
      r->kept[at] = r->last_read[at] >= cut || (cut == r->g->n_forward && !debug.remat);
    }
    begin = cut;
  }
}

static void find_kept(Remat *r) {
  const Graph *g = r->g;
  for (int i = 0; i < g->n_forward; i++)
    if (!repeatable(r, g->node[i])) r->kept[i] = true;
  for (int i = 0; i < g->n_out; i++)
    if (g->out[i].node->at < g->n_forward) r->kept[g->out[i].node->at] = true;
}

/* ---- What is recomputed ------------------------------------------------------------------------------------------ */

static bool is_kept(const Remat *r, Entry e) {
  const int at = e.node->at;
  if (at < 0 || at >= r->g->n_forward || r->kept[at]) return true;
  return entry_bytes(e) <= r->small || (e.index > 0 && node_effects_ever(e.node));
}

/* The value that replaces e in backward. */
static Entry stand_in(const Remat *r, Entry e) {
  if (is_kept(r, e) || !r->anew[e.node->at].node) return e;
  return (Entry){ r->anew[e.node->at].node, r->anew[e.node->at].index + e.index };
}

static Status insert(Remat *r, Node *made, int before) {
  for (int k = 0; k < made->n_in; k++) node_set_input(made, k, stand_in(r, made->in[k]));
  return edit_insert(r->e, made, PART_BACKWARD, before);
}

static Status compute_by_row(Remat *r, Node *n, int before) {
  Builder b FREED_BY(builder_free) = { .origin = n->origin, .scope = n->scope, .train = n->train };
  const Entry out = n->op->recompute(&b, n);
  TRY(b.status);
  for (int i = 0; i < b.n_made; i++) TRY(insert(r, node_retain(b.made[i]), before));
  r->anew[n->at] = out;
  return OK;
}

static Status compute_node(Remat *r, Node *n, int before) {
  Node *copy = NULL;
  if (node_effects_ever(n)) return compute_by_row(r, n, before);
  const Status s = node_copy(n, n->in, &copy);
  if (s != OK) {
    node_release(copy);
    return s;
  }
  r->anew[n->at] = (Entry){ copy, 0 };
  return insert(r, copy, before);
}

/* Recomputes a value before the node of backward at `before`, with all values of its segment that it needs. */
static Status compute(Remat *r, Entry e, int before) {
  const Graph *g = r->g;
  const int begin = r->segment[e.node->at];
  for (int i = begin; i <= e.node->at; i++) r->needed[i] = false;
  r->needed[e.node->at] = true;
  for (int i = e.node->at; i >= begin; i--) {
    const Node *n = g->node[i];
    if (!r->needed[i]) continue;
    for (int k = 0; k < n->n_in; k++)
      if (!is_kept(r, n->in[k]) && !r->anew[n->in[k].node->at].node) r->needed[n->in[k].node->at] = true;
  }
  for (int i = begin; i <= e.node->at; i++)
    if (r->needed[i]) TRY(compute_node(r, g->node[i], before));
  return OK;
}

static Status rewrite(Remat *r) {
  const Graph *g = r->g;
  for (int i = g->n_forward; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    for (int k = 0; k < n->n_in; k++) {
      if (is_kept(r, n->in[k])) continue;
      if (!r->anew[n->in[k].node->at].node) TRY(compute(r, n->in[k], i));
      node_set_input(n, k, stand_in(r, n->in[k]));
    }
  }
  return OK;
}

static Status remat(Remat *r) {
  size_t total;
  int n_values;
  measure(r, &total, &n_values);
  if (n_values < (debug.remat ? 1 : LEAST_VALUES)) return OK;
  cut_into_segments(r, total, n_values);
  find_kept(r);
  TRY(rewrite(r));
  return edit_end(r->e);
}

Status pass_checkpoint(Graph *g) {
  EDIT(e);
  Remat r = { .g = g, .e = &e };
  if (!(g->remat || debug.remat) || g->n_forward >= g->n_nodes || g->n_nodes > MOST_NODES) return OK;
  TRY(edit_begin(&e, g));
  TRY(graph_written(g, &e.bump, &r.written));
  r.bytes = BUMP_ARRAY(&e.bump, g->n_forward, size_t);
  r.last_read = BUMP_ARRAY(&e.bump, g->n_forward, int);
  r.kept = BUMP_ARRAY(&e.bump, g->n_forward, bool);
  r.segment = BUMP_ARRAY(&e.bump, g->n_forward, int);
  r.anew = BUMP_ARRAY(&e.bump, g->n_forward, Entry);
  r.needed = BUMP_ARRAY(&e.bump, g->n_forward, bool);
  TRY(e.bump.status);
  return remat(&r);
}
