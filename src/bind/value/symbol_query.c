/* symbol_query.c - a Symbol's names, attributes, text and fields. Types are in symbol_infer.c, composing and evaluating
** in symbol_apply.c.
*/
#include "bind/value/symbol_query.h"

#include <string.h>

#include "bind/value/class_table.h"
#include "bind/value/device_value.h"
#include "bind/value/brackets.h"
#include "bind/trace/tracing.h"

/* ---- Names ---------------------------------------------------------------------------------- */

void push_output_suffix(lua_State *L, const Node *n, int index) {
  const int listed = n->op->info->n_outputs;
  if (n->n_out == 1 || (listed == 1 && op_visible(n->op, n->params) == 1)) lua_pushstring(L, n->op->info->output[0]);
  else if (index < listed && listed > 1) lua_pushstring(L, n->op->info->output[index]);
  else lua_pushfstring(L, "output%d", index);
}

/* "fc_output", "sp_output1", "bn_mean"; for a variable, its name. */
static void push_output_name(lua_State *L, Entry e) {
  const Node *n = e.node;
  const char *name = n->name ? n->name : "";
  if (!n->op) {
    lua_pushstring(L, name);
    return;
  }
  push_output_suffix(L, n, e.index);
  lua_pushfstring(L, "%s_%s", name, lua_tostring(L, -1));
  lua_remove(L, -2);
}

typedef bool WantNode(const Node *n);
static bool want_argument(const Node *n) { return node_is_variable(n) && !n->aux; }
static bool want_aux(const Node *n) { return node_is_variable(n) && n->aux; }
static bool want_input(const Node *n) { return node_is_variable(n); }

static int push_names(lua_State *L, WantNode *want) {
  Graph *g = push_symbol_graph(L, check_symbol(L, 1));
  lua_newtable(L);
  for (int i = 0, n = 0; i < g->n_nodes; i++) {
    if (!want(g->node[i])) continue;
    lua_pushstring(L, g->node[i]->name ? g->node[i]->name : "");
    lua_rawseti(L, -2, ++n);
  }
  owned_end(g);
  return 1;
}

static int list_arguments(lua_State *L) { return push_names(L, want_argument); }
static int list_auxiliary_states(lua_State *L) { return push_names(L, want_aux); }
static int list_inputs(lua_State *L) { return push_names(L, want_input); }

