/* index.c - brackets. A key is read into one Axis a dimension; then
**   - an array off the tape is sliced at once: a view where the part is contiguous,
**     else a copy;
**   - a symbol, and an array on the tape, goes through the operators slice, slice_axis
**     and squeeze, which have gradients.
** Counting is from 0, negative from the end; a single index must be in range, a slice
** is cut to the range. An index down to one element gives shape (1,), as in MXNet.
*/
#include "bind/index.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bind/trace.h"
#include "exec/eager.h"
#include "ir/build.h"
#include "tensor/convert.h"

typedef struct Axis {
  bool single;                  /* an index: the axis goes away */
  int64_t begin, end, step;     /* as given; NONE where left out */
} Axis;

typedef struct Key {
  int n;
  Axis axis[MAX_DIMS];
} Key;

static const Axis WHOLE = { .begin = NONE, .end = NONE, .step = NONE };

/* ---- Reading keys ------------------------------------------------------------------------------ */

static bool read_bound(const char **at, int64_t *out) {
  char *end;
  while (isspace((unsigned char)**at)) (*at)++;
  long long v = strtoll(*at, &end, 10);
  bool found = end != *at;
  *out = found ? v : NONE;
  *at = end;
  while (isspace((unsigned char)**at)) (*at)++;
  return found;
}

/* "1:3, ::2, -1": one part an axis. */
static bool key_from_text(const char *text, Key *key) {
  const char *at = text;
  key->n = 0;
  while (key->n < MAX_DIMS) {
    Axis a = WHOLE;
    bool number = read_bound(&at, &a.begin);
    a.single = *at != ':';
    if (a.single && !number) return false;
    if (*at == ':') { at++; read_bound(&at, &a.end); }
    if (*at == ':' && !a.single) { at++; read_bound(&at, &a.step); }
    key->axis[key->n++] = a;
    if (*at == '\0') return true;
    if (*at++ != ',') return false;
  }
  return false;
}

static int64_t bound_from(lua_State *L, int index) {
  if (lua_isnil(L, index) || is_null(L, index)) return NONE;
  int exact;
  lua_Integer v = lua_tointegerx(L, index, &exact);
  if (!exact || lua_type(L, index) != LUA_TNUMBER) raise_error(L, "index: expected an integer, got %s", type_name(L, index));
  return v;
}

/* {} all, {b, e}, {b, e, step}; with one number from there on. */
static Axis axis_from_table(lua_State *L, int table) {
  Axis a = WHOLE;
  int64_t *bound[] = { &a.begin, &a.end, &a.step };
  for (int i = 0; i < 3; i++) {
    lua_rawgeti(L, table, i + 1);
    *bound[i] = bound_from(L, -1);
    lua_pop(L, 1);
  }
  return a;
}

static Axis axis_from_value(lua_State *L, int index) {
  index = lua_absindex(L, index);
  if (lua_istable(L, index)) return axis_from_table(L, index);
  Key key;
  if (lua_type(L, index) == LUA_TSTRING && key_from_text(lua_tostring(L, index), &key) && key.n == 1) return key.axis[0];
  return (Axis){ .single = true, .begin = bound_from(L, index), .end = NONE, .step = NONE };
}

static void read_key(lua_State *L, int index, Key *key) {
  key->n = 0;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key->n = 1;
      key->axis[0] = (Axis){ .single = true, .begin = bound_from(L, index), .end = NONE, .step = NONE };
      return;
    case LUA_TSTRING:
      if (!key_from_text(lua_tostring(L, index), key))
        raise_error(L, "index: '%s' is no field, no method and no slice such as \"1:3, ::2\"", lua_tostring(L, index));
      return;
    case LUA_TTABLE: {
      int n = (int)lua_rawlen(L, index);
      if (n > MAX_DIMS) raise_error(L, "index: expected at most %d axes, got %d", MAX_DIMS, n);
      for (int i = 0; i < n; i++) {
        lua_rawgeti(L, index, i + 1);
        key->axis[i] = axis_from_value(L, -1);
        lua_pop(L, 1);
      }
      key->n = n;
      return;
    }
    default:
      raise_error(L, "index: expected an integer, a slice, a table of these or an NDArray, got %s", type_name(L, index));
  }
}

