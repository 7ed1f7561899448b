/* plain_lines.c - the rows that the texts of reduce define, and their numbers. */
#include "ops/reduce/any_all.h"
#include "ops/reduce/argmax.h"
#include "ops/reduce/cumsum.h"
#include "ops/reduce/recurrence.h"
#include "ops/reduce/reduced_axes.h"
#include "ops/reduce/variance.h"
#include "plain/plain_registry.h"

static void argmax_numbers(const Query *q, PlainCall *c) {
  plain_lines_of(c, query_in_shape(q, 0), ((const ArgParams *)q->params)->axis);
  plain_whole(c, *(const bool *)q->op->plain->own);
}

static void argmax_channel_numbers(const Query *q, PlainCall *c) {
  plain_axis(c, query_in_shape(q, 0), 1);
  plain_whole(c, false);
}

static void cumsum_numbers(const Query *q, PlainCall *c) {
  plain_lines_of(c, query_in_shape(q, 0), ((const ScanParams *)q->params)->axis);
}

static void recurrence_numbers(const Query *q, PlainCall *c) {
  const RecurrenceParams *p = q->params;
  plain_lines_of(c, query_in_shape(q, 0), p->axis);
  plain_whole(c, p->reverse);
}

/* Axes of an array with the elements between neighbours along each. */
typedef struct SteppedAxes { int n; int64_t dim[MAX_DIMS], step[MAX_DIMS]; } SteppedAxes;

static void add_stepped(SteppedAxes *to, const Shape *s, int axis) {
  to->dim[to->n] = s->dim[axis];
  to->step[to->n++] = shape_size_range(s, axis + 1, s->ndim);
}

static void plain_stepped(PlainCall *c, const SteppedAxes *axes) {
  int64_t n = 1;
  for (int i = 0; i < axes->n; i++) n *= axes->dim[i];
  plain_whole(c, n);
  plain_padded(c, axes->dim, axes->n, MAX_DIMS, 1);
  plain_padded(c, axes->step, axes->n, MAX_DIMS, 0);
}

/* Axes of length 1 are neither kept nor folded. If the last of the others is folded, it is contiguous, with its
** neighbours that are folded, too. */
static bool add_folded(const Query *q, PlainCall *c, const char *param, const ReduceParams *p) {
  const Shape *s = query_in_shape(q, 0);
  SteppedAxes kept = { 0 }, folded = { 0 };
  bool reduced[MAX_DIMS];
  int end = s->ndim;
  if (reduced_axes(q->op->name, param, p, s->ndim, reduced) != OK) return false;
  while (end > 0 && (reduced[end - 1] || s->dim[end - 1] == 1)) end--;
  for (int i = 0; i < end; i++)
    if (s->dim[i] != 1) add_stepped(reduced[i] ? &folded : &kept, s, i);
  const int64_t inner = shape_size_range(s, end, s->ndim);
  bool contiguous = end == 0;
  for (int i = end; i < s->ndim; i++) contiguous = contiguous || s->dim[i] != 1;
  plain_stepped(c, &kept);
  plain_stepped(c, &folded);
  plain_whole(c, inner);
  return contiguous;
}

static void moments_numbers(const Query *q, PlainCall *c) {
  const ReduceParams p = moments_axes(q->params);
  plain_whole(c, add_folded(q, c, "axes", &p));
}

static void variance_numbers(const Query *q, PlainCall *c) {
  const VarianceParams *v = q->params;
  const ReduceParams p = spread_axes(v);
  plain_whole(c, add_folded(q, c, "axis", &p));
  plain_whole(c, v->ddof);
  plain_whole(c, query_in(q, 0)->dtype == DT_FLOAT32 && query_out(q, 0)->dtype == DT_FLOAT32);
  plain_whole(c, *(const bool *)q->op->plain->own);
}

/* ---- Tests of elements -------------------------------------------------------------------------- */

static void truth_numbers(const Query *q, PlainCall *c) {
  const ReduceParams p = truth_axes(q->params);
  add_folded(q, c, "axis", &p);
}

static void test_numbers(const Query *q, PlainCall *c) { plain_whole(c, shape_size(query_in_shape(q, 0))); }

static void infinite_numbers(const Query *q, PlainCall *c) {
  const bool *signs = q->op->plain->own;
  test_numbers(q, c);
  for (int i = 0; i < 2; i++) plain_whole(c, signs[i]);
}

static void equal_numbers(const Query *q, PlainCall *c) {
  test_numbers(q, c);
  plain_whole(c, shape_equal(query_in_shape(q, 0), query_in_shape(q, 1)));
  plain_whole(c, ((const EqualParams *)q->params)->equal_nan);
}

static void close_numbers(const Query *q, PlainCall *c) {
  const CloseParams *p = q->params;
  test_numbers(q, c);
  plain_whole(c, p->equal_nan);
  plain_number(c, p->rtol);
  plain_number(c, p->atol);
}

/* ---- Rows -------------------------------------------------------------------------------------- */

#define EXTREMES(row, least)                                                                                  \
  { .op = row, .text = "reduce/extremes", .types = PLAIN_TYPES, .arguments = argmax_numbers,                  \
    .own = &(const bool){ least } }
#define VARIANCE(row, root)                                                                                   \
  { .op = row, .text = "reduce/variance", .types = PLAIN_TYPES, .arguments = variance_numbers,                \
    .own = &(const bool){ root } }
#define TRUTH(row, name, numbers, ...)                                                                        \
  { .op = row, .text = "reduce/truth", .function = name, .types = PLAIN_TYPES, .arguments = numbers, __VA_ARGS__ }
#define INFINITE(row, plus, minus) TRUTH(row, "test_infinite", infinite_numbers, .own = (const bool[]){ plus, minus })

const Plain plain_lines[] = {
  EXTREMES("argmax", false),
  EXTREMES("argmin", true),
  { .op = "argmax_channel", .text = "reduce/extremes", .types = PLAIN_TYPES, .arguments = argmax_channel_numbers },
  { .op = "moments", .text = "reduce/moments", .types = FLOAT_TYPES, .arguments = moments_numbers },
  VARIANCE("var", false),
  VARIANCE("std", true),
  TRUTH("any", "any_true", truth_numbers, .own = NULL),
  TRUTH("all", "all_true", truth_numbers, .own = NULL),
  TRUTH("count_nonzero", "count_true", truth_numbers, .own = NULL),
  TRUTH("isnan", "test_nan", test_numbers, .own = NULL),
  TRUTH("isfinite", "test_finite", test_numbers, .own = NULL),
  INFINITE("isinf", true, true),
  INFINITE("isposinf", true, false),
  INFINITE("isneginf", false, true),
  TRUTH("array_equal", "all_equal", equal_numbers, .own = NULL),
  TRUTH("_contrib_allclose", "all_close", close_numbers, .own = NULL),
  { .op = "_np_cumsum", .text = "reduce/cumsum", .types = PLAIN_TYPES, .arguments = cumsum_numbers },
  { .op = "_linear_recurrence",
    .text = "reduce/recurrence",
    .types = FLOAT_TYPES | INTEGER_TYPES,
    .arguments = recurrence_numbers },
  { 0 }
};
