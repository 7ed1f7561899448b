/* call_hook.c - sees each function that a traced block calls, before it runs.
**
** Lua's call hook tells of calls however a function was come by: a global, an upvalue, a method, what a table of the
** library held when the script began. gluon/hybridize/trace_guards.lua judges each function once; a verdict says what its further calls
** need. The hook belongs to the coroutine of the trace, and those that it makes inherit it; it takes itself off where
** it finds no trace. One that the script or its host had set gets its events meanwhile, and is set again afterwards.
** Functions of finalizers are ignored. Most calls are of functions of hybridlua's own files, which may look into tables
** and need no verdict.
*/
#include "bind/trace/call_hook.h"

#include <stdint.h>
#include <string.h>

#include <lauxlib.h>

#include "bind/core/lua_object.h"
#include "bind/core/lua_state.h"
#include "bind/trace/tracing.h"

/* What further calls of a function need. */
typedef enum Verdict {
  VERDICT_NONE,
  VERDICT_PASS,              /* nothing */
  VERDICT_OPENS,             /* tables among its arguments that are watched are opened: it may look into them */
  VERDICT_ASK,               /* to be judged anew, by its arguments */
  VERDICT_FINDS,             /* the same, where its first argument is a table that is watched */
  VERDICT_METHOD,            /* to be judged where the script calls it; hybridlua's own calls are nothing */
  VERDICT_OPENS_FIRST        /* its first argument is opened: it looks into that alone */
} Verdict;

static const char watch_key;

/* paused: the watchers themselves look at tables. starved: for want of memory something was not looked at, so that the
** trace must not be believed; no error is raised then, for what runs may be closing what an error goes through. */
#define paused (state_now->trace.paused)
#define starved (state_now->trace.starved)
#define opens (state_now->trace.opens)

/* In the table of the watch. */
enum { WATCH_JUDGE = 1, WATCH_OPEN, WATCH_VERDICTS, WATCH_HOLLOW, WATCH_STANDS_FOR, WATCH_ENTRIES = WATCH_STANDS_FOR,
       WATCH_RETURNED };

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

/* Is the table on top a key of that one of the watch? */
static bool is_among(lua_State *L, int watch, int entry) {
  lua_rawgeti(L, watch, entry);
  lua_pushvalue(L, -2);
  bool found = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return found;
}

/* Opens the table on top; false if it is not hollow. */
static bool open_hollow(lua_State *L, int watch) {
  if (!is_among(L, watch, WATCH_HOLLOW)) return false;
  lua_rawgeti(L, watch, WATCH_OPEN);
  lua_pushvalue(L, -2);
  call_watcher(L, 1, 0);
  return true;
}

/* Opens the table on top, or those in it. */
static void open_value(lua_State *L, int watch, int depth) {
  if (lua_istable(L, -1) && !open_hollow(L, watch)) open_tables(L, watch, depth);
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

static void open_first(lua_State *L, lua_Debug *ar, int watch) {
  if (!lua_getlocal(L, ar, 1)) return;
  if (lua_istable(L, -1)) open_hollow(L, watch);
  lua_pop(L, 1);
}

static bool called_by_own(lua_State *L) {
  lua_Debug caller;
  return lua_getstack(L, 1, &caller) && lua_getinfo(L, "S", &caller) && *caller.what != 'C' && own_frame(&caller);
}

/* The files that watch: their functions are given watched tables for that. */
static bool is_watching(const lua_Debug *ar) {
  static const char *const files[] = { OWN_CHUNK "gluon/hybridize/trace_guards.lua", OWN_CHUNK "gluon/hybridize/allowed_functions.lua",
                                       OWN_CHUNK "gluon/hybridize/read_barrier.lua", OWN_CHUNK "gluon/hybridize/watched_objects.lua",
                                       OWN_CHUNK "gluon/hybridize/unwatched.lua" };
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) if (strcmp(ar->source, files[i]) == 0) return true;
  return false;
}

static bool finds_watched(lua_State *L, lua_Debug *ar, int watch) {
  if (!lua_getlocal(L, ar, 1)) return true;
  bool found = lua_istable(L, -1) && (is_among(L, watch, WATCH_HOLLOW) || is_among(L, watch, WATCH_STANDS_FOR));
  lua_pop(L, 1);
  return found;
}

/* What the verdicts say of a function. */
static Verdict verdict(lua_State *L, int watch, int function) {
  lua_rawgeti(L, watch, WATCH_VERDICTS);
  lua_pushvalue(L, function);
  lua_rawget(L, -2);
  Verdict v = (Verdict)lua_tointeger(L, -1);
  lua_pop(L, 2);
  return v;
}

/* Where the verdict on the function on top is kept by its address. What is kept there is in the verdicts, too: they
** hold the function, so that no other gets its address while the trace is under way. */
static CalledKnown *known_of(lua_State *L) {
  uintptr_t f = (uintptr_t)lua_topointer(L, -1);
  CalledKnown *k = &state_now->trace.known[(f >> 4 ^ f >> 10) % MOST_KNOWN];
  if (k->function != f) *k = (CalledKnown){ .function = f };
  return k;
}

