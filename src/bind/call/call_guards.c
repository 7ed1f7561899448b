/* call_guards.c - guards: the places that a trace read other than its arguments, with their values. A compiled
** call is exact while all of them hold.
**
** A place is an entry of a table, a field (perhaps computed by a metatable), an upvalue, a metatable, the length of a
** list, the number of a table's entries, the order of its keys, all fields of a block, the values of a small array that
** the script read as numbers, the memory of an array's gradient, or the print options.
**
** Values are compared as exactly as a script can: 1 and 1.0 differ, so do 0.0 and -0.0, all NaNs are equal, and objects
** are compared by identity. A check allocates nothing and runs no Lua code, except for values of arrays and for fields
** that the script's metatables compute. It costs 20 to 30 ns in a compiled call.
*/
#include "bind/call/call_guards.h"

#include <string.h>

#include <lauxlib.h>

#include "bind/core/coroutine.h"
#include "bind/core/lua_object.h"

/* clang-format off */
typedef enum PlaceKind {
  PLACE_ENTRY, PLACE_FIELD, PLACE_UPVALUE, PLACE_NEXT, PLACE_FIELDS, LAST_WITH_KEY = PLACE_FIELDS,
  PLACE_METATABLE, PLACE_LENGTH, PLACE_COUNT, PLACE_VALUES, PLACE_GRADIENT, PLACE_PRINT, N_PLACES
} PlaceKind;
/* clang-format on */

/* clang-format off */
static const char *const kinds[] = { "entry", "field", "upvalue", "next", "fields", "metatable", "length", "count",
                                     "values", "gradient", "printing", NULL };
/* clang-format on */

typedef struct Guard {
  PlaceKind kind;
  int type;                  /* Lua's type of the value */
  bool is_integer;
  union { lua_Integer i; lua_Number x; const void *object; } value;
} Guard;

/* The user value is { holder, key, value, holder, key, value, ... }. */
struct Guards {
  const void *tag;
  int n;
  Guard at[];
};

static const char guards_tag;

static void read_value(lua_State *L, int index, Guard *g) {
  g->type = lua_type(L, index);
  g->is_integer = lua_isinteger(L, index);
  if (g->type == LUA_TNUMBER && g->is_integer) g->value.i = lua_tointeger(L, index);
  else if (g->type == LUA_TNUMBER) g->value.x = lua_tonumber(L, index);
  else if (g->type == LUA_TBOOLEAN) g->value.i = lua_toboolean(L, index);
  else g->value.object = lua_topointer(L, index);
}

/* Is the value on top the guard's value? A long string, which Lua does not intern, is compared with places[kept]. */
static bool holds(lua_State *L, const Guard *g, int places, lua_Integer kept) {
  if (lua_type(L, -1) != g->type) return false;
  switch (g->type) {
    case LUA_TNIL: return true;
    case LUA_TBOOLEAN: return lua_toboolean(L, -1) == g->value.i;
    case LUA_TNUMBER: {
      if ((bool)lua_isinteger(L, -1) != g->is_integer) return false;
      if (g->is_integer) return lua_tointeger(L, -1) == g->value.i;
      lua_Number now = lua_tonumber(L, -1), then = g->value.x;
      return memcmp(&now, &then, sizeof now) == 0 || (now != now && then != then);
    }
    case LUA_TSTRING: {
      if (lua_topointer(L, -1) == g->value.object) return true;
      lua_rawgeti(L, places, kept);
      bool same = lua_rawequal(L, -1, -2);
      lua_pop(L, 1);
      return same;
    }
    default: return lua_topointer(L, -1) == g->value.object;
  }
}

static lua_Integer count_entries(lua_State *L, int index) {
  lua_Integer n = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) n++;
  return n;
}

