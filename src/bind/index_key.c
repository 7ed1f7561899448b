/* index_key.c - see index_key.h. */
#include "bind/index_key.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/region.h"

const Axis WHOLE_AXIS = { .begin = NONE, .end = NONE, .step = NONE };

/* ---- Texts ------------------------------------------------------------------------------------- */

static void skip_spaces(const char **at) { while (isspace((unsigned char)**at)) (*at)++; }

static bool read_bound(const char **at, int64_t *out) {
  char *end;
  skip_spaces(at);
  long long v = strtoll(*at, &end, 10);
  bool found = end != *at;
  *out = found ? v : NONE;
  *at = end;
  skip_spaces(at);
  return found;
}

static bool read_word(const char **at, const char *word) {
  skip_spaces(at);
  if (**at != *word) return false;
  size_t n = strlen(word);
  if (strncmp(*at, word, n) != 0 || isalnum((unsigned char)(*at)[n]) || (*at)[n] == '_') return false;
  *at += n;
  skip_spaces(at);
  return true;
}

static bool read_axis(const char **at, Axis *a) {
  *a = WHOLE_AXIS;
  if (read_word(at, "None")) { a->kind = AXIS_NEW; return true; }
  if (read_word(at, "...")) { a->kind = AXIS_REST; return true; }
  bool number = read_bound(at, &a->begin);
  if (**at != ':') { a->kind = AXIS_SINGLE; return number; }
  ++*at;
  read_bound(at, &a->end);
  if (**at == ':') { ++*at; read_bound(at, &a->step); }
  return true;
}

/* "1:3, ::2, -1", "..., 0", "None, :": one part an axis. */
static bool key_from_text(const char *text, Key *key) {
  for (key->n = 0; key->n < MOST_PARTS; ) {
    if (!read_axis(&text, &key->axis[key->n++])) return false;
    if (*text == '\0') return true;
    if (*text++ != ',') return false;
  }
  return false;
}

/* ---- Values ------------------------------------------------------------------------------------- */

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
  Axis a = WHOLE_AXIS;
  int64_t *bound[] = { &a.begin, &a.end, &a.step };
  for (int i = 0; i < 3; i++) {
    lua_rawgeti(L, table, i + 1);
    *bound[i] = bound_from(L, -1);
    lua_pop(L, 1);
  }
  return a;
}

static Axis axis_from_value(lua_State *L, int index) {
  if (lua_type(L, index) == LUA_TNUMBER) return (Axis){ .kind = AXIS_SINGLE, .begin = integer_from(L, index), .end = NONE, .step = NONE };
  index = lua_absindex(L, index);
  if (lua_istable(L, index)) return axis_from_table(L, index);
  if (is_null(L, index)) return (Axis){ .kind = AXIS_NEW };
  const char *text = lua_type(L, index) == LUA_TSTRING ? lua_tostring(L, index) : NULL;
  Axis a;
  if (text && read_axis(&text, &a) && *text == '\0') return a;
  integer_from(L, index);                  /* raises */
  return WHOLE_AXIS;
}

static const char unknown_key;

int key_set_unknown(lua_State *L) {
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &unknown_key);
  return 0;
}

/* x:summ(): a name that is nothing. */
static void unknown_name(lua_State *L, const char *name) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &unknown_key);
  lua_pushstring(L, name);
  lua_call(L, 1, 1);
  raise_error(L, "index: '%s' is no field, no method and no slice such as \"1:3, ::2\"%s", name, luaL_optstring(L, -1, ""));
}

void key_read(lua_State *L, int index, Key *key) {
  key->n = key->n_new = 0;
  switch (lua_type(L, index)) {
    case LUA_TNUMBER:
      key->axis[key->n++] = axis_from_value(L, index);
      return;
    case LUA_TSTRING:
      if (!key_from_text(lua_tostring(L, index), key)) unknown_name(L, lua_tostring(L, index));
      return;
    case LUA_TTABLE: {
      int n = (int)lua_rawlen(L, index);
      if (n > MOST_PARTS) raise_error(L, "index: expected at most %d axes, got %d", MAX_DIMS, n);
      for (; key->n < n; key->n++) {
        lua_rawgeti(L, index, key->n + 1);
        key->axis[key->n] = axis_from_value(L, -1);
        lua_pop(L, 1);
      }
      return;
    }
    default:
      if (is_null(L, index)) { key->axis[key->n++].kind = AXIS_NEW; return; }
      raise_error(L, "index: expected an integer, a slice, a table of these or an NDArray, got %s", type_name(L, index));
  }
}

/* ---- Against a shape ------------------------------------------------------------------------------ */

void key_out_of_range(lua_State *L, int64_t index, int axis, const Shape *s) {
  if (s->dim[axis] == 0)
    raise_error(L, "index: %lld is out of range for axis %d of shape %s, which is empty", (long long)index, axis, shape_text(s));
  raise_error(L, "index: %lld is out of range for axis %d of shape %s: expected %lld to %lld", (long long)index, axis,
              shape_text(s), (long long)-s->dim[axis], (long long)s->dim[axis] - 1);
}

static void check_axis(lua_State *L, const Axis *a, int i, const Shape *s) {
  if (a->step == 0 && a->kind == AXIS_SLICE) raise_error(L, "index: expected a step other than 0 for axis %d", i);
  if (a->kind == AXIS_SINGLE && s->ndim >= 0 && s->dim[i] >= 0 && (a->begin < -s->dim[i] || a->begin >= s->dim[i]))
    key_out_of_range(L, a->begin, i, s);
}

/* Puts axes in the place of "...", takes new ones out; `real` are neither. */
static void expand(lua_State *L, Key *key, const Shape *shape, int real) {
  Key whole = *key;
  int kept = 0;
  key->n = 0;
  for (int i = 0; i < whole.n; i++) {
    const Axis *a = &whole.axis[i];
    if (a->kind == AXIS_NEW) { key->new_at[key->n_new] = kept + key->n_new; key->n_new++; continue; }
    if (a->kind != AXIS_REST) { kept += a->kind == AXIS_SLICE; key->axis[key->n++] = *a; continue; }
    bool last = i == whole.n - 1;
    if (shape->ndim < 0 && !last)
      raise_error(L, "index: \"...\" before other axes needs the number of axes, which is not known before the Symbol is bound; "
                  "give sym.var a shape");
    for (int k = real; !last && k < shape->ndim; k++, kept++) key->axis[key->n++] = WHOLE_AXIS;
  }
}

void key_settle(lua_State *L, Key *key, const Shape *shape) {
  int real = 0, rest = 0;
  for (int i = 0; i < key->n; i++) {
    real += key->axis[i].kind == AXIS_SLICE || key->axis[i].kind == AXIS_SINGLE;
    if (key->axis[i].kind == AXIS_REST && rest++) raise_error(L, "index: expected one \"...\" at most");
  }
  if (shape->ndim >= 0 ? real > shape->ndim : real > MAX_DIMS)
    raise_error(L, "index: expected at most %d ax%s for shape %s, got %d", shape->ndim < 0 ? MAX_DIMS : shape->ndim,
                shape->ndim == 1 ? "is" : "es", shape_text(shape), real);
  if (real < key->n) expand(L, key, shape, real);
  for (int i = 0; i < key->n; i++) check_axis(L, &key->axis[i], i, shape);
}