/* May the function be called by whoever calls it now? */
static bool is_settled(lua_State *L, Verdict v) {
  return v == VERDICT_PASS || (!opens && (v == VERDICT_OPENS || v == VERDICT_OPENS_FIRST)) ||
         (v == VERDICT_METHOD && called_by_own(L));
}

/* A function other than hybridlua's own, which is on top. */
static void on_other(lua_State *L, lua_Debug *ar) {
  int function = lua_gettop(L), watch = function + 1;
  CalledKnown *k = known_of(L);
  if (is_settled(L, (Verdict)k->verdict)) return;
  if (!lua_checkstack(L, 16)) { starved = true; return; }
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &watch_key) != LUA_TTABLE) return;
  Verdict v = k->verdict ? (Verdict)k->verdict : verdict(L, watch, function);
  k->verdict = v;
  if (is_settled(L, v) || !tracing(L)) return;
  lua_getinfo(L, "r", ar);
  if (v == VERDICT_NONE || v == VERDICT_ASK || v == VERDICT_METHOD ||
      (v == VERDICT_FINDS && finds_watched(L, ar, watch)))
    v = judge(L, ar, watch, function, ar->ntransfer);
  k->verdict = v;
  if (v == VERDICT_OPENS && opens) open_arguments(L, ar, watch, ar->ntransfer);
  if (v == VERDICT_OPENS_FIRST && opens) open_first(L, ar, watch);
}

/* One of hybridlua's own may look into tables. Its callers in these files were given none that were not opened, or
** found them by reads that were seen. */
static void on_own(lua_State *L, lua_Debug *ar) {
  if (!opens || is_watching(ar) || called_by_own(L) || !tracing(L)) return;
  if (!lua_checkstack(L, 16)) { starved = true; return; }
  lua_getinfo(L, "r", ar);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &watch_key) == LUA_TTABLE) open_arguments(L, ar, lua_gettop(L), ar->ntransfer);
}

/* A trace has thousands of calls, nearly all of functions of which nothing has to be known: what is cheap to tell comes
** first. */
static void on_call(lua_State *L, lua_Debug *ar) {
  int top = lua_gettop(L);
  lua_getinfo(L, "f", ar);
  bool own = !lua_iscfunction(L, -1) && lua_getinfo(L, "S", ar) && own_frame(ar);
  if (own) on_own(L, ar);
  else on_other(L, ar);
  lua_settop(L, top);
}

/* ---- The hook, and that of the script ------------------------------------------------------------------------- */

static void on_event(lua_State *L, lua_Debug *ar);

/* Sets the hook for calls, and for the events that the script's own hook gets. */
static void set_hook(lua_State *L) {
  const HookSaved *host = &state_now->trace.host;
  int mask = LUA_MASKCALL | (host->hook ? host->mask : 0) | (state_now->trace.returns ? LUA_MASKRET : 0);
  lua_sethook(L, on_event, mask, host->hook ? host->count : 0);
}

static void put_back_hook(lua_State *L) {
  const HookSaved *host = &state_now->trace.host;
  lua_sethook(L, host->hook, host->mask, host->count);
}

static HookSaved hook_of(lua_State *L) {
  return (HookSaved){ lua_gethook(L), lua_gethookmask(L), lua_gethookcount(L) };
}

/* Calls a hook of the script's (a debugger, a limit of instructions) as if there were no trace. It may set another.
** One that raises leaves `telling` true for the next event. */
static void tell_host(lua_State *L, lua_Debug *ar) {
  HookSaved *host = &state_now->trace.host;
  int mask = ar->event == LUA_HOOKTAILCALL ? LUA_MASKCALL : 1 << ar->event;
  if (!host->hook || !(host->mask & mask)) return;
  bool here = tracing(L);
  state_now->trace.telling = true;
  coroutine_now.tracing = false;
  host->hook(L, ar);
  if (coroutine_now.L == L) coroutine_now.tracing = here;
  state_now->trace.telling = false;
  if (lua_gethook(L) == on_event) return;
  *host = hook_of(L);
  set_hook(L);
}

/* The awaited function has returned: calls the one given to on_return. */
static void has_returned(lua_State *L) {
  if (!lua_checkstack(L, 8)) return;       /* the next return does it */
  state_now->trace.returns = false;
  set_hook(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &watch_key) == LUA_TTABLE) {
    lua_rawgeti(L, -1, WATCH_RETURNED);
    call_watcher(L, 0, 0);
  }
  lua_pop(L, 1);
}