static int list_outputs(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  lua_createtable(L, s->n, 0);
  for (int i = 0; i < s->n; i++) {
    push_output_name(L, s->entry[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* symbol_variables(s) -> the variables as Symbols, in the order of list_inputs */
static int variables(lua_State *L) {
  Graph *g = push_symbol_graph(L, check_symbol(L, 1));
  lua_createtable(L, g->n_input, 0);
  for (int i = 0; i < g->n_input; i++) {
    push_entry(L, (Entry){ g->input[i], 0 });
    lua_rawseti(L, -2, i + 1);
  }
  owned_end(g);
  return 1;
}

/* Pushes the output with this name; false, pushing nothing, if there is none. */
static bool push_named_output(lua_State *L, const Symbol *s, const char *name) {
  bool found = false;
  for (int i = 0; i < s->n && !found; i++) {
    push_output_name(L, s->entry[i]);
    found = strcmp(lua_tostring(L, -1), name) == 0;
    lua_pop(L, 1);
    if (!found) continue;
    push_entry(L, s->entry[i]);
    follow_symbol_kind(L);
  }
  return found;
}

static int output(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  if (lua_isinteger(L, 2)) {
    lua_Integer i = lua_tointeger(L, 2);
    if (i < 0 || i >= s->n) return raise_error(L, "output: index: expected 0 to %d, got %lld", s->n - 1, (long long)i);
    push_entry(L, s->entry[i]);
    follow_symbol_kind(L);
    return 1;
  }
  const char *name = check_text(L, 2, "output: name");
  if (push_named_output(L, s, name)) return 1;
  return raise_error(L, "output: no output is named '%s'; list_outputs() names them", name);
}

static int visible_outputs(const Node *n) { return n->op ? op_visible(n->op, n->params) : 1; }

static int get_internals(lua_State *L) {
  Graph *g = push_symbol_graph(L, check_symbol(L, 1));
  int n = 0;
  for (int i = 0; i < g->n_nodes; i++) n += visible_outputs(g->node[i]);
  Entry *entries = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *entries, 0);
  n = 0;
  for (int i = 0; i < g->n_nodes; i++)
    for (int k = 0; k < visible_outputs(g->node[i]); k++) entries[n++] = (Entry){ g->node[i], k };
  push_symbol(L, entries, n);
  follow_symbol_kind(L);
  owned_end(g);
  return 1;
}

static int get_children(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  int n = 0;
  for (int i = 0; i < s->n; i++) n += s->entry[i].node->n_in;
  if (n == 0) {
    lua_pushnil(L);
    return 1;
  }
  Entry *entries = lua_newuserdatauv(L, (size_t)n * sizeof *entries, 0);
  n = 0;
  for (int i = 0; i < s->n; i++)
    for (int k = 0; k < s->entry[i].node->n_in; k++) entries[n++] = s->entry[i].node->in[k];
  push_symbol(L, entries, n);
  return 1;
}

/* ---- Attributes -------------------------------------------------------------------------------- */

/* Adds a node's parameters as text and its user attributes to the table on top. */
static void add_attributes(lua_State *L, const Node *n) {
  for (int i = params_next_given(n->params, 0); i >= 0; i = params_next_given(n->params, i + 1)) {
    Text *text = push_text(L);
    check(L, params_print(n->params, i, text));
    take_text(L, text);
    lua_setfield(L, -2, n->op->info->param[i].name);
  }
  for (const Attribute *a = n->attributes; a; a = a->next) {
    const char *written = attribute_written(a->key);
    lua_pushstring(L, a->value);
    lua_setfield(L, -2, a->key);
    if (!written) continue;
    lua_pushstring(L, a->value); /* MXNet lists both names */
    lua_setfield(L, -2, written);
  }
}

static int list_attr(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  lua_newtable(L);
  if (s->n == 1) add_attributes(L, s->entry[0].node);
  return 1;
}

static int attr(lua_State *L) {
  check_bytes(L, 2, "attr: key", NULL);
  list_attr(L);
  lua_pushvalue(L, 2);
  lua_rawget(L, -2);
  return 1;
}

static int set_attr(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  if (!lua_istable(L, 2)) return raise_error(L, "set_attr: expected {key = value}, got %s", type_name(L, 2));
  for (lua_pushnil(L); lua_next(L, 2); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || lua_type(L, -1) != LUA_TSTRING)
      return raise_error(L, "set_attr: expected strings as keys and values, got %s and %s", type_name(L, -2),
                         type_name(L, -1));
    const char *key = check_text(L, -2, "set_attr: key"), *value = check_text(L, -1, "set_attr: value");
    for (int i = 0; i < s->n; i++) check(L, node_set_own_attribute(s->entry[i].node, key, value));
  }
  return 0;
}

/* attribute_key(key) -> "__lr_mult__" for "lr_mult"; other keys unchanged */
static int attribute_key(lua_State *L) {
  const char *key = check_text(L, 1, "attribute");
  const bool hidden = attribute_is_own(key) && strncmp(key, "__", 2) != 0;
  lua_pushfstring(L, hidden ? "__%s__" : "%s", key);
  return 1;
}

static int attr_dict(lua_State *L) {
  Graph *g = push_symbol_graph(L, check_symbol(L, 1));
  lua_newtable(L);
  for (int i = 0; i < g->n_nodes; i++) {
    if (!g->node[i]->attributes && params_next_given(g->node[i]->params, 0) < 0) continue;
    lua_newtable(L);
    add_attributes(L, g->node[i]);
    lua_setfield(L, -2, g->node[i]->name ? g->node[i]->name : "");
  }
  owned_end(g);
  return 1;
}

/* ---- Graphs ---------------------------------------------------------------------------------------- */

Graph *push_symbol_copy(lua_State *L, const Symbol *s) {
  Graph *copy = push_graph(L), *g = push_symbol_graph(L, s);
  coroutine_enter(L);
  check(L, graph_clone(g, copy));
  owned_end(g);
  lua_pop(L, 1);
  return copy;
}

int find_symbol_input(lua_State *L, const Graph *g, const char *who, int index) {
  const char *name = check_text(L, index, who);
  for (int i = 0; i < g->n_input; i++)
    if (g->input[i]->name && strcmp(g->input[i]->name, name) == 0) return i;
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < g->n_input; i++) {
    if (i) luaL_addstring(&b, ", ");
    luaL_addstring(&b, g->input[i]->name ? g->input[i]->name : "?");
  }
  luaL_pushresult(&b);
  return raise_error(L, "%s: no argument is named '%s'; there are %s", who, name, lua_tostring(L, -1));
}

/* ---- Text --------------------------------------------------------------------------------------------- */

static const char *label(const Node *n) { return n->name ? n->name : n->op ? n->op->name : "constant"; }

/* Pushes the labels, separated by commas. */
static void push_labels(lua_State *L, const Symbol *s) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < s->n; i++) {
    if (i) luaL_addstring(&b, ", ");
    luaL_addstring(&b, label(s->entry[i].node));
  }
  luaL_pushresult(&b);
}

