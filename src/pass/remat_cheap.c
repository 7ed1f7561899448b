/* remat_cheap.c - values of forward that backward recomputes instead of keeping.
**
** A value that is cheap (a few expressions without functions or divisions) and read in forward
** by nodes that fuse need not be written at all: forward's kernel keeps it in a register, and
** backward's computes it from what is there anyway. That saves writing and reading it and
** costs reading at most one array more. Bits are the same: it is the same expression.
**
** Backward's copies stand before its first node, in the order of their originals.
*/
#include "ir/graph_edit.h"
#include "ir/written_memory.h"
#include "pass/fusible.h"
#include "pass/pass.h"

/* looking for users takes nodes squared */
enum { MOST_COPIES = 200, MOST_NODES = 2000, MOST_OPERATORS = 8, MOST_LEAVES = 4 };

typedef struct Finder {
  Graph *g;
  Edit *e;
  bool *kept;        /* by position: a value of forward that is there in backward whatever we do */
  bool *written;     /* by position: forward writes it whatever we do */
  bool *in_place;    /* by position: the graph writes over it; NULL: over nothing */
  bool *scripts;     /* by position: an input or output of the graph */
  int *operators;    /* by position: how many it takes to compute it in backward; 0: it cannot be */
  Node **copy;       /* by position: what computes it in backward */
  int n_copies;
} Finder;

static int position(const Entry *e) { return e->node->at; }

/* Nodes that a kernel of forward can take in together with what they read. */
static bool takes_in(const Node *n) { return fusible(n) && !fusible_reshape(n); }

/* Inputs and outputs are the script's: it may write into them before backward, which then fails
** if it reads them. So copies read only those that backward reads without them, and none that the
** graph itself writes to. */
static void look_around(Finder *f) {
  const Graph *g = f->g;
  for (int i = 0; i < g->n_nodes; i++) f->scripts[i] = node_is_variable(g->node[i]);
  for (int i = 0; i < g->n_out; i++) f->scripts[position(&g->out[i])] = f->written[position(&g->out[i])] = true;
  for (int i = 0; i < g->n_nodes; i++) {
    const Node *n = g->node[i];
    if (node_is_constant(n)) f->kept[i] = true;
    for (int k = 0; k < n->n_in; k++) {
      int from = position(&n->in[k]);
      if (from >= f->g->n_forward) continue;
      if (i < f->g->n_forward) f->written[from] = f->written[from] || !takes_in(n);
      else f->kept[from] = f->kept[from] || !takes_in(n) || f->scripts[from];
    }
  }
  for (int i = 0; f->in_place && i < g->n_nodes; i++)
    if (f->in_place[i]) f->kept[i] = false;
}

/* Could backward compute node `at` of what is there? Cheap expressions of such, a few of them. */
static bool can_repeat(const Finder *f, int at) {
  const Node *n = f->g->node[at];
  int operators = 1;
  const Elementwise *e = fusible(n) ? fusible_expression(n) : NULL;
  if (!e || fusion_group_costly(e) || (f->in_place && f->in_place[at])) return false;
  for (int k = 0; k < n->n_in; k++) {
    int from = position(&n->in[k]);
    if (f->kept[from]) continue;
    if (!f->operators[from]) return false;
    operators += f->operators[from];
  }
  f->operators[at] = operators;
  return operators <= MOST_OPERATORS;
}

/* The kept values that computing node `at` reads; false if there are more than `most`. */
static bool find_leaves(const Finder *f, int at, Entry *leaf, int *n_leaves, int most) {
  const Node *n = f->g->node[at];
  for (int k = 0; k < n->n_in; k++) {
    if (!f->kept[position(&n->in[k])]) {
      if (!find_leaves(f, position(&n->in[k]), leaf, n_leaves, most)) return false;
      continue;
    }
    if (entry_find(leaf, *n_leaves, n->in[k]) < *n_leaves) continue;
    if (*n_leaves == most) return false;
    leaf[(*n_leaves)++] = n->in[k];
  }
  return true;
}

