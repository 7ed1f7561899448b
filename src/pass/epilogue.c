/* epilogue.c - see epilogue.h: the row of such nodes, and the pass that inserts them. */
#include "pass/epilogue.h"

#include "base/memory.h"
#include "ir/graph/graph_edit.h"
#include "pass/group_port.h"
#include "pass/pass.h"

/* ---- The call of the operator ----------------------------------------------------------------------------- */

static const Epilogue *epilogue_in(const void *params) { return ((const EpilogueParams *)params)->epilogue; }

static Query query_within(const Query *q) {
  const Epilogue *e = epilogue_in(q->params);
  Query of = *q;
  of.op = e->op;
  of.params = e->params->fields;
  of.n_in = e->n_in;
  of.n_out = 1;
  if (q->out) of.out = q->out + e->result;
  if (q->out_type) of.out_type = q->out_type + e->result;
  return of;
}

Call epilogue_operator_call(const Call *c) {
  const Epilogue *e = epilogue_in(c->params);
  Call of = *c;
  of.op = e->op;
  of.params = e->params->fields;
  of.n_in = e->n_in;
  of.n_out = 1;
  of.out = c->out + e->result;
  return of;
}

static const char *form(const Query *q) {
  const Query of = query_within(q);
  return of.op->form ? of.op->form(&of) : NULL;
}

static Status workspace(const Query *q, Workspace *w) {
  const Query of = query_within(q);
  const Kernel *k = op_kernel(of.op, ON_HOST, &of);
  return k->workspace ? k->workspace(&of, w) : OK;
}

static double flops(const Query *q) {
  const Query of = query_within(q);
  return op_flops(&of) + fusion_group_flops(epilogue_in(q->params)->group);
}

/* ---- The node ------------------------------------------------------------------------------------------------- */

static void *retain_epilogue(void *epilogue) {
  __atomic_fetch_add(&((Epilogue *)epilogue)->refs, 1, __ATOMIC_RELAXED);
  return epilogue;
}

