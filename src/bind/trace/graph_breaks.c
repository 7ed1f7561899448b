/* graph_breaks.c - see graph_breaks.h. */
#include "bind/trace/graph_breaks.h"

#include "bind/trace/tracing.h"
#include "bind/core/tape_anchor.h"
#include "bind/core/lua_memory.h"

static const char list_key, observer_key;    /* in the registry: the list, and the function to call for each report */
static const char trie_tag;

/* A reported line of the script, with the block that it calls or the text that names the read. */
typedef struct Site { const void *what; const char *source; int line; } Site;

/* A lazy trie as a Lua value, in the list of a block whose code runs at every call. It remembers the reported sites,
** since a report takes longer than most operators. The list's entry for site i is at index -1 - i of the list. */
enum { SITES = 32 };
typedef struct LazyTrieObject {
  const void *tag;
  LazyTrie *trie;
  LazyValue made;            /* a new lazy value, until its array exists: Lua may raise before */
  int reported;              /* number of reported segments */
  int latest;                /* the site that the code passed last; -1 if unknown */
  Site site[SITES];
} LazyTrieObject;

static LazyTrieObject *to_trie(lua_State *L, int index) {
  LazyTrieObject *o = lua_touserdata(L, index);
  return o && lua_rawlen(L, index) == sizeof *o && o->tag == &trie_tag ? o : NULL;
}

bool breaks_observed(lua_State *L) {
  coroutine_enter(L);
  const BreaksState *p = &state_now()->breaks;
  return p->on && !coroutine_now()->tracing && coroutine_leads(p->coroutine);
}

bool breaks_learning(void) {
  const BreaksState *p = &state_now()->breaks;
  return p->learning && !coroutine_now()->tracing && coroutine_leads(p->coroutine);
}

/* Calls observer(list, what, block) -> its entry in the list. The block, or nil for a read, is on top of the stack; the
** list and the entry replace it. */
static void report(lua_State *L, const char *what) {
  const int block = lua_gettop(L);
  luaL_checkstack(L, 8, "segments");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &observer_key);
  lua_pushvalue(L, -2);
  lua_pushstring(L, what);
  lua_pushvalue(L, block);
  lua_call(L, 3, 1);
  lua_remove(L, block);
}

static bool find_site(lua_State *L, const void *what, Site *site) {
  lua_Debug ar;
  for (int level = 1; lua_getstack(L, level, &ar); level++) {
    if (!lua_getinfo(L, "Sl", &ar) || *ar.what == 'C' || own_frame(&ar)) continue;
    *site = (Site){ what, ar.source, ar.currentline };
    return true;
  }
  return false;
}

static bool same_site(const Site *a, const Site *b) {
  return a->what == b->what && a->source == b->source && a->line == b->line;
}

/* Sets list.last to the entry of the latest site; new entries are inserted after it. */
static void set_last(lua_State *L, LazyTrieObject *o) {
  if (!o || o->latest < 0) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_rawgeti(L, -1, -1 - o->latest);
  lua_setfield(L, -2, "last");
  lua_pop(L, 1);
  o->latest = -1;
}

/* Reports a site unless it was reported before. Pops the block, or nil. */
static void report_site(lua_State *L, const char *what, const void *which) {
  Site site;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_rawgeti(L, -1, 0);
  LazyTrieObject *o = to_trie(L, -1);
  lua_pop(L, 2);
  const bool known = o && find_site(L, which, &site);
  const int at = known ? (int)(((uintptr_t)which >> 4 ^ (uintptr_t)site.line) % SITES) : -1;
  if (known && same_site(&o->site[at], &site)) {
    o->latest = at;
    lua_pop(L, 1);
    return;
  }
  set_last(L, o);
  report(L, what);
  if (known) {
    lua_rawseti(L, -2, -1 - at);
    o->site[at] = site;
    o->latest = at;
  }
  lua_settop(L, -2 - !known);
}

