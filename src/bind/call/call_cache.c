/* call_cache.c - calls of blocks: the fast path from the arguments to a compiled function.
**
** The metatable of a traced block has a cache at CACHE_SLOT. Each entry is for one argument key, mode, device and, if
** the trace is valid for its shapes only, set of shapes. An entry has the compiled function, the captured arrays, the
** guards, and the structure of the results. A call that fits an entry runs its compiled function. Other calls take the
** slow path through gluon/hybridize/block_call.lua, which determines the reason and adds an entry.
**
** Invariants: an entry is used only while blocks_version is unchanged since it was made, and while all its guards hold.
** Guards of blocks' fields are checked if any block's field has changed since their last check, other guards in every
** call. Code that runs an entry keeps it on the stack.
**
** Entries are in a hash table, so any number of kinds of calls can alternate. An entry is freed with its trace, or when
** a new entry of the trace for the same kind of call, with other arrays, replaces it.
*/
#include <string.h>

#include "bind/call/call_key.h"
#include "bind/call/compiled_value.h"
#include "bind/call/run_numbers.h"
#include "bind/core/coroutine.h"
#include "bind/call/call_guards.h"
#include "bind/value/list_use.h"
#include "bind/trace/graph_breaks.h"

enum { RECORDING = 1, TRAINING = 2 };

/* The structure of a result, as a list of nodes. The nodes of a table's entries follow the table's node. */
typedef enum ResultKind { RESULT_OUTPUT, RESULT_INPUT, RESULT_VALUE, RESULT_TABLE } ResultKind;

typedef struct ResultNode {
  ResultKind kind;
  int index; /* of the output, of the input, or in the list of values; for a table: number of entries */
  int key; /* for an entry of a table: index of its key in the list of values */
} ResultNode;

typedef struct CacheEntry CacheEntry;
struct CacheEntry {
  uint64_t hash;
  CacheEntry *next; /* of the same bucket */
  lua_Integer number; /* its index in the cache's list */
  unsigned modes;
  Device device; /* of all arrays */
  bool by_shape;
  uint64_t fields; /* fields_version when the guards of fields held */
  Compiled *c; /* the user values hold this, the guards and the captured arrays */
  const Guards *others, *of_fields;
  Array **captured; /* parameters and other captured arrays */
  int n_arguments, n_captured;
  int n_numbers; /* number of inputs bound at run time */
  ResultNode *result; /* NULL: the results are the outputs */
  int n_results;
  bool returns_input; /* a result is an argument of the call */
  Shape *shape; /* of each argument */
  size_t n_key;
  uint8_t *key;
};

enum { HELD_COMPILED = 1, HELD_CAPTURED, HELD_OTHERS, HELD_FIELDS, HELD_VALUES, HELD_NUMBERS, HELD = HELD_NUMBERS };

enum { BUCKETS = 64, MOST_ENTRIES = 512, FEW_INPUTS = 512 };

typedef struct CallCache {
  const void *tag;
  uint64_t blocks; /* blocks_version when the first entry was made */
  uint64_t edits;
  lua_Integer n; /* the highest `number` so far */
  bool any_by_shape;
  uint64_t bound; /* arguments that are numbers bound at run time, as in call_key_read */
  CacheEntry *bucket[BUCKETS];
} CallCache; /* its user value is the list of entries */

static const char calls_tag;

static CallCache *to_calls(lua_State *L, int index) {
  CallCache *c = lua_touserdata(L, index);
  return c && lua_rawlen(L, index) == sizeof *c && c->tag == &calls_tag ? c : NULL;
}

