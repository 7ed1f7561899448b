/* library_reads.c - the places that C functions called by the script read through their arguments.
**
** Functions of Lua's library are recognized by the address of their code, which comes from a fresh Lua state, so
** changes that the host made to its globals do not matter. Our own functions may read plain tables. Any other C
** function is judged by a callback of begin()'s options.
*/
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>

#include <lauxlib.h>
#include <lualib.h>

#include "bind/core/lua_object.h"
#include "bind/follow/bound_reads.h"
#include "bind/follow/read_record.h"

typedef struct LibraryCall {
  lua_State *L;
  lua_Debug *ar;
  int n;                     /* arguments */
} LibraryCall;

/* Records the reads and writes of a call; `first` is the stack index of its first argument. */
typedef void LibraryReads(const LibraryCall *c, int first);

/* A rule shared by functions of Lua's library. */
typedef struct LibraryRule {
  const char *functions;     /* expressions for a fresh state */
  LibraryReads *reads;       /* NULL if they read no table */
  bool of_table;             /* `reads` is called only if the first argument is a table */
  bool judged;
  bool math;                 /* they map one or two numbers to one number */
  bool passes;               /* they use only their first argument, and return the others */
  bool stores;               /* the last argument is stored in the first */
} LibraryRule;

/* ---- Arguments ----------------------------------------------------------------------------------------------- */

/* Pushes argument i, or nil. */
static int argument(const LibraryCall *c, int i) {
  if (i > c->n || !lua_getlocal(c->L, c->ar, i)) lua_pushnil(c->L);
  return lua_gettop(c->L);
}

static lua_Integer integer_argument(const LibraryCall *c, int i, lua_Integer otherwise) {
  int at = argument(c, i);
  lua_Integer value = lua_isnil(c->L, at) ? otherwise : lua_tointeger(c->L, at);
  lua_settop(c->L, at - 1);
  return value;
}

/* #t, as functions of `table` compute it. A __len of the script is followed when it is called; here the length is 0. */
static lua_Integer length_of(const LibraryCall *c, int table) {
  read_length(c->L, table);
  return luaL_getmetafield(c->L, table, "__len") == LUA_TNIL ? (lua_Integer)lua_rawlen(c->L, table) : 0;
}

static void items(const LibraryCall *c, int table, lua_Integer first, lua_Integer last) {
  lua_State *L = c->L;
  int top = lua_gettop(L);
  for (lua_Integer i = first; i <= last; i++) {
    if (i - first >= MOST_WALKED && record_outside(L, table))
      follow_refuse(L,
                    "more than %d entries of a table from outside would have to be compared in each call; pass a value "
                    "computed from them",
                    MOST_WALKED);
    if (i - first >= MOST_WALKED) break;
    lua_pushinteger(L, i);
    read_index(L, table, top + 1);
    lua_settop(L, top);
  }
}

static void concat_or_unpack(const LibraryCall *c, int table, int first) {
  lua_Integer from = integer_argument(c, first, 1), to = integer_argument(c, first + 1, LUA_MININTEGER);
  if (to == LUA_MININTEGER) to = length_of(c, table);
  items(c, table, from, to);
}

/* table.insert and table.remove at a position, which move the entries after it. */
static void shift(const LibraryCall *c, int table, lua_Integer at, lua_Integer n, bool grows) {
  items(c, table, at, n);
  record_write_items(c->L, table, at, grows ? n + 1 : n);
  record_write_length(c->L, table);
}

static void insert(const LibraryCall *c, int table) {
  lua_Integer n = length_of(c, table);
  shift(c, table, c->n == 2 ? n + 1 : integer_argument(c, 2, n + 1), n, true);
}

static void removes(const LibraryCall *c, int table) {
  lua_Integer n = length_of(c, table);
  shift(c, table, integer_argument(c, 2, n), n, false);
}

/* Without a comparison function, sort uses <. */
static void compared(const LibraryCall *c, int table, lua_Integer n) {
  lua_State *L = c->L;
  int top = lua_gettop(L);
  for (lua_Integer i = 1; i <= n; i++) {
    int type = lua_rawgeti(L, table, i);
    if (type != LUA_TNUMBER && type != LUA_TSTRING) read_metamethod(L, top + 1, "__lt");
    lua_settop(L, top);
  }
}

