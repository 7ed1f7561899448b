/* graph_breaks.c - see graph_breaks.h. */
#include "bind/trace/graph_breaks.h"

#include "bind/core/tape_anchor.h"
#include "bind/core/lua_memory.h"

static const char list_key, tell_key;        /* in the registry: the list, and who is told */
static const char steps_tag;

/* A line of the script and what was told of it: a block, or the text that says what was read. */
typedef struct Site { const void *what; const char *source; int line; } Site;

/* A Steps as a Lua value, in the list of a block whose code runs at every call: so with what was told of that, since
** telling takes longer than most operators. What was told of site i is in the list at -1 - i. */
enum { SITES = 32 };
typedef struct LazyTrieObject {
  const void *tag;
  LazyTrie *trie;
  LazyValue made;                /* what was put off and has no array yet: Lua may raise before it has one */
  int told;                  /* so many of its pieces were */
  int latest;                /* the site that the code came by last; -1: it is not known */
  Site site[SITES];
} LazyTrieObject;

static LazyTrieObject *to_steps(lua_State *L, int index) {
  LazyTrieObject *o = lua_touserdata(L, index);
  return o && lua_rawlen(L, index) == sizeof *o && o->tag == &steps_tag ? o : NULL;
}

bool breaks_observed(lua_State *L) {
  coroutine_enter(L);
  const BreaksState *p = &state_now->breaks;
  return p->on && !coroutine_now.tracing && coroutine_leads(p->coroutine);
}

bool breaks_learning(void) {
  const BreaksState *p = &state_now->breaks;
  return p->learning && !coroutine_now.tracing && coroutine_leads(p->coroutine);
}

/* tell(list, what, block) -> what is in the list for it. The value on top is the block, or nil for a read; it gives way
** to the list and what is there. */
static void tell(lua_State *L, const char *what) {
  const int block = lua_gettop(L);
  luaL_checkstack(L, 8, "segments");
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_rawgetp(L, LUA_REGISTRYINDEX, &tell_key);
  lua_pushvalue(L, -2);
  lua_pushstring(L, what);
  lua_pushvalue(L, block);
  lua_call(L, 3, 1);
  lua_remove(L, block);
}

/* The innermost line of the script. */
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

/* Behind what the code came by last new ones are put into the list. */
static void tell_latest(lua_State *L, LazyTrieObject *o) {
  if (!o || o->latest < 0) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_rawgeti(L, -1, -1 - o->latest);
  lua_setfield(L, -2, "last");
  lua_pop(L, 1);
  o->latest = -1;
}

/* Told once of each site. The block, or nil, is on top, and goes. */
static void tell_site(lua_State *L, const char *what, const void *which) {
  Site site;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_rawgeti(L, -1, 0);
  LazyTrieObject *o = to_steps(L, -1);
  lua_pop(L, 2);
  const bool known = o && find_site(L, which, &site);
  const int at = known ? (int)(((uintptr_t)which >> 4 ^ (uintptr_t)site.line) % SITES) : -1;
  if (known && same_site(&o->site[at], &site)) {
    o->latest = at;
    lua_pop(L, 1);
    return;
  }
  tell_latest(L, o);
  tell(L, what);
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
  tell_site(L, what, what);
}

void breaks_report_call(lua_State *L, int block) {
  if (!breaks_observed(L)) return;
  lua_pushvalue(L, block);
  tell_site(L, "", lua_topointer(L, block));
}

/* ---- Putting off ------------------------------------------------------------------------------------------- */

/* Nothing but the block's own code, which only computes. */
static bool may_put_off(lua_State *L) {
  return breaks_observed(L) && !mode_now.operator_log && !hook_now && state_now->blocks_eager <= 0;
}

/* Computes operands that wait elsewhere than where the call is to. */
static void take_others(lua_State *L, const LazyTrie *trie, const int *at, int n_in) {
  for (int i = 0; i < n_in; i++) {
    const LazySegment *of = array_lazy_value(L, at[i])->of;
    if (of && of != lazy_trie_open(trie)) to_array(L, at[i]);
  }
}

static void forget_made(LazyTrieObject *o) {
  if (o->made.of) lazy_value_release(o->made);
  o->made.of = NULL;
}

/* False where one was freed, or waits elsewhere. */
static bool find_operands(lua_State *L, const LazyTrie *trie, const int *at, int n_in, LazyOperand *in) {
  for (int i = 0; i < n_in; i++) {
    const LazyValue *later = array_lazy_value(L, at[i]);
    in[i] = (LazyOperand){ .later = *later };
    if (later->of && later->of != lazy_trie_open(trie)) return false;
    if (later->of) continue;
    in[i].array = to_array(L, at[i]);
    if (array_freed(in[i].array)) return false;
  }
  return true;
}

