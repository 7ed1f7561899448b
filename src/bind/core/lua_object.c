/* lua_object.c - see lua_object.h. */
#include "bind/core/lua_object.h"

#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "bind/core/lua_memory.h"
#include "bind/core/trace_port.h"

static const char array_tag[2], symbol_tag[2], null_tag, owned_tag;      /* by Kind */

/* One comparison distinguishes both kinds from all others. */
#define HAS_TAG(o, tags) ((size_t)((const char *)(o)->tag - (tags)) < sizeof(tags))

/* lazy.of: not NULL if the value is lazy; then only a.t.type is valid. */
typedef struct ArrayObject { const void *tag; Array a; Anchor *anchor; LazyValue lazy; } ArrayObject;
typedef struct SymbolObject { const void *tag; Symbol s; } SymbolObject;
typedef struct Owned { void (*end)(void *owned); _Alignas(8) char data[]; } Owned;

/* ---- NDArray ------------------------------------------------------------------------------ */

static inline ArrayObject *to_object(lua_State *L, int index) {
  ArrayObject *o = lua_touserdata(L, index);
  return o && lua_rawlen(L, index) == sizeof *o && HAS_TAG(o, array_tag) ? o : NULL;
}

/* Materializes the value, unless a finalizer that ran meanwhile has done so. */
static __attribute__((cold, noinline)) void take_value(lua_State *L, ArrayObject *o) {
  Array value;
  Status s;
  coroutine_enter(L);
  const LazyValue lazy = o->lazy;
  if (!lazy.of) return;
  lazy_segment_retain(lazy.of);
  WITH_MEMORY(L, s, o->lazy.of ? lazy_value_materialize(lazy, &value) : OK);
  if (s == OK && o->lazy.of) {
    o->a = value;
    o->lazy.of = NULL;
    lazy_value_release(lazy);
  }
  lazy_segment_release(lazy.of);
  check(L, s);
  breaks_report_own(L);
}

Array *to_array(lua_State *L, int index) {
  ArrayObject *o = to_object(L, index);
  if (!o) return NULL;
  if (__builtin_expect(o->lazy.of != NULL, 0)) take_value(L, o);
  return &o->a;
}

bool is_array(lua_State *L, int index) { return to_object(L, index) != NULL; }

bool is_nd_array(lua_State *L, int index) {
  const ArrayObject *o = lua_touserdata(L, index);
  return o && lua_rawlen(L, index) == sizeof *o && o->tag == &array_tag[KIND_ND];
}

const Type *array_type(lua_State *L, int index) {
  ArrayObject *o = to_object(L, index);
  return o ? &o->a.t.type : NULL;
}

Device array_device(lua_State *L, int index) {
  ArrayObject *o = to_object(L, index);
  return o->lazy.of ? lazy_value_device(o->lazy) : tensor_device(&o->a.t);
}

Array *array_lazy(lua_State *L, int index) { return &to_object(L, index)->a; }

LazyValue *array_lazy_value(lua_State *L, int index) { return &to_object(L, index)->lazy; }

void array_defer(lua_State *L, int index, LazyValue lazy, const Type *type) {
  ArrayObject *o = to_object(L, index);
  o->a.t.type = *type;
  o->lazy = lazy;
}

Array *check_array(lua_State *L, int index) {
  Array *a = to_array(L, index);
  if (!a) raise_error(L, "expected an NDArray, got %s", type_name(L, index));
  if (array_freed(a)) raise_error(L, "this NDArray was freed");
  return a;
}

bool has_stray_key(lua_State *L, int index, lua_Integer n) {
  enum { SHORT = 8 };
  index = lua_absindex(L, index);
  if (n <= SHORT) lua_pushnil(L);
  else lua_pushinteger(L, n);
  while (lua_next(L, index)) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TNUMBER) continue;
    bool place = lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= n;
    if (!place) {
      lua_pop(L, 1);
      return true;
    }
  }
  return false;
}

int check_length(lua_State *L, int index, const char *what) {
  if (!lua_istable(L, index)) raise_error(L, "%s: expected a table, got %s", what, type_name(L, index));
  lua_Unsigned n = lua_rawlen(L, index);
  if (n > INT_MAX / 2) raise_error(L, "%s: expected a shorter table", what);
  return (int)n;
}

