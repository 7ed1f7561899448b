/* symbol_node.c - see symbol_node.h.
**
** Upgrades of files by older MXNets (see MXNet's legacy_json_util.cc):
**   before 1.9.1  keys such as lr_mult become __lr_mult__; weight_lr_mult on an operator moves to the variable of
**                 its weight
**   before 0.9.4  variables that are auxiliary states get their initializers
**   before 0.9.0  auxiliary states are missing: variables are made for them
*/
#include "io/symbol/symbol_node.h"

#include <string.h>

#include "base/memory.h"
#include "ir/node_builder.h"
#include "ir/graph/symbol_compose.h"

enum { BEFORE_STATES = 900, BEFORE_INITIALIZERS = 904 };

/* ---- Attributes ------------------------------------------------------------------------------ */

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

/* The hidden key that a key of an old file equals, begins or ends with. */
static const char *hidden_key(const SymbolGraph *g, const char *key) {
  const char *const *hidden = hidden_attributes;
  for (; *hidden && g->version < SYMBOL_VERSION; hidden++)
    if (strncmp(key, *hidden, strlen(*hidden)) == 0 || ends_in(key, *hidden)) return *hidden;
  return NULL;
}

static Status set_hidden(Node *n, const char *key, const char *value) {
  char full[64];
  snprintf(full, sizeof full, "__%s__", key);
  return node_set_attribute(n, full, value);
}

/* For "weight_lr_mult": the variable that is the input `weight`, or NULL. */
static Node *variable_of_key(const Node *n, const char *key, const char *hidden) {
  size_t length = strlen(key) - strlen(hidden);
  if (!n->op || !ends_in(key, hidden) || length < 2) return NULL;
  for (int i = 0; i < n->n_in; i++) {
    const char *name = op_input_title(n->op, n->params->fields, i);
    if (strlen(name) == length - 1 && strncmp(name, key, length - 1) == 0)
      return node_is_variable(n->in[i].node) ? n->in[i].node : NULL;
  }
  return NULL;
}

static Status set_attribute(const SymbolGraph *g, Node *n, SymbolAttribute a) {
  const char *hidden = hidden_key(g, a.key);
  if (hidden && strcmp(hidden, a.key) == 0) return set_hidden(n, hidden, a.value);
  Node *variable = hidden ? variable_of_key(n, a.key, hidden) : NULL;
  return variable ? set_hidden(variable, hidden, a.value) : node_set_attribute(n, a.key, a.value);
}

static bool is_own_attribute(const char *key) {
  return strncmp(key, "__", 2) == 0 && ends_in(key, "__") && strlen(key) > 4;
}

/* Is it an MXNet attribute without effect here: the device, or, of np's operators, whether a scalar was an integer, the
** order of elements, and what is None? */
static bool means_nothing(const SymbolAttribute *a) {
  return strcmp(a->key, "ctx") == 0 || strcmp(a->key, "is_int") == 0 || strcmp(a->value, "None") == 0 ||
         (strcmp(a->key, "order") == 0 && strcmp(a->value, "C") == 0);
}

/* ---- np's operators, _npi_add, _np_sum, _npx_relu ------------------------------------------------------------------ */

static bool is_np(const char *name) { return strncmp(name, "_np", 3) == 0; }

/* The row of an operator's name; that of np's operators may have the name without the prefix. */
static const Op *find_row(const char *name) {
  const Op *op = op_find(name);
  const char *rest = is_np(name) && !op ? strchr(name + 1, '_') : NULL;
  return rest ? op_find(rest + 1) : op;
}

/* What the name of an operator in a file says: the row, or NULL; whether the node has the own form; its mode. */
typedef struct FileRow { const Op *op; bool own; RequestedMode train; } FileRow;

/* Reads the name after "hybridlua". */
static Status own_row(const char *name, const char *rest, FileRow *row) {
  const size_t digits = strspn(rest, "0123456789");
  const char *at = rest + digits + 1;
  if (strncmp(name, OWN_FORM, strlen(OWN_FORM)) != 0)
    return fail(
      "operator %.80s: expected version 1 of hybridlua's own form of nodes, got version %.*s; another version "
      "of hybridlua wrote the file",
      name, (int)(digits < 20 ? digits : 20), rest);
  row->own = true;
  if (strncmp(at, OWN_TRAINING, strlen(OWN_TRAINING)) == 0) {
    at += strlen(OWN_TRAINING);
    row->train = MODE_ON;
  }
  row->op = op_find(at);
  if (row->op && row->train == MODE_ON ? !(row->op->flags & OP_TRAIN) : row->op && !symbol_node_is_own(row->op))
    row->op = NULL;
  return OK;
}

