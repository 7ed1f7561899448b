/* op_functions.c - the tables nd and sym, the methods and the metamethods: one closure per name in the registry. No
** operator is named here.
**
** nd.f and sym.f differ only if no operand is an array or Symbol; otherwise the operands decide. In a trace both build
** nodes.
*/
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bind/core/tape_anchor.h"
#include "bind/follow/bound_numbers.h"
#include "bind/value/op_args.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/value/device_value.h"
#include "bind/value/np_promotion.h"
#include "bind/value/op_functions.h"
#include "bind/trace/graph_breaks.h"
#include "bind/value/symbol_value.h"
#include "bind/trace/tracing.h"
#include "exec/eager/eager_call.h"
#include "state/engine.h"
#include "exec/tape/tape.h"

/* ---- Eager ------------------------------------------------------------------------------------ */

static Status check_inputs(const CallArgs *a) {
  const Params *p = args_params(a);
  int expected = op_inputs(a->op, p);
  for (int i = 0; i < expected; i++)
    if (i >= a->n_in || a->in[i] == 0)
      return fail("%s: %s: expected an NDArray, got nothing", a->op->name, op_input_title(a->op, p->fields, i));
  for (int i = expected; i < a->n_in; i++)
    if (a->in[i])
      return fail("%s: expected %d input%s with these parameters, got %d", a->op->name, expected,
                  expected == 1 ? "" : "s", a->n_in);
  return OK;
}

/* For a call without inputs and with `out`, such as nd.random.normal{out = x}, takes shape and dtype from the array
** unless they are given. */
static Status follow_out(CallArgs *a, const Type *type) {
  int shape = a->op->info->shape, dtype = a->op->info->dtype;
  if (a->n_in > 0 || shape < 0) return OK;
  Params *p;
  TRY(a->params ? params_copy(a->params, &p) : params_new(a->op, &p));
  double dim[MAX_DIMS];
  for (int i = 0; i < type->shape.ndim; i++) dim[i] = (double)type->shape.dim[i];
  Status s = param_given(p, shape) ? OK : params_set_list(p, shape, dim, type->shape.ndim);
  if (s == OK && dtype >= 0 && !param_given(p, dtype)) s = params_set_text(p, dtype, dtype_name(type->dtype));
  args_replace_params(a, p);
  return s;
}

/* The arrays of {out = array} or {out = {arrays}}, for the first outputs. */
typedef struct OutTargets { Array *few[FEW_ARRAYS], **at; int n; } OutTargets;

static Status find_targets(lua_State *L, const CallArgs *a, OutTargets *t) {
  t->at = t->few;
  t->n = 0;
  if (!a->out) return OK;
  bool list = lua_istable(L, a->out);
  const int n = list ? (int)lua_rawlen(L, a->out) : 1, visible = op_visible(a->op, args_params(a));
  if (list && n != visible)
    return fail("%s: out: expected %d arrays, one for each output, got %d", a->op->name, visible, n);
  if (n > FEW_ARRAYS && !(t->at = lua_newuserdatauv(L, (size_t)n * sizeof *t->at, 0))) return no_memory("outputs");
  for (; t->n < n; t->n++) {
    if (list) lua_rawgeti(L, a->out, t->n + 1);
    else lua_pushvalue(L, a->out);
    Array *to = t->at[t->n] = to_array(L, -1);
    Status s = to ? OK : fail("%s: out: expected an NDArray, got %s", a->op->name, type_name(L, -1));
    if (to && array_freed(to)) s = fail("%s: out: this NDArray was freed", a->op->name);
    lua_pop(L, 1);
    TRY(s);
  }
  return OK;
}

