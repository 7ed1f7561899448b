/* symbol_json.c - reading "-symbol.json"; the only file that uses cJSON.
**
** json_split.c splits the text, so cJSON parses one node, entry or number at a time. Checks stricter than cJSON's are
** here: it must consume its whole text; an object's keys must differ; numbers must be integers in range. An unknown key
** is an error, as in MXNet. Writing is in symbol_json_save.c.
*/
#include "io/symbol/symbol_json.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "io/file/whole_file.h"
#include "io/symbol/json_split.h"
#include "io/symbol/symbol_node.h"

/* ---- cJSON -------------------------------------------------------------------------------------- */

/* Parses the span as one value. cJSON's memory functions are not changed, because they are per process and the host may
** have set them. */
static Status parse(const JsonText *t, JsonSpan span, cJSON **out) {
  const char *end = NULL;
  errno = 0;
  *out = cJSON_ParseWithLengthOpts(t->at + span.from, span.to - span.from, &end, 0);
  if (*out && end == t->at + span.to) return OK;
  cJSON_Delete(*out);
  *out = NULL;
  if (errno == ENOMEM) return no_memory("JSON");
  size_t at = end ? (size_t)(end - t->at) : span.from;
  return json_wrong(t, at, "expected JSON, got '%.20s'", t->at + at);
}

/* Reads a JSON number as an int of at least `least`. */
static bool read_int(const cJSON *item, int least, int *out) {
  if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) || item->valuedouble != floor(item->valuedouble))
    return false;
  if (item->valuedouble < least || item->valuedouble > INT32_MAX) return false;
  *out = (int)item->valuedouble;
  return true;
}

/* [node, output] or [node, output, version] */
static bool read_entry(const cJSON *item, SymbolInput *out) {
  const cJSON *number = cJSON_IsArray(item) ? item->child : NULL;
  *out = (SymbolInput){ 0 };
  if (!number || !read_int(number, 0, &out->node) || !(number = number->next) || !read_int(number, 0, &out->index))
    return false;
  return !(number = number->next) || (read_int(number, 0, &out->version) && !number->next);
}

/* ---- Nodes ---------------------------------------------------------------------------------------- */

static Status add_attribute(SymbolNode *n, const char *key, const char *value) {
  for (int i = 0; i < n->n_attributes; i++)
    if (strcmp(n->attribute[i].key, key) == 0)
      return fail("attributes: expected different names, got '%.80s' twice", key);
  if (n->n_attributes == LIMIT_ATTRIBUTES) return fail("attributes: expected at most %d, got more", LIMIT_ATTRIBUTES);
  if (strlen(key) > LIMIT_NAME)
    return fail("attributes: expected names of at most %d bytes, got %zu", LIMIT_NAME, strlen(key));
  if (strlen(value) > LIMIT_ATTRIBUTE)
    return fail("attributes: %.80s: expected at most %d bytes, got %zu", key, LIMIT_ATTRIBUTE, strlen(value));
  n->attribute[n->n_attributes++] = (SymbolAttribute){ key, value };
  return OK;
}

/* Reads attrs, or its older forms attr and, for an operator's parameters, param. */
static Status read_attributes(SymbolNode *n, const cJSON *item) {
  if (!cJSON_IsObject(item)) return fail("%s: expected an object", item->string);
  for (const cJSON *a = item->child; a; a = a->next) {
    if (!cJSON_IsString(a)) return fail("%s: %.80s: expected a string", item->string, a->string);
    TRY(add_attribute(n, a->string, a->valuestring));
  }
  return OK;
}

static Status read_inputs(SymbolNode *n, const cJSON *item) {
  if (!cJSON_IsArray(item)) return fail("inputs: expected an array");
  for (const cJSON *entry = item->child; entry; entry = entry->next) {
    SymbolInput *input = object_widen(n->input, n->n_inputs + 1, &n->capacity, sizeof *input);
    if (!input) return no_memory("graph");
    n->input = input;
    if (!read_entry(entry, &n->input[n->n_inputs++]))
      return fail("inputs: %d: expected [node, output] or [node, output, version], integers from 0 to 2147483647",
                  n->n_inputs - 1);
  }
  return OK;
}

static Status read_text(const cJSON *item, const char **out) {
  if (!cJSON_IsString(item)) return fail("%s: expected a string", item->string);
  if (strlen(item->valuestring) > LIMIT_NAME)
    return fail("%s: expected at most %d bytes, got %zu", item->string, LIMIT_NAME, strlen(item->valuestring));
  *out = item->valuestring;
  return OK;
}

static Status read_op(const cJSON *item, const char **out) {
  TRY(read_text(item, out));
  return **out ? OK : fail("op: expected an operator's name, or null for a variable, got an empty text");
}

static Status read_subgraphs(SymbolNode *n, const SymbolGraph *around, const cJSON *item);