/* ---- Hashing calls ------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0x9E3779B97F4A7C15u;
  return h ^ h >> 29;
}

static uint64_t hash_call(const uint8_t *bytes, size_t n, unsigned modes, Device device) {
  uint64_t h = mix(n, modes | (uint64_t)device << 8), part;
  for (; n >= 8; bytes += 8, n -= 8) {
    memcpy(&part, bytes, 8);
    h = mix(h, part);
  }
  part = 0;
  memcpy(&part, bytes, n);
  return mix(h, part);
}

static uint64_t hash_shape(uint64_t h, const Shape *s) {
  for (int d = 0; d < s->ndim; d++) h = mix(h, (uint64_t)s->dim[d]);
  return h;
}

static unsigned modes_now(void) {
  const Mode *mode = &engine_now()->mode;
  return (mode->recording ? RECORDING : 0) | (mode->train ? TRAINING : 0);
}

/* ---- Entries ---------------------------------------------------------------------------------------------- */

/* Reads the nodes of a result's structure (gluon/hybridize/call_signature.lua), which is on top of the stack. The list
** at `values` gets keys and arrays. If e is NULL, only counts the nodes. */
static void read_node(lua_State *L, CacheEntry *e, int *n, int key, int values) {
  luaL_checkstack(L, 12, "results");
  int node = lua_gettop(L);
  ResultNode here = { .kind = RESULT_VALUE, .key = key };
  int place = (*n)++;
  lua_getfield(L, node, "kind");
  const char *kind = luaL_checkstring(L, -1);
  if (strcmp(kind, "output") == 0 || strcmp(kind, "input") == 0) {
    here.kind = kind[0] == 'o' ? RESULT_OUTPUT : RESULT_INPUT;
    lua_getfield(L, node, "index");
    here.index = (int)lua_tointeger(L, -1) - 1;
  } else if (strcmp(kind, "table") == 0) {
    here.kind = RESULT_TABLE;
    lua_getfield(L, node, "items");
    int items = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, items);) {
      int at = 0;
      if (e) {
        at = (int)lua_rawlen(L, values) + 1;
        lua_pushvalue(L, -2);
        lua_rawseti(L, values, at);
      }
      read_node(L, e, n, at, values);
      here.index++;
      lua_pop(L, 1);
    }
  } else if (e) { /* an array, or nil, which is not added to the list */
    lua_getfield(L, node, "array");
    if (!lua_isnil(L, -1)) {
      here.index = (int)lua_rawlen(L, values) + 1;
      lua_pushvalue(L, -1);
      lua_rawseti(L, values, here.index);
    }
  }
  if (e) {
    e->result[place] = here;
    e->returns_input = e->returns_input || (here.kind == RESULT_INPUT && here.index < e->n_arguments);
  }
  lua_settop(L, node);
}

/* Reads all nodes of the results at `results`; returns their number. */
static int read_results(lua_State *L, CacheEntry *e, int results, int n_results, int values) {
  int n = 0;
  for (int i = 1; i <= n_results; i++) {
    lua_rawgeti(L, results, i);
    read_node(L, e, &n, 0, values);
    lua_pop(L, 1);
  }
  return n;
}

/* Stack indices of the arguments of add_entry. */
/* clang-format off */
enum { ADD_CALLS = 1, ADD_KEY, ADD_ARGUMENTS, ADD_COMPILED, ADD_CAPTURED, ADD_BY_SHAPE, ADD_OTHERS, ADD_FIELDS,
       ADD_RESULTS, ADD_NUMBERS, ADD_BOUND };
/* clang-format on */