bool breaks_defer_now(lua_State *L, const Op *op, Params *params, const int *at, int n_in) {
  LazyOperand in[MOST_LAZY_OPERANDS];
  Array *arrays[MOST_LAZY_OPERANDS];
  Type type;
  if (n_in > MOST_LAZY_OPERANDS || !lazy_takes(op) || !may_put_off(L)) return false;
  LazyTrieObject *o = state_now->breaks.trie;
  take_others(L, o->trie, at, n_in);
  if (!lazy_expects(o->trie, op)) return false;
  pace_collector(L);
  if (!find_operands(L, o->trie, at, n_in, in)) return false;
  if (mode_now.recording) mode_now.origin = origin_here(L);
  forget_made(o);
  lazy_add(o->trie, op, params, in, n_in, &o->made, &type);
  if (!o->made.of) return false;
  Origin *origin = lazy_value_origin(o->made);
  if (!*origin) *origin = origin_here(L);
  for (int i = 0; i < n_in; i++) arrays[i] = array_lazy(L, at[i]);
  const bool anchored = mode_now.recording && push_anchor_of(L, arrays, n_in);
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
  *o = (LazyTrieObject){ .tag = &steps_tag, .latest = -1 };
  lua_rawgetp(L, LUA_REGISTRYINDEX, &steps_tag);
  lua_setmetatable(L, -2);
  check(L, lazy_trie_new(luaL_checkstring(L, 1), &o->trie));
  return 1;
}

static int steps_gc(lua_State *L) {
  LazyTrieObject *o = lua_touserdata(L, 1);
  forget_made(o);
  if (o->trie) lazy_trie_end(o->trie);
  lazy_trie_release(o->trie);
  o->trie = NULL;
  return 0;
}

static LazyTrieObject *check_steps(lua_State *L) {
  LazyTrieObject *o = to_steps(L, 1);
  if (!o) raise_error(L, "expected steps, got %s", type_name(L, 1));
  return o;
}

const LazyTrie *check_lazy_trie(lua_State *L) { return check_steps(L)->trie; }

/* finish_run(trie, results...): the code came to its end: what waits is computed, where it is among the results or
** was asked for in other runs */
static int finish_run(lua_State *L) {
  LazyTrie *trie = check_steps(L)->trie;
  for (int i = 2; i <= lua_gettop(L); i++) {
    const LazyValue *later = is_array(L, i) ? array_lazy_value(L, i) : NULL;
    if (later && later->of) lazy_value_returned(*later);
  }
  Status s;
  coroutine_enter(L);
  WITH_MEMORY(L, s, lazy_trie_run(trie));
  check(L, s);
  breaks_report_own(L);
  return 0;
}

/* abandon_run(trie): what is put off from now on has nothing to do with what waits */
static int abandon_run(lua_State *L) {
  LazyTrieObject *o = check_steps(L);
  forget_made(o);
  lazy_trie_end(o->trie);
  return 0;
}

/* tell(list, "operators", number) of pieces that ran for the first time, in the block's own code. */
void breaks_report_run(lua_State *L) {
  if (!breaks_observed(L)) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  lua_rawgeti(L, -1, 0);
  LazyTrieObject *o = to_steps(L, -1);
  lua_pop(L, 2);
  while (o && o->told < lazy_trie_segments(o->trie)) {
    tell_latest(L, o);
    lua_pushinteger(L, ++o->told);
    tell(L, "operators");
    lua_pop(L, 2);
  }
}

/* note_value_read(what): for functions that are written in Lua */
static int note_value_read(lua_State *L) {
  breaks_read(L, luaL_checkstring(L, 1));
  return 0;
}

/* observe(list or nil, learning, context or nil) -> the list, learning and context that were set before. What code
** of this coroutine, or of the one with the number `context`, does is told to the list. learning: blocks inside are to
** run at once, because one around them is looked at. */
static int observe(lua_State *L) {
  lua_settop(L, 3);
  coroutine_enter(L);
  BreaksState *p = &state_now->breaks;
  const BreaksState before = *p;
  *p = (BreaksState){ .on = lua_istable(L, 1), .learning = lua_toboolean(L, 2),
                 .coroutine = lua_isnil(L, 3) ? coroutine_id() : (uint64_t)lua_tointeger(L, 3) };
  if (p->on && !p->learning) {
    lua_rawgeti(L, 1, 0);
    LazyTrieObject *o = to_steps(L, -1);
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

/* observed() -> is what this code does told?, is a block around it looked at?, the list */
static int observed(lua_State *L) {
  lua_pushboolean(L, breaks_observed(L));
  lua_pushboolean(L, breaks_learning());
  lua_rawgetp(L, LUA_REGISTRYINDEX, &list_key);
  return 3;
}

/* set_observer(fn): fn(list, what, block or nil) is told */
static int set_observer(lua_State *L) {
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &tell_key);
  return 0;
}

void open_graph_breaks(lua_State *L) {
  const luaL_Reg functions[] = {
    { "observe", observe }, { "observed", observed }, { "set_observer", set_observer },
    { "note_value_read", note_value_read }, { "new_trie", new_trie }, { "finish_run", finish_run },
    { "abandon_run", abandon_run }, { NULL, NULL } };
  luaL_setfuncs(L, functions, 0);
  new_metatable(L, &steps_tag, "hybridlua.Steps", steps_gc);
  lua_pushboolean(L, false);               /* out of a script's reach */
  lua_setfield(L, -2, "__metatable");
  lua_pop(L, 1);
}
