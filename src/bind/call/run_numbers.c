/* run_numbers.c - see run_numbers.h. */
#include "bind/call/run_numbers.h"

#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/value/device_value.h"

/* Pushes the value of a number that the script read. */
static void push_named(lua_State *L, int numbers, int i, int first, int n) {
  const BoundNumber *number = &to_bound_numbers(L, numbers)->at[i];
  if (number->kind == NUMBER_ARGUMENT) {
    if (number->a <= n) lua_pushvalue(L, first + number->a - 1);
    else lua_pushnil(L);
  } else {
    push_bound_part(L, numbers, i, BOUND_HELD);
    if (number->kind == NUMBER_FIELD) {
      push_bound_part(L, numbers, i, BOUND_KEY);
      lua_gettable(L, -2);
    } else if (!lua_getupvalue(L, -1, number->a)) {
      lua_pushnil(L);
    }
    lua_remove(L, -2);
  }
  if (lua_type(L, -1) == LUA_TNUMBER) return;
  const char *type = type_name(L, -1);
  raise_error(L, "scalars: %s: expected a number, got %s", push_bound_name(L, numbers, i), type);
}

/* Raises Lua's error for a division by zero, adding the script's line, which lua_arith would omit. */
static void refuse_zero(lua_State *L, const BoundNumber *step, int second) {
  const bool divides = step->op == LUA_OPIDIV || step->op == LUA_OPMOD;
  if (!divides || !lua_isinteger(L, second) || lua_tointeger(L, second) != 0 || !lua_isinteger(L, second - 1)) return;
  luaL_error(L, "%s: attempt to perform 'n%s0'", origin_text(step->line), step->op == LUA_OPIDIV ? "//" : "%%");
}

/* Pushes the result of step i; number k of the list is at stack index `values` + k. */
static void push_step(lua_State *L, int numbers, int i, int values) {
  const BoundNumber *step = &to_bound_numbers(L, numbers)->at[i];
  if (step->kind == NUMBER_CONSTANT) {
    push_bound_part(L, numbers, i, BOUND_HELD);
    return;
  }
  if (step->kind == NUMBER_MATH) push_bound_part(L, numbers, i, BOUND_HELD);
  lua_pushvalue(L, values + step->a);
  if (step->b >= 0) lua_pushvalue(L, values + step->b);
  if (step->kind == NUMBER_MATH) {
    lua_call(L, step->b >= 0 ? 2 : 1, 1);
  } else {
    if (step->b >= 0) refuse_zero(L, step, lua_gettop(L));
    lua_arith(L, step->op);
  }
}

/* The value as a double, the type that operators receive. Raises for an integer that is not exact as a double if it is
** used with an int64 array. */
static double input_value(lua_State *L, int numbers, int i, int at) {
  const double value = lua_tonumber(L, at);
  if (!to_bound_numbers(L, numbers)->at[i].exact || !lua_isinteger(L, at)) return value;
  const lua_Integer n = lua_tointeger(L, at);
  if (value < 0x1p63 && (lua_Integer)value == n) return value;
  raise_error(L, "scalars: %s: expected a number that a double can hold beside an array of int64, got %lld",
              push_bound_name(L, numbers, i), (long long)n);
}

void run_numbers(lua_State *L, int numbers, int first, int n, Device device, Array **to) {
  const BoundNumbers *b = to_bound_numbers(L, numbers);
  luaL_checkstack(L, b->n + b->n_inputs + LUA_MINSTACK, "numbers");
  const int values = lua_gettop(L) + 1;
  for (int i = 0; i < b->n; i++) {
    if (b->at[i].kind < NUMBER_CONSTANT) push_named(L, numbers, i, first, n);
    else push_step(L, numbers, i, values);
  }
  const Type type = { .dtype = DT_FLOAT64 };
  for (int k = 0; k < b->n_inputs; k++) {
    const double value = input_value(L, numbers, b->input[k], values + b->input[k]);
    to[k] = push_array(L);
    CHECK_WITH_MEMORY(L, tensor_new(&type, device, &to[k]->t));
    tensor_set(&to[k]->t, 0, value);
  }
  lua_rotate(L, values, b->n_inputs);
  lua_settop(L, values + b->n_inputs - 1);
}

/* numbers(numbers, context, arguments...) -> the arrays of the inputs in a call with these arguments */
static int numbers_of_call(lua_State *L) {
  const int n = lua_gettop(L) - 2;
  const BoundNumbers *b = to_bound_numbers(L, 1);
  Device device;
  if (!b) return raise_error(L, "expected bound numbers, got %s", type_name(L, 1));
  check(L, check_device_value(L, 2, "ctx", &device));
  coroutine_enter(L);
  Array **made = lua_newuserdatauv(L, (size_t)(b->n_inputs + 1) * sizeof *made, 0);
  run_numbers(L, 1, 3, n, device, made);
  return b->n_inputs;
}

void open_run_numbers(lua_State *L) { set_function(L, "numbers", numbers_of_call); }
