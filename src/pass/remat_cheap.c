/* remat_cheap.c - cheap rematerialization: backward recomputes some values of forward instead of reading them.
**
** A value of forward need not be written if it is cheap (a few expressions without functions or divisions) and only
** fusible nodes of forward read it. Forward's kernel keeps it in a register, and backward's kernel computes it from
** values that exist anyway. That saves a write and a read, and costs reading at most one more array. The bits are the
** same, since the expression is the same.
**
** The copies are at the beginning of backward, in the order of their originals.
*/
#include "ir/graph/graph_edit.h"
#include "ir/graph/written_memory.h"
#include "pass/fusible.h"
#include "pass/pass.h"

/* the search for users is quadratic in the nodes */
enum { MOST_COPIES = 200, MOST_NODES = 2000, MOST_OPERATORS = 8, MOST_LEAVES = 4 };

typedef struct Finder {
  Graph *g;
  Edit *e;
  bool *kept;        /* by position: a value of forward that exists in backward in any case */
  bool *written;     /* by position: forward writes it to memory in any case */
  bool *in_place;    /* by position: the graph overwrites it; NULL: it overwrites nothing */
  bool *scripts;     /* by position: an input or output of the graph */
  int *operators;    /* by position: number of operators that compute it in backward; 0 if it cannot be computed
                     ** there */
  Node **copy;       /* by position: the node that computes it in backward */
  int n_copies;
} Finder;

static int position(const Entry *e) { return e->node->at; }

/* Can a kernel of forward contain the node together with its inputs? */
static bool takes_in(const Node *n) { return fusible(n) && !fusible_reshape(n); }

/* The script may write into inputs and outputs before backward, which then fails if it reads them. So copies read only
** those that backward reads anyway, and none that the graph itself writes to. */
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

/* Can backward compute node `at` from kept values, by at most MOST_OPERATORS cheap expressions? */
static bool can_repeat(const Finder *f, int at) {
  const Node *n = f->g->node[at];
  int operators = 1;
  const Elementwise *e = fusible(n) ? fusible_expression(n) : NULL;
  if (!e || e->tree->costly || (f->in_place && f->in_place[at])) return false;
  for (int k = 0; k < n->n_in; k++) {
    int from = position(&n->in[k]);
    if (f->kept[from]) continue;
    if (!f->operators[from]) return false;
    operators += f->operators[from];
  }
  f->operators[at] = operators;
  return operators <= MOST_OPERATORS;
}

/* Collects the kept values from which node `at` is computed; false if there are more than `most`. */
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

/* Does a copy read at most one whole array that the value's users in backward do not read anyway? */
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

/* Copies the node, after the nodes that the copy reads. */
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

/* Lets a node of backward, or another copy, read copies in place of their originals. */
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
