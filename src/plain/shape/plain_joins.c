/* plain_joins.c - the rows that shape/join.h and shape/convert.h define, and their numbers. */
#include "ops/common/shape_params.h"
#include "ops/common/shared_params.h"
#include "ops/shape/concat_split.h"
#include "plain/plain_registry.h"

/* ---- Concat, stack, split ---------------------------------------------------------------------- */

/* The axis of the whole array that a row joins or splits: its column `own`. */
typedef int64_t JoinedAxis(const void *params);

static int64_t concat_axis(const void *params) { return ((const ConcatParams *)params)->dim; }
static int64_t stack_axis(const void *params) { return ((const StackParams *)params)->axis; }
static int64_t channel_axis(const void *params) { return channel_parts(params).axis; }
static int64_t split_axis(const void *params) { return split_parts(params).axis; }

static int joined_axis(const Query *q, const Shape *whole) {
  JoinedAxis *const *axis_of = q->op->plain->own;
  return axis_at((*axis_of)(q->params), whole->ndim);
}

/* The part has the whole array's dimensions before the axis, so that the rest of its dimensions is a row. */
static int64_t row_size(const Shape *part, int axis) { return shape_size_range(part, axis, part->ndim); }

static int64_t joined_size(const Query *q, int i) {
  return row_size(query_in_shape(q, i), joined_axis(q, query_out_shape(q, 0)));
}

static int64_t split_size(const Query *q, int i) {
  return row_size(query_out_shape(q, i), joined_axis(q, query_in_shape(q, 0)));
}

static void add_parts(const Query *q, const Shape *whole, int count, int64_t (*size)(const Query *, int),
                      PlainCall *c) {
  plain_whole(c, count);
  c->size = size;
  c->n_sizes = count;
  plain_whole(c, shape_size_range(whole, 0, joined_axis(q, whole)));
}

static void join_numbers(const Query *q, PlainCall *c) { add_parts(q, query_out_shape(q, 0), q->n_in, joined_size, c); }

static void split_numbers(const Query *q, PlainCall *c) { add_parts(q, query_in_shape(q, 0), q->n_out, split_size, c); }

static void add_n_numbers(const Query *q, PlainCall *c) {
  plain_whole(c, q->n_in);
  plain_whole(c, shape_size(query_out_shape(q, 0)));
}

/* ---- Conversions ------------------------------------------------------------------------------- */

static void convert_numbers(const Query *q, PlainCall *c) {
  const bool from_half = query_in(q, 0)->dtype == DT_FLOAT16, to_half = query_out(q, 0)->dtype == DT_FLOAT16;
  if (from_half != to_half) c->function = to_half ? "convert_to_half" : "convert_from_half";
  plain_whole(c, shape_size(query_out_shape(q, 0)));
}

#define CONVERSION .text = "shape/convert", .types = ALL_TYPES, .arguments = convert_numbers

const Plain plain_conversion = { CONVERSION };

/* ---- Rows -------------------------------------------------------------------------------------- */

#define PARTS(row, name, numbers, axis)                                                                       \
  { .op = row, .text = "shape/join", .function = name, .types = ALL_TYPES, .arguments = numbers,              \
    .own = &(JoinedAxis *const){ axis } }

const Plain plain_joins[] = {
  PARTS("Concat", "join", join_numbers, concat_axis),
  PARTS("_rnn_param_concat", "join", join_numbers, concat_axis),
  PARTS("stack", "join", join_numbers, stack_axis),
  PARTS("SliceChannel", "split", split_numbers, channel_axis),
  PARTS("_split_v2", "split", split_numbers, split_axis),
  { .op = "add_n", .text = "shape/join", .function = "add_arrays", .types = NUMBER_TYPES, .arguments = add_n_numbers },
  { .op = "_copy", CONVERSION },
  { 0 }
};
