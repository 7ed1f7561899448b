/* op_args.c - see op_args.h. Strings and tables are only read, never converted. Only Lua raises here, if it runs out of
** memory; what a call owns is registered for that case. */
#include "bind/value/op_args.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "bind/value/device_value.h"
#include "bind/value/np_promotion.h"
#include "bind/value/op_parser.h"

/* ---- Parameters of calls in progress ---------------------------------------------------------------
**
** If Lua runs out of memory, its error jumps over a call, whose parameters would leak. A userdata per call would cost a
** tenth of the call's time, so parameters are registered here. The next call at the same or a higher stack frame frees
** leftovers: C's stack grows down, so parameters registered at lower addresses belong to calls that have ended. */

enum { MOST_REGISTERED = 64 };

static _Thread_local struct { int n; struct { const void *frame; Params *params; } call[MOST_REGISTERED]; } registered;

static void register_params(CallArgs *a) {
  if (!a->params || registered.n == MOST_REGISTERED) return;
  registered.call[registered.n].frame = a->frame;
  registered.call[registered.n++].params = a->params;
  a->registered = true;
}

static void free_left_over(const void *frame) {
  while (registered.n > 0 && (uintptr_t)registered.call[registered.n - 1].frame < (uintptr_t)frame)
    params_release(registered.call[--registered.n].params);
}

/* Unregisters the parameters of that frame; false if there are none. */
static bool unregister_frame(const void *frame) {
  free_left_over(frame);
  bool there = registered.n > 0 && registered.call[registered.n - 1].frame == frame;
  if (there) registered.n--;
  return there;
}

static void unregister(CallArgs *a) {
  if (a->registered) unregister_frame(a->frame);
  a->registered = false;
}

/* Begins a call; frees parameters left over by a call at the same frame. */
static void begin(CallArgs *a, const Op *op, const void *frame) {
  a->op = op;
  a->params = NULL;
  a->name = NULL;
  a->n_in = a->out = a->attr = a->next_param = a->n_bound = 0;
  a->registered = a->placed = false;
  a->frame = frame;
  if (registered.n > 0 && unregister_frame(frame)) params_release(registered.call[registered.n].params);
}

void args_replace_params(CallArgs *a, Params *params) {
  args_free(a);
  a->params = params;
  register_params(a);
}

Params *args_take_params(CallArgs *a) {
  Params *params = a->params;
  unregister(a);
  a->params = NULL;
  return params;
}

void args_free(CallArgs *a) { params_release(args_take_params(a)); }

Status args_set_default_dtype(CallArgs *a) {
  const int i = a->op->info->dtype;
  if (i < 0 || a->n_in > 0 || a->out) return OK;
  const char *own = a->op->info->param[i].default_text;
  if (!own || strcmp(own, "float32") != 0 || (a->params && param_given(a->params, i))) return OK;
  Params *p;
  TRY(a->params ? params_copy(a->params, &p) : params_new(a->op, &p));
  args_replace_params(a, p);
  return params_set_text(p, i, "float64");
}

Status args_check_rounded(lua_State *L, const CallArgs *a) {
  if (param_given(a->params, args_find_param(a->op, "dtype"))) return OK;
  if (a->n_in > 0 && operand_dtype(L, a->in[0]) != DT_FLOAT32) return OK;
  return fail_within(fail_rounded(a->params->rounded), op_title(a->op));
}

Status parser_new_params(CallArgs *a) {
  TRY(params_new(a->op, &a->params));
  register_params(a);
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

Status args_set_param(lua_State *L, Params *p, int i, int index, bool keep_text) {
  const char *text;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      if (!lua_isinteger(L, index)) return params_set_float(p, i, lua_tonumber(L, index));
      TRY(params_set_int(p, i, lua_tointeger(L, index)));
      if (keep_text && p->op->info->param[i].kind != P_BOOL) {
        char digits[32];
        snprintf(digits, sizeof digits, "%lld", (long long)lua_tointeger(L, index));
        return params_set_text(p, i, digits);
      }
      return OK;
    case LUA_TBOOLEAN: return params_set_bool(p, i, lua_toboolean(L, index));
    case LUA_TSTRING:
      TRY(parser_text(L, p->op, p->op->info->param[i].name, index, &text));
      return params_set_text(p, i, text);
    case LUA_TTABLE: return set_table(L, p, i, lua_absindex(L, index));
    default: return is_null(L, index) ? params_set_none(p, i) : wrong_value(L, p, i, index);
  }
}