/* Pushes a new entry with the arguments of add_entry. */
static CacheEntry *push_cache_entry(lua_State *L) {
  size_t n_key;
  const char *key = luaL_checklstring(L, ADD_KEY, &n_key);
  int n_arguments = check_length(L, ADD_ARGUMENTS, "add_entry: arguments");
  int n_captured = check_length(L, ADD_CAPTURED, "add_entry: captured");
  int n_results = 0, n_nodes = 0;
  if (!lua_isnil(L, ADD_RESULTS)) {
    lua_getfield(L, ADD_RESULTS, "n");
    n_results = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    n_nodes = read_results(L, NULL, ADD_RESULTS, n_results, 0);
  }
  CacheEntry *e = lua_newuserdatauv(L,
                                    sizeof *e + (size_t)n_arguments * sizeof *e->shape +
                                      (size_t)n_captured * sizeof *e->captured + (size_t)n_nodes * sizeof *e->result +
                                      n_key,
                                    HELD);
  const int at = lua_gettop(L);
  *e = (CacheEntry){ .modes = modes_now(),
                     .device = engine_now()->mode.device,
                     .by_shape = lua_toboolean(L, ADD_BY_SHAPE),
                     .fields = state_now()->fields_version,
                     .c = check_compiled(L, ADD_COMPILED),
                     .others = to_guards(L, ADD_OTHERS),
                     .of_fields = to_guards(L, ADD_FIELDS),
                     .n_arguments = n_arguments,
                     .n_captured = n_captured,
                     .n_results = n_results,
                     .n_key = n_key };
  if (!lua_isnil(L, ADD_NUMBERS)) e->n_numbers = to_bound_numbers(L, ADD_NUMBERS)->n_inputs;
  if (!e->others || !e->of_fields) raise_error(L, "add_entry: expected guards");
  e->shape = (Shape *)(e + 1);
  e->captured = (Array **)(e->shape + n_arguments);
  ResultNode *nodes = (ResultNode *)(e->captured + n_captured);
  if (!lua_isnil(L, ADD_RESULTS)) e->result = nodes;
  e->key = (uint8_t *)(nodes + n_nodes);
  memcpy(e->key, key, n_key);
  Array **argument = list_arrays(L, ADD_ARGUMENTS, n_arguments, false);
  for (int i = 0; i < n_arguments; i++) e->shape[i] = argument[i]->t.type.shape;
  if (n_arguments > 0) e->device = tensor_device(&argument[n_arguments - 1]->t);
  memcpy(e->captured, list_arrays(L, ADD_CAPTURED, n_captured, false), (size_t)n_captured * sizeof *e->captured);
  lua_settop(L, at);
  lua_newtable(L);
  if (e->result) read_results(L, e, ADD_RESULTS, n_results, lua_gettop(L));
  lua_setiuservalue(L, at, HELD_VALUES);
  /* clang-format off */
  const int held[][2] = { { ADD_COMPILED, HELD_COMPILED }, { ADD_CAPTURED, HELD_CAPTURED }, { ADD_OTHERS, HELD_OTHERS },
                          { ADD_FIELDS, HELD_FIELDS }, { ADD_NUMBERS, HELD_NUMBERS } };
  /* clang-format on */
  for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
    lua_pushvalue(L, held[i][0]);
    lua_setiuservalue(L, at, held[i][1]);
  }
  return e;
}

/* Pushes the cache of the block at `index`, emptied if it has become invalid or full; a new one if the block has
** none. */
static CallCache *push_calls(lua_State *L, int index) {
  CallCache *c = to_calls(L, index);
  if (c) lua_pushvalue(L, index);
  else {
    c = lua_newuserdatauv(L, sizeof *c, 1);
    *c = (CallCache){ .tag = &calls_tag };
  }
  if (c->n == 0 || c->blocks != state_now()->blocks_version || c->n >= MOST_ENTRIES) {
    lua_newtable(L); /* a running call may still hold the old list */
    lua_setiuservalue(L, -2, 1);
    *c = (CallCache){ .tag = &calls_tag, .blocks = state_now()->blocks_version, .edits = c->edits };
  }
  return c;
}

static bool same_kind(const CacheEntry *a, const CacheEntry *b) {
  if (a->hash != b->hash || a->c != b->c || a->modes != b->modes || a->device != b->device ||
      a->by_shape != b->by_shape || a->n_key != b->n_key || memcmp(a->key, b->key, a->n_key) != 0)
    return false;
  for (int i = 0; a->by_shape && i < a->n_arguments; i++)
    if (!shape_equal(&a->shape[i], &b->shape[i])) return false;
  return true;
}

