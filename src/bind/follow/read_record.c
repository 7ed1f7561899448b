/* read_record.c - see read_record.h.
**
** Places are found by kind, holder and key in a hash table in C, because a lookup in the hook must not allocate in Lua.
** Objects are identified by address, so Lua must keep them until the record is freed: holders, keys and values in the
** list of places, written keys and other outside objects in the table of kept objects.
*/
#include "bind/follow/read_record.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "bind/core/lua_object.h"

static const char *const kinds[READ_KINDS] = { "entry", "upvalue", "metatable", "length", "next", "object" };

struct ReadPlace {
  ReadKind kind;
  int from;                  /* number of the place that its holder came from; 0 if the caller listed it */
  Origin line;
  bool dropped;              /* the trace wrote it later, and the caller allows that */
};

/* A key in the form in which it is compared, by the rules of tables. */
typedef struct PlaceKey { int type; uint64_t bits; } PlaceKey;

enum { PLACE_WRITTEN = -1 };
struct PlaceEntry {
  bool used;
  ReadKind kind;
  const void *holder;
  PlaceKey key;
  int number;                /* of the read, counted from 1; or PLACE_WRITTEN */
};

/* ---- Objects kept by Lua --------------------------------------------------------------------------------------- */

static int keep_object(lua_State *L) {
  push_kept(L, KEEP_OBJECTS);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 1);
  lua_rawset(L, -3);
  return 0;
}

/* (number, holder, key, value) */
static int keep_place(lua_State *L) {
  lua_Integer at = 3 * (lua_tointeger(L, 1) - 1);
  push_kept(L, KEEP_PLACES);
  for (int i = 4; i >= 2; i--) {
    lua_pushvalue(L, i);
    lua_rawseti(L, -2, at + i - 1);
  }
  return 0;
}

static void keep(lua_State *L, int index) {
  if (lua_isnil(L, index)) return;
  lua_pushvalue(L, index);
  follow_protected(L, keep_object, 1, 0);
}

/* ---- Places -------------------------------------------------------------------------------------------------- */

enum { MOST_SHORT = 40 };    /* bytes of the longest string that Lua interns */

/* A long string is identified by the address of the first string with its content. */
static const void *string_address(lua_State *L, int index) {
  if (lua_rawlen(L, index) <= MOST_SHORT) return lua_topointer(L, index);
  push_kept(L, KEEP_OBJECTS);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    keep(L, index);
    lua_pop(L, 2);
    return lua_topointer(L, index);
  }
  const void *first = lua_topointer(L, -1);
  lua_pop(L, 2);
  return first;
}

static PlaceKey key_of(lua_State *L, int index) {
  PlaceKey k = { lua_type(L, index), 0 };
  lua_Integer i;
  switch (k.type) {
    case LUA_TNIL: break;
    case LUA_TBOOLEAN: k.bits = (uint64_t)lua_toboolean(L, index); break;
    case LUA_TNUMBER: {
      lua_Number x = lua_tonumber(L, index);
      if (lua_isinteger(L, index)) k.bits = (uint64_t)lua_tointeger(L, index);
      else if (floor(x) == x && lua_numbertointeger(x, &i)) k.bits = (uint64_t)i;
      else {
        k.type = LUA_NUMTYPES;
        memcpy(&k.bits, &x, sizeof x);
      }
      break;
    }
    case LUA_TSTRING: k.bits = (uintptr_t)string_address(L, index); break;
    default: k.bits = (uintptr_t)lua_topointer(L, index);
  }
  return k;
}

static PlaceEntry *place_in(PlaceEntry *table, int room, ReadKind kind, const void *holder, PlaceKey key) {
  uint64_t h = ((uintptr_t)holder ^ key.bits * 0xff51afd7ed558ccdu ^ (uint64_t)kind << 7) * 0x9E3779B97F4A7C15u;
  uint32_t at = (uint32_t)(h >> 32) & (uint32_t)(room - 1);
  for (;; at = (at + 1) & (uint32_t)(room - 1)) {
    PlaceEntry *e = &table[at];
    bool same = e->kind == kind && e->holder == holder && e->key.type == key.type && e->key.bits == key.bits;
    if (!e->used || same) return e;
  }
}