Array **list_arrays(lua_State *L, int index, int n, bool holes) {
  if (!lua_istable(L, index)) raise_error(L, "expected a table of NDArrays, got %s", type_name(L, index));
  Array **list = lua_newuserdatauv(L, (size_t)(n + 1) * sizeof *list, 0);
  for (int i = 0; i < n; i++) {
    lua_rawgeti(L, index, i + 1);
    list[i] = holes && !to_array(L, -1) ? NULL : check_array(L, -1);
    lua_pop(L, 1);
  }
  return list;
}

Array *push_array_of(lua_State *L, Kind kind) {
  ArrayObject *o = lua_newuserdatauv(L, sizeof *o, 0);
  o->tag = &array_tag[kind];
  o->a = (Array){ .t = NO_TENSOR, .node = NULL };
  o->anchor = NULL;
  o->lazy = (LazyValue){ 0 };
  take_metatable(L, &array_tag[kind]);
  return &o->a;
}

Array *push_array(lua_State *L) { return push_array_of(L, KIND_ND); }

Anchor **array_anchor(Array *a) { return &((ArrayObject *)((char *)a - offsetof(ArrayObject, a)))->anchor; }

void push_tensor(lua_State *L, const Tensor *t) {
  Array *a = push_array(L);
  a->t = tensor_share(t);
}

static int array_gc(lua_State *L) {
  ArrayObject *o = to_object(L, 1);
  if (!o) return 0;
  if (o->lazy.of) lazy_value_release(o->lazy);
  o->lazy.of = NULL;
  array_release(&o->a);
  return 0;
}

/* ---- Symbol --------------------------------------------------------------------------------- */

static inline SymbolObject *to_symbol_object(lua_State *L, int index) {
  SymbolObject *o = lua_touserdata(L, index);
  return o && lua_rawlen(L, index) == sizeof *o && HAS_TAG(o, symbol_tag) ? o : NULL;
}

Symbol *to_symbol(lua_State *L, int index) {
  SymbolObject *o = to_symbol_object(L, index);
  return o ? &o->s : NULL;
}

Symbol *check_symbol(lua_State *L, int index) {
  Symbol *s = to_symbol(L, index);
  if (!s) raise_error(L, "expected a Symbol, got %s", type_name(L, index));
  return s;
}

Symbol *push_symbol(lua_State *L, const Entry *entries, int n) {
  SymbolObject *o = lua_newuserdatauv(L, sizeof *o, 0);
  o->tag = &symbol_tag[KIND_ND];
  o->s = (Symbol){ 0 };
  take_metatable(L, &symbol_tag[KIND_ND]);
  o->s.entry = object_new((size_t)(n + 1) * sizeof *o->s.entry);
  if (!o->s.entry) raise_status(L, no_memory("symbol"));
  for (; o->s.n < n; o->s.n++) {
    o->s.entry[o->s.n] = entries[o->s.n];
    node_retain(entries[o->s.n].node);
  }
  return &o->s;
}

Symbol *push_entry(lua_State *L, Entry e) { return push_symbol(L, &e, 1); }

static int symbol_gc(lua_State *L) {
  Symbol *s = to_symbol(L, 1);
  if (!s) return 0;
  for (int i = 0; i < s->n; i++) node_release(s->entry[i].node);
  object_free(s->entry);
  *s = (Symbol){ 0 };
  return 0;
}

/* ---- Kinds -------------------------------------------------------------------------------------- */

Kind value_kind(lua_State *L, int index) {
  const ArrayObject *o = to_object(L, index);
  const SymbolObject *s = o ? NULL : to_symbol_object(L, index);
  return (o && o->tag == &array_tag[KIND_NP]) || (s && s->tag == &symbol_tag[KIND_NP]) ? KIND_NP : KIND_ND;
}

Kind array_kind(const Array *a) {
  const ArrayObject *o = (const ArrayObject *)(const void *)((const char *)a - offsetof(ArrayObject, a));
  return o->tag == &array_tag[KIND_NP] ? KIND_NP : KIND_ND;
}

