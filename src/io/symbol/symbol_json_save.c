/* symbol_json_save.c - writing "-symbol.json" in the layout of MXNet's JSON writer: two spaces per level, ", " even
** before a new line, one line per item in lists of more than ten and maps of more than one. Attributes are sorted by
** name, and left out if there are none.
*/
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "io/file/whole_file.h"
#include "io/file/file_limits.h"
#include "io/symbol/portable_graph.h"
#include "ir/custom_operator.h"
#include "io/symbol/symbol_json.h"
#include "io/symbol/symbol_node.h"
#include "ir/node_builder.h"
#include "ir/graph/subgraph.h"

enum { INLINE_ITEMS = 10 };

static void put_int(Text *t, int64_t x) {
  char digits[24], *at = digits + sizeof digits;
  do *--at = (char)('0' + x % 10);
  while ((x /= 10) > 0);
  text_add(t, at, (size_t)(digits + sizeof digits - at));
}

static void put_string(Text *t, const char *s) {
  text_add(t, "\"", 1);
  while (*s) {
    size_t plain = strcspn(s, "\\\"\n\r\t");
    text_add(t, s, plain);
    s += plain;
    if (!*s) break;
    text_put(t, *s == '\n' ? "\\n" : *s == '\r' ? "\\r" : *s == '\t' ? "\\t" : *s == '"' ? "\\\"" : "\\\\");
    s++;
  }
  text_add(t, "\"", 1);
}

/* The number of levels around the current graph: 0, or more in a subgraph. */
static _Thread_local int levels_around;

/* Is the current graph one that MXNet reads under npx.set_np? Then unknown dimensions are -1, and 0 is a size. */
static _Thread_local bool np_shapes;

/* Is the text one that only hybridlua reads? Then nodes may have an own form, see symbol_node.h. */
static _Thread_local bool own_forms;

/* Does the node request training mode, which MXNet's files cannot express? */
static bool requests_training(const Node *n) { return n->train_requested == MODE_ON && n->op->flags & OP_TRAIN; }

/* Is the node written in its own form? */
static bool has_own_form(const Node *n) {
  return own_forms && n->op && (symbol_node_is_own(n->op) || requests_training(n));
}

/* Is the node a call of np's, by its last parameter _np? */
static bool is_np_call(const Node *n) {
  if (!n->op || !n->params || n->op->info->n_params == 0) return false;
  const Param *last = &n->op->info->param[n->op->info->n_params - 1];
  if (strcmp(last->name, "_np") != 0) return false;
  return *(const int64_t *)(const void *)((const char *)n->params->fields + last->offset) != 0;
}

static bool has_np_calls(const Graph *g) {
  for (int i = 0; i < g->n_nodes; i++)
    if (is_np_call(g->node[i])) return true;
  return false;
}

/* MXNet's name of a node's operator; np's calls have a name of their own. */
static Status file_name(const Node *n, const char **out) {
  *out = n->op->name;
  if (!is_np_call(n)) return OK;
  if (strncmp(n->op->name, "_np", 3) == 0) return OK;
  for (int i = 0; i < n->op->info->n_aliases; i++) {
    const char *alias = n->op->info->alias[i];
    *out = alias + (*alias == '/');
    if (strncmp(*out, "_np", 3) == 0) return OK;
  }
  return fail("%s: expected an operator with a form in files; MXNet has none whose result is a 0-d array", n->op->name);
}

static void put_line(Text *t, int level) {
  text_add(t, "\n", 1);
  for (int i = 0; i < level + levels_around; i++) text_add(t, "  ", 2);
}

static void put_key(Text *t, int level, const char *key) {
  text_put(t, ", ");
  put_line(t, level);
  put_string(t, key);
  text_put(t, ": ");
}

typedef struct Items { Text *t; int level, count; bool lines; } Items;

static Items begin_items(Text *t, char bracket, int level, bool lines) {
  text_add(t, &bracket, 1);
  return (Items){ t, level, 0, lines };
}

static void next_item(Items *i) {
  if (i->count++ > 0) text_add(i->t, ", ", 2);
  if (i->lines) put_line(i->t, i->level + 1);
}

static void end_items(Items *i, char bracket) {
  if (i->lines && i->count > 0) put_line(i->t, i->level);
  text_add(i->t, &bracket, 1);
}

/* ---- Attributes ------------------------------------------------------------------------------------ */

/* A key with the source of its value: an attribute, or parameter `param`. */
typedef struct AttributePair { const char *key; const Attribute *attribute; int param; } AttributePair;

