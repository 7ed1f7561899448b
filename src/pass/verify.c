/* verify.c - checks the invariants of graphs between passes, and of memory plans. A failure is a bug in hybridlua.
**
** Graphs are checked node by node: structure, reference counts, and types, which are inferred again. A memory plan is
** simulated node by node: each value must be in its memory from its definition to its last read. The simulation uses
** only the fields that execution uses (place, workspace, until).
*/
#include "pass/pass.h"

static const char *node_title(const Node *n) { return n->name ? n->name : n->op ? n->op->name : "without operator"; }

static Status broken(const char *after, const Node *n, const char *what) {
  return fail("after pass %s: node %s: %s", after, node_title(n), what);
}

/* ---- Graphs ------------------------------------------------------------------------------------ */

static bool is_listed(const Graph *g, const Node *n) { return n->at >= 0 && n->at < g->n_nodes && g->node[n->at] == n; }

static Status check_inputs(const Graph *g, const Node *n, int at, int *uses, const char *after) {
  if (n->op && op_counts_inputs(n->op) && n->n_in != op_inputs(n->op, n->params))
    return broken(after, n, "the number of inputs is wrong");
  if (!n->op && n->n_in > 0) return broken(after, n, "it has inputs and no operator");
  for (int k = 0; k < n->n_in; k++) {
    const Node *in = n->in[k].node;
    if (!in) return broken(after, n, "an input is missing");
    if (!is_listed(g, in)) return broken(after, n, "an input is not in the graph");
    if (in->at >= at) return broken(after, n, "an input comes after it");
    if (n->in[k].index < 0 || n->in[k].index >= in->n_out) return broken(after, n, "an input's index is out of range");
    uses[in->at]++;
  }
  return OK;
}

/* Types must equal those of a new inference. */
static Status check_types(const Node *n, const char *after) {
  for (int k = 0; k < n->n_out; k++)
    if (!type_known(&n->type[k])) return broken(after, n, "an output's type is unknown");
  if (!n->op) return OK;
  TypeList types FREED_BY(types_free);
  TRY(types_new(&types, n->n_in + n->n_out));
  Type *in = types.at, *out = in + n->n_in;
  for (int k = 0; k < n->n_in; k++) in[k] = *entry_type(n->in[k]);
  for (int k = 0; k < n->n_out; k++) out[k] = n->type[k];
  Status s = op_infer(n->op, n->params, in, n->n_in, out, n->n_out);
  if (s != OK) return fail_within(s, "after pass %s", after);
  for (int k = 0; k < n->n_in; k++)
    if (!type_equal(&in[k], entry_type(n->in[k])))
      return broken(after, n, "an input's type differs from the inferred one");
  for (int k = 0; k < n->n_out; k++)
    if (!type_equal(&out[k], &n->type[k])) return broken(after, n, "an output's type differs from the inferred one");
  return OK;
}

static Status check_node(const Graph *g, int at, int *uses, const char *after) {
  const Node *n = g->node[at];
  if (n->at != at) return broken(after, n, "it is listed twice, or not at its position");
  if (!n->op != !n->params) return broken(after, n, "it has an operator or parameters, but not both");
  if (n->op && n->value) return broken(after, n, "it has an operator and a value");
  if (node_is_constant(n) && !type_equal(&n->value[0].type, &n->type[0]))
    return broken(after, n, "the constant's type differs from its value's");
  TRY(check_inputs(g, n, at, uses, after));
  return check_types(n, after);
}

static Status check_parts(const Graph *g, const char *after) {
  if (g->n_forward < 0 || g->n_forward > g->n_nodes || g->n_forward_out > g->n_out || g->n_forward_in > g->n_input)
    return fail("after pass %s: forward is larger than the graph", after);
  for (int i = 0; i < g->n_forward_out; i++)
    if (graph_part(g, g->out[i].node->at) == PART_BACKWARD)
      return fail("after pass %s: backward computes output %d of forward", after, i);
  return OK;
}

