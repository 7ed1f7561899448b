/* shape.c - see shape.h. */
#include "tensor/shape.h"

#include <stdio.h>
#include <string.h>

#include "base/assert.h"

Shape shape_of(int ndim, const int64_t *dims) {
  HL_ASSERT(ndim >= 0 && ndim <= MAX_DIMS);
  Shape s = { .ndim = ndim };
  for (int i = 0; i < ndim; i++) s.dim[i] = dims[i];
  return s;
}

bool shape_known(const Shape *s) {
  if (s->ndim < 0) return false;
  for (int i = 0; i < s->ndim; i++)
    if (s->dim[i] < 0) return false;
  return true;
}

bool shape_equal(const Shape *a, const Shape *b) {
  if (a->ndim != b->ndim) return false;
  for (int i = 0; i < a->ndim; i++)
    if (a->dim[i] != b->dim[i]) return false;
  return true;
}

bool type_known(const Type *t) { return t->dtype != DT_UNKNOWN && shape_known(&t->shape); }
bool type_equal(const Type *a, const Type *b) { return a->dtype == b->dtype && shape_equal(&a->shape, &b->shape); }

int64_t shape_size_range(const Shape *s, int first, int last) {
  int64_t n = 1;
  for (int i = first; i < last; i++) n *= s->dim[i];
  return n;
}

Status shape_check(const Shape *s, const char *who) {
  int64_t n = 1;
  bool empty = false, huge = false;
  for (int i = 0; i < s->ndim; i++) {
    if (s->dim[i] < 0) return fail("%s: shape: expected dimensions of 0 or more, got %s", who, shape_numbers(s));
    if (s->dim[i] == 0) empty = true;
    else if (__builtin_mul_overflow(n, s->dim[i], &n) || n > MAX_ELEMENTS) {
      huge = true;
      n = 1;
    }
  }
  if (huge)
    return fail("%s: shape: expected at most 2^48 elements%s, got %s", who,
                empty ? " along the dimensions that are not 0" : "", shape_text(s));
  return OK;
}

bool shape_merge(Shape *into, const Shape *other) {
  if (other->ndim < 0) return true;
  if (into->ndim < 0) {
    *into = *other;
    return true;
  }
  if (into->ndim != other->ndim) return false;
  for (int i = 0; i < into->ndim; i++) {
    if (other->dim[i] < 0) continue;
    if (into->dim[i] < 0) into->dim[i] = other->dim[i];
    else if (into->dim[i] != other->dim[i]) return false;
  }
  return true;
}

bool dtype_merge(DType *into, DType other) {
  if (other == DT_UNKNOWN || *into == other) return true;
  if (*into != DT_UNKNOWN) return false;
  *into = other;
  return true;
}

static bool dim_broadcast(int64_t a, int64_t b, int64_t *out) {
  if (a == b) *out = a;
  else if (a == 1) *out = b;
  else if (b == 1) *out = a;
  else if (a < 0) *out = b;       /* the known side is not 1, so it decides */
  else if (b < 0) *out = a;
  else return false;
  return true;
}

bool shape_broadcast(const Shape *a, const Shape *b, Shape *out) {
  if (a->ndim < 0 || b->ndim < 0) {
    *out = SHAPE_UNKNOWN;
    return true;
  }
  Shape s = { .ndim = a->ndim > b->ndim ? a->ndim : b->ndim };
  for (int i = 1; i <= s.ndim; i++) {
    int64_t da = i <= a->ndim ? a->dim[a->ndim - i] : 1, db = i <= b->ndim ? b->dim[b->ndim - i] : 1;
    if (!dim_broadcast(da, db, &s.dim[s.ndim - i])) return false;
  }
  *out = s;
  return true;
}

Status axis_normal(const char *who, const char *param, int64_t axis, int ndim, int *out) {
  if (axis < -ndim || axis >= ndim) {
    if (ndim == 0) return fail("%s: %s: expected no axis for a 0-d array, got %lld", who, param, (long long)axis);
    return fail("%s: %s: expected an axis from %d to %d for an array with %d dimension%s, got %lld", who, param, -ndim,
                ndim - 1, ndim, ndim == 1 ? "" : "s", (long long)axis);
  }
  *out = (int)(axis < 0 ? axis + ndim : axis);
  return OK;
}

enum { RING = 8, RING_TEXT = 224 };

static char *ring_next(void) {
  static _Thread_local char ring[RING][RING_TEXT];
  static _Thread_local int at;
  return ring[at++ % RING];
}

/* Writes "?" for negative dimensions, or all as numbers. */
static void write_shape(char *to, size_t capacity, const Shape *s, bool numbers) {
  size_t n = 0;
  if (s->ndim < 0) {
    snprintf(to, capacity, "?");
    return;
  }
  n += (size_t)snprintf(to, capacity, "(");
  for (int i = 0; i < s->ndim; i++) {
    const char *comma = i == 0 ? "" : ", ";
    if (s->dim[i] < 0 && !numbers) n += (size_t)snprintf(to + n, capacity - n, "%s?", comma);
    else n += (size_t)snprintf(to + n, capacity - n, "%s%lld", comma, (long long)s->dim[i]);
  }
  snprintf(to + n, capacity - n, s->ndim == 1 ? ",)" : ")");
}

const char *shape_text(const Shape *s) {
  char *to = ring_next();
  write_shape(to, RING_TEXT, s, false);
  return to;
}

const char *shape_numbers(const Shape *s) {
  char *to = ring_next();
  write_shape(to, RING_TEXT, s, true);
  return to;
}

const char *type_text(const Type *t) {
  char *to = ring_next();
  int n = snprintf(to, RING_TEXT, "%s ", dtype_name(t->dtype));
  write_shape(to + n, RING_TEXT - (size_t)n, &t->shape, false);
  return to;
}