static Status read_row(const char *name, FileRow *row) {
  static const char prefix[] = "hybridlua";
  const char *rest = name + sizeof prefix - 1;
  *row = (FileRow){ .train = MODE_INHERIT };
  if (strncmp(name, prefix, sizeof prefix - 1) == 0 && rest[strspn(rest, "0123456789")] == ':')
    return own_row(name, rest, row);
  row->op = find_row(name);
  if (row->op && row->op->flags & OP_INTERNAL && !row->op->control) row->op = NULL;
  return OK;
}

/* Sets the row's parameter _np, if it has one as its last: numbers have shape (). */
static Status set_np(const Op *op, Params **params) {
  const int last = op->info->n_params - 1;
  if (last < 0 || strcmp(op->info->param[last].name, "_np") != 0) return OK;
  if (!*params) TRY(params_new(op, params));
  return params_set_bool(*params, last, true);
}

/* np's comparisons give bools. */
static Entry as_np(Builder *b, const Op *op, Entry e) {
  const Op *cast = op_with_role(ROLE_CAST);
  Params *p;
  if (!(op->flags & OP_TRUTH) || b->status != OK) return e;
  b->status = params_new(cast, &p);
  if (b->status != OK) return e;
  b->status = params_set_text(p, 0, dtype_name(DT_BOOL));
  if (b->status == OK) e = build(b, cast, p, &e, 1);
  params_release(p);
  return e;
}

/* Reads the parameters among the attributes, keeping their texts; *params stays NULL if there are none. */
static Status read_params(const SymbolGraph *g, const SymbolNode *n, const Op *op, Params **params) {
  for (int i = 0; i < n->n_attributes; i++) {
    const SymbolAttribute *a = &n->attribute[i];
    int p = param_index(op, is_np(n->op) && op->synonyms ? op_synonym(op, a->key) : a->key);
    if (p < 0 && (hidden_key(g, a->key) || is_own_attribute(a->key) || means_nothing(a))) continue;
    if (p < 0) {
      const char *near = param_nearest(op, a->key);
      return fail("%s: unknown attribute '%.80s'%s%s%s", op->name, a->key, near ? "; did you mean '" : "",
                  near ? near : "", near ? "'?" : "");
    }
    if (!*params) TRY(params_new(op, params));
    TRY(params_set_text(*params, p, a->value));
  }
  if (is_np(n->op)) TRY(set_np(op, params));
  return params_complete(*params ? *params : op->info->defaults);
}

/* ---- Variables --------------------------------------------------------------------------------- */

/* Reads "(256, 0)"; 0 and -1 mean unknown, and so does the shape "()". */
static Status read_shape(const char *text, Shape *shape) {
  int64_t values[MAX_LIST];
  int n = params_read_ints(text, values);
  if (n < 0 || n > MAX_DIMS)
    return fail("__shape__: expected a tuple of at most %d integers, got '%.80s'", MAX_DIMS, text);
  *shape = SHAPE_UNKNOWN;
  if (n == 0) return OK;
  shape->ndim = n;
  for (int i = 0; i < n; i++) {
    if (values[i] < -1 || values[i] > MAX_ELEMENTS)
      return fail("__shape__: expected dimensions of 0 or more, got '%.80s'", text);
    shape->dim[i] = values[i] <= 0 ? UNKNOWN : values[i];
  }
  return OK;
}

static Status read_dtype(const char *text, DType *dtype) {
  int64_t values[MAX_LIST];
  int n = params_read_ints(text, values);
  if (n != 1 || values[0] < -1 || values[0] >= N_DTYPES)
    return fail("__dtype__: expected a code from 0 to %d, or -1, got '%.80s'", N_DTYPES - 1, text);
  *dtype = (DType)values[0];
  return OK;
}