static Status check_ends(const Graph *g, int *uses, const char *after) {
  for (int i = 0; i < g->n_out; i++) {
    const Node *n = g->out[i].node;
    if (!n || !is_listed(g, n)) return fail("after pass %s: output %d is not in the graph", after, i);
    if (g->out[i].index < 0 || g->out[i].index >= n->n_out)
      return broken(after, n, "an output's index is out of range");
  }
  int variables = 0;
  for (int i = 0; i < g->n_nodes; i++) variables += node_is_variable(g->node[i]);
  for (int i = 0; i < g->n_input; i++) {
    if (!is_listed(g, g->input[i]) || !node_is_variable(g->input[i]))
      return fail("after pass %s: input %d is not a variable of the graph", after, i);
    for (int k = 0; k < i; k++)
      if (g->input[k] == g->input[i]) return fail("after pass %s: input %d is listed twice", after, i);
  }
  if (variables != g->n_input) return fail("after pass %s: %d variables for %d inputs", after, variables, g->n_input);
  for (int i = 0; i < g->n_nodes; i++)
    if (g->node[i]->refs < uses[i] + 1) return broken(after, g->node[i], "it has fewer references than users");
  return OK;
}

Status pass_verify_graph(const Graph *g, const char *after) {
  BUMP(bump, "verifier");
  int *uses = BUMP_ARRAY(&bump, g->n_nodes, int);
  TRY(bump.status);
  for (int i = 0; i < g->n_nodes; i++) TRY(check_node(g, i, uses, after));
  TRY(check_ends(g, uses, after));
  return check_parts(g, after);
}

/* ---- Memory plans ------------------------------------------------------------------------------- */

/* A range of the arena, of the saved memory, or of one input, output or constant. */
typedef struct ByteRange { Home home; int index; size_t at, bytes; } ByteRange;

typedef struct Follower {
  const Graph *g;
  const MemoryPlan *plan;
  const Type **type;     /* by value */
  const Node **lost;     /* by value: the node that overwrote it; NULL: it is intact */
  bool *again;           /* by value: backward reads it, and it is forward's */
} Follower;

static int value_of(const Follower *f, Entry e) { return f->plan->first[e.node->at] + e.index; }

static ByteRange bytes_of(const Follower *f, int v) {
  const Address *p = &f->plan->place[v];
  return (ByteRange){ p->home, p->home == HOME_ARENA || p->home == HOME_SAVED ? 0 : p->index, p->offset,
                      p->home == HOME_NOWHERE ? 0 : type_bytes(f->type[v]) };
}

static bool overlap(ByteRange a, ByteRange b) {
  return a.home == b.home && a.index == b.index && a.at < b.at + b.bytes && b.at < a.at + a.bytes;
}

/* Marks the values defined before `defined` that overlap r as lost, because node i writes there. */
static Status write_over(Follower *f, ByteRange r, int i, int defined) {
  for (int v = 0; v < defined; v++) {
    if (f->lost[v] || !overlap(r, bytes_of(f, v))) continue;
    if (graph_part(f->g, i) == PART_BACKWARD && f->again[v])
      return fail("memory plan: node %d (%s) overwrites value %d, which backward needs when it runs again", i,
                  node_title(f->g->node[i]), v);
    f->lost[v] = f->g->node[i];
  }
  return OK;
}

/* Is it lost when forward ends, because backward runs in another arena? */
static bool is_left(const Follower *f, Entry e) {
  return graph_part(f->g, e.node->at) == PART_FORWARD && f->plan->place[value_of(f, e)].home == HOME_ARENA;
}

static Status check_reads(const Follower *f, int i) {
  const Node *n = f->g->node[i];
  for (int k = 0; k < n->n_in; k++) {
    if (graph_part(f->g, i) == PART_BACKWARD && is_left(f, n->in[k]))
      return fail("memory plan: node %d (%s) reads input %d, which is in the arena of forward", i, node_title(n), k);
    if (f->plan->place[value_of(f, n->in[k])].home == HOME_NOWHERE)
      return fail("memory plan: node %d (%s) reads input %d, which is not computed", i, node_title(n), k);
    const Node *by = f->lost[value_of(f, n->in[k])];
    if (by)
      return fail("memory plan: node %d (%s) reads input %d after %s overwrote it", i, node_title(n), k,
                  node_title(by));
  }
  return OK;
}

static ByteRange workspace_of(const Follower *f, int i) {
  const Node *n = f->g->node[i];
  return (ByteRange){ HOME_ARENA, 0, f->plan->workspace[i], memory_plan_workspace(f->g, n, f->plan->threads) };
}

