/* plain_lines.c - the rows that reduce/extremes.h, cumsum.h and moments.h define, and their numbers. */
#include "ops/reduce/argmax.h"
#include "ops/reduce/cumsum.h"
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
static void moments_numbers(const Query *q, PlainCall *c) {
  const ReduceParams p = moments_axes(q->params);
  const Shape *s = query_in_shape(q, 0);
  SteppedAxes kept = { 0 }, folded = { 0 };
  bool reduced[MAX_DIMS];
  int end = s->ndim;
  if (reduced_axes(q->op->name, "axes", &p, s->ndim, reduced) != OK) return;
  while (end > 0 && (reduced[end - 1] || s->dim[end - 1] == 1)) end--;
  for (int i = 0; i < end; i++)
    if (s->dim[i] != 1) add_stepped(reduced[i] ? &folded : &kept, s, i);
  const int64_t inner = shape_size_range(s, end, s->ndim);
  bool contiguous = end == 0;
  for (int i = end; i < s->ndim; i++) contiguous = contiguous || s->dim[i] != 1;
  plain_stepped(c, &kept);
  plain_stepped(c, &folded);
  plain_whole(c, inner);
  plain_whole(c, contiguous);
}

#define EXTREMES(row, least)                                                                                  \
  { .op = row, .text = "reduce/extremes", .types = PLAIN_TYPES, .arguments = argmax_numbers,                  \
    .own = &(const bool){ least } }

const Plain plain_lines[] = {
  EXTREMES("argmax", false),
  EXTREMES("argmin", true),
  { .op = "argmax_channel", .text = "reduce/extremes", .types = PLAIN_TYPES, .arguments = argmax_channel_numbers },
  { .op = "moments", .text = "reduce/moments", .types = FLOAT_TYPES, .arguments = moments_numbers },
  { .op = "_np_cumsum", .text = "reduce/cumsum", .types = PLAIN_TYPES, .arguments = cumsum_numbers },
  { 0 }
};