static Status refuse_entries(const cJSON *item, const char *what) {
  if (!cJSON_IsArray(item)) return fail("%s: expected an array", item->string);
  return item->child ? fail("%s: expected none, got some: %s", item->string, what) : OK;
}

static Status read_field(SymbolNode *n, const SymbolGraph *around, const cJSON *item) {
  const char *key = item->string;
  int source;
  if (strcmp(key, "op") == 0) return read_op(item, &n->op);
  if (strcmp(key, "name") == 0) return read_text(item, &n->name);
  if (strcmp(key, "inputs") == 0) return read_inputs(n, item);
  if (strcmp(key, "attrs") == 0 || strcmp(key, "attr") == 0 || strcmp(key, "param") == 0)
    return read_attributes(n, item);
  if (strcmp(key, "subgraphs") == 0) return read_subgraphs(n, around, item);
  if (strcmp(key, "control_deps") == 0) return refuse_entries(item, "control dependencies are not supported");
  if (strcmp(key, "backward_source_id") != 0) return fail("unknown key '%.80s'", key);
  if (!read_int(item, -1, &source) || source != -1)
    return fail("backward_source_id: expected -1, got another: backward nodes are not supported");
  return OK;
}

static Status read_node(SymbolNode *n, const SymbolGraph *around, const cJSON *object) {
  bool has_inputs = false;
  n->op = n->name = NULL;
  n->n_attributes = n->n_inputs = 0;
  if (!cJSON_IsObject(object)) return fail("expected an object");
  int fields = 0;
  for (const cJSON *item = object->child; item; item = item->next, fields++) {
    if (fields == 16) return fail("expected at most 16 keys");
    for (const cJSON *other = object->child; other != item; other = other->next)
      if (strcmp(other->string, item->string) == 0)
        return fail("key '%.80s': expected it once, got it twice", item->string);
    TRY(read_field(n, around, item));
    has_inputs |= strcmp(item->string, "inputs") == 0;
  }
  if (!n->op || !n->name || !has_inputs)
    return fail("expected op, name and inputs, got no %s", !n->op ? "op" : !n->name ? "name" : "inputs");
  return OK;
}

/* Reads the node into `n`, and adds it to the graph. */
static Status add_node(SymbolGraph *g, SymbolNode *n, const cJSON *object) {
  Status s = read_node(n, g, object);
  if (s == OK) s = symbol_node_add(g, n);
  for (int i = 0; i < n->n_subgraphs; i++) subgraph_release(n->subgraph[i]);
  n->n_subgraphs = 0;
  if (s != E_INPUT) return s;
  return fail_within(s, "node %d%s%.80s%s", g->n, n->name ? " '" : "", n->name ? n->name : "", n->name ? "'" : "");
}

/* ---- Subgraphs: graphs inside nodes ---------------------------------------------------- */

static Status add_inner_nodes(SymbolGraph *g, const cJSON *nodes) {
  if (!cJSON_IsArray(nodes)) return fail("nodes: expected an array");
  SymbolNode *n = object_new(sizeof *n);
  Status s = n ? OK : no_memory("graph");
  for (const cJSON *item = nodes->child; s == OK && item; item = item->next) s = add_node(g, n, item);
  if (n) object_free(n->input);
  object_free(n);
  if (s == OK && g->n_unknown > 0) s = fail("unknown operators: %s", g->unknown.at);
  return s;
}

static Status read_inner_heads(const SymbolGraph *g, const cJSON *heads, Entry *out, int *n) {
  *n = 0;
  for (const cJSON *item = heads->child; item; item = item->next) {
    SymbolInput in;
    if (!read_entry(item, &in)) return fail("heads: expected [node, output, version], integers from 0 to 2147483647");
    Status s = symbol_node_entry(g, in, g->n, &out[*n]);
    if (s != OK) return fail_within(s, "heads");
    ++*n;
  }
  return *n > 0 ? OK : fail("heads: expected at least one, got none");
}

/* The subgraph's name: an attribute of its nodes, else the operator's name. */
static const char *inner_name(const SymbolGraph *g, const char *op) {
  for (int i = 0; i < g->n; i++) {
    const char *name = node_attribute(g->made[i].node, "__subgraph_name__");
    if (name) return name;
  }
  return op;
}

/* Makes a subgraph whose inputs are all variables, in order. */
static Status make_subgraph(const SymbolGraph *g, const Entry *heads, int n_heads, const char *op, Subgraph **out) {
  Node **input = object_new((size_t)(g->n + 1) * sizeof *input);
  int n = 0;
  if (!input) return no_memory("graph");
  for (int i = 0; i < g->n; i++)
    if (!g->made[i].node->op) input[n++] = g->made[i].node;
  Status s = subgraph_new(inner_name(g, op), heads, n_heads, input, n, NULL, NULL, out);
  object_free(input);
  return s;
}

