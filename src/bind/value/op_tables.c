/* op_tables.c - rows as Lua tables, for specs, docs, help and completion. */
#include <stdio.h>

#include "base/text_buffer.h"
#include "bind/value/op_args.h"

static void set_optional(lua_State *L, const char *key, const char *value) {
  if (value) set_string(L, key, value);
}

static void set_words(lua_State *L, const char *key, const char *const *words, int n) {
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    lua_pushstring(L, words[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, key);
}

/* All names but those for files only. */
static void set_aliases(lua_State *L, const OpInfo *info) {
  lua_createtable(L, info->n_aliases, 0);
  for (int i = 0; i < info->n_aliases; i++) {
    if (*info->alias[i] == '/') continue;
    lua_pushstring(L, info->alias[i]);
    lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  }
  lua_setfield(L, -2, "aliases");
}

/* `counted`: set from the number of inputs, so calls may omit it. */
static void push_param(lua_State *L, const Param *p, bool counted) {
  lua_createtable(L, 0, 7);
  set_string(L, "name", p->name);
  set_string(L, "type", p->type_text);
  set_optional(L, "default", p->default_text);
  set_optional(L, "doc", p->doc);
  set_boolean(L, "required", !p->default_text && !counted);
  set_boolean(L, "counted", counted);
  if (p->kind != P_CHOICE) return;
  int n = 0;
  while (p->choice[n]) n++;
  set_words(L, "choices", p->choice, n);
}

/* Sets the default example of an elementwise row: three numbers per operand, spread over the row's domain, and a value
** for each required parameter. */
static void set_default_example(lua_State *L, const Op *op) {
  double low = -2, high = 2;
  Text text = { 0 };
  if (op->domain) sscanf(op->domain, "%lf %lf", &low, &high);
  text_format(&text, "F.%s(", op->name);
  for (int i = 0; i < op->info->n_inputs; i++) {
    double from = i % 2 ? high : low, to = i % 2 ? low : high, step = (to - from) / 2;
    text_format(&text, "%sF.array{%.4g, %.4g, %.4g}", i ? ", " : "", from + 0.1 * step, from + 0.8 * step,
                from + 1.9 * step);
  }
  int given = 0;
  for (int i = 0; i < op->info->n_params; i++) {
    const Param *p = &op->info->param[i];
    const char *value = p->default_text ? NULL : i == 0 ? "-0.5" : "0.75";
    if (value) text_format(&text, "%s%s = %s", given++ ? ", " : ", {", p->name, value);
  }
  text_format(&text, "%s)", given ? "}" : "");
  set_string(L, "example", text.at);
  text_free(&text);
}

/* The block sizes of a row's kernels on the host. */
static void set_sizes(lua_State *L, const Op *op) {
  const Kernel *last = NULL;
  Text text = { 0 };
  for (int dtype = 0; dtype < N_DTYPES; dtype++) {
    const Kernel *k = op->kernel[ON_HOST][dtype];
    for (int i = 0; k && k != last && k->sizes && k->sizes[i]; i++) text_format(&text, "%lld ", (long long)k->sizes[i]);
    last = k;
  }
  set_string(L, "sizes", text.at);
  text_free(&text);
}

static void push_row(lua_State *L, const Op *op) {
  const OpInfo *info = op->info;
  lua_createtable(L, 0, 32);
  set_string(L, "name", op->name);
  set_string(L, "title", op_title(op));
  set_string(L, "family", info->family);
  set_string(L, "doc", op->doc);
  set_string(L, "domain", op->domain ? op->domain : "-2 2");
  set_optional(L, "metamethod", op->metamethod);
  set_aliases(L, info);
  set_words(L, "inputs", info->input, info->n_inputs);
  set_words(L, "outputs", info->output, info->n_outputs);
  lua_createtable(L, info->n_params, 0);
  for (int i = 0; i < info->n_params && !param_inner(&info->param[i]); i++) {
    push_param(L, &info->param[i], info->variadic && i == info->num_args);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "params");
  const Elementwise *e = op->elementwise;
  if (e) set_string(L, "expr", e->expr);
  if (e) set_boolean(L, "floats_only", !(e->types & INTEGER_TYPES));
  if (op->example) set_string(L, "example", op->example);
  else if (e && !(op->flags & OP_INTERNAL)) set_default_example(L, op);
  set_boolean(L, "elementwise", e != NULL);
  set_boolean(L, "variadic", info->variadic);
  const Query q = query_of_inputs(op, info->defaults->fields, info->n_inputs);
  /* some calls draw random numbers */
  const unsigned ever = op_effects_ever(&q);
  set_boolean(L, "random", op->effects && !op->writes && !(ever & ORDERED) && (ever & DRAWS || !op_fails(&q)));
  set_boolean(L, "fails", op_fails(&q));
  set_boolean(L, "ordered", ever & ORDERED);
  set_boolean(L, "train", op->flags & OP_TRAIN);
  set_boolean(L, "by_design", op->flags & OP_BY_DESIGN);
  set_boolean(L, "by_types", op->flags & OP_BY_TYPES);
  set_boolean(L, "dynamic", op->flags & OP_DYNAMIC);
  set_boolean(L, "internal", op->flags & OP_INTERNAL);
  set_boolean(L, "mutates", op->writes && op->role != ROLE_CLIP);      /* which writes in training steps only */
  set_boolean(L, "view", op->view != NULL);
  set_boolean(L, "lowers", op->lower != NULL);
  set_boolean(L, "rounds_once", op->flags & OP_ROUNDS_ONCE);
  set_boolean(L, "reports_tiles", op->flags & OP_REPORTS_TILES);
  set_boolean(L, "lapack", op->flags & OP_LAPACK);
  set_boolean(L, "expands", op_expands(op));
  set_boolean(L, "fusible", op->elementwise || op->choose_row);
  set_boolean(L, "reduction", op->folding != NULL);
  set_optional(L, "plain", op->plain ? op->plain->text : NULL);
  set_sizes(L, op);
  set_optional(L, "bound", info->bound ? info->bound->name : NULL);
  set_integer(L, "numbers", op_bound_numbers(op));       /* number of trailing inputs */
  lua_createtable(L, info->n_inputs, 0);
  for (int i = 0; i < info->n_inputs; i++) {
    lua_pushboolean(L, op_differentiable(op, i));
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "differentiable");
}

/* rows() -> a list of rows, in family order */
static int registry_rows(lua_State *L) {
  lua_createtable(L, op_count(), 0);
  for (int i = 0; i < op_count(); i++) {
    push_row(L, op_at(i));
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

/* row(name) -> the row, or nil and the nearest name */
static int registry_row(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const Op *op = op_find(name);
  if (op) {
    push_row(L, op);
    return 1;
  }
  op = op_nearest(name);
  lua_pushnil(L);
  if (op) lua_pushstring(L, op->name);
  else lua_pushnil(L);
  return 2;
}

/* effects(name, train, arguments...) -> the effects of such a call: `draws`, `ordered` and `fails`, booleans, and
** `writes`, a list with a boolean per input */
static int registry_effects(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const Op *op = op_find(name);
  CallArgs a;
  if (!op) return raise_error(L, "effects: name: expected an operator, got '%s'", name);
  check(L, args_parse(L, op, 3, false, &a));
  Query q = query_of_inputs(op, args_params(&a)->fields, a.n_in);
  q.train = lua_toboolean(L, 2);
  const unsigned effects = op_effects(&q);
  const bool fails = op_fails(&q);
  bool writes[MOST_CALL_INPUTS];
  for (int i = 0; i < a.n_in; i++) writes[i] = op_writes(&q, i);
  args_free(&a);
  lua_createtable(L, 0, 3);
  set_boolean(L, "draws", effects & DRAWS);
  set_boolean(L, "ordered", effects & ORDERED);
  set_boolean(L, "fails", fails);
  lua_createtable(L, a.n_in, 0);
  for (int i = 0; i < a.n_in; i++) {
    lua_pushboolean(L, writes[i]);
    lua_rawseti(L, -2, i + 1);
  }
  lua_setfield(L, -2, "writes");
  return 1;
}

/* is_table(x): is it nd, sym or one of their tables of operators? */
static int is_table(lua_State *L) { return return_boolean(L, is_operators(L, 1)); }

void open_registry(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "rows", registry_rows }, { "row", registry_row }, { "effects", registry_effects }, { "is_table", is_table },
    { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
