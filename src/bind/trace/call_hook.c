/* call_hook.c - examines each function that a traced block calls, before it runs.
**
** Lua's call hook reports every call, whether the function was a global, an upvalue, a method or an entry of a table.
** gluon/hybridize/trace_guards.lua classifies each function once, by its allow-list; the classification says what
** further calls need. The hook belongs to the coroutine of the trace, and coroutines that this creates inherit it; it
** removes itself in a coroutine that is no longer traced. A hook that the script or its host had set gets its events
** meanwhile, and is set again afterwards. Functions of finalizers are ignored. Most calls are of functions of
** hybridlua's own files, which may read tables and need no classification.
**
** A shadowed table is one whose entries are in its shadow table while the trace runs, so that reads and writes of it
** are seen (gluon/hybridize/read_barrier.lua). For functions that read past metatables it is restored, with all its
** entries guarded.
*/
#include "bind/trace/call_hook.h"

#include <stdint.h>
#include <string.h>

#include <lauxlib.h>

#include "bind/core/lua_object.h"
#include "bind/core/lua_state.h"
#include "bind/trace/tracing.h"

/* What further calls of a function need; allowed_functions.lua has the same numbers. */
typedef enum Classification {
  CLASS_UNKNOWN,
  CLASS_PASS,              /* nothing */
  CLASS_READS,             /* shadowed tables among its arguments are restored: it may read them */
  CLASS_BY_ARGUMENTS,      /* it is classified at each call, by its arguments */
  CLASS_BY_TABLE,          /* the same, if its first argument is a shadowed table or a proxy */
  CLASS_METHOD,            /* it is classified at each call by the script; hybridlua's own calls need nothing */
  CLASS_READS_FIRST        /* its first argument is restored: it reads that table alone */
} Classification;

static const char watch_key;

/* hook_off: the recorder itself reads tables. hook_out_of_memory: a call was not examined because memory ran out, so
** the trace must not be used; no error is raised here, because the running code may be closing variables after an
** error. */
#define hook_off (state_now->trace.hook_off)
#define hook_out_of_memory (state_now->trace.hook_out_of_memory)
#define opens (state_now->trace.opens)

/* Indices in the table of the arguments of watch_calls. */
enum { WATCH_CLASSIFY = 1, WATCH_RESTORE, WATCH_CLASSIFICATIONS, WATCH_SHADOWED, WATCH_PROXIES,
  WATCH_ENTRIES = WATCH_PROXIES,
  WATCH_RETURNED
};

/* The depth to which tables in arguments are searched for shadowed ones. */
enum { MOST_DEPTH = 6 };

static void restore_tables(lua_State *L, int watch, int depth);

/* Calls the function on the stack with its arguments; its errors are passed on, except that memory ran out. */
static void call_recorder(lua_State *L, int n, int results) {
  int status = lua_pcall(L, n, results, 0);
  if (status == LUA_OK) return;
  if (status != LUA_ERRMEM) lua_error(L);
  hook_out_of_memory = true;
  lua_pop(L, 1);
  if (results > 0) lua_pushinteger(L, CLASS_UNKNOWN);
}

/* Is the table on top a key of this table of watch_calls? */
static bool is_among(lua_State *L, int watch, int entry) {
  lua_rawgeti(L, watch, entry);
  lua_pushvalue(L, -2);
  bool found = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return found;
}

/* Restores the table on top; false if it is not shadowed. */
static bool restore_shadowed(lua_State *L, int watch) {
  if (!is_among(L, watch, WATCH_SHADOWED)) return false;
  lua_rawgeti(L, watch, WATCH_RESTORE);
  lua_pushvalue(L, -2);
  call_recorder(L, 1, 0);
  return true;
}

/* Restores the table on top, or those in it. */
static void restore_value(lua_State *L, int watch, int depth) {
  if (lua_istable(L, -1) && !restore_shadowed(L, watch)) restore_tables(L, watch, depth);
}

/* Restores the shadowed tables in the table on top, which the trace made. */
static void restore_tables(lua_State *L, int watch, int depth) {
  if (depth == 0 || lua_getmetatable(L, -1)) {
    if (depth > 0) lua_pop(L, 1);
    return;
  }
  if (!lua_checkstack(L, 8)) {
    hook_out_of_memory = true;
    return;
  }
  int table = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, table); lua_pop(L, 1)) restore_value(L, watch, depth - 1);
}

static void restore_arguments(lua_State *L, lua_Debug *ar, int watch, int n) {
  for (int i = 1; i <= n; i++) {
    if (!lua_getlocal(L, ar, i)) return;
    restore_value(L, watch, MOST_DEPTH);
    lua_pop(L, 1);
  }
  for (int i = -1; lua_getlocal(L, ar, i); i--) {        /* the further arguments of a vararg function in Lua */
    restore_value(L, watch, MOST_DEPTH);
    lua_pop(L, 1);
  }
}

