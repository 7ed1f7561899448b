/* array_value.c - NDArray as scripts see it: fields, methods that are not operators, nd.array, printing. Brackets are
** in brackets.c, operators in op_functions.c.
*/
#include <string.h>

#include "bind/core/tape_anchor.h"
#include "bind/value/op_args.h"
#include "bind/core/coroutine.h"
#include "bind/core/lua_memory.h"
#include "bind/value/class_table.h"
#include "bind/value/device_value.h"
#include "bind/value/brackets.h"
#include "bind/value/bracket_key.h"
#include "bind/value/list_use.h"
#include "bind/trace/graph_breaks.h"
#include "bind/trace/tracing.h"
#include "exec/eager/eager_call.h"
#include "state/engine.h"
#include "exec/tape/tape.h"
#include "base/memory.h"
#include "base/threads/parallel_for.h"
#include "tensor/print_array.h"
#include "tensor/written_bytes.h"

/* ---- nd.array: from nested tables, numbers, arrays ----------------------------------------- */

static bool is_scalar(lua_State *L, int index) {
  int t = lua_type(L, index);
  return t == LUA_TNUMBER || t == LUA_TBOOLEAN;
}

/* The shape of nested tables, from the first item of each level. */
static Status nested_shape(lua_State *L, int index, Shape *s) {
  s->ndim = 0;
  lua_pushvalue(L, index);
  while (lua_istable(L, -1)) {
    if (s->ndim == MAX_DIMS) return fail("nd.array: source: expected at most %d levels of tables", MAX_DIMS);
    s->dim[s->ndim++] = (int64_t)lua_rawlen(L, -1);
    lua_rawgeti(L, -1, 1);
    lua_remove(L, -2);
  }
  Array *row = to_array(L, -1);
  for (int i = 0; row && i < row->t.type.shape.ndim; i++) {        /* a list of arrays is stacked */
    if (s->ndim == MAX_DIMS) return fail("nd.array: source: expected at most %d dimensions", MAX_DIMS);
    s->dim[s->ndim++] = row->t.type.shape.dim[i];
  }
  lua_pop(L, 1);
  return shape_check(s, "nd.array");
}

/* rounded: an integer that float32 cannot represent; 0 if none. */
typedef struct Filler { lua_State *L; Tensor *t; int64_t at; lua_Integer rounded; bool float32; } Filler;

static Status fill_number(Filler *f) {
  lua_State *L = f->L;
  if (lua_isinteger(L, -1)) {
    const lua_Integer n = lua_tointeger(L, -1);
    if (f->float32 && rounds_in_float32(n)) f->rounded = n;
    tensor_set_int(f->t, f->at++, n);
  } else if (lua_type(L, -1) == LUA_TBOOLEAN) tensor_set_int(f->t, f->at++, lua_toboolean(L, -1));
  else if (lua_type(L, -1) == LUA_TNUMBER) tensor_set(f->t, f->at++, lua_tonumber(L, -1));
  else return fail("nd.array: source: expected numbers in tables of equal length, got %s", type_name(L, -1));
  return OK;
}

/* Copies the nested tables on top of the stack into the tensor, starting at dimension `axis`. */
static Status fill(Filler *f, int axis) {
  lua_State *L = f->L;
  const Shape *s = &f->t->type.shape;
  if (axis == s->ndim) return fill_number(f);
  Array *row = to_array(L, -1);
  if (row) {
    if (array_freed(row)) return fail("nd.array: source: an NDArray in it was freed");
    const Type *from = &row->t.type;
    if (from->shape.ndim != s->ndim - axis ||
        memcmp(from->shape.dim, s->dim + axis, (size_t)(s->ndim - axis) * sizeof *s->dim) != 0)
      return fail("nd.array: source: expected arrays of one shape, got %s among others", shape_text(&from->shape));
    TRY(tensor_convert_into(&row->t, f->t, f->at));
    f->at += tensor_size(&row->t);
    return OK;
  }
  if (!lua_istable(L, -1) || (int64_t)lua_rawlen(L, -1) != s->dim[axis])
    return fail("nd.array: source: expected tables of equal length (%lld at level %d), got %s%s",
                (long long)s->dim[axis], axis + 1, type_name(L, -1), lua_istable(L, -1) ? " of another length" : "");
  for (int64_t i = 1; i <= s->dim[axis]; i++) {
    if (interrupted()) return interrupt_status();
    lua_rawgeti(L, -1, i);
    Status status = fill(f, axis + 1);
    lua_pop(L, 1);
    TRY(status);
  }
  if (has_stray_key(L, -1, s->dim[axis])) return fail("nd.array: source: %s", STRAY_KEY);
  return OK;
}

