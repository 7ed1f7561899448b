/* memory_plan.c - memory planning by lifetimes.
**
** Values that share memory form a group: a value and its views, and chains in which an operator may overwrite an input
** that is not needed afterwards. A group lives from its first definition to its last use. A group that contains an
** output is the output's fresh buffer. Groups of forward that backward reads get separate offsets in the saved memory.
** All others get offsets in the arena (pass/arena_offsets.c), which keeps nothing from forward to backward.
**
** Invariant: groups that live at the same time do not overlap. pass_verify_plan checks it by simulating the nodes in
** order. Backward overwrites nothing that forward computed, so that it can run again.
*/
#include "pass/memory_plan.h"

#include <string.h>

#include "base/settings/debug_switches.h"
#include "base/size_math.h"
#include "base/threads/parallel_for.h"
#include "ir/run_op.h"
#include "ir/graph/written_memory.h"
#include "pass/arena_offsets.h"
#include "pass/epilogue.h"
#include "pass/pass.h"

enum { FOREVER = 1 << 30 };

typedef struct PlannedValue {
  const Node *node;
  int root;              /* the value whose memory contains this one, or itself */
  size_t offset;         /* bytes into the root */
  size_t bytes;
  bool computed;         /* it is a root that an operator computes, in separate memory */
  bool read;             /* a node reads it, or it is an output of the graph */
  int group;             /* of roots: the leader of the group */
  int from, to;          /* of leaders: positions of the first definition and the last use */
  int output;            /* of leaders: the output that is this group, or -1 */
  bool saved;            /* computed in forward, and read in backward */
  size_t at;             /* of leaders: offset in the arena or in the saved memory */
} PlannedValue;

typedef struct Planner {
  const Graph *g;
  MemoryPlan *plan;
  Bump *bump;            /* for tables that only the planner needs */
  PlannedValue *value;
  bool *written;         /* from graph_written */
} Planner;

static int value_of(const Planner *p, Entry e) { return p->plan->first[e.node->at] + e.index; }
static int leader(const Planner *p, int v) {
  int root = p->value[v].root;
  while (p->value[root].group != root) root = p->value[root].group;
  return root;
}

/* ---- Which values share memory ----------------------------------------------------------------- */

bool memory_plan_is_alias(const Node *n, size_t *offset) {
  *offset = 0;
  if (!n->op || n->n_in == 0 || n->op->role == ROLE_COPY) return false;
  if (!n->op->view && !n->op->same) return false;
  const Query q = query_of_node(n);
  if (n->op->view) return n->op->view(&q, offset);
  return n->op->same(&q) && type_equal(query_in(&q, 0), &n->type[0]);
}

/* Memory that the executable overwrites must not be shared with a value that eager code would have copied. That
** includes all variables, since two of them may be the same array. */
static bool shares_written(const Planner *p, const Node *n) {
  if (!p->written || n->op->view) return false;
  const PlannedValue *root = &p->value[p->value[value_of(p, n->in[0])].root];
  return p->written[n->at] || p->written[n->in[0].node->at] || node_is_variable(root->node);
}

/* Is it an output that no node reads and that the call need not compute? */
static bool is_unused(const Planner *p, const Node *n, int output) {
  if (!n->op || !n->op->unused || p->value[p->plan->first[n->at] + output].read) return false;
  Query q = query_of_node(n);
  q.no_gradient = true;
  return op_unused(&q, output);
}

static void find_readers(Planner *p) {
  for (int i = 0; i < p->g->n_nodes; i++)
    for (int k = 0; k < p->g->node[i]->n_in; k++) p->value[value_of(p, p->g->node[i]->in[k])].read = true;
  for (int i = 0; i < p->g->n_out; i++) p->value[value_of(p, p->g->out[i])].read = true;
}

static void number_values(Planner *p) {
  find_readers(p);
  for (int i = 0; i < p->g->n_nodes; i++) {
    const Node *n = p->g->node[i];
    for (int k = 0; k < n->n_out; k++) {
      int v = p->plan->first[i] + k;
      size_t offset;
      const bool unused = is_unused(p, n, k);
      p->value[v] = (PlannedValue){ .node = n,
                                    .root = v,
                                    .group = v,
                                    .bytes = type_bytes(&n->type[k]),
                                    .computed = n->op && !unused,
                                    .read = p->value[v].read,
                                    .from = i,
                                    .to = i,
                                    .output = -1 };
      if (unused) p->plan->place[v].home = HOME_NOWHERE;
      if (k > 0 || !memory_plan_is_alias(n, &offset) || shares_written(p, n)) continue;
      int base = value_of(p, n->in[0]);
      p->value[v].root = p->value[base].root;
      p->value[v].offset = p->value[base].offset + offset;
      p->value[v].computed = false;
      p->plan->place[v].alias = true;
    }
  }
}

