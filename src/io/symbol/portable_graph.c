/* portable_graph.c - see portable_graph.h.
** The nodes that a row builds replace its node; they may have such forms in turn. The last one inherits the node's name
** and attributes. Nodes without a name get automatic ones: the stem and the next number in the graph. If a row builds
** nothing, its node stays.
*/
#include "io/symbol/portable_graph.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/symbol/symbol_node.h"
#include "ir/node_builder.h"
#include "ir/graph/graph_edit.h"

enum { LONGEST_STEM = 64 };

typedef struct Writing {
  Edit edit;
  Graph *g;
  bool own;                /* nodes may have hybridlua's own form */
  Map numbers;             /* by operator: the number for its next automatic name */
} Writing;

/* ---- Names -------------------------------------------------------------------------------------------------- */

/* One more than the highest number after the stem in a name of the graph. */
static int first_number(const Graph *g, const char *stem) {
  size_t length = strlen(stem);
  long next = 0;
  for (int i = 0; i < g->n_nodes; i++) {
    const char *name = g->node[i]->name;
    char *end;
    if (!name || strncmp(name, stem, length) != 0 || !isdigit((unsigned char)name[length])) continue;
    long number = strtol(name + length, &end, 10);
    if (*end == '\0' && number >= next && number < INT32_MAX) next = number + 1;
  }
  return (int)next;
}

static Status give_name(Writing *w, Node *n) {
  char stem[LONGEST_STEM], name[LONGEST_STEM + 16];
  op_stem(n->op, stem, sizeof stem);
  int number = map_get(&w->numbers, n->op);
  if (number < 0) number = first_number(w->g, stem);
  TRY(map_put(&w->numbers, n->op, number + 1));
  snprintf(name, sizeof name, "%s%d", stem, number);
  return node_set_name(n, name);
}

static Status take_over(Node *made, const Node *n) {
  if (n->name) TRY(node_set_name(made, n->name));
  for (const Attribute *a = n->attributes; a; a = a->next) TRY(node_set_attribute(made, a->key, a->value));
  return OK;
}

/* ---- Nodes --------------------------------------------------------------------------------------------------- */

static Status put_in(Writing *w, Node *n, const Builder *b, Entry last) {
  for (int i = 0; i < b->n_made; i++) {
    Node *made = b->made[i];
    made->paused = n->paused;
    if (made == last.node) TRY(take_over(made, n));
    if (!made->name) TRY(give_name(w, made));
    TRY(edit_insert(&w->edit, node_retain(made), graph_part(w->g, n->at), n->at));
  }
  edit_replace(&w->edit, (Entry){ n, 0 }, last);
  return OK;
}

static Status rewrite(Writing *w, Node *n) {
  Builder b = { .origin = n->origin,
                .scope = n->scope,
                .train = n->train,
                .device = n->device,
                .train_requested = n->train_requested,
                .record_requested = n->record_requested };
  Entry last = n->op->portable ? n->op->portable(&b, n) : n->op->expand(&b, n);
  Status s = b.status;
  if (s == OK && last.node) s = put_in(w, n, &b, last);
  builder_free(&b);
  return s == E_INPUT ? fail_within(s, "tojson: node '%.80s'", n->name ? n->name : "") : s;
}

static void writing_free(Writing *w) {
  edit_free(&w->edit);
  map_free(&w->numbers);
}

/* Can other rows replace the node? Internal ones of gradients that are formulas can be expanded. */
static bool has_form(const Node *n, bool own) {
  if (own && n->op && symbol_node_is_own(n->op)) return false;
  return n->op && (n->op->portable || (n->op->flags & OP_INTERNAL && n->op->expand && n->n_out == 1));
}

static Status rewrite_all(Graph *g, bool own) {
  Writing w FREED_BY(writing_free) = { .g = g, .own = own };
  TRY(edit_begin(&w.edit, g));
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    edit_inputs(&w.edit, n);
    if (has_form(n, w.own)) TRY(rewrite(&w, n));
  }
  return edit_end(&w.edit);
}

/* ---- The graph ------------------------------------------------------------------------------------------------- */

/* Copies the graph of the outputs, with nodes in the order of the walk. */
static Status own_graph(const Entry *outputs, int n, Graph *out) {
  Graph shared;
  *out = (Graph){ 0 };
  TRY(graph_new(outputs, n, &shared));
  Status s = graph_clone(&shared, out);
  graph_free(&shared);
  return s;
}

static bool has_other(const Graph *g, bool own) {
  bool found = false;
  for (int i = 0; i < g->n_nodes && !found; i++) found = has_form(g->node[i], own);
  return found;
}

enum { MOST_PASSES = 4 };          /* rows that were built may have a form, too */

Status portable_graph(const Entry *outputs, int n, bool own, Graph *out) {
  Graph g;
  TRY(own_graph(outputs, n, &g));
  for (int pass = 0; pass < MOST_PASSES && has_other(&g, own); pass++) {
    Graph next = { 0 };
    Status s = rewrite_all(&g, own);
    if (s == OK) s = own_graph(g.out, g.n_out, &next);
    graph_free(&g);
    if (s != OK) return s;
    g = next;
  }
  *out = g;
  return OK;
}