static void sort(const LibraryCall *c, int table) {
  lua_Integer n = length_of(c, table);
  items(c, table, 1, n);
  if (lua_isnil(c->L, argument(c, 2))) compared(c, table, n);
  if (n > 1) record_write_items(c->L, table, 1, n);
}

static void move(const LibraryCall *c, int table) {
  lua_Integer first = integer_argument(c, 2, 1), last = integer_argument(c, 3, 0), to = integer_argument(c, 4, 1);
  items(c, table, first, last);
  int other = argument(c, 5);
  if (lua_isnil(c->L, other)) other = table;
  record_write_items(c->L, other, to, to + (last - first));
  if (last >= first) record_write_length(c->L, other);
}

static void text_of(lua_State *L, int value) {
  if (lua_type(L, value) == LUA_TNUMBER || lua_type(L, value) == LUA_TSTRING) return;
  if (read_metamethod(L, value, "__tostring") == LUA_TNIL) read_metamethod(L, value, "__name");
}

static void format(const LibraryCall *c, int first) {
  for (int i = 2; i <= c->n; i++) {
    text_of(c->L, argument(c, i));
    lua_settop(c->L, first);
  }
}

static void text(const LibraryCall *c, int first) {
  if (c->n > 0) text_of(c->L, first);
  lua_settop(c->L, first);
  format(c, first);
}

/* gsub looks up its matches, so any entry may be read. */
static void looked_up(const LibraryCall *c, int first) {
  lua_State *L = c->L;
  int table = argument(c, 3);
  (void)first;
  for (int i = 0; i < MOST_CHAINED && lua_istable(L, table); i++) {
    read_all(L, table, 1);
    read_metamethod(L, table, "__index");
    table = lua_gettop(L);
    if (!lua_checkstack(L, LUA_MINSTACK)) break;
  }
}

static void required(const LibraryCall *c, int name) {
  lua_State *L = c->L;
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  record_touch(L, -1, 0);
  record_entry(L, lua_gettop(L), name);
}

static void rawget(const LibraryCall *c, int table) { record_entry(c->L, table, argument(c, 2)); }
static void rawlen(const LibraryCall *c, int table) { record_length(c->L, table); }
static void next(const LibraryCall *c, int table) { record_next(c->L, table, argument(c, 2)); }
static void concat(const LibraryCall *c, int table) { concat_or_unpack(c, table, 3); }
static void unpack(const LibraryCall *c, int table) { concat_or_unpack(c, table, 2); }
static void metatable(const LibraryCall *c, int value) { read_metamethod(c->L, value, "__metatable"); }
static void pairs(const LibraryCall *c, int value) { read_metamethod(c->L, value, "__pairs"); }
static void calls(const LibraryCall *c, int function) { read_call(c->L, function); }

static void rawset(const LibraryCall *c, int table) {
  int key = argument(c, 2);
  record_write(c->L, table, key, argument(c, 3));
}

static void set_metatable(const LibraryCall *c, int table) {
  metatable(c, table);
  record_write_metatable(c->L, table);
}

static void iterate(const LibraryCall *c, int value) {
  lua_pushinteger(c->L, integer_argument(c, 2, 0) + 1);
  read_index(c->L, value, lua_gettop(c->L));
}

/* ---- The library ----------------------------------------------------------------------------------------------- */

