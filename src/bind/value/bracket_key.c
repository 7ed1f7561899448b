/* bracket_key.c - see bracket_key.h. */
#include "bind/value/bracket_key.h"

static int64_t integer_from(lua_State *L, int index) {
  int exact;
  if (lua_type(L, index) != LUA_TNUMBER)
    raise_error(L, "index: expected an integer or a slice, got %s", type_name(L, index));
  lua_Integer v = lua_tointegerx(L, index, &exact);
  if (!exact) raise_error(L, "index: expected an integer, got %.14g", lua_tonumber(L, index));
  return v;
}

static int64_t bound_from(lua_State *L, int index) {
  return lua_isnil(L, index) || is_null(L, index) ? NONE : integer_from(L, index);
}

/* {}: the whole axis; {b, e} and {b, e, step}: a slice; {b}: from index b to the end. */
static KeyPart part_from_table(lua_State *L, int table) {
  KeyPart a = KEY_WHOLE;
  int64_t *bound[] = { &a.begin, &a.end, &a.step };
  for (int i = 0; i < 3; i++) {
    lua_rawgeti(L, table, i + 1);
    *bound[i] = bound_from(L, -1);
    lua_pop(L, 1);
  }
  return a;
}

static KeyPart part_from_value(lua_State *L, int index) {
  if (lua_type(L, index) == LUA_TNUMBER)
    return (KeyPart){ .kind = KEY_SINGLE, .begin = integer_from(L, index), .end = NONE, .step = NONE };
  index = lua_absindex(L, index);
  if (lua_istable(L, index)) return part_from_table(L, index);
  if (is_null(L, index)) return (KeyPart){ .kind = KEY_NEW };
  if (is_operand(L, index)) return (KeyPart){ .kind = KEY_ARRAY };
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
  KeyPart part;
  if (text && key_part_read(&text, &part) && *text == '\0' && part.kind != KEY_ARRAY) return part;
  integer_from(L, index);                  /* raises */
  return KEY_WHOLE;
}

static const char unknown_key;

int index_key_set_unknown(lua_State *L) {
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &unknown_key);
  return 0;
}

/* Raises for an unknown name, as in x:summ(). */
static void unknown_name(lua_State *L, const char *name) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &unknown_key);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
  raise_error(L, "index: '%s' is not a field, a method or a slice such as \"1:3, ::2\"%s", name,
              luaL_optstring(L, -1, ""));
}

/* Records that an index array is at stack index `at`. */
static void take_array(lua_State *L, IndexKey *out, int at) {
  int n = key_arrays(&out->key);
  if (n > MAX_DIMS) raise_error(L, "index: expected at most %d arrays, got more", MAX_DIMS);
  out->array[n - 1] = at;
}

static void read_text(lua_State *L, const char *text, Key *key) {
  if (!key_read(text, key) || key_arrays(key) > 0) unknown_name(L, text);
}

static void read_table(lua_State *L, int table, IndexKey *out) {
  Key *key = &out->key;
  int n = (int)lua_rawlen(L, table);
  if (n > MOST_KEY_PARTS) raise_error(L, "index: expected at most %d axes, got %d", MAX_DIMS, n);
  while (key->n < n) {
    KeyPart *part = &key->part[key->n++];
    lua_rawgeti(L, table, key->n);
    *part = part_from_value(L, -1);
    if (part->kind == KEY_ARRAY) take_array(L, out, lua_gettop(L));
    else lua_pop(L, 1);
  }
  if (has_stray_key(L, table, n)) raise_error(L, "index: %s", STRAY_KEY);
}

void index_key_read(lua_State *L, int index, IndexKey *out) {
  Key *key = &out->key;
  key->n = 0;
  key->zero_dims = false;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER: key->part[key->n++] = part_from_value(L, index); return;
    case LUA_TSTRING: read_text(L, lua_tostring(L, index), key); return;
    case LUA_TTABLE: read_table(L, index, out); return;
    default: break;
  }
  if (!is_null(L, index) && !is_operand(L, index))
    raise_error(L, "index: expected an integer, a slice, a table of these or an NDArray, got %s%s", type_name(L, index),
                lua_isboolean(L, index) ? "; Lua's == gives true or false; write x:equal(y):astype \"bool\"" : "");
  key->part[key->n++] = part_from_value(L, index);
  if (key->part[0].kind == KEY_ARRAY) take_array(L, out, lua_absindex(L, index));
}
