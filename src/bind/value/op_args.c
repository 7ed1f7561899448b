/* op_args.c - see op_args.h. Strings and tables are only looked at, never converted, and nothing here raises but Lua, where
** it has no memory left; what is owned then is noted. */
#include "bind/value/op_args.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bind/value/device_value.h"
#include "ir/params.h"

typedef struct Parser {
  lua_State *L;
  CallArgs *a;
  bool keep_text;
} Parser;

static bool is_operand(lua_State *L, int index) { return is_array(L, index) || to_symbol(L, index); }

/* ---- Parameters of calls under way -----------------------------------------------------------------
** Lua raises over a call when it has no memory left, and the parameters would be lost. A userdata for each call
** would cost a tenth of it, so they are noted here, and what is left over is let go by the next call from the same
** depth or from further out: C's stack grows down, so whatever called the call that begins now lies above it, and
** notes from below are of calls that are gone. */

enum { MOST_NOTED = 64 };

static _Thread_local struct { int n; struct { const void *frame; Params *params; } call[MOST_NOTED]; } noted;

static void note(CallArgs *a) {
  if (!a->params || noted.n == MOST_NOTED) return;
  noted.call[noted.n].frame = a->frame;
  noted.call[noted.n++].params = a->params;
  a->noted = true;
}

static void let_left_over_go(const void *frame) {
  while (noted.n > 0 && (uintptr_t)noted.call[noted.n - 1].frame < (uintptr_t)frame)
    params_release(noted.call[--noted.n].params);
}

/* Takes away the note from that place; false if there is none. */
static bool forget(const void *frame) {
  let_left_over_go(frame);
  bool there = noted.n > 0 && noted.call[noted.n - 1].frame == frame;
  if (there) noted.n--;
  return there;
}

/* Takes the call's note away, if it made one. */
static void unnote(CallArgs *a) {
  if (a->noted) forget(a->frame);
  a->noted = false;
}

/* A call begins here: what one in this very place left over is let go. */
static void begin(CallArgs *a, const Op *op, const void *frame) {
  a->op = op;
  a->params = NULL;
  a->name = NULL;
  a->n_in = a->out = a->attr = a->next_param = 0;
  a->noted = a->placed = false;
  a->frame = frame;
  if (noted.n > 0 && forget(frame)) params_release(noted.call[noted.n].params);
}

void args_replace_params(CallArgs *a, Params *params) {
  args_free(a);
  a->params = params;
  note(a);
}

Params *args_take_params(CallArgs *a) {
  Params *params = a->params;
  unnote(a);
  a->params = NULL;
  return params;
}

void args_free(CallArgs *a) { params_release(args_take_params(a)); }

static Status own_params(CallArgs *a) {
  if (a->params) return OK;
  TRY(params_new(a->op, &a->params));
  note(a);
  return OK;
}

/* ---- Values of parameters ------------------------------------------------------------------ */

static Status wrong_value(lua_State *L, const Params *p, int i, int index) {
  const Param *param = &p->op->info->param[i];
  return fail("%s: %s: expected %s, got %s", p->op->name, param->name, param_expected(param), type_name(L, index));
}

static Status set_table(lua_State *L, Params *p, int i, int index) {
  double values[MAX_LIST];
  lua_Unsigned n = lua_rawlen(L, index);
  if (n > MAX_LIST)
    return fail("%s: %s: expected at most %d numbers, got %d", p->op->name, p->op->info->param[i].name, MAX_LIST,
                (int)n);
  for (int k = 0; k < (int)n; k++) {
    lua_rawgeti(L, index, k + 1);
    bool none = is_null(L, -1) || (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "None") == 0);
    bool number = lua_type(L, -1) == LUA_TNUMBER;
    values[k] = none ? NAN : lua_tonumber(L, -1);
    Status s = none || number ? OK : wrong_value(L, p, i, -1);
    if (number && isnan(values[k]) && p->op->info->param[i].kind != P_FLOATS)
      s = fail("%s: %s: expected %s, got nan", p->op->name, p->op->info->param[i].name,
               param_expected(&p->op->info->param[i]));
    lua_pop(L, 1);
    TRY(s);
  }
  if (has_stray_key(L, index, (lua_Integer)n))
    return fail("%s: %s: %s", p->op->name, p->op->info->param[i].name, STRAY_KEY);
  return params_set_list(p, i, values, (int)n);
}