static Classification classify(lua_State *L, lua_Debug *ar, int watch, int function, int n) {
  lua_rawgeti(L, watch, WATCH_CLASSIFY);
  lua_pushvalue(L, function);
  int given = 1;
  for (int i = 1; i <= n && i <= 2 && lua_getlocal(L, ar, i); i++) given++;
  call_recorder(L, given, 1);
  Classification v = (Classification)lua_tointeger(L, -1);
  lua_pop(L, 1);
  return v;
}

static void restore_first(lua_State *L, lua_Debug *ar, int watch) {
  if (!lua_getlocal(L, ar, 1)) return;
  if (lua_istable(L, -1)) restore_shadowed(L, watch);
  lua_pop(L, 1);
}

static bool called_by_own(lua_State *L) {
  lua_Debug caller;
  return lua_getstack(L, 1, &caller) && lua_getinfo(L, "S", &caller) && *caller.what != 'C' && own_frame(&caller);
}

/* Is it a function of the recorder's files? These are given shadowed tables on purpose. */
static bool is_recorder(const lua_Debug *ar) {
  /* clang-format off */
  static const char *const files[] = {
    OWN_CHUNK "gluon/hybridize/trace_guards.lua", OWN_CHUNK "gluon/hybridize/allowed_functions.lua",
    OWN_CHUNK "gluon/hybridize/read_barrier.lua", OWN_CHUNK "gluon/hybridize/watched_objects.lua",
    OWN_CHUNK "gluon/hybridize/unwatched.lua" };
  /* clang-format on */
  for (size_t i = 0; i < sizeof files / sizeof *files; i++)
    if (strcmp(ar->source, files[i]) == 0) return true;
  return false;
}

static bool finds_shadowed(lua_State *L, lua_Debug *ar, int watch) {
  if (!lua_getlocal(L, ar, 1)) return true;
  bool found = lua_istable(L, -1) && (is_among(L, watch, WATCH_SHADOWED) || is_among(L, watch, WATCH_PROXIES));
  lua_pop(L, 1);
  return found;
}

/* A function's entry in the table of classifications. */
static Classification classification_of(lua_State *L, int watch, int function) {
  lua_rawgeti(L, watch, WATCH_CLASSIFICATIONS);
  lua_pushvalue(L, function);
  lua_rawget(L, -2);
  Classification v = (Classification)lua_tointeger(L, -1);
  lua_pop(L, 2);
  return v;
}

/* The slot, by address, for the classification of the function on top. A classification in a slot is in the table of
** classifications too: that holds the function, so that no other function gets its address during the trace. */
static CalledKnown *known_of(lua_State *L) {
  uintptr_t f = (uintptr_t)lua_topointer(L, -1);
  CalledKnown *k = &state_now->trace.known[(f >> 4 ^ f >> 10) % MOST_KNOWN];
  if (k->function != f) *k = (CalledKnown){ .function = f };
  return k;
}

/* Does this call need nothing more? */
static bool is_settled(lua_State *L, Classification v) {
  return v == CLASS_PASS || (!opens && (v == CLASS_READS || v == CLASS_READS_FIRST)) ||
         (v == CLASS_METHOD && called_by_own(L));
}

/* A function other than hybridlua's own, which is on top. */
static void on_other(lua_State *L, lua_Debug *ar) {
  int function = lua_gettop(L), watch = function + 1;
  CalledKnown *k = known_of(L);
  if (is_settled(L, (Classification)k->classification)) return;
  if (!lua_checkstack(L, 16)) {
    hook_out_of_memory = true;
    return;
  }
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &watch_key) != LUA_TTABLE) return;
  Classification v = k->classification ? (Classification)k->classification : classification_of(L, watch, function);
  k->classification = v;
  if (is_settled(L, v) || !tracing(L)) return;
  lua_getinfo(L, "r", ar);
  if (v == CLASS_UNKNOWN || v == CLASS_BY_ARGUMENTS || v == CLASS_METHOD ||
      (v == CLASS_BY_TABLE && finds_shadowed(L, ar, watch)))
    v = classify(L, ar, watch, function, ar->ntransfer);
  k->classification = v;
  if (v == CLASS_READS && opens) restore_arguments(L, ar, watch, ar->ntransfer);
  if (v == CLASS_READS_FIRST && opens) restore_first(L, ar, watch);
}

/* A function of hybridlua's own files may read tables. If one of these files calls it, its tables were restored already
** or came from reads that were seen. */
static void on_own(lua_State *L, lua_Debug *ar) {
  if (!opens || is_recorder(ar) || called_by_own(L) || !tracing(L)) return;
  if (!lua_checkstack(L, 16)) {
    hook_out_of_memory = true;
    return;
  }
  lua_getinfo(L, "r", ar);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &watch_key) == LUA_TTABLE)
    restore_arguments(L, ar, lua_gettop(L), ar->ntransfer);
}

