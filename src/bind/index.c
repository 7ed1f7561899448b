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

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "bind/anchor.h"
#include "bind/context.h"
#include "bind/trace.h"
#include "exec/carried.h"
#include "exec/eager.h"
#include "ir/build.h"
#include "tensor/convert.h"
#include "tensor/region.h"

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

static int64_t integer_from(lua_State *L, int index) {
  int exact;
  if (lua_type(L, index) != LUA_TNUMBER) raise_error(L, "index: expected an integer or a slice, got %s", type_name(L, index));
  lua_Integer v = lua_tointegerx(L, index, &exact);
  if (!exact) raise_error(L, "index: expected an integer, got %.14g", lua_tonumber(L, index));
  return v;
}

static int64_t bound_from(lua_State *L, int index) {
  return lua_isnil(L, index) || is_null(L, index) ? NONE : integer_from(L, index);
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
  return (Axis){ .single = true, .begin = integer_from(L, index), .end = NONE, .step = NONE };
}

/* x:summ(): a name that is nothing; names the nearest method, which is an operator. */
static void unknown_name(lua_State *L, const char *name) {
  const Op *near = op_nearest(name);
  if (near) raise_error(L, "index: '%s' is no field, no method and no slice such as \"1:3, ::2\"; did you mean '%s'?", name, near->name);
  raise_error(L, "index: '%s' is no field, no method and no slice such as \"1:3, ::2\"", name);
}

static void read_key(lua_State *L, int index, Key *key) {
  key->n = 0;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key->n = 1;
      key->axis[0] = axis_from_value(L, index);
      return;
    case LUA_TSTRING:
      if (!key_from_text(lua_tostring(L, index), key))
        unknown_name(L, lua_tostring(L, index));
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
  Region region;                /* with an axis of 1 for each single index */
  bool dropped[MAX_DIMS];
} Part;

static void out_of_range(lua_State *L, int64_t index, int axis, const Shape *s) {
  if (s->dim[axis] == 0)
    raise_error(L, "index: %lld is out of range for axis %d of shape %s, which is empty", (long long)index, axis, shape_text(s));
  raise_error(L, "index: %lld is out of range for axis %d of shape %s: expected %lld to %lld", (long long)index, axis,
              shape_text(s),
              (long long)-s->dim[axis], (long long)s->dim[axis] - 1);
}

static void check_key(lua_State *L, const Key *key, const Shape *s) {
  if (key->n > s->ndim)
    raise_error(L, "index: expected at most %d ax%s for shape %s, got %d", s->ndim, s->ndim == 1 ? "is" : "es", shape_text(s),
                key->n);
  for (int i = 0; i < key->n; i++) {
    const Axis *a = &key->axis[i];
    if (a->step == 0) raise_error(L, "index: expected a step other than 0 for axis %d", i);
    if (a->single && s->dim[i] >= 0 && (a->begin < -s->dim[i] || a->begin >= s->dim[i])) out_of_range(L, a->begin, i, s);
  }
}

static Part resolve(const Key *key, const Shape *s) {
  Part p = { .region = region_of(s) };
  for (int i = 0; i < key->n; i++) {
    const Axis *a = &key->axis[i];
    int64_t first, step, count;
    p.dropped[i] = a->single;
    if (a->single) {
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
  if (s.ndim == 0 && whole->ndim > 0) { s.ndim = 1; s.dim[0] = 1; }
  return s;
}

/* ---- Reading ------------------------------------------------------------------------------------------ */

static void read_array(lua_State *L, Array *a, const Key *key) {
  pace_collector(L);
  Part p = resolve(key, &a->t.type.shape);
  Type type = { .dtype = a->t.type.dtype, .shape = without_dropped(&p) };
  size_t size = dtype_size(type.dtype);
  Array *out = push_array(L);
  if (region_contiguous(&p.region)) {
    out->t = tensor_view(&a->t, &type, shape_size(&type.shape) > 0 ? (size_t)p.region.offset * size : 0);
    return;
  }
  Status s;
  WITH_MEMORY(L, s, tensor_new(&type, &out->t));
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
  TRY(trace_admit(L, op, in, n_in));
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
  WITH_MEMORY(L, s, eager_call(op, p, in, n_in, out));
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

/* From the first axis on, so that each step is a view exactly where read_array gives one for the whole. */
static void through_operators(lua_State *L, const Key *key) {
  struct { List axis; } squeeze = { { .count = 0 } };
  for (int i = 0; i < key->n; i++) {
    int first = i;
    while (i < key->n && !key->axis[i].single) i++;
    through_slice(L, key, first, i);
    if (i == key->n) break;
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
  if (mask && (symbol || tracing(L) || to_symbol(L, 1)))
    return raise_error(L, "index: a mask cannot be used on Symbols: the shape of the result depends on values; use F.where");
  struct { int64_t axis, mode; } rows = { 0, TAKE_RAISE };
  lua_pushvalue(L, 1);
  through(L, mask ? ROLE_MASK : ROLE_TAKE, mask ? NULL : &rows, 2);
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
    if (!tracing(L) && !(a->node && mode_now.recording)) { read_array(L, a, &key); return 1; }
  } else {
    const Shape *shape = &entry_type(s->entry[0])->shape;
    if (s->n != 1)
      return raise_error(L, "index: expected a Symbol with one output, got one with %d; choose one with s:output(i)", s->n);
    if (shape->ndim >= 0) check_key(L, &key, shape);
  }
  lua_pushvalue(L, 1);
  through_operators(L, &key);
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
  WITH_MEMORY(L, s, tensor_new(&type, &copy->t));
  check(L, s);
  convert_parallel(value->type.dtype, value->data, type.dtype, copy->t.data, shape_size(&shape));
  return &copy->t;
}

static void write_part(lua_State *L, Array *a, const Part *p, const Tensor *value) {
  Shape target = without_dropped(p);
  Region spread, source = { .shape = p->region.shape };
  value = spread_value(L, a, value, &target, &spread);
  for (int i = 0, k = 0; i < source.shape.ndim; i++) if (!p->dropped[i]) source.stride[i] = spread.stride[k++];
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
    if (at < -s->dim[0] || at >= s->dim[0]) out_of_range(L, at, 0, s);
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
      WITH_MEMORY(L, s, tensor_copy(&by->t, &copy->t));
      check(L, s);
      by = copy;
    }
    if (by->t.type.dtype == DT_BOOL) write_mask(L, a, &by->t, value);
    else write_rows(L, a, &by->t, value);
  } else {
    Key key = { 0 };
    if (key_index) read_key(L, key_index, &key);
    check_key(L, &key, &a->t.type.shape);
    Part p = resolve(&key, &a->t.type.shape);
    write_part(L, a, &p, value);
  }
  tensor_written(&a->t, origin_here(L));
}

int index_write(lua_State *L) {
  lua_settop(L, 3);
  if (tracing(L)) return trace_refuse(L, "x[...] = ...", "F.where, or build a new array");
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