static Status named(Status s) { return s == E_INPUT ? fail_within(s, "nd.array") : s; }

/* new(source, dtype or nil, context or nil, exact) -> an NDArray; the source is a table, number, boolean or NDArray.
** Whole numbers that float32 cannot hold are an error if the dtype is not given, or if `exact`. */
static int array_new(lua_State *L) {
  lua_settop(L, 4);
  const bool exact = lua_isnil(L, 2) || lua_toboolean(L, 4);
  Device device = coroutine_engine(L)->mode.device;
  check(L, check_device_value(L, 3, "nd.array: ctx", &device));
  pace_collector(L);
  Array *from = to_array(L, 1), *out = push_array(L);
  Type type = { .dtype = from ? from->t.type.dtype : state_now()->default_float64 ? DT_FLOAT64 : DT_FLOAT32 };
  if (!lua_isnil(L, 2)) type.dtype = check_dtype(L, 2, "nd.array");
  if (from) {
    check_array(L, 1);
    CHECK_WITH_MEMORY(L, named(tensor_cast(&from->t, type.dtype, device, &out->t)));
  } else {
    if (!lua_istable(L, 1) && !is_scalar(L, 1))
      return raise_error(L, "nd.array: source: expected a table of numbers or an NDArray, got %s", type_name(L, 1));
    luaL_checkstack(L, MAX_DIMS + 8, "nested tables");
    if (lua_istable(L, 1)) check(L, nested_shape(L, 1, &type.shape));
    else type.shape = shape_of(1, (int64_t[]){ 1 });
    check(L, named(device_check(device)));
    CHECK_WITH_MEMORY(L, named(tensor_new(&type, DEVICE_HOST, &out->t)));
    lua_pushvalue(L, 1);
    Filler f = { .L = L, .t = &out->t, .float32 = type.dtype == DT_FLOAT32 };
    check(L, is_scalar(L, 1) ? fill_number(&f) : fill(&f, 0));
    lua_pop(L, 1);
    CHECK_WITH_MEMORY(L, named(tensor_move(&out->t, device)));
    if (f.rounded && exact) check(L, fail_within(fail_rounded(f.rounded), lua_isnil(L, 2) ? "nd.array" : "assignment"));
  }
  return 1;
}

/* default_dtype(dtype or nil) -> the dtype before: of arrays made of numbers without a dtype */
static int default_dtype(lua_State *L) {
  coroutine_enter(L);
  State *s = state_now();
  const bool before = s->default_float64;
  if (!lua_isnoneornil(L, 1)) s->default_float64 = check_dtype(L, 1, "set_default_dtype: dtype") == DT_FLOAT64;
  lua_pushstring(L, before ? "float64" : "float32");
  return 1;
}

/* array_from_bytes(string, shape, dtype) -> an NDArray of these little-endian elements; for tests and readers */
static int array_from_bytes(lua_State *L) {
  size_t n;
  const char *bytes = check_bytes(L, 1, "nd.from_bytes: bytes", &n);
  Type type = { .shape = check_shape(L, 2, "nd.from_bytes"), .dtype = check_dtype(L, 3, "nd.from_bytes") };
  if (type_bytes(&type) != n)
    return raise_error(L, "nd.from_bytes: data: expected %d bytes, got %d", (int)type_bytes(&type), (int)n);
  pace_collector(L);
  Array *a = push_array(L);
  CHECK_WITH_MEMORY(L, tensor_new(&type, DEVICE_HOST, &a->t));
  tensor_set_bytes(&a->t, bytes);
  CHECK_WITH_MEMORY(L, tensor_move(&a->t, engine_now()->mode.device));
  return 1;
}

