/* bound_numbers.c - see bound_numbers.h. */
#include "bind/follow/bound_numbers.h"

#include "base/memory.h"
#include "bind/follow/follow.h"
#include "bind/follow/read_record.h"

static const char numbers_tag, stand_in_tag;      /* registry keys: their metatables */

typedef struct StandIn { const void *tag; int number; } StandIn;       /* user value: the BoundNumbers */

BoundNumbers *to_bound_numbers(lua_State *L, int index) {
  BoundNumbers *n = lua_touserdata(L, index);
  return n && lua_rawlen(L, index) == sizeof *n && n->tag == &numbers_tag ? n : NULL;
}

static BoundNumbers *check_numbers(lua_State *L, int index) {
  BoundNumbers *n = to_bound_numbers(L, index);
  if (!n) raise_error(L, "expected bound numbers, got %s", type_name(L, index));
  return n;
}

static const StandIn *to_stand_in(lua_State *L, int index) {
  const StandIn *s = lua_touserdata(L, index);
  return s && lua_rawlen(L, index) == sizeof *s && s->tag == &stand_in_tag ? s : NULL;
}

void push_bound_numbers(lua_State *L, int stand_in) { lua_getiuservalue(L, stand_in, 1); }

int bound_number(lua_State *L, int index) {
  const StandIn *s = to_stand_in(L, index);
  if (!s) return -1;
  push_bound_numbers(L, index);
  const bool ended = to_bound_numbers(L, -1)->ended;
  lua_pop(L, 1);
  if (ended) raise_error(L, "a number bound at run time is used after its trace, because a traced function kept it");
  return s->number;
}

/* ---- The list ------------------------------------------------------------------------------------------------ */

int push_bound_part(lua_State *L, int numbers, int i, int part) {
  lua_getiuservalue(L, numbers, 1);
  int type = lua_rawgeti(L, -1, (lua_Integer)i * (BOUND_PARTS - 1) + part);
  lua_remove(L, -2);
  return type;
}

/* Pops a value and stores it as a part of number i. */
static void set_part(lua_State *L, int numbers, int i, int part) {
  lua_getiuservalue(L, numbers, 1);
  lua_insert(L, -2);
  lua_rawseti(L, -2, (lua_Integer)i * (BOUND_PARTS - 1) + part);
  lua_pop(L, 1);
}

/* Adds a number; returns its index. */
static int add_number(lua_State *L, int numbers, BoundNumber number) {
  BoundNumbers *n = to_bound_numbers(L, numbers);
  BoundNumber *wider = object_widen(n->at, (int64_t)n->n + 1, &n->capacity, sizeof *wider);
  if (!wider) luaL_error(L, "not enough memory");
  n->at = wider;
  number.line = origin_here(L);
  n->at[n->n] = number;
  return n->n++;
}

void push_stand_in(lua_State *L, int numbers, int i) {
  numbers = lua_absindex(L, numbers);
  StandIn *s = lua_newuserdatauv(L, sizeof *s, 1);
  *s = (StandIn){ &stand_in_tag, i };
  lua_pushvalue(L, numbers);
  lua_setiuservalue(L, -2, 1);
  take_metatable(L, &stand_in_tag);
}

void push_numbers_now(lua_State *L) {
  if (!follow_now()) {
    lua_pushnil(L);
    return;
  }
  push_kept(L, KEEP_CALLBACKS);
  lua_getfield(L, -1, "numbers");
  lua_remove(L, -2);
}

/* ---- Names ----------------------------------------------------------------------------------------------------- */

/* In the order of LUA_OPADD, LUA_OPSUB, ... */
static const char *const events[] = { "__add",  "__sub", "__mul",  "__mod", "__pow", "__div", "__idiv",
                                      "__band", "__bor", "__bxor", "__shl", "__shr", "__unm", "__bnot" };
static const char *const operator_text[] = { "+", "-", "*", "%", "^", "/", "//", "&", "|", "~", "<<", ">>", "-", "~" };

enum { LONG_NAME = 60 };     /* characters; longer names end in "..." */