static int by_key(const void *a, const void *b) {
  const AttributePair *x = a, *y = b;
  int order = strcmp(x->key, y->key);
  /* a parameter before an attribute of its name */
  return order ? order : (x->attribute != NULL) - (y->attribute != NULL);
}

static Status collect_pairs(const Node *n, AttributePair **pairs, int *count) {
  int capacity = n->op ? n->op->info->n_params : 0;
  for (const Attribute *a = n->attributes; a; a = a->next) capacity++;
  *count = 0;
  *pairs = object_new((size_t)(capacity + 1) * sizeof **pairs);
  if (!*pairs) return no_memory("graph as text");
  AttributePair *list = *pairs;
  int k = 0;
  for (int i = params_next_given(n->params, 0); i >= 0; i = params_next_given(n->params, i + 1))
    if (has_own_form(n) || !param_inner(&n->op->info->param[i]))
      list[k++] = (AttributePair){ n->op->info->param[i].name, NULL, i };
  for (const Attribute *a = n->attributes; a; a = a->next) list[k++] = (AttributePair){ a->key, a, 0 };
  qsort(list, (size_t)k, sizeof *list, by_key);
  for (int i = 0; i < k; i++)
    if (*count == 0 || strcmp(list[*count - 1].key, list[i].key) != 0) list[(*count)++] = list[i];
  return OK;
}

/* "(0, 3)" as "(-1, 3)" */
static void put_open_shape(Text *value, const char *shape) {
  for (const char *at = shape; *at; at++) {
    const bool zero = *at == '0' && (at == shape || at[-1] == '(' || at[-1] == ' ') && (at[1] == ',' || at[1] == ')');
    if (zero) text_put(value, "-1");
    else text_add(value, at, 1);
  }
}

static Status put_attributes(Text *t, const Node *n, Text *value) {
  AttributePair *pairs;
  int count;
  if (!n->attributes && !(n->op && n->params->given)) return OK;
  TRY(collect_pairs(n, &pairs, &count));
  put_key(t, 3, "attrs");
  Items items = begin_items(t, '{', 3, count > 1);
  Status s = count <= LIMIT_ATTRIBUTES ? OK : fail("attributes: expected at most %d, got %d", LIMIT_ATTRIBUTES, count);
  for (int i = 0; i < count && s == OK; i++) {
    value->length = 0;
    if (pairs[i].attribute && np_shapes && strcmp(pairs[i].key, "__shape__") == 0)
      put_open_shape(value, pairs[i].attribute->value);
    else if (pairs[i].attribute) text_put(value, pairs[i].attribute->value);
    else s = params_print(n->params, pairs[i].param, value);
    if (value->failed) s = text_status(value);
    else if (value->length > LIMIT_ATTRIBUTE || strlen(pairs[i].key) > LIMIT_NAME)
      s = fail("attributes: %.80s: expected at most %d bytes, got %zu", pairs[i].key, LIMIT_ATTRIBUTE, value->length);
    if (s != OK) break;
    next_item(&items);
    put_string(t, pairs[i].key);
    text_put(t, ": ");
    put_string(t, value->at);
  }
  end_items(&items, '}');
  object_free(pairs);
  return s;
}

/* ---- Nodes -------------------------------------------------------------------------------------------- */

static void put_entry(Text *t, int64_t node, int64_t index, int64_t version) {
  text_add(t, "[", 1);
  put_int(t, node);
  text_add(t, ", ", 2);
  put_int(t, index);
  text_add(t, ", ", 2);
  put_int(t, version);
  text_add(t, "]", 1);
}

/* The version of an input: for a state, the number of writes to it, including that of the operator itself. writes[i] is
** the number of writes to variable i so far. */
static int64_t version_of(const Node *n, const int *writes) {
  return n->op || n->written < 0 ? 0 : n->written + writes[n->at];
}

static void put_inputs(Text *t, const Node *n, int *writes) {
  Items items = begin_items(t, '[', 3, n->n_in > INLINE_ITEMS);
  for (int i = 0; i < n->n_in; i++) {
    const Node *input = n->in[i].node;
    const Query q = query_of_node(n);
    if (!input->op && op_state(&q, i)) writes[input->at]++;
    next_item(&items);
    put_entry(t, input->at, n->in[i].index, version_of(input, writes));
  }
  end_items(&items, ']');
}

