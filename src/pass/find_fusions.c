/* find_fusions.c - finds clusters of nodes that work on one space, and replaces each by a FusionGroup.
**
** Nodes are visited in execution order. One that fuses (an elementwise expression, a fold, a reshape of a row's
** result) starts a cluster, which merges with those of its operands that work on the same space. Every cluster
** satisfies two invariants:
**   - contracting each cluster to one node leaves the graph acyclic: no path leaves a cluster and returns to it,
**     through nodes or through other clusters. The search for such a path may stop only at a position that no
**     cluster spans, because a cluster that begins before it and ends after it leads forward again;
**   - it is inside one segment. Segments end between forward and backward, and at nodes that write in place;
**     additional edges keep the order of random nodes, and of those that may fail among them.
** So the contracted graph has an execution order, which the end of this file computes. Two kernels that each need
** a result of the other can never arise (spec/pass/find_fusions_spec.lua).
*/
#include <string.h>

#include "base/settings/fault_injection.h"
#include "base/memory.h"
#include "pass/epilogue.h"
#include "pass/fusible.h"
#include "pass/pass.h"

enum { MOST_INPUTS = 20, MOST_LAZY_OPS = 2000, MOST_NODES = 50000 };

/* At most MOST_WAITING values of WAITING_BYTES or more, each computed for one cluster alone, wait for it. Otherwise a
** sum of fifty gradients of a weight would keep all fifty in memory, instead of two at a time. */
enum { MOST_WAITING = 3, WAITING_BYTES = 1 << 14 };

/* A value from outside the cluster. Inputs that the kernel does not read only determine the order. Numbers of bound
** rows are not operands either: they are read before the kernel runs, so no member may compute them. */
typedef struct Read { Entry value; bool operand; } Read;

typedef struct Cluster {
  int member[MOST_MEMBERS], n;      /* positions, in order */
  Read read[MOST_INPUTS];           /* values that the members read, each once */
  int n_read;
  int n_scalars;                    /* of the members' expressions */
  GroupKind kind;
  Shape space;
  int inner, segment;
  bool gone;                        /* merged into another */
} Cluster;

typedef struct Fuser {
  Graph *g;
  Cluster *cluster;
  int n_clusters;
  int *of;                          /* by position: its cluster, or -1 */
  Level *level;                     /* by position, of members */
  uint8_t *operands;                /* by position: number of inputs that the node's kernel reads */
  int *segment, *before;            /* by position: its segment; the impure node that must run before it, or -1 */
  bool *wanted;                     /* by position: it is read outside its cluster */
  int *users;                       /* by position: number of readers; the script counts as two */
  int *spans;                       /* by position: number of clusters that begin before it and end at or after it */
  int *seen, stamp;                 /* of the search for cycles */
  int *stack;
} Fuser;

static int position(const Entry *e) { return e->node->at; }

/* ---- Clusters ------------------------------------------------------------------------------------- */

/* Can a kernel over rows of the last `inner` dimensions read all operands of the cluster? */
static bool inputs_fit(const Cluster *c, GroupKind kind, int inner) {
  if (kind == GROUP_MAP || (kind == c->kind && inner == c->inner)) return true;
  for (int k = 0; k < c->n_read; k++)
    if (c->read[k].operand && !fusion_group_input_fits(&c->space, inner, &entry_type(c->read[k].value)->shape))
      return false;
  return true;
}

/* Adds a value read, unless cluster `within` computes it; false if there are too many. */
static bool add_read(const Fuser *f, Cluster *c, int within, Read r) {
  if (f->of[position(&r.value)] == within) return true;
  for (int k = 0; k < c->n_read; k++) {
    if (!entry_equal(c->read[k].value, r.value)) continue;
    c->read[k].operand = c->read[k].operand || r.operand;
    return true;
  }
  if (c->n_read == MOST_INPUTS) return false;
  c->read[c->n_read++] = r;
  return true;
}

static bool in_union(const Fuser *f, int at, const int *of, int n) {
  for (int k = 0; k < n; k++)
    if (f->of[at] == of[k]) return true;
  return false;
}