static Status check_inner_keys(const cJSON *object) {
  static const char *const known[] = { "nodes", "arg_nodes", "node_row_ptr", "heads", "attrs" };
  for (const cJSON *item = object->child; item; item = item->next) {
    size_t k = 0;
    while (k < sizeof known / sizeof *known && strcmp(known[k], item->string) != 0) k++;
    if (k == sizeof known / sizeof *known) return fail("unknown key '%.80s'", item->string);
  }
  return OK;
}

static Status read_subgraph(const SymbolGraph *around, const cJSON *object, const char *op, Subgraph **out) {
  if (!cJSON_IsObject(object)) return fail("expected an object");
  TRY(check_inner_keys(object));
  const cJSON *nodes = cJSON_GetObjectItemCaseSensitive(object, "nodes");
  const cJSON *heads = cJSON_GetObjectItemCaseSensitive(object, "heads");
  if (!cJSON_IsArray(heads)) return fail("heads: expected an array");
  Scope *scope = scope_new(NULL, op ? op : "subgraph");      /* an iteration is a block call */
  Entry *entries = object_new((size_t)(cJSON_GetArraySize(heads) + 1) * sizeof *entries);
  SymbolGraph g = { .builder = { .origin = around->builder.origin, .scope = scope }, .version = around->version };
  int n_heads = 0;
  Status s = scope && entries ? add_inner_nodes(&g, nodes) : no_memory("graph");
  if (s == OK) s = read_inner_heads(&g, heads, entries, &n_heads);
  if (s == OK) s = make_subgraph(&g, entries, n_heads, op ? op : "subgraph", out);
  symbol_node_free(&g);
  object_free(entries);
  scope_release(scope);
  return s;
}

static Status read_subgraphs(SymbolNode *n, const SymbolGraph *around, const cJSON *item) {
  if (!cJSON_IsArray(item)) return fail("subgraphs: expected an array");
  for (const cJSON *object = item->child; object; object = object->next) {
    if (n->n_subgraphs == MOST_SUBGRAPHS) return fail("subgraphs: expected at most %d, got more", MOST_SUBGRAPHS);
    Status s = read_subgraph(around, object, n->op, &n->subgraph[n->n_subgraphs]);
    if (s != OK) return fail_within(s, "subgraphs: %d", n->n_subgraphs);
    n->n_subgraphs++;
  }
  return OK;
}

/* ---- The rest --------------------------------------------------------------------------------------- */

typedef struct Reading {
  JsonText text;
  SymbolGraph g;
  SymbolNode *node;            /* the current one */
  Entry *head;                 /* a reference each */
  int n_heads, capacity;
} Reading;

typedef Status TakeElement(Reading *r, JsonSpan span, const cJSON *item);

static Status each_element(Reading *r, JsonSpan span, const char *what, TakeElement *take) {
  JsonParts parts;
  bool more;
  TRY(json_parts(&r->text, span, '[', what, &parts));
  for (;;) {
    cJSON *item;
    TRY(json_next_element(&parts, &more, &span));
    if (!more) return OK;
    TRY(parse(&r->text, span, &item));
    Status s = take(r, span, item);
    cJSON_Delete(item);
    TRY(s);
  }
}

static Status take_node(Reading *r, JsonSpan span, const cJSON *item) {
  const JsonText *t = &r->text;
  if (r->g.n == LIMIT_NODES) return json_wrong(t, span.from, "nodes: expected at most %d, got more", LIMIT_NODES);
  if (interrupted()) return interrupt_status();
  Status s = add_node(&r->g, r->node, item);
  return s == E_INPUT ? fail_within(s, "%s: offset %zu", t->name, span.from) : s;
}

static Status take_argument(Reading *r, JsonSpan span, const cJSON *item) {
  const SymbolGraph *g = &r->g;
  int node;
  if (!read_int(item, 0, &node) || node >= g->n)
    return json_wrong(&r->text, span.from, "arg_nodes: expected integers from 0 to %d", g->n - 1);
  if (g->made[node].node->op)
    return json_wrong(&r->text, span.from, "arg_nodes: expected variables, got node %d, which is not one", node);
  return OK;
}

static Status take_row(Reading *r, JsonSpan span, const cJSON *item) {
  int row;
  return read_int(item, 0, &row) ? OK : json_wrong(&r->text, span.from, "node_row_ptr: expected integers of 0 or more");
}