void make_np(lua_State *L, int index) {
  ArrayObject *o = to_object(L, index);
  SymbolObject *s = o ? NULL : to_symbol_object(L, index);
  index = lua_absindex(L, index);
  if (!o && !s) {
    if (!lua_istable(L, index)) return;
    for (lua_Integer i = 1; lua_rawgeti(L, index, i) != LUA_TNIL; i++) {
      make_np(L, -1);
      lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return;
  }
  if (o) o->tag = &array_tag[KIND_NP];
  else s->tag = &symbol_tag[KIND_NP];
  lua_rawgetp(L, LUA_REGISTRYINDEX, o ? &array_tag[KIND_NP] : &symbol_tag[KIND_NP]);
  lua_setmetatable(L, index);
}

static void copy_metatable(lua_State *L, const char *tags, const char *name) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &tags[KIND_ND]);
  lua_newtable(L);
  copy_fields(L, -2);
  set_string(L, "__name", name);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &tags[KIND_NP]);
  lua_pop(L, 1);
}

void new_kind(lua_State *L) {
  copy_metatable(L, array_tag, "np.ndarray");
  copy_metatable(L, symbol_tag, "sym.np._Symbol");
}

/* ---- What C owns ------------------------------------------------------------------------------ */

void *push_owned(lua_State *L, size_t size, void (*end)(void *owned)) {
  Owned *o = lua_newuserdatauv(L, sizeof *o + size, 0);
  memset(o, 0, sizeof *o + size);
  o->end = end;
  take_metatable(L, &owned_tag);
  return o->data;
}

static void end_now(Owned *o) {
  void (*end)(void *) = o->end;
  o->end = NULL;
  if (end) end(o->data);
}

void owned_end(void *owned) { end_now((Owned *)((char *)owned - offsetof(Owned, data))); }

void *push_resting(lua_State *L, const void *key, size_t size, void (*end)(void *owned)) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, key) == LUA_TNIL) {
    lua_pop(L, 1);
    return push_owned(L, size, end);
  }
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
  Owned *o = lua_touserdata(L, -1);
  memset(o->data, 0, size);
  o->end = end;
  return o->data;
}

void owned_rest(lua_State *L, int index, const void *key) {
  end_now(lua_touserdata(L, index));
  lua_pushvalue(L, index);
  lua_rawsetp(L, LUA_REGISTRYINDEX, key);
}

static int owned_gc(lua_State *L) {
  end_now(lua_touserdata(L, 1));
  return 0;
}

static void text_end(void *text) { text_free(text); }

Text *push_text(lua_State *L) { return push_owned(L, sizeof(Text), text_end); }

void take_text(lua_State *L, Text *text) {
  check(L, text_status(text));
  lua_pushlstring(L, text->at ? text->at : "", text->length);
  owned_end(text);
  lua_remove(L, -2);
}

void push_null(lua_State *L) { lua_pushlightuserdata(L, (void *)&null_tag); }
bool is_null(lua_State *L, int index) { return lua_touserdata(L, index) == &null_tag && lua_islightuserdata(L, index); }

/* ---- Values ------------------------------------------------------------------------------------ */

static const char operators_key;      /* registry key: names in scripts by table of operators */

void mark_operators(lua_State *L, int index, const char *name) {
  index = lua_absindex(L, index);
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &operators_key) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &operators_key);
  }
  lua_pushvalue(L, index);
  lua_pushstring(L, name);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

const char *operators_name(lua_State *L, int index) {
  index = lua_absindex(L, index);
  if (lua_type(L, index) != LUA_TTABLE) return NULL;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &operators_key);
  lua_pushvalue(L, index);
  const char *name = lua_rawget(L, -2) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;      /* held by the table */
  lua_pop(L, 2);
  return name;
}

bool is_operators(lua_State *L, int index) { return operators_name(L, index) != NULL; }

/* The class name of a table or userdata, such as "Parameter"; NULL if it has none. */
static const char *class_name(lua_State *L, int index) {
  if (luaL_getmetafield(L, index, "__name") == LUA_TNIL) return NULL;
  const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;      /* held by the metatable */
  lua_pop(L, 1);
  return name;
}

