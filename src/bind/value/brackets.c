/* brackets.c - indexing: reads the key from Lua values and runs the operators of indexing (exec/eager/eager_index.h)
** or, with a Symbol among the operands or in a trace, builds a node. Indices are counted from 0, negative ones from the
** end. An integer must be in range; a slice is clipped to the range. Indexing one element gives shape (1,), as in
** MXNet. A mask as the whole key selects elements by ROLE_MASK; masks among other parts are replaced by index arrays
** (mask_indices.lua).
*/
#include "bind/value/brackets.h"

#include "bind/core/tape_anchor.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/value/bracket_key.h"
#include "bind/value/list_use.h"
#include "bind/trace/graph_breaks.h"
#include "bind/trace/tracing.h"
#include "exec/eager/eager_call.h"
#include "exec/eager/eager_index.h"
#include "ir/node_builder.h"

/* without_masks(x, key) -> key: a function of mask_indices.lua. */
static const char without_masks;

/* x and the index arrays: their stack indices, and the NDArrays among them (NULL for a Symbol). */
typedef struct BracketOperands {
  int at[1 + MAX_DIMS], n;
  Array *array[1 + MAX_DIMS];
  bool symbol, mask;            /* is there one among the operands? */
  bool np;                      /* is x of np's kind? Then one element is a 0-d array */
} BracketOperands;

static bool is_mask(lua_State *L, const Array *a, int at) {
  if (a) return a->t.type.dtype == DT_BOOL;
  const Symbol *s = to_symbol(L, at);
  return s->n == 1 && entry_type(s->entry[0])->dtype == DT_BOOL;
}

static void add_operand(lua_State *L, BracketOperands *o, int at) {
  Array *a = to_array(L, at);
  o->at[o->n] = at;
  o->array[o->n++] = a;
  o->symbol = o->symbol || !a;
  if (o->n > 1) o->mask = o->mask || is_mask(L, a, at);
}

static void find_operands(lua_State *L, const IndexKey *k, BracketOperands *o) {
  o->n = 0;
  o->symbol = o->mask = false;
  o->np = value_kind(L, 1) == KIND_NP;
  add_operand(L, o, 1);
  for (int i = 0, n = key_arrays(&k->key); i < n; i++) add_operand(L, o, k->array[i]);
}

/* ---- Building nodes ------------------------------------------------------------------------------- */

static Status build_node(lua_State *L, const Op *op, const Key *key, const BracketOperands *o) {
  Entry in[1 + MAX_DIMS];
  Params *p;
  for (int i = 0; i < o->n; i++) {
    Symbol *operand = to_symbol(L, o->at[i]);
    if (operand && operand->n != 1)
      return fail("index: expected a Symbol with one output, got one with %d; choose one with s:output(i)", operand->n);
    if (operand) in[i] = operand->entry[0];
    else TRY(trace_capture(L, o->at[i], &in[i]));
  }
  TRY(trace_admit(L, op, op->info->defaults->fields, in, o->n));
  Symbol *made = push_symbol(L, &NO_ENTRY, 1);
  Builder b = trace_builder(L);
  TRY(params_new(op, &p));                                   /* nothing may raise until it is released */
  Status s = params_set_key(p, 0, key);
  if (s == OK) made->entry[0] = build(&b, op, p, in, o->n);
  if (s == OK) s = b.status;
  node_retain(made->entry[0].node);
  builder_free(&b);
  params_release(p);
  if (s == OK) trace_made(L, made->entry[0]);
  return s;
}

/* ---- Eager ------------------------------------------------------------------------------------------ */

/* Pushes x[key]; if `key` is NULL, the elements that the mask selects. */
static Status run(lua_State *L, const Key *key, const BracketOperands *o) {
  Array *const *in = o->array;
  Status s;
  for (int i = 0; i < o->n; i++) {
    if (array_freed(in[i])) return fail("index: %s was freed", i == 0 ? "this NDArray" : "the NDArray of indices");
  }
  bool anchored = coroutine_engine(L)->mode.recording && push_anchor_of(L, in, o->n);
  Array *out = push_array(L);
  coroutine_enter_again(L);
  if (!coroutine_plain()) engine_now()->mode.origin = origin_here(L);
  if (key) WITH_MEMORY(L, s, eager_index(key, in, o->n, out));
  else WITH_MEMORY(L, s, eager_call(op_with_role(ROLE_MASK), NULL, in, o->n, engine_now()->mode.device, out));
  if (s == OK && anchored && out->node) set_anchor(L, -1, -2);
  if (anchored) lua_remove(L, -2);
  return s;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

/* Reads the key at index 2 for x at index 1; masks in a table are replaced by index arrays first. */
static void read_key(lua_State *L, IndexKey *k, BracketOperands *o) {
  index_key_read(L, 2, k);
  find_operands(L, k, o);
  if (!o->mask) return;
  if (tracing(L)) trace_lacks(L, "x[mask]");
  else breaks_read(L, "x[mask]");
  if (o->symbol || tracing(L))
    raise_error(L, "index: a mask cannot be used on Symbols: the shape of the result depends on values; use F.where");
  if (!lua_istable(L, 2)) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &without_masks);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, 2);
  lua_call(L, 2, 1);
  lua_replace(L, 2);
  index_key_read(L, 2, k);
  find_operands(L, k, o);
}