/* The place's entry, with number 0 if it is new; NULL if memory runs out. An upvalue is identified without its index,
** which differs between functions. */
static PlaceEntry *place_of(lua_State *L, ReadKind kind, const void *holder, int key_index) {
  Follow *f = follow_now();
  const PlaceKey key = kind == READ_UPVALUE ? (PlaceKey){ LUA_TNIL, 0 } : key_of(L, key_index);
  if (2 * f->entries >= f->entry_room) {
    int room = f->entry_room ? 2 * f->entry_room : 64;
    PlaceEntry *wider = object_new((size_t)room * sizeof *wider);
    if (!wider) {
      f->starved = true;
      return NULL;
    }
    for (int i = 0; i < f->entry_room; i++)
      if (f->entry[i].used) *place_in(wider, room, f->entry[i].kind, f->entry[i].holder, f->entry[i].key) = f->entry[i];
    object_free(f->entry);
    f->entry = wider;
    f->entry_room = room;
  }
  PlaceEntry *e = place_in(f->entry, f->entry_room, kind, holder, key);
  if (!e->used) {
    *e = (PlaceEntry){ .used = true, .kind = kind, .holder = holder, .key = key };
    f->entries++;
  }
  return e;
}

/* The number of the place that the holder came from. */
static int origin_number(const Follow *f, const void *holder) {
  int from = map_get(&f->outside, holder);
  return from < 0 ? 0 : from;
}

/* Adds a read of a new place; returns its number, or 0 if memory ran out. */
static int add_place(lua_State *L, ReadKind kind, int holder, int key, int value) {
  Follow *f = follow_now();
  ReadPlace *wider = object_widen(f->read, (int64_t)f->n_read + 1, &f->read_room, sizeof *f->read);
  if (!wider) {
    f->starved = true;
    return 0;
  }
  f->read = wider;
  f->read[f->n_read++] = (ReadPlace){ kind, origin_number(f, lua_topointer(L, holder)), origin_here(L), false };
  lua_pushinteger(L, f->n_read);
  lua_pushvalue(L, holder);
  lua_pushvalue(L, key);
  lua_pushvalue(L, value);
  follow_protected(L, keep_place, 4, 0);
  return f->n_read;
}

/* Records a place at its first read, unless the trace wrote it before; returns its number, or 0. */
static int add(lua_State *L, ReadKind kind, const void *id, int holder, int key, int value) {
  PlaceEntry *e = place_of(L, kind, id, key);
  if (!e || e->number == PLACE_WRITTEN) return 0;
  if (!e->number) e->number = add_place(L, kind, holder, key, value);
  return e->number;
}

/* ---- Objects from outside -------------------------------------------------------------------------------------- */

