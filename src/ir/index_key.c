/* index_key.c - see index_key.h. */
#include "ir/index_key.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tensor/cast_copy.h"

const KeyPart KEY_WHOLE = { .begin = NONE, .end = NONE, .step = NONE };

/* ---- Text ---------------------------------------------------------------------------------------- */

static void skip_spaces(const char **at) {
  while (isspace((unsigned char)**at)) (*at)++;
}

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

static const char *const words[] = { [KEY_NEW] = "None", [KEY_REST] = "...", [KEY_ARRAY] = "@" };

bool key_part_read(const char **at, KeyPart *out) {
  *out = KEY_WHOLE;
  for (KeyKind kind = KEY_NEW; kind <= KEY_ARRAY; kind++) {
    if (!read_word(at, words[kind])) continue;
    out->kind = kind;
    return true;
  }
  bool number = read_bound(at, &out->begin);
  if (**at != ':') {
    out->kind = KEY_SINGLE;
    return number;
  }
  ++*at;
  read_bound(at, &out->end);
  if (**at == ':') {
    ++*at;
    read_bound(at, &out->step);
  }
  return true;
}

/* Begins the text of a key for which one element is a 0-d array. */
#define ZERO_DIMS "() "

bool key_read(const char *text, Key *out) {
  out->zero_dims = strncmp(text, ZERO_DIMS, strlen(ZERO_DIMS)) == 0;
  const char *at = text + (out->zero_dims ? strlen(ZERO_DIMS) : 0);
  for (out->n = 0; out->n < MOST_KEY_PARTS;) {
    if (!key_part_read(&at, &out->part[out->n++])) return false;
    if (*at == '\0') return true;
    if (*at++ != ',') return false;
  }
  return false;
}

static void print_bound(int64_t bound, Text *out) {
  if (bound != NONE) text_format(out, "%lld", (long long)bound);
}

static void print_part(const KeyPart *p, Text *out) {
  if (p->kind > KEY_SINGLE) {
    text_put(out, words[p->kind]);
    return;
  }
  print_bound(p->begin, out);
  if (p->kind == KEY_SINGLE) return;
  text_put(out, ":");
  print_bound(p->end, out);
  if (p->step != NONE) text_put(out, ":");
  print_bound(p->step, out);
}

void key_print(const Key *key, Text *out) {
  if (key->zero_dims) text_put(out, ZERO_DIMS);
  if (key->n == 0) text_put(out, "...");
  for (int i = 0; i < key->n; i++) {
    if (i > 0) text_put(out, ", ");
    print_part(&key->part[i], out);
  }
}

bool key_equal(const Key *a, const Key *b) {
  bool equal = a->n == b->n && a->zero_dims == b->zero_dims;
  for (int i = 0; i < a->n && equal; i++) {
    const KeyPart *p = &a->part[i], *q = &b->part[i];
    equal = p->kind == q->kind && p->begin == q->begin && p->end == q->end && p->step == q->step;
  }
  return equal;
}

size_t key_bytes(const Key *key) { return offsetof(Key, part) + (size_t)key->n * sizeof *key->part; }

/* ---- Against a shape ------------------------------------------------------------------------------ */

Status key_out_of_range(int64_t place, int axis, const Shape *x) {
  if (x->dim[axis] == 0)
    return fail("index: %lld is out of range for axis %d of shape %s, which is empty", (long long)place, axis,
                shape_text(x));
  return fail("index: %lld is out of range for axis %d of shape %s: expected %lld to %lld", (long long)place, axis,
              shape_text(x), (long long)-x->dim[axis], (long long)x->dim[axis] - 1);
}

/* Number of parts of each kind. */
typedef struct Count { int of[KEY_ARRAY + 1], axes; } Count;

static Count count_parts(const Key *key) {
  Count c = { 0 };
  for (int i = 0; i < key->n; i++) c.of[key->part[i].kind]++;
  c.axes = c.of[KEY_SLICE] + c.of[KEY_SINGLE] + c.of[KEY_ARRAY];
  return c;
}

/* Checks the conditions that depend only on the number of axes. */
static Status check_counts(const Count *c, const Shape *x, const Shape *arrays) {
  int most = x->ndim < 0 ? MAX_DIMS : x->ndim;
  if (c->of[KEY_REST] > 1) return fail("index: expected at most one \"...\"");
  if (c->axes > most)
    return fail("index: expected at most %d ax%s for shape %s, got %d", most, x->ndim == 1 ? "is" : "es", shape_text(x),
                c->axes);
  int all = (x->ndim < 0 ? c->axes : x->ndim) - c->of[KEY_SINGLE] - c->of[KEY_ARRAY] + c->of[KEY_NEW];
  if (c->of[KEY_ARRAY] > 0 && arrays->ndim > 0) all += arrays->ndim;
  if (all > MAX_DIMS) return fail("index: expected at most %d axes in all, got %d", MAX_DIMS, all);
  return OK;
}