static void find_lifetimes(Planner *p) {
  for (int i = 0; i < p->g->n_nodes; i++) {
    const Node *n = p->g->node[i];
    for (int k = 0; k < n->n_in; k++) {
      PlannedValue *root = &p->value[p->value[value_of(p, n->in[k])].root];
      if (root->to < i) root->to = i;
      if (i >= p->g->n_forward && root->from < p->g->n_forward) root->saved = true;
    }
  }
  for (int i = 0; i < p->g->n_out; i++) {
    PlannedValue *root = &p->value[p->value[value_of(p, p->g->out[i])].root];
    root->to = FOREVER;
    root->output = i;
  }
}

/* May node n write its output over input k? The whole input must die here, and no other input may use that memory in
** another layout. */
static bool may_overwrite(const Planner *p, const Node *n, int i, int k, int out) {
  int in = value_of(p, n->in[k]), root = p->value[in].root, lead = leader(p, in);
  const PlannedValue *v = &p->value[in], *r = &p->value[root], *o = &p->value[out], *l = &p->value[lead];
  if (!r->computed || v->offset != 0 || v->bytes != o->bytes || r->bytes != o->bytes || r->bytes == 0) return false;
  if (l->to != i || r->to != i) return false;
  if (l->output >= 0 && o->output >= 0) return false;
  if (l->saved || (i >= p->g->n_forward && l->from < p->g->n_forward)) return false;
  for (int other = 0; other < n->n_in; other++) {
    int w = value_of(p, n->in[other]);
    if (leader(p, w) == lead && (p->value[w].offset != 0 || p->value[w].bytes != o->bytes)) return false;
  }
  return true;
}

uint64_t memory_plan_overwritable(const Node *n, int out) {
  if (epilogue_of(n)) return 0;          /* the operator reads its inputs while the group writes */
  const FusionGroup *g = fusion_group_of(n);
  if (g) return g->in_place[out];
  return out == 0 && n->op->flags & OP_IN_PLACE ? UINT64_MAX : 0;
}

/* All inputs in the memory of input k must be overwritable. */
static bool all_overwritable(const Planner *p, const Node *n, int k, uint64_t allowed) {
  int lead = leader(p, value_of(p, n->in[k]));
  for (int other = 0; other < n->n_in; other++)
    if (leader(p, value_of(p, n->in[other])) == lead && !(allowed >> (other < 64 ? other : 63) & 1)) return false;
  return true;
}

static void share_one(Planner *p, int i, int out_index, uint64_t *taken) {
  const Node *n = p->g->node[i];
  int out = p->plan->first[i] + out_index;
  uint64_t allowed = memory_plan_overwritable(n, out_index);
  if (!allowed || !p->value[out].computed) return;
  for (int k = 0; k < n->n_in && k < 64; k++) {
    int from = leader(p, value_of(p, n->in[k]));
    bool free = true;
    for (int other = 0; other < n->n_in && other < 64; other++)
      if (*taken >> other & 1 && leader(p, value_of(p, n->in[other])) == from) free = false;
    if (!free || !all_overwritable(p, n, k, allowed) || !may_overwrite(p, n, i, k, out)) continue;
    PlannedValue *lead = &p->value[from], *o = &p->value[out];
    o->group = from;
    if (o->to > lead->to) lead->to = o->to;
    if (o->output >= 0) lead->output = o->output;
    lead->saved = lead->saved || o->saved;
    *taken |= 1ull << k;
    return;
  }
}

static void share_in_place(Planner *p) {
  for (int i = 0; i < p->g->n_nodes; i++) {
    uint64_t taken = 0;
    for (int k = 0; p->g->node[i]->op && k < p->g->node[i]->n_out; k++) share_one(p, i, k, &taken);
  }
}

/* ---- Offsets ------------------------------------------------------------------------------------------ */

static bool in_arena(const Planner *p, int v) {
  return p->value[v].computed && p->value[v].group == v && p->value[v].output < 0;
}

/* Does backward read the values of this leader as forward left them? */
static bool is_saved(const Planner *p, const PlannedValue *lead) {
  return lead->saved && lead->output < 0 && lead->from < p->g->n_forward;
}

/* Saved groups live until the end of backward, so they do not share memory. */
static void place_saved(Planner *p) {
  size_t at = 0;
  for (int v = 0; v < p->plan->n_values; v++) {
    if (!in_arena(p, v) || !is_saved(p, &p->value[v])) continue;
    p->value[v].at = at;
    at += whole_lines(p->value[v].bytes);
  }
  p->plan->saved_bytes = at;
}

size_t memory_plan_workspace(const Graph *g, const Node *n, int threads) {
  const Query q = query_of_node(n);
  const Kernel *k = op_kernel(n->op, device_place(g->device), &q);
  Workspace w = { .sizes_only = true };
  if (!k || kernel_workspace(k, &q, &w) != OK) return 0;         /* executable_build fails, too */
  return w.bytes + w.thread_bytes * (size_t)(threads < w.most_threads ? threads : w.most_threads);
}

