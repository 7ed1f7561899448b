/* coroutine.c - see coroutine.h.
**
** Each coroutine that calls a function of ours gets a CoroutineState, a userdata in a table with weak keys. It refers
** to the coroutine, so that both become garbage together and the coroutine outlives the CoroutineState's finalizer.
** Invariant: CoroutineNow.L and the chain from CoroutineNow.top never point to freed memory.
**
** Lua does not report which coroutine resumed which, but this can be derived: coroutines with running functions that
** are neither suspended nor dead led to the running one. So the chain is cut at the first coroutine for which that no
** longer holds. Then owners are added to it: coroutines with their own mode that may have been resumed without calling
** us. Other coroutines have no effect. Only ./hybridlua knows the order in which owners resumed each other
** (coroutine_resumes); plain lua5.4 assumes the order in which they ran before. A coroutine without its own mode checks
** the chain at each call; the main coroutine and owners need not.
**
** A finalizer may run between any two instructions, in any coroutine. While it runs, Lua's collector is disabled, which
** lua_gc reports (since Lua 5.4.4).
*/
#include "bind/core/coroutine.h"

#include "base/memory.h"
#include "bind/core/auto_names.h"
#include "bind/core/trace_port.h"
#include "ir/kernel_hook.h"

struct CoroutineState {
  lua_State *L;              /* NULL: the finalizers' */
  State *state;              /* outlives it */
  CoroutineState *outer;            /* the one that resumed it, while it is in the chain */
  CoroutineState *home;             /* the main coroutine's */
  uint64_t id;
  ModeScope *scopes;         /* open ones, innermost first */
  bool own;                  /* was its mode set outside any scope? */
  Mode set;                  /* that mode; its origin and operator log are not used */
  bool fresh, dead;          /* not run yet; finalized */
  bool listed;               /* in the list of owners, though perhaps no longer one */
  struct CoroutineState *next_owner;
  uint64_t ran;              /* time of the last switch to it, counted in switches */
  Mode seen;                 /* the engine state's mode when it last ran */
  struct OperatorLog *operator_log;
  Scope *block;              /* the engine state's block call when it last ran; retained */
  int blocks;                /* number of its open block calls */
  uint64_t trace;            /* number of the last trace that it was part of */
};

static _Thread_local CoroutineState nowhere;        /* for finalizers that run after ours while a state is closed */

/* registry keys: coroutine states by coroutine; their metatable; the main coroutine's; the finalizers' */
static const char coroutines_key, metatable_key, home_key, finalizer_key;

/* Is c running, or waiting for a coroutine that it resumed? */
static bool is_running(const CoroutineState *c) {
  lua_Debug ar;
  return c == c->home || (c->L && lua_status(c->L) == LUA_OK && lua_getstack(c->L, 0, &ar));
}

/* ---- Modes ------------------------------------------------------------------------------------- */

static bool inherits(const CoroutineState *c) { return c->L && c != c->home && !c->scopes && !c->own; }

static void watch(void) {
  CoroutineNow *now = coroutine_any();
  const Mode *mode = &state_now()->engine.mode;
  now->tracing = trace_under_way() && now->at->trace == trace_under_way();
  now->watch = now->finalizer || mode->recording || mode->train || mode->device || mode->operator_log ||
               mode->anomaly || trace_under_way() || inherits(now->at);
}

static void list_owner(CoroutineState *c) {
  if (c->listed || !c->L || c == c->home) return;
  c->listed = true;
  c->next_owner = c->state->owners;
  c->state->owners = c;
}

/* Updates the mode of c, whose c->outer is up to date. */
static void settle(CoroutineState *c) {
  const CoroutineState *from = c->outer;
  const Origin origin = c->seen.origin;
  c->seen = c->scopes ? c->scopes->mode : c->own || !from ? c->set : from->seen;
  c->seen.origin = origin;
  c->seen.operator_log = c->operator_log ? c->operator_log : from ? from->seen.operator_log : NULL;
}