static void push_step_name(lua_State *L, int numbers, const BoundNumber *step) {
  const bool unary = step->b < 0;
  if (step->kind == NUMBER_MATH) {
    const char *first = push_bound_name(L, numbers, step->a),
               *second = unary ? "" : push_bound_name(L, numbers, step->b);
    lua_pushfstring(L, "math(%s%s%s)", first, unary ? "" : ", ", second);
  } else if (unary) {
    lua_pushfstring(L, "%s%s", operator_text[step->op], push_bound_name(L, numbers, step->a));
  } else {
    const char *first = push_bound_name(L, numbers, step->a), *second = push_bound_name(L, numbers, step->b);
    lua_pushfstring(L, "(%s %s %s)", first, operator_text[step->op], second);
  }
}

const char *push_bound_name(lua_State *L, int numbers, int i) {
  const BoundNumber *number = &to_bound_numbers(L, numbers)->at[i];
  luaL_checkstack(L, LUA_MINSTACK, "names");
  int top = lua_gettop(L);
  if (number->kind < NUMBER_CONSTANT) {
    push_bound_part(L, numbers, i, BOUND_NAME);
  } else if (number->kind == NUMBER_CONSTANT) {
    push_bound_part(L, numbers, i, BOUND_HELD);
    lua_tostring(L, -1);
  } else if (push_bound_part(L, numbers, i, BOUND_NAME) == LUA_TNIL) {
    push_step_name(L, numbers, number);
    if (lua_rawlen(L, -1) > LONG_NAME) lua_pushfstring(L, "%.57s...", lua_tostring(L, -1));
    lua_pushvalue(L, -1);
    set_part(L, numbers, i, BOUND_NAME);
  }
  lua_copy(L, -1, top + 1);
  lua_settop(L, top + 1);
  return lua_tostring(L, -1);
}

int refuse_bound(lua_State *L, int stand_in, const char *what) {
  state_enter(L);
  int number = bound_number(L, stand_in);
  push_bound_numbers(L, stand_in);
  const char *name = push_bound_name(L, lua_gettop(L), number);
  const char *text = "%s is bound at run time (scalars), so a traced function cannot %s: a compiled call would not "
                     "repeat that; leave it out of scalars, and each value gets its own trace";
  return follow_now() ? follow_refuse(L, text, name, what) : raise_error(L, text, name, what);
}

/* ---- Arithmetic -------------------------------------------------------------------------------------------------- */

/* The list index for the value at `index`: a stand-in has one, and a number becomes a new constant. */
static int number_at(lua_State *L, int numbers, int index) {
  int number = bound_number(L, index);
  if (number >= 0) return number;
  number = add_number(L, numbers, (BoundNumber){ .kind = NUMBER_CONSTANT, .a = -1, .b = -1 });
  lua_pushvalue(L, index);
  set_part(L, numbers, number, BOUND_HELD);
  return number;
}

/* Pushes the BoundNumbers of two values, at least one of which is a stand-in. */
static int push_numbers_of(lua_State *L, int a, int b) {
  push_bound_numbers(L, to_stand_in(L, a) ? a : b);
  return lua_gettop(L);
}

/* Upvalue: the operator. If the other operand is an array or Symbol, its own metamethod is called. */
static int arithmetic(lua_State *L) {
  const int op = (int)lua_tointeger(L, lua_upvalueindex(1));
  const bool unary = op == LUA_OPUNM || op == LUA_OPBNOT;
  lua_settop(L, 2);
  for (int i = 1; i <= 2; i++) {
    if (bound_number(L, i) >= 0 || lua_type(L, i) == LUA_TNUMBER) continue;
    if (!is_operand(L, i) || luaL_getmetafield(L, i, events[op]) == LUA_TNIL)
      return raise_error(L, "attempt to perform arithmetic on a %s value and a number bound at run time",
                         type_name(L, i));
    lua_insert(L, 1);
    lua_call(L, 2, 1);
    return 1;
  }
  const int numbers = push_numbers_of(L, 1, 2);
  const int a = number_at(L, numbers, 1), b = unary ? -1 : number_at(L, numbers, 2);
  push_stand_in(L, numbers,
                add_number(L, numbers, (BoundNumber){ .kind = NUMBER_ARITHMETIC, .op = op, .a = a, .b = b }));
  return 1;
}