/* Pushes the visible results: one array, or a table of all; new arrays are on the stack starting at `first`. */
static void push_results(lua_State *L, const CallArgs *a, int n_targets, int visible, int first) {
  if (visible == n_targets && lua_istable(L, a->out)) {
    if (visible == 1) lua_rawgeti(L, a->out, 1);
    else lua_pushvalue(L, a->out);
    return;
  }
  if (visible == 1) {
    lua_pushvalue(L, n_targets ? a->out : first);
    return;
  }
  lua_createtable(L, visible, 0);
  for (int i = 0; i < visible; i++) {
    lua_pushvalue(L, i < n_targets ? a->out : first + i - n_targets);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Runs the call and pushes the visible results. */
static Status call_eager(lua_State *L, CallArgs *a, int *pushed) {
  Array *in[MOST_CALL_INPUTS], made[FEW_ARRAYS], *out = made;
  OutTargets to;
  TRY(check_inputs(a));
  TRY(find_targets(L, a, &to));
  if (to.n > 0) breaks_read(L, a->out == 1 ? "x:f_(...)" : "out =");
  else if (a->op->flags & OP_DYNAMIC) breaks_read(L, a->op->name);
  *pushed = 1;
  if (!a->out && !a->placed && breaks_defer(L, a->op, a->params, a->in, op_inputs(a->op, args_params(a)))) return OK;
  if (to.n > 0) TRY(follow_out(a, &to.at[0]->t.type));
  if (to.n > 0 && !a->placed && a->n_in == 0) {
    a->placed = true;
    a->device = tensor_device(&to.at[0]->t);
  }
  const Params *p = args_params(a);
  int n_in = op_inputs(a->op, p), n_out = op_outputs(a->op, p), visible = op_visible(a->op, p);
  for (int i = 0; i < n_in; i++) {
    in[i] = to_array(L, a->in[i]);
    if (array_freed(in[i])) return fail("%s: %s: this NDArray was freed", a->op->name, op_input_name(a->op, i));
  }
  if (n_out > FEW_ARRAYS && !(out = lua_newuserdatauv(L, (size_t)n_out * sizeof *out, 0))) return no_memory("outputs");
  if (a->placed) TRY(check_call_device(a->op, a->device, in, n_in));
  if (!lua_checkstack(L, visible + 16)) return no_memory("outputs");
  bool anchored = engine_now()->mode.recording && push_anchor_of(L, in, n_in);
  int first = lua_gettop(L) + 1;
  for (int i = to.n; i < visible; i++) push_array(L);                   /* owners exist before the outputs */
  coroutine_enter_again(L);
  Engine *e = engine_now();
  if (e->mode.recording || e->mode.operator_log || e->hooks || to.n > 0 || a->op->writes)
    e->mode.origin = origin_here(L);
  Device device = a->placed ? a->device : e->mode.device;
  Status s;
  if (to.n > 0) WITH_MEMORY(L, s, eager_call_into(a->op, a->params, in, n_in, device, to.at, to.n, out));
  else WITH_MEMORY(L, s, eager_call(a->op, a->params, in, n_in, device, out));
  if (s != OK) return s;
  for (int i = to.n; i < n_out; i++) {
    if (i < visible) *to_array(L, first + i - to.n) = out[i];
    else array_release(&out[i]);
  }
  for (int i = to.n; i < visible && anchored; i++)
    if (out[i].node) set_anchor(L, first + i - to.n, first - 1);
  push_results(L, a, to.n, visible, first);
  return OK;
}

static int op_function(lua_State *L);

void push_function(lua_State *L, lua_CFunction f, const Op *op, Face face) {
  lua_pushlightuserdata(L, (void *)op);
  lua_pushinteger(L, face);
  lua_pushcclosure(L, f, 2);
}

/* ---- Dispatch ------------------------------------------------------------------------------------ */

/* Are there arrays, Symbols, and operands of np's kind, among the operands? */
static void look_at_inputs(lua_State *L, const CallArgs *a, bool *arrays, bool *symbols, bool *np) {
  *arrays = *symbols = *np = false;
  for (int i = 0; i < a->n_in; i++) {
    if (!a->in[i]) continue;
    if (is_nd_array(L, a->in[i])) *arrays = true;
    else if (to_symbol(L, a->in[i])) *symbols = true;
    else *arrays = true;
    *np = *np || value_kind(L, a->in[i]) == KIND_NP;
  }
}

/* Raises for nd:zeros{2} and nd.random:normal(), where the table before the colon is the first argument. If no operand
** follows, the table may have been passed as data; then the row's own error explains it. */
static void refuse_colon(lua_State *L, const Op *op) {
  const char *table = operators_name(L, 1);
  bool operand = op->info->n_inputs == 0 || op->array_form;
  for (int i = 2; i <= lua_gettop(L); i++) operand = operand || is_operand(L, i);
  if (!table || !operand) return;
  lua_Debug ar, caller;
  bool called = lua_getstack(L, 0, &ar) && lua_getinfo(L, "n", &ar) && ar.name;
  if (called ? strcmp(ar.namewhat, "method") != 0
             : lua_getstack(L, 1, &caller) && lua_getinfo(L, "S", &caller) && own_frame(&caller))
    return;
  const char *name = called ? ar.name : op->name + (op->name[0] == '_');
  raise_error(L, "%s: expected a dot, got a colon; write %s.%s(...)", name, table, name);
}

/* ---- Numbers bound at run time (bind/follow/bound_numbers.h) ---------------------------------------------------- */

static bool is_number(lua_State *L, int index) {
  return lua_type(L, index) == LUA_TNUMBER || (lua_isuserdata(L, index) && bound_number(L, index) >= 0);
}

/* Pushes the value as a 0-d float64. */
static void push_constant_number(lua_State *L, double value) {
  push_function(L, op_function, op_with_role(ROLE_CONSTANT), FACE_SYM);
  lua_newtable(L);
  lua_pushnumber(L, value);
  lua_pushstring(L, dtype_name(DT_FLOAT64));
  lua_call(L, 3, 1);
}

/* Turns a call with bound parameters into a call of the bound row, which has all parameters as inputs. */
static void bind_parameters(lua_State *L, CallArgs *a) {
  const Op *row = a->op;
  luaL_checkstack(L, LUA_MINSTACK, "arguments");
  push_numbers_now(L);
  const int numbers = lua_gettop(L);
  for (int i = 0; i < row->info->n_params; i++) {
    int number = -1;
    for (int k = 0; k < a->n_bound; k++)
      if (a->bound[k].param == i) number = a->bound[k].number;
    if (number >= 0) push_bound_symbol(L, numbers, number);
    else push_constant_number(L, ((const double *)a->params->fields)[i]);
    a->in[a->n_in++] = lua_gettop(L);
  }
  args_replace_params(a, NULL);
  a->op = row->info->bound;
}

/* Sets the row's parameter _np (ops/common/shared_params.h), which it may have as its last. */
static Status set_np(CallArgs *a) {
  const int last = a->op->info->n_params - 1;
  if (last < 0 || strcmp(a->op->info->param[last].name, "_np") != 0) return OK;
  Params *p;
  TRY(a->params ? params_copy(a->params, &p) : params_new(a->op, &p));
  args_replace_params(a, p);
  return params_set_bool(p, last, true);
}

static int call(lua_State *L, const Op *op, Face face, int first, const char *hint, int out) {
  CallArgs a;
  char stem[128];
  bool arrays, symbols, np;
  int pushed = 0;
  pace_collector(L);
  coroutine_enter_again(L);
  bool traced = coroutine_now()->tracing, building = face & FACE_SYM || traced;
  for (int i = first; !building && i <= lua_gettop(L); i++) building = to_symbol(L, i) != NULL;
  check(L, args_parse(L, op, first, building, &a));
  if (out) a.out = out;
  if (a.n_bound > 0) {
    bind_parameters(L, &a);
    if (!hint) op_stem(op, stem, sizeof stem), hint = stem;
  }
  look_at_inputs(L, &a, &arrays, &symbols, &np);
  bool symbolic = symbols || traced || (!arrays && face & FACE_SYM);
  np = np || face & FACE_NP;
  Status s = __builtin_expect(np, 0) ? set_np(&a) : OK;
  if (s == OK && __builtin_expect(state_now()->default_float64, 0)) s = args_set_default_dtype(&a);
  if (s == OK && a.params && __builtin_expect(a.params->rounded != 0, 0)) s = args_check_rounded(L, &a);
  if (s == OK) s = symbolic ? symbol_call(L, &a, hint, &pushed) : call_eager(L, &a, &pushed);
  args_free(&a);
  check(L, s);
  if (__builtin_expect(np, 0) && !a.out) make_np(L, -1);
  return pushed;
}

/* Checks a number operand next to an array: it becomes a double, which cannot represent every int64. */
static void check_number(lua_State *L, const Op *op, int number, int operand) {
  if (lua_isuserdata(L, number)) {
    const DType dtype = operand_dtype(L, operand);
    if (dtype == DT_INT64 || dtype == DT_UNKNOWN) bound_beside_int64(L, number);
    return;
  }
  if (!lua_isinteger(L, number)) return;
  const lua_Integer n = lua_tointeger(L, number);
  const double as = (double)n;
  if (as < 0x1p63 && (lua_Integer)as == n) return;
  if (operand_dtype(L, operand) != DT_INT64) return;
  raise_error(L,
              "%s: expected a number that a double can hold beside an array of int64, got %lld; put it into an "
              "array: nd.array({%lld}, {dtype = \"int64\"})",
              op_title(op), (long long)n, (long long)n);
}

/* Dispatches (array, number) and (number, array) to their own rows, as in x + 2. Moves the array to the front; returns
** the row, or `op`. */
static const Op *with_number(lua_State *L, const Op *op, int first) {
  bool a = is_number(L, first), b = is_number(L, first + 1);
  if (b && is_operand(L, first)) {
    check_number(L, op, first + 1, first);
    return op_find(op->scalar_form);
  }
  if (!a || !is_operand(L, first + 1)) return op;
  check_number(L, op, first, first + 1);
  lua_pushvalue(L, first);
  lua_copy(L, first + 1, first);
  lua_replace(L, first + 1);
  return op_find(op->scalar_form_reversed);
}

/* The row for array parameters, as in nd.random.normal(means, deviations), or `op`. */
static const Op *with_arrays(lua_State *L, const Op *op, int first) {
  int last = lua_gettop(L);
  for (int i = first; i <= last; i++) {
    if (is_operand(L, i)) return op_find(op->array_form);
    if (!lua_istable(L, i) || i < last) continue;
    for (lua_pushnil(L); lua_next(L, i); lua_pop(L, 1)) {
      bool out = lua_type(L, -2) == LUA_TSTRING && strcmp(lua_tostring(L, -2), "out") == 0;
      if (!out && is_operand(L, -1)) {
        lua_pop(L, 2);
        return op_find(op->array_form);
      }
    }
  }
  return op;
}

/* Converts a bound number to a 0-d array of the dtype of the float array at `like`. */
static void bound_to_operand(lua_State *L, const Op *op, int index, int like, const char *input) {
  const DType dtype = like ? operand_dtype(L, like) : DT_UNKNOWN;
  if (dtype == DT_UNKNOWN || !dtype_is_float(dtype))
    raise_error(L,
                "%s: %s: expected an array of floats next to a number bound at run time (scalars); leave it out "
                "of scalars, and each value gets a trace of its own",
                op_title(op), input);
  push_function(L, op_function, op_with_role(ROLE_CAST), FACE_SYM);
  push_bound_numbers(L, index);
  push_bound_symbol(L, lua_gettop(L), bound_number(L, index));
  lua_remove(L, -2);
  lua_pushstring(L, dtype_name(dtype));
  lua_call(L, 2, 1);
  lua_replace(L, index);
}

/* Converts numbers among the inputs, as in where(condition, x, 0), to 0-d arrays of the dtype of the operands after the
** first. */
static void numbers_to_operands(lua_State *L, const Op *op, Face face, int first) {
  int last = lua_gettop(L), end = first + op->info->n_inputs - 1;
  int like = 0, numbers = 0;
  for (int i = first + 1; i <= last && i <= end; i++) numbers += is_number(L, i);
  if (numbers == 0) return;
  for (int i = first + 1; i <= last && i <= end; i++)
    if (is_operand(L, i)) like = i;
  for (int i = first + 1; i <= last && i <= end; i++) {
    if (lua_isuserdata(L, i) && bound_number(L, i) >= 0) bound_to_operand(L, op, i, like, op_input_name(op, i - first));
    if (lua_type(L, i) != LUA_TNUMBER) continue;
    push_function(L, op_function, op_with_role(ROLE_CONSTANT), face);
    lua_newtable(L);
    lua_pushvalue(L, i);
    const DType dtype = like ? operand_dtype(L, like) : DT_UNKNOWN;
    bool whole = lua_tonumber(L, i) == floor(lua_tonumber(L, i));
    if (dtype != DT_UNKNOWN && !dtype_is_float(dtype) && !whole)
      raise_error(L,
                  "%s: %s: expected a whole number with an array of %s, got %.14g; cast the array first: "
                  "x:cast \"float32\"",
                  op_title(op), op_input_name(op, i - first), dtype_name(dtype), lua_tonumber(L, i));
    if (dtype != DT_UNKNOWN) lua_pushstring(L, dtype_name(dtype));
    lua_call(L, dtype != DT_UNKNOWN ? 3 : 2, 1);
    lua_replace(L, i);
  }
}

/* numbers_to_operands for inputs by name, {condition = c, x = x, y = 0}, in a copy of the table. */
static void named_numbers(lua_State *L, const Op *op, Face face, int table) {
  int n = op->info->n_inputs, found = 0;
  int first = lua_gettop(L) + 1;
  luaL_checkstack(L, n + 8, "arguments");
  for (int i = 0; i < n; i++) {
    lua_getfield(L, table, op->info->input[i]);
    found += is_number(L, -1);
  }
  if (found) {
    numbers_to_operands(L, op, face, first);
    lua_newtable(L);
    copy_fields(L, table);
    for (int i = 0; i < n; i++) {
      lua_pushvalue(L, first + i);
      lua_setfield(L, -2, op->info->input[i]);
    }
    lua_replace(L, table);
  }
  lua_settop(L, first - 1);
}

bool push_eager(lua_State *L, const Op *op, Params *p, Array **in, int n_in, Kind kind) {
  pace_collector(L);
  Array *out = push_array_of(L, kind);
  CHECK_WITH_MEMORY(L, eager_call(op, p, in, n_in, engine_now()->mode.device, out));
  return true;
}

/* The fast path: the arguments are the row's inputs, all NDArrays. */
static bool call_arrays(lua_State *L, const Op *op) {
  enum { MOST = 3 };
  Array *in[MOST];
  int n = op->info->n_inputs;
  if (!op->elementwise || op->params || n > MOST || lua_gettop(L) != n || !coroutine_plain()) return false;
  for (int i = 1; i <= n; i++)
    if (!is_nd_array(L, i)) return false;
  if (breaks_defer(L, op, NULL, (const int[]){ 1, 2, 3 }, n)) return true;
  for (int i = 0; i < n; i++) {
    in[i] = to_array(L, i + 1);
    if (array_freed(in[i])) return false;
  }
  return push_eager(L, op, NULL, in, n, KIND_ND);
}

bool call_array_and_number(lua_State *L, const Op *op, Kind kind) {
  ParamsBuffer buffer;
  const bool fits = kind == KIND_NP ? op->info->n_params == 1 && is_array(L, 1) : is_nd_array(L, 1);
  if (!fits || lua_gettop(L) != 2 || !coroutine_plain()) return false;
  Params *p = params_within(&buffer, op);
  check(L, params_set_float(p, 0, lua_tonumber(L, 2)));
  if (breaks_defer(L, op, p, (const int[]){ 1 }, 1)) {
    if (kind == KIND_NP) make_np(L, -1);
    return true;
  }
  Array *in = to_array(L, 1);
  return !array_freed(in) && push_eager(L, op, p, &in, 1, kind);
}

int call_by_form(lua_State *L, const Op *op, Face face) {
  if (op->scalar_form) {
    const Op *scalar = with_number(L, op, 1);
    if (scalar != op && !(face & FACE_NP) && call_array_and_number(L, scalar, KIND_ND)) return 1;
    op = scalar;
  }
  if (lua_type(L, 1) == LUA_TTABLE) refuse_colon(L, op);
  if (op->array_form) op = with_arrays(L, op, 1);
  if (op->flags & OP_NUMBERS) {
    if (lua_gettop(L) == 1 && lua_istable(L, 1)) named_numbers(L, op, face, 1);
    else numbers_to_operands(L, op, face, 1);
  }
  return call(L, op, face, 1, NULL, 0);
}

/* Upvalues: the row, the face. */
static int op_function(lua_State *L) {
  const Op *op = lua_touserdata(L, lua_upvalueindex(1));
  coroutine_enter(L);
  if (call_arrays(L, op)) return 1;
  return call_by_form(L, op, (Face)lua_tointeger(L, lua_upvalueindex(2)));
}

void push_operator(lua_State *L, const Op *op) { push_function(L, op_function, op, FACE_ND); }

/* x:f_(...): the result is written into x. */
static int op_in_place(lua_State *L) {
  const Op *op = lua_touserdata(L, lua_upvalueindex(1));
  if (tracing(L) || to_symbol(L, 1))
    return trace_refuse(L, lua_tostring(L, lua_upvalueindex(2)),
                        "the form without the underscore, which makes a new array");
  check_array(L, 1);
  if (op->scalar_form) op = with_number(L, op, 1);
  return call(L, op, FACE_ND, 1, NULL, 1);
}

/* A Lua operator: two operands; unary ones repeat the first. */
static int op_metamethod(lua_State *L) {
  const Op *op = lua_touserdata(L, lua_upvalueindex(1));
  lua_settop(L, op->info->n_inputs);
  coroutine_enter(L);
  if (call_arrays(L, op)) return 1;
  if (value_kind(L, 1) == KIND_NP || value_kind(L, lua_gettop(L)) == KIND_NP) return np_metamethod(L, op);
  return call_by_metamethod(L, op);
}

int call_by_metamethod(lua_State *L, const Op *op) {
  if (op->info->n_inputs == 1) return call(L, op, FACE_ND, 1, NULL, 0);
  const Op *scalar = with_number(L, op, 1);
  if (scalar != op) return call_array_and_number(L, scalar, KIND_ND) ? 1 : call(L, scalar, FACE_ND, 1, NULL, 0);
  if (!is_operand(L, 1) || !is_operand(L, 2))
    return raise_error(L, "%s: expected NDArrays, Symbols or numbers, got %s and %s%s%s", op_title(op), type_name(L, 1),
                       type_name(L, 2), operand_hint(L, 1), operand_hint(L, 2));
  return call(L, op, FACE_ND, 1, op->operator_stem, 0);
}

/* ---- The tables ------------------------------------------------------------------------------------- */

/* Pops the value on top into t[name] or, for "random.normal", t.random.normal. */
static void set_name(lua_State *L, int t, Face face, const char *name) {
  const char *dot = strchr(name, '.');
  if (!dot) {
    lua_setfield(L, t, name);
    return;
  }
  lua_pushlstring(L, name, (size_t)(dot - name));
  lua_pushvalue(L, -1);
  if (lua_rawget(L, t) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, t);
    lua_pushfstring(L, "%s.%s", face == FACE_SYM ? "sym" : "nd", lua_tostring(L, -2));
    mark_operators(L, -2, lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, dot + 1);
  lua_pop(L, 3);
}

typedef struct Tables { lua_State *L; int nd, sym, methods; } Tables;

static bool is_keyword(const char *name) {
  /* clang-format off */
  static const char *const words[] = { "and", "end", "for", "if", "in", "not", "or", "repeat", "return", "then",
                                       "until", "while" };
  /* clang-format on */
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], name) == 0) return true;
  return false;
}