/* add_entry(cache or false, key, arguments, compiled, captured, by_shape, guards, guards of fields, results or nil,
** numbers or nil, mask of bound arguments) -> the cache, with an entry for such calls in the current modes. It replaces
** an entry of the same trace for such calls, whose arrays may be outdated. results: their structures
** (gluon/hybridize/call_signature.lua), nil if they are the outputs. numbers: the trace's numbers bound at run time.
** The mask is that of call_key_read. */
static int add_entry(lua_State *L) {
  lua_settop(L, ADD_BOUND);
  coroutine_enter(L);
  CacheEntry *e = push_cache_entry(L);
  const int entry = lua_gettop(L);
  e->hash = hash_call(e->key, e->n_key, e->modes, e->device);
  for (int i = 0; e->by_shape && i < e->n_arguments; i++) e->hash = hash_shape(e->hash, &e->shape[i]);
  CallCache *c = push_calls(L, ADD_CALLS);
  lua_getiuservalue(L, -1, 1);
  CacheEntry **at = &c->bucket[e->hash % BUCKETS];
  for (CacheEntry **before = at; *before; before = &(*before)->next) {
    if (!same_kind(*before, e)) continue;
    e->number = (*before)->number;
    *before = (*before)->next;
    break;
  }
  if (e->number == 0) e->number = ++c->n;
  c->any_by_shape = c->any_by_shape || e->by_shape;
  c->bound = (uint64_t)lua_tointeger(L, ADD_BOUND);
  c->edits++;
  lua_pushvalue(L, entry);
  lua_rawseti(L, -2, e->number);
  e->next = *at;
  *at = e;
  lua_pop(L, 1);
  return 1;
}

/* ---- Calls by an entry ----------------------------------------------------------------------------------------- */

static inline bool entry_fits(const CacheEntry *e, const CallKey *k, uint64_t hash, bool by_shape) {
  if (e->hash != hash || e->by_shape != by_shape || e->modes != modes_now() || e->n_arguments != k->n_arguments ||
      e->n_key != k->n || memcmp(e->key, k->bytes, k->n) != 0)
    return false;
  if (k->n_arguments == 0 && e->device != engine_now()->mode.device) return false;
  for (int i = 0; i < k->n_arguments; i++) {
    if (tensor_device(&k->argument[i]->t) != e->device) return false;
    if (by_shape && !shape_equal(&e->shape[i], &k->argument[i]->t.type.shape)) return false;
  }
  for (int i = 0; i < e->n_captured; i++)
    if (array_freed(e->captured[i])) return false;
  return true;
}

static bool hold(lua_State *L, const Guards *g, int entry, int which) {
  if (guards_none(g)) return true;
  lua_getiuservalue(L, entry, which);
  bool all = guards_broken(L, g, -1) < 0;
  lua_pop(L, 1);
  return all;
}

/* Do the guards of the entry on top of the stack hold? */
static inline bool guards_hold(lua_State *L, CacheEntry *e) {
  const int entry = lua_gettop(L);
  if (!hold(L, e->others, entry, HELD_OTHERS)) return false;
  const uint64_t now = state_now()->fields_version;
  if (e->fields == now) return true;
  if (!hold(L, e->of_fields, entry, HELD_FIELDS)) return false;
  e->fields = now;
  return true;
}

/* The entry for a call, pushed on the stack; NULL: the call takes the slow path. */
static CacheEntry *find_entry(lua_State *L, const CallCache *c, int calls, const CallKey *k) {
  const uint64_t edits = c->edits;
  uint64_t hash = hash_call(k->bytes, k->n, modes_now(),
                            k->n_arguments ? tensor_device(&k->argument[0]->t) : engine_now()->mode.device);
  for (int by_shape = 0; by_shape <= c->any_by_shape; by_shape++) {
    for (int i = 0; by_shape && i < k->n_arguments; i++) hash = hash_shape(hash, &k->argument[i]->t.type.shape);
    for (CacheEntry *e = c->bucket[hash % BUCKETS]; e; e = e->next) {
      if (!entry_fits(e, k, hash, by_shape)) continue;
      lua_getiuservalue(L, calls, 1);
      lua_rawgeti(L, -1, e->number);
      lua_remove(L, -2);
      if (guards_hold(L, e)) return e;
      lua_pop(L, 1);
      if (c->edits != edits) return NULL; /* a guard ran the script's code, which called the block */
    }
  }
  return NULL;
}

