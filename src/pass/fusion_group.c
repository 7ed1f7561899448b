/* fusion_group.c - see fusion_group.h. After its construction only the kernel of a group changes. */
#include "pass/epilogue.h"

#include <string.h>

#include "base/memory.h"
#include "base/math/tree_sum.h"
#include "pass/group_port.h"
#include "tensor/cast_copy.h"

/* ---- How operands lie ------------------------------------------------------------------------- */

bool fusion_group_input_fits(const Shape *space, int inner, const Shape *s) {
  int64_t stride[MAX_DIMS], step = 1;
  bool whole = true, none = true;
  broadcast_strides(s, space, stride);
  for (int i = space->ndim - 1; i >= space->ndim - inner; i--) {
    if (space->dim[i] == 1) continue;
    whole = whole && stride[i] == step;
    none = none && stride[i] == 0;
    step *= space->dim[i];
  }
  return whole || none;
}

/* Splits the space into the row and the outer dimensions. Neighbouring dimensions with contiguous strides in all inputs
** become one. For a MAP the row is as long as possible. */
static void lay_out(FusionGroup *g, const GroupPlan *p) {
  const Shape *space = p->space;
  int64_t stride[MOST_POINTERS][MAX_DIMS], dim[MAX_DIMS], walk[MOST_POINTERS][MAX_DIMS];
  int n = 0, first_inner = space->ndim - p->inner;
  bool row_begins[MAX_DIMS] = { 0 };
  for (int k = 0; k < g->n_in; k++) broadcast_strides(&entry_type(p->in[k])->shape, space, stride[k]);
  for (int i = 0; i < space->ndim; i++) {
    if (space->dim[i] == 1) continue;
    bool even = n > 0 && !(g->kind != GROUP_MAP && i >= first_inner && !row_begins[n - 1]);
    for (int k = 0; k < g->n_in && even; k++) even = walk[k][n - 1] == stride[k][i] * space->dim[i];
    int to = even ? n - 1 : n++;
    dim[to] = even ? dim[to] * space->dim[i] : space->dim[i];
    row_begins[to] = i >= first_inner;
    for (int k = 0; k < g->n_in; k++) walk[k][to] = stride[k][i];
  }
  bool row = n > 0 && (g->kind == GROUP_MAP || row_begins[n - 1]);
  g->n = row ? dim[n - 1] : 1;
  g->n_outer = row ? n - 1 : n;
  g->rows = 1;
  for (int i = 0; i < g->n_outer; i++) g->rows *= g->outer[i] = dim[i];
  for (int k = 0; k < g->n_in; k++) {
    g->input[k].inner = row ? walk[k][n - 1] != 0 : false;
    memcpy(g->input[k].stride, walk[k], (size_t)g->n_outer * sizeof(int64_t));
  }
}

/* dim[]: n, rows, the outer dimensions, then each input's strides along them. */
static void write_dims(FusionGroup *g) {
  int at = 0;
  g->dim[at++] = g->n;
  g->dim[at++] = g->rows;
  for (int i = 0; i < g->n_outer; i++) g->dim[at++] = g->outer[i];
  for (int k = 0; k < g->n_in; k++)
    for (int i = 0; i < g->n_outer; i++) g->dim[at++] = g->input[k].stride[i];
}

/* ---- Members ------------------------------------------------------------------------------------- */

/* Most operands are recent members, so the search goes backwards from m. */
static int operand_of(const GroupPlan *p, int m, Entry e) {
  while (--m >= 0)
    if (p->member[m] == e.node) return p->n_in + m;
  int at = entry_find(p->in, p->n_in, e);
  return at < p->n_in ? at : -1;
}

static Status add_member(FusionGroup *g, const GroupPlan *p, Node *n) {
  GroupMember *m = &g->member[g->n_members];
  bool reduced[MAX_DIMS];
  const Query q = query_of_node(n);
  *m = (GroupMember){ .op = n->op, .dtype = n->type[0].dtype, .output = -1, .origin = n->origin, .n_in = 1 };
  if (n->name && !(m->name = object_text(n->name))) return no_memory("kernel");
  m->elementwise = op_elementwise(n->op, n->params->fields);
  if (m->elementwise) m->n_in = (int)strlen(m->elementwise->slots);
  else if (n->op->folding) m->folding = n->op->folding(&q, reduced);
  for (int i = 0; i < m->n_in; i++) m->operand[i] = operand_of(p, g->n_members, n->in[i]);
  if (m->folding) m->level = g->kind == GROUP_COLUMNS ? LEVEL_COLUMN : LEVEL_ROW;
  else m->level = shape_equal(&n->type[0].shape, p->space) ? LEVEL_ELEMENT : LEVEL_ROW;
  if (m->elementwise && m->elementwise->n_scalars > 0) {
    m->scalar = g->n_scalars;
    m->n_scalars = m->elementwise->n_scalars;
    const bool bound = op_bound_numbers(n->op) > 0;
    if (!bound) memcpy(&g->scalar[m->scalar], n->params->fields, (size_t)m->n_scalars * sizeof(double));
    for (int i = 0; i < m->n_scalars; i++)
      g->number[m->scalar + i] = bound ? entry_find(p->in, p->n_in, n->in[m->n_in + i]) : -1;
    g->bound = g->bound || bound;
    g->n_scalars += m->n_scalars;
  }
  for (int k = 0; k < p->n_out; k++)
    if (p->out[k].node == n) m->output = k;
  g->n_members++;
  return OK;
}

