/* called.c - sees each function that a traced block calls, before it runs.
**
** Lua's call hook tells of calls however a function was come by: a global, an upvalue, a method, what a table of the
** library held when the script began. gluon/guards.lua judges each function once; a verdict says what its further calls
** need. The hook belongs to the coroutine of the trace, and those that it makes inherit it; it takes itself off where
** it finds no trace. Functions of finalizers are none of its business.
*/
#define _GNU_SOURCE
#include "bind/called.h"

#include <dlfcn.h>
#include <stdint.h>

#include <lauxlib.h>

#include "bind/object.h"
#include "bind/state.h"
#include "bind/trace.h"

/* What further calls of a function need. */
typedef enum Verdict {
  VERDICT_NONE,
  VERDICT_PASS,              /* nothing */
  VERDICT_OPENS,             /* tables among its arguments that are watched are opened: it may look into them */
  VERDICT_ASK                /* to be judged anew, by its arguments */
} Verdict;

static const char watch_key;

/* paused: the watchers themselves look at tables. starved: for want of memory something was not looked at, so that the
** trace must not be believed; no error is raised then, for what runs may be closing what an error goes through. */
#define paused (state_now->trace.paused)
#define starved (state_now->trace.starved)

/* In the table of the watch. */
enum { WATCH_JUDGE = 1, WATCH_OPEN, WATCH_VERDICTS, WATCH_HOLLOW };

/* A table in arguments is looked into so deep for watched ones. */
enum { MOST_DEPTH = 6 };

static void open_tables(lua_State *L, int watch, int depth);

/* Calls what is on the stack with its arguments; its errors go on, but for want of memory. */
static void call_watcher(lua_State *L, int n, int results) {
  int status = lua_pcall(L, n, results, 0);
  if (status == LUA_OK) return;
  if (status != LUA_ERRMEM) lua_error(L);
  starved = true;
  lua_pop(L, 1);
  if (results > 0) lua_pushinteger(L, VERDICT_NONE);
}

/* Opens the table on top, or those in it. */
static void open_value(lua_State *L, int watch, int depth) {
  if (!lua_istable(L, -1)) return;
  lua_rawgeti(L, watch, WATCH_HOLLOW);
  lua_pushvalue(L, -2);
  bool hollow = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  if (!hollow) { open_tables(L, watch, depth); return; }
  lua_rawgeti(L, watch, WATCH_OPEN);
  lua_pushvalue(L, -2);
  call_watcher(L, 1, 0);
}

/* Those in the table on top, which the trace made. */
static void open_tables(lua_State *L, int watch, int depth) {
  if (depth == 0 || lua_getmetatable(L, -1)) {
    if (depth > 0) lua_pop(L, 1);
    return;
  }
  if (!lua_checkstack(L, 8)) { starved = true; return; }
  int table = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) open_value(L, watch, depth - 1);
}

static void open_arguments(lua_State *L, lua_Debug *ar, int watch, int n) {
  for (int i = 1; i <= n; i++) {
    if (!lua_getlocal(L, ar, i)) return;
    open_value(L, watch, MOST_DEPTH);
    lua_pop(L, 1);
  }
  for (int i = -1; lua_getlocal(L, ar, i); i--) {        /* of a vararg function in Lua */
    open_value(L, watch, MOST_DEPTH);
    lua_pop(L, 1);
  }
}

static Verdict judge(lua_State *L, lua_Debug *ar, int watch, int function, int n) {
  lua_rawgeti(L, watch, WATCH_JUDGE);
  lua_pushvalue(L, function);
  int given = 1;
  for (int i = 1; i <= n && i <= 2 && lua_getlocal(L, ar, i); i++) given++;
  call_watcher(L, given, 1);
  Verdict v = (Verdict)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return v;
}

static void on_call(lua_State *L, lua_Debug *ar) {
  state_enter(L);
  if (!trace_under_way()) { lua_sethook(L, NULL, 0, 0); return; }
  if (paused || !tracing(L)) return;
  if (!lua_checkstack(L, 16)) { starved = true; return; }
  int top = lua_gettop(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &watch_key) != LUA_TTABLE) { lua_settop(L, top); return; }
  lua_getinfo(L, "fr", ar);
  int watch = top + 1, function = top + 2, n = ar->ntransfer;
  lua_rawgeti(L, watch, WATCH_VERDICTS);
  lua_pushvalue(L, function);
  lua_rawget(L, -2);
  Verdict v = (Verdict)lua_tointeger(L, -1);
  if (v == VERDICT_NONE || v == VERDICT_ASK) v = judge(L, ar, watch, function, n);
  if (v == VERDICT_OPENS) open_arguments(L, ar, watch, n);
  lua_settop(L, top);
}

/* watch_begin(judge, open, verdicts, hollow): judge(function, its first two arguments) gives a verdict, which stays where it
** is put in verdicts; open(table) is called for tables in `hollow` that are given to functions with VERDICT_OPENS */
static int watch_begin(lua_State *L) {
  for (int i = 1; i <= 2; i++) luaL_checktype(L, i, LUA_TFUNCTION);
  for (int i = 3; i <= 4; i++) luaL_checktype(L, i, LUA_TTABLE);
  lua_settop(L, 4);
  lua_createtable(L, 4, 0);
  for (int i = 1; i <= 4; i++) {
    lua_pushvalue(L, i);
    lua_rawseti(L, 5, i);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, &watch_key);
  state_enter(L);
  paused = starved = false;
  lua_sethook(L, on_call, LUA_MASKCALL, 0);
  return 0;
}

/* watch_pause(whether) -> was it so before? Calls are not told of meanwhile. */
static int watch_pause(lua_State *L) {
  state_enter(L);
  bool before = paused;
  paused = lua_toboolean(L, 1);
  lua_pushboolean(L, before);
  return 1;
}

/* watch_end() -> was there memory to look at all calls? */
static int watch_end(lua_State *L) {
  state_enter(L);
  paused = false;
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &watch_key);
  if (lua_gethook(L) == on_call) lua_sethook(L, NULL, 0, 0);
  lua_pushboolean(L, !starved);
  return 1;
}

/* is_watched(coroutine): was it made in the trace? */
static int is_watched(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  lua_pushboolean(L, co && lua_gethook(co) == on_call);
  return 1;
}

/* c_address(function): of its C code, a light userdata; nil if it is written in Lua */
static int c_address(lua_State *L) {
  lua_CFunction f = lua_tocfunction(L, 1);
  if (f) lua_pushlightuserdata(L, (void *)(uintptr_t)f);
  else lua_pushnil(L);
  return 1;
}

/* is_ours(function): is its C code in the same program or library as this? */
static int is_ours(lua_State *L) {
  Dl_info here, there;
  lua_CFunction f = lua_tocfunction(L, 1);
  bool both = f && dladdr((void *)(uintptr_t)is_ours, &here) && dladdr((void *)(uintptr_t)f, &there);
  lua_pushboolean(L, both && here.dli_fbase == there.dli_fbase);
  return 1;
}

void open_called(lua_State *L) {
  const luaL_Reg functions[] = {
    { "watch_begin", watch_begin }, { "watch_end", watch_end }, { "watch_pause", watch_pause }, { "is_watched", is_watched },
    { "c_address", c_address }, { "is_ours", is_ours }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