/* The outputs and the workspace of an instruction must not overlap its inputs, unless it may work in place. */
static Status check_apart(const Follower *f, int i, ByteRange workspace) {
  const Node *n = f->g->node[i];
  for (int k = 0; k < n->n_out; k++) {
    ByteRange out = bytes_of(f, f->plan->first[i] + k);
    if (out.home == HOME_INPUT || out.home == HOME_CONSTANT)
      return fail("memory plan: node %d (%s) writes into an input", i, node_title(n));
    if (overlap(out, workspace))
      return fail("memory plan: node %d (%s): an output is in its workspace", i, node_title(n));
    for (int m = 0; m < k; m++)
      if (overlap(out, bytes_of(f, f->plan->first[i] + m)))
        return fail("memory plan: node %d (%s): its outputs overlap", i, node_title(n));
    for (int m = 0; m < n->n_in; m++) {
      ByteRange in = bytes_of(f, value_of(f, n->in[m]));
      bool in_place = m < 64 && memory_plan_overwritable(n, k) >> m & 1 && in.at == out.at && in.bytes == out.bytes;
      if (overlap(out, in) && !in_place)
        return fail("memory plan: node %d (%s): its output %d overlaps its input %d", i, node_title(n), k, m);
      if (overlap(workspace, in))
        return fail("memory plan: node %d (%s): input %d is in its workspace", i, node_title(n), m);
    }
  }
  return OK;
}

/* The value whose memory contains this one in eager code. */
static Entry base_of(Entry e) {
  while (e.node->op && e.node->op->view && e.node->n_in > 0 && e.index == 0) e = e.node->in[0];
  return e;
}

/* Node i writes into inputs: these must not be constants, and overlapping values that are separate in eager code are
** lost. */
static Status follow_writes(Follower *f, int i) {
  const Node *n = f->g->node[i];
  for (int k = 0; k < n->n_in; k++) {
    if (!node_writes(n, k)) continue;
    const ByteRange r = bytes_of(f, value_of(f, n->in[k]));
    const Entry base = base_of(n->in[k]);
    if (r.home == HOME_CONSTANT) return fail("memory plan: node %d (%s) writes into a constant", i, node_title(n));
    for (int j = 0; j < i; j++) {
      for (int m = 0; m < f->g->node[j]->n_out; m++) {
        const int v = f->plan->first[j] + m;
        const bool own = entry_equal(base_of((Entry){ f->g->node[j], m }), base);
        if (!own && !f->lost[v] && overlap(r, bytes_of(f, v))) f->lost[v] = n;
      }
    }
  }
  return OK;
}

static Status follow_node(Follower *f, int i) {
  const Node *n = f->g->node[i];
  int first = f->plan->first[i];
  if (!n->op) return OK;
  TRY(check_reads(f, i));
  if (!f->plan->place[first].alias) {
    ByteRange workspace = workspace_of(f, i);
    TRY(check_apart(f, i, workspace));
    TRY(write_over(f, workspace, i, first));
    for (int k = 0; k < n->n_out; k++) TRY(write_over(f, bytes_of(f, first + k), i, first));
  }
  return follow_writes(f, i);
}

/* Memory that is free after node i may be overwritten in any way. */
static Status forget(Follower *f, int i) {
  int defined = f->plan->first[i] + f->g->node[i]->n_out;
  for (int v = 0; v < defined; v++)
    if (f->plan->until[v] == i) TRY(write_over(f, bytes_of(f, v), i, defined));
  return OK;
}

static Status follow(Follower *f) {
  const Graph *g = f->g;
  for (int i = 0; i < g->n_nodes; i++) {
    for (int k = 0; k < g->node[i]->n_out; k++) f->type[f->plan->first[i] + k] = &g->node[i]->type[k];
    for (int k = 0; graph_part(g, i) == PART_BACKWARD && k < g->node[i]->n_in; k++)
      if (graph_part(g, g->node[i]->in[k].node->at) == PART_FORWARD) f->again[value_of(f, g->node[i]->in[k])] = true;
  }
  for (int i = 0; i < g->n_nodes; i++) {
    TRY(follow_node(f, i));
    TRY(forget(f, i));
  }
  for (int i = 0; i < g->n_out; i++) {
    int v = value_of(f, g->out[i]);
    const Address *p = &f->plan->place[v];
    if (p->home != HOME_OUTPUT || p->index != i || p->offset != 0)
      return fail("memory plan: output %d has no separate buffer", i);
    if (f->lost[v]) return fail("memory plan: output %d: %s overwrote it", i, node_title(f->lost[v]));
  }
  return OK;
}

Status pass_verify_plan(const Graph *g, const MemoryPlan *plan) {
  BUMP(bump, "verifier");
  Follower f = { .g = g,
                 .plan = plan,
                 .type = BUMP_ARRAY(&bump, plan->n_values, const Type *),
                 .lost = BUMP_ARRAY(&bump, plan->n_values, const Node *),
                 .again = BUMP_ARRAY(&bump, plan->n_values, bool) };
  TRY(bump.status);
  return follow(&f);
}
