/* np_value.c - np's kind of arrays and Symbols: its metatables, conversion between the kinds, and the mode of set_np.
**
** The kinds share memory and tape: x:as_np_ndarray() is another userdata for the same array. The metatables are made
** when lua/hybridlua/np is loaded, before any value of the kind exists; until then a script pays nothing for them.
*/
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/core/tape_anchor.h"
#include "bind/trace/graph_breaks.h"
#include "bind/value/np_promotion.h"
#include "tensor/print_array.h"

/* Sets the class's index function again, with the methods at stack index `methods` as upvalue 1; metatable on top. */
static void set_methods(lua_State *L, int methods) {
  lua_getfield(L, -1, "__index");
  const lua_CFunction index = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  lua_pushvalue(L, methods);
  lua_pushcclosure(L, index, 1);
  lua_setfield(L, -2, "__index");
}

/* begin(methods of arrays, methods of Symbols, tostring of arrays): makes the metatables */
static int begin(lua_State *L) {
  enum { ARRAY_METHODS = 1, SYMBOL_METHODS, TOSTRING };
  lua_settop(L, TOSTRING);
  new_kind(L);
  push_array_metatable(L, KIND_NP);
  set_methods(L, ARRAY_METHODS);
  lua_pushvalue(L, TOSTRING);
  lua_setfield(L, -2, "__tostring");
  push_symbol_metatable(L, KIND_NP);
  set_methods(L, SYMBOL_METHODS);
  return 0;
}

/* as_kind(x, np) -> the same array or Symbol as a value of that kind */
static int as_kind(lua_State *L) {
  const Symbol *s = to_symbol(L, 1);
  const bool np = lua_toboolean(L, 2);
  if (s) {
    push_symbol(L, s->entry, s->n);
  } else {
    Array *from = check_array(L, 1);
    pace_collector(L);
    const bool anchored = push_anchor_of(L, &from, 1);
    Array *to = push_array(L);
    *to = array_share(from);
    if (anchored) set_anchor(L, -1, -2);
  }
  if (np) make_np(L, -1);
  return 1;
}

/* is(x): is it an array or a Symbol of np's kind? */
static int is_np(lua_State *L) { return return_boolean(L, value_kind(L, 1) == KIND_NP); }

/* mark(x) -> x, a new array or Symbol or a list of these, now of np's kind */
static int mark(lua_State *L) {
  lua_settop(L, 1);
  make_np(L, 1);
  return 1;
}

/* tostring of np's arrays: as NumPy's repr */
static int array_code(lua_State *L) {
  Array *a = to_array(L, 1);
  if (!a) return raise_error(L, "expected an NDArray, got %s", type_name(L, 1));
  if (array_freed(a)) {
    lua_pushliteral(L, "<np.ndarray, freed>");
    return 1;
  }
  coroutine_enter(L);
  breaks_read(L, "tostring(x)");
  Text *text = push_text(L);
  print_tensor_code(text, &a->t, &engine_now()->print);
  take_text(L, text);
  return 1;
}

/* shares_memory(a, b): have two arrays elements in common memory? */
static int shares_memory(lua_State *L) {
  const Tensor *a = &check_array(L, 1)->t, *b = &check_array(L, 2)->t;
  const char *p = a->data, *q = b->data;
  const bool apart = p + tensor_bytes(a) <= q || q + tensor_bytes(b) <= p;
  return return_boolean(L, a->storage == b->storage && !apart);
}

/* mode(shape or nil, array or nil) -> the modes before: do Gluon's arrays have sizes of 0 and (), and are they np's? */
static int mode(lua_State *L) {
  coroutine_enter(L);
  State *s = state_now();
  const bool shape = s->np_shape, array = s->np_array;
  if (!lua_isnoneornil(L, 1)) s->np_shape = lua_toboolean(L, 1);
  if (!lua_isnoneornil(L, 2)) s->np_array = lua_toboolean(L, 2);
  lua_pushboolean(L, shape);
  lua_pushboolean(L, array);
  return 2;
}

void open_np(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = { { "begin", begin }, { "as_kind", as_kind }, { "is", is_np }, { "mark", mark },
                                 { "mode", mode }, { "shares_memory", shares_memory }, { "tostring", array_code },
                                 { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