/* The string at `index`, which the error calls "operator: what". */
static Status option_text(lua_State *L, const Op *op, const char *what, int index, const char **out) {
  Status s = whole_text(L, index, what, out);
  return s == OK ? OK : fail_within(s, "%s", op->name);
}

/* Without zero bytes. Keys are short, and looked at in every call. */
static inline bool is_whole(const char *text, size_t n) {
  size_t i = 0;
  while (i < n && text[i]) i++;
  return i == n;
}

static Status set_param_text(lua_State *L, Params *p, int i, int index) {
  const char *text;
  TRY(option_text(L, p->op, p->op->info->param[i].name, index, &text));
  return params_set_text(p, i, text);
}

Status args_set_param(lua_State *L, Params *p, int i, int index, bool keep_text) {
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      if (!lua_isinteger(L, index)) return params_set_float(p, i, lua_tonumber(L, index));
      TRY(params_set_int(p, i, lua_tointeger(L, index)));
      if (keep_text && p->op->info->param[i].kind != P_BOOL) {
        char text[32];
        snprintf(text, sizeof text, "%lld", (long long)lua_tointeger(L, index));
        return params_set_text(p, i, text);
      }
      return OK;
    case LUA_TBOOLEAN: return params_set_bool(p, i, lua_toboolean(L, index));
    case LUA_TSTRING: return set_param_text(L, p, i, index);
    case LUA_TTABLE: return set_table(L, p, i, lua_absindex(L, index));
    default: return is_null(L, index) ? params_set_none(p, i) : wrong_value(L, p, i, index);
  }
}

static Status set_param(Parser *r, int i, int index) {
  TRY(own_params(r->a));
  return args_set_param(r->L, r->a->params, i, index, r->keep_text);
}

/* ---- By position ----------------------------------------------------------------------------- */

static Status add_input(Parser *r, int index) {
  CallArgs *a = r->a;
  const OpInfo *info = a->op->info;
  if (!info->variadic && a->n_in == info->n_inputs)
    return fail("%s: expected %d input%s, got more", a->op->name, info->n_inputs, info->n_inputs == 1 ? "" : "s");
  if (a->n_in == MOST_CALL_INPUTS)
    return fail("%s: expected at most %d inputs, got more", a->op->name, MOST_CALL_INPUTS);
  a->in[a->n_in++] = index;
  return OK;
}

/* The parameter that the next value by position is for; -1 when none is left. */
static int next_param(CallArgs *a) {
  if (a->next_param == a->op->info->num_args) a->next_param++;
  return a->next_param < a->op->info->n_params ? a->next_param++ : -1;
}

static Status not_an_input(Parser *r, int index) {
  return fail("%s: %s: expected an NDArray or a Symbol, got %s%s", r->a->op->name, op_input_name(r->a->op, r->a->n_in),
              type_name(r->L, index), operand_hint(r->L, index));
}

/* Inputs in a table: nd.concat({a, b}, {dim = 0}). Their values stay on the stack. */
static Status take_inputs(Parser *r, int index) {
  lua_State *L = r->L;
  lua_Unsigned n = lua_rawlen(L, index);
  if (!lua_checkstack(L, (int)n + 16)) return no_memory("arguments");
  for (lua_Unsigned k = 1; k <= n; k++) {
    lua_rawgeti(L, index, (lua_Integer)k);
    if (!is_operand(L, -1)) return not_an_input(r, -1);
    TRY(add_input(r, lua_gettop(L)));
  }
  if (has_stray_key(L, index, (lua_Integer)n)) return fail("%s: %s", r->a->op->name, STRAY_KEY);
  return OK;
}

static bool holds_operands(lua_State *L, int index) {
  lua_rawgeti(L, index, 1);
  bool yes = is_operand(L, -1);
  lua_pop(L, 1);
  return yes;
}

