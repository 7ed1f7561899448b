/* plain_index.c - the rows that index/take.h, put.h, one_hot.h, ravel.h and gather_nd.h
** define, and their numbers. */
#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"
#include "ops/index/take_pick.h"
#include "plain/plain_registry.h"

static int64_t in_size(const Query *q, int i) { return shape_size(query_in_shape(q, i)); }

static void take_numbers(const Query *q, PlainCall *c) {
  const TakeParams *p = q->params;
  plain_axis(c, query_in_shape(q, 0), p->axis);
  plain_whole(c, in_size(q, 1));
  plain_whole(c, p->mode);
}

static void embedding_numbers(const Query *q, PlainCall *c) {
  plain_wholes(c, query_in_shape(q, 1)->dim, 2);
  plain_whole(c, in_size(q, 0));
}

static void pick_numbers(const Query *q, PlainCall *c) {
  const PickParams *p = q->params;
  plain_axis(c, query_in_shape(q, 0), p->axis);
  plain_whole(c, p->mode == 1 ? TAKE_WRAP : TAKE_CLIP);
}

static void batch_take_numbers(const Query *q, PlainCall *c) {
  plain_axis(c, query_in_shape(q, 0), -1);
  plain_whole(c, TAKE_CLIP);
}

static void take_along_numbers(const Query *q, PlainCall *c) {
  const AxisParams *p = q->params;
  const Shape *index = query_in_shape(q, 1);
  plain_lines_of(c, query_in_shape(q, 0), p->axis);
  plain_whole(c, p->axis == NONE ? shape_size(index) : index->dim[axis_at(p->axis, index->ndim)]);
}

static void put_element_numbers(const Query *q, PlainCall *c) {
  const Shape *s = query_in_shape(q, 0);
  plain_whole(c, shape_size_range(s, 0, s->ndim - 1));
  plain_whole(c, s->dim[s->ndim - 1]);
}

static void put_rows_numbers(const Query *q, PlainCall *c) {
  const Shape *s = query_in_shape(q, 0);
  plain_whole(c, s->dim[0]);
  plain_whole(c, shape_size_range(s, 1, s->ndim));
  plain_whole(c, in_size(q, 1));
}

static void one_hot_numbers(const Query *q, PlainCall *c) {
  const OneHotParams *p = q->params;
  plain_whole(c, in_size(q, 0));
  plain_whole(c, p->depth);
  plain_number(c, p->on_value);
  plain_number(c, p->off_value);
}

/* `array` has the axes that the tuples of input 1 index. */
static void tuple_numbers(const Query *q, const Shape *array, PlainCall *c) {
  const Shape *index = query_in_shape(q, 1);
  const int axes = (int)index->dim[0];
  plain_whole(c, shape_size_range(index, 1, index->ndim));
  plain_whole(c, shape_size_range(array, axes, array->ndim));
  plain_whole(c, axes);
  for (int i = 0; i < MAX_DIMS; i++) plain_whole(c, i < axes ? array->dim[i] : 1);
}

static void gather_nd_numbers(const Query *q, PlainCall *c) { tuple_numbers(q, query_in_shape(q, 0), c); }

static void scatter_nd_numbers(const Query *q, PlainCall *c) {
  tuple_numbers(q, query_out_shape(q, 0), c);
  plain_whole(c, shape_size(query_out_shape(q, 0)));
}

/* The count of tuples, the axes of an array and their dimensions. */
static void add_places(const Query *q, int64_t count, PlainCall *c) {
  const List *dims = &((const ShapeParams *)q->params)->shape;
  plain_whole(c, count);
  plain_whole(c, dims->count);
  for (int i = 0; i < MAX_DIMS; i++) plain_whole(c, i < dims->count ? list_ints(dims)[i] : 1);
}

static void ravel_numbers(const Query *q, PlainCall *c) { add_places(q, shape_size(query_out_shape(q, 0)), c); }
static void unravel_numbers(const Query *q, PlainCall *c) { add_places(q, in_size(q, 0), c); }

#define INDEX(row, file, name, numbers) \
  { .op = row, .text = "index/" file, .function = name, .types = PLAIN_TYPES, .arguments = numbers }

const Plain plain_index[] = { INDEX("take", "take", "take", take_numbers),
                              INDEX("Embedding", "take", "embedding", embedding_numbers),
                              INDEX("pick", "take", "pick", pick_numbers),
                              INDEX("batch_take", "take", "pick", batch_take_numbers),
                              INDEX("take_along_axis", "take", "take_along", take_along_numbers),
                              INDEX("fill_element_0index", "put", "put_element", put_element_numbers),
                              INDEX("_contrib_index_copy", "put", "put_rows", put_rows_numbers),
                              INDEX("one_hot", "one_hot", "one_hot", one_hot_numbers),
                              INDEX("_ravel_multi_index", "ravel", "ravel", ravel_numbers),
                              INDEX("_unravel_index", "ravel", "unravel", unravel_numbers),
                              INDEX("gather_nd", "gather_nd", "gather_nd", gather_nd_numbers),
                              INDEX("scatter_nd", "gather_nd", "scatter_nd", scatter_nd_numbers),
                              { 0 } };
