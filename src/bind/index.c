/* index.c - brackets. A key is read into one Axis a dimension; then
**   - an array off the tape is sliced at once: a view where the part is contiguous,
**     else a copy;
**   - a symbol, and an array on the tape, goes through the operators slice, slice_axis
**     and squeeze, which have gradients.
** Counting is from 0, negative from the end; a single index must be in range, a slice
** is cut to the range. An index down to one element gives shape (1,), as in MXNet.
** Arrays as keys choose rows: those that a mask (dtype bool) marks, or those named.
*/
#include "bind/index.h"

#include <string.h>

#include "bind/anchor.h"
#include "bind/context.h"
#include "bind/index_key.h"
#include "bind/trace.h"
#include "exec/carried.h"
#include "exec/eager.h"
#include "ir/build.h"
#include "tensor/convert.h"
#include "tensor/region.h"

/* ---- What a key selects of a shape ---------------------------------------------------------------- */

/* Functions of indexing.lua, see index_set_functions. */
static const char insert_key, read_key, write_key;

typedef struct Part {
  Region region;                /* with an axis of 1 for each single index */
  bool dropped[MAX_DIMS];
} Part;

static Part resolve(const Key *key, const Shape *s) {
  Part p = { .region = region_of(s) };
  for (int i = 0; i < key->n; i++) {
    const Axis *a = &key->axis[i];
    int64_t first, step, count;
    p.dropped[i] = a->kind == AXIS_SINGLE;
    if (p.dropped[i]) {
      region_slice(&p.region, i, a->begin < 0 ? a->begin + s->dim[i] : a->begin, 1, 1);
    } else {
      count = slice_range(a->begin, a->end, a->step, s->dim[i], &first, &step);
      region_slice(&p.region, i, first, step, count);
    }
  }
  return p;
}

static Shape without_dropped(const Part *p) {
  const Shape *whole = &p->region.shape;
  Shape s = { 0 };
  for (int i = 0; i < whole->ndim; i++) if (!p->dropped[i]) s.dim[s.ndim++] = whole->dim[i];
  return s;
}

