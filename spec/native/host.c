/* host.c - a Lua module for one spec: the process into which hybridlua is loaded. */
#include <dlfcn.h>
#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- A host that uses cJSON, too, with an allocator of its own ---- */

typedef struct Hooks { void *(*allocate)(size_t n); void (*release)(void *block); } Hooks;

static long long asked;
static void *(*cjson_malloc)(size_t n);

static void *allocate(size_t n) {
  asked++;
  return malloc(n);
}

/* use_cjson() */
static int use_cjson(lua_State *L) {
  void *library = dlopen("libcjson.so.1", RTLD_NOW);
  if (!library) return luaL_error(L, "%s", dlerror());
  void (*set)(Hooks *hooks) = (void (*)(Hooks *))dlsym(library, "cJSON_InitHooks");
  cjson_malloc = (void *(*)(size_t))dlsym(library, "cJSON_malloc");
  set(&(Hooks){ allocate, free });
  return 0;
}

/* is_asked() -> does cJSON still allocate from the host? */
static int is_asked(lua_State *L) {
  long long before = asked;
  free(cjson_malloc(1));
  lua_pushboolean(L, asked == before + 1);
  return 1;
}

/* ---- A host with a thread ---- */

static void *sleep_on(void *unused) {
  for (;;) pause();
  return unused;
}

/* start_thread(): starts a thread that never ends */
static int start_thread(lua_State *L) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, sleep_on, NULL) != 0) return luaL_error(L, "no thread");
  pthread_detach(thread);
  return 0;
}

int luaopen_host(lua_State *L) {
  luaL_newlib(L, ((luaL_Reg[]){ { "use_cjson", use_cjson },
                                { "is_asked", is_asked },
                                { "start_thread", start_thread },
                                { NULL, NULL } }));
  return 1;
}