static const char *table_name(lua_State *L, int index) {
  static _Thread_local char text[2][80];
  static _Thread_local int next;
  if (is_operators(L, index)) return "F, the table of operators";
  const char *name = class_name(L, index);
  if (!name) return "a table";
  char *into = text[next = !next];
  snprintf(into, sizeof text[0], "%s %s", strchr("AEIOUaeiou", name[0]) ? "an" : "a", name);
  return into;
}

const char *operand_hint(lua_State *L, int index) {
  if (lua_type(L, index) != LUA_TTABLE) return "";
  if (is_operators(L, index)) return "; hybrid_forward and functions given to hl.compile take it first: function(F, x)";
  const char *name = class_name(L, index);
  if (!name || (strcmp(name, "Parameter") != 0 && strcmp(name, "Constant") != 0)) return "";
  return "; hybrid_forward gets a Parameter's array in its last argument, p, as p.NAME; elsewhere write "
         "parameter:data()";
}

const char *type_name(lua_State *L, int index) {
  if (is_array(L, index)) return "an NDArray";
  if (to_symbol(L, index)) return "a Symbol";
  if (is_null(L, index)) return "nd.NULL";
  switch (lua_type(L, index)) {
    case LUA_TNONE:
    case LUA_TNIL: return "nothing";
    case LUA_TNUMBER: return lua_isinteger(L, index) ? "an integer" : "a number";
    case LUA_TSTRING: return "a string";
    case LUA_TBOOLEAN: return "a boolean";
    case LUA_TTABLE: return table_name(L, index);
    case LUA_TFUNCTION: return "a function";
    case LUA_TUSERDATA:
      if (class_name(L, index)) return class_name(L, index);
      return "userdata";
    default: return lua_typename(L, lua_type(L, index));
  }
}

Shape check_shape(lua_State *L, int index, const char *who) {
  Shape s = { 0 };
  index = lua_absindex(L, index);
  if (lua_type(L, index) == LUA_TNUMBER) {
    int exact;
    s.ndim = 1;
    s.dim[0] = lua_tointegerx(L, index, &exact);
    if (!exact) raise_error(L, "%s: shape: expected integers, got %.14g", who, lua_tonumber(L, index));
  } else if (lua_istable(L, index)) {
    lua_Unsigned n = lua_rawlen(L, index);
    if (n > MAX_DIMS) raise_error(L, "%s: shape: expected at most %d dimensions, got %d", who, MAX_DIMS, (int)n);
    for (s.ndim = 0; s.ndim < (int)n; s.ndim++) {
      int exact;
      lua_rawgeti(L, index, s.ndim + 1);
      s.dim[s.ndim] = lua_tointegerx(L, -1, &exact);
      if (!exact || lua_type(L, -1) != LUA_TNUMBER)
        raise_error(L, "%s: shape: expected integers, got %s", who, luaL_tolstring(L, -1, NULL));
      lua_pop(L, 1);
    }
    if (has_stray_key(L, index, (lua_Integer)n)) raise_error(L, "%s: shape: %s", who, STRAY_KEY);
  } else {
    raise_error(L, "%s: shape: expected a table of integers, got %s", who, type_name(L, index));
  }
  check(L, shape_check(&s, who));
  return s;
}

DType check_dtype(lua_State *L, int index, const char *who) {
  size_t length;
  if (lua_type(L, index) != LUA_TSTRING)
    raise_error(L, "%s: dtype: expected a name such as 'float32', got %s", who, type_name(L, index));
  const char *name = lua_tolstring(L, index, &length);
  DType t = dtype_from_name(name, length);
  if (t == DT_UNKNOWN) raise_error(L, "%s: dtype: expected " DTYPE_NAMES ", got '%s'%s", who, name, dtype_advice(name));
  return t;
}

void push_element(lua_State *L, const Tensor *t, int64_t i) {
  const double x = dtype_is_float(t->type.dtype) ? tensor_get(t, i) : 0;
  if (dtype_is_float(t->type.dtype)) lua_pushnumber(L, isnan(x) ? (double)NAN : x); /* printed as nan, not -nan */
  else if (t->type.dtype == DT_BOOL) lua_pushboolean(L, tensor_get(t, i) != 0);
  else lua_pushinteger(L, tensor_get_int(t, i));
}