/* Upvalue: the function of Lua's math library. The arguments are numbers or stand-ins. */
static int math_call(lua_State *L) {
  const int n = lua_gettop(L);
  for (int i = 1; i <= n; i++) {
    if (bound_number(L, i) < 0 && lua_type(L, i) != LUA_TNUMBER)
      return raise_error(L, "bad argument #%d (number expected, got %s)", i, type_name(L, i));
  }
  if (n > 2)
    return refuse_bound(L,
                        bound_number(L, 1) >= 0   ? 1
                        : bound_number(L, 2) >= 0 ? 2
                                                  : 3,
                        "pass it to a function of math with more than two arguments");
  lua_settop(L, 2);
  const int numbers = push_numbers_of(L, 1, 2);
  const int a = number_at(L, numbers, 1), b = n == 1 ? -1 : number_at(L, numbers, 2);
  const int number = add_number(L, numbers, (BoundNumber){ .kind = NUMBER_MATH, .a = a, .b = b });
  lua_pushvalue(L, lua_upvalueindex(1));
  set_part(L, numbers, number, BOUND_HELD);
  push_stand_in(L, numbers, number);
  return 1;
}

int make_bound_math(lua_State *L) {
  lua_pushcclosure(L, math_call, 1);
  return 1;
}

/* Metamethods for actions by our own code or C functions, which the hook does not follow. */
static int refuse_compare(lua_State *L) { return refuse_bound(L, to_stand_in(L, 1) ? 1 : 2, "compare it"); }
static int refuse_text(lua_State *L) { return refuse_bound(L, to_stand_in(L, 1) ? 1 : 2, "convert it to a string"); }
static int refuse_index(lua_State *L) { return refuse_bound(L, 1, "index it"); }

/* ---- Inputs ------------------------------------------------------------------------------------------------------ */

static Status make_input(BoundNumbers *n, int i, const char *name) {
  const Type type = { .dtype = DT_FLOAT64 };
  int *wider = object_resize(n->input, (size_t)(n->n_inputs + 1) * sizeof *wider);
  if (!wider) return no_memory("numbers");
  n->input = wider;
  TRY(node_variable(name, &type, &n->at[i].input));
  n->at[i].input->origin = n->at[i].line;
  n->input[n->n_inputs++] = i;
  return OK;
}

void bound_beside_int64(lua_State *L, int stand_in) {
  const int i = bound_number(L, stand_in);
  push_bound_numbers(L, stand_in);
  to_bound_numbers(L, -1)->at[i].exact = true;
  lua_pop(L, 1);
}

void push_bound_symbol(lua_State *L, int numbers, int i) {
  BoundNumbers *n = to_bound_numbers(L, numbers);
  const char *name = push_bound_name(L, numbers, i);
  if (!n->at[i].input) check(L, make_input(n, i, name));
  push_entry(L, (Entry){ n->at[i].input, 0 });
  lua_remove(L, -2);
}

/* ---- For Lua ----------------------------------------------------------------------------------------------------- */

static int numbers_gc(lua_State *L) {
  BoundNumbers *n = lua_touserdata(L, 1);
  for (int i = 0; i < n->n; i++) node_release(n->at[i].input);
  object_free(n->at);
  object_free(n->input);
  *n = (BoundNumbers){ .tag = &numbers_tag };
  return 0;
}