void push_bytes(lua_State *L, const Array *a) {
  const size_t n = tensor_bytes(&a->t);
  luaL_Buffer bytes;
  void *to = luaL_buffinitsize(L, &bytes, n);
  written_bytes(&a->t, 0, n, to);
  luaL_pushresultsize(&bytes, n);
}

static int array_bytes(lua_State *L) {
  const Array *a = check_array(L, 1);
  breaks_read(L, "x:tobytes()");
  push_bytes(L, a);
  return 1;
}

/* ---- Reading out ------------------------------------------------------------------------------ */

static void push_nested(lua_State *L, const Tensor *t, int axis, int64_t offset) {
  const Shape *s = &t->type.shape;
  if (axis == s->ndim) {
    push_element(L, t, offset);
    return;
  }
  int64_t step = shape_size_range(s, axis + 1, s->ndim);
  lua_createtable(L, s->dim[axis] > 1 << 30 ? 0 : (int)s->dim[axis], 0);
  for (int64_t i = 0; i < s->dim[axis]; i++) {
    if (interrupted()) check(L, interrupt_status());
    push_nested(L, t, axis + 1, offset + i * step);
    lua_rawseti(L, -2, i + 1);
  }
}

/* Upvalue 1 is the function's name: totable, asnumpy, ... */
static int array_totable(lua_State *L) {
  if (to_symbol(L, 1))
    return trace_refuse(L, lua_tostring(L, lua_upvalueindex(1)),
                        "operators on the Symbol, or return the array and read it outside");
  Array *a = check_array(L, 1);
  breaks_read(L, lua_tostring(L, lua_upvalueindex(1)));
  luaL_checkstack(L, 2 * MAX_DIMS + 8, "nested tables");
  push_nested(L, &a->t, 0, 0);
  return 1;
}

static int array_asscalar(lua_State *L) {
  const char *called = lua_tostring(L, lua_upvalueindex(1));
  if (to_symbol(L, 1)) return trace_refuse(L, called, "operators on the Symbol, such as F.where");
  Array *a = check_array(L, 1);
  if (tensor_size(&a->t) != 1)
    return raise_error(L, "%s: data: expected an array of one element, got shape %s", called,
                       shape_text(&a->t.type.shape));
  breaks_read(L, called);
  push_element(L, &a->t, 0);
  return 1;
}

static int set_printoptions(lua_State *L) {
  coroutine_enter(L);
  PrintOptions *now = &engine_now()->print;
  if (!lua_istable(L, 1))
    return raise_error(L, "set_printoptions: expected options, such as {precision = 4}, got %s", type_name(L, 1));
  const struct { const char *key; int *value; } options[] = { { "precision", &now->precision },
              { "threshold", &now->threshold },
              { "edgeitems", &now->edge_items },
              { "linewidth", &now->line_width } };
  for (lua_pushnil(L); lua_next(L, 1); lua_pop(L, 1)) {
    const char *key = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
    int i = 0;
    while (i < 4 && strcmp(options[i].key, key) != 0) i++;
    if (i == 4)
      return raise_error(L,
                         "set_printoptions: unknown option '%s'; it takes precision, threshold, edgeitems, "
                         "linewidth",
                         key);
    if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0 || lua_tointeger(L, -1) > 1000000)
      return raise_error(L, "set_printoptions: %s: expected an integer of 0 or more, got %s", key, type_name(L, -1));
    *options[i].value = (int)lua_tointeger(L, -1);
  }
  return 0;
}