static Status take_ctx(lua_State *L, CallArgs *a, int index) {
  if (lua_isnoneornil(L, index) || is_null(L, index)) return OK;
  Status s = check_device_value(L, index, "ctx", &a->device);
  if (s != OK) return fail_within(s, "%s", a->op->name);
  a->placed = true;
  return OK;
}

static Status take(Parser *r, int index) {
  lua_State *L = r->L;
  CallArgs *a = r->a;
  if (is_device_value(L, index) || is_device_list(L, index)) return take_ctx(L, a, index);
  if (is_operand(L, index)) {
    if (a->op->info->variadic && a->next_param > 0)
      return fail("%s: %s: expected an NDArray or a Symbol, got nothing or a number before this input", a->op->name,
                  op_input_name(a->op, a->n_in));
    return add_input(r, index);
  }
  bool nothing = lua_isnoneornil(L, index) || (is_null(L, index) && a->n_in < a->op->info->n_inputs);
  if (nothing && a->n_in < a->op->info->n_inputs && !a->op->info->variadic) return add_input(r, 0);
  if (lua_istable(L, index) && a->op->info->n_inputs > 0 && holds_operands(L, index)) return take_inputs(r, index);
  if (a->n_in == 0 && a->op->info->n_inputs > 0) return not_an_input(r, index);
  int i = next_param(a);
  int most = a->op->info->n_inputs + a->op->info->n_params;
  if (i < 0)
    return fail("%s: expected at most %d argument%s, got more (%s)", a->op->name, most, most == 1 ? "" : "s",
                type_name(L, index));
  Status s = lua_isnoneornil(L, index) ? OK : set_param(r, i, index);
  bool for_input = s == E_INPUT && !a->op->info->variadic &&
                   a->n_in < op_inputs(a->op, a->params ? a->params : a->op->info->defaults);
  return for_input ? not_an_input(r, index) : s;
}

/* x:reshape(2, -1): numbers in a row are the list of the first parameter, unless a second
** list follows it, as in x:slice(0, 1). */
static Status take_numbers_as_shape(Parser *r, int *at, int last) {
  const OpInfo *info = r->a->op->info;
  int from = *at, to = from;
  while (to <= last && lua_type(r->L, to) == LUA_TNUMBER) to++;
  bool list_first = info->n_params > 0 && info->param[0].kind == P_SHAPE &&
                    (info->n_params == 1 || info->param[1].kind != P_SHAPE);
  bool ready = r->a->n_in > 0 || info->n_inputs == 0;
  if (to - from < 2 || to - from > MAX_DIMS || !ready || !list_first || r->a->next_param != 0) return OK;
  double values[MAX_DIMS];
  for (int i = from; i < to; i++) {
    values[i - from] = lua_tonumber(r->L, i);
    if (isnan(values[i - from])) return OK;                  /* which a list would take for None */
  }
  TRY(own_params(r->a));
  r->a->next_param = 1;
  *at = to;
  return params_set_list(r->a->params, 0, values, to - from);
}

static Status take_range(Parser *r, int first, int last) {
  for (int i = first; i <= last; ) {
    int before = i;
    TRY(take_numbers_as_shape(r, &i, last));
    if (i == before) TRY(take(r, i++));
  }
  return OK;
}

/* The array part of an options table: inputs and values one by one if it begins with an
** input, else one list. */
static Status take_array_part(Parser *r, int table) {
  lua_State *L = r->L;
  lua_Unsigned n = lua_rawlen(L, table);
  if (n == 0) return OK;
  lua_rawgeti(L, table, 1);
  bool one_by_one = (is_operand(L, -1) || is_null(L, -1) || lua_istable(L, -1));
  lua_pop(L, 1);
  if (!one_by_one) {
    if (r->a->n_in == 0 && r->a->op->info->n_inputs > 0) { lua_rawgeti(L, table, 1); return not_an_input(r, -1); }
    int i = next_param(r->a);
    return i < 0 ? fail("%s: expected no list, got one", r->a->op->name) : set_param(r, i, table);
  }
  if (!lua_checkstack(L, (int)n + 16)) return no_memory("arguments");
  if (has_stray_key(L, table, (lua_Integer)n)) return fail("%s: %s", r->a->op->name, STRAY_KEY);
  int first = lua_gettop(L) + 1;
  for (lua_Unsigned k = 1; k <= n; k++) lua_rawgeti(L, table, (lua_Integer)k);
  return take_range(r, first, first + (int)n - 1);
}

