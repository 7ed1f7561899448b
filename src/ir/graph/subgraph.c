/* subgraph.c - see subgraph.h.
** Invariant: a subgraph shares no node with any other graph.
*/
#include "ir/graph/subgraph.h"

#include <string.h>

#include "base/bump.h"
#include "base/map.h"
#include "base/memory.h"

const ControlEngine *_Atomic control_engine;

/* ---- Life ---------------------------------------------------------------------------------------- */

Subgraph *subgraph_retain(Subgraph *g) {
  __atomic_fetch_add(&g->refs, 1, __ATOMIC_RELAXED);
  return g;
}

void subgraph_release(Subgraph *g) {
  if (!g || __atomic_sub_fetch(&g->refs, 1, __ATOMIC_ACQ_REL) > 0) return;
  if (g->compiled) g->free_compiled(g->compiled);
  graph_free(&g->graph);
  scope_release(g->outer);
  object_free(g->writes);
  object_free(g->name);
  object_free(g);
}

static int input_of(const Graph *g, const Node *n) {
  for (int i = 0; i < g->n_input; i++)
    if (g->input[i] == n) return i;
  return -1;
}

static void *retain_object(void *g) { return subgraph_retain(g); }
static void release_object(void *g) { subgraph_release(g); }

/* Prints the graph indented, after the line of its node. */
static Status print_object(const void *object, Text *out) {
  const Subgraph *g = object;
  Text inside FREED_BY(text_free) = { 0 };
  TRY(graph_print(&g->graph, &inside));
  text_format(out, "%s:", g->name);
  for (const char *line = inside.at; line && *line;) {
    const char *end = strchr(line, '\n');
    size_t n = end ? (size_t)(end - line) : strlen(line);
    text_put(out, "\n    ");
    text_add(out, line, n);
    line += end ? n + 1 : n;
  }
  return text_status(out);
}

const ObjectKind subgraph_kind = {
  .name = "graph", .retain = retain_object, .release = release_object, .print = print_object
};

static bool tapes(const Node *n, int input) { return n->record_requested != MODE_OFF && control_carries(n, input); }

/* Marks the inputs that an output depends on. */
static Status find_taped(Subgraph *g) {
  uint64_t *leads FREED = NULL;
  TRY(graph_leads(&g->graph, tapes, &leads));
  for (int i = 0; i < g->graph.n_input; i++) g->taped[i] = g->graph.n_out > 64 || leads[g->graph.input[i]->at] != 0;
  return OK;
}

/* Collects the side effects of its nodes. */
static void find_effects(Subgraph *g) {
  for (int i = 0; i < g->graph.n_nodes; i++) {
    const Node *n = g->graph.node[i];
    if (!n->op) continue;
    for (int train = 0; train < 2; train++) {
      Query q = query_of_node(n);
      q.train = requested_mode_or(n->train_requested, train);
      g->effects[train] |= op_effects(&q) | (op_fails(&q) ? FAILS : 0u);
      for (int k = 0; k < n->n_in; k++) {
        int input = input_of(&g->graph, n->in[k].node);
        if (input < 0) continue;
        g->writes[input] = g->writes[input] || op_writes(&q, k);
        g->state[input] = g->state[input] || op_state(&q, k);
      }
    }
  }
}

Status subgraph_new(const char *name, const Entry *out, int n_out, Node *const *input, int n_input,
                    const NodeList *also, Scope *outer, Subgraph **result) {
  Subgraph *g = object_new(sizeof *g);
  if (!g) return no_memory("graph");
  g->refs = 1;
  g->name = object_text(name);
  g->writes = object_new(3 * (size_t)(n_input + 1));
  g->state = g->writes + n_input + 1;
  g->taped = g->state + n_input + 1;
  g->outer = scope_retain(outer);
  Status s = g->name && g->writes ? graph_with_inputs(out, n_out, input, n_input, also, &g->graph) : no_memory("graph");
  if (s == OK) s = find_taped(g);
  if (s != OK) {
    subgraph_release(g);
    return s;
  }
  find_effects(g);
  *result = g;
  return OK;
}

/* ---- Cutting it out -------------------------------------------------------------------------------- */

static bool is_inside(const Node *n, void *begun) { return n->op && n->order >= *(const uint64_t *)begun; }

/* The state of cutting out a body. */
typedef struct Cutting {
  Bump bump;
  NodeList reached;
  Map at;                        /* a node's position in `reached` */
  Node **copy;                   /* by position: the copy of a body node or constant; slots are not copied */
  Cut *cut;
  Node *const *place;
  int n_places;
} Cutting;

static int place_of(const Cutting *c, const Node *n) {
  for (int i = 0; i < c->n_places; i++)
    if (c->place[i] == n) return i;
  return -1;
}

static void add_input(Cut *cut, Node *variable, Entry outside, int place) {
  cut->input[cut->n_input] = variable;
  cut->outside[cut->n_input] = outside;
  cut->place[cut->n_input++] = place;
  node_retain(outside.node);
}