/* Of x[key]: with the new axes; of one element (1,). */
static Shape result_shape(lua_State *L, const Key *key, const Part *p) {
  Shape s = without_dropped(p);
  if (s.ndim + key->n_new > MAX_DIMS) raise_error(L, "index: expected at most %d axes in all, got %d", MAX_DIMS, s.ndim + key->n_new);
  if (s.ndim + key->n_new == 0 && p->region.shape.ndim > 0) return shape_of(1, (int64_t[]){ 1 });
  for (int i = 0; i < key->n_new; i++) {
    int at = key->new_at[i];
    memmove(s.dim + at + 1, s.dim + at, (size_t)(s.ndim++ - at) * sizeof *s.dim);
    s.dim[at] = 1;
  }
  return s;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static void read_array(lua_State *L, Array *a, const Key *key) {
  pace_collector(L);
  Part p = resolve(key, &a->t.type.shape);
  Type type = { .dtype = a->t.type.dtype, .shape = result_shape(L, key, &p) };
  size_t size = dtype_size(type.dtype);
  Array *out = push_array(L);
  if (region_contiguous(&p.region)) {
    out->t = tensor_view(&a->t, &type, shape_size(&type.shape) > 0 ? (size_t)p.region.offset * size : 0);
    return;
  }
  Status s;
  WITH_MEMORY(L, s, tensor_new(&type, tensor_device(&a->t), &out->t));
  check(L, s);
  Region to = region_of(&p.region.shape);
  region_copy(size, a->t.data, &p.region, out->t.data, &to);
}

/* The parameters from `fields`, NULL for the defaults. Between this and their release nothing may raise. */
static Status make_params(const Op *op, const void *fields, Params **out) {
  *out = NULL;
  return fields ? params_from(op, fields, out) : OK;
}

static Status build_on_top(lua_State *L, const Op *op, const void *fields, int n_in, int other) {
  Entry in[2];
  Params *p;
  for (int i = 0; i < n_in; i++) {
    Symbol *operand = to_symbol(L, i ? other : -1);
    if (operand) in[i] = operand->entry[0];
    else TRY(trace_capture(L, i ? other : -1, &in[i]));
  }
  TRY(trace_admit(L, op, fields, in, n_in));
  Symbol *made = push_symbol(L, &NO_ENTRY, 1);
  Builder b = trace_builder(L);
  TRY(make_params(op, fields, &p));
  made->entry[0] = build(&b, op, p, in, n_in);
  node_retain(made->entry[0].node);
  builder_free(&b);
  params_release(p);
  if (b.status == OK) trace_made(L, made->entry[0]);
  return b.status;
}

static Status run_on_top(lua_State *L, const Op *op, const void *fields, int n_in, int other) {
  Array *in[2] = { to_array(L, -1), other ? to_array(L, other) : NULL };
  bool anchored = mode_of(L)->recording && push_anchor_of(L, in, n_in);
  Array *out = push_array(L);
  Params *p;
  for (int i = 0; i < n_in; i++) if (!in[i]->t.data)
    return fail("index: %s was freed", i == 0 ? "this NDArray" : "the NDArray of indices");
  if (mode_of(L)->recording) mode_now.origin = origin_here(L);
  TRY(make_params(op, fields, &p));
  Status s;
  WITH_MEMORY(L, s, eager_call(op, p, in, n_in, mode_now.device, out));
  params_release(p);
  if (s == OK && anchored && out->node) set_anchor(L, -1, -2);
  if (anchored) lua_remove(L, -2);
  return s;
}

/* Runs one operator on the value on top of the stack (and `other`), which its result
** replaces. `fields` is the operator's parameter struct, NULL for the defaults. */
static void through(lua_State *L, Role role, const void *fields, int other) {
  const Op *op = op_with_role(role);
  pace_collector(L);
  bool building = tracing(L) || to_symbol(L, -1) || (other && to_symbol(L, other));
  check(L, building ? build_on_top(L, op, fields, other ? 2 : 1, other) : run_on_top(L, op, fields, other ? 2 : 1, other));
  lua_remove(L, -2);
}

/* The slices of the axes [first, last), none of which is single, as one operator. */
static void through_slice(lua_State *L, const Key *key, int first, int last) {
  struct { List begin, end, step; } fields = { { .count = last }, { .count = last }, { .count = last } };
  bool any = false;
  for (int i = 0; i < last; i++) {
    const Axis *a = &key->axis[i];
    bool whole = i < first || (a->begin == NONE && a->end == NONE && a->step == NONE);
    any = any || !whole;
    fields.begin.u.i[i] = whole ? NONE : a->begin;
    fields.end.u.i[i] = whole ? NONE : a->end;
    fields.step.u.i[i] = whole ? NONE : a->step;
  }
  if (any) through(L, ROLE_SLICE, &fields, 0);
}

/* The value on top gets the new axes. One element has an axis of 1 already. */
static void insert_axes(lua_State *L, const Key *key, bool has_one) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &insert_key);
  lua_insert(L, -2);
  lua_createtable(L, key->n_new, 0);
  for (int i = has_one; i < key->n_new; i++) {
    lua_pushinteger(L, key->new_at[i]);
    lua_rawseti(L, -2, i + !has_one);
  }
  lua_call(L, 2, 1);
}

/* From the first axis on, so that each step is a view exactly where read_array gives one for the whole. */
static void through_operators(lua_State *L, const Key *key, int ndim) {
  struct { List axis; } squeeze = { { .count = 0 } };
  for (int i = 0; i < key->n; i++) {
    int first = i;
    while (i < key->n && key->axis[i].kind == AXIS_SLICE) i++;
    through_slice(L, key, first, i);
    if (i == key->n) break;
    int64_t begin = key->axis[i].begin;
    struct { int64_t axis, begin, end; } fields = { i, begin, begin == -1 ? NONE : begin + 1 };
    through(L, ROLE_SLICE_AXIS, &fields, 0);
    squeeze.axis.u.i[squeeze.axis.count++] = i;
  }
  if (squeeze.axis.count > 0) through(L, ROLE_SQUEEZE, &squeeze, 0);
  if (key->n_new > 0) insert_axes(L, key, squeeze.axis.count > 0 && squeeze.axis.count == ndim);
}