typedef struct Results { const CacheEntry *e; int first_output, arguments, captured, values; } Results;

/* Pushes the result of node `at`; returns the index of the node after it. */
static int push_result(lua_State *L, const Results *r, int at) {
  const ResultNode *n = &r->e->result[at++];
  switch (n->kind) {
    case RESULT_OUTPUT: lua_pushvalue(L, r->first_output + n->index); break;
    case RESULT_INPUT:
      if (n->index < r->e->n_arguments) lua_rawgeti(L, r->arguments, n->index + 1);
      else lua_rawgeti(L, r->captured, n->index - r->e->n_arguments + 1);
      break;
    case RESULT_VALUE:
      if (n->index) lua_rawgeti(L, r->values, n->index);
      else lua_pushnil(L);
      break;
    case RESULT_TABLE: {
      luaL_checkstack(L, 8, "results");
      lua_createtable(L, n->index, 0);
      int table = lua_gettop(L);
      for (int i = 0; i < n->index; i++) {
        lua_rawgeti(L, r->values, r->e->result[at].key);
        at = push_result(L, r, at);
        lua_rawset(L, table);
      }
      break;
    }
  }
  return at;
}

/* Runs the entry on top of the stack for a call with n arguments from stack index 2 on. */
static int run_entry(lua_State *L, const CacheEntry *e, const CallKey *k, int n) {
  Array *few[FEW_INPUTS], **in = few;
  Results r = { .e = e };
  const int entry = lua_gettop(L);
  const int n_in = e->n_arguments + e->n_captured + e->n_numbers;
  if (n_in > FEW_INPUTS) in = lua_newuserdatauv(L, (size_t)n_in * sizeof *in, 0);
  memcpy(in, k->argument, (size_t)e->n_arguments * sizeof *in);
  if (e->n_captured) memcpy(in + e->n_arguments, e->captured, (size_t)e->n_captured * sizeof *in);
  if (e->n_numbers) {
    lua_getiuservalue(L, entry, HELD_NUMBERS);
    run_numbers(L, lua_gettop(L), 2, n, e->device, in + e->n_arguments + e->n_captured);
  }
  int object = 0;                        /* only calls with training steps need it */
  if (__builtin_expect(e->c->has_steps, 0)) {
    lua_getiuservalue(L, entry, HELD_COMPILED);
    object = lua_gettop(L);
  }
  if (!e->result) return run_compiled(L, object, e->c, in);
  lua_newtable(L);
  r.arguments = lua_gettop(L);
  if (e->returns_input) {
    CallKey again;
    call_key_read(L, 2, n + 1, r.arguments, 0, &again);
    lua_settop(L, r.arguments);
  }
  lua_getiuservalue(L, entry, HELD_CAPTURED);
  r.captured = lua_gettop(L);
  lua_getiuservalue(L, entry, HELD_VALUES);
  r.values = lua_gettop(L);
  int outputs = run_compiled(L, object, e->c, in);
  r.first_output = lua_gettop(L) - outputs + 1;
  luaL_checkstack(L, e->n_results + 8, "results");
  for (int i = 0, at = 0; i < e->n_results; i++) at = push_result(L, &r, at);
  return e->n_results;
}

/* ---- Blocks' __call ---------------------------------------------------------------------------------------------- */

/* Keys in a block's metatable; integers are the fastest to look up. */
enum { CACHE_SLOT = 1, PLAIN_SLOT = 2, CONTEXT_SLOT = 3 };