/* ---- By name ---------------------------------------------------------------------------------- */

/* Where a row stands in for one that takes numbers, its inputs go by the names of those too:
** nd.random.normal{loc = means, scale = deviations}. */
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
  for (int i = 0; i < op->info->n_inputs; i++) if (strcmp(op->info->input[i], key) == 0) return i;
  int n = 0, length = 0;
  if (op->info->variadic && sscanf(key, "arg%d%n", &n, &length) == 1 && key[length] == '\0' && n >= 0 &&
      n < MOST_CALL_INPUTS)
    return n;
  return find_number(op, key);
}

/* Lua's keywords cannot be written as keys: stop or end_ for end, lambda_ and the like. */
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

/* Pushes what to write for an option of another library, "; did you mean 'axis'?", or nil. */
static const char *push_option_hint(lua_State *L, const Op *op, const char *key) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &option_hint) != LUA_TFUNCTION) return NULL;
  lua_pushstring(L, key);
  lua_newtable(L);
  for (int i = 0; i < op->info->n_params; i++) {
    if (param_inner(&op->info->param[i])) continue;
    lua_pushboolean(L, true);
    lua_setfield(L, -2, op->info->param[i].name);
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

/* Options that are no parameters and whose values stay on the stack. */
static bool is_extra(const char *key) { return strcmp(key, "out") == 0 || strcmp(key, "attr") == 0; }

/* What a walk over the options met besides parameters. */
typedef struct Met { bool inputs, extras, attributes; } Met;

/* What a node's attribute may be given as. */
static Status attribute_value(lua_State *L, const Op *op, const char *key) {
  const int type = lua_type(L, -1);
  if (type == LUA_TSTRING || type == LUA_TNUMBER || type == LUA_TBOOLEAN || is_null(L, -1)) return OK;
  return fail("%s: %s: expected a string, a number or a bool, got %s", op->name, key, type_name(L, -1));
}

/* One option: its value is on top of the stack, its key below. */
static Status take_option(Parser *r, Met *met) {
  lua_State *L = r->L;
  CallArgs *a = r->a;
  size_t n;
  const char *key = lua_tolstring(L, -2, &n);
  if (!is_whole(key, n)) return option_text(L, a->op, "options", -2, &key);
  int i = args_find_param(a->op, key);
  if (i >= 0 && !is_array(L, -1)) return set_param(r, i, -1);
  if (is_extra(key)) { met->extras = true; return OK; }
  if (find_input(a->op, key) >= 0) { met->inputs = true; return OK; }
  if (strcmp(key, "name") == 0) {
    if (lua_type(L, -1) != LUA_TSTRING)
      return fail("%s: name: expected a string, got %s", a->op->name, type_name(L, -1));
    return option_text(L, a->op, "name", -1, &a->name);
  }
  if (strcmp(key, "ctx") == 0) return take_ctx(L, a, -1);
  if (a->op->flags & OP_SAME_MEMORY && strcmp(key, "inplace") == 0) {
    if (lua_isboolean(L, -1) || is_null(L, -1)) return OK;
    return fail("%s: inplace: expected true or false, got %s", a->op->name, type_name(L, -1));
  }
  if (attribute_is_own(key)) { met->attributes = true; return attribute_value(L, a->op, key); }
  return args_unknown_option(L, a->op, key);
}

/* The values of the extras stay on the stack, which could not be done while the table was walked. */
static void take_extras(Parser *r, int table) {
  lua_State *L = r->L;
  lua_pushliteral(L, "out");
  if (lua_rawget(L, table) != LUA_TNIL) r->a->out = lua_gettop(L);
  lua_pushliteral(L, "attr");
  if (lua_rawget(L, table) != LUA_TNIL) r->a->attr = lua_gettop(L);
}

/* Attributes among the options, lr_mult = 2: those of `attr` and these become a table of texts, as Python writes them,
** that stays on the stack. */
static Status take_attributes(Parser *r, int table) {
  lua_State *L = r->L;
  const int attr = r->a->attr;
  if (attr && !lua_istable(L, attr)) return OK;            /* an error to come */
  lua_newtable(L);
  const int all = lua_gettop(L);
  if (attr)
    for (lua_pushnil(L); lua_next(L, attr); lua_pop(L, 1)) {
      lua_pushvalue(L, -2);
      lua_pushvalue(L, -2);
      lua_rawset(L, all);
    }
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

/* The inputs of a row that takes any number, in a list by name. */
static Status take_list(Parser *r, int table, const char *key) {
  lua_settop(r->L, lua_gettop(r->L) - 2);            /* the walk over the table ends */
  lua_pushstring(r->L, key);
  lua_rawget(r->L, table);
  return take_inputs(r, lua_gettop(r->L));
}

/* A row that asks by a parameter use_NAME whether there is an input of that name takes the name for an answer. */
static Status note_use(Parser *r, int input) {
  const Op *op = r->a->op;
  char use[64];
  if (!op->n_inputs || input >= op->info->n_inputs) return OK;
  snprintf(use, sizeof use, "use_%s", op->info->input[input]);
  const int i = param_index(op, use);
  if (i < 0 || op->info->param[i].kind != P_BOOL || (r->a->params && param_given(r->a->params, i))) return OK;
  TRY(own_params(r->a));
  return params_set_bool(r->a->params, i, true);
}

/* The same for inputs given by name. */
static Status take_named(Parser *r, int table) {
  lua_State *L = r->L;
  CallArgs *a = r->a;
  if (!lua_checkstack(L, 64)) return no_memory("arguments");
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING) continue;
    const char *key = lua_tostring(L, -2);
    int input = is_extra(key) || (args_find_param(a->op, key) >= 0 && !is_array(L, -1)) ? -1 : find_input(a->op, key);
    if (input < 0 || is_null(L, -1)) continue;
    if (lua_istable(L, -1) && a->op->info->variadic) {        /* data = {a, b}: the list of them all */
      if (a->n_in > 0) return fail("%s: %s: given twice", a->op->name, key);
      TRY(take_list(r, table, key));
      return OK;
    }
    if (!is_operand(L, -1))
      return fail("%s: %s: expected an NDArray or a Symbol, got %s", a->op->name, key, type_name(L, -1));
    if (input < a->n_in && a->in[input]) return fail("%s: %s: given twice", a->op->name, key);
    while (a->n_in <= input) a->in[a->n_in++] = 0;
    TRY(note_use(r, input));
    if (!lua_checkstack(L, 4)) return no_memory("arguments");
    lua_pushvalue(L, -1);                  /* under the key and the value of the walk */
    lua_insert(L, -3);
    a->in[input] = lua_gettop(L) - 2;
  }
  return OK;
}

