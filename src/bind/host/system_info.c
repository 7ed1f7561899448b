/* system_info.c - information about the process: memory, threads, random numbers, time, build. */
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/settings/debug_switches.h"
#include "base/settings/machine.h"
#include "base/memory.h"
#include "base/nearest_word.h"
#include "base/print_output.h"
#include "base/threads/parallel_for.h"
#include "base/math/random_stream.h"
#include "bind/core/coroutine.h"
#include "exec/program/executable.h"
#include "ir/run_op.h"
#include "tensor/blas.h"
#include "tensor/lapack.h"

/* Adds { what =, why =, bytes = } to the list on top. */
static void add_held(lua_State *L, const char *what, const char *why, int64_t bytes) {
  if (bytes == 0) return;
  lua_createtable(L, 0, 3);
  set_string(L, "what", what);
  set_string(L, "why", why);
  set_integer(L, "bytes", bytes);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
}

/* Pushes a list of memory not in arrays: caches that can be freed, the cheapest to rebuild first, then saved values of
** compiled calls. */
static void push_held(lua_State *L, const MemoryCounters *m) {
  enum { MOST = 16 };
  SavedValues saved[MOST];
  char text[128];
  lua_newtable(L);
  add_held(L, "freed blocks", "for new arrays", m->pooled);
  for (int i = 0; i < N_RECLAIM_RANKS; i++) {
    const Reclaimer *r = memory_reclaimer(i);
    if (r) add_held(L, r->what, r->why, r->kept());
  }
  for (int i = 0, n = executable_saved(saved, MOST); i < n; i++) {
    const char *name = saved[i].name[0] ? saved[i].name : "other functions";
    snprintf(text, sizeof text, "values of %s, %d call%s", name, saved[i].runs, saved[i].runs == 1 ? "" : "s");
    add_held(L, text, "for a later backward", saved[i].bytes);
  }
}

static int memory(lua_State *L) {
  const MemoryCounters m = memory_counters();
  const int64_t idle = memory_kept();
  lua_createtable(L, 0, 6);
  set_integer(L, "live", m.live - idle);
  set_integer(L, "peak", m.peak);
  set_integer(L, "idle", idle);
  set_integer(L, "pooled", m.pooled);
  set_integer(L, "budget", m.budget);
  push_held(L, &m);
  lua_setfield(L, -2, "held");
  return 1;
}

/* memory_options{budget =, fail_after =, trim =, reset_peak =}: for tests; with fail_after, returns the number of
** allocations left from the previous fail_after */
static int memory_options(lua_State *L) {
  int64_t left = 0;
  luaL_checktype(L, 1, LUA_TTABLE);
  if (lua_getfield(L, 1, "budget") == LUA_TNUMBER) memory_set_budget((int64_t)lua_tonumber(L, -1));
  if (lua_getfield(L, 1, "fail_after") == LUA_TNUMBER) left = memory_fail_after(lua_tointeger(L, -1));
  if (table_get_bool(L, 1, "trim", false)) memory_reclaim();
  if (table_get_bool(L, 1, "reset_peak", false)) memory_reset_peak();
  return return_integer(L, left);
}

/* ---- Failing allocations, for tests ---- */

static lua_Alloc allocate;

static void *allocate_or_fail(void *data, void *block, size_t old, size_t bytes) {
  bool more = bytes > 0 && (!block || bytes > old);
  return more && memory_fails() ? NULL : allocate(data, block, old, bytes);
}

/* fail_allocations(n): from now on all allocations from the n-th on fail, including Lua's; 0 ends this. Does not
** allocate. */
static int fail_allocations(lua_State *L) {
  void *data;
  lua_Integer n = luaL_checkinteger(L, 1);
  lua_Alloc now = lua_getallocf(L, &data);
  if (n > 0 && now != allocate_or_fail) {
    allocate = now;
    lua_setallocf(L, allocate_or_fail, data);
  } else if (n <= 0 && now == allocate_or_fail) {
    lua_setallocf(L, allocate, data);
  }
  memory_fail_from(n);
  return 0;
}