static void push_in_place(lua_State *L, const Op *op, const char *name) {
  lua_pushlightuserdata(L, (void *)op);
  lua_pushstring(L, name);
  lua_pushcclosure(L, op_in_place, 2);
}

/* Adds a name of a row: nd.name, sym.name, x:name(), x:name_(). */
static void add_name(const char *name, const Op *op, void *context) {
  Tables *t = context;
  lua_State *L = t->L;
  char underscored[128];
  bool keyword = is_keyword(name);
  snprintf(underscored, sizeof underscored, "%.120s_", name);
  for (int alias = 0; alias < (keyword ? 2 : 1); alias++) {
    const char *key = alias ? underscored : name;
    push_function(L, op_function, op, FACE_ND);
    set_name(L, t->nd, FACE_ND, key);
    push_function(L, op_function, op, FACE_SYM);
    set_name(L, t->sym, FACE_SYM, key);
    if (op->info->n_inputs == 0 || strchr(name, '.')) continue;
    push_function(L, op_function, op, FACE_ND);
    lua_setfield(L, t->methods, key);
  }
  if (op->info->n_inputs == 0 || keyword || strchr(name, '.') || op->writes || op->view) return;
  push_in_place(L, op, underscored);
  lua_setfield(L, t->methods, underscored);
}