/* The last position up to `at` that no cluster spans: no node before it can depend on one after it. */
static int last_cut(const Fuser *f, int at) {
  if (HL_FAULT_IS(clusters)) return at;
  while (at > 0 && f->spans[at] > 0) at--;
  return at;
}

/* Would merging the clusters of[0..n) close a cycle? Searches backwards from the values that they read. */
static bool makes_cycle(Fuser *f, const int *of, int n) {
  int first = f->g->n_nodes, top = 0, steps = 0;
  f->stamp++;
  for (int k = 0; k < n; k++)
    if (f->cluster[of[k]].member[0] < first) first = f->cluster[of[k]].member[0];
  first = last_cut(f, first);
#define VISIT(at_) do {                                                                     \
    int v_ = (at_), last_ = v_;                                                             \
    if (f->of[v_] >= 0) {                                                                   \
      const Cluster *c_ = &f->cluster[f->of[v_]];                                           \
      last_ = c_->member[c_->n - 1];                                                        \
      v_ = c_->member[0];                                                                   \
    }                                                                                       \
    if (last_ >= first && f->seen[v_] != f->stamp) {                                        \
      if (++steps > MOST_LAZY_OPS) return true;                                                \
      f->seen[v_] = f->stamp;                                                               \
      f->stack[top++] = v_;                                                                 \
    } } while (0)
  for (int k = 0; k < n; k++) {
    const Cluster *c = &f->cluster[of[k]];
    for (int i = 0; i < c->n_read; i++)
      if (!in_union(f, position(&c->read[i].value), of, n)) VISIT(position(&c->read[i].value));
  }
  while (top > 0) {
    int at = f->stack[--top];
    if (in_union(f, at, of, n)) return true;
    if (f->of[at] >= 0) {                     /* members are pure: they depend only on the values read */
      const Cluster *c = &f->cluster[f->of[at]];
      for (int i = 0; i < c->n_read; i++) VISIT(position(&c->read[i].value));
    } else {
      const Node *node = f->g->node[at];
      for (int i = 0; i < node->n_in; i++) VISIT(position(&node->in[i]));
      if (f->before[at] >= 0) VISIT(f->before[at]);
    }
  }
#undef VISIT
  return false;
}

/* Updates `spans` for the merge of two clusters: the gap between them is spanned now, and their overlap only once. */
static void join_spans(Fuser *f, const Cluster *a, const Cluster *b) {
  int a_last = a->member[a->n - 1], b_last = b->member[b->n - 1];
  int later = a->member[0] > b->member[0] ? a->member[0] : b->member[0];
  int sooner = a_last < b_last ? a_last : b_last;
  for (int i = sooner + 1; i <= later; i++) f->spans[i]++;
  for (int i = later + 1; i <= sooner; i++) f->spans[i]--;
}

/* Merges the sorted list of b into that of a. */
static void merge_members(Cluster *a, const Cluster *b) {
  int i = a->n - 1, k = b->n - 1;
  a->n += b->n;
  for (int to = a->n - 1; k >= 0; to--)
    a->member[to] = i >= 0 && a->member[i] > b->member[k] ? a->member[i--] : b->member[k--];
}

static void absorb(Fuser *f, int into, int from) {
  Cluster *a = &f->cluster[into], *b = &f->cluster[from];
  Read read[MOST_INPUTS];
  int n_read = a->n_read;
  memcpy(read, a->read, sizeof read);
  for (int m = 0; m < b->n; m++) f->of[b->member[m]] = into;
  join_spans(f, a, b);
  merge_members(a, b);
  a->n_scalars += b->n_scalars;
  a->n_read = 0;
  for (int k = 0; k < n_read; k++) add_read(f, a, into, read[k]);
  for (int k = 0; k < b->n_read; k++) add_read(f, a, into, b->read[k]);
  if (a->kind == GROUP_MAP) {
    a->kind = b->kind;
    a->inner = b->inner;
  }
  b->gone = true;
  if (from == f->n_clusters - 1) f->n_clusters--;
}