static int symbol_tostring(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  trace_shown(L, "tostring(x)");
  push_labels(L, s);
  lua_pushfstring(L, s->n == 1 ? "<Symbol %s>" : "<Symbol group [%s]>", lua_tostring(L, -1));
  return 1;
}

/* Symbols, unlike arrays, cannot be concatenated. */
static int symbol_concat(lua_State *L) {
  trace_shown(L, "..");
  return raise_error(L, "..: expected strings, got a Symbol, which has no values to show; write F.print(x), or "
                        "tostring(x) for its name");
}

static void debug_node(const Node *n, Text *t) {
  if (!n->op) {
    text_format(t, "Variable:%s\n", label(n));
    return;
  }
  text_format(t, "--------------------\nOp:%s, Name=%s\nInputs:\n", n->op->name, label(n));
  for (int i = 0; i < n->n_in; i++)
    text_format(t, "\targ[%d]=%s(%d)%s\n", i, label(n->in[i].node), n->in[i].index,
                n->in[i].node->op ? "" : " version=0");
  if (n->params->given) text_put(t, "Attrs:\n");
  for (int i = params_next_given(n->params, 0); i >= 0; i = params_next_given(n->params, i + 1)) {
    text_format(t, "\t%s=", n->op->info->param[i].name);
    if (params_print(n->params, i, t) != OK) t->failed = true;
    text_put(t, "\n");
  }
}

static int debug_str(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  Graph *g = push_symbol_graph(L, s);
  Text *t = push_text(L);
  text_put(t, "Symbol Outputs:\n");
  for (int i = 0; i < s->n; i++) text_format(t, "\toutput[%d]=%s(%d)\n", i, label(s->entry[i].node), s->entry[i].index);
  for (int i = 0; i < g->n_nodes; i++) debug_node(g->node[i], t);
  take_text(L, t);
  owned_end(g);
  return 1;
}

/* ---- Fields ---------------------------------------------------------------------------------------------- */

/* Pushes x.shape and similar fields; false for other keys. In a trace, whose shapes are known, reading one makes the
** trace valid for this shape only. */
static bool push_field(lua_State *L, Symbol *s, const char *key) {
  if (strcmp(key, "name") == 0) {
    if (s->n == 1) lua_pushstring(L, label(s->entry[0].node));
    else lua_pushnil(L);
    return true;
  }
  bool shape = strcmp(key, "shape") == 0, ndim = strcmp(key, "ndim") == 0;
  bool size = strcmp(key, "size") == 0, dtype = strcmp(key, "dtype") == 0;
  if (!shape && !ndim && !size && !dtype) return false;
  if (s->n != 1) raise_error(L, "%s: expected a Symbol with one output, got one with %d", key, s->n);
  const Type *t = entry_type(s->entry[0]);
  if (dtype ? t->dtype == DT_UNKNOWN : ndim ? t->shape.ndim < 0 : !shape_known(&t->shape))
    raise_error(L,
                "the %s of Symbol %s is not known before it is bound; give sym.var a shape and dtype, or use "
                "infer_shape",
                key, label(s->entry[0].node));
  if (dtype) {
    lua_pushstring(L, dtype_name(t->dtype));
    return true;
  }
  if (ndim) {
    lua_pushinteger(L, t->shape.ndim);
    return true;
  }
  trace_shape_read(L);
  if (shape) push_shape(L, &t->shape);
  else lua_pushinteger(L, shape_size(&t->shape));
  return true;
}

static int symbol_index(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  if (lua_type(L, 2) == LUA_TSTRING) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    lua_pop(L, 1);
    const char *key = check_text(L, 2, "a Symbol's output: name");
    if (push_field(L, s, key)) return 1;
    if (strcmp(key, "context") == 0 || strcmp(key, "ctx") == 0) {
      push_device(L, trace_device(L));
      return 1;
    }
    if (strcmp(key, "T") == 0) {
      lua_getfield(L, lua_upvalueindex(1), op_with_role(ROLE_TRANSPOSE)->name);
      lua_pushvalue(L, 1);
      lua_call(L, 1, 1);
      return 1;
    }
    if (push_named_output(L, s, key)) return 1;
  }
  return index_read(L);
}