static Status take_head(Reading *r, JsonSpan span, const cJSON *item) {
  SymbolInput in;
  Entry *head = object_widen(r->head, r->n_heads + 1, &r->capacity, sizeof *head);
  if (!head) return no_memory("graph");
  r->head = head;
  if (!read_entry(item, &in))
    return json_wrong(&r->text, span.from, "heads: expected [node, output, version], integers from 0 to 2147483647");
  Status s = symbol_node_entry(&r->g, in, r->g.n, &head[r->n_heads]);
  if (s != OK) return fail_within(s, "%s: offset %zu: heads", r->text.name, span.from);
  node_retain(head[r->n_heads++].node);
  return OK;
}

/* attrs: {"mxnet_version": ["int", 10901], ...} */
static Status read_version(const JsonText *t, JsonSpan span, int *version) {
  cJSON *object;
  TRY(parse(t, span, &object));
  const cJSON *pair = cJSON_GetObjectItemCaseSensitive(object, "mxnet_version");
  const cJSON *type = cJSON_IsArray(pair) ? pair->child : NULL, *number = type ? type->next : NULL;
  bool is_version = cJSON_IsString(type) && strcmp(type->valuestring, "int") == 0 && read_int(number, 0, version) &&
                    !number->next;
  bool fits = cJSON_IsObject(object) && (!pair || is_version);
  cJSON_Delete(object);
  return fits ? OK : json_wrong(t, span.from, "attrs: expected an object with \"mxnet_version\": [\"int\", number]");
}

enum { NODES, ARGUMENTS, ROWS, HEADS, ATTRS, N_PARTS };

static Status find_parts(const JsonText *t, JsonSpan span[N_PARTS]) {
  static const char *const names[N_PARTS] = { "nodes", "arg_nodes", "node_row_ptr", "heads", "attrs" };
  JsonSpan object, key, value;
  JsonParts parts;
  bool more;
  TRY(json_check(t, &object));
  TRY(json_parts(t, object, '{', "graph", &parts));
  for (;;) {
    int i = 0;
    TRY(json_next_member(&parts, &more, &key, &value));
    if (!more) break;
    size_t n = key.to - key.from;
    while (i < N_PARTS && (strlen(names[i]) != n || memcmp(names[i], t->at + key.from, n) != 0)) i++;
    if (i == N_PARTS) return json_wrong(t, key.from, "unknown key '%.*s'", n < 80 ? (int)n : 80, t->at + key.from);
    if (span[i].to > 0) return json_wrong(t, key.from, "key '%s': expected it once, got it twice", names[i]);
    span[i] = value;
  }
  for (int i = 0; i < N_PARTS; i++)
    if (span[i].to == 0 && i != ROWS && i != ATTRS)
      return json_wrong(t, object.from, "expected nodes, arg_nodes and heads, got no %s", names[i]);
  return OK;
}

static Status read_graph(Reading *r) {
  JsonSpan span[N_PARTS] = { 0 };
  const JsonText *t = &r->text;
  if (!r->node) return no_memory("graph");
  if (t->n > LIMIT_JSON_BYTES)
    return fail("%s: expected at most %llu bytes, got %zu", t->name, (unsigned long long)LIMIT_JSON_BYTES, t->n);
  TRY(find_parts(t, span));
  if (span[ATTRS].to > 0) TRY(read_version(t, span[ATTRS], &r->g.version));
  TRY(each_element(r, span[NODES], "nodes", take_node));
  if (r->g.n_unknown > 0) return fail("%s: unknown operators: %s", t->name, r->g.unknown.at);
  TRY(each_element(r, span[ARGUMENTS], "arg_nodes", take_argument));
  if (span[ROWS].to > 0) TRY(each_element(r, span[ROWS], "node_row_ptr", take_row));
  TRY(each_element(r, span[HEADS], "heads", take_head));
  return r->n_heads > 0 ? OK : json_wrong(t, span[HEADS].from, "heads: expected at least one, got none");
}

Status symbol_json_load(const char *name, const char *text, size_t size, Origin origin, Entry **outputs,
                        int *n_outputs) {
  Reading r = { .text = { name, text, size },
                .g = { .builder = { .origin = origin }, .version = SYMBOL_VERSION_UNKNOWN },
                .node = object_new(sizeof *r.node) };
  Status s = read_graph(&r);
  if (r.node) object_free(r.node->input);
  object_free(r.node);
  symbol_node_free(&r.g);
  *outputs = r.head;
  *n_outputs = r.n_heads;
  if (s == OK) return OK;
  for (int i = 0; i < r.n_heads; i++) node_release(r.head[i].node);
  object_free(r.head);
  *outputs = NULL;
  *n_outputs = 0;
  return s;
}

Status symbol_json_load_file(const char *path, Origin origin, Entry **outputs, int *n_outputs) {
  FileBytes text;
  *outputs = NULL;
  *n_outputs = 0;
  TRY(whole_file_read(path, LIMIT_JSON_BYTES, &text));
  Status s = symbol_json_load(path, text.at, text.n, origin, outputs, n_outputs);
  file_bytes_free(&text);
  return s;
}