/* Does a block's store still have the fields of a list { number of fields ever assigned, name, value, name, value, ...,
** n = its length }? Compares values as guards do. */
static bool same_fields(lua_State *L, int store, int list) {
  int top = lua_gettop(L);
  lua_getfield(L, list, "n");
  lua_Integer n = lua_tointeger(L, -1);
  lua_pushliteral(L, "_n_assigned");
  lua_rawget(L, store);
  lua_rawgeti(L, list, 1);
  bool same = lua_rawequal(L, -1, -2);
  for (lua_Integer i = 2; same && i < n; i += 2) {
    Guard g = { 0 };
    lua_settop(L, top);
    lua_rawgeti(L, list, i + 1);
    read_value(L, top + 1, &g);
    lua_rawgeti(L, list, i);
    lua_rawget(L, store);
    same = holds(L, &g, list, i + 1);
  }
  lua_settop(L, top);
  return same;
}

/* Does next() still return the keys of a list { start = the key before them, n = their number, key, key, ... }? The
** last key may be nil, the end (gluon/hybridize/walked_keys.lua). */
static bool same_keys(lua_State *L, int table, int list) {
  int top = lua_gettop(L);
  lua_getfield(L, list, "n");
  lua_Integer n = lua_tointeger(L, -1);
  bool same = true;
  lua_getfield(L, list, "start");
  if (!lua_isnil(L, -1)) {                 /* next raises for a missing key */
    lua_pushvalue(L, -1);
    same = lua_rawget(L, table) != LUA_TNIL;
    lua_pop(L, 1);
  }
  for (lua_Integer i = 1; same && i <= n; i++) {
    bool more = lua_next(L, table);
    if (more) lua_pop(L, 1);
    lua_rawgeti(L, list, i);
    same = more ? lua_rawequal(L, -1, -2) : lua_isnil(L, -1) && i == n;
    lua_pop(L, 1);
  }
  lua_settop(L, top);
  return same;
}

/* Pushes the current value of a place with holder places[at] and key places[at + 1]. */
static void push_now(lua_State *L, PlaceKind kind, int places, lua_Integer at) {
  lua_rawgeti(L, places, at);
  int holder = lua_gettop(L);
  if (kind <= LAST_WITH_KEY) lua_rawgeti(L, places, at + 1);
  switch (kind) {
    case PLACE_ENTRY: lua_rawget(L, holder); break;
    case PLACE_FIELD: lua_gettable(L, holder); break;
    case PLACE_UPVALUE: {
      int i = (int)lua_tointeger(L, -1);
      lua_pop(L, 1);
      if (!lua_getupvalue(L, holder, i)) lua_pushnil(L);
      break;
    }
    case PLACE_METATABLE:
      if (!lua_getmetatable(L, holder)) lua_pushnil(L);
      break;
    case PLACE_LENGTH: lua_pushinteger(L, (lua_Integer)lua_rawlen(L, holder)); break;
    case PLACE_COUNT: lua_pushinteger(L, count_entries(L, holder)); break;
    case PLACE_FIELDS: lua_pushboolean(L, same_fields(L, holder, holder + 1)); break;
    case PLACE_NEXT: lua_pushboolean(L, same_keys(L, holder, holder + 1)); break;
    case PLACE_PRINT:
      coroutine_enter(L);
      lua_pushlstring(L, (const char *)&engine_now()->print, sizeof engine_now()->print);
      break;
    case PLACE_VALUES: {
      const Array *a = to_array(L, holder);
      if (array_freed(a)) lua_pushnil(L);
      else push_bytes(L, a);
      break;
    }
    case PLACE_GRADIENT: {
      const Node *n = to_array(L, holder)->node;
      if (n && n->leaf && n->leaf->req != GRAD_NULL) lua_pushlightuserdata(L, n->leaf->grad.storage);
      else lua_pushnil(L);
      break;
    }
    case N_PLACES: break;
  }
}

int guards_broken(lua_State *L, const Guards *g, int index) {
  if (g->n == 0) return -1;
  luaL_checkstack(L, 8, "guards");
  index = lua_absindex(L, index);
  lua_getiuservalue(L, index, 1);
  int places = lua_gettop(L), broken = -1;
  for (int i = 0; i < g->n && broken < 0; i++) {
    push_now(L, g->at[i].kind, places, 3 * (lua_Integer)i + 1);
    if (!holds(L, &g->at[i], places, 3 * (lua_Integer)i + 3)) broken = i;
    lua_settop(L, places);
  }
  lua_pop(L, 1);
  return broken;
}

bool guards_none(const Guards *g) { return g->n == 0; }