void breaks_report_read(lua_State *L, const char *what) {
  if (!breaks_observed(L)) return;
  lua_pushnil(L);
  report_site(L, what, what);
}

void breaks_report_call(lua_State *L, int block) {
  if (!breaks_observed(L)) return;
  lua_pushvalue(L, block);
  report_site(L, "", lua_topointer(L, block));
}

/* ---- Deferring --------------------------------------------------------------------------------------------- */

/* May a call be deferred? Only in the block's own code, and only while no hook or log observes it. */
static bool may_defer(lua_State *L) {
  if (!breaks_observed(L)) return false;
  const Engine *e = engine_now();
  return !e->mode.operator_log && !e->hooks && state_now()->blocks_eager <= 0;
}

/* Materializes operands from lazy segments other than the call's. */
static void materialize_others(lua_State *L, const LazyTrie *trie, const int *at, int n_in) {
  for (int i = 0; i < n_in; i++) {
    const LazySegment *of = array_lazy_value(L, at[i])->of;
    if (of && of != lazy_trie_open(trie)) to_array(L, at[i]);
  }
}

static void forget_made(LazyTrieObject *o) {
  if (o->made.of) lazy_value_release(o->made);
  o->made.of = NULL;
}

/* Lists the operands; false if one was freed or is in another lazy segment. */
static bool find_operands(lua_State *L, const LazyTrie *trie, const int *at, int n_in, LazyOperand *in) {
  for (int i = 0; i < n_in; i++) {
    const LazyValue *lazy = array_lazy_value(L, at[i]);
    in[i] = (LazyOperand){ .later = *lazy };
    if (lazy->of && lazy->of != lazy_trie_open(trie)) return false;
    if (lazy->of) continue;
    in[i].array = to_array(L, at[i]);
    if (array_freed(in[i].array)) return false;
  }
  return true;
}

bool breaks_defer_now(lua_State *L, const Op *op, Params *params, const int *at, int n_in) {
  LazyOperand in[MOST_LAZY_OPERANDS];
  Array *arrays[MOST_LAZY_OPERANDS];
  Type type;
  if (n_in > MOST_LAZY_OPERANDS || !lazy_takes(op) || !may_defer(L)) return false;
  LazyTrieObject *o = state_now()->breaks.trie;
  materialize_others(L, o->trie, at, n_in);
  if (!lazy_expects(o->trie, op)) return false;
  pace_collector(L);
  if (!find_operands(L, o->trie, at, n_in, in)) return false;
  if (engine_now()->mode.recording) engine_now()->mode.origin = origin_here(L);
  forget_made(o);
  lazy_add(o->trie, op, params, in, n_in, &o->made, &type);
  if (!o->made.of) return false;
  Origin *origin = lazy_value_origin(o->made);
  if (!*origin) *origin = origin_here(L);
  for (int i = 0; i < n_in; i++) arrays[i] = array_lazy(L, at[i]);
  const bool anchored = engine_now()->mode.recording && push_anchor_of(L, arrays, n_in);
  push_array(L);
  array_defer(L, -1, o->made, &type);
  o->made.of = NULL;
  if (anchored) {
    set_anchor(L, -1, -2);
    lua_remove(L, -2);
  }
  return true;
}

/* new_trie(name) */
static int new_trie(lua_State *L) {
  LazyTrieObject *o = lua_newuserdatauv(L, sizeof *o, 0);
  *o = (LazyTrieObject){ .tag = &trie_tag, .latest = -1 };
  take_metatable(L, &trie_tag);
  check(L, lazy_trie_new(luaL_checkstring(L, 1), &o->trie));
  return 1;
}

static int trie_gc(lua_State *L) {
  LazyTrieObject *o = lua_touserdata(L, 1);
  forget_made(o);
  if (o->trie) lazy_trie_end(o->trie);
  lazy_trie_release(o->trie);
  o->trie = NULL;
  return 0;
}