/* A trace has thousands of calls, nearly all of functions that need nothing: cheap checks come first. */
static void on_call(lua_State *L, lua_Debug *ar) {
  int top = lua_gettop(L);
  lua_getinfo(L, "f", ar);
  bool own = !lua_iscfunction(L, -1) && lua_getinfo(L, "S", ar) && own_frame(ar);
  if (own) on_own(L, ar);
  else on_other(L, ar);
  lua_settop(L, top);
}

/* ---- The hook, and the script's own hook ------------------------------------------------------------------------ */

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

/* Calls the script's own hook (a debugger, a limit of instructions) as if there were no trace. It may set another one.
** If it raises, `telling` stays true until the next event. */
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
    call_recorder(L, 0, 0);
  }
  lua_pop(L, 1);
}

static void on_event(lua_State *L, lua_Debug *ar) {
  if (coroutine_now.L != L) state_enter(L);
  if (hook_off) return;
  if (!state_now->trace.observing) {        /* a coroutine that outlived its trace */
    put_back_hook(L);
    if (state_now->trace.host.hook) tell_host(L, ar);
    return;
  }
  if (state_now->trace.telling) {          /* the script's hook raised: is this part of the trace? */
    state_now->trace.telling = false;
    coroutine_now.L = NULL;
    coroutine_enter(L);
  }
  if (state_now->trace.returns && ar->event == LUA_HOOKRET) has_returned(L);
  if (state_now->trace.host.hook) tell_host(L, ar);
  if (ar->event == LUA_HOOKCALL || ar->event == LUA_HOOKTAILCALL) on_call(L, ar);
}

/* ---- For trace_guards.lua -------------------------------------------------------------------------------------- */

/* watch_calls(classify, restore, classifications, shadowed, proxies): classify(function, its first two arguments)
** returns a classification, which further calls find in `classifications` if it was put there; restore(table) is called
** for tables in `shadowed` that are given to functions with CLASS_READS. `shadowed` and `proxies` have the tables as
** keys. */
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
  hook_off = hook_out_of_memory = opens = false;
  memset(state_now->trace.known, 0, sizeof state_now->trace.known);
  if (lua_gethook(L) != on_event) state_now->trace.host = hook_of(L);
  state_now->trace.observing = true;
  state_now->trace.returns = state_now->trace.telling = false;
  set_hook(L);
  return 0;
}

/* tables_emptied(): there are shadowed tables from here on. Lua's collector is stopped, so that no finalizer sees
** one. */
static int tables_emptied(lua_State *L) {
  state_enter(L);
  opens = true;
  if (!state_now->trace.held && lua_gc(L, LUA_GCISRUNNING) == 1) {
    lua_gc(L, LUA_GCSTOP);
    state_now->trace.held = true;
  }
  return 0;
}

/* tables_filled(): all shadowed tables are restored */
static int tables_filled(lua_State *L) {
  state_enter(L);
  opens = hook_off = state_now->trace.observing = false;
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

/* pause_watch(whether) -> was it so before? Calls are not examined meanwhile. */
static int pause_watch(lua_State *L) {
  state_enter(L);
  bool before = hook_off;
  hook_off = lua_toboolean(L, 1);
  lua_pushboolean(L, before);
  return 1;
}

/* end_watch() -> was there enough memory to examine all calls? */
static int end_watch(lua_State *L) {
  state_enter(L);
  hook_off = false;
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &watch_key);
  state_now->trace.observing = false;
  if (lua_gethook(L) == on_event) put_back_hook(L);
  lua_pushboolean(L, !hook_out_of_memory);
  return 1;
}

/* is_watched(coroutine): was it made in the trace? */
static int is_watched(lua_State *L) {
  lua_State *co = lua_tothread(L, 1);
  lua_pushboolean(L, co && lua_gethook(co) == on_event);
  return 1;
}

/* c_address(function) -> the address of its C code, a light userdata; nil if it is written in Lua */
static int c_address(lua_State *L) {
  lua_CFunction f = lua_tocfunction(L, 1);
  if (f) lua_pushlightuserdata(L, (void *)(uintptr_t)f);
  else lua_pushnil(L);
  return 1;
}

/* The address range of the program or library that contains this file. dladdr would find it too, but searches names. */
extern const char __ehdr_start[] __attribute__((visibility("hidden"))), _end[] __attribute__((visibility("hidden")));

/* is_own_code(function): is its C code in the same program or library as this? */
static int is_own_code(lua_State *L) {
  uintptr_t f = (uintptr_t)lua_tocfunction(L, 1);
  lua_pushboolean(L, f >= (uintptr_t)__ehdr_start && f < (uintptr_t)_end);
  return 1;
}

void open_call_hook(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "watch_calls", watch_calls }, { "end_watch", end_watch }, { "pause_watch", pause_watch },
    { "tables_emptied", tables_emptied }, { "tables_filled", tables_filled }, { "on_return", on_return },
    { "is_watched", is_watched }, { "c_address", c_address }, { "is_own_code", is_own_code }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