/* Pops a place, { name =, kind =, holder =, key = }, and adds its number. */
static void read_place(lua_State *L, int numbers) {
  static const char *const kinds[] = { "argument", "upvalue", "field", NULL };      /* in the order of NumberKind */
  const int place = lua_gettop(L);
  lua_getfield(L, place, "kind");
  BoundNumber number = { .kind = (NumberKind)luaL_checkoption(L, -1, NULL, kinds), .a = -1, .b = -1 };
  lua_getfield(L, place, "key");
  if (number.kind != NUMBER_FIELD) number.a = (int)lua_tointeger(L, -1);
  lua_getfield(L, place, "holder");
  if (number.kind == NUMBER_UPVALUE) number.place = lua_upvalueid(L, -1, number.a);
  else if (number.kind == NUMBER_FIELD) number.place = lua_topointer(L, -1);
  const int i = add_number(L, numbers, number);
  set_part(L, numbers, i, BOUND_HELD);
  set_part(L, numbers, i, BOUND_KEY);
  lua_getfield(L, place, "name");
  set_part(L, numbers, i, BOUND_NAME);
  lua_settop(L, place - 1);
}

/* bind_numbers(places) -> the BoundNumbers of a trace; places: a list of { name =, kind = "argument", "upvalue" or
** "field", holder = function or table, key = position, index of the upvalue, or name } */
static int bind_numbers(lua_State *L) {
  const int n = check_length(L, 1, "bind_numbers");
  lua_settop(L, 1);
  BoundNumbers *numbers = lua_newuserdatauv(L, sizeof *numbers, 1);
  *numbers = (BoundNumbers){ .tag = &numbers_tag };
  lua_rawgetp(L, LUA_REGISTRYINDEX, &numbers_tag);
  lua_setmetatable(L, 2);
  lua_newtable(L);
  lua_setiuservalue(L, 2, 1);
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, 1, i);
    read_place(L, 2);
  }
  return 1;
}

/* stand_in(numbers, i) -> a stand-in of number i, counted from 1 */
static int stand_in(lua_State *L) {
  check_numbers(L, 1);
  push_stand_in(L, 1, (int)luaL_checkinteger(L, 2) - 1);
  return 1;
}

/* end_numbers(numbers) -> the Symbols of the inputs, and their names; called when the trace ends */
static int end_numbers(lua_State *L) {
  BoundNumbers *n = check_numbers(L, 1);
  n->ended = true;
  lua_createtable(L, n->n_inputs, 0);
  lua_createtable(L, n->n_inputs, 0);
  for (int i = 0; i < n->n_inputs; i++) {
    push_entry(L, (Entry){ n->at[n->input[i]].input, 0 });
    lua_rawseti(L, 2, i + 1);
    push_bound_name(L, 1, n->input[i]);
    lua_rawseti(L, 3, i + 1);
  }
  return 2;
}

/* is_stand_in(value) */
static int is_stand_in(lua_State *L) { return return_boolean(L, to_stand_in(L, 1) != NULL); }

/* refuse_stand_in(stand-in, what): raises an error; what: "return it" */
static int refuse_stand_in(lua_State *L) {
  if (!to_stand_in(L, 1)) return raise_error(L, "expected a stand-in of a number, got %s", type_name(L, 1));
  return refuse_bound(L, 1, luaL_checkstring(L, 2));
}

static void make_stand_in_metatable(lua_State *L) {
  lua_newtable(L);
  for (int op = 0; op < (int)(sizeof events / sizeof *events); op++) {
    lua_pushinteger(L, op);
    lua_pushcclosure(L, arithmetic, 1);
    lua_setfield(L, -2, events[op]);
  }
  /* clang-format off */
  const luaL_Reg refused[] = {
    { "__lt", refuse_compare }, { "__le", refuse_compare }, { "__concat", refuse_text }, { "__tostring", refuse_text },
    { "__index", refuse_index }, { "__newindex", refuse_index }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, refused, 0);
  set_string(L, "__name", "number bound at run time");
  set_boolean(L, "__metatable", false);                 /* out of a script's reach */
  lua_rawsetp(L, LUA_REGISTRYINDEX, &stand_in_tag);
}

void open_bound_numbers(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "bind_numbers", bind_numbers }, { "stand_in", stand_in }, { "end_numbers", end_numbers },
    { "is_stand_in", is_stand_in }, { "refuse_stand_in", refuse_stand_in }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  new_metatable(L, &numbers_tag, "hybridlua.BoundNumbers", numbers_gc);
  lua_pop(L, 1);
  make_stand_in_metatable(L);
}