/* Updates the modes of the running coroutine and of the engine state. */
static void apply_mode(void) {
  CoroutineState *c = coroutine_any()->at;
  Engine *e = &state_now()->engine;
  const Origin origin = e->mode.origin;
  settle(c);
  e->mode = c->seen;
  e->mode.origin = origin;
  hook_set(e, HOOK_FINITE, e->mode.anomaly);
  watch();
}

/* Updates the modes of a chain, outermost first. */
static void settle_chain(CoroutineState *c) {
  if (!c) return;
  settle_chain(c->outer);
  settle(c);
}

void mode_open(ModeScope *s, bool recording, bool train, Device device, OnFreed on_freed) {
  CoroutineState *c = coroutine_now()->at;
  *s = (ModeScope){ .coroutine = c, .outer = c->scopes, .mode = c->seen };
  s->mode.recording = recording;
  s->mode.train = train;
  s->mode.device = device;
  s->mode.on_freed = on_freed;
  c->scopes = s;
  list_owner(c);
  apply_mode();
}

void mode_detect(ModeScope *s) {
  s->mode.anomaly = true;
  apply_mode();
}

static void pop_scope(CoroutineState *c) {
  ModeScope *s = c->scopes;
  c->scopes = s->outer;
  s->coroutine = NULL;
  if (s->copied) object_free(s);
}

void mode_close(ModeScope *s) {
  CoroutineState *c = s->coroutine;
  if (!c) return;
  state_use(c->state);
  while (c->scopes != s) pop_scope(c);
  pop_scope(c);
  if (c != coroutine_any()->at) settle_chain(coroutine_any()->top);
  if (coroutine_any()->at) apply_mode();
}

bool mode_drop(ModeScope *s) {
  CoroutineState *c = s->coroutine;
  if (!c) return false;
  ModeScope **link = &c->scopes, *copy = object_new(sizeof *copy);
  while (*link != s) link = &(*link)->outer;
  *link = copy ? copy : s->outer;
  if (copy) *copy = *s;
  if (copy) copy->copied = true;
  if (copy) copy->object = NULL;
  s->coroutine = NULL;
  return is_running(c);
}

void mode_set(bool recording, bool train) {
  CoroutineState *c = coroutine_now()->at;
  Mode *mode = c->scopes ? &c->scopes->mode : &c->set;
  if (!c->scopes) {
    if (!c->own) c->set.device = engine_now()->mode.device;
    c->own = true;
    list_owner(c);
  }
  mode->recording = recording;
  mode->train = train;
  apply_mode();
}

ModeScope *mode_innermost(void) { return coroutine_now()->at->scopes; }

int mode_depth(void) {
  int n = 0;
  for (const ModeScope *s = coroutine_now()->at->scopes; s; s = s->outer) n++;
  return n;
}

void mode_close_to(int n) {
  for (int depth = mode_depth(); depth > n && depth > 0; depth--) pop_scope(coroutine_now()->at);
  apply_mode();
}

void coroutine_set_operator_log(struct OperatorLog *log) {
  coroutine_now()->at->operator_log = log;
  apply_mode();
}

void coroutine_count_block(int step) { coroutine_now()->at->blocks += step; }

/* ---- Coroutine states ---------------------------------------------------------------------------- */

static CoroutineState *registered(lua_State *L, const void *key) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, key);
  CoroutineState *c = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return c;
}

/* Pushes a new coroutine state for the coroutine on top or, if nil is on top, for finalizers. */
static CoroutineState *push_coroutine(lua_State *L) {
  static _Atomic uint64_t ids;
  lua_State *of = lua_tothread(L, -1);
  CoroutineState *c = lua_newuserdatauv(L, sizeof *c, 1);
  *c = (CoroutineState){ .L = of, .state = state_now(), .id = ++ids, .home = registered(L, &home_key), .fresh = true };
  lua_pushvalue(L, -2);
  lua_setiuservalue(L, -2, 1);
  if (of) weak_table_set(L, &coroutines_key, -2, -1);
  take_metatable(L, &metatable_key);
  return c;
}