static Status take_options(Parser *r, int table) {
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

static bool has_string_key(lua_State *L, int table) {
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) {
    if (lua_type(L, -2) == LUA_TSTRING) { lua_pop(L, 2); return true; }
  }
  return false;
}

/* ---- All together ------------------------------------------------------------------------------- */

/* Names given where a call takes not all of them: what it does not take, and did not get, has no place. */
static void close_gaps(CallArgs *a) {
  const Params *p = a->params ? a->params : a->op->info->defaults;
  int n = 0;
  if (!a->op->takes || a->n_in <= op_inputs(a->op, p)) return;
  for (int i = 0; i < a->n_in; i++) if (a->in[i] != 0 || op_takes(a->op, p->fields, i)) a->in[n++] = a->in[i];
  a->n_in = n;
}

static Status count_inputs(Parser *r) {
  CallArgs *a = r->a;
  const OpInfo *info = a->op->info;
  close_gaps(a);
  if (info->num_args >= 0 && info->variadic) {
    TRY(own_params(a));
    TRY(params_set_int(a->params, info->num_args, a->n_in));
  }
  return params_complete(a->params ? a->params : info->defaults);
}

/* nd.zeros{}: the empty array part is a shape, that of a 0-d array. */
static Status take_empty_shape(Parser *r, int table) {
  const OpInfo *info = r->a->op->info;
  if (lua_rawlen(r->L, table) > 0 || info->n_inputs > 0 || info->n_params == 0) return OK;
  if (info->param[0].kind != P_SHAPE || info->param[0].default_text || (r->a->params && param_given(r->a->params, 0)))
    return OK;
  TRY(own_params(r->a));
  return params_set_list(r->a->params, 0, NULL, 0);
}