/* The kind and row size of two clusters merged; false if they fold differently. */
static bool kinds_agree(const Cluster *a, const Cluster *b, GroupKind *kind, int *inner) {
  const Cluster *c = a->kind == GROUP_MAP ? b : a;
  if (a->kind != GROUP_MAP && b->kind != GROUP_MAP && (a->kind != b->kind || a->inner != b->inner)) return false;
  *kind = c->kind;
  *inner = c->inner;
  return true;
}

static bool is_row_shape(const Shape *space, int inner, const Shape *s) {
  if (s->ndim != space->ndim) return false;
  for (int i = 0; i < s->ndim; i++)
    if (s->dim[i] != (i < s->ndim - inner ? space->dim[i] : 1)) return false;
  return true;
}

/* Can one kernel pass the values that members of `reader` read from members of `maker`? That needs elements at the same
** position, or a row's result for the elements of that row. */
static bool passes_on(const Fuser *f, int maker, int reader, int inner) {
  const Cluster *c = &f->cluster[reader];
  if (c->member[c->n - 1] < f->cluster[maker].member[0]) return true;      /* it reads none of them */
  for (int m = 0; m < c->n; m++) {
    const Node *node = f->g->node[c->member[m]];
    for (int i = 0; i < node->n_in; i++) {
      int at = position(&node->in[i]);
      const Shape *s = &entry_type(node->in[i])->shape;
      const bool operand = i < f->operands[c->member[m]];
      if (f->of[at] == maker && !operand && op_bound_numbers(node->op)) return false;
      if (f->of[at] != maker || f->level[at] == LEVEL_ELEMENT) continue;
      if (!operand || f->level[at] == LEVEL_COLUMN) return false;
      if (f->level[c->member[m]] == LEVEL_ELEMENT && !is_row_shape(&c->space, inner, s) && shape_size(s) != 1)
        return false;
    }
  }
  return true;
}

/* Is it a large value with a single reader? */
static bool waits(const Fuser *f, Entry e) {
  return e.node->op && f->users[e.node->at] == 1 && type_bytes(entry_type(e)) >= WAITING_BYTES;
}

/* Number of values read by `c` that would wait for the cluster merged of it and `other`. */
static int count_waiting(const Fuser *f, const Cluster *c, int other) {
  int n = 0;
  for (int k = 0; k < c->n_read; k++) {
    Entry e = c->read[k].value;
    n += f->of[e.node->at] != other && graph_part(f->g, e.node->at) == graph_part(f->g, c->member[0]) && waits(f, e);
  }
  return n;
}

static bool may_join(Fuser *f, int into, int from) {
  Cluster *a = &f->cluster[into], *b = &f->cluster[from];
  GroupKind kind;
  int inner;
  if (a->segment != b->segment || a->n + b->n > MOST_MEMBERS || !shape_equal(&a->space, &b->space)) return false;
  if (a->n_scalars + b->n_scalars > MOST_SCALARS) return false;
  if (!kinds_agree(a, b, &kind, &inner) || !passes_on(f, into, from, inner) || !passes_on(f, from, into, inner))
    return false;
  if (!inputs_fit(a, kind, inner) || !inputs_fit(b, kind, inner) || a->n_read + b->n_read > MOST_INPUTS) return false;
  if (count_waiting(f, a, from) + count_waiting(f, b, into) > MOST_WAITING) return false;
  return !makes_cycle(f, (int[]){ into, from }, 2);
}

/* Makes a cluster of one node; -1 if the node has too many inputs. */
static int cluster_new(Fuser *f, int at, const Shape *space, GroupKind kind, int inner, Level level) {
  Cluster *c = &f->cluster[f->n_clusters];
  const Node *n = f->g->node[at];
  c->member[0] = at;
  c->n = 1;
  c->n_read = 0;
  c->n_scalars = fusible_scalars(n);
  c->kind = kind;
  c->space = *space;
  c->inner = inner;
  c->segment = f->segment[at];
  c->gone = false;
  for (int i = 0; i < n->n_in; i++)
    if (!add_read(f, c, f->n_clusters, (Read){ n->in[i], i < f->operands[at] })) return -1;
  f->of[at] = f->n_clusters;
  f->level[at] = level;
  return f->n_clusters++;
}

