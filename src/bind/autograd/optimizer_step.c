/* optimizer_step.c - one optimizer step for many weights, called by lua/hybridlua/optimizer/updater.lua. */
#include "bind/value/op_args.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "exec/train/optimizer_update.h"

enum { MOST_OWN = 8 };

/* The states at `index`: a list with one array, or list of arrays, per weight; any value if n_states is 0. */
static Array **states_of(lua_State *L, int index, int n, int n_states) {
  Array **list = lua_newuserdatauv(L, (size_t)((int64_t)n * n_states + 1) * sizeof *list, 0);
  if (n_states > 0) check_length(L, index, "update: states");
  for (int i = 0; i < n && n_states > 0; i++) {
    lua_rawgeti(L, index, i + 1);
    bool one = to_array(L, -1) != NULL;
    if (!one && !lua_istable(L, -1))
      raise_error(L, "update: state: expected an NDArray or a table of NDArrays, got %s", type_name(L, -1));
    for (int k = 0; k < n_states; k++) {
      if (one) lua_pushvalue(L, -1);
      else lua_rawgeti(L, -1, k + 1);
      list[i * n_states + k] = check_array(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
  }
  return list;
}

static Status set_option(lua_State *L, Params *p, const char *key) {
  int at = args_find_param(p->op, key);
  return at < 0 ? args_unknown_option(L, p->op, key) : args_set_param(L, p, at, -1, false);
}

/* Reads the list on top of the stack: one number per weight. */
static void read_own(lua_State *L, const char *key, Update *u, OwnNumbers *own) {
  double *value = lua_newuserdatauv(L, (size_t)(u->n + 1) * sizeof *value, 0);
  int at = args_find_param(u->op, key);
  if (at < 0) check(L, args_unknown_option(L, u->op, key));
  if (u->n_own == MOST_OWN) raise_error(L, "%s: expected at most %d lists of numbers, got more", u->op->name, MOST_OWN);
  for (int i = 0; i < u->n; i++) {
    lua_rawgeti(L, -2, i + 1);
    if (lua_type(L, -1) != LUA_TNUMBER)
      raise_error(L, "%s: %s: expected a number, got %s", u->op->name, key, type_name(L, -1));
    value[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
  }
  own[u->n_own++] = (OwnNumbers){ at, value };
}

typedef struct ReadUpdate { Update u; OwnNumbers own[MOST_OWN]; Params *params; } ReadUpdate;

static void read_update_end(void *read) { params_release(((ReadUpdate *)read)->params); }

/* Pushes an update of n weights by the row named at index 1, with the options at `options`: the row's parameters, each
** a number, or a list with one number per weight. */
static ReadUpdate *push_update(lua_State *L, int n, int options) {
  const Op *op = op_find(luaL_checkstring(L, 1));
  if (!op || !op_is_step(op))
    raise_error(L, "update: '%s' is not an operator that updates weights", lua_tostring(L, 1));
  check_length(L, options, "update: options");
  luaL_checkstack(L, 32, NULL);
  ReadUpdate *r = push_owned(L, sizeof *r, read_update_end);
  Update *u = &r->u;
  *u = (Update){ .op = op, .own = r->own, .n = n, .n_states = op->info->n_inputs - 2 };
  for (lua_pushnil(L); lua_next(L, options); lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING)
      raise_error(L, "update: options: expected names as keys, got %s", type_name(L, -2));
    if (!lua_istable(L, -1)) continue;
    read_own(L, lua_tostring(L, -2), u, r->own);
    lua_insert(L, -3);                      /* keeps the numbers on the stack, below key and value */
  }
  check(L, params_new(op, &r->params));
  for (lua_pushnil(L); lua_next(L, options); lua_pop(L, 1))
    if (!lua_istable(L, -1)) check(L, set_option(L, r->params, lua_tostring(L, -2)));
  u->params = r->params;
  return r;
}

/* update_weights(row, weights, gradients or nil, states, options) */
static int update_rows(lua_State *L) {
  lua_settop(L, 5);
  ReadUpdate *r = push_update(L, check_length(L, 2, "update: weights"), 5);
  Update *u = &r->u;
  u->weight = list_arrays(L, 2, u->n, false);
  u->grad = lua_isnil(L, 3) ? NULL : list_arrays(L, 3, u->n, false);
  u->state = states_of(L, 4, u->n, u->n_states);
  coroutine_engine(L)->mode.origin = origin_here(L);
  Status s;
  WITH_MEMORY(L, s, update_weights(u));
  owned_end(r);
  check(L, s);
  return 0;
}

/* update_numbers(row, number of weights, options) -> their numbers, an array as contrib.update_weights reads it */
static int numbers_of_update(lua_State *L) {
  lua_settop(L, 3);
  coroutine_enter(L);
  ReadUpdate *r = push_update(L, (int)luaL_checkinteger(L, 2), 3);
  const Type type = update_numbers_type(&r->u);
  Array *made = push_array(L);
  CHECK_WITH_MEMORY(L, tensor_new(&type, DEVICE_HOST, &made->t));
  update_numbers(&r->u, &made->t);
  owned_end(r);
  return 1;
}

void open_update(lua_State *L) {
  set_function(L, "update_weights", update_rows);
  set_function(L, "update_numbers", numbers_of_update);
}