/* x[x:greater(3)]: comparisons give floats, which as indices would mean rows 0 and 1. */
static void check_no_float_mask(lua_State *L, const Tensor *key, const Shape *s) {
  if (!dtype_is_float(key->type.dtype) || !key->data || s->ndim == 0 || !shape_equal(&key->type.shape, s)) return;
  int64_t n = tensor_size(key);
  for (int64_t i = 0; i < n; i++) {
    double v = tensor_get(key, i);
    if (v != 0 && v != 1) return;
  }
  if (n == 0) return;
  raise_error(L, "index: a %s array of the indexed array's own shape that holds only 0 and 1 may be meant as a mask or as indices: "
              "cast it, to bool for a mask (mask:astype \"bool\"), to int32 for indices", dtype_name(key->type.dtype));
}

/* x[indices], x[mask]: rows chosen by an array. */
static int read_by_array(lua_State *L) {
  Array *key = to_array(L, 2);
  Symbol *symbol = to_symbol(L, 2);
  bool mask = key ? key->t.type.dtype == DT_BOOL : symbol->entry[0].node->type[symbol->entry[0].index].dtype == DT_BOOL;
  if (mask && (symbol || tracing(L) || to_symbol(L, 1)))
    return raise_error(L, "index: a mask cannot be used on Symbols: the shape of the result depends on values; use F.where");
  if (key && to_array(L, 1)) check_no_float_mask(L, &key->t, &to_array(L, 1)->t.type.shape);
  struct { int64_t axis, mode; } rows = { 0, TAKE_RAISE };
  lua_pushvalue(L, 1);
  through(L, mask ? ROLE_MASK : ROLE_TAKE, mask ? NULL : &rows, 2);
  return 1;
}

/* x[{rows, columns}], x[{{}, indices}]: arrays among the axes. */
static bool has_arrays(lua_State *L, int index) {
  lua_Integer n = lua_istable(L, index) ? (lua_Integer)lua_rawlen(L, index) : 0;
  bool found = false;
  for (lua_Integer i = 1; i <= n && !found; i++, lua_pop(L, 1)) {
    lua_rawgeti(L, index, i);
    found = to_array(L, -1) || to_symbol(L, -1);
  }
  return found;
}

/* Hands all arguments to a function of indexing.lua. */
static int call_with_arrays(lua_State *L, const void *function, int results) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, function);
  lua_insert(L, 1);
  lua_call(L, lua_gettop(L) - 1, results);
  return results;
}