/* "\n[1. 2.]\n<NDArray 2 @cpu(0)>", the array's context after the @, as MXNet prints. */
static int array_tostring(lua_State *L) {
  Array *a = to_array(L, 1);
  if (!a) return raise_error(L, "expected an NDArray, got %s", type_name(L, 1));
  if (array_freed(a)) {
    lua_pushliteral(L, "<NDArray, freed>");
    return 1;
  }
  coroutine_enter(L);
  breaks_read(L, "tostring(x)");
  Text *text = push_text(L);
  text_put(text, "\n");
  print_tensor(text, &a->t, &engine_now()->print);
  text_put(text, "\n<NDArray ");
  for (int i = 0; i < a->t.type.shape.ndim; i++)
    text_format(text, "%s%lld", i ? "x" : "", (long long)a->t.type.shape.dim[i]);
  text_format(text, " @%s>", device_text(tensor_device(&a->t)));
  take_text(L, text);
  return 1;
}

/* "..": the array on one line, for messages. */
static int array_concat(lua_State *L) {
  coroutine_enter(L);
  for (int i = 1; i <= 2; i++) {
    Array *a = to_array(L, i);
    if (!a || array_freed(a)) {
      luaL_tolstring(L, i, NULL);
      continue;
    }
    breaks_read(L, "..");
    Text *text = push_text(L);
    PrintOptions short_form = engine_now()->print;
    short_form.line_width = 1 << 20;
    print_tensor(text, &a->t, &short_form);
    for (size_t k = 0; k < text->length; k++)
      if (text->at[k] == '\n') text->at[k] = ' ';
    take_text(L, text);
  }
  lua_concat(L, 2);
  return 1;
}

/* ---- Fields -------------------------------------------------------------------------------------- */

/* Pushes the recorded result of an operator or, without one, a copy on the device. `what`, if not NULL, begins error
** texts. */
static int push_result(lua_State *L, const Op *op, Array *a, Device device, const char *what) {
  pace_collector(L);
  bool anchored = coroutine_engine(L)->mode.recording && push_anchor_of(L, &a, 1);
  Array *out = push_array(L);
  coroutine_enter_again(L);
  Engine *e = engine_now();
  if (e->mode.recording || e->mode.operator_log || e->hooks) e->mode.origin = origin_here(L);
  Status s;
  WITH_MEMORY(L, s, op ? eager_call(op, NULL, &a, 1, device, out) : eager_copy_to(a, device, out));
  check(L, what && s == E_INPUT ? fail_within(s, "%s", what) : s);
  if (anchored && out->node) set_anchor(L, -1, -2);
  return 1;
}

/* The type of the array at index 1; a lazy array is not materialized. */
static const Type *check_type(lua_State *L) {
  if (!array_lazy_value(L, 1)->of) check_array(L, 1);
  return array_type(L, 1);
}

/* Makes the result on top one of np's if the array at index 1 is. */
static void follow_kind(lua_State *L) {
  if (value_kind(L, 1) == KIND_NP) make_np(L, -1);
}

static void field_shape(lua_State *L) { push_shape(L, &check_type(L)->shape); }
static void field_dtype(lua_State *L) { lua_pushstring(L, dtype_name(check_type(L)->dtype)); }
static void field_ndim(lua_State *L) { lua_pushinteger(L, check_type(L)->shape.ndim); }
static void field_size(lua_State *L) { lua_pushinteger(L, shape_size(&check_type(L)->shape)); }
static void field_stype(lua_State *L) {
  check_type(L);
  lua_pushliteral(L, "default");
}
static void field_context(lua_State *L) {
  check_type(L);
  push_device(L, array_device(L, 1));
}
static void field_grad(lua_State *L) {
  Array *a = check_array(L, 1);
  if (a->node && a->node->leaf) push_tensor(L, &a->node->leaf->grad);
  else lua_pushnil(L);
  follow_kind(L);
}
static void field_transposed(lua_State *L) {
  Array *a = check_array(L, 1);
  push_result(L, op_with_role(ROLE_TRANSPOSE), a, coroutine_engine(L)->mode.device, NULL);
  follow_kind(L);
}