/* Adds the groups of the arena and the workspace that begin at node i, with pointers to their offsets. */
static void add_stretches(Planner *p, int i, Lifetime *stretch, size_t **offset, int *n) {
  const Node *node = p->g->node[i];
  int last = p->g->n_nodes - 1;
  for (int k = 0; k < node->n_out; k++) {
    int v = p->plan->first[i] + k;
    PlannedValue *group = &p->value[v];
    if (!in_arena(p, v) || is_saved(p, group)) continue;
    offset[*n] = &group->at;
    stretch[(*n)++] = (Lifetime){ .bytes = group->bytes, .from = i, .to = group->to > last ? FOREVER : group->to };
  }
  const size_t workspace = node->op ? memory_plan_workspace(p->g, node, p->plan->threads) : 0;
  if (workspace == 0) return;
  offset[*n] = &p->plan->workspace[i];
  stretch[(*n)++] = (Lifetime){ .bytes = workspace, .from = i, .to = debug.no_plan ? FOREVER : i };
}

static Status assign_offsets(Planner *p) {
  const int most = p->plan->n_values + p->g->n_nodes;
  Lifetime *stretch = BUMP_ARRAY(p->bump, most, Lifetime);
  size_t **offset = BUMP_ARRAY(p->bump, most, size_t *);
  int n = 0;
  TRY(p->bump->status);
  for (int i = 0; i < p->g->n_nodes; i++) add_stretches(p, i, stretch, offset, &n);
  TRY(arena_place(stretch, n, &p->plan->arena_bytes));
  for (int i = 0; i < n; i++) *offset[i] = stretch[i].at;
  return OK;
}

/* ---- The result ------------------------------------------------------------------------------------------ */

static void write_places(Planner *p) {
  for (int i = 0; i < p->g->n_nodes; i++) {
    const Node *n = p->g->node[i];
    for (int k = 0; k < n->n_out; k++) {
      int v = p->plan->first[i] + k;
      const PlannedValue *value = &p->value[v], *root = &p->value[value->root], *lead = &p->value[leader(p, v)];
      Address *place = &p->plan->place[v];
      place->offset = value->offset;
      p->plan->until[v] = -1;
      if (place->home == HOME_NOWHERE) continue;
      if (!root->computed) {
        place->home = node_is_constant(root->node) ? HOME_CONSTANT : HOME_INPUT;
        place->index = root->node->at;
      } else if (lead->output >= 0) {
        place->home = HOME_OUTPUT;
        place->index = lead->output;
      } else {
        place->home = is_saved(p, lead) ? HOME_SAVED : HOME_ARENA;
        place->offset += lead->at;
        if (lead == value && lead->to < p->g->n_nodes) p->plan->until[v] = lead->to;
      }
      if (value->computed) p->plan->value_bytes += value->bytes;
    }
  }
}

/* Extends each group's lifetime to those of all its members. */
static void spread_lifetimes(Planner *p) {
  for (int v = 0; v < p->plan->n_values; v++) {
    if (!p->value[v].computed) continue;
    PlannedValue *lead = &p->value[leader(p, v)];
    if (p->value[v].to > lead->to) lead->to = p->value[v].to;
    bool again = lead->saved && lead->to < p->g->n_nodes;               /* backward may run twice */
    if (again || debug.no_plan) lead->to = FOREVER;
  }
}

static Status allocate_tables(Planner *p) {
  MemoryPlan *plan = p->plan;
  const int nodes = p->g->n_nodes;
  plan->first = BUMP_ARRAY(&plan->bump, nodes, int);
  TRY(plan->bump.status);
  for (int i = 0; i < nodes; i++) {
    plan->first[i] = plan->n_values;
    plan->n_values += p->g->node[i]->n_out;
  }
  plan->place = BUMP_ARRAY(&plan->bump, plan->n_values, Address);
  plan->workspace = BUMP_ARRAY(&plan->bump, nodes, size_t);
  plan->until = BUMP_ARRAY(&plan->bump, plan->n_values, int);
  p->value = BUMP_ARRAY(p->bump, plan->n_values, PlannedValue);
  TRY(p->bump->status);
  return plan->bump.status;
}

static Status make_plan(const Graph *g, MemoryPlan *plan) {
  BUMP(bump, "memory plan");
  Planner p = { .g = g, .plan = plan, .bump = &bump };
  TRY(allocate_tables(&p));
  TRY(graph_written(g, &bump, &p.written));
  number_values(&p);
  find_lifetimes(&p);
  if (!debug.no_plan) share_in_place(&p);
  spread_lifetimes(&p);
  place_saved(&p);
  TRY(assign_offsets(&p));
  write_places(&p);
  for (int i = 0; i < g->n_input; i++) plan->input_bytes += type_bytes(&g->input[i]->type[0]);
  for (int i = 0; i < g->n_out; i++) plan->output_bytes += type_bytes(entry_type(g->out[i]));
  return OK;
}

Status memory_plan_make(const Graph *g, MemoryPlan *plan) {
  *plan = (MemoryPlan){ .bump.purpose = "memory plan", .threads = parallel_threads() };
  Status s = make_plan(g, plan);
#ifdef HL_VERIFY
  if (s == OK) s = pass_verify_plan(g, plan);
#endif
  if (s != OK) memory_plan_free(plan);
  return s;
}

void memory_plan_free(MemoryPlan *plan) {
  bump_free(&plan->bump);
  *plan = (MemoryPlan){ 0 };
}