/* clang-format off */
static const struct { const char *name; bool *value; } switches[] = {
  { "poison", &debug.poison }, { "no_plan", &debug.no_plan }, { "remat", &debug.remat },
  { "report_tiles", &debug.report_tiles }, { "share", &debug.share }, { "strict", &debug.strict },
  { "no_packed_weights", &debug.no_packed_weights }, { "no_lapack", &debug.no_lapack },
  { "direct_convolution", &debug.direct_convolution } };
/* clang-format on */

/* debug{a switch = boolean, ..., jit = mode, decompose = mode, wrong = operator or "", fail_in = instruction or 0,
** failure = kind}: for tests; returns the old
** values, and n_decomposed, the number of operators decomposed by that mode */
static int debug_options(lua_State *L) {
  const Debug before = debug;
  luaL_checktype(L, 1, LUA_TTABLE);
  if (lua_getfield(L, 1, "jit") == LUA_TSTRING) {
    int mode = jit_mode(lua_tostring(L, -1));
    if (mode < 0) return raise_error(L, "debug: jit: expected off, sync or background, got '%s'", lua_tostring(L, -1));
    debug.jit = (JitMode)mode;
  }
  if (lua_getfield(L, 1, "decompose") == LUA_TSTRING) {
    int mode = decompose_mode(lua_tostring(L, -1));
    if (mode < 0)
      return raise_error(L, "debug: decompose: expected pays, lowered or expanded, got '%s'", lua_tostring(L, -1));
    debug.decompose = (DecomposeMode)mode;
  }
  if (lua_getfield(L, 1, "wrong") == LUA_TSTRING) snprintf(debug.wrong, sizeof debug.wrong, "%s", lua_tostring(L, -1));
  if (lua_getfield(L, 1, "failure") == LUA_TSTRING) {
    const int kind = failure_kind(lua_tostring(L, -1));
    if (kind < 0) return raise_error(L, "debug: failure: expected error or memory, got '%s'", lua_tostring(L, -1));
    debug.failure = (FailureKind)kind;
  }
  if (lua_getfield(L, 1, "fail_in") == LUA_TNUMBER) debug.fail_in = lua_tointeger(L, -1);
  lua_newtable(L);
  for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
    set_boolean(L, switches[i].name, *switches[i].value);
    *switches[i].value = table_get_bool(L, 1, switches[i].name, *switches[i].value);
  }
  set_string(L, "jit", jit_mode_name(before.jit));
  set_string(L, "decompose", decompose_mode_name(before.decompose));
  set_integer(L, "n_decomposed", before.n_decomposed);
  set_string(L, "wrong", before.wrong);
  set_integer(L, "fail_in", before.fail_in);
  set_string(L, "failure", failure_kind_name(before.failure));
  return 1;
}

/* log(topic) -> is it enabled? log(topic, text) also writes a line on stderr if it is */
static int log_text(lua_State *L) {
  int topic = log_topic(luaL_checkstring(L, 1));
  if (topic < 0) return raise_error(L, "log: topic: expected trace, plan or kernel, got %s", lua_tostring(L, 1));
  if (!lua_isnoneornil(L, 2)) log_line((LogTopic)topic, "%s", luaL_checkstring(L, 2));
  return return_boolean(L, log_wanted((LogTopic)topic));
}

static int seed(lua_State *L) {
  lua_Integer n;
  int exact;
  n = lua_tointegerx(L, 1, &exact);
  if (!exact) return raise_error(L, "random.seed: seed: expected an integer, got %s", type_name(L, 1));
  coroutine_enter(L);
  engine_now()->random = random_seeded((uint64_t)n);
  return 0;
}

/* state() -> key, next; state(key, next) sets them */
static int state(lua_State *L) {
  coroutine_enter(L);
  const RandomState s = engine_now()->random;
  if (lua_gettop(L) >= 2)
    engine_now()->random = (RandomState){ (uint64_t)luaL_checkinteger(L, 1), (uint64_t)luaL_checkinteger(L, 2) };
  lua_pushinteger(L, (lua_Integer)s.key);
  lua_pushinteger(L, (lua_Integer)s.next);
  return 2;
}

