/* symbol_compose.c - see symbol_compose.h. */
#include "ir/graph/symbol_compose.h"

#include <string.h>

#include "base/memory.h"

static Status inherit(Node *variable, const Params *p) {
  Text text FREED_BY(text_free) = { 0 };
  for (int i = params_next_given(p, 0); i >= 0; i = params_next_given(p, i + 1)) {
    text.length = 0;
    TRY(params_print(p, i, &text));
    TRY(node_set_attribute(variable, p->op->info->param[i].name, text.at));
  }
  return OK;
}

Status compose_variable(const Op *op, const Params *p, const char *name, int i, Node **out) {
  Text full FREED_BY(text_free) = { 0 };
  *out = NULL;
  text_format(&full, "%s%s%s", name, *name ? "_" : "", op_input_title(op, op_fields(op, p), i));
  TRY(text_status(&full));
  TRY(node_variable(full.at, NULL, out));
  Status s = inherit(*out, p);
  if (s == OK) return OK;
  node_release(*out);
  *out = NULL;
  return s;
}

void compose_states(const Op *op, const Params *p, const Entry *in, int n_in) {
  const Query q = query_of_inputs(op, p->fields, n_in);
  for (int i = 0; i < n_in; i++)
    if (op_state(&q, i) && node_is_variable(in[i].node)) in[i].node->aux = true;
}

/* The text after the name in the row's line for input i, such as "moving_mean [\"zero\", {}]", or NULL. */
static const char *find_initializer(const Op *op, int i, size_t *length) {
  const char *name = op_input_name(op, i);
  size_t n = strlen(name);
  for (const char *line = op->initializers; line && *line;) {
    const char *end = strchr(line, '\n');
    *length = (end ? (size_t)(end - line) : strlen(line)) - n - 1;
    if (strncmp(line, name, n) == 0 && line[n] == ' ') return line + n + 1;
    line = end ? end + 1 : NULL;
  }
  return NULL;
}

Status compose_initializers(const Op *op, const Entry *in, int n_in) {
  if (!op->initializers) return OK;
  for (int i = 0; i < n_in; i++) {
    size_t length;
    const char *initializer = find_initializer(op, i, &length);
    if (!initializer || !node_is_variable(in[i].node) || node_attribute(in[i].node, "__init__")) continue;
    Text text FREED_BY(text_free) = { 0 };
    text_add(&text, initializer, length);
    TRY(text_status(&text));
    TRY(node_set_attribute(in[i].node, "__init__", text.at));
  }
  return OK;
}

/* A replacement of inputs. By position: the index of an input, or -1; was the node created again? */
typedef struct Replacing {
  const Graph *g;
  const Entry *with;
  const bool *replaced;
  const int *input;
  bool *anew;
} Replacing;

/* Applies the replacements to a node; true if an input changed. */
static bool rewire(const Replacing *r, Node *n) {
  bool changed = false;
  for (int i = 0; i < n->n_in; i++) {
    const int from = n->in[i].node->at, input = r->input[from];
    changed = changed || r->anew[from] || (input >= 0 && r->replaced[input]);
    if (input >= 0) node_set_input(n, i, r->with[input]);
  }
  return changed;
}

static Status replace_all(const Replacing *r) {
  const Graph *g = r->g;
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    if (!n->op || !rewire(r, n)) continue;
    r->anew[i] = true;
    n->order = order_reserve(node_places(n->op, n->n_in));
    for (int k = 0; k < n->n_out; k++) n->type[k] = TYPE_UNKNOWN;
    TRY(node_infer(n));
  }
  for (int i = 0; i < g->n_out; i++) {
    const int input = r->input[g->out[i].node->at];
    if (input >= 0) g->out[i] = r->with[input];
  }
  return OK;
}

Status compose_replace(Graph *g, const Entry *with, const bool *replaced) {
  bool *anew FREED = object_new((size_t)g->n_nodes + 1);
  int *input FREED = NULL;
  if (!anew) return no_memory("symbol");
  TRY(graph_number_inputs(g, &input));
  return replace_all(&(Replacing){ .g = g, .with = with, .replaced = replaced, .input = input, .anew = anew });
}
