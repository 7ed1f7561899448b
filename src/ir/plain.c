/* plain.c - see plain.h. */
#include "ir/plain.h"

#include <string.h>

#include "ir/op.h"

static const char *last_part(const char *text) {
  const char *slash = strrchr(text, '/');
  return slash ? slash + 1 : text;
}

static bool has_half(const Query *q) {
  bool half = false;
  for (int i = 0; i < q->n_in; i++) half = half || query_in(q, i)->dtype == DT_FLOAT16;
  for (int i = 0; i < q->n_out; i++) half = half || query_out(q, i)->dtype == DT_FLOAT16;
  return half;
}

bool plain_call(const Query *q, PlainCall *c) {
  const Plain *p = q->op->plain;
  if (!p || !(p->types >> op_kernel_dtype(q->op, q) & 1) || op_effects(q) & DRAWS) return false;
  if (has_half(q) && !(p->types >> DT_FLOAT16 & 1)) return false;
  *c = (PlainCall){ .text = p->text, .function = p->function ? p->function : last_part(p->text) };
  p->arguments(q, c);
  return c->text != NULL;
}

void plain_wholes(PlainCall *c, const int64_t *x, int n) {
  for (int i = 0; i < n; i++) plain_whole(c, x[i]);
}

void plain_padded(PlainCall *c, const int64_t *x, int n, int all, int64_t filling) {
  for (int i = n; i < all; i++) plain_whole(c, filling);
  plain_wholes(c, x, n);
}

void plain_axis(PlainCall *c, const Shape *s, int64_t axis) {
  const int at = (int)(axis < 0 ? axis + s->ndim : axis);
  plain_whole(c, shape_size_range(s, 0, at));
  plain_whole(c, s->ndim ? s->dim[at] : 1);
  plain_whole(c, shape_size_range(s, at + 1, s->ndim));
}

void plain_lines_of(PlainCall *c, const Shape *s, int64_t axis) {
  const int64_t size = shape_size(s);
  const Shape line = shape_of(1, &size);
  plain_axis(c, axis == NONE ? &line : s, axis == NONE ? 0 : axis);
}
