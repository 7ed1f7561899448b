/* call_key.c - see call_key.h.
**
** A value is written as a letter and its data. An array has its dtype and number of dimensions, or its index if it
** appeared before; np's has a letter of its own, and under npx.set_np, or with another default dtype, a key begins with
** a letter more. Other values are exact, so 1 and 1.0 differ, and so do 0.0 and -0.0. A table has its list and then its
** other entries, sorted by key, so the order in which a table was filled does not matter.
*/
#include "bind/call/call_key.h"

#include <stdlib.h>
#include <string.h>

#include "bind/core/coroutine.h"

enum { MOST_DEEP = 100, MANY_LEAVES = 32 };

/* ---- Capacity ---------------------------------------------------------------------------------------- */

/* Makes a userdata of `size` bytes, with the first n bytes of `old`, at stack index `at`. */
static void *grow(lua_State *L, int at, const void *old, size_t n, size_t size) {
  void *memory = lua_newuserdatauv(L, size, 0);
  if (n) memcpy(memory, old, n);
  lua_replace(L, at);
  return memory;
}

static void put(lua_State *L, CallKey *k, const void *bytes, size_t n) {
  if (k->n + n > k->capacity) {
    size_t capacity = 2 * (k->n + n);
    k->bytes = grow(L, k->at, k->bytes, k->n, capacity);
    k->capacity = capacity;
  }
  memcpy(k->bytes + k->n, bytes, n);
  k->n += n;
}

static void put_letter(lua_State *L, CallKey *k, char letter) { put(L, k, &letter, 1); }

static void put_value(lua_State *L, CallKey *k, char letter, const void *value, size_t n) {
  char both[16] = { letter };
  memcpy(both + 1, value, n);
  put(L, k, both, n + 1);
}

/* ---- Arrays ------------------------------------------------------------------------------------------ */

static uint32_t slot_of(const CallKey *k, const Array *a) {
  uint64_t h = (uint64_t)(uintptr_t)a * 0x9E3779B97F4A7C15u;
  return (uint32_t)(h >> 32) & (k->index_size - 1);
}

static void index_argument(CallKey *k, int argument) {
  uint32_t s = slot_of(k, k->argument[argument]);
  while (k->index[s] >= 0) s = (s + 1) & (k->index_size - 1);
  k->index[s] = argument;
}

/* Makes room for one more argument; the index stays at most half full. */
static void grow_arguments(lua_State *L, CallKey *k) {
  if (k->n_arguments < k->argument_capacity) return;
  k->argument_capacity *= 2;
  k->argument = grow(L, k->at + 1, k->argument, (size_t)k->n_arguments * sizeof *k->argument,
                     (size_t)k->argument_capacity * sizeof *k->argument);
  k->index_size = 2 * (uint32_t)k->argument_capacity;
  k->index = grow(L, k->at + 2, NULL, 0, k->index_size * sizeof *k->index);
  memset(k->index, -1, k->index_size * sizeof *k->index);
  for (int i = 0; i < k->n_arguments; i++) index_argument(k, i);
}

/* The argument's index; n_arguments if it is new. */
static int find_argument(const CallKey *k, const Array *a) {
  int i = 0;
  if (!k->index) {
    while (i < k->n_arguments && k->argument[i] != a) i++;
    return i;
  }
  uint32_t s = slot_of(k, a);
  while (k->index[s] >= 0 && k->argument[k->index[s]] != a) s = (s + 1) & (k->index_size - 1);
  return k->index[s] >= 0 ? k->index[s] : k->n_arguments;
}

static bool read_array(lua_State *L, CallKey *k, Array *a, int at) {
  if (array_freed(a)) return false;
  int32_t i = find_argument(k, a);
  if (i < k->n_arguments) {
    put_value(L, k, '=', &i, sizeof i);
    return true;
  }
  grow_arguments(L, k);
  k->argument[k->n_arguments] = a;
  if (k->index) index_argument(k, k->n_arguments);
  k->n_arguments++;
  if (k->list) {
    lua_pushvalue(L, at);
    lua_rawseti(L, k->list, k->n_arguments);
  }
  put_value(L, k, array_kind(a) == KIND_ND ? 'A' : 'a',
            (uint8_t[]){ (uint8_t)a->t.type.dtype, (uint8_t)a->t.type.shape.ndim }, 2);
  return true;
}

/* ---- Tables ------------------------------------------------------------------------------------------ */

/* The key of an entry outside the list. */
typedef struct EntryKey {
  int rank;                  /* booleans, integers, floats, strings */
  lua_Integer i;
  lua_Number x;
  const char *text;
  size_t n;
  int at;                    /* on the stack */
} EntryKey;

static int compare_keys(const void *x, const void *y) {
  const EntryKey *a = x, *b = y;
  if (a->rank != b->rank) return a->rank < b->rank ? -1 : 1;
  if (a->rank < 2) return (a->i > b->i) - (a->i < b->i);
  if (a->rank == 2) return (a->x > b->x) - (a->x < b->x);
  int order = memcmp(a->text, b->text, a->n < b->n ? a->n : b->n);
  return order ? order : (a->n > b->n) - (a->n < b->n);
}

static bool read_key(lua_State *L, int at, EntryKey *key) {
  *key = (EntryKey){ .at = at };
  switch (lua_type(L, at)) {
    case LUA_TBOOLEAN: key->i = lua_toboolean(L, at); return true;
    case LUA_TNUMBER:
      key->rank = lua_isinteger(L, at) ? 1 : 2;
      if (key->rank == 1) key->i = lua_tointeger(L, at);
      else key->x = lua_tonumber(L, at);
      return true;
    case LUA_TSTRING:
      key->rank = 3;
      key->text = lua_tolstring(L, at, &key->n);
      return true;
    default: return false;
  }
}