Guards *to_guards(lua_State *L, int index) {
  Guards *g = lua_touserdata(L, index);
  return g && lua_rawlen(L, index) >= sizeof *g && g->tag == &guards_tag ? g : NULL;
}

static PlaceKind check_kind(lua_State *L, int index) {
  const char *name = lua_tostring(L, index);
  for (int k = 0; name && k < N_PLACES; k++)
    if (strcmp(kinds[k], name) == 0) return (PlaceKind)k;
  return (PlaceKind)raise_error(L, "guards: kind: unknown");
}

/* Can a place of this kind have this holder? */
static bool fits(lua_State *L, PlaceKind kind, int holder) {
  if (kind == PLACE_UPVALUE) return lua_isfunction(L, holder);
  if (kind == PLACE_METATABLE) return true;          /* numbers and strings have metatables, too */
  if (kind == PLACE_VALUES || kind == PLACE_GRADIENT || kind == PLACE_PRINT) return to_array(L, holder) != NULL;
  return kind == PLACE_FIELD ? lua_istable(L, holder) || lua_isuserdata(L, holder) : lua_istable(L, holder);
}

/* new(list of { kind =, holder =, key =, value = }) -> guards */
static int guards_new(lua_State *L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_settop(L, 1);
  int n = check_length(L, 1, "guards");
  Guards *g = lua_newuserdatauv(L, sizeof *g + (size_t)n * sizeof *g->at, 1);
  g->tag = NULL;
  lua_createtable(L, 3 * n, 0);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, 1, i + 1);
    if (!lua_istable(L, 4)) return raise_error(L, "guards: expected a list of tables");
    lua_getfield(L, 4, "kind");
    g->at[i].kind = check_kind(L, -1);
    lua_getfield(L, 4, "holder");
    if (!fits(L, g->at[i].kind, -1)) return raise_error(L, "guards: holder: got %s", type_name(L, -1));
    lua_rawseti(L, 3, 3 * (lua_Integer)i + 1);
    lua_getfield(L, 4, "key");
    lua_rawseti(L, 3, 3 * (lua_Integer)i + 2);
    lua_getfield(L, 4, "value");
    read_value(L, -1, &g->at[i]);
    lua_rawseti(L, 3, 3 * (lua_Integer)i + 3);
    lua_settop(L, 3);
  }
  lua_setiuservalue(L, 2, 1);
  g->n = n;
  g->tag = &guards_tag;
  return 1;
}

/* first_broken(guards) -> the index, counted from 1, of the first guard that does not hold, and the current value; nil
** if all hold */
static int first_broken(lua_State *L) {
  const Guards *g = to_guards(L, 1);
  if (!g) return raise_error(L, "expected guards, got %s", type_name(L, 1));
  int i = guards_broken(L, g, 1);
  if (i < 0) return 0;
  lua_settop(L, 1);
  lua_pushinteger(L, i + 1);
  lua_getiuservalue(L, 1, 1);
  push_now(L, g->at[i].kind, 3, 3 * (lua_Integer)i + 1);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  return 2;
}

/* read(kind, holder, key) -> the current value of the place */
static int read_place(lua_State *L) {
  lua_settop(L, 3);
  PlaceKind kind = check_kind(L, 1);
  if (!fits(L, kind, 2)) return raise_error(L, "guard: holder: got %s", type_name(L, 2));
  lua_createtable(L, 2, 0);
  lua_pushvalue(L, 2);
  lua_rawseti(L, 4, 1);
  lua_pushvalue(L, 3);
  lua_rawseti(L, 4, 2);
  push_now(L, kind, 4, 1);
  return 1;
}

/* same_value(a, b): are they the same value, as guards compare values? */
static int same_value(lua_State *L) {
  Guard g = { 0 };
  lua_settop(L, 2);
  read_value(L, 1, &g);
  lua_createtable(L, 1, 0);
  lua_pushvalue(L, 1);
  lua_rawseti(L, 3, 1);
  lua_pushvalue(L, 2);
  return return_boolean(L, holds(L, &g, 3, 1));
}

void open_guard(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "new", guards_new }, { "first_broken", first_broken }, { "read", read_place }, { "same_value", same_value },
    { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
