/* states.c - a Lua module for one spec: other Lua states with hybridlua, in this thread or in others. */
#include <dlfcn.h>
#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <pthread.h>

static const char *const type = "spec.State";

static lua_State *check_state(lua_State *L) {
  lua_State *other = *(lua_State **)luaL_checkudata(L, 1, type);
  if (!other) luaL_error(L, "this state was closed");
  return other;
}

/* new() -> a state with Lua's libraries, which finds the module like this one */
static int new_state(lua_State *L) {
  lua_State **s = lua_newuserdatauv(L, sizeof *s, 0);
  *s = NULL;
  luaL_setmetatable(L, type);
  *s = luaL_newstate();
  if (!*s) return luaL_error(L, "no state");
  luaL_openlibs(*s);
  lua_CFunction open = (lua_CFunction)dlsym(RTLD_DEFAULT, "luaopen_hybridlua"); /* it is linked into the program */
  if (open) luaL_requiref(*s, "hybridlua", open, 0);
  lua_settop(*s, 0);
  return 1;
}

typedef struct Task { lua_State *state; const char *text; int status; } Task;

static void *run_task(void *task) {
  Task *t = task;
  lua_settop(t->state, 0);
  t->status = luaL_loadstring(t->state, t->text);
  if (t->status == LUA_OK) t->status = lua_pcall(t->state, 0, 1, 0);
  return NULL;
}

static int give(lua_State *L, Task *t) {
  lua_pushstring(L, luaL_tolstring(t->state, -1, NULL));
  return t->status == LUA_OK ? 1 : lua_error(L);
}

/* state:run(text) -> the chunk's result as a string */
static int run(lua_State *L) {
  Task t = { .state = check_state(L), .text = luaL_checkstring(L, 2) };
  run_task(&t);
  return give(L, &t);
}

/* state:run_in_thread(text): the same in a new thread */
static int run_in_thread(lua_State *L) {
  Task t = { .state = check_state(L), .text = luaL_checkstring(L, 2) };
  pthread_t thread;
  if (pthread_create(&thread, NULL, run_task, &t) != 0) return luaL_error(L, "no thread");
  pthread_join(thread, NULL);
  return give(L, &t);
}

static int close_state(lua_State *L) {
  lua_State **s = luaL_checkudata(L, 1, type), *other = *s;
  *s = NULL;
  if (other) lua_close(other);
  return 0;
}

int luaopen_states(lua_State *L) {
  luaL_newmetatable(L, type);
  luaL_setfuncs(L,
                (luaL_Reg[]){ { "run", run },
                              { "run_in_thread", run_in_thread },
                              { "close", close_state },
                              { "__gc", close_state },
                              { NULL, NULL } },
                0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, ((luaL_Reg[]){ { "new", new_state }, { NULL, NULL } }));
  return 1;
}