static void on_event(lua_State *L, lua_Debug *ar) {
  if (coroutine_now.L != L) state_enter(L);
  if (paused) return;
  if (!state_now->trace.observing) {        /* a coroutine that outlived its trace */
    put_back_hook(L);
    if (state_now->trace.host.hook) tell_host(L, ar);
    return;
  }
  if (state_now->trace.telling) {          /* it raised: what runs is part of the trace again, or not */
    state_now->trace.telling = false;
    coroutine_now.L = NULL;
    coroutine_enter(L);
  }
  if (state_now->trace.returns && ar->event == LUA_HOOKRET) has_returned(L);
  if (state_now->trace.host.hook) tell_host(L, ar);
  if (ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL) on_call(L, ar);
}

/* ---- For trace_guards.lua ----------------------------------------------------------------------------------------------- */

/* watch_calls(judge, open, verdicts, hollow, stands_for): judge(function, its first two arguments) gives a verdict,
** which stays where it is put in verdicts; open(table) is called for tables in `hollow` that are given to functions
** with VERDICT_OPENS. The tables that are keys of hollow and stands_for are watched. */
static int watch_calls(lua_State *L) {
  for (int i = 1; i <= 2; i++) luaL_checktype(L, i, LUA_TFUNCTION);
  for (int i = 3; i <= WATCH_ENTRIES; i++) luaL_checktype(L, i, LUA_TTABLE);
  lua_settop(L, WATCH_ENTRIES);
  lua_createtable(L, WATCH_ENTRIES, 0);
  for (int i = 1; i <= WATCH_ENTRIES; i++) {
    lua_pushvalue(L, i);
    lua_rawseti(L, WATCH_ENTRIES + 1, i);
  }
  lua_rawsetp(L, LUA_REGISTRYINDEX, &watch_key);
  state_enter(L);
  paused = starved = opens = false;
  memset(state_now->trace.known, 0, sizeof state_now->trace.known);
  if (lua_gethook(L) != on_event) state_now->trace.host = hook_of(L);
  state_now->trace.observing = true;
  state_now->trace.returns = state_now->trace.telling = false;
  set_hook(L);
  return 0;
}

/* tables_emptied(): there are hollow tables from here on. Lua's collector stands still: no finalizer sees one. */
static int tables_emptied(lua_State *L) {
  state_enter(L);
  opens = true;
  if (!state_now->trace.held && lua_gc(L, LUA_GCISRUNNING) == 1) {
    lua_gc(L, LUA_GCSTOP);
    state_now->trace.held = true;
  }
  return 0;
}

/* tables_filled(): all hollow tables are filled again */
static int tables_filled(lua_State *L) {
  state_enter(L);
  opens = paused = state_now->trace.observing = false;
  if (state_now->trace.held) lua_gc(L, LUA_GCRESTART);
  state_now->trace.held = false;
  return 0;
}

/* on_return(fn): fn() is called when the function that is about to run has returned */
static int on_return(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  state_enter(L);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &watch_key) != LUA_TTABLE) return 0;
  lua_pushvalue(L, 1);
  lua_rawseti(L, -2, WATCH_RETURNED);
  state_now->trace.returns = true;
  set_hook(L);
  return 0;
}

/* pause_watch(whether) -> was it so before? Calls are not told of meanwhile. */
static int pause_watch(lua_State *L) {
  state_enter(L);
  bool before = paused;
  paused = lua_toboolean(L, 1);
  lua_pushboolean(L, before);
  return 1;
}

/* end_watch() -> was there memory to look at all calls? */
static int end_watch(lua_State *L) {
  state_enter(L);
  paused = false;
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &watch_key);
  state_now->trace.observing = false;
  if (lua_gethook(L) == on_event) put_back_hook(L);
  lua_pushboolean(L, !starved);
  return 1;
}

/* is_watched(coroutine): was it made in the trace? */
static int is_watched(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  lua_pushboolean(L, co && lua_gethook(co) == on_event);
  return 1;
}

/* c_address(function): of its C code, a light userdata; nil if it is written in Lua */
static int c_address(lua_State *L) {
  lua_CFunction f = lua_tocfunction(L, 1);
  if (f) lua_pushlightuserdata(L, (void *)(uintptr_t)f);
  else lua_pushnil(L);
  return 1;
}

/* Where the linker put the program or library that this is in. dladdr tells it, too, but looks for names. */
extern const char __ehdr_start[] __attribute__((visibility("hidden"))), _end[] __attribute__((visibility("hidden")));

/* is_own_code(function): is its C code in the same program or library as this? */
static int is_own_code(lua_State *L) {
  uintptr_t f = (uintptr_t)lua_tocfunction(L, 1);
  lua_pushboolean(L, f >= (uintptr_t)__ehdr_start && f < (uintptr_t)_end);
  return 1;
}

void open_call_hook(lua_State *L) {
  const luaL_Reg functions[] = {
    { "watch_calls", watch_calls }, { "end_watch", end_watch }, { "pause_watch", pause_watch },
    { "tables_emptied", tables_emptied }, { "tables_filled", tables_filled }, { "on_return", on_return },
    { "is_watched", is_watched }, { "c_address", c_address }, { "is_own_code", is_own_code }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
}
