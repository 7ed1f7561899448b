/* core_module.c - require "hybridlua": the embedded Lua files of lua/hybridlua (tools/embed.sh), and hybridlua.core,
** the engine's functions in one table per subject.
*/
#include <string.h>

#include "base/settings/environment.h"
#include "bind/core/tape_anchor.h"
#include "bind/follow/follow.h"
#include "bind/core/coroutine.h"
#include "bind/value/device_value.h"
#include "bind/host/embedded_files.h"
#include "bind/call/call_guards.h"
#include "bind/value/list_use.h"
#include "bind/core/auto_names.h"
#include "bind/trace/graph_breaks.h"
#include "bind/core/lua_state.h"
#include "bind/trace/tracing.h"
#include "tensor/blas.h"

/* The file of the module `name` or, if `by_path`, with the path `name`. */
static const EmbeddedFile *find_file(const char *name, bool by_path) {
  for (const EmbeddedFile *f = embedded_files; f->module; f++)
    if (strcmp(by_path ? f->path : f->module, name) == 0) return f;
  return NULL;
}

/* source_text(path) -> the text of a file such as "hybridlua/autograd.lua", for help; nil if it does not exist */
static int source_text(lua_State *L) {
  const EmbeddedFile *f = find_file(luaL_checkstring(L, 1), true);
  if (f) lua_pushlstring(L, f->text, f->size);
  return f != NULL;
}

static const EmbeddedChunk *compiled_files;      /* NULL in the module, which has the text only */

void embedded_use(const EmbeddedChunk *chunks) { compiled_files = chunks; }

static void open_module(lua_State *L) {
  set_function(L, "source_text", source_text);
  set_string(L, "version", HL_VERSION);
  set_boolean(L, "in_program", compiled_files != NULL);
}

/* Registry key: the globals of our files. They are copied from Lua's when the module is opened, libraries included, so
** that a script may replace its own: ipairs = mine. Functions that a script replaces to capture output (print, warn,
** io.stderr, ...), and all names that are not Lua's, are looked up in the script's globals. String methods are found
** through the strings' metatable, as in any code. */
static const char environment_key;

static const char *const library_names[] = {
  "coroutine", "debug", "io", "math", "os", "string", "table", "utf8", NULL
};

/* Makes the table on top inherit from the table below it, which is removed from the stack. */
static void look_behind(lua_State *L) {
  lua_createtable(L, 0, 1);
  lua_rotate(L, -3, -1);                   /* table, metatable, parent */
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

static const char *const shown_by[] = { "stdin", "stdout", "stderr", "read", "write", "input", "output", NULL };

/* Replaces the library on top by a copy. */
static void copy_library(lua_State *L) {
  lua_newtable(L);
  copy_fields(L, -2);
  for (int i = 0; shown_by[i]; i++) {
    lua_pushnil(L);
    lua_setfield(L, -2, shown_by[i]);
  }
  look_behind(L);
}

static void make_environment(lua_State *L) {
  const char *const functions =
    "assert collectgarbage dofile error getmetatable ipairs load loadfile next pairs pcall rawequal rawget rawlen "
    "rawset require select setmetatable tonumber tostring type xpcall package _G ";
  lua_pushglobaltable(L);
  lua_createtable(L, 0, 40);
  for (const char *name = functions; *name;) {
    size_t n = strcspn(name, " ");
    lua_pushlstring(L, name, n);
    lua_pushvalue(L, -1);
    lua_rawget(L, -4);
    lua_rawset(L, -3);
    name += n + 1;
  }
  for (int i = 0; library_names[i]; i++) {
    if (lua_getfield(L, -2, library_names[i]) == LUA_TTABLE) {
      copy_library(L);
      lua_setfield(L, -2, library_names[i]);
    } else {
      lua_pop(L, 1);
    }
  }
  look_behind(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &environment_key);
}

static int load_file(lua_State *L, const EmbeddedFile *f) {
  const EmbeddedChunk *c = compiled_files ? &compiled_files[f - embedded_files] : NULL;
  lua_pushfstring(L, "=%s", f->path);      /* begins with OWN_CHUNK */
  int failed = luaL_loadbufferx(L, c ? (const char *)c->bytes : f->text, c ? c->size : f->size, lua_tostring(L, -1),
                                c ? "b" : "t");
  lua_remove(L, -2);
  if (failed == LUA_OK) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &environment_key);
    lua_setupvalue(L, -2, 1);
  }
  return failed;
}

/* For package.searchers: "hybridlua.gluon.nn". */
static int search(lua_State *L) {
  const EmbeddedFile *f = find_file(luaL_checkstring(L, 1), false);
  if (!f) {
    lua_pushnil(L);
    return 1;
  }
  if (load_file(L, f) != LUA_OK) return lua_error(L);
  lua_pushstring(L, f->path);
  return 2;
}

/* ---- hybridlua.core: the functions of C for our Lua files ----------------------------------------------------- */

typedef struct CoreRoom {
  const char *name;
  void (*open[6])(lua_State *L);     /* functions that fill the table on top of the stack, up to a NULL */
} CoreRoom;