/* ---- What a key selects of a shape ---------------------------------------------------------------- */

typedef struct Part {
  Shape shape;                  /* with an axis of 1 for each single index */
  int64_t stride[MAX_DIMS];     /* in elements */
  int64_t offset;
  bool dropped[MAX_DIMS];
} Part;

static int64_t clamp(int64_t x, int64_t low, int64_t high) { return x < low ? low : x > high ? high : x; }

/* The elements begin, begin + step, ... of an axis of `dim`, cut to it as NumPy does. */
static void resolve_slice(const Axis *a, int64_t dim, int64_t *begin, int64_t *step, int64_t *count) {
  *step = a->step == NONE ? 1 : a->step;
  int64_t b = a->begin, e = a->end;
  if (*step > 0) {
    b = b == NONE ? 0 : clamp(b < 0 ? b + dim : b, 0, dim);
    e = e == NONE ? dim : clamp(e < 0 ? e + dim : e, 0, dim);
    *count = e > b ? (e - b + *step - 1) / *step : 0;
  } else {
    b = b == NONE ? dim - 1 : clamp(b < 0 ? b + dim : b, -1, dim - 1);
    e = e == NONE ? -1 : clamp(e < 0 ? e + dim : e, -1, dim - 1);
    *count = b > e ? (b - e - *step - 1) / -*step : 0;
  }
  *begin = b;
}

static void check_key(lua_State *L, const Key *key, const Shape *s) {
  if (key->n > s->ndim) raise_error(L, "index: expected at most %d ax%s for shape %s, got %d", s->ndim, s->ndim == 1 ? "is" : "es", shape_text(s), key->n);
  for (int i = 0; i < key->n; i++) {
    const Axis *a = &key->axis[i];
    if (a->step == 0) raise_error(L, "index: expected a step other than 0 for axis %d", i);
    if (a->single && s->dim[i] >= 0 && (a->begin < -s->dim[i] || a->begin >= s->dim[i]))
      raise_error(L, "index: %lld is out of range for axis %d of shape %s: expected %lld to %lld", (long long)a->begin, i, shape_text(s),
                  (long long)-s->dim[i], (long long)s->dim[i] - 1);
  }
}

static void resolve(const Key *key, const Shape *s, Part *p) {
  int64_t strides[MAX_DIMS];
  strides_of(s, strides);
  p->shape = *s;
  p->offset = 0;
  for (int i = 0; i < s->ndim; i++) {
    int64_t begin = 0, step = 1, count = s->dim[i];
    p->dropped[i] = i < key->n && key->axis[i].single;
    if (p->dropped[i]) {
      begin = key->axis[i].begin < 0 ? key->axis[i].begin + s->dim[i] : key->axis[i].begin;
      count = 1;
    } else if (i < key->n) {
      resolve_slice(&key->axis[i], s->dim[i], &begin, &step, &count);
    }
    p->shape.dim[i] = count;
    p->stride[i] = strides[i] * step;
    if (count > 0) p->offset += begin * strides[i];
  }
}

static Shape without_dropped(const Part *p) {
  Shape s = { 0 };
  for (int i = 0; i < p->shape.ndim; i++) if (!p->dropped[i]) s.dim[s.ndim++] = p->shape.dim[i];
  if (s.ndim == 0 && p->shape.ndim > 0) { s.ndim = 1; s.dim[0] = 1; }
  return s;
}