/* The name of an input of the subgraph: the variable's or, as in MXNet, the output's. */
static Status outside_name(Entry e, Text *out) {
  const Node *n = e.node;
  text_format(out, "%s", n->name ? n->name : n->op ? n->op->name : "");
  if (n->op) text_format(out, "_%s", e.index < n->op->info->n_outputs ? n->op->info->output[e.index] : "output");
  if (n->op && e.index >= n->op->info->n_outputs) text_format(out, "%d", e.index);
  return text_status(out);
}

static Status copy_variable(Entry e, Node **out) {
  Text name FREED_BY(text_free) = { 0 };
  TRY(outside_name(e, &name));
  TRY(node_variable(name.at, entry_type(e), out));
  for (const Attribute *a = e.node->op ? NULL : e.node->attributes; a; a = a->next)
    TRY(node_set_attribute(*out, a->key, a->value));
  if (!e.node->op) (*out)->aux = e.node->aux;
  (*out)->order = e.node->order;            /* older than its readers, so that the body keeps the script's order */
  return OK;
}

/* Returns the value in the subgraph for one that the body reads. */
static Status stand_in(Cutting *c, Entry e, Entry *out) {
  int at = map_at(&c->at, e.node);
  if (c->copy[at]) {
    *out = (Entry){ c->copy[at], e.index };
    return OK;
  }
  Cut *cut = c->cut;
  for (int i = 0; i < cut->n_input; i++)
    if (entry_equal(cut->outside[i], e)) {
      *out = (Entry){ cut->input[i], 0 };
      return OK;
    }
  Node *variable = NULL;
  Status s = copy_variable(e, &variable);
  if (s != OK) {
    node_release(variable);
    return s;
  }
  add_input(cut, variable, e, -1);
  *out = (Entry){ variable, 0 };
  return OK;
}

static Status copy_body_node(Cutting *c, const Node *n, Node **out) {
  Entry *in = BUMP_ARRAY(&c->bump, n->n_in, Entry);
  TRY(c->bump.status);
  for (int i = 0; i < n->n_in; i++) TRY(stand_in(c, n->in[i], &in[i]));
  return node_copy(n, in, out);
}

/* Copies the body in the order of the walk. Older values and variables become inputs where they are read. */
static Status copy_body(Cutting *c, uint64_t begun) {
  for (int i = 0; i < c->reached.n; i++) {
    Node *n = c->reached.at[i];
    int place = place_of(c, n);
    if (place >= 0) {
      c->copy[i] = node_retain(n);
      add_input(c->cut, node_retain(n), NO_ENTRY, place);
    } else if (is_inside(n, &begun)) {
      TRY(copy_body_node(c, n, &c->copy[i]));
    } else if (node_is_constant(n)) {
      TRY(node_constant(&n->value[0], &c->copy[i]));
      c->copy[i]->order = n->order;
    }
  }
  return OK;
}

/* Adds the slots that the body does not read. */
static void add_unread(Cutting *c) {
  for (int p = 0; p < c->n_places; p++) {
    bool read = false;
    for (int i = 0; i < c->cut->n_input; i++) read = read || c->cut->place[i] == p;
    if (!read) add_input(c->cut, node_retain(c->place[p]), NO_ENTRY, p);
  }
}

static void swap_inputs(Cut *cut, int i, int k) {
  Node *input = cut->input[i];
  Entry outside = cut->outside[i];
  int place = cut->place[i];
  cut->input[i] = cut->input[k];
  cut->outside[i] = cut->outside[k];
  cut->place[i] = cut->place[k];
  cut->input[k] = input;
  cut->outside[k] = outside;
  cut->place[k] = place;
}

/* Sorts the inputs as a walk from the outputs reaches them, which is MXNet's order. */
static Status order_inputs(Cut *cut, const Entry *roots, int n_roots) {
  Graph walk FREED_BY(graph_free) = { 0 };
  TRY(graph_new(roots, n_roots, &walk));
  for (int i = 0; i < walk.n_input; i++)
    for (int k = i + 1; k < cut->n_input; k++)
      if (cut->input[k] == walk.input[i]) swap_inputs(cut, i, k);
  return OK;
}

static Status count_room(Cutting *c, int n_out) {
  size_t entries = (size_t)n_out + (size_t)c->n_places + 1;
  for (int i = 0; i < c->reached.n; i++) {
    TRY(map_put(&c->at, c->reached.at[i], i));
    entries += (size_t)c->reached.at[i]->n_in;
  }
  c->copy = BUMP_ARRAY(&c->bump, c->reached.n, Node *);
  c->cut->input = object_new(entries * sizeof *c->cut->input);
  c->cut->outside = object_new(entries * sizeof *c->cut->outside);
  c->cut->place = object_new(entries * sizeof *c->cut->place);
  return c->copy && c->cut->input && c->cut->outside && c->cut->place ? OK : no_memory("graph");
}