static bool reads(const Node *n, Entry e) { return entry_find(n->in, n->n_in, e) < n->n_in; }

/* At most one whole array is read that no user of the value in backward reads anyway. */
static bool saves_reads(const Finder *f, int at) {
  Entry leaf[MOST_LEAVES];
  int n_leaves = 0, added = 0;
  const Graph *g = f->g;
  if (!find_leaves(f, at, leaf, &n_leaves, MOST_LEAVES)) return false;
  for (int l = 0; l < n_leaves; l++) {
    bool read = shape_size(&entry_type(leaf[l])->shape) < shape_size(&g->node[at]->type[0].shape);
    for (int i = f->g->n_forward; i < g->n_nodes && !read; i++)
      read = reads(g->node[i], leaf[l]) && reads(g->node[i], (Entry){ g->node[at], 0 });
    added += !read;
  }
  return added <= 1;
}

/* Copies stand in the order in which they are made: what a copy reads before it. */
static Status copy_node(Finder *f, int at) {
  const Node *n = f->g->node[at];
  Node *copy;
  if (f->copy[at]) return OK;
  for (int k = 0; k < n->n_in; k++)
    if (!f->kept[position(&n->in[k])]) TRY(copy_node(f, position(&n->in[k])));
  TRY(node_new(n->op, n->params, n->in, n->n_in, 1, &copy));
  copy->type[0] = n->type[0];
  copy->origin = n->origin;
  copy->train = n->train;
  TRY(edit_insert(f->e, copy, PART_BACKWARD, f->g->n_forward));
  f->copy[at] = copy;
  f->n_copies++;
  return OK;
}

static bool read_in_backward(const Finder *f, int at) {
  for (int i = f->g->n_forward; i < f->g->n_nodes; i++)
    for (int k = 0; k < f->g->node[i]->n_in; k++)
      if (position(&f->g->node[i]->in[k]) == at) return true;
  return false;
}

/* Nodes that read a value that has a copy, in backward or in another copy, read the copy. */
static void use_copies_in(const Finder *f, Node *n) {
  for (int k = 0; k < n->n_in; k++) {
    int from = position(&n->in[k]);
    if (from >= 0 && from < f->g->n_forward && f->copy[from]) node_set_input(n, k, (Entry){ f->copy[from], 0 });
  }
}

static void use_copies(const Finder *f) {
  const Graph *g = f->g;
  for (int i = 0; i < g->n_forward; i++)
    if (f->copy[i]) use_copies_in(f, f->copy[i]);
  for (int i = g->n_forward; i < g->n_nodes; i++) use_copies_in(f, g->node[i]);
}

static Status recompute(Finder *f) {
  look_around(f);
  for (int i = 0; i < f->g->n_forward && f->n_copies < MOST_COPIES - MOST_OPERATORS; i++) {
    if (f->kept[i] || f->written[i] || !can_repeat(f, i) || !read_in_backward(f, i) || !saves_reads(f, i)) continue;
    TRY(copy_node(f, i));
  }
  use_copies(f);
  return edit_end(f->e);
}

Status pass_remat_cheap(Graph *g) {
  EDIT(e);
  Finder f = { .g = g, .e = &e };
  if (g->n_forward >= g->n_nodes || g->n_nodes > MOST_NODES) return OK;
  TRY(edit_begin(&e, g));
  TRY(graph_written(g, &e.bump, &f.in_place));
  f.kept = BUMP_ARRAY(&e.bump, g->n_nodes, bool);
  f.written = BUMP_ARRAY(&e.bump, g->n_nodes, bool);
  f.scripts = BUMP_ARRAY(&e.bump, g->n_nodes, bool);
  f.operators = BUMP_ARRAY(&e.bump, g->n_nodes, int);
  f.copy = BUMP_ARRAY(&e.bump, g->n_nodes, Node *);
  TRY(e.bump.status);
  return recompute(&f);
}
