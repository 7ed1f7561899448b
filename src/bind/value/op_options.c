/* op_options.c - the options of an operator call: parameters, inputs and attributes by name (op_args.h). As in
** op_args.c, only Lua raises, if it runs out of memory.
*/
#include "bind/value/op_parser.h"

#include <stdio.h>
#include <string.h>

/* The inputs of an array form also have the names of the parameters that they replace: nd.random.normal{loc = means,
** scale = deviations}. */
static int find_number(const Op *op, const char *key) {
  for (int k = 0; k < op_count(); k++) {
    const Op *numbers = op_at(k);
    if (!numbers->array_form || strcmp(numbers->array_form, op->name) != 0) continue;
    int i = param_index(numbers, key);
    return i < op->info->n_inputs ? i : -1;
  }
  return -1;
}

static int find_input(const Op *op, const char *key) {
  if (op->synonyms) key = op_synonym(op, key);
  for (int i = 0; i < op->info->n_inputs; i++)
    if (strcmp(op->info->input[i], key) == 0) return i;
  int n = 0, length = 0;
  if (op->info->variadic && sscanf(key, "arg%d%n", &n, &length) == 1 && key[length] == '\0' && n >= 0 &&
      n < MOST_CALL_INPUTS)
    return n;
  return find_number(op, key);
}

/* Options named like Lua's keywords have other spellings: stop or end_ for end, lambda_ for lambda. */
int args_find_param(const Op *op, const char *key) {
  int i = param_index(op, op->synonyms ? op_synonym(op, key) : key);
  size_t n = strlen(key);
  if (i >= 0) return i;
  if (strcmp(key, "stop") == 0) return param_index(op, "end");
  if (n > 1 && n < 64 && key[n - 1] == '_') {
    char bare[64];
    memcpy(bare, key, n - 1);
    bare[n - 1] = '\0';
    return param_index(op, bare);
  }
  return -1;
}

static const char option_hint;

int args_set_option_hint(lua_State *L) {
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &option_hint);
  return 0;
}

/* Pushes advice on an option of another library, "; did you mean 'axis'?", or nil. */
static const char *push_option_hint(lua_State *L, const Op *op, const char *key) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &option_hint) != LUA_TFUNCTION) return NULL;
  lua_pushstring(L, key);
  lua_newtable(L);
  for (int i = 0; i < op->info->n_params; i++) {
    if (param_inner(&op->info->param[i])) continue;
    set_boolean(L, op->info->param[i].name, true);
  }
  lua_call(L, 2, 1);
  return lua_tostring(L, -1);
}

Status args_unknown_option(lua_State *L, const Op *op, const char *key) {
  luaL_checkstack(L, 8, "hint");
  const char *hint = push_option_hint(L, op, key);
  if (hint) return fail("%s: unknown option '%s'%s", op->name, key, hint);
  const char *near = param_nearest(op, key);
  if (near) return fail("%s: unknown option '%s'; did you mean '%s'?", op->name, key, near);
  if (op->info->n_params == 0) return fail("%s: unknown option '%s'; it takes none", op->name, key);
  fail("%s: unknown option '%s'; it takes", op->name, key);
  for (int i = 0; i < op->info->n_params; i++)
    if (!param_inner(&op->info->param[i])) fail_append(E_INPUT, "%s %s", i ? "," : "", op->info->param[i].name);
  return E_INPUT;
}

/* Is it an option, other than a parameter, whose value stays on the stack? */
static bool is_extra(const char *key) { return strcmp(key, "out") == 0 || strcmp(key, "attr") == 0; }

/* The kinds of options that a loop found, apart from parameters. */
typedef struct Met { bool inputs, extras, attributes; } Met;

static Status attribute_value(lua_State *L, const Op *op, const char *key) {
  const int type = lua_type(L, -1);
  if (type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN || is_null(L, -1)) return OK;
  return fail("%s: %s: expected a string, a number or a bool, got %s", op->name, key, type_name(L, -1));
}

/* Is the key free of zero bytes? Keys are short, and checked at every call. */
static inline bool is_whole(const char *text, size_t n) {
  size_t i = 0;
  while (i < n && text[i]) i++;
  return i == n;
}

/* Reads one option, with its value on top of the stack and its key below. */
static Status take_option(Parser *r, Met *met) {
  lua_State *L = r->L;
  CallArgs *a = r->a;
  size_t n;
  const char *key = lua_tolstring(L, -2, &n);
  if (!is_whole(key, n)) return parser_text(L, a->op, "options", -2, &key);
  int i = args_find_param(a->op, key);
  if (i >= 0 && !is_array(L, -1)) return parser_set(r, i, -1);
  if (is_extra(key)) {
    met->extras = true;
    return OK;
  }
  if (find_input(a->op, key) >= 0) {
    met->inputs = true;
    return OK;
  }
  if (strcmp(key, "name") == 0) {
    if (lua_type(L, -1) != LUA_TSTRING)
      return fail("%s: name: expected a string, got %s", a->op->name, type_name(L, -1));
    return parser_text(L, a->op, "name", -1, &a->name);
  }
  if (strcmp(key, "ctx") == 0) return parser_take_ctx(L, a, -1);
  if (a->op->flags & OP_SAME_MEMORY && strcmp(key, "inplace") == 0) {
    if (lua_isboolean(L, -1) || is_null(L, -1)) return OK;
    return fail("%s: inplace: expected true or false, got %s", a->op->name, type_name(L, -1));
  }
  if (attribute_is_own(key)) {
    met->attributes = true;
    return attribute_value(L, a->op, key);
  }
  return args_unknown_option(L, a->op, key);
}