/* Runs a call through the cache on top of the stack; returns the number of results, or -1 if no entry fits. */
static int fast_path(lua_State *L, int n) {
  const int calls = lua_gettop(L);
  const CallCache *c = to_calls(L, calls);
  CallKey k;
  if (!c || c->blocks != state_now()->blocks_version || state_now()->blocks_eager > 0) return -1;
  if (!call_key_read(L, 2, n + 1, 0, c->bound, &k)) return -1;
  const CacheEntry *e = find_entry(L, c, calls, &k);
  return e ? run_entry(L, e, &k, n) : -1;
}

/* Is the call an eager forward without trace, recording or Symbols, with its first array on the current device, which
** is also the parameters' device `on`? */
static bool call_is_plain(lua_State *L, int n, lua_Integer on) {
  const Mode *mode = &engine_now()->mode;
  if (coroutine_now()->tracing || mode->recording || on != (lua_Integer)mode->device) return false;
  const Array *first = NULL;
  bool tables = false;
  for (int i = 0; i < n; i++) {
    if (to_symbol(L, i + 2)) return false;
    if (!first) first = to_array(L, i + 2);
    tables = tables || lua_istable(L, i + 2);
  }
  return first ? tensor_device(&first->t) == mode->device : !tables;
}

/* A block's __call: the fast path, or the block's function at PLAIN_SLOT for plain calls on the device at CONTEXT_SLOT,
** or the slow path, upvalue 1. */
static int block_call(lua_State *L) {
  int n = lua_gettop(L) - 1;
  coroutine_enter(L);
  if (n == 2 && lua_isnil(L, 2) && lua_isnil(L, 3))
    refuse_as_iterator(L, "a block; write for i, block in pairs(net) do, which counts from 0");
  if (!lua_getmetatable(L, 1)) return raise_error(L, "expected a block, got %s", type_name(L, 1));
  const int meta = lua_gettop(L);
  const bool told = __builtin_expect(state_now()->breaks.on, 0) && breaks_observed(L);
  if (told) breaks_report_call(L, 1);
  if (lua_rawgeti(L, meta, CACHE_SLOT) == LUA_TUSERDATA && !coroutine_now()->tracing) {
    int results = fast_path(L, n);
    if (results >= 0) return results;
    lua_settop(L, meta + 1);
    coroutine_enter(L);
  }
  lua_rawgeti(L, meta, CONTEXT_SLOT);
  if (told || lua_rawgeti(L, meta, PLAIN_SLOT) != LUA_TFUNCTION || !call_is_plain(L, n, lua_tointeger(L, -2)))
    lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_settop(L, n + 2);
  lua_call(L, n + 1, LUA_MULTRET);
  return lua_gettop(L);
}

/* block_function(slow path) -> the function for __call */
static int block_function(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_pushcclosure(L, block_call, 1);
  return 1;
}

/* ---- Changes --------------------------------------------------------------------------------------------------- */

/* blocks_changed(): a change that no guard detects: the array of a parameter, children, hooks, hybridize() */
static int blocks_changed(lua_State *L) {
  coroutine_enter(L);
  state_now()->blocks_version++;
  state_now()->fields_version++;
  return 0;
}

/* fields_changed(): a change of a block's field, which guards detect */
static int fields_changed(lua_State *L) {
  coroutine_enter(L);
  state_now()->fields_version++;
  return 0;
}

/* eager_depth(step) -> the sum of all steps; hybridized blocks run eagerly while it is positive */
static int eager_depth(lua_State *L) {
  coroutine_enter(L);
  state_now()->blocks_eager += (int)luaL_optinteger(L, 1, 0);
  return return_integer(L, state_now()->blocks_eager);
}

void open_call_cache(lua_State *L) {
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "add_entry", add_entry }, { "block_function", block_function }, { "blocks_changed", blocks_changed },
    { "fields_changed", fields_changed }, { "eager_depth", eager_depth }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  set_integer(L, "CACHE_SLOT", CACHE_SLOT);
  set_integer(L, "PLAIN_SLOT", PLAIN_SLOT);
  set_integer(L, "CONTEXT_SLOT", CONTEXT_SLOT);
}
