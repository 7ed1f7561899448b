/* prototype.c - see prototype.h. */
#include "bind/follow/prototype.h"

#include <string.h>

#include <lauxlib.h>

#include "bind/core/lua_object.h"
#include "bind/follow/bytecode.h"

static const char prototype_tag, known_key;      /* registry keys; known_key: prototypes by function, weak */

static int prototype_end(lua_State *L) {
  Prototype *p = lua_touserdata(L, 1);
  luaL_unref(L, LUA_REGISTRYINDEX, p->constants);
  p->constants = LUA_NOREF;
  return 0;
}

/* Allocates n values as a userdata, which the table on top keeps under `name`. */
static void *room_for(lua_State *L, const char *name, int n, size_t size) {
  void *room = lua_newuserdatauv(L, (size_t)n * size, 0);
  lua_setfield(L, -2, name);
  return room;
}

static void push_dumped_constant(lua_State *L, Dump *d) {
  int kind = dump_byte(d);
  lua_Integer i = 0;
  lua_Number x = 0;
  const uint8_t *at = NULL;
  switch (kind) {
    case 0x01:
    case 0x11: lua_pushboolean(L, kind == 0x11); return;
    case 0x03:
      if ((at = dump_skip(d, sizeof i))) memcpy(&i, at, sizeof i);
      lua_pushinteger(L, i);
      return;
    case 0x13:
      if ((at = dump_skip(d, sizeof x))) memcpy(&x, at, sizeof x);
      lua_pushnumber(L, x);
      return;
    case 0x04:
    case 0x14: {
      size_t n = dump_size(d);
      at = n ? dump_skip(d, n - 1) : NULL;
      lua_pushlstring(L, at ? (const char *)at : "", at ? n - 1 : 0);
      return;
    }
    default:
      if (kind != 0x00) d->bad = true;
      lua_pushnil(L);
  }
}

static void read_constants(lua_State *L, Prototype *p, Dump *d) {
  int n = dump_int(d);
  lua_newtable(L);
  for (int i = 1; i <= n && !d->bad; i++) {
    push_dumped_constant(L, d);
    lua_rawseti(L, -2, i);
  }
  p->constants = luaL_ref(L, LUA_REGISTRYINDEX);
}

/* Lines are differences, with absolute lines where a difference does not fit a byte. */
static void read_lines(lua_State *L, Prototype *p, Dump *d, int first_line) {
  int n = dump_int(d), line = first_line;
  const uint8_t *step = dump_skip(d, (size_t)n);
  int marks = dump_int(d);
  if (!step || n != p->n_code) {
    dump_skip_list(d, marks, 0, 2);
    return;
  }
  p->line = room_for(L, "line", n, sizeof *p->line);
  for (int pc = 0, mark = marks > 0 ? dump_int(d) : n; pc < n; pc++) {
    if (pc == mark) {
      line = dump_int(d);
      mark = --marks > 0 ? dump_int(d) : n;
    } else {
      line += (int8_t)step[pc];
    }
    p->line[pc] = line;
  }
}

enum { MOST_NESTED = 200 };          /* Lua's own limit */

static Prototype *read_prototype(lua_State *L, Dump *d, int depth);

/* Reads the parts after the instructions. The prototype's table is on top. */
static void read_rest(lua_State *L, Prototype *p, Dump *d, const uint8_t *code, int first_line, int depth) {
  p->code = room_for(L, "code", p->n_code, sizeof *p->code);
  memcpy(p->code, code, (size_t)p->n_code * 4);
  read_constants(L, p, d);
  p->n_upvalues = dump_int(d);
  dump_skip(d, (size_t)p->n_upvalues * 3);
  p->n_inner = dump_int(d);
  if (d->bad || p->n_inner > d->end - d->at) {
    d->bad = true;
    return;
  }
  for (int i = 0; i < p->n_inner && !d->bad; i++) {
    read_prototype(L, d, depth + 1);
    lua_rawseti(L, -2, i + 1);
  }
  read_lines(L, p, d, first_line);
  dump_skip_list(d, dump_int(d), 1, 2);          /* locals */
  dump_skip_list(d, dump_int(d), 1, 0);          /* names of upvalues */
}

/* Pushes the next prototype in the dump; its user value is a table with inner prototypes and memory. */
static Prototype *read_prototype(lua_State *L, Dump *d, int depth) {
  luaL_checkstack(L, 8, NULL);
  Prototype *p = lua_newuserdatauv(L, sizeof *p, 1);
  *p = (Prototype){ .constants = LUA_NOREF };
  take_metatable(L, &prototype_tag);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, -3, 1);
  dump_skip_text(d);
  const int first_line = dump_int(d);
  dump_int(d);
  dump_byte(d);                      /* parameters */
  p->vararg = dump_byte(d) != 0;
  dump_byte(d);                      /* registers */
  p->n_code = dump_int(d);
  const uint8_t *code = dump_skip(d, (size_t)p->n_code * 4);
  if (depth > MOST_NESTED) d->bad = true;
  if (!d->bad) read_rest(L, p, d, code, first_line, depth);
  lua_pop(L, 1);
  return p;
}

static int write_dump(lua_State *L, const void *bytes, size_t n, void *text) {
  (void)L;
  text_add(text, bytes, n);
  return text_status(text) != OK;
}

/* Pushes the prototype of the function at `index`, or false. */
static Prototype *read_function(lua_State *L, int index) {
  int top = lua_gettop(L);
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  Text *text = push_text(L);
  lua_pushvalue(L, index);
  int failed = lua_dump(L, write_dump, text, 0);
  lua_pop(L, 1);
  if (failed) luaL_error(L, "not enough memory");
  Dump d = { .at = (const uint8_t *)text->at, .end = (const uint8_t *)text->at + text->length, .bad = false };
  dump_header(&d);
  Prototype *p = d.bad ? NULL : read_prototype(L, &d, 0);
  if (d.bad || d.at != d.end) p = NULL;
  if (!p) {
    lua_settop(L, top + 1);
    lua_pushboolean(L, false);
  }
  owned_end(text);
  lua_replace(L, top + 1);
  lua_settop(L, top + 1);
  return p;
}

Prototype *prototype_of(lua_State *L, int index) {
  int top = lua_gettop(L);
  index = lua_absindex(L, index);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &known_key);
  lua_pushvalue(L, index);
  if (lua_rawget(L, -2) == LUA_TNIL) {
    read_function(L, index);
    weak_table_set(L, &known_key, index, -1);
  }
  Prototype *p = lua_touserdata(L, -1);
  lua_settop(L, top);
  return p;
}

void prototype_made(lua_State *L, int made, int maker, int number) {
  int top = lua_gettop(L);
  made = lua_absindex(L, made);
  maker = lua_absindex(L, maker);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &known_key);
  lua_pushvalue(L, maker);
  lua_rawget(L, top + 1);
  if (lua_getiuservalue(L, -1, 1) == LUA_TTABLE) {
    lua_rawgeti(L, -1, number + 1);
    weak_table_set(L, &known_key, made, -1);
  }
  lua_settop(L, top);
}

void push_constant(lua_State *L, const Prototype *p, int number) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, p->constants);
  lua_rawgeti(L, -1, number + 1);
  lua_remove(L, -2);
}

void open_prototype(lua_State *L) {
  new_metatable(L, &prototype_tag, "hybridlua.Prototype", prototype_end);
  lua_pop(L, 1);
  new_weak_table(L, &known_key, "k");
}