/* Leaves the values of extras on the stack, after the loop over the table. */
static void take_extras(Parser *r, int table) {
  lua_State *L = r->L;
  lua_pushliteral(L, "out");
  if (lua_rawget(L, table) != LUA_TNIL) r->a->out = lua_gettop(L);
  lua_pushliteral(L, "attr");
  if (lua_rawget(L, table) != LUA_TNIL) r->a->attr = lua_gettop(L);
}

/* Merges `attr` and the attributes among the options, such as lr_mult = 2, into a table of strings as Python writes
** them, left on the stack. */
static Status take_attributes(Parser *r, int table) {
  lua_State *L = r->L;
  const int attr = r->a->attr;
  if (attr && !lua_istable(L, attr)) return OK;            /* set_attributes will fail */
  lua_newtable(L);
  const int all = lua_gettop(L);
  if (attr) copy_fields(L, attr);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || !attribute_is_own(lua_tostring(L, -2)) || is_null(L, -1)) continue;
    if (args_find_param(r->a->op, lua_tostring(L, -2)) >= 0) continue;
    lua_pushvalue(L, -2);
    if (lua_isboolean(L, -2)) lua_pushstring(L, lua_toboolean(L, -2) ? "True" : "False");
    else luaL_tolstring(L, -2, NULL);
    lua_rawset(L, all);
  }
  r->a->attr = all;
  return OK;
}

/* Reads the inputs of a variadic row from a list given by name. */
static Status take_list(Parser *r, int table, const char *key) {
  lua_settop(r->L, lua_gettop(r->L) - 2);            /* ends the loop over the table */
  lua_pushstring(r->L, key);
  lua_rawget(r->L, table);
  return parser_take_inputs(r, lua_gettop(r->L));
}

/* Sets the parameter use_NAME, if the row has one, when input NAME is given. */
static Status set_use(Parser *r, int input) {
  const Op *op = r->a->op;
  char use[64];
  if (!op->n_inputs || input >= op->info->n_inputs) return OK;
  snprintf(use, sizeof use, "use_%s", op->info->input[input]);
  const int i = param_index(op, use);
  if (i < 0 || op->info->param[i].kind != P_BOOL || (r->a->params && param_given(r->a->params, i))) return OK;
  TRY(parser_own_params(r->a));
  return params_set_bool(r->a->params, i, true);
}

/* Reads the inputs given by name. */
static Status take_named(Parser *r, int table) {
  lua_State *L = r->L;
  CallArgs *a = r->a;
  if (!lua_checkstack(L, 64)) return no_memory("arguments");
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    const char *key = lua_tostring(L, -2);
    int input = is_extra(key) || (args_find_param(a->op, key) >= 0 && !is_array(L, -1)) ? -1 : find_input(a->op, key);
    if (input < 0 || is_null(L, -1)) continue;
    if (lua_istable(L, -1) && a->op->info->variadic) {        /* data = {a, b}: all inputs */
      if (a->n_in > 0) return fail("%s: %s: given twice", a->op->name, key);
      TRY(take_list(r, table, key));
      return OK;
    }
    if (!is_operand(L, -1))
      return fail("%s: %s: expected an NDArray or a Symbol, got %s", a->op->name, key, type_name(L, -1));
    if (input < a->n_in && a->in[input]) return fail("%s: %s: given twice", a->op->name, key);
    while (a->n_in <= input) a->in[a->n_in++] = 0;
    TRY(set_use(r, input));
    if (!lua_checkstack(L, 4)) return no_memory("arguments");
    lua_pushvalue(L, -1);                  /* below the loop's key and value */
    lua_insert(L, -3);
    a->in[input] = lua_gettop(L) - 2;
  }
  return OK;
}

Status parser_take_options(Parser *r, int table) {
  lua_State *L = r->L;
  Met met = { 0 };
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TNUMBER) continue;
    if (lua_type(L, -2) != LUA_TSTRING)
      return fail("%s: options: expected names as keys, got %s", r->a->op->name, type_name(L, -2));
    TRY(take_option(r, &met));
  }
  if (met.extras) take_extras(r, table);
  if (met.attributes) TRY(take_attributes(r, table));
  return met.inputs ? take_named(r, table) : OK;
}