static CoroutineState *coroutine_of(lua_State *L) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &coroutines_key);
  lua_pushthread(L);
  lua_rawget(L, -2);
  CoroutineState *c = lua_touserdata(L, -1);
  lua_pop(L, 2);
  if (c) return c;
  lua_pushthread(L);
  c = push_coroutine(L);
  lua_pop(L, 2);
  return c;
}

uint64_t coroutine_id(void) { return coroutine_now()->at->id; }

bool coroutine_leads(uint64_t id) {
  for (const CoroutineState *c = coroutine_now()->at; c; c = c->outer)
    if (c->id == id) return true;
  return false;
}

/* ---- Switching ------------------------------------------------------------------------------------- */

static bool in_chain(const CoroutineState *chain, const CoroutineState *c) {
  while (chain && chain != c) chain = chain->outer;
  return chain != NULL;
}

/* The owner that ran first among those that led to `to` but are not in the chain. Removes former owners from the
** list. */
static CoroutineState *missing_owner(const CoroutineState *chain, const CoroutineState *to) {
  CoroutineState *first = NULL;
  for (CoroutineState **at = &to->state->owners, *c; (c = *at);) {
    if (inherits(c)) {
      *at = c->next_owner;
      c->listed = false;
      continue;
    }
    at = &c->next_owner;
    if (c->home != to->home || c == to || in_chain(chain, c) || !is_running(c)) continue;
    if (!first || c->ran < first->ran) first = c;
  }
  return first;
}

/* The coroutine state that `to`, which is running, inherits from. */
static CoroutineState *find_outer(const CoroutineState *to) {
  CoroutineState *outer = coroutine_any()->top;
  if (to == to->home) return NULL;
  if (!outer || outer->home != to->home) outer = to->home;
  for (const CoroutineState *c = outer; c; c = c->outer)
    if (c == to || !is_running(c)) outer = c->outer;
  if (!outer) outer = to->home;
  for (CoroutineState *c; (c = missing_owner(outer, to)); outer = c) {
    c->outer = outer;
    settle(c);
  }
  return outer;
}

/* Is the chain of the running coroutine unchanged since the switch to it? */
static bool chain_holds(void) {
  const CoroutineState *at = coroutine_any()->at;
  if (!inherits(at)) return true;
  for (const CoroutineState *c = at->outer; c; c = c->outer)
    if (!is_running(c)) return false;
  return !at->state->owners || !missing_owner(at, at);
}

void coroutine_trace(bool begins) {
  if (begins) coroutine_now()->at->trace = trace_under_way();
  watch();
}

/* Makes a new coroutine part of the trace that it begins in. Raises for an older one, which compiled calls would not
** resume. */
static void check_trace(lua_State *L, CoroutineState *to, const CoroutineState *outer) {
  uint64_t trace = trace_under_way();
  if (!trace) return;
  if (to->fresh && outer && outer->trace == trace) to->trace = trace;
  if (to->trace != trace)
    raise_error(L, "a coroutine that began outside of a hybridized block or compiled function cannot compute in it: "
                   "later calls would not resume it; resume it outside, and pass its results as arguments");
}

/* Resets the state after a finalizer, so that the next one inherits nothing. */
static void end_finalizer(CoroutineState *c) {
  while (c->scopes) pop_scope(c);
  c->set = (Mode){ 0 };
  c->operator_log = NULL;
  c->blocks = 0;
}

/* Saves the mode and the block call of the coroutine state that ran so far. */
static void leave(void) {
  Engine *e = &state_now()->engine;
  CoroutineState *c = coroutine_any()->at;
  if (c && c != &nowhere) {
    c->seen = e->mode;
    c->block = e->scope;
    if (coroutine_any()->finalizer) end_finalizer(c);
  } else {
    scope_release(e->scope);
    nowhere = (CoroutineState){ 0 };
  }
  e->scope = NULL;
}

static void take_block(CoroutineState *c) {
  Engine *e = &state_now()->engine;
  if (c->blocks > 0 || c == c->home) {
    e->scope = c->block;
  } else {
    const CoroutineState *from = c->outer;
    while (from && from->blocks == 0 && from != from->home) from = from->outer;
    scope_release(c->block);
    e->scope = scope_retain(from ? from->block : NULL);
  }
  c->block = NULL;
}