/* Adds in-place methods named after Lua's binary operators, such as x:mul_(2). */
static void add_arithmetic(lua_State *L, int methods) {
  char name[32];
  for (int i = 0; i < op_count(); i++) {
    const Op *op = op_at(i);
    if (!op->metamethod || op->info->n_inputs != 2) continue;
    snprintf(name, sizeof name, "%.16s_", op->metamethod + 2);
    if (lua_getfield(L, methods, name) == LUA_TNIL) {
      push_in_place(L, op, name);
      lua_setfield(L, methods, name);
    }
    lua_pop(L, 1);
  }
}

static void add_metamethods(lua_State *L, int metatable) {
  for (int i = 0; i < op_count(); i++) {
    const Op *op = op_at(i);
    if (!op->metamethod) continue;
    push_function(L, op_metamethod, op, FACE_ND);
    lua_setfield(L, metatable, op->metamethod);
  }
}

/* row_function(name) -> the function of a row, internal ones included; for tests */
static int row_function(lua_State *L) {
  const Op *op = op_find(luaL_checkstring(L, 1));
  if (!op) return raise_error(L, "row_function: there is no operator '%s'", lua_tostring(L, 1));
  push_function(L, op_function, op, FACE_ND);
  return 1;
}

static const char methods_key;

void push_operator_methods(lua_State *L) { lua_rawgetp(L, LUA_REGISTRYINDEX, &methods_key); }

void open_operators(lua_State *L) {
  check(L, op_registry_status());
  int buffer = lua_gettop(L);
  Tables t = { .L = L };
  lua_createtable(L, 0, 1024);
  t.nd = lua_gettop(L);
  lua_createtable(L, 0, 1024);
  t.sym = lua_gettop(L);
  lua_createtable(L, 0, 1024);
  t.methods = lua_gettop(L);
  op_each_name(add_name, &t);
  add_arithmetic(L, t.methods);
  push_array_metatable(L, KIND_ND);
  add_metamethods(L, lua_gettop(L));
  push_symbol_metatable(L, KIND_ND);
  add_metamethods(L, lua_gettop(L));
  lua_settop(L, t.methods);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &methods_key);
  mark_operators(L, t.nd, "nd");
  mark_operators(L, t.sym, "sym");
  lua_setfield(L, buffer, "sym");
  lua_setfield(L, buffer, "nd");
  push_null(L);
  lua_setfield(L, buffer, "NULL");
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "prepare", args_prepare }, { "row_function", row_function }, { "set_option_hint", args_set_option_hint },
    { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