static const LibraryRule rules[] = {
  { "next", next, .of_table = true },
  { "rawget", rawget, .of_table = true },
  { "rawlen", rawlen, .of_table = true },
  { "rawset", rawset, .of_table = true, .stores = true },
  { "setmetatable", set_metatable, .of_table = true },
  { "table.concat", concat, .of_table = true },
  { "table.unpack", unpack, .of_table = true },
  { "table.insert", insert, .of_table = true, .stores = true },
  { "table.remove", removes, .of_table = true },
  { "table.sort", sort, .of_table = true },
  { "table.move", move, .of_table = true },
  { "getmetatable", .reads = metatable },
  { "(ipairs {})", .reads = iterate },
  { "pairs", .reads = pairs },
  { "tostring, print", .reads = text },
  { "string.format", .reads = format },
  { "string.gsub", .reads = looked_up },
  { "pcall, xpcall", calls, .judged = true },
  { "require", required, .judged = true },
  { "select", .judged = true, .passes = true },
  { "math.abs, math.acos, math.asin, math.atan, math.ceil, math.cos, math.deg, math.exp, math.floor, math.fmod, "
    "math.log, math.max, math.min, math.rad, math.sin, math.sqrt, math.tan",
    .judged = true, .math = true },
};
enum { N_RULES = sizeof rules / sizeof *rules };

/* The rule of all other functions of the library. */
static const LibraryRule plain = { .judged = true };

/* Returns all C functions of Lua's library, including those that it creates: iterators, metamethods, functions of
** files. */
static const char all_functions[] = "local all, seen = {}, {}\n"
                                    "local function add(v)\n"
                                    "  if type(v) == 'function' then all[#all + 1] = v end\n"
                                    "  if type(v) ~= 'table' or seen[v] then return end\n"
                                    "  seen[v] = true\n"
                                    "  for _, entry in next, v do add(entry) end\n"
                                    "end\n"
                                    "local _ = ('x'):rep(1 << 16)\n"
                                    "add(_G) add(getmetatable '') add(debug.getmetatable(io.stdout)) add(package)\n"
                                    "add(debug.getregistry()['_UBOX*'])\n"
                                    "add(string.gmatch('', '')) add((utf8.codes '')) add(coroutine.wrap(print))\n"
                                    "return table.unpack(all)\n";

static Map functions;            /* index of the rule by address of the code; N_RULES: plain */
static atomic_int found;         /* 0: empty; 1: a thread is filling the map; 2: filled */

/* Pops the functions on the stack, and adds the C functions. */
static bool add_functions(lua_State *L, int rule) {
  bool added = true;
  for (; added && lua_gettop(L) > 0; lua_pop(L, 1)) {
    lua_CFunction f = lua_tocfunction(L, -1);
    added = !f || map_put(&functions, (const void *)(uintptr_t)f, rule) == OK;
  }
  return added;
}

static bool fill_functions(lua_State *L) {
  luaL_openlibs(L);
  bool all = luaL_dostring(L, all_functions) == LUA_OK && add_functions(L, N_RULES);
  for (int i = 0; all && i < N_RULES; i++) {
    lua_pushfstring(L, "return %s", rules[i].functions);
    all = luaL_dostring(L, lua_tostring(L, 1)) == LUA_OK && add_functions(L, i);
  }
  return all;
}

/* Fills the map, or waits for the thread that fills it. If memory runs out, sets `starved` and returns false; a later
** call works. */
static bool find_library(void) {
  if (atomic_load(&found) == 2) return true;
  for (int state = 0; !atomic_compare_exchange_strong(&found, &state, 1); state = 0) {
    if (state == 2) return true;
    sched_yield();
  }
  lua_State *L = luaL_newstate();
  const bool filled = L && fill_functions(L);
  atomic_store(&found, filled ? 2 : 0);
  if (L) lua_close(L);
  if (!filled) follow_now()->starved = true;
  return filled;
}

/* NULL if f is not a function of the library. */
static const LibraryRule *rule_of(lua_CFunction f) {
  int i = map_get(&functions, (const void *)(uintptr_t)f);
  return i < 0 ? NULL : i < N_RULES ? &rules[i] : &plain;
}

bool is_library_math(lua_CFunction f) {
  const LibraryRule *rule = f && find_library() ? rule_of(f) : NULL;
  return rule && rule->math;
}

/* The address range of the program or library with this file. dladdr would find it too, but searches names. */
extern const char __ehdr_start[] __attribute__((visibility("hidden"))), _end[] __attribute__((visibility("hidden")));

bool is_own_c(lua_CFunction f) {
  uintptr_t at = (uintptr_t)f;
  return at >= (uintptr_t)__ehdr_start && at < (uintptr_t)_end;
}