static const struct { const char *name; void (*push)(lua_State *L); } fields[] = {
  { "shape", field_shape }, { "dtype", field_dtype },     { "ndim", field_ndim },
  { "size", field_size },   { "grad", field_grad },       { "T", field_transposed },
  { "stype", field_stype }, { "context", field_context }, { "ctx", field_context },
};

/* Upvalue 1: the methods. A string names a method, else a field, else a slice. */
static int array_index(lua_State *L) {
  if (lua_type(L, 2) == LUA_TSTRING) {
    lua_pushvalue(L, 2);
    if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 1;
    lua_pop(L, 1);
    const char *key = lua_tostring(L, 2);
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
      if (strcmp(fields[i].name, key) != 0) continue;
      if (!is_array(L, 1)) check_array(L, 1);
      fields[i].push(L);
      return 1;
    }
  }
  check_array(L, 1);
  return index_read(L);
}

static int array_len(lua_State *L) {
  if (!is_array(L, 1)) check_array(L, 1);
  const Shape *shape = &check_type(L)->shape;
  if (shape->ndim == 0) return raise_error(L, "#: data: expected an array with an axis, got a 0-d array");
  return return_integer(L, shape->dim[0]);
}

/* Upvalue 1: the operators' names. */
static int no_comparison(lua_State *L) {
  bool values = !tracing(L) && !to_symbol(L, 1) && !to_symbol(L, 2);
  return raise_error(L,
                     "arrays and symbols are not compared with Lua's %s, which can only give true or false; write "
                     "a:lesser(b), a:lesser_equal(b), a:greater(b) or a:greater_equal(b)%s",
                     lua_tostring(L, lua_upvalueindex(1)),
                     values ? "; or compare numbers, as in a:asscalar() > 0" : "");
}

/* Sets the comparisons of the metatable on top to no_comparison. */
static void refuse_comparisons(lua_State *L) {
  lua_pushliteral(L, "< and >");
  lua_pushcclosure(L, no_comparison, 1);
  lua_setfield(L, -2, "__lt");
  lua_pushliteral(L, "<= and >=");
  lua_pushcclosure(L, no_comparison, 1);
  lua_setfield(L, -2, "__le");
}

