/* compose.c - see compose.h. */
#include "ir/compose.h"

#include <string.h>

static Status inherit(Node *variable, const Params *p) {
  Text text = { 0 };
  Status s = OK;
  for (int i = 0; p && i < p->op->info->n_params && s == OK; i++) {
    if (!(p->given >> i & 1)) continue;
    text.length = 0;
    s = params_print(p, i, &text);
    if (s == OK) s = node_set_attribute(variable, p->op->info->param[i].name, text.at);
  }
  text_free(&text);
  return s;
}

Status compose_variable(const Op *op, const Params *p, const char *name, int i, Node **out) {
  Text full = { 0 };
  *out = NULL;
  text_format(&full, "%s%s%s", name, *name ? "_" : "", op_input_name(op, i));
  Status s = text_status(&full);
  if (s == OK) s = node_variable(full.at, NULL, out);
  text_free(&full);
  if (s == OK && (s = inherit(*out, p)) != OK) node_release(*out);
  return s;
}

void compose_states(const Op *op, const Entry *in, int n_in) {
  for (int i = 0; i < n_in; i++)
    if (op_writes(op, i, n_in) && node_is_variable(in[i].node)) in[i].node->aux = true;
}

/* The row's line for input i, "moving_mean [\"zero\", {}]": what follows the name, or NULL. */
static const char *find_initializer(const Op *op, int i, size_t *length) {
  const char *name = op_input_name(op, i);
  size_t n = strlen(name);
  for (const char *line = op->initializers; line && *line; ) {
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
    Text text = { 0 };
    text_add(&text, initializer, length);
    Status s = text_status(&text);
    if (s == OK) s = node_set_attribute(in[i].node, "__init__", text.at);
    text_free(&text);
    TRY(s);
  }
  return OK;
}

/* Is an input of the node other than it was? Marks of inputs say which of `with` they are,
** those of nodes after n_input whether they were born anew. */
static bool rewire(Node *n, int64_t n_input, const Entry *with, const bool *replaced) {
  bool changed = false;
  for (int i = 0; i < n->n_in; i++) {
    Node *from = n->in[i].node;
    const int64_t mark = from->mark;
    if (mark < 0) continue;
    changed = changed || mark >= n_input || replaced[mark];
    if (mark >= n_input) continue;
    node_retain(with[mark].node);
    node_release(from);
    n->in[i] = with[mark];
  }
  return changed;
}

Status compose_replace(Graph *g, const Entry *with, const bool *replaced) {
  for (int i = 0; i < g->n_nodes; i++) g->node[i]->mark = -1;
  for (int i = 0; i < g->n_input; i++) g->input[i]->mark = i;
  for (int i = 0; i < g->n_nodes; i++) {
    Node *n = g->node[i];
    if (!n->op || !rewire(n, g->n_input, with, replaced)) continue;
    n->mark = g->n_input;
    n->order = order_next();
    for (int k = 0; k < n->n_out; k++) n->type[k] = TYPE_UNKNOWN;
    TRY(node_infer(n));
  }
  for (int i = 0; i < g->n_out; i++) {
    const int64_t mark = g->out[i].node->mark;
    if (!g->out[i].node->op && mark >= 0) g->out[i] = with[mark];
  }
  return OK;
}