int index_read(lua_State *L) {
  Key key;
  Array *a = to_array(L, 1);
  Symbol *s = to_symbol(L, 1);
  int ndim = a ? a->t.type.shape.ndim : -1;
  lua_settop(L, 2);
  if (to_array(L, 2) || to_symbol(L, 2)) return read_by_array(L);
  if (has_arrays(L, 2)) return call_with_arrays(L, &read_key, 1);
  key_read(L, 2, &key);
  if (a) {
    key_settle(L, &key, &a->t.type.shape);
    if (!tracing(L) && !(a->node && mode_now.recording)) { read_array(L, a, &key); return 1; }
  } else {
    const Shape *shape = &entry_type(s->entry[0])->shape;
    if (s->n != 1)
      return raise_error(L, "index: expected a Symbol with one output, got one with %d; choose one with s:output(i)", s->n);
    key_settle(L, &key, shape);
    ndim = shape->ndim;
  }
  lua_pushvalue(L, 1);
  through_operators(L, &key, ndim);
  return 1;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

/* A number that is written, as a 0-d tensor. */
typedef struct Number { Tensor t; union { double real; int64_t whole; bool truth; } u; } Number;

static const Tensor *number_tensor(lua_State *L, int index, Number *n) {
  n->t = (Tensor){ .data = &n->u, .type = { .dtype = DT_FLOAT64 } };
  if (lua_type(L, index) == LUA_TBOOLEAN) {
    n->t.type.dtype = DT_BOOL;
    n->u.truth = lua_toboolean(L, index);
  } else if (lua_isinteger(L, index)) {
    n->t.type.dtype = DT_INT64;
    n->u.whole = lua_tointeger(L, index);
  } else {
    n->u.real = lua_tonumber(L, index);
  }
  return &n->t;
}

/* The value to write into `a`: an array, a number, a nested table (made by nd.array). */
static const Tensor *value_tensor(lua_State *L, const Array *a, int index, Number *number) {
  if (to_array(L, index)) return &check_array(L, index)->t;
  if (lua_type(L, index) == LUA_TNUMBER || lua_type(L, index) == LUA_TBOOLEAN) return number_tensor(L, index, number);
  if (!lua_istable(L, index))
    raise_error(L, "assignment: expected a number, an NDArray or a table of numbers, got %s", type_name(L, index));
  lua_getfield(L, LUA_REGISTRYINDEX, "hybridlua.array_new");
  lua_pushvalue(L, index);
  lua_pushstring(L, dtype_name(a->t.type.dtype));
  lua_call(L, 2, 1);
  lua_replace(L, index);
  return &to_array(L, index)->t;
}

/* The value in a's dtype, spread out over `target`: *spread says how to walk the tensor
** returned. A value of another dtype, or on a's own memory, is copied first (and left on
** the stack), so that overlapping is no danger. */
static const Tensor *spread_value(lua_State *L, const Array *a, const Tensor *value, const Shape *target, Region *spread) {
  Shape shape = value->type.shape, sum;
  while (shape.ndim > target->ndim && shape.dim[0] == 1)      /* (1, 3) into (3,) */
    memmove(shape.dim, shape.dim + 1, (size_t)(--shape.ndim) * sizeof *shape.dim);
  if (!shape_broadcast(&shape, target, &sum) || !shape_equal(&sum, target))
    raise_error(L, "assignment: expected a value of shape %s or one that broadcasts to it, got %s", shape_text(target),
                shape_text(&value->type.shape));
  *spread = region_broadcast(&shape, target);
  if (value->type.dtype == a->t.type.dtype && value->storage != a->t.storage) return value;
  Type type = { .dtype = a->t.type.dtype, .shape = shape };
  Array *copy = push_array(L);
  Status s;
  WITH_MEMORY(L, s, tensor_new(&type, tensor_device(&a->t), &copy->t));
  check(L, s);
  convert_parallel(value->type.dtype, value->data, type.dtype, copy->t.data, shape_size(&shape));
  return &copy->t;
}

static void write_part(lua_State *L, Array *a, const Key *key, const Part *p, const Tensor *value) {
  Shape target = result_shape(L, key, p);
  Region spread, source = { .shape = p->region.shape };
  value = spread_value(L, a, value, &target, &spread);
  for (int i = 0, k = 0, n = 0; i < source.shape.ndim; i++) {
    if (p->dropped[i]) continue;
    while (n < key->n_new && key->new_at[n] == k) n++, k++;
    source.stride[i] = spread.stride[k++];
  }
  region_copy(dtype_size(a->t.type.dtype), value->data, &source, a->t.data, &p->region);
}

/* Rows [from, from + n) of the value into a's rows [to, to + n). Rows are a's axes from `first`
** on; the value's axes before them count its rows, in one axis if n is not 1. */
static void write_run(Array *a, int first, int64_t to, int64_t n, const Tensor *value, const Region *spread, int64_t from) {
  const Shape *s = &a->t.type.shape;
  int rest = s->ndim - first, lead = spread->shape.ndim - rest;
  Region source = { .shape = { .ndim = rest + 1, .dim = { n } }, .stride = { n == 1 ? 0 : spread->stride[0] } };
  memcpy(source.shape.dim + 1, s->dim + first, (size_t)rest * sizeof *s->dim);
  memcpy(source.stride + 1, spread->stride + lead, (size_t)rest * sizeof *s->dim);
  for (int i = lead - 1; i >= 0; i--) {
    source.offset += from % spread->shape.dim[i] * spread->stride[i];
    from /= spread->shape.dim[i];
  }
  Region target = region_of(&source.shape);
  target.offset = to * shape_size_range(s, first, s->ndim);
  region_copy(dtype_size(a->t.type.dtype), value->data, &source, a->t.data, &target);
}

/* The shape of rows chosen: `chosen`, then a's axes from `first` on. */
static Shape rows_shape(lua_State *L, const Array *a, int first, const Shape *chosen) {
  Shape s = *chosen;
  if (s.ndim + a->t.type.shape.ndim - first > MAX_DIMS)
    raise_error(L, "index: expected at most %d dimensions in all, got more", MAX_DIMS);
  for (int i = first; i < a->t.type.shape.ndim; i++) s.dim[s.ndim++] = a->t.type.shape.dim[i];
  return s;
}

static void write_mask(lua_State *L, Array *a, const Tensor *mask, const Tensor *value) {
  const Shape *s = &a->t.type.shape, *m = &mask->type.shape;
  const bool *truth = mask->data;
  if (m->ndim < 1 || m->ndim > s->ndim || memcmp(m->dim, s->dim, (size_t)m->ndim * sizeof *m->dim) != 0)
    raise_error(L, "assignment: expected a mask of shape %s or its first axes, got %s", shape_text(s), shape_text(m));
  int64_t rows = shape_size(m), chosen = 0;
  for (int64_t i = 0; i < rows; i++) chosen += truth[i];
  Shape target = rows_shape(L, a, m->ndim, &(Shape){ .ndim = 1, .dim = { chosen } });
  Region spread;
  value = spread_value(L, a, value, &target, &spread);
  for (int64_t i = 0, from = 0, n; i < rows; i += n + 1) {
    for (n = 0; i + n < rows && truth[i + n]; n++) {}
    if (n > 0) write_run(a, m->ndim, i, n, value, &spread, from);
    from += n;
  }
}

static void write_rows(lua_State *L, Array *a, const Tensor *indices, const Tensor *value) {
  const Shape *s = &a->t.type.shape;
  int64_t count = tensor_size(indices);
  if (s->ndim == 0) raise_error(L, "assignment: expected an array with an axis, got a 0-d array");
  for (int64_t i = 0; i < count; i++) {              /* nothing is written unless all are in range */
    int64_t at = tensor_get_int(indices, i);
    if (at < -s->dim[0] || at >= s->dim[0]) key_out_of_range(L, at, 0, s);
  }
  Shape target = rows_shape(L, a, 1, &indices->type.shape);
  Region spread;
  value = spread_value(L, a, value, &target, &spread);
  for (int64_t i = 0; i < count; i++) {
    int64_t at = tensor_get_int(indices, i);
    write_run(a, 1, at < 0 ? at + s->dim[0] : at, 1, value, &spread, i);
  }
}

static void write(lua_State *L, Array *a, int key_index, int value_index) {
  Number number;
  if (mode_of(L)->recording && array_taped(a))
    raise_error(L, "assignment: an array that is part of a recorded computation cannot be written in place; "
                "do it outside autograd.record, or make a new array");
  Array *from = to_array(L, value_index), *by = key_index ? to_array(L, key_index) : NULL;
  if (mode_now.recording && from && array_taped(from))
    raise_error(L, "assignment: a value that is part of a recorded computation would lose its gradient here; "
                "build the array with F.concat, F.stack or F.where, or write value:detach()");
  const Tensor *value = value_tensor(L, a, value_index, &number);
  if (by) {
    check_array(L, key_index);
    if (by->t.storage == a->t.storage) {        /* x[x] = v: the key must not change while it is read */
      Array *copy = push_array(L);
      Status s;
      WITH_MEMORY(L, s, tensor_copy(&by->t, tensor_device(&by->t), &copy->t));
      check(L, s);
      by = copy;
    }
    check_no_float_mask(L, &by->t, &a->t.type.shape);
    if (by->t.type.dtype == DT_BOOL) write_mask(L, a, &by->t, value);
    else write_rows(L, a, &by->t, value);
  } else {
    Key key = { 0 };
    if (key_index) key_read(L, key_index, &key);
    key_settle(L, &key, &a->t.type.shape);
    Part p = resolve(&key, &a->t.type.shape);
    write_part(L, a, &key, &p, value);
  }
  tensor_written(&a->t, origin_here(L));
}

int index_write(lua_State *L) {
  lua_settop(L, 3);
  if (tracing(L)) return trace_refuse(L, "x[...] = ...", "F.where, or build a new array");
  if (has_arrays(L, 2)) return call_with_arrays(L, &write_key, 0);
  write(L, check_array(L, 1), 2, 3);
  return 0;
}

int index_set(lua_State *L) {
  lua_settop(L, 2);
  if (tracing(L) || to_symbol(L, 1)) return trace_refuse(L, "x:set(...)", "the value itself");
  write(L, check_array(L, 1), 0, 2);
  lua_settop(L, 1);
  return 1;
}

/* set_indexing(insert, read, write): the parts of indexing that are written in Lua: insert(x, {places}) gives x
** more axes of 1; read(x, key) and write(x, key, value) are for keys with arrays among the axes. */
int index_set_functions(lua_State *L) {
  const void *keys[] = { &insert_key, &read_key, &write_key };
  lua_settop(L, 3);
  for (int i = 2; i >= 0; i--) lua_rawsetp(L, LUA_REGISTRYINDEX, keys[i]);
  return 0;
}