/* Rejects a node that files cannot have, or that could not be read again. */
static Status check_node(const Node *n) {
  if (node_is_constant(n)) return fail("expected variables and operators, got a constant");
  if (n->name && strlen(n->name) > LIMIT_NAME)
    return fail("name: expected at most %d bytes, got %zu", LIMIT_NAME, strlen(n->name));
  if (!n->op) return OK;
  if (n->op->role == ROLE_CUSTOM)
    return fail("operator Custom (op_type '%s') is written in Lua and cannot be exported",
                ((const CustomParams *)n->params->fields)->op_type);
  const bool internal = n->op->flags & OP_INTERNAL && !n->op->control && !has_own_form(n);
  if (internal || op_find(n->op->name) != n->op)
    return fail("%s: expected an operator with a form in files, got an internal one", n->op->name);
  if (requests_training(n) && !own_forms)
    return fail("%s: expected the mode of the call, got autograd.train_mode inside the block, which a file cannot "
                "express; write an option of the operator, such as mode = 'always'",
                n->op->name);
  for (const Attribute *a = n->attributes; a; a = a->next) {
    size_t length = strlen(a->key);
    if (length > 4 && strncmp(a->key, "__", 2) == 0 && strcmp(a->key + length - 2, "__") == 0) continue;
    return fail("%s: attribute '%.80s': expected a name such as __%.80s__", n->op->name, a->key, a->key);
  }
  return OK;
}

static Status put_graph(Text *t, const Graph *g);

static bool has_name(const Graph *g, const char *name) {
  for (int i = 0; i < g->n_nodes; i++)
    if (g->node[i]->name && strcmp(g->node[i]->name, name) == 0) return true;
  return false;
}

/* Replaces a head by a copy with a new name, because MXNet rejects a subgraph that returns a variable, or a value
** twice. */
static Status copy_head(Builder *b, const Graph *g, Entry *head, int *number) {
  char name[32];
  do snprintf(name, sizeof name, "identity%d", (*number)++);
  while (has_name(g, name));
  *head = build(b, op_with_role(ROLE_COPY), NULL, head, 1);
  TRY(b->status);
  return node_set_name(head->node, name);
}

/* Writes a subgraph with its nodes in the order of a walk from its outputs, as MXNet numbers them, and with all
** inputs. */
static Status put_subgraph(Text *t, const Subgraph *s) {
  enum { LEVELS = 4 };           /* from a graph to one inside it */
  const Graph *own = &s->graph;
  Graph g = { 0 };
  Builder b = { 0 };
  int number = 0;
  Entry *roots = object_new((size_t)(own->n_out + own->n_input + 1) * sizeof *roots);
  Status status = roots ? OK : no_memory("graph as text");
  for (int i = 0; i < own->n_out && status == OK; i++) {
    roots[i] = own->out[i];
    if (!own->out[i].node->op || entry_find(own->out, i, own->out[i]) < i)
      status = copy_head(&b, own, &roots[i], &number);
  }
  for (int i = 0; status == OK && i < own->n_input; i++) roots[own->n_out + i] = (Entry){ own->input[i], 0 };
  if (status == OK) status = portable_graph(roots, own->n_out + own->n_input, own_forms, &g);
  builder_free(&b);
  object_free(roots);
  TRY(status);
  g.n_out = own->n_out;
  levels_around += LEVELS;
  status = put_graph(t, &g);
  levels_around -= LEVELS;
  graph_free(&g);
  return status;
}

static Status put_subgraphs(Text *t, const Node *n) {
  Control c;
  if (!n->op || !n->op->control) return OK;
  TRY(n->op->control(n->params->fields, &c));
  put_key(t, 3, "subgraphs");
  Items items = begin_items(t, '[', 3, true);
  Status s = OK;
  for (int g = 0; g < c.n_graphs && s == OK; g++) {
    next_item(&items);
    s = put_subgraph(t, c.graph[g]);
  }
  end_items(&items, ']');
  control_free(&c);
  return s;
}

static Status put_node(Text *t, const Node *n, int *writes, Text *value) {
  const char *name = "null";
  TRY(check_node(n));
  if (n->op && !has_own_form(n)) TRY(file_name(n, &name));
  text_put(t, "{");
  put_line(t, 3);
  text_put(t, "\"op\": ");
  value->length = 0;
  if (has_own_form(n)) text_put(value, requests_training(n) ? OWN_FORM OWN_TRAINING : OWN_FORM);
  text_put(value, has_own_form(n) ? n->op->name : name);
  TRY(text_status(value));
  put_string(t, value->at);
  put_key(t, 3, "name");
  put_string(t, n->name ? n->name : "");
  TRY(put_attributes(t, n, value));
  put_key(t, 3, "inputs");
  put_inputs(t, n, writes);
  TRY(put_subgraphs(t, n));
  put_line(t, 2);
  text_put(t, "}");
  return OK;
}