OwnerKind owner_kind(lua_State *L, int index) {
  Follow *f = follow_now();
  int type = lua_type(L, index), kind;
  if ((type != LUA_TTABLE && type != LUA_TUSERDATA) || !lua_getmetatable(L, index)) return OWNER_SCRIPT;
  const void *meta = lua_topointer(L, -1);
  lua_pop(L, 1);
  kind = map_get(&f->metatables, meta);
  if (kind >= 0) return (OwnerKind)kind;
  lua_pushvalue(L, index);
  kind = OWNER_SCRIPT;
  if (follow_ask(L, "kind", 1, 1)) {
    kind = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  lua_getmetatable(L, index);
  keep(L, lua_gettop(L));
  lua_pop(L, 1);
  if (map_put(&f->metatables, meta, kind) != OK) f->starved = true;
  return (OwnerKind)kind;
}

/* Is it one of our objects, or a function of our files, which may hold values of the script? */
static bool is_ours(lua_State *L, int index, int type) {
  lua_Debug ar;
  if (type == LUA_TTABLE) return owner_kind(L, index) == OWNER_ASKED;
  if (type != LUA_TFUNCTION || lua_iscfunction(L, index)) return false;
  lua_pushvalue(L, index);
  lua_getinfo(L, ">S", &ar);
  return own_frame(&ar);
}

void record_touch(lua_State *L, int index, int from) {
  Follow *f = follow_now();
  int type = lua_type(L, index);
  if (type != LUA_TTABLE && type != LUA_TFUNCTION && type != LUA_TTHREAD) return;
  const void *at = lua_topointer(L, index);
  if (map_get(&f->outside, at) >= 0 || map_get(&f->made, at) >= 0 || map_get(&f->unwatched, at) >= 0) return;
  if (map_put(&f->outside, at, from) != OK) f->starved = true;
  index = lua_absindex(L, index);
  keep(L, index);
  if (!is_ours(L, index, type)) return;
  lua_pushvalue(L, index);
  lua_pushinteger(L, from);
  follow_ask(L, "found", 2, 0);
}

bool record_outside(lua_State *L, int index) { return map_get(&follow_now()->outside, lua_topointer(L, index)) >= 0; }

/* ---- Reads --------------------------------------------------------------------------------------------------- */

void record_entry(lua_State *L, int table, int key) {
  lua_pushvalue(L, key);
  lua_rawget(L, table);
  if (lua_isnil(L, key) || !record_outside(L, table)) return;
  int from = add(L, READ_ENTRY, lua_topointer(L, table), table, key, lua_gettop(L));
  if (from) record_touch(L, -1, from);
}

void record_metatable(lua_State *L, int value) {
  if (!lua_getmetatable(L, value)) lua_pushnil(L);
  int meta = lua_gettop(L), type = lua_type(L, value), from = 0;
  lua_pushnil(L);
  /* values of other types share one metatable per type, which is the place */
  if (type != LUA_TTABLE && type != LUA_TUSERDATA)
    from = add(L, READ_METATABLE, (const char *)0 + type + 1, value, meta + 1, meta);
  else if (type == LUA_TTABLE && record_outside(L, value))
    from = add(L, READ_METATABLE, lua_topointer(L, value), value, meta + 1, meta);
  lua_settop(L, meta);
  if (type != LUA_TTABLE || from) record_touch(L, meta, from);
}

void record_length(lua_State *L, int table) {
  if (!lua_istable(L, table) || !record_outside(L, table)) return;
  int top = lua_gettop(L);
  lua_pushnil(L);
  lua_pushinteger(L, (lua_Integer)lua_rawlen(L, table));
  add(L, READ_LENGTH, lua_topointer(L, table), table, top + 1, top + 2);
  lua_settop(L, top);
}

void record_upvalue(lua_State *L, int function, int number, int value) {
  const void *id = lua_upvalueid(L, function, number);
  if (map_get(&follow_now()->upvalues, id) < 0) return;
  int top = lua_gettop(L);
  value = lua_absindex(L, value);
  lua_pushinteger(L, number);
  int from = add(L, READ_UPVALUE, id, function, top + 1, value);
  lua_settop(L, top);
  if (from) record_touch(L, value, from);
}

void record_next(lua_State *L, int table, int key) {
  Follow *f = follow_now();
  int top = lua_gettop(L);
  if (!lua_istable(L, table) || !record_outside(L, table)) return;
  lua_pushvalue(L, key);
  if (!lua_isnil(L, key)) {                /* next raises for a missing key */
    lua_rawget(L, table);
    if (lua_isnil(L, -1)) {
      lua_settop(L, top);
      return;
    }
    lua_settop(L, top);
    lua_pushvalue(L, key);
  }
  bool more = lua_next(L, table);
  if (!more) lua_pushnil(L);
  PlaceEntry *e = place_of(L, READ_NEXT, lua_topointer(L, table), key);
  if (e && !e->number) {
    e->number = add_place(L, READ_NEXT, table, key, top + 1);
    f->walked++;
  }
  if (e && e->number > 0 && more) {
    record_touch(L, top + 1, e->number);
    record_entry(L, table, top + 1);
  }
  lua_settop(L, top);
  if (f->walked > MOST_WALKED)
    follow_refuse(L,
                  "a loop over more than %d entries of a table from outside would have to be compared in each call; "
                  "pass its result",
                  MOST_WALKED);
}

/* ---- Writes -------------------------------------------------------------------------------------------------- */

/* Marks a place as written. If it was read, the caller of begin() rejects or allows the write. `same`: the value does
** not change, so an earlier read remains valid. */
static void write_place(lua_State *L, ReadKind kind, const void *id, int holder, int key, bool same) {
  Follow *f = follow_now();
  PlaceEntry *e = place_of(L, kind, id, key);
  if (!e || e->number == PLACE_WRITTEN || (same && e->number)) return;
  int number = e->number, top = lua_gettop(L);
  e->number = PLACE_WRITTEN;
  /* writes to entries are always reported, changes of a length or of keys only if these were read */
  if (!number && (kind == READ_LENGTH || kind == READ_NEXT)) return;
  if (number) f->read[number - 1].dropped = true;
  if (kind == READ_ENTRY) keep(L, key);
  lua_pushstring(L, kinds[kind]);
  lua_pushvalue(L, holder);
  lua_pushvalue(L, key);
  lua_pushinteger(L, number);
  lua_pushinteger(L, origin_number(f, lua_topointer(L, holder)));
  if (!follow_ask(L, "wrote", 5, 0) && number && !f->starved)
    follow_refuse(L, "%s was read, and then written; a compiled call would not repeat that",
                  kind == READ_ENTRY     ? "an entry of a table"
                  : kind == READ_UPVALUE ? "an upvalue"
                  : kind == READ_LENGTH  ? "the length of a table"
                                         : "a part of a table");
  lua_settop(L, top);
}

static bool same_value(lua_State *L, int a, int b) {
  return lua_rawequal(L, a, b) && lua_isinteger(L, a) == lua_isinteger(L, b);
}

/* A write to a place without a key. READ_NEXT: a key is added or removed, which changes a loop over the table. */
static void write_whole(lua_State *L, ReadKind kind, int table) {
  lua_pushnil(L);
  write_place(L, kind, lua_topointer(L, table), table, lua_gettop(L), false);
  lua_pop(L, 1);
}

void record_write_length(lua_State *L, int table) {
  if (!record_outside(L, table)) return;
  write_whole(L, READ_LENGTH, table);
  write_whole(L, READ_NEXT, table);
}

void record_write_metatable(lua_State *L, int table) {
  if (record_outside(L, table)) write_whole(L, READ_METATABLE, table);
}

void record_write_items(lua_State *L, int table, lua_Integer first, lua_Integer last) {
  if (!record_outside(L, table)) return;
  for (lua_Integer i = first; i <= last; i++) {
    lua_pushinteger(L, i);
    write_place(L, READ_ENTRY, lua_topointer(L, table), table, lua_gettop(L), false);
    lua_pop(L, 1);
  }
}

void record_write(lua_State *L, int table, int key, int value) {
  if (!record_outside(L, table) || lua_isnil(L, key)) return;
  lua_pushvalue(L, key);
  lua_rawget(L, table);
  bool same = same_value(L, lua_gettop(L), value);
  bool was = !lua_isnil(L, -1), is = !lua_isnil(L, value);
  lua_pop(L, 1);
  lua_Integer n = (lua_Integer)lua_rawlen(L, table), k = lua_isinteger(L, key) ? lua_tointeger(L, key) : 0;
  if (!same && ((is && k == n + 1) || (!is && k == n && k > 0))) write_whole(L, READ_LENGTH, table);
  write_place(L, READ_ENTRY, lua_topointer(L, table), table, key, same);
  if (was != is) write_whole(L, READ_NEXT, table);
}

void record_write_upvalue(lua_State *L, int function, int number, int value) {
  const void *id = lua_upvalueid(L, function, number);
  if (map_get(&follow_now()->upvalues, id) < 0) return;
  lua_getupvalue(L, function, number);
  bool same = same_value(L, lua_gettop(L), value);
  lua_pop(L, 1);
  lua_pushinteger(L, number);
  write_place(L, READ_UPVALUE, id, function, lua_gettop(L), same);
  lua_pop(L, 1);
}

/* ---- Our own objects --------------------------------------------------------------------------------------- */

/* Did an object that our own functions returned to the script exist before the trace? */
static bool existed(lua_State *L, int object) {
  lua_pushvalue(L, object);
  if (!follow_ask(L, "existed", 1, 1)) return false;
  bool yes = lua_toboolean(L, -1);
  lua_pop(L, 1);
  if (yes) record_touch(L, object, 0);
  return yes;
}

void record_object(lua_State *L, int object, int key) {
  if (!record_outside(L, object) && !existed(L, object)) return;
  int top = lua_gettop(L);
  PlaceEntry *e = place_of(L, READ_OBJECT, lua_topointer(L, object), key);
  if (!e || e->number) return;
  lua_pushvalue(L, object);
  lua_pushvalue(L, key);
  if (follow_ask(L, "read", 2, 2)) {
    int number = add_place(L, READ_OBJECT, object, key, top + 2);
    e = place_of(L, READ_OBJECT, lua_topointer(L, object), key);
    if (e && !e->number) e->number = number;
    record_touch(L, top + 1, number);
  }
  lua_settop(L, top);
}

/* ---- The record ---------------------------------------------------------------------------------------------- */

void push_place(lua_State *L, lua_Integer number) {
  static const char *const fields[] = { "holder", "key", "value" };
  const Follow *f = follow_now();
  if (number < 1 || number > f->n_read) {
    lua_pushnil(L);
    return;
  }
  const ReadPlace *place = &f->read[number - 1];
  lua_createtable(L, 0, 6);
  push_kept(L, KEEP_PLACES);
  for (int k = 0; k < 3; k++) {
    lua_rawgeti(L, -1, 3 * (number - 1) + k + 1);
    lua_setfield(L, -3, fields[k]);
  }
  lua_pop(L, 1);
  set_string(L, "kind", kinds[place->kind]);
  set_string(L, "line", origin_text(place->line));
  set_integer(L, "from", place->from);
  if (place->dropped) set_boolean(L, "dropped", true);
}

void push_record(lua_State *L) {
  const Follow *f = follow_now();
  lua_createtable(L, f->n_read, 0);
  for (int i = 1; i <= f->n_read; i++) {
    push_place(L, i);
    lua_rawseti(L, -2, i);
  }
}

void record_free(Follow *f) {
  object_free(f->read);
  object_free(f->entry);
}