Status symbol_node_type(Node *variable) {
  const char *shape = node_attribute(variable, "__shape__"), *dtype = node_attribute(variable, "__dtype__");
  Type *type = &variable->type[0];
  if (shape && type->shape.ndim < 0) TRY(read_shape(shape, &type->shape));
  return dtype && type->dtype == DT_UNKNOWN ? read_dtype(dtype, &type->dtype) : OK;
}

/* Sets the attributes of a file's node that are not parameters of its operator (NULL for a variable). */
static Status set_attributes(const SymbolGraph *g, const SymbolNode *n, const Op *op, Node *to) {
  for (int i = 0; i < n->n_attributes; i++)
    if (!op || param_index(op, n->attribute[i].key) < 0) TRY(set_attribute(g, to, n->attribute[i]));
  return OK;
}

static Status make_variable(SymbolGraph *g, const SymbolNode *n, Node **out) {
  if (n->n_inputs > 0) return fail("inputs: expected none for a variable, got %d", n->n_inputs);
  TRY(node_variable(n->name, NULL, out));
  (*out)->origin = g->builder.origin;
  Status s = set_attributes(g, n, NULL, *out);
  if (s == OK) s = symbol_node_type(*out);
  if (s != OK) {
    node_release(*out);
    *out = NULL;
  }
  return s;
}

/* ---- Operators ----------------------------------------------------------------------------------- */

Status symbol_node_entry(const SymbolGraph *g, SymbolInput in, int before, Entry *out) {
  if (in.node >= before) return fail("expected a node before %d, got %d", before, in.node);
  Node *n = g->made[in.node].node;
  *out = (Entry){ n, in.index };
  if (n && in.index >= n->n_out)
    return fail("expected an output of node %d ('%.80s') from 0 to %d, got %d", in.node, n->name, n->n_out - 1,
                in.index);
  return OK;
}

/* Makes variables for inputs that are not in the file, starting with *held, with the node's attributes. */
static Status make_states(SymbolGraph *g, const SymbolNode *n, const Op *op, const Params *p, int n_in, int *held) {
  while (*held < n_in) {
    Node *variable;
    TRY(compose_variable(op, p, n->name, *held, &variable));
    g->in[(*held)++] = (Entry){ variable, 0 };
    variable->origin = g->builder.origin;
    TRY(set_attributes(g, n, op, variable));
  }
  return OK;
}

/* Collects the inputs in g->in; *held is their number, and each is retained, even after a failure. */
static Status collect_inputs(SymbolGraph *g, const SymbolNode *n, const Op *op, const Params *p, int *held) {
  int n_in = op_inputs(op, p), given = n->n_inputs;
  bool complete = given == n_in || (given < n_in && g->version < BEFORE_STATES && !op->info->variadic);
  if (!complete) return fail("%s: inputs: expected %d with these parameters, got %d", op->name, n_in, given);
  Entry *in = object_widen(g->in, n_in, &g->in_room, sizeof *in);
  if (!in) return no_memory("graph");
  g->in = in;
  for (; *held < given; ++*held) {
    Status s = symbol_node_entry(g, n->input[*held], g->n, &g->in[*held]);
    if (s != OK) return fail_within(s, "%s: inputs: %s", op->name, op_input_name(op, *held));
    node_retain(g->in[*held].node);
  }
  return make_states(g, n, op, p, n_in, held);
}

/* Notes writes to states. A file may count from 0, from writes of other graphs, or not at all; a state's first count
** shows which. */
static void note_writes(SymbolGraph *g, const SymbolNode *n, const Op *op, const Params *p, int n_in) {
  const Query q = query_of_inputs(op, p->fields, n_in);
  for (int i = 0; i < n_in; i++) {
    if (!op_state(&q, i)) continue;
    if (i >= n->n_inputs) {      /* missing in old files */
      g->in[i].node->written = -1;
      continue;
    }
    const SymbolInput in = n->input[i];
    SymbolMade *state = &g->made[in.node];
    if (!state->written && in.version <= INT16_MAX) state->node->written = (int16_t)(in.version - 1);
    state->written = true;
  }
}