/* ---- Judged functions ---------------------------------------------------------------------------------------- */

enum { ARGUMENTS_DEPTH = 6 };      /* of nested tables in arguments that our own functions may read */

/* Pops an argument: a list, options, or a callable object. */
static void argument_read(lua_State *L) {
  int top = lua_gettop(L);
  read_all(L, top, ARGUMENTS_DEPTH);
  if (table_kind(L, top) == TABLE_OTHER) read_call(L, top);
  lua_settop(L, top - 1);
}

void arguments_read(lua_State *L, lua_Debug *ar) {
  if (!follow_stack(L, LUA_MINSTACK)) return;
  lua_getinfo(L, "r", ar);
  for (int i = 1; i <= ar->ntransfer && lua_getlocal(L, ar, i); i++) argument_read(L);
  for (int i = -1; lua_getlocal(L, ar, i); i--) argument_read(L);        /* varargs of a Lua function */
}

/* Calls judge(function, its first two arguments), which raises to reject the call, and returns true if further calls
** need no judgement. */
static void judge(const LibraryCall *c, int function) {
  lua_State *L = c->L;
  Follow *f = follow_now();
  const void *at = lua_topointer(L, function);
  if (map_get(&f->judged, at) >= 0) return;
  lua_pushvalue(L, function);
  argument(c, 1);
  argument(c, 2);
  if (!follow_ask(L, "judge", 3, 1) || !lua_toboolean(L, -1)) return;
  record_touch(L, function, 0);            /* kept, so that its address is not reused */
  if (map_put(&f->judged, at, 1) != OK) f->starved = true;
}

void judge_always(lua_State *L, lua_Debug *ar, int function) {
  int top = lua_gettop(L);
  if (map_get(&follow_now()->always, (const void *)(uintptr_t)lua_tocfunction(L, function)) < 0) return;
  if (!follow_stack(L, LUA_MINSTACK)) return;
  lua_getinfo(L, "r", ar);
  judge(&(LibraryCall){ L, ar, ar->ntransfer }, function);
  lua_settop(L, top);
}

/* Rejects a stand-in of a bound number among the arguments, unless the function passes it on or stores it in a table
** that the trace made. */
static void bound_arguments(const LibraryCall *c, const LibraryRule *rule) {
  lua_State *L = c->L;
  const int table = argument(c, 1);
  const bool passes = rule && rule->passes, stores = rule && rule->stores && !record_outside(L, table);
  for (int i = 1; i <= c->n; i++) {
    int at = argument(c, i);
    if (!(passes && i > 1) && !(stores && i == c->n)) bound_argument(L, c->ar, at);
    lua_settop(L, table);
  }
}

void library_reads(lua_State *L, lua_Debug *ar, int function) {
  lua_CFunction f = lua_tocfunction(L, function);
  int top = lua_gettop(L);
  if (!follow_stack(L, 2 * LUA_MINSTACK) || !find_library()) return;
  const LibraryRule *rule = rule_of(f);
  lua_getinfo(L, "r", ar);
  LibraryCall c = { L, ar, ar->ntransfer };
  if (follow_now()->numbers && (rule || !is_own_c(f))) bound_arguments(&c, rule);
  if (!rule || rule->judged) judge(&c, function);
  lua_settop(L, top);
  const int first = argument(&c, 1);
  if (rule && rule->reads && (!rule->of_table || lua_istable(L, first))) rule->reads(&c, first);
  else if (!rule && is_own_c(f)) arguments_read(L, ar);
  lua_settop(L, top);
}

/* ---- For Lua ------------------------------------------------------------------------------------------------- */

/* c_address(function) -> the address of its C code, a light userdata; nil for a Lua function */
int c_address(lua_State *L) {
  lua_CFunction f = lua_tocfunction(L, 1);
  if (f) lua_pushlightuserdata(L, (void *)(uintptr_t)f);
  else lua_pushnil(L);
  return 1;
}

/* is_own_code(function): is its C code in the same program or library as ours? */
int is_own_code(lua_State *L) { return return_boolean(L, is_own_c(lua_tocfunction(L, 1))); }