Status parser_bind(Parser *r, int i, int index) {
  CallArgs *a = r->a;
  const int number = bound_number(r->L, index);
  const char *param = a->op->info->param[i].name;
  if (!a->op->info->bound)
    return fail("%s: %s: expected a number of the graph, got one that is bound at run time (scalars): the compiled "
                "program depends on this parameter; leave it out of scalars, and each value gets a trace of its own",
                op_title(a->op), param);
  if (a->n_bound == MAX_SCALARS) return fail("%s: %s: given twice", op_title(a->op), param);
  a->bound[a->n_bound].param = i;
  a->bound[a->n_bound++].number = number;
  return params_set_float(a->params, i, 0);
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

/* The parameter for the next positional value; -1 if none is left. */
static int next_param(CallArgs *a) {
  if (a->next_param == a->op->info->num_args) a->next_param++;
  return a->next_param < a->op->info->n_params ? a->next_param++ : -1;
}

static Status not_an_input(Parser *r, int index) {
  return fail("%s: %s: expected an NDArray or a Symbol, got %s%s", r->a->op->name, op_input_name(r->a->op, r->a->n_in),
              type_name(r->L, index), operand_hint(r->L, index));
}

Status parser_take_inputs(Parser *r, int index) {
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

Status parser_take_ctx(lua_State *L, CallArgs *a, int index) {
  if (lua_isnoneornil(L, index) || is_null(L, index)) return OK;
  Status s = check_device_value(L, index, "ctx", &a->device);
  if (s != OK) return fail_within(s, "%s", a->op->name);
  a->placed = true;
  return OK;
}

static Status take(Parser *r, int index) {
  lua_State *L = r->L;
  CallArgs *a = r->a;
  if (is_device_value(L, index) || is_device_list(L, index)) return parser_take_ctx(L, a, index);
  if (is_operand(L, index)) {
    if (a->op->info->variadic && a->next_param > 0)
      return fail("%s: %s: expected an NDArray or a Symbol, got nothing or a number before this input", a->op->name,
                  op_input_name(a->op, a->n_in));
    return add_input(r, index);
  }
  bool nothing = lua_isnoneornil(L, index) || (is_null(L, index) && a->n_in < a->op->info->n_inputs);
  if (nothing && a->n_in < a->op->info->n_inputs && !a->op->info->variadic) return add_input(r, 0);
  if (lua_istable(L, index) && a->op->info->n_inputs > 0 && holds_operands(L, index))
    return parser_take_inputs(r, index);
  if (a->n_in == 0 && a->op->info->n_inputs > 0) return not_an_input(r, index);
  int i = next_param(a);
  int most = a->op->info->n_inputs + a->op->info->n_params;
  if (i < 0)
    return fail("%s: expected at most %d argument%s, got more (%s)", a->op->name, most, most == 1 ? "" : "s",
                type_name(L, index));
  Status s = lua_isnoneornil(L, index) ? OK : parser_set(r, i, index);
  bool for_input = s == E_INPUT && !a->op->info->variadic && a->n_in < op_inputs(a->op, args_params(a));
  return for_input ? not_an_input(r, index) : s;
}

/* Takes consecutive numbers as the list of the first parameter, as in x:reshape(2, -1), unless the second parameter is
** a list too, as in x:slice(0, 1). */
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
    if (isnan(values[i - from])) return OK; /* a list would read it as None */
  }
  TRY(parser_own_params(r->a));
  r->a->next_param = 1;
  *at = to;
  return params_set_list(r->a->params, 0, values, to - from);
}

static Status take_range(Parser *r, int first, int last) {
  for (int i = first; i <= last;) {
    int before = i;
    TRY(take_numbers_as_shape(r, &i, last));
    if (i == before) TRY(take(r, i++));
  }
  return OK;
}

