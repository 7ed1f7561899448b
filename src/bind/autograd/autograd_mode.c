/* autograd_mode.c - the modes of lua/hybridlua/autograd.lua: the current modes, and scopes that end with a close
** variable or a function. Modes are per coroutine (bind/core/coroutine.h).
*/
#include <stdio.h>
#include <string.h>

#include "bind/core/coroutine.h"
#include "bind/value/device_value.h"

static const char scope_tag;

/* A scope as a Lua value. */
typedef struct ModeObject {
  const void *tag;
  ModeScope scope;
  Origin made_at;
  char name[32];             /* the function that the script called; "" if the script does not hold the scope */
} ModeObject;

/* nil: the current mode */
static bool wanted(lua_State *L, int index, bool now) {
  return lua_isnoneornil(L, index) ? now : lua_toboolean(L, index);
}

/* "warn", "cut", "error"; nil: the current one. */
static OnFreed wanted_carried(lua_State *L, int index) {
  static const char *const words[] = { [FREED_WARN] = "warn", [FREED_CUT] = "cut", [FREED_ERROR] = "error" };
  if (lua_isnoneornil(L, index)) return coroutine_engine(L)->mode.on_freed;
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : type_name(L, index);
  for (int i = 0; i < 3; i++)
    if (strcmp(words[i], text) == 0) return (OnFreed)i;
  raise_error(L, "autograd.record: carried: expected 'warn', 'cut' or 'error', got %s", text);
}

/* enter_mode(recording or nil, train or nil, name or nil, context or nil, carried or nil, detect anomalies or nil) -> a
** scope for a close variable; nil leaves a mode unchanged. With a name ("autograd.record") the script holds the scope,
** and a warning follows if it is collected unclosed. */
static int mode_enter(lua_State *L) {
  lua_settop(L, 6);
  OnFreed on_freed = wanted_carried(L, 5);
  const char *name = lua_tostring(L, 3);
  ModeObject *o = lua_newuserdatauv(L, sizeof *o, 0);
  *o = (ModeObject){ .tag = &scope_tag };
  take_metatable(L, &scope_tag);
  if (name) {
    snprintf(o->name, sizeof o->name, "%s", name);
    o->made_at = origin_here(L);
  }
  Device device = 0;
  bool placed = !lua_isnil(L, 4);
  if (placed) check(L, check_device_value(L, 4, "ctx", &device));
  coroutine_switch(L);                     /* a finalizer has its own scopes */
  const Mode *mode = &engine_now()->mode;
  mode_open(&o->scope, wanted(L, 1, mode->recording), wanted(L, 2, mode->train), placed ? device : mode->device,
            on_freed);                     /* nothing below fails */
  if (name) o->scope.object = o;
  if (lua_toboolean(L, 6)) mode_detect(&o->scope);
  return 1;
}

static ModeObject *check_scope(lua_State *L) {
  ModeObject *o = lua_touserdata(L, 1);
  if (!o || lua_rawlen(L, 1) != sizeof *o || o->tag != &scope_tag)
    raise_error(L, "autograd scope: expected scope:close(), got %s", type_name(L, 1));
  return o;
}

static int scope_close(lua_State *L) {
  mode_close(&check_scope(L)->scope);
  return 0;
}

static int scope_tostring(lua_State *L) {
  lua_pushliteral(L, "autograd scope");
  return 1;
}

static int scope_gc(lua_State *L) {
  ModeObject *o = lua_touserdata(L, 1);
  if (!mode_drop(&o->scope) || !*o->name) return 0;
  state_enter(L);
  if (state_now()->warned) return 0;
  state_now()->warned = true;
  fflush(stdout);
  fprintf(stderr,
          "UserWarning: %s at %s was never closed, so its settings stay; write %s(function() ... end), or "
          "local _ <close> = %s()\n",
          o->name, origin_text(o->made_at), o->name, o->name);
  return 0;
}

/* Is the object in a local variable of a running function of this coroutine? */
static bool is_held(lua_State *L, const void *object) {
  lua_Debug ar;
  const char *name;
  for (int level = 0; lua_getstack(L, level, &ar); level++) {
    for (int i = 1; (name = lua_getlocal(L, &ar, i)); i++) {
      const bool found = name[0] != '(' && lua_touserdata(L, -1) == object;
      lua_pop(L, 1);
      if (found) return true;
    }
  }
  return false;
}

void mode_look(lua_State *L) {
  enum { MOST_LOOKS = 8 };                  /* limits useless collections: a table or upvalue may hold the scope */
  bool lost = false;
  coroutine_enter(L);
  for (ModeScope *s = mode_innermost(); s; s = s->outer) {
    if (s->object && !is_held(L, s->object)) lost = true;
    s->object = NULL;
  }
  if (lost && !state_now()->warned && state_now()->looks++ < MOST_LOOKS) lua_gc(L, LUA_GCCOLLECT);
}

/* find_lost_scopes(): see mode_look */
static int look(lua_State *L) {
  mode_look(L);
  return 0;
}

/* mode(recording or nil, train or nil) -> the old modes; nil leaves a mode unchanged */
static int autograd_mode(lua_State *L) {
  bool change = lua_gettop(L) > 0;
  if (change) coroutine_switch(L);
  Mode was = coroutine_engine(L)->mode;
  if (change) mode_set(wanted(L, 1, was.recording), wanted(L, 2, was.train));
  lua_pushboolean(L, was.recording);
  lua_pushboolean(L, was.train);
  return 2;
}

/* mode_depth(n or nil) -> the number of open scopes; closes scopes until n are open */
static int depth(lua_State *L) {
  coroutine_enter(L);
  lua_pushinteger(L, mode_depth());
  if (!lua_isnoneornil(L, 1)) mode_close_to((int)lua_tointeger(L, 1));
  return 1;
}

void open_mode(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "enter_mode", mode_enter }, { "mode", autograd_mode }, { "mode_depth", depth }, { "find_lost_scopes", look },
    { NULL, NULL } };
  const luaL_Reg methods[] = {
    { "__close", scope_close }, { "close", scope_close }, { "__tostring", scope_tostring }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  new_metatable(L, &scope_tag, "autograd scope", scope_gc);
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  lua_pop(L, 1);
}