/* Options read before. */
typedef struct Prepared { const void *tag; Params *params; char *name; } Prepared;
static const char prepared_tag;

static Prepared *to_prepared(lua_State *L, int index) {
  Prepared *p = lua_touserdata(L, index);
  return p && lua_rawlen(L, index) == sizeof *p && p->tag == &prepared_tag ? p : NULL;
}

static Status take_prepared(Parser *r, const Prepared *p) {
  CallArgs *a = r->a;
  if (p->params && p->params->op != a->op)
    return fail("%s: options: expected its own, got prepared ones of %s", a->op->name, p->params->op->name);
  a->params = params_retain(p->params);
  note(a);
  a->name = p->name;
  return OK;
}

static Status parse(Parser *r, int first) {
  lua_State *L = r->L;
  int last = lua_gettop(L);
  const Prepared *prepared = last > first ? to_prepared(L, last) : NULL;
  if (prepared) {
    TRY(take_prepared(r, prepared));
    return take_range(r, first, last - 1);
  }
  bool table = last >= first && lua_istable(L, last);
  bool sole = table && last == first;
  bool options = table && (sole || lua_rawlen(L, last) == 0 || has_string_key(L, last));
  TRY(take_range(r, first, options ? last - 1 : last));
  if (options && lua_getmetatable(L, last)) {
    lua_pop(L, 1);
    if (*operand_hint(L, last)) return not_an_input(r, last);
  }
  if (options) {
    TRY(take_array_part(r, last));
    TRY(take_options(r, last));
    if (sole) TRY(take_empty_shape(r, last));
  }
  return count_inputs(r);
}

Status args_parse(lua_State *L, const Op *op, int first, bool keep_text, CallArgs *a) {
  begin(a, op, __builtin_frame_address(0));
  Parser r = { .L = L, .a = a, .keep_text = keep_text };
  Status s = lua_checkstack(L, 32) ? OK : no_memory("arguments");
  if (s == OK) s = parse(&r, first);
  if (s != OK) args_free(a);
  return s;
}

static int prepared_gc(lua_State *L) {
  Prepared *p = lua_touserdata(L, 1);
  params_release(p->params);
  object_free(p->name);
  p->params = NULL;
  p->name = NULL;
  return 0;
}

int args_prepare(lua_State *L) {
  const Op *op = op_find(luaL_checkstring(L, 1));
  if (!op) return raise_error(L, "prepare: operator: expected an operator's name, got '%s'", lua_tostring(L, 1));
  luaL_checktype(L, 2, LUA_TTABLE);
  lua_settop(L, 2);
  Prepared *p = lua_newuserdatauv(L, sizeof *p, 0);
  *p = (Prepared){ .tag = &prepared_tag };
  if (luaL_newmetatable(L, "hybridlua.Options")) {
    lua_pushcfunction(L, prepared_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushboolean(L, false);               /* out of a script's reach */
    lua_setfield(L, -2, "__metatable");
  }
  lua_setmetatable(L, -2);
  CallArgs a;
  begin(&a, op, __builtin_frame_address(0));
  Parser r = { .L = L, .a = &a, .keep_text = true };
  Status s = take_options(&r, 2);
  if (s == OK) s = params_complete(a.params ? a.params : op->info->defaults);
  if (s == OK && a.name && !(p->name = object_text(a.name))) s = no_memory("options");
  p->params = args_take_params(&a);
  check(L, s);
  return 1;
}
