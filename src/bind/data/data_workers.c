/* data_workers.c - worker processes for lua/hybridlua/gluon/data/workers.lua: see exec/train/worker_process.h. */
#include <string.h>
#include <unistd.h>

#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "exec/train/worker_process.h"

static const char worker_tag;

static Worker *check_worker(lua_State *L) {
  if (lua_type(L, 1) == LUA_TUSERDATA && lua_getmetatable(L, 1)) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &worker_tag);
    if (lua_rawequal(L, -1, -2)) {
      lua_pop(L, 2);
      return lua_touserdata(L, 1);
    }
  }
  raise_error(L, "worker: expected a worker, got %s", type_name(L, 1));
}

/* begin(slots, run) -> the worker; the new process calls run(worker) and then exits. */
static int begin(lua_State *L) {
  int n = (int)luaL_checkinteger(L, 1);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  Worker *w = lua_newuserdatauv(L, sizeof *w, 0);
  memset(w, 0, sizeof *w);
  take_metatable(L, &worker_tag);
  coroutine_enter(L);
  CHECK_WITH_MEMORY(L, worker_begin(w, n));
  if (w->process > 0) return 1;
  lua_pushvalue(L, 2);                     /* the worker process never returns from here */
  lua_pushvalue(L, 3);
  lua_pcall(L, 1, 0, 0);
  worker_leave();
}

/* stop(worker) */
static int end(lua_State *L) {
  worker_end(check_worker(L));
  return 0;
}

/* send(worker, slot, text, arrays) */
static int tell(lua_State *L) {
  size_t length;
  Worker *w = check_worker(L);
  lua_Integer slot = luaL_checkinteger(L, 2);
  const char *text = luaL_checklstring(L, 3, &length);
  if (w->owner == 0 || slot < 0 || slot >= w->n) return raise_error(L, "worker: the worker has ended");
  int n = check_length(L, 4, "worker: arrays");
  Array **list = list_arrays(L, 4, n, false);
  Tensor *arrays = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *arrays, 0);
  for (int i = 0; i < n; i++) arrays[i] = list[i]->t;
  check(L, worker_tell(w, (int)slot, text, length, arrays, n));
  return 0;
}

/* receive(worker, seconds) -> slot, text, arrays; or nil and a reason: "late", or how the worker ended */
static int await(lua_State *L) {
  Message m;
  Worker *w = check_worker(L);
  double seconds = luaL_checknumber(L, 2);
  if (w->owner == 0) return raise_error(L, "worker: the worker has ended");
  check(L, worker_wait(w, seconds, &m));
  if (m.slot < 0) {
    lua_pushnil(L);
    lua_pushstring(L, !m.ended ? "late" : w->process > 0 ? worker_fate(w) : "has ended");
    return 2;
  }
  lua_pushinteger(L, m.slot);
  lua_pushlstring(L, m.text, m.length);
  lua_createtable(L, m.n_arrays, 0);
  for (int i = 0; i < m.n_arrays; i++) {
    Array *a = push_array(L);
    coroutine_enter(L);
    CHECK_WITH_MEMORY(L, worker_array(w, &m, i, &a->t));
    lua_rawseti(L, -2, i + 1);
  }
  pace_collector(L);
  return 3;
}

/* process(worker) -> its process ID */
static int process(lua_State *L) { return return_integer(L, check_worker(L)->process); }

/* this_process() -> the current process ID */
static int process_id(lua_State *L) { return return_integer(L, getpid()); }

void open_workers(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "begin", begin }, { "stop", end }, { "send", tell }, { "receive", await }, { "process", process },
    { "this_process", process_id }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  new_metatable(L, &worker_tag, "hybridlua worker", end);
  lua_pop(L, 1);
}