/* for i, row in pairs(x): the rows with their indices, counted from 0 */
static int next_row(lua_State *L) {
  Array *a = check_array(L, 1);
  lua_Integer i = lua_isnil(L, 2) ? 0 : lua_tointeger(L, 2) + 1;
  if (a->t.type.shape.ndim == 0 || i >= a->t.type.shape.dim[0]) return 0;
  lua_settop(L, 1);
  lua_pushinteger(L, i);
  index_read(L);
  lua_pushinteger(L, i);
  lua_insert(L, -2);
  return 2;
}
static int array_pairs(lua_State *L) {
  check_array(L, 1);
  breaks_read(L, "pairs(x)");
  lua_pushcfunction(L, next_row);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

/* ---- Methods that are not operators ----------------------------------------------------------------- */

static int array_free(lua_State *L) {
  Array *a = to_array(L, 1);
  if (!a) return raise_error(L, "free: expected an NDArray, got %s", type_name(L, 1));
  breaks_read(L, "x:free()");
  array_release(a);
  drop_anchor(L, 1);
  return 0;
}

/* An array on the same memory that is not on the tape. */
static int array_detach(lua_State *L) {
  Array *a = check_array(L, 1);
  push_tensor(L, &a->t);
  follow_kind(L);
  return 1;
}

/* The array itself if it is in that context. */
static int array_in_context(lua_State *L) {
  Array *a = check_array(L, 1);
  Device device = required_device(L, 2, "as_in_context: ctx");
  if (device != tensor_device(&a->t)) {
    push_result(L, NULL, a, device, "as_in_context");
    follow_kind(L);
    return 1;
  }
  lua_settop(L, 1);
  return 1;
}

static int array_wait(lua_State *L) {
  check_array(L, 1);
  return 0;
}

static int array_copyto(lua_State *L) {
  Array *a = check_array(L, 1), *to = to_array(L, 2);
  if (!to) {
    const bool here = lua_isnoneornil(L, 2);
    if (!here && !is_device_value(L, 2) && !is_device_list(L, 2))
      return raise_error(L, "copyto: other: expected an NDArray or a context, such as hl.cpu(), got %s",
                         type_name(L, 2));
    push_result(L, NULL, a, here ? tensor_device(&a->t) : required_device(L, 2, "copyto: other"), "copyto");
    follow_kind(L);
    return 1;
  }
  check_array(L, 2);
  breaks_read(L, "x:copyto(y)");
  if (!shape_equal(&a->t.type.shape, &to->t.type.shape))
    return raise_error(L, "copyto: other: expected shape %s, got %s", shape_text(&a->t.type.shape),
                       shape_text(&to->t.type.shape));
  coroutine_enter(L);
  CHECK_WITH_MEMORY(L, lazy_before_write(&to->t));
  CHECK_WITH_MEMORY(L, tensor_convert(&a->t, &to->t));
  tensor_written(&to->t, origin_here(L));
  lua_settop(L, 2);
  return 1;
}

static int array_is(lua_State *L) { return return_boolean(L, is_array(L, 1)); }

/* dtype_code(name, operator) -> the dtype's number in MXNet's files */
static int dtype_code(lua_State *L) { return return_integer(L, check_dtype(L, 1, luaL_optstring(L, 2, "cast"))); }

/* Adds the methods that read values, each under all its names. */
static void add_reading(lua_State *L) {
  /* clang-format off */
  static const luaL_Reg reading[] = {
    { "totable", array_totable }, { "asnumpy", array_totable }, { "numpy", array_totable }, { "tolist", array_totable },
    { "asscalar", array_asscalar }, { "item", array_asscalar } };
  /* clang-format on */
  for (size_t i = 0; i < sizeof reading / sizeof *reading; i++) {
    lua_pushstring(L, reading[i].name);
    lua_pushcclosure(L, reading[i].func, 1);
    lua_setfield(L, -2, reading[i].name);
  }
}

/* write_count(array) -> number of writes to its memory */
static int write_count(lua_State *L) { return return_integer(L, tensor_version(&check_array(L, 1)->t)); }

void open_array(lua_State *L) {
  int table = lua_gettop(L);
  /* clang-format off */
  const luaL_Reg functions[] = {
    { "is", array_is }, { "new", array_new }, { "from_bytes", array_from_bytes }, { "default_dtype", default_dtype },
    { "dtype_code", dtype_code },
    { "write_count", write_count }, { "set_printoptions", set_printoptions },
    { "set_field_hint", index_key_set_unknown }, { "set_mask_reader", index_set_function }, { NULL, NULL } };
  /* clang-format on */
  luaL_setfuncs(L, functions, 0);
  lua_pushcfunction(L, array_new);
  lua_setfield(L, LUA_REGISTRYINDEX, "hybridlua.array_new");
  /* clang-format off */
  const luaL_Reg methods[] = {
    { "tobytes", array_bytes }, { "free", array_free }, { "detach", array_detach },
    { "as_in_context", array_in_context }, { "as_in_ctx", array_in_context }, { "wait_to_read", array_wait },
    { "copyto", array_copyto }, { "set", index_set }, { NULL, NULL } };
  const luaL_Reg meta[] = { { "__newindex", index_write }, { "__tostring", array_tostring }, { "__len", array_len },
                            { "__pairs", array_pairs }, { "__concat", array_concat }, { "__call", array_called },
                            { NULL, NULL } };
  /* clang-format on */
  push_array_metatable(L, KIND_ND);
  set_class(L, table, methods, add_reading, array_index, meta);
  refuse_comparisons(L);
  push_symbol_metatable(L, KIND_ND);
  refuse_comparisons(L);
  lua_settop(L, table);
}