int index_read(lua_State *L) {
  IndexKey k;
  BracketOperands o;
  lua_settop(L, 2);
  if (lua_isinteger(L, 2) && lua_tointeger(L, 2) == 1) refuse_list_function(L);
  read_key(L, &k, &o);
  k.key.zero_dims = o.np;
  pace_collector(L);
  if (o.symbol || tracing(L)) check(L, build_node(L, op_with_role(ROLE_INDEX), &k.key, &o));
  else check(L, run(L, o.mask ? NULL : &k.key, &o));
  if (o.np) make_np(L, -1);
  return 1;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

/* A number in the dtype of its Lua type. */
static Tensor lua_number(lua_State *L, int index, uint64_t *element) {
  Tensor t;
  if (lua_type(L, index) == LUA_TBOOLEAN) {
    t = tensor_number(DT_BOOL, element);
    tensor_set_int(&t, 0, lua_toboolean(L, index));
  } else if (lua_isinteger(L, index)) {
    t = tensor_number(DT_INT64, element);
    tensor_set_int(&t, 0, lua_tointeger(L, index));
  } else {
    t = tensor_number(DT_FLOAT64, element);
    tensor_set(&t, 0, lua_tonumber(L, index));
  }
  return t;
}

/* Replaces nested tables by an array of x's dtype. */
static void take_table(lua_State *L, const Array *x, int index) {
  lua_getfield(L, LUA_REGISTRYINDEX, "hybridlua.array_new");
  lua_pushvalue(L, index);
  lua_pushstring(L, dtype_name(x->t.type.dtype));
  lua_pushnil(L);
  lua_pushboolean(L, true);
  lua_call(L, 4, 1);
  lua_replace(L, index);
}

/* The value to write: an NDArray, perhaps made from a table, or a number as a 0-d array in `element`. */
static Array *take_value(lua_State *L, const Array *x, int index, Array *number, uint64_t *element) {
  int type = lua_type(L, index);
  if (type == LUA_TNUMBER || type == LUA_TBOOLEAN) {
    uint64_t as_given;
    Tensor t = lua_number(L, index, &as_given);
    if (x->t.type.dtype == DT_FLOAT32 && lua_isinteger(L, index) && rounds_in_float32(lua_tointeger(L, index)))
      check(L, fail_within(fail_rounded(lua_tointeger(L, index)), "assignment"));
    *number = (Array){ .t = tensor_number(x->t.type.dtype, element) };
    check(L, tensor_convert(&t, &number->t));
    return number;
  }
  if (type == LUA_TTABLE) take_table(L, x, index);
  else if (!to_array(L, index))
    raise_error(L, "assignment: expected a number, an NDArray or a table of numbers, got %s", type_name(L, index));
  return check_array(L, index);
}

/* Assigns the value at `index` to the elements of x, at index 1, that `key` and the index arrays select. */
static void write(lua_State *L, const Key *key, const BracketOperands *o, int index) {
  Array *in[2 + MAX_DIMS], number;
  uint64_t element;
  in[0] = check_array(L, 1);
  in[1] = take_value(L, in[0], index, &number, &element);
  for (int i = 1; i < o->n; i++) in[1 + i] = check_array(L, o->at[i]);
  coroutine_enter(L);
  breaks_read(L, "x[...] = ...");
  engine_now()->mode.origin = origin_here(L);
  CHECK_WITH_MEMORY(L, eager_index_assign(key, in, 1 + o->n));
}

int index_write(lua_State *L) {
  IndexKey k;
  BracketOperands o;
  lua_settop(L, 3);
  if (tracing(L)) return trace_refuse(L, "x[...] = ...", "F.where, or build a new array");
  check_array(L, 1);
  read_key(L, &k, &o);
  write(L, &k.key, &o, 3);
  return 0;
}

int index_set(lua_State *L) {
  Key all = { .n = 0 };
  lua_settop(L, 2);
  if (tracing(L) || to_symbol(L, 1)) return trace_refuse(L, "x:set(...)", "the value itself");
  write(L, &all, &(BracketOperands){ .n = 1 }, 2);
  lua_settop(L, 1);
  return 1;
}

/* set_mask_reader(without_masks): without_masks(x, key) returns a key with index arrays in place of masks */
int index_set_function(lua_State *L) {
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &without_masks);
  return 0;
}