static Status put_nodes(Text *t, const Graph *g, int *writes) {
  Text value = { 0 };
  Status s = OK;
  Items items = begin_items(t, '[', 1, true);
  text_put(&value, "");
  for (int i = 0; i < g->n_nodes && s == OK; i++) {
    const Node *n = g->node[i];
    next_item(&items);
    s = interrupted() ? interrupt_status() : put_node(t, n, writes, &value);
    if (s == E_INPUT) fail_within(s, "tojson: node '%.80s'", n->name ? n->name : "");
  }
  end_items(&items, ']');
  text_free(&value);
  return s;
}

/* ---- The graph ------------------------------------------------------------------------------------------ */

static void put_arguments(Text *t, const Graph *g) {
  int n = 0;
  for (int i = 0; i < g->n_nodes; i++) n += !g->node[i]->op;
  put_key(t, 1, "arg_nodes");
  Items items = begin_items(t, '[', 1, n > INLINE_ITEMS);
  for (int i = 0; i < g->n_nodes; i++) {
    if (g->node[i]->op) continue;
    next_item(&items);
    put_int(t, i);
  }
  end_items(&items, ']');
}

/* In MXNet, operators with subgraphs have no hidden outputs. */
static int counted_outputs(const Node *n) { return n->op && n->op->control ? op_visible(n->op, n->params) : n->n_out; }

static void put_rows(Text *t, const Graph *g) {
  int64_t row = 0;
  put_key(t, 1, "node_row_ptr");
  Items items = begin_items(t, '[', 1, g->n_nodes + 1 > INLINE_ITEMS);
  for (int i = 0; i <= g->n_nodes; i++) {
    next_item(&items);
    put_int(t, row);
    if (i < g->n_nodes) row += counted_outputs(g->node[i]);
  }
  end_items(&items, ']');
}

static void put_heads(Text *t, const Graph *g, const int *writes) {
  put_key(t, 1, "heads");
  Items items = begin_items(t, '[', 1, g->n_out > INLINE_ITEMS);
  for (int i = 0; i < g->n_out; i++) {
    const Node *n = g->out[i].node;
    next_item(&items);
    put_entry(t, n->at, g->out[i].index, version_of(n, writes));
  }
  end_items(&items, ']');
}

static Status put_graph(Text *t, const Graph *g) {
  if (g->n_nodes > LIMIT_NODES) return fail("tojson: expected at most %d nodes, got %d", LIMIT_NODES, g->n_nodes);
  int *writes = object_new((size_t)(g->n_nodes + 1) * sizeof *writes);
  if (!writes) return no_memory("graph as text");
  text_put(t, "{");
  put_line(t, 1);
  text_put(t, "\"nodes\": ");
  Status s = put_nodes(t, g, writes);
  put_arguments(t, g);
  put_rows(t, g);
  put_heads(t, g, writes);
  if (levels_around == 0) {
    put_key(t, 1, "attrs");
    Items items = begin_items(t, '{', 1, np_shapes);
    if (np_shapes) next_item(&items);
    if (np_shapes) text_put(t, "\"is_np_shape\": [\"int\", 1]");
    next_item(&items);
    text_format(t, "\"mxnet_version\": [\"int\", %d]", SYMBOL_VERSION);
    end_items(&items, '}');
  }
  put_line(t, 0);
  text_put(t, "}");
  object_free(writes);
  if (s == OK) s = text_status(t);
  if (s == OK && t->length > LIMIT_JSON_BYTES)
    return fail("tojson: expected a text of at most %llu bytes, got %zu", (unsigned long long)LIMIT_JSON_BYTES,
                t->length);
  return s;
}

Status symbol_json_print(const Entry *outputs, int n, bool np, bool own, Text *out) {
  Graph g = { 0 };
  own_forms = own;
  Status s = portable_graph(outputs, n, own, &g);
  np_shapes = np || (s == OK && has_np_calls(&g));
  if (s == OK) s = put_graph(out, &g);
  graph_free(&g);
  return s;
}

Status symbol_json_save(const char *path, const Entry *outputs, int n, bool np) {
  Text t = { 0 };
  Status s = symbol_json_print(outputs, n, np, false, &t);
  if (s == OK) s = whole_file_save_text(path, &t);
  text_free(&t);
  return s;
}