/* Adds a node to a cluster if it computes one value per row from row values of the cluster. */
static bool join_row(Fuser *f, int at) {
  const Node *n = f->g->node[at];
  int into = -1;
  if (!fusible_expression(n) && !fusible_reshape(n)) return false;
  for (int i = 0; i < f->operands[at] && into < 0; i++) {
    int from = position(&n->in[i]);
    if (f->of[from] >= 0 && f->level[from] == LEVEL_ROW) into = f->of[from];
  }
  if (into < 0) return false;
  const Cluster *c = &f->cluster[into];
  int64_t rows = shape_size_range(&c->space, 0, c->space.ndim - c->inner);
  if (shape_size(&n->type[0].shape) != rows || shape_equal(&n->type[0].shape, &c->space)) return false;
  for (int i = 0; i < f->operands[at]; i++) {
    const Shape *s = &entry_type(n->in[i])->shape;
    int from = position(&n->in[i]);
    bool within = f->of[from] == into && f->level[from] == LEVEL_ROW;
    bool aligned = shape_size(s) == 1 || (is_row_shape(&c->space, c->inner, s) && shape_equal(s, &n->type[0].shape));
    if (f->of[from] == into && !within) return false;
    if (within ? shape_size(s) != rows : !aligned) return false;
    if (within && fusible_expression(n) && !shape_equal(s, &n->type[0].shape) && rows != 1) return false;
  }
  int mine = cluster_new(f, at, &c->space, c->kind, c->inner, LEVEL_ROW);
  if (mine < 0) return false;
  if (may_join(f, into, mine)) {
    absorb(f, into, mine);
    return true;
  }
  f->n_clusters--;                     /* it was the last one; the capacity is one per node */
  f->of[at] = -1;
  return false;
}

static void join_elements(Fuser *f, int at) {
  const Node *n = f->g->node[at];
  GroupKind kind = GROUP_MAP;
  int inner = 0, mine;
  if (fusible_expression(n)) mine = cluster_new(f, at, &n->type[0].shape, GROUP_MAP, 0, LEVEL_ELEMENT);
  else if (fusible_fold(n, &kind, &inner))
    mine = cluster_new(f, at, &entry_type(n->in[0])->shape, kind, inner, kind == GROUP_ROWS ? LEVEL_ROW : LEVEL_COLUMN);
  else return;
  for (int i = 0; mine >= 0 && i < f->operands[at]; i++) {
    int from = f->of[position(&n->in[i])];
    if (from < 0 || from == mine || !may_join(f, from, mine)) continue;
    absorb(f, from, mine);
    mine = from;
  }
}

static void find_clusters(Fuser *f) {
  for (int i = 0; i < f->g->n_nodes; i++) {
    if (!fusible(f->g->node[i])) continue;
    if (!join_row(f, i)) join_elements(f, i);
  }
}

/* ---- The new graph ------------------------------------------------------------------------------------ */

typedef enum Progress { UNTOUCHED, OPEN, DONE } Progress;

typedef struct Rebuild {
  Fuser *f;
  Entry *to;                        /* by position: the value that replaces a member's */
  Progress *progress;               /* by position; OPEN while its inputs are being listed */
  Node **list;                      /* the nodes of the new graph in order, retained */
  int n;
} Rebuild;

static Status emit(Rebuild *r, int at);

static Entry current(const Rebuild *r, Entry e) {
  const Entry *to = &r->to[e.node->at];
  return to->node ? *to : e;
}