/* One piece of memory, in order? */
static bool contiguous(const Part *p) {
  int64_t step = 1;
  for (int i = p->shape.ndim - 1; i >= 0; i--) {
    if (p->shape.dim[i] != 1 && p->stride[i] != step) return false;
    step *= p->shape.dim[i];
  }
  return true;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static void read_array(lua_State *L, Array *a, const Key *key) {
  pace_collector(L);
  Part p;
  resolve(key, &a->t.type.shape, &p);
  Type type = { .dtype = a->t.type.dtype, .shape = without_dropped(&p) };
  size_t size = dtype_size(type.dtype);
  Array *out = push_array(L);
  if (contiguous(&p)) {
    out->t = tensor_view(&a->t, &type, (size_t)p.offset * size);
    return;
  }
  Status s;
  WITH_MEMORY(L, s, tensor_new(&type, &out->t));
  check(L, s);
  int64_t to[MAX_DIMS];
  strides_of(&p.shape, to);
  strided_copy(size, &p.shape, (const char *)a->t.data + p.offset * (int64_t)size, p.stride, out->t.data, to);
}

static Status build_on_top(lua_State *L, const Op *op, Params *p, int n_in, int other) {
  Entry in[2];
  Builder b = { .origin = origin_here(L), .scope = scope_now, .train = mode_now.train };
  for (int i = 0; i < n_in; i++) {
    Symbol *operand = to_symbol(L, i ? other : -1);
    if (operand) in[i] = operand->entry[0];
    else trace_capture(L, i ? other : -1, &in[i]);
  }
  Entry e = build(&b, op, p, in, n_in);
  Status s = b.status;
  if (s == OK) push_entry(L, e);
  builder_free(&b);
  return s;
}

static Status run_on_top(lua_State *L, const Op *op, Params *p, int n_in, int other) {
  Array *in[2] = { to_array(L, -1), other ? to_array(L, other) : NULL }, *out = push_array(L);
  if (mode_now.recording) mode_now.origin = origin_here(L);
  Status s;
  WITH_MEMORY(L, s, eager_call(op, p, in, n_in, out));
  return s;
}

/* Runs one operator on the value on top of the stack (and `other`), which its result
** replaces. `fields` is the operator's parameter struct, NULL for the defaults. */
static void through(lua_State *L, Role role, const void *fields, int other) {
  const Op *op = op_with_role(role);
  Params *p = NULL;
  pace_collector(L);
  if (fields) check(L, params_from(op, fields, &p));
  bool building = tracing() || to_symbol(L, -1) || (other && to_symbol(L, other));
  Status s = building ? build_on_top(L, op, p, other ? 2 : 1, other) : run_on_top(L, op, p, other ? 2 : 1, other);
  params_release(p);
  check(L, s);
  lua_remove(L, -2);
}

static void through_slice(lua_State *L, const Key *key) {
  struct { List begin, end, step; } fields = { { .count = key->n }, { .count = key->n }, { .count = key->n } };
  bool any = false;
  for (int i = 0; i < key->n; i++) {
    const Axis *a = &key->axis[i];
    bool whole = a->single || (a->begin == NONE && a->end == NONE && a->step == NONE);
    any = any || !whole;
    fields.begin.u.i[i] = whole ? NONE : a->begin;
    fields.end.u.i[i] = whole ? NONE : a->end;
    fields.step.u.i[i] = whole ? NONE : a->step;
  }
  if (any) through(L, ROLE_SLICE, &fields, 0);
}

static void through_operators(lua_State *L, const Key *key) {
  struct { List axis; } squeeze = { { .count = 0 } };
  through_slice(L, key);
  for (int i = 0; i < key->n; i++) {
    if (!key->axis[i].single) continue;
    int64_t begin = key->axis[i].begin;
    struct { int64_t axis, begin, end; } fields = { i, begin, begin == -1 ? NONE : begin + 1 };
    through(L, ROLE_SLICE_AXIS, &fields, 0);
    squeeze.axis.u.i[squeeze.axis.count++] = i;
  }
  if (squeeze.axis.count > 0) through(L, ROLE_SQUEEZE, &squeeze, 0);
}

/* x[indices], x[mask]: rows chosen by an array. */
static int read_by_array(lua_State *L) {
  Array *key = to_array(L, 2);
  Symbol *symbol = to_symbol(L, 2);
  bool mask = key ? key->t.type.dtype == DT_BOOL : symbol->entry[0].node->type[symbol->entry[0].index].dtype == DT_BOOL;
  if (mask && (symbol || tracing() || to_symbol(L, 1)))
    return raise_error(L, "index: a mask cannot be used on Symbols: the shape of the result depends on values; use F.where");
  lua_pushvalue(L, 1);
  through(L, mask ? ROLE_MASK : ROLE_TAKE, NULL, 2);
  return 1;
}

int index_read(lua_State *L) {
  Key key;
  Array *a = to_array(L, 1);
  Symbol *s = to_symbol(L, 1);
  lua_settop(L, 2);
  if (to_array(L, 2) || to_symbol(L, 2)) return read_by_array(L);
  read_key(L, 2, &key);
  if (a) {
    check_key(L, &key, &a->t.type.shape);
    if (!tracing() && !(a->node && mode_now.recording)) { read_array(L, a, &key); return 1; }
  } else {
    const Shape *shape = &entry_type(s->entry[0])->shape;
    if (s->n != 1) return raise_error(L, "index: expected a Symbol with one output, got one with %d; choose one with s:output(i)", s->n);
    if (shape->ndim >= 0) check_key(L, &key, shape);
  }
  lua_pushvalue(L, 1);
  through_operators(L, &key);
  return 1;
}

/* ---- Writing ------------------------------------------------------------------------------------------- */

/* The value to write, as a tensor: an array, a number, a nested table (made by nd.array). */
static Tensor *value_tensor(lua_State *L, int index, Tensor *scalar, double *number) {
  Array *a = to_array(L, index);
  if (a) return &check_array(L, index)->t;
  if (lua_type(L, index) == LUA_TNUMBER || lua_type(L, index) == LUA_TBOOLEAN) {
    *number = lua_type(L, index) == LUA_TNUMBER ? lua_tonumber(L, index) : lua_toboolean(L, index);
    *scalar = (Tensor){ .data = number, .type = { .dtype = DT_FLOAT64, .shape = { .ndim = 0 } } };
    return scalar;
  }
  if (lua_istable(L, index)) {
    lua_getfield(L, LUA_REGISTRYINDEX, "hybridlua.array_new");
    lua_pushvalue(L, index);
    lua_call(L, 1, 1);
    lua_replace(L, index);
    return &to_array(L, index)->t;
  }
  raise_error(L, "assignment: expected a number, an NDArray or a table of numbers, got %s", type_name(L, index));
}

/* value, broadcast to the part, into the part. Goes through a copy of the value in the
** right dtype, so overlapping memory is no danger. */
static void write_part(lua_State *L, Array *a, const Part *p, const Tensor *value) {
  Shape target = without_dropped(p), sum;
  const Shape *from = &value->type.shape;
  Shape stripped = *from;
  while (stripped.ndim > target.ndim && stripped.dim[0] == 1) {      /* (1, 3) into (3,) */
    memmove(stripped.dim, stripped.dim + 1, (size_t)(--stripped.ndim) * sizeof *stripped.dim);
  }
  if (!shape_broadcast(&stripped, &target, &sum) || !shape_equal(&sum, &target))
    raise_error(L, "assignment: expected a value of shape %s or one that broadcasts to it, got %s", shape_text(&target), shape_text(from));
  Type type = { .dtype = a->t.type.dtype, .shape = stripped };
  Array *copy = push_array(L);
  check(L, tensor_new(&type, &copy->t));
  convert(value->type.dtype, value->data, type.dtype, copy->t.data, shape_size(&stripped));
  int64_t source[MAX_DIMS] = { 0 }, own[MAX_DIMS];
  strides_of(&stripped, own);
  for (int i = p->shape.ndim - 1, k = stripped.ndim - 1; i >= 0 && k >= 0; i--) {
    if (p->dropped[i] && !(target.ndim == 1 && target.dim[0] == 1)) continue;
    source[i] = stripped.dim[k] == 1 ? 0 : own[k];
    k--;
  }
  size_t size = dtype_size(type.dtype);
  strided_copy(size, &p->shape, copy->t.data, source, (char *)a->t.data + p->offset * (int64_t)size, p->stride);
}

static void write_mask(lua_State *L, Array *a, const Tensor *mask, const Tensor *value) {
  const Shape *s = &a->t.type.shape, *m = &mask->type.shape;
  if (m->ndim > s->ndim || memcmp(m->dim, s->dim, (size_t)m->ndim * sizeof *m->dim) != 0)
    raise_error(L, "assignment: expected a mask of shape %s or its first axes, got %s", shape_text(s), shape_text(m));
  int64_t rows = shape_size(m), row = shape_size_range(s, m->ndim, s->ndim), n = tensor_size(value), from = 0, chosen = 0;
  for (int64_t i = 0; i < rows; i++) chosen += ((const bool *)mask->data)[i];
  if (n != 1 && n != row && n != chosen * row)
    raise_error(L, "assignment: expected 1, %lld or %lld values for this mask, got %lld", (long long)row, (long long)(chosen * row), (long long)n);
  for (int64_t i = 0; i < rows; i++) {
    if (!((const bool *)mask->data)[i]) continue;
    for (int64_t k = 0; k < row; k++) tensor_set(&a->t, i * row + k, tensor_get(value, n == 1 ? 0 : n == row ? k : from + k));
    from += row;
  }
}

static void write_rows(lua_State *L, Array *a, const Tensor *indices, const Tensor *value) {
  const Shape *s = &a->t.type.shape;
  int64_t count = tensor_size(indices), row = shape_size_range(s, 1, s->ndim), n = tensor_size(value);
  if (s->ndim == 0) raise_error(L, "assignment: expected an array with an axis, got a 0-d array");
  if (n != 1 && n != row && n != count * row)
    raise_error(L, "assignment: expected 1, %lld or %lld values, got %lld", (long long)row, (long long)(count * row), (long long)n);
  for (int64_t i = 0; i < count; i++) {
    int64_t at = tensor_get_int(indices, i);
    if (at < 0) at += s->dim[0];
    if (at < 0 || at >= s->dim[0])
      raise_error(L, "index: %lld is out of range for axis 0 of shape %s", (long long)tensor_get_int(indices, i), shape_text(s));
    for (int64_t k = 0; k < row; k++) tensor_set(&a->t, at * row + k, tensor_get(value, n == 1 ? 0 : n == row ? k : i * row + k));
  }
}

static void write(lua_State *L, Array *a, int key_index, int value_index) {
  Tensor scalar;
  double number;
  if (mode_now.recording && a->node)
    raise_error(L, "assignment: an array that is part of a recorded computation cannot be written in place; "
                "do it outside autograd.record, or make a new array");
  Tensor *value = value_tensor(L, value_index, &scalar, &number);
  Array *by = key_index ? to_array(L, key_index) : NULL;
  if (by) {
    check_array(L, key_index);
    if (by->t.type.dtype == DT_BOOL) write_mask(L, a, &by->t, value);
    else write_rows(L, a, &by->t, value);
  } else {
    Key key = { 0 };
    Part p;
    if (key_index) read_key(L, key_index, &key);
    check_key(L, &key, &a->t.type.shape);
    resolve(&key, &a->t.type.shape, &p);
    write_part(L, a, &p, value);
  }
  tensor_written(&a->t, origin_here(L));
}

int index_write(lua_State *L) {
  lua_settop(L, 3);
  if (tracing()) return trace_refuse(L, "x[...] = ...", "F.where, or build a new array");
  write(L, check_array(L, 1), 2, 3);
  return 0;
}

int index_set(lua_State *L) {
  lua_settop(L, 2);
  if (tracing() || to_symbol(L, 1)) return trace_refuse(L, "x:set(...)", "the value itself");
  write(L, check_array(L, 1), 0, 2);
  lua_settop(L, 1);
  return 1;
}
