/* recompute.c - values of forward that backward computes again instead of keeping.
**
** A value that is cheap (a few expressions without functions or divisions) and read in forward
** by nodes that fuse need not be written at all: forward's kernel keeps it in a register, and
** backward's computes it from what is there anyway. That saves writing and reading it and
** costs reading at most one array more. Bits are the same: it is the same expression.
**
** Backward's copies stand before its first node, in the order of their originals.
*/
#include "base/memory.h"
#include "pass/fuse.h"
#include "pass/fusible.h"

enum { ROOM = 256, MOST_COPIES = 200, MOST_NODES = 2000, MOST_OPERATORS = 8, MOST_LEAVES = 4 };   /* looking for users takes nodes squared */

typedef struct Finder {
  Graph *g;
  int n_forward;
  bool *kept;        /* by position: a value of forward that is there in backward whatever we do */
  bool *written;     /* by position: forward writes it whatever we do */
  bool *scripts;     /* by position: an input or output of the graph */
  int *operators;    /* by position: how many it takes to compute it in backward; 0: it cannot be */
  Node **copy;       /* by position: what computes it in backward */
} Finder;

static int position(const Entry *e) { return (int)e->node->mark; }

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
      if (from >= f->n_forward) continue;
      if (i < f->n_forward) f->written[from] = f->written[from] || !takes_in(n);
      else f->kept[from] = f->kept[from] || !takes_in(n) || f->scripts[from];
    }
  }
  for (int i = 0; i < g->n_nodes; i++)
    for (int k = 0; g->node[i]->op && k < g->node[i]->n_in; k++)
      if (op_writes(g->node[i]->op, k, g->node[i]->n_in)) f->kept[position(&g->node[i]->in[k])] = false;
}

/* Could backward compute node `at` of what is there? Cheap expressions of such, a few of them. */
static bool can_repeat(const Finder *f, int at) {
  const Node *n = f->g->node[at];
  int operators = 1;
  const Elementwise *e = fusible(n) ? fusible_expression(n) : NULL;
  if (!e || group_costly(e)) return false;
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
    bool known = false;
    if (!f->kept[position(&n->in[k])]) {
      if (!find_leaves(f, position(&n->in[k]), leaf, n_leaves, most)) return false;
      continue;
    }
    for (int i = 0; i < *n_leaves && !known; i++) known = entry_equal(leaf[i], n->in[k]);
    if (known) continue;
    if (*n_leaves == most) return false;
    leaf[(*n_leaves)++] = n->in[k];
  }
  return true;
}

static bool reads(const Node *n, Entry e) {
  for (int k = 0; k < n->n_in; k++) if (entry_equal(n->in[k], e)) return true;
  return false;
}

/* At most one whole array is read that no user of the value in backward reads anyway. */
static bool saves_reads(const Finder *f, int at) {
  Entry leaf[MOST_LEAVES];
  int n_leaves = 0, added = 0;
  const Graph *g = f->g;
  if (!find_leaves(f, at, leaf, &n_leaves, MOST_LEAVES)) return false;
  for (int l = 0; l < n_leaves; l++) {
    bool read = shape_size(&entry_type(leaf[l])->shape) < shape_size(&g->node[at]->type[0].shape);
    for (int i = f->n_forward; i < g->n_nodes && !read; i++)
      read = reads(g->node[i], leaf[l]) && reads(g->node[i], (Entry){ g->node[at], 0 });
    added += !read;
  }
  return added <= 1;
}

static Status copy_node(Finder *f, int at, int *copies) {
  const Node *n = f->g->node[at];
  Node *copy;
  if (f->copy[at]) return OK;
  for (int k = 0; k < n->n_in; k++) if (!f->kept[position(&n->in[k])]) TRY(copy_node(f, position(&n->in[k]), copies));
  TRY(node_new(n->op, n->params, n->in, n->n_in, 1, &copy));
  copy->type[0] = n->type[0];
  copy->origin = n->origin;
  copy->train = n->train;
  f->copy[at] = copy;
  ++*copies;
  return OK;
}

static bool read_in_backward(const Finder *f, int at) {
  for (int i = f->n_forward; i < f->g->n_nodes; i++)
    for (int k = 0; k < f->g->node[i]->n_in; k++) if (position(&f->g->node[i]->in[k]) == at) return true;
  return false;
}

/* Whoever reads a value that has a copy, in backward or in another copy, reads the copy. */
static void use_copies_in(const Finder *f, Node *n) {
  for (int k = 0; k < n->n_in; k++) {
    int from = position(&n->in[k]);
    if (from >= f->n_forward || !f->copy[from]) continue;
    Node *copy = node_retain(f->copy[from]);
    node_release(n->in[k].node);
    n->in[k] = (Entry){ copy, 0 };
  }
}

static void use_copies(const Finder *f) {
  for (int i = 0; i < f->n_forward; i++) if (f->copy[i]) use_copies_in(f, f->copy[i]);
  for (int i = f->n_forward; i < f->g->n_nodes; i++) use_copies_in(f, f->g->node[i]);
}

/* Orders with room between forward and backward, which is where the copies go. */
static Status place(Finder *f, int *n_forward) {
  Graph *g = f->g;
  int copies = 0;
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->order = (uint64_t)i + (i < f->n_forward ? 1 : 1 + ROOM);
  for (int i = 0; i < f->n_forward; i++) if (f->copy[i]) f->copy[i]->order = (uint64_t)f->n_forward + 1 + (uint64_t)copies++;
  TRY(graph_refresh(g));
  *n_forward = graph_nodes_up_to(g, (uint64_t)f->n_forward);
  return OK;
}

Status recompute_graph(Graph *g, int *n_forward) {
  size_t n = (size_t)g->n_nodes + 1;
  Finder f = { .g = g, .n_forward = *n_forward };
  int copies = 0;
  if (*n_forward >= g->n_nodes || g->n_nodes > MOST_NODES) return OK;
  f.kept = object_new(n);
  f.written = object_new(n);
  f.scripts = object_new(n);
  f.operators = object_new(n * sizeof *f.operators);
  f.copy = object_new(n * sizeof *f.copy);
  Status s = f.kept && f.written && f.scripts && f.operators && f.copy ? OK : no_memory("kernels");
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->mark = i;
  if (s == OK) look_around(&f);
  for (int i = 0; i < f.n_forward && s == OK && copies < MOST_COPIES - MOST_OPERATORS; i++) {
    if (f.kept[i] || f.written[i] || !can_repeat(&f, i) || !read_in_backward(&f, i) || !saves_reads(&f, i)) continue;
    s = copy_node(&f, i, &copies);
  }
  if (s == OK && copies > 0) {
    use_copies(&f);
    s = place(&f, n_forward);
  }
  for (int i = 0; f.copy && i < f.n_forward; i++) if (f.copy[i]) node_release(f.copy[i]);
  object_free(f.kept);
  object_free(f.written);
  object_free(f.scripts);
  object_free(f.operators);
  object_free(f.copy);
  return s;
}