/* The state of applying a key to the axes of x. */
typedef struct KeyWalk {
  const Shape *x;
  int64_t stride[MAX_DIMS];     /* of x */
  int axis;                     /* the next axis of x */
  bool chose, apart;            /* met an index array or single position; then met another part */
  Selection *out;
} KeyWalk;

static void add_axis(KeyWalk *w, int64_t dim, int64_t stride) {
  Region *r = &w->out->region;
  r->shape.dim[r->shape.ndim] = dim;
  r->stride[r->shape.ndim++] = stride;
  w->apart = w->chose;
}

static Status add_slice(KeyWalk *w, const KeyPart *p) {
  int64_t dim = w->x->dim[w->axis], stride = w->stride[w->axis], first, step, count;
  bool whole = p->begin == NONE && p->end == NONE && p->step == NONE;
  if (p->step == 0) return fail("index: expected a step other than 0 for axis %d", w->axis);
  w->axis++;
  if (dim < 0 || whole) {
    add_axis(w, whole ? dim : UNKNOWN, stride);
    return OK;
  }
  count = slice_range(p->begin, p->end, p->step, dim, &first, &step);
  if (count > 0) w->out->region.offset += first * stride;
  add_axis(w, count, count > 1 ? stride * step : stride);
  return OK;
}

/* Notes an index array or a single position. */
static void choose(KeyWalk *w) {
  if (!w->chose) w->out->first = w->out->region.shape.ndim;
  if (w->apart) w->out->first = 0;
  w->chose = true;
}

static Status add_single(KeyWalk *w, const KeyPart *p) {
  int64_t dim = w->x->dim[w->axis], at = p->begin;
  if (dim >= 0 && (at < -dim || at >= dim)) return key_out_of_range(at, w->axis, w->x);
  choose(w);
  w->out->region.offset += (at < 0 ? at + dim : at) * w->stride[w->axis++];
  return OK;
}

static Status add_part(KeyWalk *w, const KeyPart *p, int rest) {
  switch (p->kind) {
    case KEY_SLICE: return add_slice(w, p);
    case KEY_SINGLE: return add_single(w, p);
    case KEY_NEW: add_axis(w, 1, 0); return OK;
    case KEY_ARRAY:
      choose(w);
      w->out->axis[w->out->n_arrays++] = w->axis++;
      return OK;
    case KEY_REST: break;
  }
  for (int i = 0; i < rest; i++) TRY(add_slice(w, &KEY_WHOLE));
  return OK;
}

/* Inserts the axes of the index arrays, with strides of 0. */
static void insert_chosen(Selection *s, const Shape *arrays) {
  Region *r = &s->region;
  int after = r->shape.ndim - s->first;
  s->chosen = arrays->ndim;
  memmove(r->shape.dim + s->first + s->chosen, r->shape.dim + s->first, (size_t)after * sizeof *r->shape.dim);
  memmove(r->stride + s->first + s->chosen, r->stride + s->first, (size_t)after * sizeof *r->stride);
  memcpy(r->shape.dim + s->first, arrays->dim, (size_t)s->chosen * sizeof *r->shape.dim);
  memset(r->stride + s->first, 0, (size_t)s->chosen * sizeof *r->stride);
  r->shape.ndim += s->chosen;
}

/* Steps of 0 are an error for every shape. */
static Status check_steps(const Key *key) {
  for (int i = 0, axis = 0; i < key->n; i++) {
    const KeyPart *p = &key->part[i];
    if (p->kind == KEY_SLICE && p->step == 0) return fail("index: expected a step other than 0 for axis %d", axis);
    axis += p->kind == KEY_SLICE || p->kind == KEY_SINGLE || p->kind == KEY_ARRAY;
  }
  return OK;
}

Status key_select(const Key *key, const Shape *x, const Shape *arrays, Selection *out) {
  Count c = count_parts(key);
  KeyWalk w;
  w.x = x;
  w.axis = 0;
  w.chose = w.apart = false;
  w.out = out;
  out->region.shape.ndim = out->first = out->chosen = out->n_arrays = 0;
  out->region.offset = 0;
  TRY(check_counts(&c, x, arrays));
  if (x->ndim < 0) {
    out->region.shape.ndim = UNKNOWN;
    return check_steps(key);
  }
  strides_of(x, w.stride);
  int rest = x->ndim - c.axes;
  for (int i = 0; i < key->n; i++) TRY(add_part(&w, &key->part[i], rest));
  for (int i = 0; i < rest && c.of[KEY_REST] == 0; i++) TRY(add_slice(&w, &KEY_WHOLE));
  Shape *shape = &out->region.shape;
  if (out->n_arrays > 0 && arrays->ndim < 0) {
    *shape = (Shape){ .ndim = UNKNOWN };
    return OK;
  }
  if (out->n_arrays > 0) insert_chosen(out, arrays);
  else if (shape->ndim == 0 && x->ndim > 0 && !key->zero_dims) add_axis(&w, 1, 0);     /* one element, as in MXNet */
  return OK;
}
