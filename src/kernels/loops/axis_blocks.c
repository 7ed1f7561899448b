/* axis_blocks.c - see axis_blocks.h. */
#include "kernels/loops/axis_blocks.h"

#include "base/assert.h"
#include "base/threads/parallel_for.h"

Status along_axis(const char *who, const Shape *s, int64_t given, Along *out) {
  int axis;
  TRY(axis_normal(who, "axis", given, s->ndim, &axis));
  HL_ASSERT(axis >= 0 && axis < s->ndim);
  *out = (Along){ shape_size_range(s, 0, axis), s->dim[axis], shape_size_range(s, axis + 1, s->ndim) };
  return OK;
}

Along lines_along(const Shape *s, int64_t axis) {
  Along a = { 1, shape_size(s), 1 };
  if (axis != NONE) (void)along_axis("", s, axis, &a);
  return a;
}

typedef struct AxisRun {
  const Along *a;
  AlongRow *row;
  AlongColumns *columns;
  const void *context;
  int64_t blocks;              /* blocks of columns per outer index */
} AxisRun;

static void rows_piece(void *context, int64_t first, int64_t last) {
  const AxisRun *r = context;
  for (int64_t i = first; i < last && !interrupted(); i++) r->row(r->context, i);
}

static void columns_piece(void *context, int64_t first, int64_t last) {
  const AxisRun *r = context;
  for (int64_t i = first; i < last && !interrupted(); i++) {
    int64_t column = i % r->blocks * ALONG_COLUMNS, rest = r->a->inner - column;
    r->columns(r->context, i / r->blocks, column, rest < ALONG_COLUMNS ? rest : ALONG_COLUMNS);
  }
}

Status along_run(const Along *a, AlongRow *row, AlongColumns *columns, const void *context) {
  AxisRun r = { a, row, columns, context, (a->inner + ALONG_COLUMNS - 1) / ALONG_COLUMNS };
  if (a->outer == 0 || a->inner == 0) return OK;
  int64_t width = a->inner < ALONG_COLUMNS ? a->inner : ALONG_COLUMNS, grain = (1 << 13) / (a->n * width + 1) + 1;
  if (a->inner == 1) parallel_for(a->outer, grain, rows_piece, &r);
  else parallel_for(a->outer * r.blocks, grain, columns_piece, &r);
  return interrupt_status();
}