/* Run first, in this order, to set registry values that the functions below need. */
static void (*const prepare[])(lua_State *L) = { open_state,  open_error,    open_object, open_coroutine,
                                                 open_anchor, open_list_use, NULL };

/* The tables in the order in which they are filled, because arrays and Symbols inherit the methods of operators. A
** function's name does not repeat its table's: core.trace.begin. */
static const CoreRoom rooms[] = {
  /* operators: the function tables nd and sym, rows as tables, options that are parsed once (bind/value) */
  { "op", { open_operators, open_registry, open_plain } },
  /* NDArrays: creation, recognition, comparison; methods, metatable; shapes (bind/value, bind/core) */
  { "array", { open_array, open_array_compare, open_rows, open_shape } },
  /* np's kind of arrays and Symbols: its metatables, conversion, promotion of dtypes, the mode of set_np (bind/value) */
  { "np", { open_np, open_np_promotion } },
  /* Symbols: variables, inference, gradients, JSON files; bodies of loops and conditions as subgraphs (bind/value,
  ** bind/data) */
  { "symbol", { open_symbol, open_symbol_grad, open_control, open_symbol_files } },
  /* contexts such as cpu(0): the current one, the one of a call's arrays, argument checks (bind/value) */
  { "context", { open_device } },
  /* automatic names: scopes of prefixes and attributes for new nodes (bind/core) */
  { "name", { open_names } },
  /* the tape: attached gradients, backward, autograd.Function, modes, optimizer steps (bind/autograd) */
  { "autograd", { open_autograd, open_function, open_custom, open_mode, open_update } },
  /* the current trace: its captured arrays, and the values that it needed (bind/trace) */
  { "trace", { open_trace, open_step_nodes } },
  /* the follower, which records the places that functions of the script read (bind/follow) */
  { "follow", { open_follow } },
  /* graph breaks: blocks whose code runs at every call, with operators deferred and compiled (bind/trace, bind/call) */
  { "breaks", { open_graph_breaks, open_segments } },
  /* guards: the places other than arguments that a trace read, and checks of their values (bind/call) */
  { "guard", { open_guard } },
  /* block calls: the key of the arguments, the cache of compiled calls, scopes of nodes (bind/call) */
  { "call", { open_call_cache, open_call_key, open_run_numbers, open_scopes } },
  /* compiled functions: creation, execution, description, and replay operator by operator (bind/call) */
  { "graph", { open_compiled, open_graph_table, open_explain, open_runs } },
  /* files: arrays, data sets, pictures, folders (bind/data) */
  { "file", { open_files } },
  /* the processes of a DataLoader (bind/data) */
  { "worker", { open_workers } },
  /* the random stream: its seed, its state, keys derived from it (bind/host, base/math) */
  { "random", { open_random } },
  /* exp, log, ... of numbers, with the same bits on any machine (bind/host, base/math) */
  { "number", { open_numbers } },
  /* pages that cairo draws as PNG or PDF (bind/host, io/picture) */
  { "page", { open_page } },
  /* the data of plots: places on the page, thinned; counts, colours, contours (bind/host, io/picture) */
  { "plot", { open_plot } },
  /* the script: its lines, frames and functions (bind/core) */
  { "script", { open_script, open_plain_tables, open_closing } },
  /* the process: memory, threads, time, build, terminal, paths, profiler, switches for tests (bind/host) */
  { "host", { open_module, open_system, open_install_paths, open_profile } },
  { NULL, { NULL } }
};

static int open_core(lua_State *L) {
  for (int i = 0; prepare[i]; i++) prepare[i](L);
  lua_newtable(L);
  for (const CoreRoom *room = rooms; room->name; room++) {
    lua_newtable(L);
    for (int i = 0; room->open[i]; i++) room->open[i](L);
    lua_setfield(L, -2, room->name);
  }
  return 1;
}

/* Right after the searcher of package.preload: those for files would try eight places for each of our modules. */
static void add_searcher(lua_State *L) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "searchers");
  for (lua_Integer i = (lua_Integer)lua_rawlen(L, -1); i >= 2; i--) {
    lua_rawgeti(L, -1, i);
    lua_rawseti(L, -2, i + 1);
  }
  lua_pushcfunction(L, search);
  lua_rawseti(L, -2, 2);
  lua_pop(L, 2);
}

/* The name by which Lua finds the module, and its only exported symbol. */
__attribute__((visibility("default"))) int luaopen_hybridlua(lua_State *L);

int luaopen_hybridlua(lua_State *L) {
  luaL_checkversion(L);
  environment_check();
  blas_prepare();
  add_searcher(L);
  make_environment(L);
  luaL_requiref(L, "hybridlua.core", open_core, 0);
  lua_pop(L, 1);
  const EmbeddedFile *init = find_file("hybridlua", false);
  if (!init || load_file(L, init) != LUA_OK)
    return init ? lua_error(L) : luaL_error(L, "hybridlua was built without its Lua files");
  lua_call(L, 0, 1);
  return 1;
}