static void release_epilogue(void *epilogue) {
  Epilogue *e = epilogue;
  if (!e || __atomic_sub_fetch(&e->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  params_release(e->params);
  fusion_group_release(e->group);
  object_free(e);
}

static Status print_epilogue(const void *epilogue, Text *out) {
  const Epilogue *e = epilogue;
  text_put(out, e->op->name);
  for (int m = 0; m < e->group->n_members; m++) text_format(out, ",%s", e->group->member[m].op->name);
  return text_status(out);
}

static const ObjectKind epilogue_kind = {
  .name = "epilogue", .retain = retain_epilogue, .release = release_epilogue, .print = print_epilogue
};
static const Kernel epilogue_kernels[] = {
  { .op = "_with_epilogue", .types = ALL_TYPES, .run = group_run_epilogue, .workspace = workspace }, { 0 }
};
static Op epilogue_op = { .name = "_with_epilogue",
                          .inputs = "arg...",
                          .params = "epilogue object? None An operator, and the operators that follow as one kernel.\n",
                          .params_size = sizeof(EpilogueParams),
                          .object = &epilogue_kind,
                          .flags = OP_INTERNAL,
                          .infer = op_keep_types,
                          .own_kernels = epilogue_kernels,
                          .form = form,
                          .flops = flops };

const Epilogue *epilogue_of(const Node *n) { return n->op == &epilogue_op ? epilogue_in(n->params->fields) : NULL; }

/* The output of the group that may overwrite input `at`, or -1. */
static int written_over(const Node *group, int at) {
  for (int k = 0; k < group->n_out; k++)
    if (fusion_group_of(group)->in_place[k] >> at & 1 && type_equal(&group->type[k], entry_type(group->in[at])))
      return k;
  return -1;
}

/* Makes a node for a group and the operator that computes its input `at`, with current inputs (edit_current). keep:
** other nodes read the operator's result too. */
static Status make_node(const Edit *edit, const Node *group, int at, bool keep, Node **out) {
  const Node *leader = group->in[at].node;
  int over = keep ? -1 : written_over(group, at), n_in = leader->n_in;
  Entry *in FREED = object_new((size_t)(leader->n_in + group->n_in) * sizeof *in);
  Epilogue *e = in ? object_new(sizeof *e) : NULL;
  if (!e) return no_memory("kernel");
  *e = (Epilogue){ .refs = 1,
                   .op = leader->op,
                   .params = params_retain(leader->params),
                   .n_in = leader->n_in,
                   .group = fusion_group_retain(fusion_group_of(group)),
                   .result = over < 0 ? group->n_out : over };
  for (int i = 0; i < leader->n_in; i++) in[i] = edit_current(edit, leader->in[i]);
  for (int i = 0; i < group->n_in; i++) {
    e->from[i] = i == at ? -1 : n_in;
    if (i != at) in[n_in++] = edit_current(edit, group->in[i]);
  }
  Params *params = NULL;
  Status s = op_declare(&epilogue_op);
  if (s == OK) s = params_from(&epilogue_op, &(EpilogueParams){ e }, &params);
  if (s == OK) s = node_new(&epilogue_op, params, in, n_in, group->n_out + (over < 0), out);
  params_release(params);
  release_epilogue(e);
  TRY(s);
  for (int k = 0; k < group->n_out; k++) (*out)->type[k] = group->type[k];
  if (over < 0) (*out)->type[group->n_out] = leader->type[0];
  (*out)->train = leader->train;
  (*out)->origin = leader->origin;
  (*out)->caller = leader->caller;
  (*out)->of = leader->of;
  s = leader->name ? node_set_name(*out, leader->name) : OK;
  if (s != OK) node_release(*out);
  return s;
}

/* ---- The pass --------------------------------------------------------------------------------------------------- */

/* Positions of the operator (leader), the group, and the node before which the pair is inserted; `at`: the group's
** input that the leader computes. */
typedef struct EpiloguePair { int leader, group, at, before; } EpiloguePair;

typedef struct Pairing {
  const Graph *g;
  EpiloguePair *pair;
  int n;
  /* by position: */
  int *readers;          /* of the node's outputs, including the script */
  int *stands;           /* its position afterwards, alone or in a pair */
  int *here;             /* the pair inserted here, or -1 */
  bool *leads;           /* it is the operator of a pair */
} Pairing;

bool epilogue_fits(Entry input, const Shape *space) {
  const Node *n = input.node;
  return n->op && n->op->flags & OP_REPORTS_TILES && n->n_out == 1 && !node_effects(n) &&
         shape_equal(&n->type[0].shape, space);
}

/* The position for the pair, or -1. It is the group's if no node between them reads the operator's result; otherwise
** the operator's, if the group's other inputs exist there. The pair does not move past nodes that write into their
** inputs. */
static int place_for(const Pairing *p, int leader, int group) {
  const Graph *g = p->g;
  const Node *n = g->node[group];
  int before = group;
  if (graph_part(g, leader) != graph_part(g, group)) return -1;
  for (int i = leader + 1; i < group; i++) {
    if (node_effects(g->node[i]) & WRITES) return -1;
    for (int k = 0; k < g->node[i]->n_in; k++)
      if (g->node[i]->in[k].node->at == leader) before = leader;
  }
  for (int k = 0; before == leader && k < n->n_in; k++)
    if (p->stands[n->in[k].node->at] > leader) return -1;
  return before;
}

/* Pairs a group with the last operator among its inputs that fits. */
static void find_pair(Pairing *p, int group) {
  const Node *n = p->g->node[group];
  const FusionGroup *of = fusion_group_of(n);
  EpiloguePair found = { .leader = -1 };
  if (!of || of->kind != GROUP_MAP) return;
  for (int i = 0; i < n->n_in; i++) {
    const int leader = n->in[i].node->at;
    if (leader < found.leader || p->leads[leader] || !epilogue_fits(n->in[i], &n->type[0].shape)) continue;
    const int before = place_for(p, leader, group);
    if (before >= 0) found = (EpiloguePair){ leader, group, i, before };
  }
  if (found.leader < 0) return;
  p->leads[found.leader] = true;
  p->stands[found.leader] = p->stands[group] = found.before;
  p->here[found.before] = p->n;
  p->pair[p->n++] = found;
}

static void find_pairs(Pairing *p) {
  const Graph *g = p->g;
  for (int i = 0; i < g->n_nodes; i++) {
    p->stands[i] = i;
    p->here[i] = -1;
    for (int k = 0; k < g->node[i]->n_in; k++) p->readers[g->node[i]->in[k].node->at]++;
  }
  for (int i = 0; i < g->n_out; i++) p->readers[g->out[i].node->at]++;
  for (int i = 0; i < g->n_nodes; i++) find_pair(p, i);
}

static Status put_in(Edit *e, const Pairing *p, const EpiloguePair *pair) {
  Node *leader = p->g->node[pair->leader], *group = p->g->node[pair->group], *made;
  const bool keep = p->readers[pair->leader] > 1;
  TRY(make_node(e, group, pair->at, keep, &made));
  for (int k = 0; k < group->n_out; k++) edit_replace(e, (Entry){ group, k }, (Entry){ made, k });
  if (keep) edit_replace(e, (Entry){ leader, 0 }, (Entry){ made, group->n_out });
  return edit_insert(e, made, graph_part(p->g, pair->group), pair->before);
}

static Status put_all_in(Graph *g, const Pairing *p) {
  EDIT(e);
  TRY(edit_begin(&e, g));
  for (int i = 0; i < g->n_nodes; i++) {
    if (p->here[i] >= 0) TRY(put_in(&e, p, &p->pair[p->here[i]]));
    edit_inputs(&e, g->node[i]);
  }
  return edit_end(&e);
}

Status pass_epilogue(Graph *g) {
  BUMP(bump, "graph pass");
  Pairing p = { .g = g,
                .pair = BUMP_ARRAY(&bump, g->n_nodes, EpiloguePair),
                .readers = BUMP_ARRAY(&bump, g->n_nodes, int),
                .stands = BUMP_ARRAY(&bump, g->n_nodes, int),
                .here = BUMP_ARRAY(&bump, g->n_nodes, int),
                .leads = BUMP_ARRAY(&bump, g->n_nodes, bool) };
  TRY(bump.status);
  find_pairs(&p);
  return p.n > 0 ? put_all_in(g, &p) : OK;
}