static bool read(lua_State *L, CallKey *k, int at, int depth);

static bool is_item(lua_State *L, int at, lua_Integer n) {
  return lua_isinteger(L, at) && lua_tointeger(L, at) >= 1 && lua_tointeger(L, at) <= n;
}

/* Reads the entries outside the list of n items, sorted by key. */
static bool read_entries(lua_State *L, CallKey *k, int table, lua_Integer n, int depth) {
  enum { FEW = 16 };
  EntryKey few[FEW], *key = few;
  int count = 0, top = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table);) {
    lua_pop(L, 1);                                        /* the value */
    if (is_item(L, -1, n)) continue;
    if (!lua_checkstack(L, 8)) return false;
    lua_pushvalue(L, -1);                                 /* keeps the key below lua_next's */
    count++;
  }
  if (count == 0) return true;
  if (count > FEW) {
    key = lua_newuserdatauv(L, (size_t)count * sizeof *key, 0);
    lua_insert(L, top + 1);                               /* below the kept keys */
    top++;
  }
  for (int i = 0; i < count; i++)
    if (!read_key(L, top + 1 + i, &key[i])) return false;
  if (count > 1) qsort(key, (size_t)count, sizeof *key, compare_keys);
  for (int i = 0; i < count; i++) {
    if (!read(L, k, key[i].at, depth)) return false;
    lua_pushvalue(L, key[i].at);
    lua_rawget(L, table);
    if (!read(L, k, lua_gettop(L), depth)) return false;
    lua_pop(L, 1);
  }
  return true;
}

static bool read_table(lua_State *L, CallKey *k, int table, int depth) {
  TableKind kind = table_kind(L, table);
  if (kind == TABLE_OTHER || depth > MOST_DEEP || !lua_checkstack(L, 16)) return false;
  int top = lua_gettop(L);
  lua_Integer n = (lua_Integer)lua_rawlen(L, table);
  put_value(L, k, kind == TABLE_SHAPE ? '(' : '{', &n, sizeof n);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, table, i);
    if (!read(L, k, top + 1, depth + 1)) return false;
    lua_settop(L, top);
  }
  if (!read_entries(L, k, table, n, depth + 1)) return false;
  lua_settop(L, top);
  put_letter(L, k, '}');
  return true;
}

/* ---- Values ------------------------------------------------------------------------------------------- */

static bool read(lua_State *L, CallKey *k, int at, int depth) {
  switch (lua_type(L, at)) {
    case LUA_TUSERDATA: {
      Array *a = to_array(L, at);
      return a && read_array(L, k, a, at);
    }
    case LUA_TNIL: put_letter(L, k, 'N'); return true;
    case LUA_TBOOLEAN: put_letter(L, k, lua_toboolean(L, at) ? 'T' : 'F'); return true;
    case LUA_TNUMBER:
      if (lua_isinteger(L, at)) {
        lua_Integer i = lua_tointeger(L, at);
        put_value(L, k, 'I', &i, sizeof i);
      } else {
        lua_Number x = lua_tonumber(L, at);
        put_value(L, k, 'X', &x, sizeof x);
      }
      return true;
    case LUA_TSTRING: {
      size_t n;
      const char *text = lua_tolstring(L, at, &n);
      put_value(L, k, 'S', &n, sizeof n);
      put(L, k, text, n);
      return true;
    }
    case LUA_TTABLE: return read_table(L, k, at, depth);
    default: return false;
  }
}

bool call_key_read(lua_State *L, int first, int last, int list, uint64_t numbers, CallKey *k) {
  luaL_checkstack(L, 16, "arguments");
  k->at = lua_gettop(L) + 1;
  for (int i = 0; i < KEY_SLOTS; i++) lua_pushnil(L);
  k->bytes = k->few_bytes;
  k->n = 0;
  k->capacity = sizeof k->few_bytes;
  k->argument = k->few_arguments;
  k->n_arguments = 0;
  k->argument_capacity = MANY_LEAVES;
  k->list = list;
  k->index = NULL;
  bool all = true;
  if (state_now()->np_array) put_letter(L, k, 'P');
  if (state_now()->default_float64) put_letter(L, k, 'D');
  for (int i = first; i <= last && all; i++) {
    const bool bound = numbers && i - first < 64 && numbers >> (i - first) & 1 && lua_type(L, i) == LUA_TNUMBER;
    if (bound) put_letter(L, k, 'R');
    else all = read(L, k, i, 1);
  }
  lua_settop(L, k->at + KEY_SLOTS - 1);
  return all;
}

/* bound_key(numbers, arguments...) -> the key as a string, and the list of the arrays; nil if compiled calls reject an
** argument. numbers: as for call_key_read */
static int bound_key(lua_State *L) {
  CallKey k;
  int n = lua_gettop(L);
  state_enter(L);
  const uint64_t numbers = (uint64_t)luaL_checkinteger(L, 1);
  lua_newtable(L);
  if (!call_key_read(L, 2, n, n + 1, numbers, &k)) return 0;
  lua_pushlstring(L, (const char *)k.bytes, k.n);
  lua_pushvalue(L, n + 1);
  return 2;
}

void open_call_key(lua_State *L) { set_function(L, "bound_key", bound_key); }