/* `roots`: the outputs, then nodes to keep. */
static Status cut_out(Cutting *c, const char *name, Entry *roots, int n_out, int n_roots, bool unread, uint64_t begun,
                      Scope *outer, Subgraph **result) {
  NodeList kept FREED_BY(node_list_free) = { 0 };
  TRY(nodes_reached(roots, n_roots, is_inside, &begun, &c->reached));
  TRY(count_room(c, n_out));
  TRY(copy_body(c, begun));
  for (int i = 0; i < n_roots; i++) {
    TRY(stand_in(c, roots[i], &roots[i]));
    if (i >= n_out) TRY(node_list_add(&kept, roots[i].node));
  }
  if (unread) add_unread(c);
  TRY(order_inputs(c->cut, roots, n_roots));
  return subgraph_new(name, roots, n_out, c->cut->input, c->cut->n_input, &kept, outer, result);
}

static void cutting_free(Cutting *c) {
  for (int i = 0; c->copy && i < c->reached.n; i++) node_release(c->copy[i]);
  map_free(&c->at);
  node_list_free(&c->reached);
  bump_free(&c->bump);
}

Status subgraph_cut(const char *name, const Entry *out, int n_out, Node *const *place, int n_places, bool unread,
                    const NodeList *also, uint64_t begun, Scope *outer, Cut *cut, Subgraph **result) {
  Cutting c FREED_BY(cutting_free) = { .bump.purpose = "graph", .cut = cut, .place = place, .n_places = n_places };
  int n_also = also ? also->n : 0;
  *cut = (Cut){ 0 };
  Entry *roots = BUMP_ARRAY(&c.bump, n_out + n_also, Entry);
  TRY(c.bump.status);
  for (int i = 0; i < n_out; i++) roots[i] = out[i];
  for (int i = 0; i < n_also; i++) roots[n_out + i] = (Entry){ also->at[i], 0 };
  Status s = cut_out(&c, name, roots, n_out, n_out + n_also, unread, begun, outer, result);
  if (s != OK) cut_free(cut);
  return s;
}

void cut_free(Cut *cut) {
  for (int i = 0; i < cut->n_input; i++) {
    node_release(cut->input[i]);
    node_release(cut->outside[i].node);
  }
  object_free(cut->input);
  object_free(cut->outside);
  object_free(cut->place);
  *cut = (Cut){ 0 };
}

/* ---- Types ---------------------------------------------------------------------------------------- */

static void merge_known(Type *into, const Type *from) {
  if (into->dtype == DT_UNKNOWN) into->dtype = from->dtype;
  Shape merged = into->shape;
  if (shape_merge(&merged, &from->shape)) into->shape = merged;
}

Status subgraph_infer(const Subgraph *g, Type *in, Type *out, bool guess) {
  Graph copy FREED_BY(graph_free) = { 0 };
  TRY(graph_clone(&g->graph, &copy));
  for (int i = 0; i < copy.n_nodes; i++)
    for (int k = 0; copy.node[i]->op && k < copy.node[i]->n_out; k++) copy.node[i]->type[k] = TYPE_UNKNOWN;
  for (int i = 0; i < copy.n_input; i++) {
    Type known = in[i];
    merge_known(&known, &copy.input[i]->type[0]);
    copy.input[i]->type[0] = known;
  }
  for (int i = 0; i < copy.n_out; i++)
    if (copy.out[i].node->op) *entry_type(copy.out[i]) = out[i];
  TRY(guess ? graph_infer_guessing(&copy) : graph_infer(&copy));
  for (int i = 0; i < copy.n_input; i++) in[i] = copy.input[i]->type[0];
  for (int i = 0; i < copy.n_out; i++) out[i] = *entry_type(copy.out[i]);
  return OK;
}

void control_free(Control *c) {
  object_free(c->memory);
  *c = (Control){ 0 };
}

bool control_carries(const Node *n, int input) {
  Control c;
  if (!n->op || !n->op->control || n->op->control(n->params->fields, &c) != OK) return true;
  bool carries = c.carried[input];
  control_free(&c);
  return carries;
}

int control_head_place(const ControlBack *b, int head) {
  int n = head;
  for (int i = 0; i < head; i++) n += b->head[i].run;
  return n;
}

int control_back_place(const ControlBack *b, int at) {
  if (at == b->n_earlier) return 0;
  int n = control_head_place(b, b->n_heads);
  for (int i = 0; i < b->n_earlier && i != at; i++) n += control_head_place(b->earlier[i], b->earlier[i]->n_heads);
  return n;
}

int control_back_outputs(const ControlBack *b, int result) {
  int n = result;
  for (int i = 0; i < result; i++) n += b->result[i].of < 0;
  return n;
}

int control_earlier(const ControlBack *b, const ControlBack *which) {
  for (int i = 0; i < b->n_earlier; i++)
    if (b->earlier[i] == which) return i;
  return -1;
}