/* ---- The schedule ---------------------------------------------------------------------------------- */

/* Records in used[] which loops need each element member: bit 2 * stage for the storing loop, bit 2 * stage + 1 for
** folds. A kept member is read from memory, so its operands are not needed again. */
static void mark_needed(const FusionGroup *g, const Schedule *s, int value, int loop, uint64_t *used) {
  if (value < g->n_in) return;
  int m = value - g->n_in;
  const GroupMember *member = &g->member[m];
  if (member->level != LEVEL_ELEMENT || used[m] >> loop & 1) return;
  used[m] |= 1ull << loop;
  if (s->kept[m] && loop != 2 * s->stage[m]) loop = 2 * s->stage[m];
  for (int i = 0; i < member->n_in; i++) mark_needed(g, s, member->operand[i], loop, used);
}

static void mark_all(const FusionGroup *g, const Schedule *s, uint64_t *used) {
  memset(used, 0, MOST_MEMBERS * sizeof *used);
  for (int m = 0; m < g->n_members; m++) {
    const GroupMember *member = &g->member[m];
    if (member->folding) mark_needed(g, s, member->operand[0], 2 * s->stage[m] + 1, used);
    else if (s->kept[m]) mark_needed(g, s, g->n_in + m, 2 * s->stage[m], used);
  }
}

void fusion_group_schedule(const FusionGroup *g, Schedule *s) {
  uint64_t used[MOST_MEMBERS];
  int ready[MOST_MEMBERS];           /* the first stage that may read a member's value */
  *s = (Schedule){ .n_stages = 1 };
  for (int m = 0; m < g->n_members; m++) {
    const GroupMember *member = &g->member[m];
    int stage = 0;
    for (int i = 0; i < member->n_in; i++)
      if (member->operand[i] >= g->n_in && ready[member->operand[i] - g->n_in] > stage)
        stage = ready[member->operand[i] - g->n_in];
    s->stage[m] = stage < 30 ? stage : 30;
    ready[m] = s->stage[m] + (member->folding ? 1 : 0);
    s->kept[m] = member->level == LEVEL_ELEMENT && member->output >= 0;
    s->buffer[m] = -1;
    if (ready[m] + 1 > s->n_stages) s->n_stages = ready[m] + 1;
  }
  if (g->kind != GROUP_ROWS || g->n > TREE_KEPT) return;
  for (int m = g->n_members - 1; m >= 0; m--) {          /* users first, so that their needs are known */
    const GroupMember *member = &g->member[m];
    if (member->level != LEVEL_ELEMENT || s->kept[m] || !member->elementwise || !member->elementwise->tree->costly)
      continue;
    mark_all(g, s, used);
    if (__builtin_popcountll(used[m]) < 2) continue;
    s->kept[m] = true;
    s->buffer[m] = s->n_buffers++;
  }
}

/* ---- Writing over inputs ------------------------------------------------------------------------------ */

/* For each input, the last loop of a row that reads its elements. */
static void last_reads(const FusionGroup *g, const Schedule *s, int *last) {
  uint64_t used[MOST_MEMBERS];
  mark_all(g, s, used);
  for (int i = 0; i < g->n_in; i++) last[i] = -1;
  for (int m = 0; m < g->n_members; m++) {
    const GroupMember *member = &g->member[m];
    uint64_t loops = member->folding ? 1ull << (2 * s->stage[m] + 1) : used[m];
    if (s->kept[m]) loops = 1ull << (2 * s->stage[m]);
    for (int i = 0; i < member->n_in && loops; i++) {
      int value = member->operand[i], loop = 63 - __builtin_clzll(loops);
      if (value < g->n_in && last[value] < loop) last[value] = loop;
    }
  }
}