/* The array part of an options table: positional arguments if it begins with an input, else one list. */
static Status take_array_part(Parser *r, int table) {
  lua_State *L = r->L;
  lua_Unsigned n = lua_rawlen(L, table);
  if (n == 0) return OK;
  lua_rawgeti(L, table, 1);
  bool one_by_one = (is_operand(L, -1) || is_null(L, -1) || lua_istable(L, -1));
  if (!one_by_one && r->a->n_in == 0 && r->a->op->info->n_inputs > 0) return not_an_input(r, -1);
  lua_pop(L, 1);
  if (!one_by_one) {
    int i = next_param(r->a);
    return i < 0 ? fail("%s: expected no list, got one", r->a->op->name) : parser_set(r, i, table);
  }
  if (!lua_checkstack(L, (int)n + 16)) return no_memory("arguments");
  if (has_stray_key(L, table, (lua_Integer)n)) return fail("%s: %s", r->a->op->name, STRAY_KEY);
  int first = lua_gettop(L) + 1;
  for (lua_Unsigned k = 1; k <= n; k++) lua_rawgeti(L, table, (lua_Integer)k);
  return take_range(r, first, first + (int)n - 1);
}

/* ---- All together ------------------------------------------------------------------------------- */

/* Removes inputs that are neither given nor accepted. */
static void close_gaps(CallArgs *a) {
  const Params *p = args_params(a);
  int n = 0;
  if (!a->op->takes || a->n_in <= op_inputs(a->op, p)) return;
  for (int i = 0; i < a->n_in; i++)
    if (a->in[i] != 0 || op_takes(a->op, p->fields, i)) a->in[n++] = a->in[i];
  a->n_in = n;
}

static Status count_inputs(Parser *r) {
  CallArgs *a = r->a;
  const OpInfo *info = a->op->info;
  close_gaps(a);
  if (info->num_args >= 0 && info->variadic) {
    TRY(parser_own_params(a));
    TRY(params_set_int(a->params, info->num_args, a->n_in));
  }
  return params_complete(args_params(a));
}

/* The empty array part of nd.zeros{} is the shape of a 0-d array. */
static Status take_empty_shape(Parser *r, int table) {
  const OpInfo *info = r->a->op->info;
  if (lua_rawlen(r->L, table) > 0 || info->n_inputs > 0 || info->n_params == 0) return OK;
  if (info->param[0].kind != P_SHAPE || info->param[0].default_text || (r->a->params && param_given(r->a->params, 0)))
    return OK;
  TRY(parser_own_params(r->a));
  return params_set_list(r->a->params, 0, NULL, 0);
}

/* Options read by args_prepare. */
typedef struct Prepared { const void *tag; Params *params; char *name; } Prepared;
static const char prepared_tag;

static Prepared *to_prepared(lua_State *L, int index) {
  Prepared *p = lua_touserdata(L, index);
  return p && lua_rawlen(L, index) == sizeof *p && p->tag == &prepared_tag ? p : NULL;
}

static Status take_prepared(Parser *r, const Prepared *p) {
  CallArgs *a = r->a;
  if (p->params && p->params->op != a->op)
    return fail("%s: options: expected options prepared for it, got those of %s", a->op->name, p->params->op->name);
  a->params = params_retain(p->params);
  register_params(a);
  a->name = p->name;
  return OK;
}

static bool has_string_key(lua_State *L, int table) {
  const int top = lua_gettop(L);
  bool found = false;
  for (lua_pushnil(L); !found && lua_next(L, table); lua_pop(L, 1)) found = lua_type(L, -2) == LUA_TSTRING;
  lua_settop(L, top);
  return found;
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
    TRY(parser_take_options(r, last));
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
    set_function(L, "__gc", prepared_gc);
    set_boolean(L, "__metatable", false); /* out of a script's reach */
  }
  lua_setmetatable(L, -2);
  CallArgs a;
  begin(&a, op, __builtin_frame_address(0));
  Parser r = { .L = L, .a = &a, .keep_text = true };
  Status s = parser_take_options(&r, 2);
  if (s == OK) s = params_complete(args_params(&a));
  if (s == OK && a.name && !(p->name = object_text(a.name))) s = no_memory("options");
  p->params = args_take_params(&a);
  check(L, s);
  return 1;
}