static void arrive(lua_State *L, CoroutineState *to, bool finalizer) {
  static _Atomic uint64_t clock;
  CoroutineNow *now = coroutine_any();
  to->fresh = false;
  to->ran = ++clock;
  *now = (CoroutineNow){ .L = L, .finalizer = finalizer, .at = to, .top = finalizer ? now->top : to };
  take_block(to);
  state_now()->engine.mode.origin = to->seen.origin;
  apply_mode();
}

static void switch_to(lua_State *L) {
  state_enter(L);
  CoroutineNow *now = coroutine_any();
  const bool finalizer = lua_gc(L, LUA_GCCOUNT) < 0;
  if (L == now->L && finalizer == now->finalizer && (finalizer || chain_holds())) return;
  CoroutineState *to = finalizer ? registered(L, &finalizer_key) : coroutine_of(L);      /* may run finalizers */
  state_enter(L);
  /* a coroutine resumed by the finalizer */
  if (finalizer && now->finalizer && to == now->at) {
    now->L = L;
    return;
  }
  if (to->dead && now->at == &nowhere) return;
  CoroutineState *outer = finalizer ? NULL : find_outer(to);
  if (!finalizer) check_trace(L, to, outer);
  leave();
  to->outer = outer;
  arrive(to->dead ? NULL : L, to->dead ? &nowhere : to, finalizer);
}

void coroutine_switch(lua_State *L) {
  switch_to(L);
  entry_of_coroutine();
}

void coroutine_resumes(lua_State *L) {
  state_enter(L);
  const CoroutineState *c = state_now()->owners;
  while (c && c->L != L) c = c->next_owner;
  if (c && !trace_under_way()) coroutine_enter(L);
}

/* ---- Finalizing and opening ---------------------------------------------------------------------- */

static int coroutine_gc(lua_State *L) {
  CoroutineState *c = lua_touserdata(L, 1);
  state_use(c->state);
  while (c->scopes) pop_scope(c);
  CoroutineState **owner = &c->state->owners, **inner = &coroutine_any()->top;
  while (*owner && *owner != c) owner = &(*owner)->next_owner;
  if (*owner) *owner = c->next_owner;
  while (*inner && *inner != c) inner = &(*inner)->outer;
  if (*inner) *inner = c->outer;
  if (coroutine_any()->at == c) {
    leave();
    coroutine_any()->at = NULL;
    coroutine_any()->L = NULL;
  }
  scope_release(c->block);
  c->block = NULL;
  c->dead = true;
  names_forget(L, c->id);
  if (!c->L) return 0;
  lua_getiuservalue(L, 1, 1);
  weak_table_set(L, &coroutines_key, -1, 0);      /* if it is resumed after all, it gets a new one */
  return 0;
}

/* call_closing(fn, ...): calls fn(...), which cannot yield. After an error the close variables of fn are closed here,
** because a coroutine that dies of an error does not close them. */
static int call_closing(lua_State *L) {
  int n = lua_gettop(L) - 1;
  luaL_checkany(L, 1);
  bool main = lua_pushthread(L);
  lua_pop(L, 1);
  if (main) lua_call(L, n, LUA_MULTRET);                 /* whatever catches the error closes them */
  else if (lua_pcall(L, n, LUA_MULTRET, 0) != LUA_OK) return lua_error(L);
  return lua_gettop(L);
}

void open_coroutine(lua_State *L) {
  new_weak_table(L, &coroutines_key, "k");
  new_metatable(L, &metatable_key, "hybridlua.Coroutine", coroutine_gc);
  lua_pop(L, 1);
  lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
  CoroutineState *home = push_coroutine(L);
  home->home = home;
  lua_rawsetp(L, LUA_REGISTRYINDEX, &home_key);
  lua_pop(L, 1);
  lua_pushnil(L);
  push_coroutine(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &finalizer_key);
  lua_pop(L, 1);
  coroutine_any()->L = NULL;
  coroutine_enter(L);
}

void open_closing(lua_State *L) { set_function(L, "call_closing", call_closing); }