static Status build_on(SymbolGraph *g, const SymbolNode *n, const Op *op, Params *params, int n_in, Node **out) {
  if (g->version < BEFORE_INITIALIZERS) TRY(compose_initializers(op, g->in, n_in));
  compose_states(op, params, g->in, n_in);
  Entry e = build(&g->builder, op, params, g->in, n_in);
  if (is_np(n->op)) e = as_np(&g->builder, op, e);
  TRY(g->builder.status);
  note_writes(g, n, op, params, n_in);
  TRY(node_set_name(e.node, n->name));
  TRY(set_attributes(g, n, op, e.node));
  *out = node_retain(e.node);
  return OK;
}

/* Sets the subgraphs as the object parameters, in order. */
static Status set_subgraphs(const SymbolNode *n, const Op *op, Params *params) {
  int taken = 0;
  for (int i = 0; op->control && i < op->info->n_params; i++) {
    if (op->info->param[i].kind != P_OBJECT) continue;
    if (taken < n->n_subgraphs) params_set_object(params, i, n->subgraph[taken]);
    taken++;
  }
  return taken == n->n_subgraphs ? OK : fail("%s: subgraphs: expected %d, got %d", op->name, taken, n->n_subgraphs);
}

/* Makes the batch size N unknown in initial states of recurrent layers, "__layout__": "LNC", "shape": "(2, 0, 5)": the
** node that uses them determines it. */
static void open_batch(const SymbolNode *n, const Op *op, Params *params) {
  const char *layout = NULL;
  for (int i = 0; i < n->n_attributes; i++)
    if (strcmp(n->attribute[i].key, "__layout__") == 0) layout = n->attribute[i].value;
  if (!layout || !params || op->info->n_inputs > 0 || op->info->shape < 0) return;
  List *shape = (List *)(void *)((char *)params->fields + op->info->param[op->info->shape].offset);
  for (int i = 0; i < shape->count && i < MAX_DIMS && layout[i]; i++)
    if (layout[i] == 'N' && shape->u.i[i] == 0) shape->u.i[i] = UNKNOWN;
}

static Status make_operator(SymbolGraph *g, const SymbolNode *n, const Op *op, Node **out) {
  Params *params = NULL;
  int held = 0;
  Status s = read_params(g, n, op, &params);
  if (s == OK) open_batch(n, op, params);
  if (s == OK && !params) params = params_retain(op->info->defaults);
  if (s == OK) s = set_subgraphs(n, op, params);
  if (s == OK) s = collect_inputs(g, n, op, params, &held);
  if (s == OK) s = build_on(g, n, op, params, held, out);
  for (int i = 0; i < held; i++) node_release(g->in[i].node);
  params_release(params);
  return s;
}

/* Adds a name, which is not empty, unless it is already listed. */
static Status add_unknown(SymbolGraph *g, const char *name) {
  size_t n = strlen(name);
  g->n_unknown++;
  for (const char *at = g->unknown.at; at && (at = strstr(at, name)); at += n) {
    bool whole = (at == g->unknown.at || at[-1] == ' ') && (at[n] == ',' || at[n] == ' ' || at[n] == '\0');
    if (whole) return OK;
  }
  if (g->unknown.length > 1024) return OK;
  const Op *near = op_nearest(name);
  text_format(&g->unknown, "%s%.80s", g->unknown.length ? ", " : "", name);
  if (near) text_format(&g->unknown, " (did you mean %s?)", near->name);
  return text_status(&g->unknown);
}

Status symbol_node_add(SymbolGraph *g, const SymbolNode *n) {
  Node *node = NULL;
  SymbolMade *made = object_widen(g->made, g->n + 1, &g->capacity, sizeof *made);
  if (!made) return no_memory("graph");
  g->made = made;
  if (strcmp(n->op, "null") == 0) {
    TRY(make_variable(g, n, &node));
  } else {
    FileRow row;
    TRY(read_row(n->op, &row));
    g->builder.train_requested = row.train;
    if (!row.op) TRY(add_unknown(g, n->op));
    else if (g->n_unknown == 0) TRY(make_operator(g, n, row.op, &node));    /* else only unknown operators matter */
    g->builder.train_requested = MODE_INHERIT;
  }
  g->made[g->n++] = (SymbolMade){ node, false };
  return OK;
}

void symbol_node_free(SymbolGraph *g) {
  for (int i = 0; i < g->n; i++) node_release(g->made[i].node);
  object_free(g->made);
  object_free(g->in);
  text_free(&g->unknown);
  builder_free(&g->builder);
  *g = (SymbolGraph){ 0 };
}