static LazyTrieObject *check_trie(lua_State *L) {
  LazyTrieObject *o = to_trie(L, 1);
  if (!o) raise_error(L, "expected a lazy trie, got %s", type_name(L, 1));
  return o;
}

const LazyTrie *check_lazy_trie(lua_State *L) { return check_trie(L)->trie; }

/* finish_run(trie, results...): the code has ended; computes the lazy values that are results or that other runs
** needed */
static int finish_run(lua_State *L) {
  LazyTrie *trie = check_trie(L)->trie;
  for (int i = 2; i <= lua_gettop(L); i++) {
    const LazyValue *lazy = is_array(L, i) ? array_lazy_value(L, i) : NULL;
    if (lazy && lazy->of) lazy_value_returned(*lazy);
  }
  coroutine_enter(L);
  CHECK_WITH_MEMORY(L, lazy_trie_run(trie));
  breaks_report_own(L);
  return 0;
}

/* abandon_run(trie): later deferred calls are independent of the current ones */
static int abandon_run(lua_State *L) {
  LazyTrieObject *o = check_trie(L);
  forget_made(o);
  lazy_trie_end(o->trie);
  return 0;
}

/* Calls observer(list, "operators", number) for segments of the block's own code that ran for the first time. */
void breaks_report_run(lua_State *L) {
  if (!breaks_observed(L)) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_rawgeti(L, -1, 0);
  LazyTrieObject *o = to_trie(L, -1);
  lua_pop(L, 2);
  while (o && o->reported < lazy_trie_segments(o->trie)) {
    set_last(L, o);
    lua_pushinteger(L, ++o->reported);
    report(L, "operators");
    lua_pop(L, 2);
  }
}

/* note_value_read(what): a Lua function needs values, which a trace does not have */
static int note_value_read(lua_State *L) {
  const char *what = luaL_checkstring(L, 1);
  breaks_read(L, what);
  trace_lacks(L, what);
  return 0;
}

/* observe(list or nil, learning, coroutine or nil) -> the list, learning and coroutine set before. Graph breaks of this
** coroutine, or of the one with that number, are reported to the list. learning: an outer block is observed for the
** first time, so blocks inside must run eagerly. */
static int observe(lua_State *L) {
  lua_settop(L, 3);
  coroutine_enter(L);
  BreaksState *p = &state_now()->breaks;
  const BreaksState before = *p;
  *p = (BreaksState){ .on = lua_istable(L, 1),
                      .learning = lua_toboolean(L, 2),
                      .coroutine = lua_isnil(L, 3) ? coroutine_id() : (uint64_t)lua_tointeger(L, 3) };
  if (p->on && !p->learning) {
    lua_rawgeti(L, 1, 0);
    LazyTrieObject *o = to_trie(L, -1);
    p->trie = o;
    if (o && lua_isnil(L, 3)) o->latest = -1;
    lua_pop(L, 1);
  }
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_pushvalue(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_pushboolean(L, before.learning);
  lua_pushinteger(L, (lua_Integer)before.coroutine);
  return 3;
}

/* observed() -> breaks_observed, breaks_learning, the list */
static int observed(lua_State *L) {
  lua_pushboolean(L, breaks_observed(L));
  lua_pushboolean(L, breaks_learning());
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  return 3;
}

/* set_observer(fn): breaks are reported by calls of fn(list, what, block or nil) */
static int set_observer(lua_State *L) {
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &observer_key);
  return 0;
}

void open_graph_breaks(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "observe", observe }, { "observed", observed }, { "set_observer", set_observer },
    { "note_value_read", note_value_read }, { "new_trie", new_trie }, { "finish_run", finish_run },
    { "abandon_run", abandon_run }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  new_metatable(L, &trie_tag, "hybridlua.LazyTrie", trie_gc);
  set_boolean(L, "__metatable", false);    /* out of a script's reach */
  lua_pop(L, 1);
}