static Status make_group(Rebuild *r, const Cluster *c) {
  Fuser *f = r->f;
  Node *member[MOST_MEMBERS];
  Entry in[MOST_POINTERS], read[MOST_POINTERS], out[MOST_MEMBERS];
  int n_in = 0, n_out = 0;
  for (int m = 0; m < c->n; m++) {
    const Node *node = member[m] = f->g->node[c->member[m]];
    if (f->wanted[c->member[m]]) out[n_out++] = (Entry){ member[m], 0 };
    for (int i = 0; i < f->operands[c->member[m]] + op_bound_numbers(node->op); i++) {
      bool known = f->of[position(&node->in[i])] >= 0 && &f->cluster[f->of[position(&node->in[i])]] == c;
      if (!known && entry_find(in, n_in, node->in[i]) == n_in) in[n_in++] = node->in[i];
    }
  }
  GroupPlan plan = { c->kind, &c->space, c->inner, member, c->n, in, out, n_in, n_out };
  FusionGroup *group;
  Node *fused;
  TRY(fusion_group_new(&plan, &group));
  for (int k = 0; k < n_in; k++) read[k] = current(r, in[k]);
  Status s = fusion_group_node(group, read, out, &fused);
  fusion_group_release(group);
  if (s != OK) return s;
  fused->origin = out[0].node->origin;
  fused->caller = out[0].node->caller;
  for (int k = 0; k < n_out; k++) r->to[out[k].node->at] = (Entry){ fused, k };
  r->list[r->n++] = fused;
  return OK;
}

/* Lists the nodes that a node reads or must follow, except the other members of its cluster, which are listed with
** it. */
static Status emit_inputs(Rebuild *r, int at) {
  const Fuser *f = r->f;
  const Node *n = f->g->node[at];
  if (f->before[at] >= 0) TRY(emit(r, f->before[at]));
  for (int i = 0; i < n->n_in; i++) {
    const int from = position(&n->in[i]);
    if (f->of[at] < 0 || f->of[from] != f->of[at]) TRY(emit(r, from));
  }
  return OK;
}

static Status emit_cluster(Rebuild *r, const Cluster *c) {
  for (int m = 0; m < c->n; m++) r->progress[c->member[m]] = OPEN;
  for (int m = 0; m < c->n; m++) TRY(emit_inputs(r, c->member[m]));
  for (int m = 0; m < c->n; m++) r->progress[c->member[m]] = DONE;
  return make_group(r, c);
}

static Status emit(Rebuild *r, int at) {
  Fuser *f = r->f;
  Node *n = f->g->node[at];
  if (r->progress[at] == DONE) return OK;
  if (r->progress[at] == OPEN)
    return fail_as(E_INTERNAL, "pass fuse: node %s depends on itself through kernels", n->name ? n->name : n->op->name);
  r->progress[at] = OPEN;
  if (f->of[at] >= 0) return emit_cluster(r, &f->cluster[f->of[at]]);
  TRY(emit_inputs(r, at));
  for (int i = 0; i < n->n_in; i++) {
    Entry to = current(r, n->in[i]);
    if (!entry_equal(to, n->in[i])) node_set_input(n, i, to);
  }
  r->list[r->n++] = node_retain(n);
  r->progress[at] = DONE;
  return OK;
}

static void find_wanted(Fuser *f) {
  for (int i = 0; i < f->g->n_nodes; i++) {
    const Node *n = f->g->node[i];
    for (int k = 0; k < n->n_in; k++) {
      int from = position(&n->in[k]);
      if (f->of[i] < 0 || f->of[i] != f->of[from]) f->wanted[from] = true;
    }
  }
  for (int i = 0; i < f->g->n_out; i++) f->wanted[position(&f->g->out[i])] = true;
}

/* Can the whole cluster be an epilogue? */
static bool may_be_epilogue(const Fuser *f, const Cluster *c) {
  for (int k = 0; c->kind == GROUP_MAP && k < c->n_read; k++) {
    const Read *r = &c->read[k];
    const bool in_part = graph_part(f->g, position(&r->value)) == graph_part(f->g, c->member[0]);
    if (r->operand && in_part && epilogue_fits(r->value, &c->space)) return true;
  }
  return false;
}