/* draw_key() -> a number drawn from the stream, from which others are derived */
static int key(lua_State *L) {
  uint32_t four[4];
  coroutine_enter(L);
  random_four(random_take(&engine_now()->random, 1), 0, four);
  return return_integer(L, (lua_Integer)((uint64_t)four[0] << 32 | four[1]));
}

/* derive_key(key, name) -> a key for that name */
static int derive(lua_State *L) {
  return return_integer(L, (lua_Integer)random_derive((uint64_t)luaL_checkinteger(L, 1), luaL_checkstring(L, 2)));
}

/* seconds() -> the monotonic clock */
static int seconds(lua_State *L) { return return_number(L, machine_seconds()); }

/* count_flops(true) starts to count the arithmetic of eager operators, count_flops(false) stops, count_flops() changes
** nothing; all return the count so far */
static int count_flops(lua_State *L) {
  coroutine_enter(L);
  double before = run_flops();
  if (!lua_isnoneornil(L, 1)) run_count_flops(lua_toboolean(L, 1));
  return return_number(L, before);
}

/* take_printed(true) starts to capture the output of operators, take_printed(false) stops; both return the text
** captured so far */
static int take_printed(lua_State *L) {
  Text *text = push_text(L);
  output_take(lua_toboolean(L, 1), text);
  take_text(L, text);
  return 1;
}

static int distance(lua_State *L) {
  return return_integer(L, edit_distance(luaL_checkstring(L, 1), luaL_checkstring(L, 2)));
}

static int threads(lua_State *L) {
  if (!lua_isnoneornil(L, 1)) parallel_set_threads((int)luaL_checkinteger(L, 1));
  return return_integer(L, parallel_threads());
}

/* Adds a line with the library's path. The loader calls this with its lock held, so Lua, which may raise, is not
** called. */
static int add_library(struct dl_phdr_info *library, size_t size, void *paths) {
  (void)size;
  char *path = *library->dlpi_name ? realpath(library->dlpi_name, NULL) : NULL;
  if (!path) return 0;                 /* the program itself, or the kernel's vDSO */
  text_format(paths, "%s\n", path);
  free(path);
  return 0;
}

/* Pushes a list of the loaded libraries, whose file names contain their versions. */
static void push_libraries(lua_State *L) {
  Text *paths = push_text(L);
  dl_iterate_phdr(add_library, paths);
  take_text(L, paths);
  lua_newtable(L);
  const char *at = lua_tostring(L, -2);
  for (lua_Integer n = 1; *at; n++) {
    size_t length = strcspn(at, "\n");
    lua_pushlstring(L, at, length);
    lua_rawseti(L, -2, n);
    at += length + 1;
  }
  lua_remove(L, -2);
}

static int info(lua_State *L) {
  lua_createtable(L, 0, 11);
  set_string(L, "version", HL_VERSION);
  set_string(L, "march", HL_MARCH);
  set_string(L, "compiler", __VERSION__);
  set_string(L, "lua", LUA_RELEASE);
  set_string(L, "blas", blas_info());
  set_string(L, "lapack", lapack_info());
  set_string(L, "cpu", machine_cpu());
  set_integer(L, "cores", machine_cores());
  set_integer(L, "threads", parallel_threads());
  set_integer(L, "memory", machine_memory());
  push_libraries(L);
  lua_setfield(L, -2, "libraries");
  return 1;
}

void open_random(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "seed", seed }, { "state", state }, { "draw_key", key }, { "derive_key", derive }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}

void open_system(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "info", info }, { "threads", threads }, { "memory", memory }, { "memory_options", memory_options },
    { "fail_allocations", fail_allocations }, { "seconds", seconds }, { "count_flops", count_flops },
    { "take_printed", take_printed }, { "edit_distance", distance },
    { "debug", debug_options }, { "log", log_text }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
}
