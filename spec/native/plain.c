/* plain.c - a Lua module for one spec: calls functions of a shared object with plain texts (spec/support/plain_texts.lua).
**
** open(file) -> the shared object. run(object, name, inputs, outputs, whole, numbers, sizes, written) calls its
** function NAME, declared void NAME(void *const *arrays, const int64_t *whole, const double *numbers, const int64_t *sizes).
** Inputs are strings of bytes, outputs numbers of bytes; false is NULL, and a list of either is a pointer to pointers.
** `written`: the places of inputs that the function writes. Returns the list of outputs, whose bytes are 0xA5 at first,
** followed by these inputs, as strings.
*/
#include <dlfcn.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef void Run(void *const *arrays, const int64_t *whole, const double *numbers, const int64_t *sizes);

enum { MOST = 128 };

static int open_object(lua_State *L) {
  void *object = dlopen(luaL_checkstring(L, 1), RTLD_NOW | RTLD_LOCAL);
  if (!object) return luaL_error(L, "%s", dlerror());
  lua_pushlightuserdata(L, object);
  return 1;
}

/* The memory of the operand on the top of the stack, which stays there until the call is done: an output is replaced by
** its memory, with a byte to spare, and a list by its pointers. */
static void *operand(lua_State *L, bool is_output) {
  if (lua_istable(L, -1)) {
    const int n = (int)lua_rawlen(L, -1), list = lua_gettop(L);
    luaL_checkstack(L, 2 * n + 8, "too many arrays");
    void **pointers = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof(void *), 0);
    for (int i = 0; i < n; i++) {
      lua_rawgeti(L, list, i + 1);
      pointers[i] = operand(L, is_output);
    }
    return pointers;
  }
  if (!lua_toboolean(L, -1)) return NULL;
  if (!is_output) return (void *)luaL_checkstring(L, -1);
  const size_t bytes = (size_t)luaL_checkinteger(L, -1);
  return memset(lua_newuserdatauv(L, bytes + 1, 0), 0xA5, bytes + 1);
}

/* Pushes the bytes of an output, of the size on the top of the stack, which it replaces; of lists, a list. */
static void push_bytes(lua_State *L, void *memory) {
  if (lua_istable(L, -1)) {
    const int n = (int)lua_rawlen(L, -1);
    lua_createtable(L, n, 0);
    for (int i = 0; i < n; i++) {
      lua_rawgeti(L, -2, i + 1);
      push_bytes(L, ((void **)memory)[i]);
      lua_rawseti(L, -2, i + 1);
    }
  } else if (memory) {
    lua_pushlstring(L, memory, (size_t)lua_tointeger(L, -1));
  } else {
    lua_pushboolean(L, 0);
  }
  lua_remove(L, -2);
}

static int64_t *whole_numbers(lua_State *L, int list) {
  const int n = (int)lua_rawlen(L, list);
  int64_t *x = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *x, 0);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, list, i + 1);
    x[i] = luaL_checkinteger(L, -1);
    lua_pop(L, 1);
  }
  return x;
}

static int run(lua_State *L) {
  void *array[MOST];
  double number[MOST];
  Run *f;
  const int n_in = (int)lua_rawlen(L, 3), n_out = (int)lua_rawlen(L, 4);
  *(void **)&f = dlsym(lua_touserdata(L, 1), luaL_checkstring(L, 2));
  if (!f) return luaL_error(L, "%s", dlerror());
  luaL_argcheck(L, n_in + n_out < MOST && lua_rawlen(L, 6) < MOST, 3, "too many");
  luaL_checkstack(L, 4 * n_in + 2 * n_out + 16, NULL);
  for (int i = 0; i < n_in; i++) {
    lua_rawgeti(L, 3, i + 1);
    array[i] = operand(L, false);
  }
  for (int i = 0; i < n_out; i++) {
    lua_rawgeti(L, 4, i + 1);
    array[n_in + i] = operand(L, true);
  }
  const int64_t *whole = whole_numbers(L, 5), *sizes = whole_numbers(L, 7);
  for (int i = 0; i < (int)lua_rawlen(L, 6); i++) {
    lua_rawgeti(L, 6, i + 1);
    number[i] = luaL_checknumber(L, -1);
    lua_pop(L, 1);
  }
  const int n_written = (int)lua_rawlen(L, 8);
  for (int i = 0; i < n_written; i++) { /* Lua's strings are constant */
    size_t bytes;
    lua_rawgeti(L, 8, i + 1);
    const int place = (int)luaL_checkinteger(L, -1);
    lua_rawgeti(L, 3, place);
    const char *from = luaL_checklstring(L, -1, &bytes);
    array[place - 1] = memcpy(lua_newuserdatauv(L, bytes + 1, 0), from, bytes);
  }
  f(array, whole, number, sizes);
  lua_createtable(L, n_out, 0);
  for (int i = 0; i < n_out; i++) {
    lua_rawgeti(L, 4, i + 1);
    push_bytes(L, array[n_in + i]);
    lua_rawseti(L, -2, i + 1);
  }
  for (int i = 0; i < n_written; i++) {
    lua_rawgeti(L, 8, i + 1);
    const int place = (int)lua_tointeger(L, -1);
    lua_rawgeti(L, 3, place);
    lua_pushlstring(L, array[place - 1], lua_rawlen(L, -1));
    lua_rawseti(L, -4, n_out + i + 1);
    lua_pop(L, 2);
  }
  return 1;
}

int luaopen_plain(lua_State *L) {
  const luaL_Reg functions[] = { { "open", open_object }, { "run", run }, { NULL, NULL } };
  luaL_newlib(L, functions);
  return 1;
}