/* s:as_in_context(ctx) -> s; in a trace, the context must be the call's */
static int symbol_in_context(lua_State *L) {
  check_symbol(L, 1);
  check(L, trace_check_device(L, required_device(L, 2, "as_in_context: ctx"), "as_in_context"));
  lua_settop(L, 1);
  return 1;
}

static int symbol_newindex(lua_State *L) { return trace_refuse(L, "x[...] = ...", "F.where, or build a new array"); }

static int symbol_len(lua_State *L) {
  Symbol *s = check_symbol(L, 1);
  const Shape *shape = s->n == 1 ? &entry_type(s->entry[0])->shape : NULL;
  if (!shape || shape->ndim < 1 || shape->dim[0] < 0)
    return raise_error(L, "#: the length of axis 0 is not known before the Symbol is bound; give sym.var a shape");
  trace_shape_read(L);
  return return_integer(L, shape->dim[0]);
}

static int symbol_pairs(lua_State *L) { return trace_refuse(L, "pairs(x)", "x[i] for each i, or F.split"); }

static int refuse(lua_State *L) {
  return trace_refuse(L, lua_tostring(L, lua_upvalueindex(1)), lua_tostring(L, lua_upvalueindex(2)));
}

static void add_refusals(lua_State *L) {
  static const struct { const char *name, *what, *instead; } refused[] = {
    { "totable", "x:totable()", "operators on the Symbol, or return it and read it outside" },
    { "asnumpy", "x:asnumpy()", "operators on the Symbol, or return it and read it outside" },
    { "numpy", "x:numpy()", "operators on the Symbol, or return it and read it outside" },
    { "tolist", "x:tolist()", "operators on the Symbol, or return it and read it outside" },
    { "asscalar", "x:asscalar()", "operators on the Symbol, such as F.where" },
    { "item", "x:item()", "operators on the Symbol, such as F.where" },
    { "almost_equal", "x:almost_equal(y)", "operators on the Symbol, such as F.allclose" },
    { "tobytes", "x:tobytes()", "operators on the Symbol, or return it and read it outside" },
    { "set", "x:set(...)", "the value itself" },
    { "fill_", "x:fill_(...)", "the value itself" },
    { "zero_", "x:zero_()", "F.zeros_like(x)" },
    { "copyto", "x:copyto(...)", "x:copy()" },
    { "attach_grad", "x:attach_grad()", "it outside the block" },
    { "backward", "x:backward()", "it outside the block" },
    { "free", "x:free()", "nothing: a compiled block frees what it no longer needs" },
  };
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    lua_pushstring(L, refused[i].what);
    lua_pushstring(L, refused[i].instead);
    lua_pushcclosure(L, refuse, 2);
    lua_setfield(L, -2, refused[i].name);
  }
}

void open_symbol_query(lua_State *L) {
  int table = lua_gettop(L);
  /* clang-format off */
  const luaL_Reg methods[] = {
    { "as_in_context", symbol_in_context }, { "as_in_ctx", symbol_in_context },
    { "list_arguments", list_arguments }, { "list_auxiliary_states", list_auxiliary_states },
    { "list_inputs", list_inputs }, { "list_outputs", list_outputs }, { "output", output },
    { "get_internals", get_internals }, { "get_children", get_children },
    { "list_attr", list_attr }, { "attr", attr }, { "_set_attr", set_attr }, { "attr_dict", attr_dict },
    { "eval", symbol_eval }, { "debug_str", debug_str }, { NULL, NULL } };
  const luaL_Reg meta[] = {
    { "__tostring", symbol_tostring }, { "__newindex", symbol_newindex }, { "__len", symbol_len },
    { "__pairs", symbol_pairs }, { "__call", symbol_compose }, { "__concat", symbol_concat }, { NULL, NULL } };
  const luaL_Reg functions[] = {
    { "variables", variables }, { "attribute_key", attribute_key }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  open_symbol_infer(L);
  push_symbol_metatable(L, KIND_ND);
  set_class(L, table, methods, add_refusals, symbol_index, meta);
  lua_settop(L, table);
}