/* Dissolves clusters that are too wide or save nothing: those with one member that computes, and no epilogue. */
static int drop_small(Fuser *f) {
  int left = 0;
  for (int k = 0; k < f->n_clusters; k++) {
    Cluster *c = &f->cluster[k];
    int computing = 0, n_out = 0;
    if (c->gone) continue;
    for (int m = 0; m < c->n; m++) computing += !fusible_reshape(f->g->node[c->member[m]]);
    for (int m = 0; m < c->n; m++) n_out += f->wanted[c->member[m]];
    const bool pays = computing > 1 || (computing == 1 && may_be_epilogue(f, c));
    if (pays && c->n_read + n_out <= MOST_POINTERS) left++;
    else
      for (int m = 0; m < c->n; m++) f->of[c->member[m]] = -1;
  }
  return left;
}

static void rebuild_free(Rebuild *r) {
  for (int i = 0; r->list && i < r->n; i++) node_release(r->list[i]);
  object_free(r->list);
}

static Status rebuild(Fuser *f, Bump *bump) {
  Graph *g = f->g;
  const int n = g->n_nodes;
  int n_forward = 0;
  Rebuild r FREED_BY(rebuild_free) = { .f = f };
  r.to = BUMP_ARRAY(bump, n, Entry);
  r.progress = BUMP_ARRAY(bump, n, Progress);
  TRY(bump->status);
  r.list = object_new((size_t)n * sizeof *r.list);      /* a group replaces one member or more */
  if (!r.list) return no_memory("kernels");
  for (int i = 0; i < n; i++) {
    TRY(emit(&r, i));
    if (i < g->n_forward) n_forward = r.n;
  }
  for (int i = 0; i < g->n_out; i++) g->out[i] = current(&r, g->out[i]);
  Node **list = r.list;
  r.list = NULL;
  return graph_set_nodes(g, list, r.n, n_forward);
}

static void count_users(Fuser *f) {
  const Graph *g = f->g;
  for (int i = 0; i < g->n_nodes; i++)
    for (int k = 0; k < g->node[i]->n_in; k++) f->users[g->node[i]->in[k].node->at]++;
  for (int i = 0; i < g->n_out; i++) f->users[g->out[i].node->at] += 2;
}

static bool any_draws(const Graph *g) {
  for (int i = 0; i < g->n_nodes; i++)
    if (node_effects(g->node[i]) & DRAWS) return true;
  return false;
}

/* Nodes that may fail keep their place among draws, so that a failure leaves the random stream that eager code leaves.
** Segments keep it among writes. */
static void find_segments(Fuser *f) {
  int segment = 0, impure = -1;
  const bool draws = any_draws(f->g);
  for (int i = 0; i < f->g->n_nodes; i++) {
    const Node *n = f->g->node[i];
    f->of[i] = f->before[i] = -1;
    f->operands[i] = n->op ? (uint8_t)fusible_operands(n) : 0;
    if (i == f->g->n_forward) segment++;
    const unsigned effects = node_effects(n);
    if (effects || (draws && node_fails(n))) {
      f->before[i] = impure;
      impure = i;
      if (effects & WRITES) segment++;
    }
    f->segment[i] = segment;
    if (effects & WRITES) segment++;
  }
}

Status pass_fuse(Graph *g) {
  const int n = g->n_nodes;
  if (n > MOST_NODES) return OK;
  BUMP(bump, "kernels");
  Fuser f = { .g = g,
              .cluster = BUMP_ARRAY(&bump, n, Cluster),
              .of = BUMP_ARRAY(&bump, n, int),
              .level = BUMP_ARRAY(&bump, n, Level),
              .operands = BUMP_ARRAY(&bump, n, uint8_t),
              .segment = BUMP_ARRAY(&bump, n, int),
              .before = BUMP_ARRAY(&bump, n, int),
              .wanted = BUMP_ARRAY(&bump, n, bool),
              .users = BUMP_ARRAY(&bump, n, int),
              .spans = BUMP_ARRAY(&bump, n, int),
              .seen = BUMP_ARRAY(&bump, n, int),
              .stack = BUMP_ARRAY(&bump, n, int) };
  TRY(bump.status);
  count_users(&f);
  find_segments(&f);
  find_clusters(&f);
  find_wanted(&f);
  return drop_small(&f) > 0 ? rebuild(&f, &bump) : OK;
}
