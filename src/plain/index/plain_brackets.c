/* plain_brackets.c - the rows of x[key], which brackets.h defines, and their numbers. Inference has accepted keys and
** shapes, so functions that resolve them do not fail here.
*/
#include "ops/index/index_assign.h"
#include "plain/plain_registry.h"

enum { MOST_INDEX_ARRAYS = 3 };      /* of a text */

/* The selection from x, whose index arrays begin at input `first`; false if no text has these arrays. */
static bool add_selection(const Query *q, const Shape *x, int first, Selection *s, PlainCall *c) {
  const int n = q->n_in - first;
  const Shape *shape[MAX_DIMS];
  Shape all;
  if (n > MOST_INDEX_ARRAYS) return false;
  for (int i = 0; i < n; i++) {
    shape[i] = query_in_shape(q, first + i);
    if (query_in(q, first + i)->dtype == DT_FLOAT16) return false;
  }
  if (arrays_shape(shape, n, &all) != OK || key_select(key_of(q->params), x, &all, s) != OK) return false;
  plain_whole(c, s->region.offset);
  plain_padded(c, s->region.shape.dim, s->region.shape.ndim, MAX_DIMS, 1);
  plain_padded(c, s->region.stride, s->region.shape.ndim, MAX_DIMS, 0);
  for (int i = 0; i < MOST_INDEX_ARRAYS; i++) {
    const int axis = i < n ? s->axis[i] : 0;
    plain_whole(c, i < n ? x->dim[axis] : 0);
    plain_whole(c, i < n ? shape_size_range(x, axis + 1, x->ndim) : 0);
  }
  for (int i = 0; i < MOST_INDEX_ARRAYS; i++) {
    int64_t steps[MAX_DIMS] = { 0 };
    if (i < n) {
      const Region spread = region_broadcast(shape[i], &all);
      for (int k = 0; k < s->chosen; k++) steps[s->first + k] = spread.stride[k];
    }
    plain_padded(c, steps, s->region.shape.ndim, MAX_DIMS, 0);
  }
  return true;
}

static void read_numbers(const Query *q, PlainCall *c) {
  Selection s;
  if (!add_selection(q, query_in_shape(q, 0), 1, &s, c)) c->text = NULL;
}

static void mark_numbers(const Query *q, PlainCall *c) {
  const Shape *x = query_in_shape(q, 0), *mask = query_in_shape(q, 2);
  Shape value = without_leading(query_in_shape(q, 1), 1 + x->ndim - mask->ndim), each = { .ndim = 1, .dim = { 1 } };
  for (int i = mask->ndim; i < x->ndim; i++) each.dim[each.ndim++] = x->dim[i];
  int64_t next = 0;
  if (value.ndim == each.ndim) {
    next = value.dim[0] == 1 ? 0 : shape_size_range(&value, 1, value.ndim);
    value.dim[0] = 1;
  }
  const Region spread = region_broadcast(&value, &each);
  c->function = "assign_marked";
  plain_whole(c, shape_size(mask));
  plain_whole(c, next);
  plain_padded(c, each.dim, each.ndim, MAX_DIMS, 1);
  plain_padded(c, spread.stride, each.ndim, MAX_DIMS, 0);
}

static void assign_numbers(const Query *q, PlainCall *c) {
  const Shape *x = query_in_shape(q, 0);
  PlainCall selection = { 0 };
  Selection s;
  if (q->n_in == 3 && is_mask(key_of(q->params), query_in(q, 2)->dtype)) {
    mark_numbers(q, c);
    return;
  }
  if (!add_selection(q, x, 2, &s, &selection)) {
    c->text = NULL;
    return;
  }
  const Shape value = without_leading(query_in_shape(q, 1), s.region.shape.ndim);
  const Region spread = region_broadcast(&value, &s.region.shape);
  plain_whole(c, shape_size(x));
  plain_padded(c, spread.stride, s.region.shape.ndim, MAX_DIMS, 0);
  plain_wholes(c, selection.whole, selection.n_whole);
}

#define BRACKETS(row, name, numbers)                                                                          \
  { .op = row, .text = "index/brackets", .function = name, .types = ALL_TYPES, .arguments = numbers }

const Plain plain_brackets[] = { BRACKETS("_index", "read_chosen", read_numbers),
                                 BRACKETS("_index_assign", "assign_chosen", assign_numbers),
                                 { 0 } };