/* An output may overwrite an input with the same strides and element size that is not read after the output's loop. */
static void find_in_place(FusionGroup *g) {
  Schedule s;
  int last[MOST_POINTERS];
  fusion_group_schedule(g, &s);
  last_reads(g, &s, last);
  for (int m = 0; m < g->n_members; m++) {
    const GroupMember *member = &g->member[m];
    if (member->output < 0 || member->level != LEVEL_ELEMENT) continue;
    for (int i = 0; i < g->n_in; i++) {
      int64_t step = g->n;
      bool like = g->input[i].inner || g->n == 1;
      for (int d = g->n_outer - 1; d >= 0; d--) {
        like = like && g->input[i].stride[d] == step;
        step *= g->outer[d];
      }
      if (like && dtype_size(g->input[i].dtype) == dtype_size(member->dtype) && last[i] <= 2 * s.stage[m])
        g->in_place[member->output] |= 1ull << i;
    }
  }
}

/* ---- Life ------------------------------------------------------------------------------------------- */

FusionGroup *fusion_group_retain(FusionGroup *g) {
  __atomic_fetch_add(&g->refs, 1, __ATOMIC_RELAXED);
  return g;
}

void fusion_group_release(FusionGroup *g) {
  if (!g || __atomic_sub_fetch(&g->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  if (g->free_code) g->free_code(g->code);
  for (int m = 0; m < g->n_members; m++) object_free(g->member[m].name);
  object_free(g);
}

Status fusion_group_new(const GroupPlan *p, FusionGroup **out) {
  FusionGroup *g = object_new(sizeof *g);
  if (!g) return no_memory("kernel");
  *g = (FusionGroup){ .refs = 1, .kind = p->kind, .n_in = p->n_in, .n_out = p->n_out };
  for (int i = 0; i < p->n_in; i++) g->input[i].dtype = entry_type(p->in[i])->dtype;
  lay_out(g, p);
  Status s = OK;
  for (int m = 0; m < p->n_members && s == OK; m++) s = add_member(g, p, p->member[m]);
  if (s != OK) {
    fusion_group_release(g);
    return s;
  }
  write_dims(g);
  find_in_place(g);
  *out = g;
  return OK;
}

double fusion_group_flops(const FusionGroup *g) {
  double flops = 0;
  for (int m = 0; m < g->n_members; m++) {
    const GroupMember *member = &g->member[m];
    bool whole = member->folding || member->level == LEVEL_ELEMENT;
    if (!member->elementwise && !member->folding) continue;
    flops += whole ? (double)g->n * (double)g->rows : member->level == LEVEL_ROW ? (double)g->rows : (double)g->n;
  }
  return flops;
}

/* ---- The node ------------------------------------------------------------------------------------------- */

static double fused_flops(const Query *q) { return fusion_group_flops(((const FusedParams *)q->params)->group); }

static void *retain_group(void *group) { return fusion_group_retain(group); }

static void release_group(void *group) { fusion_group_release(group); }

static Status print_group(const void *group, Text *out) {
  const FusionGroup *g = group;
  for (int m = 0; m < g->n_members; m++) text_format(out, "%s%s", m ? "," : "", g->member[m].op->name);
  return text_status(out);
}

static const ObjectKind group_kind = {
  .name = "group", .retain = retain_group, .release = release_group, .print = print_group
};
static const Kernel group_kernels[] = { { .op = "_fused", .types = ALL_TYPES, .run = group_run }, { 0 } };
static Op fused_op = { .name = "_fused",
                       .inputs = "arg...",
                       .params = "group object? None The operators, as one kernel.\n",
                       .params_size = sizeof(FusedParams),
                       .object = &group_kind,
                       .flags = OP_INTERNAL,
                       .infer = op_keep_types,
                       .own_kernels = group_kernels,
                       .flops = fused_flops };

Status fusion_group_node(FusionGroup *g, const Entry *in, const Entry *out, Node **node) {
  Params *params;
  TRY(op_declare(&fused_op));
  TRY(params_from(&fused_op, &(FusedParams){ g }, &params));
  Status s = node_new(&fused_op, params, in, g->n_in, g->n_out, node);
  params_release(params);
  if (s != OK) return s;
  for (int k = 0; k < g->n_out; k++) (*node)->type[k] = *entry_type(out[k]);
  return OK;
}

FusionGroup *fusion_group_of(const Node *n) {
  const Epilogue *e = epilogue_of(n);
  if (e) return e->group;
  if (n->op != &fused_op) return NULL;
  const FusedParams *p = (const void *)n->params->fields;
  return p->group;
}
