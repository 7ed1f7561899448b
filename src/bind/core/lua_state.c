/* lua_state.c - see lua_state.h. */
#include "bind/core/lua_state.h"

#include <pthread.h>

#include "base/memory.h"
#include "bind/core/tape_anchor.h"

#define STATE_BEGIN ((State){ .engine = ENGINE_BEGIN, .blocks_version = 1, .fields_version = 1 })
static _Thread_local State late;             /* for finalizers that run after ours while a state is closed */

/* A thread that ends releases its state. */
static pthread_key_t ending;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void release(void *state) {
  State *s = state;
  if (s && s != &late && atomic_fetch_sub(&s->refs, 1) == 1) object_free(s);
}

static void make_key(void) { pthread_key_create(&ending, release); }

static State *hold(State *s) {
  if (s != &late) atomic_fetch_add(&s->refs, 1);
  return s;
}

void state_use(State *s) {
  State *before = state_any();
  entry_of_state();
  if (s == before) return;
  engine_bind(&hold(s)->engine);
  pthread_once(&once, make_key);
  pthread_setspecific(ending, s == &late ? NULL : s);
  release(before);
}

/* registry key of a userdata with a pointer to the object */
static const char state_key;

void state_switch(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key);
  State **s = lua_touserdata(L, -1);
  lua_pop(L, 1);
  if (!*s) late = STATE_BEGIN;
  state_use(*s ? *s : &late);
}

static void end(State *s) {
  weak_handles_forget(s);
  operator_log_free(&s->operator_log);
  engine_end(&s->engine);
  s->engine = (Engine)ENGINE_BEGIN;
  s->coroutine = (CoroutineNow){ 0 };
  s->owners = NULL;
  if (state_any() == s) {
    engine_bind(NULL);
    pthread_setspecific(ending, NULL);
    release(s);
  }
  release(s);
}

/* Runs after all our other finalizers, because the object was made first. */
static int state_gc(lua_State *L) {
  State **s = lua_touserdata(L, 1), *gone = *s;
  *s = NULL;
  if (gone) end(gone);
  return 0;
}

void open_state(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &state_key) == LUA_TNIL) {
    State **s = lua_newuserdatauv(L, sizeof *s, 0);
    *s = NULL;
    lua_createtable(L, 0, 1);
    set_function(L, "__gc", state_gc);
    lua_setmetatable(L, -2);
    *s = object_new(sizeof **s);
    if (!*s) raise_status(L, no_memory("state"));
    **s = STATE_BEGIN;
    (*s)->refs = 1;
    lua_rawsetp(L, LUA_REGISTRYINDEX, &state_key);
  }
  lua_pop(L, 1);
  state_switch(L);
}