bool table_get_bool(lua_State *L, int index, const char *key, bool otherwise) {
  if (!lua_istable(L, index)) return otherwise;
  bool value = otherwise;
  if (lua_getfield(L, index, key) != LUA_TNIL) value = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return value;
}

void set_integer(lua_State *L, const char *key, int64_t value) {
  lua_pushinteger(L, (lua_Integer)value);
  lua_setfield(L, -2, key);
}

void set_number(lua_State *L, const char *key, double value) {
  lua_pushnumber(L, value);
  lua_setfield(L, -2, key);
}

void set_boolean(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

void set_string(lua_State *L, const char *key, const char *value) {
  lua_pushstring(L, value ? value : "");
  lua_setfield(L, -2, key);
}

void set_function(lua_State *L, const char *key, lua_CFunction value) {
  lua_pushcfunction(L, value);
  lua_setfield(L, -2, key);
}

void copy_fields(lua_State *L, int index) {
  index = lua_absindex(L, index);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) {
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, -5);
  }
}

int return_integer(lua_State *L, int64_t value) {
  lua_pushinteger(L, (lua_Integer)value);
  return 1;
}

int return_number(lua_State *L, double value) {
  lua_pushnumber(L, value);
  return 1;
}

int return_boolean(lua_State *L, bool value) {
  lua_pushboolean(L, value);
  return 1;
}

/* ---- Texts ------------------------------------------------------------------------------------------ */

/* The engine and files have names as C strings, which a zero byte would cut short. */
Status whole_text(lua_State *L, int index, const char *what, const char **out) {
  size_t n;
  *out = lua_tolstring(L, index, &n);
  return strlen(*out) == n ? OK : fail("%s: expected text without zero bytes, got one after '%s'", what, *out);
}

const char *check_bytes(lua_State *L, int index, const char *what, size_t *n) {
  if (lua_type(L, index) != LUA_TSTRING) raise_error(L, "%s: expected a string, got %s", what, type_name(L, index));
  return lua_tolstring(L, index, n);
}

const char *check_text(lua_State *L, int index, const char *what) {
  const char *text = check_bytes(L, index, what, NULL);
  check(L, whole_text(L, index, what, &text));
  return text;
}

/* ---- Metatables ----------------------------------------------------------------------------------- */

void new_metatable(lua_State *L, const void *tag, const char *name, lua_CFunction gc) {
  lua_newtable(L);
  set_string(L, "__name", name);
  set_function(L, "__gc", gc);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, tag);
}

void take_metatable(lua_State *L, const void *tag) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, tag);
  lua_setmetatable(L, -2);
}

void new_weak_table(lua_State *L, const void *registry_key, const char *mode) {
  lua_newtable(L);
  lua_createtable(L, 0, 1);
  set_string(L, "__mode", mode);
  lua_setmetatable(L, -2);
  lua_rawsetp(L, LUA_REGISTRYINDEX, registry_key);
}

void weak_table_set(lua_State *L, const void *registry_key, int key, int value) {
  key = lua_absindex(L, key);
  if (value) value = lua_absindex(L, value);
  lua_rawgetp(L, LUA_REGISTRYINDEX, registry_key);
  lua_pushvalue(L, key);
  if (value) lua_pushvalue(L, value);
  else lua_pushnil(L);
  lua_rawset(L, -3);
  lua_pop(L, 1);
}

void push_array_metatable(lua_State *L, Kind kind) { lua_rawgetp(L, LUA_REGISTRYINDEX, &array_tag[kind]); }
void push_symbol_metatable(lua_State *L, Kind kind) { lua_rawgetp(L, LUA_REGISTRYINDEX, &symbol_tag[kind]); }

void open_object(lua_State *L) {
  new_metatable(L, &array_tag[KIND_ND], "nd.NDArray", array_gc);
  set_function(L, "__close", array_gc);
  lua_pop(L, 1);
  new_metatable(L, &symbol_tag[KIND_ND], "sym.Symbol", symbol_gc);
  lua_pop(L, 1);
  new_metatable(L, &owned_tag, "hybridlua.Owned", owned_gc);
  set_boolean(L, "__metatable", false); /* out of a script's reach */
  lua_pop(L, 1);
}
